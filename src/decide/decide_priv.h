#ifndef DECIDE_DECIDE_PRIV_H
#define DECIDE_DECIDE_PRIV_H

/*
 * The hearing and the registry. A parked hearing is small: what shows the call
 * is in its card's row.
 */

#include "decide/decide.h"

/*
 * LOOKING     the client looks at the world; nothing is decided yet
 * JUDGING     a model is asked
 * OPENING     the card's row is being written
 * PENDING     a person is waited for (handle 0: detached, the agent may return)
 * REREADING   a person approved; the client looks at the world again
 * READY       ...it stands, and waits for the others that are answered with it
 * COMMITTING  the answer is being written
 * WITHDRAWING ...and the agent left: nothing is sent any more
 * SENDING     the answer is out of our hands
 * SHOWN       the agent's own card shows it; what comes of it is told later
 * OPEN        a lasting card that no agent waits at
 * SETTLING    a reply to such a card is being written
 * APPROVED    an approval waits for the identical call
 * REJECTED    ...and so does a rejection, to be told once
 * ANSWERED    a restart found it decided, and not known whether sent
 * SENT, WITHDRAWN, ENDED: gone from memory as soon as they are reached
 */
#define DECIDE_STATES(X)          \
	X(NONE, "none")               \
	X(LOOKING, "looking")         \
	X(JUDGING, "judging")         \
	X(OPENING, "opening")         \
	X(PENDING, "pending")         \
	X(REREADING, "rereading")     \
	X(READY, "ready")             \
	X(COMMITTING, "committing")   \
	X(WITHDRAWING, "withdrawing") \
	X(SENDING, "sending")         \
	X(SHOWN, "shown")             \
	X(OPEN, "open")               \
	X(SETTLING, "settling")       \
	X(APPROVED, "approved")       \
	X(REJECTED, "rejected")       \
	X(ANSWERED, "answered")       \
	X(SENT, "sent")               \
	X(WITHDRAWN, "withdrawn")     \
	X(ENDED, "ended")

#define X(name, text) DECIDE_STATE_##name,
enum decide_state { DECIDE_STATES(X) DECIDE_STATE_COUNT };
#undef X
const char *decide_state_name(enum decide_state s);

/*
 * DECIDED   by the order: pending holds the answer
 * ASKED     by the order: a card is to be made
 * WANTING   the order wants to know more of the world
 * UNSURE    the order wants a model's judgement
 * RECORDED, FAILED   the batch that the hearing waits for
 * APPROVE, REJECT    a person replied: pending holds it
 * SAME      the world was read again, and the approval stands
 * TOGETHER  ...and those of all that are answered with it
 * UNFIT     ...but what it would grant for always does not cover the call
 * CHANGED   ...and it does not: another hearing takes the agent over
 * BACK      the client is there (again), with the same call
 * GONE      its connection closed
 * LOST      it did not come back in time
 * DEADLINE  the agent must have its answer
 * EXPIRED   the card's time is over
 * OUTCOME   what came of it elsewhere: pending holds it
 * CLOSED    the session ended
 * DELIVERED, UNDELIVERED   what became of a SEND
 */
#define DECIDE_EVENTS(X)      \
	X(NONE, "none")           \
	X(DECIDED, "decided")     \
	X(ASKED, "asked")         \
	X(WANTING, "wanting")     \
	X(UNSURE, "unsure")       \
	X(RECORDED, "recorded")   \
	X(FAILED, "failed")       \
	X(APPROVE, "approve")     \
	X(REJECT, "reject")       \
	X(SAME, "same")           \
	X(TOGETHER, "together")   \
	X(CHANGED, "changed")     \
	X(UNFIT, "unfit")         \
	X(BACK, "back")           \
	X(GONE, "gone")           \
	X(LOST, "lost")           \
	X(DEADLINE, "deadline")   \
	X(EXPIRED, "expired")     \
	X(OUTCOME, "outcome")     \
	X(CLOSED, "closed")       \
	X(DELIVERED, "delivered") \
	X(UNDELIVERED, "undelivered")

#define X(name, text) DECIDE_EVENT_##name,
enum decide_event { DECIDE_EVENTS(X) DECIDE_EVENT_COUNT };
#undef X
const char *decide_event_name(enum decide_event e);

