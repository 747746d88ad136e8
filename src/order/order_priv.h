#ifndef ORDER_ORDER_PRIV_H
#define ORDER_ORDER_PRIV_H

/*
 * One run of the order: what the steps hand to each other.
 */

#include "order/order.h"

/* What earlier steps found that takes the say of later ones away. */
enum order_mark {
	ORDER_MARK_ASK_RULE = 1 << 0,    /* a written ask stands */
	ORDER_MARK_SECRET_READ = 1 << 1, /* reads what a marker names */
	ORDER_MARK_SECRET_WRITE = 1 << 2,
	ORDER_MARK_UNKNOWN = 1 << 3, /* a program or option without a row */
	ORDER_MARK_HIDDEN = 1 << 4,  /* dynamic, unparsed or malformed */
	ORDER_MARK_MODE_ASK = 1 << 5,

	ORDER_MARK_INCOMPLETE = ORDER_MARK_UNKNOWN | ORDER_MARK_HIDDEN,
	ORDER_MARK_SECRET = ORDER_MARK_SECRET_READ | ORDER_MARK_SECRET_WRITE,
};

/* clang-format off */
/* Why a person should answer: the rows of DESIGN 2.12. */
#define ORDER_WHYS(X)                                                  \
	/*              standard  aggressive           passive */          \
	X(ESCALATED,    CARD,     ALLOW_WITH_NOTE,     DENY_WITH_NOTE)     \
	X(NEEDS_PERSON, CARD,     CARD_IF_ANYONE,      DENY)               \
	X(PERSON_ONLY,  CARD,     CARD_IF_ANYONE_LIVE, DENY)               \
	X(SENSITIVE,    CARD,     DENY,                DENY)               \
	X(MODE_ASK,     CARD,     CARD,                CARD)
/* clang-format on */

#define X(why, standard, aggressive, passive) ORDER_WHY_##why,
enum order_why { ORDER_WHYS(X) ORDER_WHY_COUNT };
#undef X

/* How a step ends. */
enum order_says {
	ORDER_SAYS_NOTHING,
	ORDER_SAYS_DECIDED, /* the outcome stands */
	ORDER_SAYS_PERSON,  /* outcome and why are set; the tier decides */
	ORDER_SAYS_WAIT,    /* next is set: something is wanted first */
};

struct order_run {
	struct arena *a;
	const struct order_input *in;
	struct order_result *out;
	struct policy_subject subject;
	enum call_mode mode;
	unsigned marks; /* enum order_mark */
	enum order_why why;
	struct policy_hit ask; /* the written ask that stands */
	struct policy_sensitive secret;
	bool secret_exempt; /* a review agent's read inside the workspace */
	struct str said;    /* for the trace */
};

/* Sets the outcome and says DECIDED. */
enum order_says order_settle(struct order_run *r, enum call_verdict verdict,
	enum call_by by, struct str reason);
/* Sets the outcome to ask and says PERSON. */
enum order_says order_ask_person(struct order_run *r, enum order_why why,
	enum call_by by, struct str reason);

/* What the call would do that nothing allows, in our words ("connects
 * elsewhere"), and in the call's own (a host, a path; may be absent): only the
 * first may be kept in the record. */
struct str order_open_words(struct order_run *r, struct str *ret_what);
/* Replaces the ask in the outcome by what tier and why make of it. */
void order_tier_apply(struct order_run *r);
/* Reads in->judged against its risk. */
enum order_says order_judged_read(struct order_run *r);
/* Looks for a grant that covers the call. */
enum order_says order_grant_find(struct order_run *r);

#endif
