# make          build build/assent and build/assentd
# make try      install what is missing, build, play a session, show the table
# make test     install what is missing, build, run every test
# make check    static checks, and the tests under sanitizers
# make bench    the promises with numbers, as ratios, into the terminal
# make corpus   DIR=...: what other suites expect, against what we say
# make install  into $(DESTDIR)$(PREFIX)
# make fuzz     the readers on bytes of all kinds, for SECONDS=20
# make format   rewrite the sources with clang-format
# SAN=1         with AddressSanitizer and UndefinedBehaviorSanitizer

# Rooms in link order, the user before the used.
ROOMS = daemon cli proxy lib api decide llm store adapter card import check judge order policy \
	facts shell call io wire base

STD = -std=c11 -D_GNU_SOURCE
WARN = -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion \
	-Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes \
	-Wold-style-definition -Wvla -Wundef -Wpointer-arith -Wcast-qual \
	-Wwrite-strings -Wformat=2 -Wswitch-enum -Wimplicit-fallthrough \
	-Wnull-dereference -Wdouble-promotion
HARDEN = -fstack-protector-strong -fstack-clash-protection \
	-D_FORTIFY_SOURCE=2 -fPIC -fvisibility=hidden -fno-common
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
ALL_CFLAGS = $(STD) $(WARN) $(HARDEN) -Isrc -I. -Iinclude -isystem $(OUT)/gen $(CFLAGS)
objects = $(patsubst %.c,$(OUT)/obj/%.o,$(wildcard $(1)/*.c))
# the libraries of those rooms that have code
lib = $(foreach r,$(1),$(if $(wildcard src/$(r)/*.c),$(OUT)/lib$(r).a))

PURE = check judge order policy facts shell call base
CLIENT = cli api adapter card import check judge order policy facts shell call io wire base
DAEMON = daemon api decide llm store adapter card check judge order policy facts \
	shell call io wire base
# The filter in front of servers: HTTP libraries that the client does not link.
PROXY = proxy adapter api call io wire base
PROXY_LIBS = -lmicrohttpd -lcurl -luv -lprotobuf-c -lz -ljansson -lcrypto -lm
GEN = $(OUT)/gen
CURSOR = $(patsubst %,$(OUT)/obj/tests/cursor/%.o,scene say)
UNITS = $(patsubst tests/unit/%.c,$(OUT)/unit/%,$(wildcard tests/unit/*.c))
PLUGS = $(patsubst tests/plug/%.c,$(OUT)/plug/%,$(wildcard tests/plug/*.c))
DAEMON_LIBS = -lmicrohttpd -luv -lsqlite3 -ljansson -lcrypto

# The rooms' libraries are made even before a program uses them, so that a room
# that does not build is seen.
all: $(if $(wildcard src/cli/main.c),$(OUT)/assent) \
	$(if $(wildcard src/daemon/main.c),$(OUT)/assentd) $(OUT)/assent-proxy \
	$(call lib,$(ROOMS))

tests: all $(OUT)/cases $(OUT)/cursor/play $(OUT)/cursor/gateway $(OUT)/measure $(OUT)/session $(OUT)/model $(UNITS) $(PLUGS)

$(OUT)/obj/%.o: %.c Makefile
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

# Messages of other people's protocols, made from our own descriptions of them.
$(GEN)/proxy/%.pb-c.c: src/proxy/%.proto
	@mkdir -p $(@D)
	$(Q)protoc-c --proto_path=src --c_out=$(GEN) $<
$(GEN)/proxy/%.pb-c.h: $(GEN)/proxy/%.pb-c.c ;
PROTOS = $(patsubst src/proxy/%.proto,$(GEN)/proxy/%.pb-c.c,$(wildcard src/proxy/*.proto))
$(patsubst $(GEN)/%.c,$(OUT)/obj/gen/%.o,$(PROTOS)): $(OUT)/obj/gen/%.o: $(GEN)/%.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(STD) $(HARDEN) $(CFLAGS) -I$(GEN) -c -o $@ $<
$(call objects,src/proxy) $(call objects,tests/cursor) \
	$(patsubst %.c,$(OUT)/obj/%.o,$(wildcard tests/unit/proxy*.c) bench/cursor.c): | $(PROTOS)
$(OUT)/libproxy.a: $(patsubst $(GEN)/%.c,$(OUT)/obj/gen/%.o,$(PROTOS))

# The shipped rules are compiled in as text (.incbin).
$(OUT)/obj/src/policy/builtin.o: $(wildcard policies/*.conf)
# So is what a model is told.
$(OUT)/obj/src/judge/system.o: src/judge/system.txt

$(OUT)/cases: $(call objects,tests) $(call lib,adapter card import llm $(PURE) wire io)
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ \
		-Wl,--start-group $^ -Wl,--end-group -ljansson -lcrypto

# The client is static: no loader, no LD_PRELOAD, quick to start.
$(OUT)/assent: $(call lib,$(CLIENT))
	$(Q)$(CC) $(if $(SAN),$(LDHARDEN),-static-pie) $(LDFLAGS) -o $@ \
		-Wl,--start-group $^ -Wl,--end-group $(if $(SAN),-ljansson,-l:libjansson.a) -lm

$(OUT)/assentd: $(call lib,$(DAEMON))
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ \
		-Wl,--start-group $^ -Wl,--end-group $(DAEMON_LIBS)

$(OUT)/assent-proxy: $(call lib,$(PROXY))
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ \
		-Wl,--start-group $^ -Wl,--end-group $(PROXY_LIBS)

# The library, shared and static; both show assent_* and nothing else.
LIBRARY = lib check judge order policy facts shell call wire base
VERSION = $(shell sed -n 's/.*BASE_VERSION "\(.*\)"/\1/p' src/base/version.h)
SOVERSION = 0
library: $(OUT)/libassent.so $(OUT)/libassent.a

$(OUT)/obj/libassent.o: $(call lib,$(LIBRARY))
	$(Q)$(CC) -r -nostdlib -o $@ -Wl,--whole-archive $(OUT)/liblib.a \
		-Wl,--no-whole-archive -Wl,--start-group $^ -Wl,--end-group

$(OUT)/libassent.so: $(OUT)/obj/libassent.o src/lib/assent.map
	$(Q)$(CC) -shared -Wl,-z,relro,-z,now,-z,noexecstack,-z,defs \
		-Wl,-soname,libassent.so.$(SOVERSION) \
		-Wl,--version-script,src/lib/assent.map $(LDFLAGS) -o $@ $< -ljansson

$(OUT)/libassent.a: $(OUT)/obj/libassent.o
	$(Q)objcopy --wildcard --keep-global-symbol 'assent_*' $< $(OUT)/obj/assent.o
	@rm -f $@
	$(Q)$(AR) rcs $@ $(OUT)/obj/assent.o

# Units are programs of their own, for what is not text; they may use it all.
$(OUT)/unit/%: $(OUT)/obj/tests/unit/%.o $(call lib,$(DAEMON))
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ $< -Wl,--start-group \
		$(filter %.a,$^) -Wl,--end-group $(DAEMON_LIBS) -lcmocka

$(patsubst tests/unit/%.c,$(OUT)/unit/%,$(wildcard tests/unit/proxy*.c)): $(OUT)/unit/%: \
		$(OUT)/obj/tests/unit/%.o $(CURSOR) $(call lib,$(PROXY))
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ $(filter %.o,$^) -Wl,--start-group \
		$(filter %.a,$^) -Wl,--end-group $(PROXY_LIBS) -lcmocka

# A scripted client and gateway around a real filter.
$(OUT)/cursor/%: $(OUT)/obj/tests/cursor/%.o $(CURSOR) $(call lib,$(PROXY))
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ $(filter %.o,$^) -Wl,--start-group \
		$(filter %.a,$^) -Wl,--end-group $(PROXY_LIBS)

# Our reading of shell text against what bash said once (build/measure FOLDER
# LIST), and against a bash that is asked now (build/against_bash SEED COUNT).
parse_objects = $(patsubst %,$(OUT)/obj/tests/parse/%.o,$(1))
$(OUT)/measure: $(call parse_objects,measure sexpr canon) $(call lib,shell wire base)
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ $^ -ljansson -lcrypto

$(OUT)/against_bash: $(call parse_objects,against_bash gen canon) $(call lib,shell base)
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ $^

# Stand-ins for the tests that pull the plug.
$(OUT)/plug/%: $(OUT)/obj/tests/plug/%.o $(call lib,io wire base)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ $< -Wl,--start-group \
		$(filter %.a,$^) -Wl,--end-group -ljansson -Wl,--as-needed -lyaml

# A model server that says what a script tells it.
$(OUT)/model: $(call objects,tests/model) $(call lib,wire io base)
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ $^ -lmicrohttpd -ljansson -lcrypto

$(OUT)/session: $(OUT)/obj/tests/try/session.o $(call lib,wire base)
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ $^ -ljansson

# Benchmarks link what the units do; tests never look at their numbers.
BENCHES = $(patsubst bench/%.c,$(OUT)/bench/%,$(wildcard bench/*.c))
$(OUT)/bench/%: $(OUT)/obj/bench/%.o $(call lib,$(filter-out daemon cli,$(DAEMON)))
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ $< -Wl,--start-group \
		$(filter %.a,$^) -Wl,--end-group $(DAEMON_LIBS)

$(OUT)/bench/cursor: $(OUT)/obj/bench/cursor.o $(CURSOR) $(call lib,$(PROXY))
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ $(filter %.o,$^) -Wl,--start-group \
		$(filter %.a,$^) -Wl,--end-group $(PROXY_LIBS)

bench: all $(OUT)/model $(BENCHES)
	@$(OUT)/bench/decide
	@$(OUT)/bench/worst
	@$(OUT)/bench/cursor $(OUT)/assent-proxy
	@for b in $(wildcard bench/*.sh); do sh $$b || exit 1; done

# The suites' rows stay where they are; what differs is listed in build/corpus.
DIR = ../shared/cases/peers
corpus: $(OUT)/bench/corpus
	@mkdir -p $(OUT)/corpus
	@$(OUT)/bench/corpus $(DIR) $(OUT)/corpus

# Fuzzing, by hand: make fuzz [SECONDS=20] [SEED=1]. What was found is a case line.
SECONDS = 20
SEED = 1
FUZZ_ROOMS = adapter import check judge order policy facts shell call base
FUZZED = $(wildcard $(foreach r,$(FUZZ_ROOMS),src/$(r)/*.c)) \
	src/wire/json.c src/wire/quick.c \
	$(patsubst %,src/llm/%.c,reply provider frame trouble) $(wildcard src/llm/api_*.c)
FUZZ_FLAGS = $(STD) -g -O1 -fno-sanitize-recover=all -Isrc -I. \
	-fsanitize=address,undefined
$(OUT)/fuzz/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(Q)$(CCACHE) clang $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -c -o $@ $<

$(OUT)/fuzz/%: $(patsubst %.c,$(OUT)/fuzz/obj/%.o,tests/fuzz/%.c tests/fuzzing/fuzz.c $(FUZZED))
	$(Q)clang $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $^ -ljansson -lcrypto

# The same without libFuzzer, for a number of rounds: build/fuzzed/NAME SEEDS ROUNDS.
$(OUT)/fuzzed/%: $(patsubst %,$(OUT)/obj/tests/%.o,fuzz/% fuzzing/fuzz fuzzing/drive) $(call lib,llm $(FUZZ_ROOMS) wire)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDHARDEN) $(LDFLAGS) -o $@ -Wl,--start-group $^ -Wl,--end-group -ljansson -lcrypto

FUZZERS = $(patsubst tests/fuzz/%.c,$(OUT)/fuzz/%,$(wildcard tests/fuzz/*.c))
fuzzed: $(patsubst tests/fuzz/%.c,$(OUT)/fuzzed/%,$(wildcard tests/fuzz/*.c)) $(OUT)/against_bash
fuzz: $(OUT)/against_bash $(FUZZERS)
	@$(OUT)/against_bash $(SEED) $$(( $(SECONDS) * 100 ))
	@tools/fuzz-seeds $(OUT)/fuzz/seeds
	@$(OUT)/against_bash --write $(OUT)/fuzz/seeds $(SEED) 300
	@for f in $(FUZZERS); do $$f -seed=$(SEED) -max_total_time=$(SECONDS) -timeout=5 -max_len=4000 \
		-rss_limit_mb=2000 -verbosity=0 -artifact_prefix=$(OUT)/fuzz/ \
		$(OUT)/fuzz/seeds || exit 1; done

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

bless: tests
	$(OUT)/cases --bless

# The client must be able to find the daemon: beside itself, or in libexec.
PREFIX = /usr/local
INTO = $(DESTDIR)$(PREFIX)
install: all install-library
	install -Dm755 $(OUT)/assent $(INTO)/bin/assent
	install -Dm755 $(OUT)/assentd $(INTO)/libexec/assent/assentd
	install -Dm644 -t $(INTO)/share/assent/eval eval/*.jsonl
	install -Dm755 $(OUT)/assent-proxy $(INTO)/libexec/assent/assent-proxy

install-library: library
	install -Dm644 include/assent/assent.h $(INTO)/include/assent/assent.h
	install -Dm755 $(OUT)/libassent.so $(INTO)/lib/libassent.so.$(VERSION)
	ln -sf libassent.so.$(VERSION) $(INTO)/lib/libassent.so.$(SOVERSION)
	ln -sf libassent.so.$(SOVERSION) $(INTO)/lib/libassent.so
	install -Dm644 $(OUT)/libassent.a $(INTO)/lib/libassent.a
	@mkdir -p $(INTO)/lib/pkgconfig
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' src/lib/assent.pc.in \
		> $(INTO)/lib/pkgconfig/assent.pc

format:
	clang-format -i $(wildcard src/*/*.[ch] include/*/*.h tests/*.[ch] tests/*/*.[ch] bench/*.[ch])

clean:
	rm -rf build

.PHONY: all bench corpus fuzz fuzzed library install install-library tests try test check bless format clean
.SECONDARY:
-include $(shell find build -name '*.d' 2>/dev/null)