enum {
	DECIDE_KEY_HEX = 32,
	DECIDE_DIGEST_BYTES = 32,
	DECIDE_PAIRS = 1024,
	DECIDE_SESSIONS_MAX = 4096,
	DECIDE_REASON_BYTES = 2048, /* kept with a hearing */
	DECIDE_TEXT_BYTES = 512,    /* names that agents give */
	DECIDE_ACTS_BYTES = 64 << 20,
	DECIDE_TURNS_MAX = 256, /* in memory */
};

/* An answer that is about to count: a person's, or the order's. */
struct decide_pending {
	struct str reason, rule, note, source;
	struct str verbatim; /* the note as it came, for the audit */
	struct str who, level, ancestry, surface;
	struct str as;             /* always: the person's pattern, or absent */
	struct str grant, project; /* always: what is granted, once it is known */
	enum call_verdict verdict;
	enum call_by by;
	enum call_risk risk;
	enum call_reply reply; /* NONE: a machine's */
	bool unsynced;         /* need not be on the disk at once */
	bool grant_exact;
	uint64_t reply_handle; /* the person's request, 0 = nobody waits */
	int64_t at_ms;
};

/* What rows about a hearing say of its call. */
struct decide_texts {
	struct str agent, role, tool_name, call_id, reason, rule, project;
	struct str pattern; /* proposed for always, or absent */
	struct str grant;   /* what always covers, where the text is more than it */
	struct str turn;
	struct str resources; /* as in its card's row */
	struct str subject;   /* of its line in the history, or absent */
};

/* What a call that is judged needs when the answer comes; one arena. */
struct decide_judging {
	struct arena *arena;
	struct decide_post post;
	struct policy *policy; /* a reference */
	enum call_mode mode;   /* as it was when the model was asked */
	struct decide_ask ask;
	struct buf user;  /* the message, until it was handed over */
	int64_t until_ms; /* then it could not be judged */
	size_t bytes;     /* as they are counted */
};

struct decide_session {
	struct decide_session *next;
	struct store_session *row; /* one block */
	size_t cards, bytes;       /* open */
	size_t judging;            /* calls */
	size_t hearings;
	size_t attached;           /* hearings that an agent waits at */
	int64_t round;             /* of the newest hearing */
	bool round_is_over;        /* a new turn began */
	enum call_mode round_mode; /* its calls are under no freer one */
	enum call_mode turn_mode;  /* of the turn that was broken off, or UNSET */
	int64_t used_ms;
	struct decide_turn *turn; /* what a model is told, if it is in memory */
	bool turn_is_new;         /* ...and what the store has of it is old */
	uint64_t turn_before;     /* hash of the last one's name, 0 = none */
};

enum decide_index {
	DECIDE_BY_NUMBER,
	DECIDE_BY_KEY,
	DECIDE_BY_HANDLE,
	DECIDE_BY_DIGEST,
	DECIDE_INDEXES
};

struct decide_hearing {
	struct decide_hearing *next[DECIDE_INDEXES];
	uint64_t hash[DECIDE_INDEXES];
	bool indexed[DECIDE_INDEXES];

	enum decide_state state;
	int64_t number;
	uint64_t handle; /* 0 = no agent attached */
	char key[DECIDE_KEY_HEX + 1];
	unsigned char digest[DECIDE_DIGEST_BYTES];
	unsigned char call_digest[DECIDE_DIGEST_BYTES];
	int64_t created_ms, deadline_ms, expires_ms;
	int64_t lost_ms; /* detached: when it counts as gone */
	int64_t round;   /* number of the first hearing of its round */
	int64_t due_ms;
	size_t due_at;   /* place in the heap, from 1; 0 = not in it */
	uint64_t awaits; /* the batch that it waits for, 0 = none */
	int64_t spent_us;
	uint32_t bytes; /* of the call on the card */
	enum call_tool tool;
	enum call_by by;
	enum call_risk risk;
	enum call_verdict at_deadline;
	bool hides_always;    /* people are not shown it: a model judges here */
	unsigned char rounds; /* looks at the world so far */
	bool has_card, person_only, always, lasting, note_here;
	bool elsewhere; /* answered in the agent's own card */
	bool pairs;     /* its answer is kept for a second hook */
	bool spending;  /* an earlier answer is being used for this call */
	bool plain;     /* its words may stand in reasons that are recorded */
	bool counted;   /* among the session's open cards */
	struct decide_session *session;
	struct decide_texts *texts;     /* one block; never NULL */
	struct decide_pending *pending; /* one block, or NULL */
	struct decide_judging *judging; /* JUDGING, else NULL */
	struct decide_judged *judged;   /* until its row is written; one block */
	struct decide_group *group;     /* answered together with others, or NULL */
};

