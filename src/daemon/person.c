#include "daemon/person.h"

#include <poll.h>
#include <unistd.h>

#include "base/limits.h"
#include "daemon/daemon.h"
#include "daemon/journal.h"
#include "daemon/socket.h"
#include "io/clock.h"
#include "io/file.h"

enum { ANCESTRY_BYTES = 16 << 10, LOOK_BYTES = 256 << 10, SURFACE_BYTES = 16 };

/* What was found out about a peer. */
struct look {
	struct io_proc chain[IO_PROC_CHAIN_MAX];
	size_t count;
	const char *level;
	const char *why; /* not a person, or NULL */
};

/* True while the process that connected still is that process: then its pid was
 * not given to another while /proc was read. */
static bool
is_alive(int pidfd)
{
	struct pollfd p = {.fd = pidfd, .events = POLLIN};

	return pidfd < 0 || poll(&p, 1, 0) == 0;
}

static const char *
doubt_of(const struct daemon_agents *g, const struct look *l)
{
	const struct io_proc *last;

	if (l->count == 0)
		return "its process cannot be seen from here";
	last = &l->chain[l->count - 1];
	if (last->pid != 1 && last->parent != 0)
		return "not all of its ancestors can be seen";
	if (l->chain[0].tty == 0)
		return "it has no controlling terminal";
	for (size_t i = 0; i < l->count; i++) {
		if (daemon_agents_has(g, l->chain[i].pid, l->chain[i].start))
			return "it was started by a coding agent";
	}
	return NULL;
}

static void
look_at(struct daemon *d, struct arena *a, struct daemon_request *r,
	struct look *ret)
{
	IO_FD int pidfd = daemon_socket_pidfd(r->fd);
	struct str level = daemon_rules_authority(d->rules);

	*ret = (struct look){.level = "tty"};
	ret->count = io_proc_chain(a, daemon_socket_peer(r->fd), ret->chain);
	if (!is_alive(pidfd))
		ret->count = 0;
	if (str_eq(level, STR("none"))) {
		ret->level = "none";
	} else if (str_eq(level, STR("passphrase"))) {
		ret->level = "passphrase";
		ret->why = "the passphrase level is not built yet, so nobody may "
				   "answer while it is set";
	} else {
		ret->why = doubt_of(d->agents, ret);
	}
}

static struct str
print_ancestry(struct arena *a, const struct look *l)
{
	struct buf b;
	struct str text;

	buf_init(&b, ANCESTRY_BYTES);
	buf_add_char(&b, '[');
	for (size_t i = 0; i < l->count; i++) {
		const struct io_proc *p = &l->chain[i];

		buf_addf(&b, "%s{\"pid\":%lld,\"start\":%lld,\"tty\":%lld,\"exe\":",
			i > 0 ? "," : "", (long long)p->pid, (long long)p->start,
			(long long)p->tty);
		buf_add_json(&b, p->exe.ptr ? p->exe : p->args[0]);
		buf_add_char(&b, '}');
	}
	buf_add_char(&b, ']');
	/* in the arena after the buffer is safe from its jump */
	text = b.full ? STR("[]") : buf_str(&b);
	text = text.len < LOOK_BYTES / 4 ? arena_dup(a, text) : STR("[]");
	buf_done(&b);
	return text;
}

/* "uid 1000 on pts/3" */
static struct str
print_name(struct arena *a, const struct look *l)
{
	int64_t tty = l->count > 0 ? l->chain[0].tty : 0;
	int64_t major = tty >> 8 & 0xfff;
	int64_t minor = (tty & 0xff) | (tty >> 12 & 0xfff00);
	int64_t uid = (int64_t)getuid();

	if (tty == 0)
		return arena_fmt(a, "uid %lld", (long long)uid);
	if (major >= 136 && major <= 143)
		return arena_fmt(a, "uid %lld on pts/%lld", (long long)uid,
			(long long)(major - 136) * 256 + (long long)minor);
	return arena_fmt(a, "uid %lld on tty %lld:%lld", (long long)uid,
		(long long)major, (long long)minor);
}

static struct decide_who
who_of(struct arena *a, const struct look *l)
{
	return (struct decide_who){
		.name = print_name(a, l),
		.level = str_from(l->level),
		.ancestry = print_ancestry(a, l),
	};
}

static void
record_refusal(struct daemon *d, struct arena *a, struct daemon_request *r,
	const struct look *l)
{
	struct decide_who who = who_of(a, l);
	struct store_audit row = {
		.kind = STORE_KIND_REFUSED,
		.card = r->id[0] ? str_from(r->id) : (struct str){0},
		.verdict = CALL_VERDICT_DENY,
		.by = CALL_BY_FLOOR,
		.reason =
			arena_fmt(a, "%s %s: %s", r->route->method, r->route->path, l->why),
		.who = who.name,
		.level = who.level,
		.ancestry = who.ancestry,
	};

	daemon_journal("refused: %s %s by %.*s: %s", r->route->method,
		r->route->path, STR_ARG(who.name), l->why);
	if (d->decide)
		decide_record(d->decide, &row, 0, io_clock_wall_ms());
}

bool
daemon_person_admits(struct daemon *d, struct daemon_request *r)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(LOOK_BYTES);
	struct look l;

	CHECK(a);
	if (!ARENA_TRY(a)) {
		daemon_request_fail(
			r, 403, "not_a_person", "refused: who asks cannot be made out");
		return false;
	}
	look_at(d, a, r, &l);
	if (!l.why)
		return true;
	record_refusal(d, a, r, &l);
	daemon_request_fail(r, 403, "not_a_person",
		"refused: %s. Only a person at a terminal may do this; an agent, and "
		"what it starts, may not",
		l.why);
	return false;
}

bool
daemon_person_may(struct daemon *d, struct daemon_request *r)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(LOOK_BYTES);
	struct look l;

	CHECK(a);
	if (!ARENA_TRY(a))
		return false;
	look_at(d, a, r, &l);
	return !l.why;
}

/* Where a person answers, as that says itself; "api" where it says nothing. */
static struct str
surface_of(struct daemon_request *r)
{
	struct str s = daemon_request_header(r, "X-Assent-Surface");

	if (s.len == 0 || s.len > SURFACE_BYTES)
		return STR("api");
	for (size_t i = 0; i < s.len; i++) {
		if (!str_has_char(STR("abcdefghijklmnopqrstuvwxyz-"), s.ptr[i]))
			return STR("api");
	}
	return s;
}

struct decide_who
daemon_person_who(struct daemon *d, struct arena *a, struct daemon_request *r)
{
	struct look l;

	look_at(d, a, r, &l);
	struct decide_who who = who_of(a, &l);

	who.surface = surface_of(r);
	return who;
}
