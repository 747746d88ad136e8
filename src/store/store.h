#ifndef STORE_STORE_H
#define STORE_STORE_H

/*
 * What must outlive the daemon: the audit, the cards, sessions, settings.
 * SQLite, in a folder that nobody else may read.
 *
 * Who uses what from where: the loop gathers writes in a store_batch (plain
 * memory, never blocks); a worker hands the batch to store_commit; the next
 * batch gathers meanwhile. There is one struct store (the only connection that
 * writes and checkpoints), used by one thread at a time. Readers are
 * connections of their own that never write: one thread at a time each.
 *
 * Every failure is a code of base/fail.h: FAIL_SPACE (disk full), FAIL_DENIED
 * (read only, not ours), FAIL_CORRUPT, FAIL_BUSY (another daemon has it),
 * FAIL_VERSION, FAIL_IO, FAIL_MEMORY. After a failed commit nothing of the batch
 * is stored: a denial may still go out with a journal line, an allow never.
 */

#include "base/buf.h"
#include "base/fail.h"
#include "call/call.h"
#include "call/verdict.h"

enum { STORE_DIGEST_HEX = 64 };

struct store;
struct store_reader;
struct store_batch;

/* --- opening -------------------------------------------------------------- */

/* What opening found out, for the journal and for status. */
struct store_opened {
	bool created;         /* there was no store */
	bool migrated;        /* a copy of the old one is beside it */
	bool unclean;         /* the last daemon did not close it */
	bool power_cut;       /* unsynced rows were lost with the machine */
	bool cut;             /* rows are missing that were synced: somebody cut */
	int64_t last_number;  /* of the audit */
	int64_t next_hearing; /* first free number for hearings */
	char message[256];    /* one line, empty when there is nothing to say */
};

/*
 * Opens (or makes, mode 0600) folder/assent.db for writing. The folder is made
 * with mode 0700 when it is absent; a folder or file of another owner, or one
 * that others may write, is refused with FAIL_DENIED. FAIL_BUSY while another
 * process has it open for writing. ret_opened may be NULL.
 */
MUST_USE int store_open(const char *folder, int64_t now_ms, struct store **ret,
	struct store_opened *ret_opened);
/* Writes the last head, checkpoints and closes. NULL is fine. */
void store_close(struct store *s, int64_t now_ms);

/* Opens the same store for reading; store_open must have been there first. */
MUST_USE int store_reader_open(const char *folder, struct store_reader **ret);
void store_reader_close(struct store_reader *r); /* NULL is fine */

/* --- the audit ------------------------------------------------------------ */

/* What a row is about. Numbers are stored: append only. */
#define STORE_KINDS(X)                                                         \
	X(NONE, "none")                                                            \
	X(DECISION, "decision")       /* a call's answer, before it leaves */      \
	X(UNDELIVERED, "undelivered") /* decided, not delivered */                 \
	X(WITHDRAWN, "withdrawn")     /* the agent took the call back */           \
	X(CARD, "card")               /* a card was opened, replaced or expired */ \
	X(APPROVAL, "approval")       /* a reply to a card nobody waits at */      \
	X(REFUSED, "refused")         /* somebody tried to answer who may not */   \
	X(SETTING, "setting")         /* mode, tier, rules, trust changed */       \
	X(GRANT, "grant")                                                          \
	X(QUARANTINE, "quarantine")                                                \
	X(START, "start")                                                          \
	X(STOP, "stop")                                                            \
	X(POWER_CUT, "power_cut") /* rows before this one went with the machine */ \
	X(CUT, "cut")             /* rows before this one were taken away */       \
	X(PRUNE, "prune")         /* bodies of older rows were dropped */          \
	X(OUTCOME, "outcome")     /* what came of a call elsewhere */

#define X(name, text) STORE_KIND_##name,
enum store_kind { STORE_KINDS(X) STORE_KIND_COUNT };
#undef X
const char *store_kind_name(enum store_kind value);
MUST_USE bool store_kind_from(struct str s, enum store_kind *ret);

#define STORE_DELIVERIES(X)   \
	X(UNKNOWN, "unknown")     \
	X(DELIVERED, "delivered") \
	X(UNDELIVERED, "undelivered")

#define X(name, text) STORE_DELIVERY_##name,
enum store_delivery { STORE_DELIVERIES(X) STORE_DELIVERY_COUNT };
#undef X
const char *store_delivery_name(enum store_delivery value);

