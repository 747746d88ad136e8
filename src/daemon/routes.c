#include "daemon/routes.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/version.h"
#include "daemon/events.h"
#include "daemon/hearing.h"
#include "daemon/journal.h"
#include "daemon/person.h"
#include "daemon/turn.h"
#include "io/clock.h"
#include "wire/json.h"

enum {
	STATUS_BYTES = 1 << 20,
	SMALL_BYTES = 64 << 10,
	TRUST_BYTES = 6 * LIMIT_RULES_BYTES + SMALL_BYTES,
	JUDGE_BYTES = 8 << 20, /* a prompt, escaped */
	FAILED_MS = 2000,
};

/* --- what is well ------------------------------------------------------------ */

/* Why nothing can be recorded, or NULL. */
static const char *
fault_of_store(const struct daemon *d, struct decide_status *s)
{
	if (!d->decide)
		return d->no_store;
	decide_status(d->decide, s);
	/* small rows may still find room where larger ones failed just now */
	if (d->failed_ms != 0 && io_clock_mono_ms() - d->failed_ms < FAILED_MS)
		return d->failure;
	return s->recording ? NULL : s->failure;
}

static void
run_health(struct daemon *d, struct daemon_request *r)
{
	CLEANUP(buf_done) struct buf b;
	struct decide_status s;
	const char *fault = fault_of_store(d, &s);

	buf_init(&b, SMALL_BYTES);
	buf_addf(&b,
		"{\"status\":\"ok\",\"version\":\"%s\",\"pid\":%lld,\"store\":",
		BASE_VERSION, (long long)getpid());
	buf_add_json(&b, fault ? str_from(fault) : STR("ok"));
	buf_addf(&b, ",\"recording\":%s}\n", fault ? "false" : "true");
	daemon_request_answer(r, 200, buf_str(&b), NULL);
}

static void
add_text(struct buf *b, const char *name, struct str value)
{
	buf_addf(b, ",\"%s\":", name);
	buf_add_json(b, value);
}

static void
add_places(struct buf *b, const struct io_place *p)
{
	buf_addf(b, ",\"places\":{\"home\":");
	buf_add_json(b, p->home);
	add_text(b, "config", p->config);
	add_text(b, "state", p->state);
	add_text(b, "socket", p->socket);
	add_text(b, "admin", p->admin);
	add_text(b, "programs", p->exe_folder);
	buf_addf(b, "}");
}

static void
add_rules(struct buf *b, struct daemon *d)
{
	struct daemon_rules_file f;

	/* a look at the files, so that what is shown is what holds */
	(void)daemon_rules_get(d->rules, (struct str){0});
	buf_addf(b, ",\"rules\":[");
	for (size_t i = 0; daemon_rules_file(d->rules, i, &f); i++) {
		buf_addf(b, "%s{\"path\":", i > 0 ? "," : "");
		buf_add_json(b, f.path);
		buf_addf(b, ",\"layer\":\"%s\",\"there\":%s",
			policy_layer_name(f.layer), f.absent ? "false" : "true");
		if (f.fault.ptr)
			add_text(b, "fault", f.fault);
		buf_addf(b, "}");
	}
	buf_addf(b, "]");
}

static void
add_agents(struct buf *b, const struct daemon *d)
{
	int64_t pid, start;

	buf_addf(b, ",\"agent_processes\":[");
	for (size_t i = 0; i < daemon_agents_count(d->agents); i++) {
		daemon_agents_get(d->agents, i, &pid, &start);
		buf_addf(b, "%s{\"pid\":%lld,\"start\":%lld}", i > 0 ? "," : "",
			(long long)pid, (long long)start);
	}
	buf_addf(b, "]");
}

static void
add_quarantine(struct buf *b, const struct daemon *d)
{
	buf_addf(b, ",\"quarantined\":[");
	for (size_t i = 0; i < daemon_trial_count(d->trial); i++)
		buf_addf(
			b, "%s\"%s\"", i > 0 ? "," : "", daemon_trial_get(d->trial, i));
	buf_addf(b, "]");
}

/* "anthropic claude-haiku-4-5", or "none". */
static void
add_judge(struct buf *b, const struct policy *p)
{
	CLEANUP(buf_done) struct buf name;
	struct str model = policy_setting(p, "judge.model");

	buf_init(&name, SMALL_BYTES);
	buf_add(&name, policy_setting(p, "judge.provider"));
	if (model.len > 0 && !str_eq(buf_str(&name), STR("none")))
		buf_addf(&name, " %.*s", STR_ARG(model));
	add_text(b, "judge", buf_str(&name));
}