struct decide_map {
	struct decide_hearing **buckets;
	size_t size, count;
};

/* Somebody who waits for a batch and is no hearing. */
struct decide_waiter {
	struct decide_waiter *next;
	uint64_t batch, handle;
	bool hook; /* SEND whatever comes of it; else REPLIED */
	struct decide_pending *answer;
	struct store_setting *setting; /* holds once it is recorded; one block */
};

/* How a card ended. Nobody waits for that row, so if its batch fails it goes
 * with a later one: a card that is over must not be shown as open. */
struct decide_ending {
	struct decide_ending *next;
	int64_t number, ended_ms;
	enum store_card_state state;
	uint64_t batch; /* 0: to be written again */
};

/* What an earlier hook of the same call was told. The table is small and a
 * place may be taken over: then the second hook is judged by itself. */
struct decide_pair {
	unsigned char digest[DECIDE_DIGEST_BYTES];
	int64_t number, until_ms;
	enum call_verdict verdict; /* NONE: free */
	enum call_by by;
};

struct decide_act_node {
	struct decide_act_node *next;
	struct decide_act act;
};

struct decide_note {
	struct decide_note *next;
	int64_t hearing;
	struct str session, call_id, text;
};

struct decide {
	struct store_reader *reader;
	int64_t next_number;
	uint64_t batch; /* number of the one that gathers */
	uint64_t out;   /* of the one that is being committed, 0 = none */
	struct store_batch *gathering;
	int64_t *awaiting; /* hearings that wait for the gathering batch */
	size_t awaiting_count, awaiting_room;
	int64_t *out_awaiting;
	size_t out_count;
	struct decide_waiter *waiters;
	struct decide_group *groups;
	struct decide_ending *endings;

	struct decide_map maps[DECIDE_INDEXES];
	struct decide_hearing **heap;
	size_t heap_count, heap_room;
	struct decide_session *sessions;
	size_t session_count, turn_count;
	int64_t cost_day, cost_nano; /* of the judge, on that day */
	struct store_setting *settings;
	size_t setting_count;
	struct arena *settings_arena;
	struct decide_note *notes;
	struct store_grant *grants; /* as the store said last */
	size_t grant_count;
	struct arena *grants_arena;
	bool grants_gather, grants_out; /* the batch changes them */
	struct decide_pair pairs[DECIDE_PAIRS];

	struct arena *acts_arena;
	struct decide_act_node *acts, **acts_end;

	/* of the post that is being heard, for the machine's rows */
	struct decide_hearing *successor;
	const struct store_card *new_card;
	const struct call_need *needs;
	size_t need_count;
	struct decide_judging *new_judging;
	const struct decide_kept *kept; /* for the first row about the call */

	size_t cards, card_bytes;
	size_t judging, judging_bytes;
	int64_t revision;
	bool stopping, failing;
	bool mode_was_set; /* by a person, since the start */
	char failure[160];
};

/* --- what the judge is shown (evidence.c) --------------------------------- */

/*
 * What has to be looked at before the call goes to a person, or (judging) to
 * the model: the texts of the files that it would run, as the digest covers
 * them, and the conversation's file. Only what has no answer yet; in a.
 */
size_t decide_evidence_needs(struct arena *a, const struct decide_post *p,
	const struct call_facts *f, bool judging, struct call_need **ret);
/* Fills the question: the call, its facts, the files of the workspace that it
 * would run, the agent's latest words and the server's claims, each as the
 * settings let it be shown. In a. */
