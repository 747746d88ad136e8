#ifndef CALL_VERDICT_H
#define CALL_VERDICT_H

/*
 * The verdict, and the nouns that shape it: mode, tier, risk, reply.
 */

#include "base/arena.h"

/* Order is meaning: a higher verdict wins a join. Zero is never "allow". */
#define CALL_VERDICTS(X) \
	X(NONE, "none")      \
	X(ALLOW, "allow")    \
	X(ASK, "ask")        \
	X(DENY, "deny")

#define X(name, text) CALL_VERDICT_##name,
enum call_verdict { CALL_VERDICTS(X) CALL_VERDICT_COUNT };
#undef X

/* By whom (DESIGN 11). */
#define CALL_BYS(X)               \
	X(NONE, "none")               \
	X(FLOOR, "floor")             \
	X(RULE, "rule")               \
	X(BUILTIN, "builtin")         \
	X(GRANT, "grant")             \
	X(ASKED, "asked")             \
	X(SENSITIVE, "sensitive")     \
	X(PERSON_ONLY, "person_only") \
	X(CONTAINED, "contained")     \
	X(FAST_PATH, "fast_path")     \
	X(MODE, "mode")               \
	X(JUDGE, "judge")             \
	X(TIER, "tier")               \
	X(BUDGET, "budget")           \
	X(PERSON, "person")           \
	X(INCOMPLETE, "incomplete")   \
	X(FAILURE, "failure")

#define X(name, text) CALL_BY_##name,
enum call_by { CALL_BYS(X) CALL_BY_COUNT };
#undef X

/* Stricter first: recovery and subagents take the lower of two. */
#define CALL_MODES(X)               \
	X(UNSET, "unset")               \
	X(ASK, "ask")                   \
	X(AI_AUTO, "ai_auto")           \
	X(AUTO_APPROVE, "auto_approve") \
	X(FULL_ACCESS, "full_access")

#define X(name, text) CALL_MODE_##name,
enum call_mode { CALL_MODES(X) CALL_MODE_COUNT };
#undef X

#define CALL_TIERS(X)           \
	X(UNSET, "unset")           \
	X(STANDARD, "standard")     \
	X(AGGRESSIVE, "aggressive") \
	X(PASSIVE, "passive")

#define X(name, text) CALL_TIER_##name,
enum call_tier { CALL_TIERS(X) CALL_TIER_COUNT };
#undef X

#define CALL_RISKS(X)   \
	X(NONE, "none")     \
	X(LOW, "low")       \
	X(MEDIUM, "medium") \
	X(HIGH, "high")     \
	X(CRITICAL, "critical")

#define X(name, text) CALL_RISK_##name,
enum call_risk { CALL_RISKS(X) CALL_RISK_COUNT };
#undef X

#define CALL_REPLIES(X) \
	X(NONE, "none")     \
	X(ONCE, "once")     \
	X(ALWAYS, "always") \
	X(REJECT, "reject")

#define X(name, text) CALL_REPLY_##name,
enum call_reply { CALL_REPLIES(X) CALL_REPLY_COUNT };
#undef X

/* The outcome of the order, and what is written of it. */
struct call_outcome {
	enum call_verdict verdict;
	enum call_by by;
	enum call_risk risk; /* NONE unless judged; CRITICAL for the floor */
	struct str reason;   /* for the agent and the person: a plain sentence */
	struct str rule;     /* "assent.conf:31" when a line decided, else absent */
	bool person_only;    /* only a person may allow, and only once */
	bool sensitive;      /* a marker was hit (never told to a model) */
};

/* The stricter of two (allow < ask < deny). NONE joins as DENY would: a
 * forgotten field must not allow. */
enum call_verdict call_verdict_join(enum call_verdict a, enum call_verdict b);

const char *call_verdict_name(enum call_verdict value);
MUST_USE bool call_verdict_from(struct str s, enum call_verdict *ret);
const char *call_by_name(enum call_by value);
MUST_USE bool call_by_from(struct str s, enum call_by *ret);
const char *call_mode_name(enum call_mode value);
/* Letter case and the old aliases (auto, autoapprove, ai_auto_approve,
 * ai_autoapprove, full, fullaccess) are read; UNSET is not a value. */
MUST_USE bool call_mode_from(struct str s, enum call_mode *ret);
const char *call_tier_name(enum call_tier value);
MUST_USE bool call_tier_from(struct str s, enum call_tier *ret);
const char *call_risk_name(enum call_risk value);
MUST_USE bool call_risk_from(struct str s, enum call_risk *ret);
const char *call_reply_name(enum call_reply value);
MUST_USE bool call_reply_from(struct str s, enum call_reply *ret);

#endif