/* Mode and tier as they hold without a session. */
static void
add_settings(struct buf *b, struct daemon *d)
{
	struct daemon_rules_now now = daemon_rules_get(d->rules, (struct str){0});
	struct order_settings s = daemon_hearing_settings(d, now.policy, false);

	if (d->decide)
		decide_settings(d->decide, (struct str){0}, (struct str){0}, &s);
	if (s.mode == CALL_MODE_UNSET)
		s.mode = CALL_MODE_AI_AUTO;
	if (s.tier == CALL_TIER_UNSET)
		s.tier = CALL_TIER_STANDARD;
	add_text(b, "mode", str_from(call_mode_name(s.mode)));
	add_text(b, "tier", str_from(call_tier_name(s.tier)));
	add_text(b, "authority", daemon_rules_authority(d->rules));
	add_judge(b, now.policy);
}

static void
run_status(struct daemon *d, struct daemon_request *r)
{
	CLEANUP(buf_done) struct buf b;
	struct decide_status s = {0};
	const char *fault = fault_of_store(d, &s);

	buf_init(&b, STATUS_BYTES);
	buf_addf(&b, "{\"version\":\"%s\",\"pid\":%lld,\"since\":%lld",
		BASE_VERSION, (long long)getpid(), (long long)d->since_ms);
	add_text(&b, "store", fault ? str_from(fault) : STR("ok"));
	buf_addf(&b,
		",\"recording\":%s,\"revision\":%lld,\"cards\":%zu,\"held\":%zu,"
		"\"last\":%lld,\"hearings\":%llu,\"sessions\":%zu,\"agents\":%zu,"
		"\"requests\":%zu,"
		"\"strangers\":%u,\"watchers\":%zu,\"attended\":%s",
		fault ? "false" : "true", (long long)s.revision, s.cards, s.held,
		(long long)d->last_ms, (unsigned long long)d->hearings,
		daemon_sessions_count(d->sessions), daemon_agents_count(d->agents),
		daemon_http_open(d->http), daemon_http_strangers(d->http),
		daemon_events_watchers(d->events),
		daemon_events_attended(d) ? "true" : "false");
	add_settings(&b, d);
	add_places(&b, &d->place);
	add_rules(&b, d);
	add_agents(&b, d);
	add_quarantine(&b, d);
	buf_addf(&b, "}\n");
	daemon_request_answer(r, 200, buf_str(&b), NULL);
}

/* --- what a person may do ------------------------------------------------------ */

static void
run_stop(struct daemon *d, struct daemon_request *r)
{
	daemon_journal("stopping, as a person asked");
	daemon_request_answer(r, 202, STR("{\"stopping\":true}\n"), NULL);
	daemon_stop(d);
}

bool
daemon_routes_needs_store(struct daemon *d, struct daemon_request *r)
{
	if (d->decide)
		return true;
	daemon_request_fail(r, 503, "no_store", "%s", d->no_store);
	return false;
}

void
daemon_routes_read(struct daemon *d, struct daemon_request *r,
	daemon_routes_body_fn run, void *data)
{
	struct wire_json_error e;
	json_t *body;

	if (!daemon_routes_needs_store(d, r))
		return;
	body = wire_json_parse(buf_str(&r->body), &e);
	if (!body) {
		daemon_request_fail(r, 400, "bad_json", "%s", e.message);
		return;
	}
	arena_reset(d->work);
	if (ARENA_TRY(d->work))
		run(d, r, body, data);
	else
		daemon_request_fail(r, 413, "too_large", "the body is too large");
	arena_done(d->work);
	json_decref(body);
}

static void
on_person_left(struct daemon *d, struct daemon_request *r, bool ok)
{
	const struct daemon_wait *w = r->data;

	(void)ok;
	if (!w->told && d->decide)
		decide_gone(d->decide, r->handle, io_clock_wall_ms());
}

void
daemon_routes_wait(struct daemon_request *r,
	void (*replied)(struct daemon *d, struct daemon_request *r,
		const struct decide_act *act))
{
	struct daemon_wait *w = calloc(1, sizeof(*w));

	CHECK(w);
	w->replied = replied;
	r->data = w;
	r->ended = on_person_left;
	daemon_request_drop_body(r);
}