/* A row of the audit. The call's text is in the first row about its hearing. */
struct store_audit {
	int64_t time_ms;
	enum store_kind kind;
	int64_t hearing; /* 0 = about no call */
	struct str session, project, agent, role;
	enum call_tool tool;
	struct str tool_name;
	struct str call; /* JSON text, redacted; absent where it cannot be */
	struct str input_digest; /* of the input's exact bytes, hex */
	bool redacted;           /* something was taken out of call */
	bool cut;                /* long texts in call are cut */
	struct str omitted;      /* why there is no call, or absent */
	struct str digest;       /* of the call as it was judged, hex */
	struct str card;         /* id of the card, absent when there was none */
	enum call_verdict verdict;
	enum call_by by;
	enum call_risk risk;
	struct str reason, rule;
	enum call_reply reply;
	struct str source;   /* user, judge, tier, mode, system; of the reply */
	struct str note;     /* verbatim */
	struct str surface;  /* where they answered: "cli", "web" */
	struct str who;      /* who answered, in words */
	struct str level;    /* how that was proven: "tty", "none", ... */
	struct str ancestry; /* of who answered: JSON text, or absent */
	int64_t duration_us; /* from the call's arrival */

	/* what a model was asked, and said; all absent when none was */
	struct str provider, model;
	struct str judged;  /* allow, deny, escalate, failure */
	struct str trouble; /* why there is no answer: "timeout", ... */
	enum call_risk judged_risk;
	struct str judged_reason; /* redacted */
	int64_t input_tokens, cached_tokens, output_tokens;
	int64_t cost_nano; /* thousand-millionths of the price table's currency */
	bool unpriced;     /* no price is known: cost_nano says nothing */
	int64_t latency_ms, attempts;
	bool shared; /* an identical question's answer: it cost nothing */

	/* set by reading, ignored by writing */
	int64_t number;
	enum store_delivery delivery;
	struct str body; /* JSON, absent when it was pruned */
	struct str body_digest, chain;
};

/* --- cards ---------------------------------------------------------------- */

/* Numbers are stored: append only. */
#define STORE_CARD_STATES(X)                                             \
	X(NONE, "none")                                                      \
	X(OPEN, "open")         /* waits for a person */                     \
	X(APPROVED, "approved") /* waits for the identical call, once */     \
	X(ANSWERED, "answered") /* decided; not known whether it was sent */ \
	X(SENT, "sent")                                                      \
	X(REJECTED, "rejected")   /* by a person, with no agent waiting */   \
	X(SPENT, "spent")         /* an approval that was used, or lost */   \
	X(WITHDRAWN, "withdrawn") /* the agent took the call back */         \
	X(EXPIRED, "expired")     /* nobody answered in time */              \
	X(REPLACED, "replaced")   /* the world changed: a newer card stands */

#define X(name, text) STORE_CARD_##name,
enum store_card_state { STORE_CARD_STATES(X) STORE_CARD_STATE_COUNT };
#undef X
const char *store_card_state_name(enum store_card_state value);

/* A held call as a row. What shows the call (title, text, description, input
 * needs) is dropped when the card ends. */
struct store_card {
	int64_t number;
	enum store_card_state state;
	struct str key;         /* the client's hearing key */
	struct str digest;      /* of all that was judged, hex */
	struct str call_digest; /* of the call alone */
	struct str session, agent, role, call_id, turn;
	enum call_tool tool;
	struct str tool_name, title, text, description, cwd, reason, rule;
	struct str needs; /* what the client looked at: JSON text */
	enum call_by by;
	enum call_risk risk;
	bool person_only;
	bool always;                   /* "always" is offered */
	bool lasting;                  /* stays open when the agent cannot wait */
	enum call_verdict at_deadline; /* ASK: the agent's own prompt; else DENY */
	int64_t created_ms, deadline_ms, expires_ms;
	/* the first hearing of those that the agent wanted at the same time */
	int64_t round;

	/* the end */
	int64_t ended_ms;
	enum call_verdict verdict;
	enum call_reply reply;
	struct str source, note, who;
	int64_t replaced_by;

	/* for the user's rules and the turn's history: what it was about */
	struct str resources; /* JSON text: a list, redacted; or absent */
	struct str subject;   /* the begin of its line in a history, or absent */
};

/* --- sessions, settings, notes, grants ------------------------------------ */

struct store_session {
	struct str id, parent, agent, role, root;
	struct str turn;
	struct str mode, tier;           /* as set for it, or absent */
	int64_t refused_in_row, refused; /* by the judge: the budget */
	int64_t cost_nano;               /* of the judge, as its answers say */
	int64_t first_ms, last_ms;
};

#define STORE_SCOPES(X)   \
	X(GLOBAL, "global")   \
	X(PROJECT, "project") \
	X(SESSION, "session") \
	X(TURN, "turn") /* of a session: until the user's next message */
#define X(name, text) STORE_SCOPE_##name,
enum store_scope { STORE_SCOPES(X) STORE_SCOPE_COUNT };
#undef X

