# make          build build/assent and build/assentd
# make try      install what is missing, build, play a session, show the table
# make test     install what is missing, build, run every test
# make check    static checks, and the tests under sanitizers
# make bench    the promises with numbers, as ratios, into the terminal
# make install  into $(DESTDIR)$(PREFIX)
# make format   rewrite the sources with clang-format
# SAN=1         with AddressSanitizer and UndefinedBehaviorSanitizer

# Rooms in link order, the user before the used.
ROOMS = daemon cli lib api decide store adapter card check order policy facts \
	shell call io wire base

STD = -std=c11 -D_GNU_SOURCE
WARN = -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion \
	-Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes \
	-Wold-style-definition -Wvla -Wundef -Wpointer-arith -Wcast-qual \
	-Wwrite-strings -Wformat=2 -Wswitch-enum -Wimplicit-fallthrough \
	-Wnull-dereference -Wdouble-promotion
HARDEN = -fstack-protector-strong -fstack-clash-protection \
	-D_FORTIFY_SOURCE=2 -fPIE -fno-common
LDHARDEN = -pie -Wl,-z,relro,-z,now,-z,noexecstack
CFLAGS ?= -O2 -g
ifdef SAN
CFLAGS = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
HARDEN = -fno-common
LDHARDEN = -fsanitize=address,undefined
endif

OUT = build$(if $(SAN),/san)
Q = $(if $(V),,@)
ALL_CFLAGS = $(STD) $(WARN) $(HARDEN) -Isrc -I. -Iinclude $(CFLAGS)
objects = $(patsubst %.c,$(OUT)/obj/%.o,$(wildcard $(1)/*.c))
# the libraries of those rooms that have code
lib = $(foreach r,$(1),$(if $(wildcard src/$(r)/*.c),$(OUT)/lib$(r).a))

PURE = order policy facts shell call base
CLIENT = cli api adapter card check order policy facts shell call io wire base
DAEMON = daemon api decide store adapter card check order policy facts shell call io \
	wire base
UNITS = $(patsubst tests/unit/%.c,$(OUT)/unit/%,$(wildcard tests/unit/*.c))
DAEMON_LIBS = -lmicrohttpd -luv -lsqlite3 -ljansson -lcrypto

# The rooms' libraries are made even before a program uses them, so that a room
# that does not build is seen.
all: $(if $(wildcard src/cli/main.c),$(OUT)/assent) \
	$(if $(wildcard src/daemon/main.c),$(OUT)/assentd) $(call lib,$(ROOMS))

tests: all $(OUT)/cases $(OUT)/session $(UNITS)

$(OUT)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC   $<")
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

define room
$(OUT)/lib$(1).a: $(call objects,src/$(1))
	@rm -f $$@
	@mkdir -p $$(@D)
	$$(Q)$$(AR) rcs $$@ $$^
endef
$(foreach r,$(ROOMS),$(eval $(call room,$(r))))

$(OUT)/cases: $(call objects,tests) $(call lib,adapter $(PURE) wire)
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ \
		-Wl,--start-group $^ -Wl,--end-group -ljansson -lcrypto

# The client is static: no loader, no LD_PRELOAD, quick to start.
$(OUT)/assent: $(call lib,$(CLIENT))
	$(Q)$(CC) $(if $(SAN),$(LDHARDEN),-static-pie) $(LDFLAGS) -o $@ \
		-Wl,--start-group $^ -Wl,--end-group $(if $(SAN),-ljansson,-l:libjansson.a)

$(OUT)/assentd: $(call lib,$(DAEMON))
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ \
		-Wl,--start-group $^ -Wl,--end-group $(DAEMON_LIBS)

# Units are programs of their own, for what is not text; they may use it all.
$(OUT)/unit/%: $(OUT)/obj/tests/unit/%.o $(call lib,$(filter-out daemon cli,$(DAEMON)))
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ $< -Wl,--start-group \
		$(filter %.a,$^) -Wl,--end-group $(DAEMON_LIBS) -lcmocka

$(OUT)/session: $(OUT)/obj/tests/try/session.o $(call lib,wire base)
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ $^ -ljansson

# try, test and check install first and then start make again.
try:
	@tools/setup build
	@$(MAKE) -s --no-print-directory -j2 all $(OUT)/session
	@sh tests/try/run.sh 20
	@echo
	@echo "To put assent between you and your own Claude Code:"
	@echo "    sudo make install"
	@echo "    assent install claude-code --user     (shows the change, asks, keeps a backup)"
	@echo "    assent doctor                         (says what is well and what is not)"

test:
	@tools/setup build test
	@$(MAKE) -s --no-print-directory -j2 tests
	@tools/suites test | tools/run

check:
	@tools/setup build test check
	@$(MAKE) -s --no-print-directory -j2 tests
	@tools/suites check | tools/run

# The client must be able to find the daemon: beside itself, or in libexec.
PREFIX = /usr/local
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/libexec/assent
	install -m 755 $(OUT)/assentd $(DESTDIR)$(PREFIX)/libexec/assent/assentd
	install -m 755 $(OUT)/assent $(DESTDIR)$(PREFIX)/bin/assent

bless: tests
	$(OUT)/cases --bless

format:
	clang-format -i $(wildcard src/*/*.[ch] tests/*.[ch] tests/*/*.[ch])

clean:
	rm -rf build

.PHONY: all tests try test check install bless format clean
.SECONDARY:
-include $(shell find build -name '*.d' 2>/dev/null)