static void
on_done(
	struct daemon *d, struct daemon_request *r, const struct decide_act *act)
{
	(void)d;
	if (act->replied == DECIDE_DONE)
		daemon_request_answer(r, 200, STR("{\"done\":true}\n"), NULL);
	else
		daemon_request_fail(r, act->replied == DECIDE_BAD_VALUE ? 400 : 503,
			decide_replied_name(act->replied), "%.*s", STR_ARG(act->text));
}

static void
lift(struct daemon *d, struct daemon_request *r, struct arena *a)
{
	struct str digest = str_from(r->id);
	struct decide_who who = daemon_person_who(d, a, r);
	struct store_audit row = {
		.kind = STORE_KIND_QUARANTINE,
		.digest = digest,
		.reason = STR("lifted by a person"),
		.who = who.name,
		.level = who.level,
		.ancestry = who.ancestry,
	};

	if (!daemon_trial_lift(d->trial, digest)) {
		daemon_request_fail(
			r, 404, "not_quarantined", "nothing is quarantined as %s", r->id);
		return;
	}
	store_batch_set_quarantine(decide_batch(d->decide),
		&(struct store_quarantined){
			.digest = digest,
			.time_ms = io_clock_wall_ms(),
		});
	daemon_routes_wait(r, on_done);
	decide_record(d->decide, &row, r->handle, io_clock_wall_ms());
}

static void
run_lift(struct daemon *d, struct daemon_request *r)
{
	if (!daemon_routes_needs_store(d, r))
		return;
	arena_reset(d->work);
	if (ARENA_TRY(d->work))
		lift(d, r, d->work);
	arena_done(d->work);
}

/* --- the table ------------------------------------------------------------------ */

const struct daemon_route daemon_routes[] = {
	{"GET",  "/healthz",               0,                false, run_health           },
	{"POST", "/v1/hearings",           LIMIT_BODY_BYTES, false, daemon_hearing_run   },
	{"POST", "/v1/review",             LIMIT_BODY_BYTES, false, daemon_hearing_review},
	{"POST", "/v1/review/outcome",     LIMIT_BODY_BYTES, false,
     daemon_hearing_outcome														  },
	{"GET",  "/v1/status",             0,                false, run_status           },
	{"GET",  "/v1/cards",              0,                false, daemon_cards_list    },
	{"GET",  "/v1/cards/{}",           0,                false, daemon_cards_show    },
	{"POST", "/v1/cards/reply",        SMALL_BYTES,      true,  daemon_together_run  },
	{"POST", "/v1/cards/{}/reply",     SMALL_BYTES,      true,  daemon_cards_reply   },
	{"GET",  "/v1/events",             0,                false, daemon_events_run    },
	{"GET",  "/v1/audit",              0,                false, daemon_audit_list    },
	{"GET",  "/v1/audit/verify",       0,                false, daemon_audit_verify  },
	{"GET",  "/v1/audit/export",       0,                false, daemon_audit_export  },
	{"GET",  "/v1/audit/{}",           0,                false, daemon_audit_show    },
	{"POST", "/v1/order",              LIMIT_BODY_BYTES, false, daemon_explain_run   },
	{"POST", "/v1/judge",              JUDGE_BYTES,      true,  daemon_question_run  },
	{"GET",  "/v1/grants",             0,                false, daemon_grants_list   },
	{"POST", "/v1/grants/clear",       SMALL_BYTES,      true,  daemon_grants_clear  },
	{"POST", "/v1/grants/{}/remove",   SMALL_BYTES,      true,  daemon_grants_remove },
	{"GET",  "/v1/settings",           0,                false, daemon_settings_show },
	{"POST", "/v1/settings",           SMALL_BYTES,      true,  daemon_settings_run  },
	{"GET",  "/v1/sensitive",          0,                false, daemon_sensitive_list},
	{"POST", "/v1/sensitive",          SMALL_BYTES,      true,  daemon_sensitive_run },
	{"GET",  "/v1/rules",              0,                false, daemon_ruletext_show },
	{"POST", "/v1/rules",              TRUST_BYTES,      true,  daemon_ruletext_save },
	{"POST", "/v1/trust",              TRUST_BYTES,      true,  daemon_trust_run     },
	{"POST", "/v1/daemon/stop",        SMALL_BYTES,      true,  run_stop             },
	{"POST", "/v1/quarantine/{}/lift", SMALL_BYTES,      true,  run_lift             },
	{NULL,   NULL,					 0,                false, NULL                 },
};
