#ifndef DECIDE_DECIDE_H
#define DECIDE_DECIDE_H

/*
 * The hearing: one call under judgment, from its arrival to its reply. This is
 * a state machine around order; only the loop moves it, nothing here blocks,
 * and the clock is an argument.
 *
 * How the daemon uses it, all on the loop's thread:
 *
 *	decide_post, decide_reply, decide_gone, decide_tick ...   something happened
 *	while (decide_next(d, a, &act)) ...                       what is to be done
 *	batch = decide_take_batch(d)      hand it to a worker: store_commit
 *	decide_committed(d, batch, result, now)                   and so on
 *
 * A handle is the daemon's own number for an open request (never 0, never used
 * again). Every handle that was given gets exactly one act that ends it: SEND,
 * NEED, REPLIED or DROP; unless decide_gone said that it closed by itself. An
 * act for a handle that is closed is ignored (a SEND: decide_sent says so).
 */

#include "call/verdict.h"
#include "judge/judge.h"
#include "order/order.h"
#include "store/store.h"

struct decide;

enum {
	DECIDE_REATTACH_MS = 10000, /* then a detached agent counts as gone */
	DECIDE_REREAD_MS = 5000,    /* for the client to look again */
	DECIDE_PAIR_MS = 60000,     /* a second hook of the same call */
	DECIDE_EXPIRES_MS = 600000, /* a card that outlives its agent's patience */
	DECIDE_ROUNDS_MAX = 2,      /* looks at the world while judging */
	DECIDE_EVIDENCE_ROUNDS = 2, /* ...and then, at what the judge is shown */
	DECIDE_CARDS_MAX = 12000,   /* open at a time, in all */
	DECIDE_CARDS_SESSION_MAX = 1000,
	DECIDE_CARDS_BYTES_MAX = 64 << 20, /* of calls on open cards, in all */
	DECIDE_CARDS_SESSION_BYTES_MAX = 24 << 20,
	DECIDE_JUDGED_MAX = 2000, /* calls that a model is asked about, in all */
	DECIDE_JUDGED_SESSION_MAX = 500,
	DECIDE_JUDGED_BYTES_MAX = 256 << 20, /* of what is kept of them */
};

/*
 * Loads what is open from the store. Cards that an agent waited for are
 * detached: their agents have DECIDE_REATTACH_MS to come back. r is borrowed
 * (for cards that ended long ago) and used on this thread only. opened: what
 * store_open found.
 */
MUST_USE int decide_new(struct store_reader *r,
	const struct store_opened *opened, int64_t now_ms, struct decide **ret);
void decide_free(struct decide *d); /* NULL is fine */

/* --- a call arrives ------------------------------------------------------- */

struct decide_post {
	uint64_t handle;
	struct str key; /* the client's hearing key: the same when it comes back */
	const struct call *call; /* NULL: the bytes could not be read */
	struct call_world world; /* rounds_used_up is set by decide */
	struct policy *policy;   /* a call that is judged keeps a reference */
	/* mode and tier as the rules files set them (UNSET: not); decide puts what
	 * people set for session, project and all over it, and the budget */
	struct order_settings settings;
	struct str project; /* the canonical root; absent = none */

	/*
	 * Instead of the order, when the daemon already knows (bytes that cannot be
	 * read, quarantined, over a quota): never ALLOW. NULL: run the order.
	 */
	const struct call_outcome *ready;

	int64_t deadline_ms; /* when the agent must have its answer */
	int64_t expires_ms;  /* a lasting card's end; 0 = after DECIDE_EXPIRES_MS */
	/* The agent's own prompt is shown and honoured when we say "ask". */
	bool own_prompt;
	/* The agent cannot be held until a person may come: at the deadline it is
	 * told to try again, and the card stays. */
	bool lasting;
	bool can_hold; /* false: nobody may wait here; a card answers at once */
	/* Nobody can look at the machine for it: what is not known stays so. */
	bool blind;
	/* The agent's own card is the only place to answer: "ask" is sent at once,
	 * and ours only shows the call until decide_outcome. */
	bool elsewhere;
	bool second; /* a hook that may repeat an earlier one's call, without its
					* id (APPROVAL): answered from the first if there was one */
	/* The answer of this event can carry the note (else it is queued for the
	 * session's next result). */
	bool note_here;
	const char *agent; /* for rows about calls that could not be read */

