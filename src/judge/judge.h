#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

/*
 * The question to a model, and how its answer is read (DESIGN 2.11, 3 and 4).
 * Pure: nothing here knows how a model is reached.
 *
 *	system = judge_system()                         the same for every call
 *	turn = judge_turn_new(a, &context)              once, when a turn begins
 *	judge_turn_add(turn, &entry)                    for every call that ended
 *	judge_prompt(turn, &question, &user, &failure)  for every call to judge
 *	judge_verdict_read(a, reply, &verdict)
 *
 * Inside a turn the user message only grows, and only behind what was there:
 * providers that keep prefixes keep ours. Whoever loses a turn (a restart) makes
 * it again from the same context and entries, in the same order, and gets the
 * same bytes.
 */

#include "base/buf.h"
#include "call/call.h"
#include "call/facts.h"
#include "call/verdict.h"

enum {
	JUDGE_VERSION = 1,           /* of the system prompt and of the sections */
	JUDGE_TEXT_CHARS = 4000,     /* of a message, a task, a reply, a note */
	JUDGE_RESOURCE_CHARS = 1000, /* of a resource in history and rules */
	JUDGE_MESSAGES = 3,          /* of the user's own */
	JUDGE_RULES = 50,
	JUDGE_CALL_BYTES = 64 << 10,    /* of a call as it is shown, whole */
	JUDGE_HISTORY_BYTES = 64 << 10, /* over it, old entries are dropped... */
	JUDGE_HISTORY_KEEP_BYTES = 32 << 10, /* ...until this much is left */
	JUDGE_EFFECTS = 100,                 /* that are listed as evidence */
	JUDGE_FILE_BYTES = 16 << 10,         /* of a script shown as evidence */
	JUDGE_REPLY_BYTES = 64 << 10,        /* of a model's reply */
	JUDGE_REASON_CHARS = 1000,           /* of a verdict's reason */
};

/* --- what stands in a prompt ---------------------------------------------- */

/* Who a reply or a note came from. Only USER is ever the user's word. */
#define JUDGE_SOURCES(X) \
	X(NONE, "none")      \
	X(USER, "user")      \
	X(JUDGE, "judge")    \
	X(TIER, "tier")      \
	X(MODE, "mode")      \
	X(SYSTEM, "system")

#define X(name, text) JUDGE_SOURCE_##name,
enum judge_source { JUDGE_SOURCES(X) JUDGE_SOURCE_COUNT };
#undef X
/* NONE for a name that is not known. */
enum judge_source judge_source_from(struct str s);

/* A line of the conversation. */
struct judge_message {
	bool from_user; /* else the agent's */
	bool injected;  /* by a program in the user's name: not the user's own */
	struct str text;
};

/* An earlier reply, or a grant. */
struct judge_rule {
	enum call_reply reply; /* NONE: a grant of the project */
	enum judge_source source;
	struct str session;
	struct str action; /* the tool kind: "shell" */
	const struct str *resources;
	size_t resource_count;
	struct str note;   /* blank is as good as absent */
	bool hidden;       /* a resource hits a marker: never shown */
	int64_t time_ms;   /* the newer wins... */
	uint64_t sequence; /* ...and at equal times the higher */
};

/* A call of this turn that ended. */
struct judge_entry {
	struct str tool_name; /* "Bash" */
	struct str action;    /* "shell" */
	const struct str *resources;
	size_t resource_count;
	struct str outcome; /* "allowed", "rejected", "failed" */
	struct str note;
	enum judge_source source; /* of the note */
	bool hidden;              /* a resource hits a marker: never shown */
};

/* What is the same for all calls of a turn. */
struct judge_context {
	struct str session, parent_session;
	struct str agent, agent_role;
	const struct str *roots; /* of the workspace */
	size_t root_count;
	const struct str *scratch; /* named scratch folders */
	size_t scratch_count;
	/* assent's own places are never named as scratch; NULL: there are none */
	const struct call_world *world;
	struct str task;
	const struct judge_message *messages; /* all that is known, oldest first */
	size_t message_count;
	const struct str *allows, *blocks; /* `instruct` lines */
	size_t allow_count, block_count;
	const struct str *flags; /* what else the client says of the session */
	size_t flag_count;
	const struct judge_rule *rules; /* of any session; filtered here */
	size_t rule_count;
};

/* A file that the call would run, as evidence. */
struct judge_file {
	struct str path, text;
};

/*
 * A file that says which commands a program runs (package.json, a makefile), or
 * any other that is run, and what of it is asked for (no entry: what runs by
 * default).
 */