const char *store_scope_name(enum store_scope value);
MUST_USE bool store_scope_from(struct str s, enum store_scope *ret);

struct store_setting {
	enum store_scope scope;
	struct str key;         /* project root or session; empty for global */
	struct str name, value; /* an absent value removes it */
};

/* A person's note that waits for the session's next result. */
struct store_note {
	int64_t number; /* set by reading */
	struct str session;
	struct str call_id; /* absent: any result of the session */
	int64_t hearing;
	int64_t time_ms;
	struct str text;
};

struct store_grant {
	int64_t number; /* set by reading */
	struct str project, action, resource;
	bool exact;
	int64_t hearing, time_ms;
};

/* A person's reply, kept apart from the audit for the user's rules. */
struct store_reply {
	int64_t rowid; /* set by reading: the later of two is the higher */
	int64_t hearing, time_ms;
	struct str session, project, action, resources;
	enum call_reply reply;
	struct str note;
};

/* What a model is told in a session's turn, so that a restart changes no byte. */
struct store_turn {
	struct str session;
	struct str turn; /* its name, as the agent says it; may be empty */
	struct str said; /* digest of the user's newest message, or empty */
	struct str head; /* all before the history; absent: no model was asked */
	int64_t time_ms;
};

struct store_line {
	struct str session;
	int64_t entry; /* from 1 */
	struct str line;
};

struct store_quarantined {
	struct str digest;
	int64_t count, time_ms;
};

/* --- writing -------------------------------------------------------------- */

/*
 * A batch copies what it is given. Running out of memory is remembered and
 * returned by store_commit: adding needs no check.
 */
struct store_batch *store_batch_new(void) MUST_USE;    /* never NULL */
void store_batch_free(struct store_batch *b);          /* NULL is fine */
size_t store_batch_count(const struct store_batch *b); /* writes in it */
/* This batch must be on the disk before anybody is told. */
void store_batch_set_synced(struct store_batch *b);
bool store_batch_is_synced(const struct store_batch *b);

void store_batch_add_audit(struct store_batch *b, const struct store_audit *r);
/* The decision row of a hearing was, or was not, handed to the agent. */
void store_batch_add_delivery(
	struct store_batch *b, int64_t hearing, enum store_delivery d);
/* A new card, whole. */
void store_batch_add_card(struct store_batch *b, const struct store_card *c);
/* Moves a card: state, and for an end ended_ms, verdict, reply, source, note,
 * who, replaced_by. Ends drop what shows the call. */
void store_batch_set_card(struct store_batch *b, const struct store_card *c);
/* The end alone, where an earlier set_card was not stored. */
void store_batch_end_card(struct store_batch *b, int64_t card,
	enum store_card_state state, int64_t ended_ms);
/* The client's key of an open card changes: the identical call came again. */
void store_batch_set_card_key(
	struct store_batch *b, int64_t card, struct str key, int64_t deadline_ms);
void store_batch_set_session(
	struct store_batch *b, const struct store_session *s);
void store_batch_set_setting(
	struct store_batch *b, const struct store_setting *s);
void store_batch_add_note(struct store_batch *b, const struct store_note *n);
/* The notes of the session that call_id may take were handed over. */
void store_batch_drop_notes(
	struct store_batch *b, struct str session, struct str call_id);
/* The note of this hearing has nobody to go to. */
void store_batch_drop_note(struct store_batch *b, int64_t hearing);
void store_batch_add_grant(struct store_batch *b, const struct store_grant *g);
void store_batch_drop_grant(struct store_batch *b, int64_t grant);
void store_batch_add_reply(struct store_batch *b, const struct store_reply *r);
/* In the place of the session's turn as it was stored. */
void store_batch_set_turn(struct store_batch *b, const struct store_turn *t);
void store_batch_add_line(struct store_batch *b, const struct store_line *l);
/* Lines up to entry are not shown any more. */
void store_batch_drop_lines(
	struct store_batch *b, struct str session, int64_t entry);
/* The turn and its lines. */
void store_batch_drop_turn(struct store_batch *b, struct str session);
/* Turns that nobody came back to. */
void store_batch_drop_turns_before(struct store_batch *b, int64_t time_ms);
/* Counts one more; a count of 0 lifts it. */
void store_batch_set_quarantine(
	struct store_batch *b, const struct store_quarantined *q);

/*
 * All of the batch in one transaction, or nothing of it. 0: it is in the log
 * (and, for a synced batch, on the disk). The batch is used up either way, and
 * still the caller's to free.
 */
MUST_USE int store_commit(struct store *s, struct store_batch *b);
/* What earlier commits wrote is on the disk when this returns 0. The daemon
 * calls it within a second of an unsynced commit, from the worker. */