	/*
	 * What the judge is told besides the call: the conversation as it is known,
	 * oldest first; the file that would say more of it, for the client to read
	 * (absent: there is none, or the agent's may not be read); what an MCP
	 * server claims of its tool. Borrowed.
	 */
	const struct judge_message *messages;
	size_t message_count;
	struct str transcript;
	struct str mcp_description, mcp_annotations;
	struct str task;      /* what a subagent was started for, or absent */
	struct str run_model; /* what the run itself uses, or absent */
	/* the user's instructions to the client, behind those of the rules files */
	const struct str *allows, *blocks;
	size_t allow_count, block_count;
	int64_t spent_us; /* on this request before it came here */
};

/*
 * A call, or a client that comes back: known by its key. Runs the order in a,
 * whose boundary it sets (past it the call is refused as too large to judge).
 * Nothing is sent before decide_next.
 */
void decide_post(struct decide *d, struct arena *a, const struct decide_post *p,
	int64_t now_ms);

/* The order alone, with the settings that decide_post would use: explain
 * --live. Changes nothing. */
void decide_explain(struct decide *d, struct arena *a,
	const struct decide_post *p, int64_t now_ms, struct order_result *ret);

/* The connection of this handle closed. A call that was waiting is withdrawn. */
void decide_gone(struct decide *d, uint64_t handle, int64_t now_ms);

/* Everything of the session that waits is withdrawn (it ended). */
void decide_session_end(struct decide *d, struct str session, int64_t now_ms);
/* A message of the user: a new turn. The budget is as it was. */
void decide_turn(
	struct decide *d, struct str session, struct str turn, int64_t now_ms);
/* Known to the session's mode and budget: a subagent takes the stricter. */
void decide_session_parent(struct decide *d, struct str session,
	struct str parent, struct str root, int64_t now_ms);

/*
 * The call of this id was made (or failed): the person's words that wait for
 * it, joined with line feeds, in a; absent when there are none. They are handed
 * over once. The adapter says whose words they are.
 */
struct str decide_result(struct decide *d, struct arena *a, struct str session,
	struct str call_id, int64_t now_ms);

/* The call was made, and failed: of p its call, world, policy and project. */
void decide_failed(
	struct decide *d, const struct decide_post *p, int64_t now_ms);

/*
 * What came of a call that the agent's own card showed: "ran", "rejected",
 * "failed", "aborted"; or that it was not reviewed at all, with the tool's name.
 * reason: the client's words.
 */
struct decide_outcome {
	struct str session, call_id, outcome, reason, tool_name;
	const char *agent;
};
void decide_outcome(
	struct decide *d, const struct decide_outcome *o, int64_t now_ms);

/* --- a person answers ----------------------------------------------------- */

/* Who asked for it, as the daemon proved it. */
struct decide_who {
	struct str name;     /* "uid 1000 on pts/3" */
	struct str level;    /* "tty", "none" */
	struct str ancestry; /* JSON text, or absent */
	struct str surface;  /* "cli", "web"; for the row */
};

struct decide_reply {
	uint64_t handle;
	struct str id; /* "12-a1b2c3d4": what was seen */
	enum call_reply reply;
	struct str note; /* as it came; cleaned and cut here */
	struct str as;   /* always: a pattern in the place of exactly this */
	struct decide_who who;
};
void decide_reply(
	struct decide *d, const struct decide_reply *r, int64_t now_ms);

/*
 * The same reply to several cards: r->id is the anchor, ids are those that were
 * shown, the anchor among them. They are of the anchor's session and round and
 * not older; else nothing is answered. What is over already, or only one at a
 * time may be answered, is left out and named. All the others are written in one
 * transaction, or none. The REPLIED names each (told).
 */
void decide_reply_together(struct decide *d, const struct decide_reply *r,
	const struct str *ids, size_t count, int64_t now_ms);

/* Grants: all that hold, one after the other; false behind the last. */
MUST_USE bool decide_grant_get(
	const struct decide *d, size_t i, struct store_grant *ret);