void decide_evidence_question(struct arena *a, const struct decide_post *p,
	const struct call_facts *f, struct judge_question *ret);
/* Adds the conversation and the `instruct` lines to a turn's context. In a. */
void decide_evidence_context(
	struct arena *a, const struct decide_post *p, struct judge_context *io);

/* --- maps and the heap (map.c) -------------------------------------------- */

void decide_map_init(struct decide_map *m);
void decide_map_done(struct decide_map *m);
void decide_map_add(struct decide *d, struct decide_hearing *h,
	enum decide_index which, uint64_t hash);
void decide_map_remove(
	struct decide *d, struct decide_hearing *h, enum decide_index which);
/* The first with this hash, then the next; NULL at the end. */
struct decide_hearing *decide_map_find(
	const struct decide *d, enum decide_index which, uint64_t hash);
struct decide_hearing *decide_map_next(
	const struct decide_hearing *h, enum decide_index which);
uint64_t decide_hash(struct str s);
uint64_t decide_hash_number(uint64_t n);

/* Sets when h is due (INT64_MAX: not). */
void decide_heap_set(
	struct decide *d, struct decide_hearing *h, int64_t due_ms);

/* --- hearings (hearing.c) ------------------------------------------------- */

/* A block that holds *from and copies of the texts at these offsets. */
void *decide_copy(
	const void *from, size_t size, const size_t *offsets, size_t count);
struct decide_pending *decide_pending_copy(const struct decide_pending *from);
struct decide_texts *decide_texts_copy(const struct decide_texts *from);

struct decide_hearing *decide_hearing_new(struct decide *d, int64_t number,
	struct decide_session *session, const struct decide_texts *texts) MUST_USE;
void decide_hearing_set_texts(
	struct decide_hearing *h, const struct decide_texts *t);
/* Takes it out of everything. */
void decide_hearing_free(struct decide *d, struct decide_hearing *h);
void decide_hearing_set_key(
	struct decide *d, struct decide_hearing *h, struct str key);
void decide_hearing_set_handle(
	struct decide *d, struct decide_hearing *h, uint64_t handle);
void decide_hearing_set_pending(
	struct decide_hearing *h, const struct decide_pending *p);
struct decide_hearing *decide_hearing_by_key(
	const struct decide *d, struct str key);
struct decide_hearing *decide_hearing_by_number(
	const struct decide *d, int64_t number);
struct decide_hearing *decide_hearing_by_handle(
	const struct decide *d, uint64_t handle);

/* --- the machine (machine.c) ---------------------------------------------- */

/* The only thing that moves a hearing. An event without a row for the state is
 * ignored. h is gone when a final state is returned. */
enum decide_state decide_step(struct decide *d, struct decide_hearing *h,
	enum decide_event event, int64_t now_ms);
/* A hearing as the store kept it begins in this state. */
void decide_machine_load(
	struct decide *d, struct decide_hearing *h, enum decide_state state);
/* An agent may be attached, and nothing is decided. */
bool decide_state_is_waiting(enum decide_state state);
/* True if there is a row. */
bool decide_accepts(enum decide_state state, enum decide_event event);

/* --- what is kept of a call (kept.c) --------------------------------------- */

struct decide_kept {
	struct buf call; /* JSON text, redacted; empty where there is none */
	char input_digest[STORE_DIGEST_HEX + 1];
	struct str omitted; /* why there is none, or absent */
	bool redacted, cut;
	bool plain; /* it holds no secret that is recognised */
};
/* c may be NULL: nothing is kept. */
void decide_kept_of(const struct call *c, struct decide_kept *ret);
void decide_kept_done(struct decide_kept *k);
void decide_kept_fill(const struct decide_kept *k, struct store_audit *row);

/* --- rows (rows.c) -------------------------------------------------------- */

/* A row about h, in the gathering batch. p may be NULL. */
void decide_rows_audit(struct decide *d, struct decide_hearing *h,
	enum store_kind kind, const struct decide_pending *p, int64_t now_ms);
/* The card's row moves; a successor is named in it. */
void decide_rows_card(struct decide *d, const struct decide_hearing *h,
	enum store_card_state state, const struct decide_pending *p,
	int64_t now_ms);
