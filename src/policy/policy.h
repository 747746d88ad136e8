#ifndef POLICY_POLICY_H
#define POLICY_POLICY_H

/*
 * Rules that people wrote, and what they say about facts. A policy is the
 * joined text of all layers, read once, shared by reference and never changed:
 * a hearing keeps the one it began with.
 */

#include "call/call.h"
#include "call/facts.h"
#include "call/verdict.h"

/*
 * Ordinary layers first, the later one that says anything wins for allow and
 * ask; a deny anywhere stays. Constraint layers (WORKSPACE, CEILING) can only
 * tighten. A WORKSPACE_TRUSTED file's allow rules rank below the user's.
 */
#define POLICY_LAYERS(X)            \
	X(BUILTIN, "builtin")           \
	X(WORKSPACE_TRUSTED, "trusted") \
	X(USER, "user")                 \
	X(PROJECT, "project")           \
	X(PROFILE, "profile")           \
	X(ENFORCED, "enforced")         \
	X(WORKSPACE, "workspace")       \
	X(CEILING, "ceiling")

#define X(name, text) POLICY_LAYER_##name,
enum policy_layer { POLICY_LAYERS(X) POLICY_LAYER_COUNT };
#undef X

struct policy;

/* A fault in a rules file. */
struct policy_fault {
	unsigned line, column; /* from 1 */
	struct str message;    /* what was wrong */
	struct str suggestion; /* what to do, or absent */
};

struct policy_faults {
	struct policy_fault *list;
	size_t count;
};

/* An empty policy with the built-in rules; policy_unref frees it. */
struct policy *policy_new(void) MUST_USE;
struct policy *policy_ref(struct policy *p);
void policy_unref(struct policy *p); /* NULL is fine */
void policy_unrefp(struct policy **p);

/*
 * Adds a file's text to p (which nobody else may have a reference to yet).
 * name is what verdicts cite ("assent.conf"). False if there is any fault:
 * nothing of the file is then in p, and the faults are in a.
 */
MUST_USE bool policy_add(struct policy *p, enum policy_layer layer,
	struct str name, struct str text, struct arena *a,
	struct policy_faults *ret_faults);

/* What each line of a faultless file means, in words, a line each. */
struct str policy_explain(
	struct arena *a, enum policy_layer layer, struct str name, struct str text);

/* 32 bytes of text that change when the rules do. */
struct str policy_revision(const struct policy *p);

/* The value of a `set` line of the strongest layer, or the row's default;
 * absent when there is neither. A name without a row is a bug of ours. Lists
 * are one text, parted by single blanks; switches are "on" or "off". */
struct str policy_setting(const struct policy *p, const char *name);
/* As policy_setting, for rows that are numbers. */
int64_t policy_setting_number(const struct policy *p, const char *name);
/* For rows that are amounts: in millionths. */
int64_t policy_setting_amount(const struct policy *p, const char *name);
/* Is it set by a line of a file? */
bool policy_setting_is_set(const struct policy *p, const char *name);

enum policy_setting_type {
	POLICY_SETTING_CHOICE, /* one of choices, parted by '|' */
	POLICY_SETTING_SWITCH, /* on or off */
	POLICY_SETTING_NUMBER, /* from min to max */
	POLICY_SETTING_AMOUNT, /* of money: up to six decimals */
	POLICY_SETTING_TEXT,
	POLICY_SETTING_LIST,   /* one word or more */
	POLICY_SETTING_PRICES, /* a name and three numbers, once or more */
	POLICY_SETTING_URL,    /* http:// or https:// */
	POLICY_SETTING_PATH,   /* absolute, or from ~/ */
};

/* A row of the one table of settings: reader, help and docs are made of it. */
struct policy_setting {
	const char *name;
	enum policy_setting_type type;
	const char *choices;
	int64_t min, max;
	const char *fallback; /* the default, or NULL */
	unsigned layers;      /* bits of enum policy_layer that may set it */
	bool later;           /* kept, but not in effect in this version */
	const char *help;
};

size_t policy_settings(const struct policy_setting **ret_rows);
/* instruct lines, allow and block, in layer order. */
size_t policy_instructions(
	const struct policy *p, bool block, struct arena *a, struct str **ret_list);

MUST_USE bool policy_layer_from(struct str s, enum policy_layer *ret);
const char *policy_layer_name(enum policy_layer layer);

/* --- what the rules and tables say of one call ---------------------------- */

struct policy_subject {
	const struct call *call;
	const struct call_facts *facts;
	const struct call_world *world;
};

/* A line that matched. */
struct policy_hit {
	enum call_verdict verdict; /* NONE: no rule says anything */
	enum policy_layer layer;
	struct str rule; /* "assent.conf:31" */
	struct str what; /* the command or resource that it matched */
	bool constraint; /* an ask that no grant lifts */
};

/* The strictest deny of any layer, or NONE. */
struct policy_hit policy_denies(
	const struct policy *p, struct arena *a, struct policy_subject s);
/* A person's written ask (never a built-in one), after later layers had their
 * say, or NONE. */
struct policy_hit policy_asks(
	const struct policy *p, struct arena *a, struct policy_subject s);
/* ALLOW only if rules that people wrote (builtin: or the shipped ones) cover
 * every command and effect that is not safe by itself. The hit's layer says
 * whose rule decided: BUILTIN only when no person's was needed. */
struct policy_hit policy_allows(const struct policy *p, struct arena *a,
	struct policy_subject s, bool builtin);

/*
 * As policy_allows, with the patterns of grants (2.9) beside people's rules: each
 * is for the call's tool. They lift asks of ordinary layers, and cover neither
 * interpreters nor wrappers nor privilege programs. The hit's rule is "grant:N"
 * where the N-th pattern, from 1, decided.
 */
struct policy_patterns {
	const struct str *list;
	size_t count;
	bool builtin; /* the shipped rules may cover the rest */
};
struct policy_hit policy_granted(const struct policy *p, struct arena *a,
	struct policy_subject s, const struct policy_patterns *patterns);

/* The floor (DESIGN 2.2): true and why, if the call is refused whatever anyone
 * says. */
MUST_USE bool policy_floor(
	struct arena *a, struct policy_subject s, struct str *ret_reason);
/* Person-only places (2.4). */
MUST_USE bool policy_person_only(
	struct arena *a, struct policy_subject s, struct str *ret_reason);
/* Sensitive (2.6): a marker is hit by a read, or by a write. The reason is for
 * people and the record, never for a prompt. */
struct policy_sensitive {
	bool read, write;
	bool all_inside_workspace; /* for review agents */
	struct str resource;
	struct str marker;
};
struct policy_sensitive policy_sensitive(
	const struct policy *p, struct arena *a, struct policy_subject s);
/* The fast path (2.8): complete facts, reads only, nothing secret. */
MUST_USE bool policy_fast_path(
	const struct policy *p, struct policy_subject s, struct str *ret_reason);
/* Effects that need no leave of anybody: what a rule's match does not cover must
 * be of this kind. */
MUST_USE bool policy_effect_is_safe(const struct policy *p,
	const struct call_effect *e, struct policy_subject s);

/* --- names alone ---------------------------------------------------------------- */

/* A file or folder that by its name may hold a secret, by the built-in markers. */
bool policy_name_is_sensitive(struct str name);

#endif