/* What is proposed to grant for always on this card, or absent. */
struct str decide_grant_pattern(const struct decide *d, int64_t number);
/* People are not shown "always" on this card: a model judges (mode ai_auto). */
bool decide_card_hides_always(const struct decide *d, int64_t number);
/* What always covers on this card, where its text shows more than that. */
struct str decide_grant_resource(const struct decide *d, int64_t number);
/* Takes one back; number 0: all of the project. REPLIED: ABSENT without one. */
void decide_grant_remove(struct decide *d, int64_t number, struct str project,
	const struct decide_who *who, uint64_t handle, int64_t now_ms);

/* An audit row of the daemon's own (refused authority, settings, start, stop),
 * in the next batch, synced. time_ms is set here. handle: 0, or gets a REPLIED
 * when it is committed. */
void decide_record(
	struct decide *d, struct store_audit *row, uint64_t handle, int64_t now_ms);
/* A mode or tier for all, a project, a session or its turn; an absent value
 * removes it. It holds from its record on. REPLIED: BAD_VALUE for names and
 * values that are not known. */
void decide_set(struct decide *d, const struct store_setting *given,
	const struct decide_who *who, uint64_t handle, int64_t now_ms);

/* --- a model answers -------------------------------------------------------- */

/* What came of a question (DECIDE_ACT_JUDGE): the answer, and what it cost. */
struct decide_judged {
	struct judge_verdict verdict; /* FAILURE: there is none */
	const char *trouble;          /* by its name ("timeout"); NULL: none */
	struct str reason;            /* for the card, when there is no verdict */
	struct str provider, model;
	int64_t input_tokens, cached_tokens, output_tokens;
	int64_t cost_nano; /* -1: no price is known */
	int64_t latency_ms;
	int attempts;
	bool shared; /* another call's identical question was answered */
};

/* number: of the act. Ignored when nobody waits for it any more. */
void decide_judged(struct decide *d, int64_t number,
	const struct decide_judged *judged, int64_t now_ms);

/* --- time and writing ----------------------------------------------------- */

/* Moves what is due. Returns when it wants to be called next, INT64_MAX for
 * "not before something happens". */
int64_t decide_tick(struct decide *d, int64_t now_ms);

/* What is to be written, or NULL: nothing, or a batch is still out. */
struct store_batch *decide_take_batch(struct decide *d);
/* result: of store_commit, or any failure before it. Frees b. */
void decide_committed(
	struct decide *d, struct store_batch *b, int result, int64_t now_ms);
/* Things of the daemon's own that may go with the next batch (quarantine). */
struct store_batch *decide_batch(struct decide *d);

/* No new calls; connections that wait are dropped (their clients come back to
 * the next daemon with their keys), cards stay. Then commit what
 * decide_take_batch gives, send, and stop. */
void decide_stop(struct decide *d, int64_t now_ms);

/* --- what is to be done --------------------------------------------------- */

enum decide_act_kind {
	DECIDE_ACT_NONE,
	DECIDE_ACT_SEND, /* answer the hook: encode answer, send, say decide_sent */
	DECIDE_ACT_NEED, /* answer the hook with needs: look, and post again */
	DECIDE_ACT_REPLIED, /* answer the person's request */
	DECIDE_ACT_DROP,    /* close the handle without an answer */
	DECIDE_ACT_CARD,    /* an open card changed: tell whoever watches */
	DECIDE_ACT_CHANGED, /* setting (named), or else the grants */
	DECIDE_ACT_JOURNAL, /* text is a line for the journal */
	DECIDE_ACT_JUDGE,   /* ask a model; decide_judged takes its answer */
	DECIDE_ACT_UNJUDGE, /* nobody waits for the answer any more */
};

/* What became of an open card. */
#define DECIDE_CARD_EVENTS(X)                                                  \
	X(ASKED, "asked")                                                          \
	X(REPLIED, "replied")     /* by a person */                                \
	X(CANCELLED, "cancelled") /* the agent took it back, or it was replaced */ \
	X(EXPIRED, "expired")     /* nobody answered in time */                    \
	X(CHANGED, "changed")     /* an agent waits there again, or not now */

#define X(name, text) DECIDE_CARD_##name,
enum decide_card_event { DECIDE_CARD_EVENTS(X) DECIDE_CARD_EVENT_COUNT };
#undef X
const char *decide_card_event_name(enum decide_card_event e);