/* h waits for the gathering batch. */
void decide_rows_await(struct decide *d, struct decide_hearing *h);
struct store_batch *decide_rows_batch(struct decide *d);
void decide_rows_wait(struct decide *d, const struct decide_waiter *w);
/* The handle closed: whoever waited with it gets nothing. */
void decide_rows_forget(struct decide *d, uint64_t handle);
void decide_rows_free(struct decide *d);

/* --- acts (acts.c) -------------------------------------------------------- */

/* How a SEND is to be told. */
enum {
	DECIDE_SEND_NOTE = 1 << 0,       /* an approval's note goes with it */
	DECIDE_SEND_UNRECORDED = 1 << 1, /* a denial without a row */
};
void decide_acts_send(struct decide *d, uint64_t handle, int64_t number,
	const struct decide_pending *p, unsigned flags);
void decide_acts_need(struct decide *d, uint64_t handle, int64_t number,
	const struct call_need *needs, size_t count);
void decide_acts_drop(struct decide *d, uint64_t handle, int64_t number);
/* card may be NULL; of it, the texts are copied. */
void decide_acts_replied(struct decide *d, uint64_t handle,
	enum decide_replied what, const struct store_card *card, struct str text);
/* ...to several: DONE when at least one was answered. */
void decide_acts_told(struct decide *d, uint64_t handle,
	enum decide_replied what, const struct decide_told *told, size_t count);
/* The question is taken from the hearing when the act is. */
void decide_acts_judge(struct decide *d, int64_t number);
void decide_acts_unjudge(struct decide *d, int64_t number);
/* The open cards are others now, or one of them is. */
void decide_acts_card(struct decide *d, const struct decide_hearing *h,
	enum decide_card_event event, int64_t now_ms);
/* A setting holds, or does not any more; NULL: the grants are others. */
void decide_acts_changed(struct decide *d, const struct store_setting *s);
void decide_acts_journal(struct decide *d, const char *fmt, ...)
	PRINTF_LIKE(2, 3);

/* --- a model is asked (judging.c, turns.c) --------------------------------- */

/* A model is configured. */
bool decide_judging_is_on(const struct policy *p);
/* One block, its texts redacted. */
struct decide_judged *decide_judged_copy(const struct decide_judged *from);
/* Copies what the second run of the order needs. NULL: it is too large. */
struct decide_judging *decide_judging_new(const struct decide_post *p,
	const struct decide_ask *ask, enum call_mode mode, int64_t now_ms);
void decide_judging_free(struct decide_judging *j);
/* h is JUDGING from here on, or not any more (its judging is the caller's). */
void decide_judging_begin(
	struct decide *d, struct decide_hearing *h, struct decide_judging *j);
struct decide_judging *decide_judging_take(
	struct decide *d, struct decide_hearing *h);
/* One more call of this session may be asked about. */
bool decide_judging_has_room(
	const struct decide *d, const struct decide_session *s);
/* How long a model may take. */
int64_t decide_judging_left(const struct decide_post *p, int64_t now_ms);
/* Time is over: it could not be judged. */
void decide_judging_end(
	struct decide *d, struct decide_hearing *h, int64_t now_ms);
/* The order once more, with the model's answer; h is JUDGING. */
void decide_post_judged(struct decide *d, struct arena *a,
	struct decide_hearing *h, int64_t now_ms);

/* A question, with its memory; or why there is none. */
struct decide_question {
	struct decide_session *session;
	const struct decide_post *post;
	const struct call_facts *facts;
	struct decide_ask ask;
	struct buf memory, head;
	struct str failure;
};
/* What is to be asked about the call. False and why, when it cannot be
 * judged. */
MUST_USE bool decide_turns_ask(struct decide *d, struct arena *a,
	struct decide_question *io, int64_t now_ms);
/* The session's turn is over. */
void decide_turns_end(struct decide *d, struct decide_session *s);
void decide_turns_free(struct decide *d, struct decide_session *s);
/* What nobody came back to goes from the store. */
void decide_turns_sweep(struct decide *d, int64_t now_ms);

/* What a call is about, for the rules and the history: see struct store_card.
 * The subject only if it is wanted; what a marker names has none. */