MUST_USE int store_sync(struct store *s);
/* True when store_sync has something to do. */
bool store_has_unsynced(const struct store *s);
/* Moves the log into the database, as far as readers permit. The worker calls
 * it when idle; store_commit does it by itself when the log is long. */
MUST_USE int store_checkpoint(struct store *s);

/*
 * Drops the bodies of audit rows that are older than before_ms, and cards that
 * ended before it: at most rows_max rows, the oldest first. The chain still
 * proves them, and a row says what was dropped. *ret_more: there are more.
 */
MUST_USE int store_prune(struct store *s, int64_t before_ms, int64_t rows_max,
	int64_t now_ms, bool *ret_more);

/*
 * Syncs, then appends the newest number and chain to folder/heads, with why:
 * "hourly", "stop", "reply". The daemon also sends the line to its journal.
 */
MUST_USE int store_write_head(struct store *s, int64_t now_ms, const char *why);
/* Appends the same line to another file, which may be somebody else's; after
 * store_write_head. */
MUST_USE int store_copy_head(
	const struct store *s, const char *path, int64_t now_ms, const char *why);
/* "number:chain" of the newest row, for showing. */
struct str store_head(const struct store *s, struct arena *a);

/* --- reading -------------------------------------------------------------- */

struct store_filter {
	int64_t after;      /* rows with a higher number */
	int64_t number;     /* exactly this row; 0 = any */
	int64_t hearing;    /* 0 = any */
	int64_t limit;      /* 0 = all */
	struct str session; /* absent = any */
	struct str project;
	struct str tool;            /* its name, or its kind ("shell") */
	enum call_verdict verdict;  /* NONE = any */
	enum call_by by;            /* NONE = any */
	enum store_kind kind;       /* NONE = any */
	int64_t since_ms, until_ms; /* 0 = any */
	bool newest; /* the last `limit` rows that match, still oldest first */
};

/* Called for each row, oldest first; texts live until it returns. False ends
 * the reading (which is then no failure). */
typedef bool (*store_audit_fn)(void *data, const struct store_audit *row);

MUST_USE int store_read_audit(struct store_reader *r,
	const struct store_filter *f, store_audit_fn fn, void *data);
/* The row as JSON, one line without a line feed: list, show and export. */
void store_audit_print(struct buf *b, const struct store_audit *row);

enum store_proof { STORE_CONSISTENT, STORE_BROKEN, STORE_POWER_CUT_TAIL };
const char *store_proof_name(enum store_proof p); /* "consistent", ... */

struct store_verified {
	enum store_proof proof;
	int64_t rows;
	int64_t at; /* the first row that does not fit, or 0 */
	char head[24 + STORE_DIGEST_HEX]; /* "number:chain" of the last row */
	bool since_head;   /* the head that was given is in the chain */
	char message[256]; /* for people, one line */
};
/* Walks the whole chain. head: "number:chain" as store_head prints it, or
 * absent. A failure to read is a failure, not a proof. */
MUST_USE int store_verify(
	struct store_reader *r, struct str head, struct store_verified *ret);

/* Everything below is in a. */
MUST_USE int store_read_card(struct store_reader *r, struct arena *a,
	int64_t number, struct store_card *ret); /* FAIL_ABSENT */
/* Cards that are OPEN, APPROVED or ANSWERED, oldest first. */
MUST_USE int store_read_cards(struct store_reader *r, struct arena *a,
	struct store_card **ret, size_t *ret_count);
MUST_USE int store_read_session(struct store_reader *r, struct arena *a,
	struct str id, struct store_session *ret); /* FAIL_ABSENT */
/* What the judge cost since then, by the audit. */
MUST_USE int store_read_cost(
	struct store_reader *r, int64_t since_ms, int64_t *ret_nano);
MUST_USE int store_read_settings(struct store_reader *r, struct arena *a,
	struct store_setting **ret, size_t *ret_count);
MUST_USE int store_read_notes(struct store_reader *r, struct arena *a,
	struct store_note **ret, size_t *ret_count);
/* Of the project, and of no project; project absent: all. */
MUST_USE int store_read_grants(struct store_reader *r, struct arena *a,
	struct str project, struct store_grant **ret, size_t *ret_count);
/* Replies of the session, newest first, as many as can matter. */
MUST_USE int store_read_replies(struct store_reader *r, struct arena *a,
	struct str session, struct store_reply **ret, size_t *ret_count);
MUST_USE int store_read_turn(struct store_reader *r, struct arena *a,
	struct str session, struct store_turn *ret); /* FAIL_ABSENT */
MUST_USE int store_read_lines(struct store_reader *r, struct arena *a,
	struct str session, struct store_line **ret, size_t *ret_count);
MUST_USE int store_read_quarantine(struct store_reader *r, struct arena *a,
	struct store_quarantined **ret, size_t *ret_count);

#endif