struct judge_manifest {
	struct str path, text;
	const struct str *entries;
	size_t entry_count;
};

/* What of it a model is shown: the commands that its entries name where the file
 * is JSON, the rules where it is one of rules and too large to show; else all of
 * it. In a. */
struct str judge_manifest_shown(
	struct arena *a, const struct judge_manifest *m);
/* The commands of its entries as lines for a shell; absent where that cannot be
 * told. In a. */
struct str judge_manifest_commands(
	struct arena *a, const struct judge_manifest *m);

/* The call under judgment, and what is known of it. */
struct judge_question {
	const struct call *call;
	const struct call_facts *facts; /* NULL: none */
	struct str agent_reply;         /* the agent's latest words, or absent */
	struct str mcp_description;     /* the server's claims */
	struct str mcp_annotations;     /* JSON text */
	const struct judge_file *files;
	size_t file_count;
	bool hides_effects; /* facts are only for what must not be shown */
};

/* --- asking --------------------------------------------------------------- */

/* The system prompt: constant for a JUDGE_VERSION. */
struct str judge_system(void);
/* The answer's JSON schema, for providers that can be held to one. */
struct str judge_schema(void);

struct judge_turn;

/* Everything is copied. NULL when the system has no memory; a is for working
 * space only. judge_turn_free takes NULL. */
struct judge_turn *judge_turn_new(
	struct arena *a, const struct judge_context *c) MUST_USE;
void judge_turn_free(struct judge_turn *t);
void judge_turn_freep(struct judge_turn **t);
/* In the order in which the calls ended. */
void judge_turn_add(struct judge_turn *t, const struct judge_entry *e);
/*
 * The same in pieces, for whoever keeps a turn's text: its head (all before the
 * history) and a line per entry, which say no more than the prompt does. The
 * head may come after the first lines; the bytes are those of judge_turn_new
 * and judge_turn_add.
 */
struct judge_turn *judge_turn_open(void) MUST_USE; /* NULL: no memory */
void judge_turn_head(
	struct arena *a, const struct judge_context *c, struct buf *ret);
void judge_turn_set_head(struct judge_turn *t, struct str head);
/* An entry's line is its subject, then its outcome, note and source. False for
 * a hidden one, which has no line. */
MUST_USE bool judge_entry_subject(struct buf *b, const struct judge_entry *e);
void judge_entry_outcome(struct buf *b, const struct judge_entry *e);
void judge_turn_add_line(struct judge_turn *t, struct str line);
/* As if so many had been added and dropped; before the first line. */
void judge_turn_skip(struct judge_turn *t, size_t count);
/* How many were added, and how many of them are not shown any more. */
size_t judge_turn_entries(const struct judge_turn *t);
size_t judge_turn_dropped(const struct judge_turn *t);
/* What every prompt of the turn begins with from now on; borrowed. */
struct str judge_turn_text(const struct judge_turn *t);

/*
 * Adds the user message to ret_user (its maximum should leave room for all
 * limits above: JUDGE_USER_BYTES does). False and why, when the call cannot be
 * judged: it is too large to show whole, is not text, or holds a secret that
 * cannot be taken out; nothing of ret_user may then be sent.
 */
enum { JUDGE_USER_BYTES = 1 << 20 };
MUST_USE bool judge_prompt(const struct judge_turn *t,
	const struct judge_question *q, struct buf *ret_user,
	struct str *ret_failure);

/* The agent's latest words after the last message of the user's own; absent
 * when there are none. */
struct str judge_last_reply(const struct judge_message *messages, size_t count);

/* --- reading the answer --------------------------------------------------- */

/* As DESIGN 2.11 counts it. The zero value is no judgement. */
#define JUDGE_SAYS(X)     \
	X(FAILURE, "failure") \
	X(ALLOW, "allow")     \
	X(DENY, "deny")       \
	X(ESCALATE, "escalate")

#define X(name, text) JUDGE_SAYS_##name,
enum judge_says { JUDGE_SAYS(X) JUDGE_SAYS_COUNT };
#undef X
const char *judge_says_name(enum judge_says s);

struct judge_verdict {
	enum judge_says says;
	enum judge_says said; /* the model's own word; FAILURE with FAILURE */
	enum call_risk risk;  /* NONE: the model gave none */
	struct str reason;    /* the model's, cut; may be empty */
	const char *failure;  /* why it could not be read, or NULL */
};

/*
 * Reads a whole reply: one JSON object, alone, fenced, or with prose around it,
 * and nothing that two readers could take differently (docs/judge.md).
 */
void judge_verdict_read(
	struct arena *a, struct str reply, struct judge_verdict *ret);

#endif