struct decide_about {
	struct buf *resources, *subject;
	bool is_clear; /* no marker names any of it: the order knows already */
};
void decide_turns_describe(struct arena *a, const struct decide_post *p,
	bool for_history, struct decide_about *ret);

/* How a call of the session ended: a line of its history. */
struct decide_said {
	struct str turn, subject;
	const char *outcome;
	struct str note;
	enum judge_source source;
};
void decide_turns_add(struct decide *d, struct decide_session *s,
	const struct decide_said *said, int64_t now_ms);

/* The judge refused the call of this digest; what it said, if it did so in this
 * turn (its name, as the call has it). */
struct decide_blocked {
	enum call_risk risk;
	struct str reason;
};
void decide_turns_refuse(struct decide *d, struct decide_session *s,
	const unsigned char digest[DECIDE_DIGEST_BYTES],
	const struct decide_blocked *was);
MUST_USE bool decide_turns_was_refused(struct decide *d,
	struct decide_session *s, struct str turn,
	const unsigned char digest[DECIDE_DIGEST_BYTES],
	struct decide_blocked *ret);

/* What a refusal by the judge holds for: the call's commands, however they are
 * written, else its input. */
void decide_digest_meaning(const struct call *call, const struct call_facts *f,
	unsigned char ret[DECIDE_DIGEST_BYTES]);

/* --- sessions, settings, notes (session.c) -------------------------------- */

struct decide_session *decide_session_get(
	struct decide *d, struct str id, int64_t now_ms);
void decide_session_write(struct decide *d, struct decide_session *s);
void decide_session_free_all(struct decide *d);
/* A machine's answer counts for the budget; a person's reply clears it. */
void decide_session_judged(struct decide *d, struct decide_session *s,
	enum call_verdict v, int64_t now_ms);
void decide_session_replied(
	struct decide *d, struct decide_session *s, int64_t now_ms);
/* budget_used_up and cost_used_up. */
void decide_session_budget(struct decide *d, const struct decide_session *s,
	const struct policy *p, int64_t now_ms, struct order_settings *io);
/* What the judge's answer cost, for the session, its parent and the day. */
void decide_session_cost(
	struct decide *d, struct decide_session *s, int64_t nano, int64_t now_ms);
/* What the store knows of the day's cost. */
MUST_USE int decide_session_cost_load(struct decide *d, int64_t now_ms);
/* The row becomes another, and is written. */
void decide_session_change(struct decide *d, struct decide_session *s,
	const struct store_session *row);
/* One that is in memory, or NULL. */
struct decide_session *decide_session_find(
	const struct decide *d, struct str id);
/* The narrowest mode that somebody set and that is known. */
bool decide_session_find_mode(const struct decide *d, struct str session,
	struct str project, enum call_mode *ret);
void decide_session_resolve(const struct decide *d, struct str session,
	struct str project, struct order_settings *io);
/* What people set, as it is in the store; again after each change. */
void decide_session_settings(
	struct decide *d, const struct store_setting *list, size_t count);
/* One block, for a waiter. */
struct store_setting *decide_setting_copy(const struct store_setting *s);
/* What was set for the session's turn is over. */
void decide_session_end_turn(struct decide *d, struct str session);
/* One more, or another value, or (absent value) one less. */
void decide_session_setting(struct decide *d, const struct store_setting *s);
/* Once for a hearing. */
void decide_notes_add(struct decide *d, const struct store_note *given);
void decide_notes_free(struct decide *d);
/* What waits for hearing's call goes, here and from the store. */
void decide_notes_drop(struct decide *d, int64_t hearing);
/* What waits for any call of the session. */
void decide_notes_end(struct decide *d, struct str session);
/* --- who started a session (above.c) --------------------------------------- */

/* The mode is no freer than that of any of them; of_files: where nobody set
 * one. */
void decide_above_limit(const struct decide *d, struct str session,
	struct str project, enum call_mode of_files, struct order_settings *io);
/* Their names, into the call, in a. */
void decide_above_add(const struct decide *d, struct arena *a, struct call *io);

/* --- the mode of a round and of a turn (mode.c) ---------------------------- */