/* What came of a person's request. */
#define DECIDE_REPLIES(X)                                                     \
	X(DONE, "done")                                                           \
	X(ABSENT, "no_such_card")      /* no number, or another digest */         \
	X(ALREADY, "already_answered") /* card says by whom and when */           \
	X(WITHDRAWN, "withdrawn")                                                 \
	X(EXPIRED, "expired")                                                     \
	X(CHANGED, "changed")         /* judged again: replaced_by, or refused */ \
	X(NOT_OFFERED, "not_offered") /* always, where only once is offered */    \
	X(UNFIT, "unfit_pattern") /* always, as what does not cover the call */   \
	X(NOT_RECORDED, "not_recorded") /* the store failed; the card is open */  \
	X(BAD_VALUE, "bad_value")

#define X(name, text) DECIDE_##name,
enum decide_replied { DECIDE_REPLIES(X) DECIDE_REPLIED_COUNT };
#undef X
const char *decide_replied_name(enum decide_replied r);

struct decide_answer {
	enum call_verdict verdict; /* never NONE; ASK: the agent's own prompt */
	enum call_by by;
	struct str reason; /* for the agent and the person */
	struct str note;   /* the person's words, cleaned, or absent */
	bool from_person;  /* else nothing of it may be worded as the user's */
	bool unrecorded;   /* a denial that could not be recorded */
};

/* A question to a model. */
struct decide_ask {
	struct str session; /* for fairness */
	struct str system, user;
	size_t prefix; /* of user: the turn's later questions begin with it, too */
	struct str model;     /* as the project's rules name it, or absent */
	struct str second;    /* likewise: the second's */
	struct str run_model; /* what the run itself uses, or absent */
	int64_t left_ms;      /* for everything */
};

/* What came of one card of several. */
struct decide_told {
	struct str id, text;
	enum decide_replied what;
	int64_t replaced_by; /* CHANGED: the newer card, or 0 */
};

struct decide_act {
	enum decide_act_kind kind;
	uint64_t handle;
	int64_t number; /* of the hearing, 0 = none */

	struct decide_answer answer;   /* SEND */
	const struct call_need *needs; /* NEED: all that this hearing wants */
	size_t need_count;

	struct decide_ask ask; /* JUDGE */

	enum decide_replied replied;  /* REPLIED */
	enum decide_card_event event; /* CARD */
	struct store_card card; /* CARD, REPLIED: as it is now, if there is one */
	struct store_setting setting;   /* CHANGED */
	struct str text;                /* JOURNAL, and a sentence for REPLIED */
	const struct decide_told *told; /* ...to several */
	size_t told_count;
};

/* The next thing to do, with its texts in a; false when there is none. */
MUST_USE bool decide_next(
	struct decide *d, struct arena *a, struct decide_act *ret);
/* A SEND was handed to the agent (ok), or its connection was gone. */
void decide_sent(struct decide *d, int64_t number, bool ok, int64_t now_ms);

/* --- looking -------------------------------------------------------------- */

/* The id of a card: "<number>-<first 8 of the digest>". */
struct str decide_card_id(struct arena *a, int64_t number, struct str digest);
MUST_USE bool decide_card_id_from(
	struct str id, int64_t *ret_number, struct str *ret_digest8);

struct decide_status {
	int64_t revision;  /* changes when the open cards do */
	size_t cards;      /* open */
	size_t held;       /* with an agent waiting */
	size_t hearings;   /* all in memory */
	size_t bytes;      /* of the registry itself */
	bool recording;    /* false: the last commit failed */
	char failure[160]; /* why */
};
void decide_status(const struct decide *d, struct decide_status *ret);
/* True for a card that the agent's own shows, and people here only see. */
bool decide_is_elsewhere(const struct decide *d, int64_t number);
/* Who started the session of an open card: whoever attends that one answers.
 * Absent for a session that nobody started, or that is not known. */
struct str decide_parent(const struct decide *d, struct str session);
/* True while an agent waits at the card (it is not detached). */
bool decide_is_held(const struct decide *d, int64_t number);
/* True while people may answer the card: what the store says of it may be a
 * moment older. */
bool decide_is_open(const struct decide *d, int64_t number);
/* What people set, one after the other; false behind the last. */
MUST_USE bool decide_setting_get(
	const struct decide *d, size_t i, struct store_setting *ret);
/* The resolved mode and tier for a session, for showing. */
void decide_settings(const struct decide *d, struct str session,
	struct str project, struct order_settings *io);

#endif