/* The mode for a call, earlier: its hearing when it comes again. */
void decide_mode_hold(struct decide *d, struct decide_session *s,
	const struct decide_hearing *earlier, enum call_mode *io);
/* The session was read from the store: its turn may have been broken off. */
void decide_mode_recover(const struct decide *d, struct decide_session *s);
/* A person set one: what was broken off does not matter any more. */
void decide_mode_was_set(struct decide *d);

/* --- grants (grants.c) ---------------------------------------------------- */

/* From the store, again after each change; none hold when it fails. */
MUST_USE int decide_grants_load(struct decide *d);
/* Those of the project into in, and extra unless it is NULL; in a. */
void decide_grants_add(const struct decide *d, struct arena *a,
	struct str project, const struct order_grant *extra,
	struct order_input *in);
/* What may be answered "always" to on a card. */
struct decide_offer {
	bool always;         /* a grant for exactly this would allow the call */
	struct str resource; /* what that covers, unless the card's text is it */
	struct str pattern;  /* the narrowest useful one would, too; or absent */
	bool fits; /* an always was replied, and its grant covers the call: */
	struct order_grant grant;
};
struct decide_asked {
	struct str project;
	const struct decide_pending *reply; /* NULL: there is none yet */
};
/* in: as the order was run; f: what it found. */
struct decide_offer decide_grant_offer(const struct decide *d, struct arena *a,
	const struct order_input *in, const struct call_facts *f,
	const struct decide_asked *asked);
/* What is pending is an always: its grant goes into the batch. */
void decide_grant_write(
	struct decide *d, struct decide_hearing *h, int64_t now_ms);
void decide_grants_committed(struct decide *d, bool ok);

/* --- replies (reply.c, together.c) ---------------------------------------- */

/* Why a card does not take a reply. */
struct decide_refusal {
	enum decide_replied what;
	struct store_card card; /* number 0: there is none; texts in the arena */
	char text[256];
};

/* What is wrong with the reply itself, or NULL. */
const char *decide_reply_fault(const struct decide_reply *r);
/* The card that the reply names: DONE when it takes the reply. ret may be set
 * with any other result, too. */
enum decide_replied decide_reply_find(struct decide *d, struct arena *a,
	const struct decide_reply *r, struct decide_hearing **ret,
	struct decide_refusal *why);
/* The reply counts for h, which takes it. */
void decide_reply_take(struct decide *d, const struct decide_reply *r,
	struct decide_hearing *h, int64_t now_ms);

/* What came of the reply for h, which is then no more of its group. */
void decide_together_tell(struct decide *d, struct decide_hearing *h,
	enum decide_replied what, int64_t now_ms);
/* A hearing moved: when nobody is to look any more, all are written. */
void decide_together_moved(
	struct decide *d, struct decide_group *g, int64_t now_ms);
/* The card that the person's words were for. */
bool decide_together_is_anchor(const struct decide_hearing *h);
void decide_together_free(struct decide *d);

/* --- digests and pairs (digest.c) ----------------------------------------- */

void decide_digest_call(
	const struct call *call, unsigned char ret[DECIDE_DIGEST_BYTES]);
/* Of all that was judged: the call (by its digest), the world, the policy. */
void decide_digest_all(struct arena *a, const struct decide_post *p,
	const unsigned char call[DECIDE_DIGEST_BYTES],
	unsigned char ret[DECIDE_DIGEST_BYTES]);
void decide_digest_hex(const unsigned char digest[DECIDE_DIGEST_BYTES],
	char ret[STORE_DIGEST_HEX + 1]);
bool decide_digest_from(struct str hex, unsigned char ret[DECIDE_DIGEST_BYTES]);

void decide_pair_set(
	struct decide *d, const struct decide_hearing *h, int64_t now_ms);
/* Takes it out: true once. */
bool decide_pair_take(struct decide *d,
	const unsigned char call[DECIDE_DIGEST_BYTES], int64_t now_ms,
	struct decide_pair *ret);

/* needs as JSON text and back (needs.c); in a. */
struct str decide_needs_print(
	struct arena *a, const struct call_need *needs, size_t count);
size_t decide_needs_from(
	struct arena *a, struct str text, struct call_need **ret);

#endif
