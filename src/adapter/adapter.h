#ifndef ADAPTER_ADAPTER_H
#define ADAPTER_ADAPTER_H

/*
 * What agents say and what they understand: bytes of a hook to a call, an
 * outcome to bytes. Pure: the streams belong to the programs, and an adapter
 * never decides. Both the daemon (decode, encode) and the client (the safe
 * answer, when there is no daemon) read the same rows.
 */

#include "call/call.h"
#include "call/verdict.h"

/* What an event tells us. Zero is the one that is refused. */
#define ADAPTER_MEANINGS(X)             \
	X(UNKNOWN, "unknown")               \
	X(CALL, "call")                     \
	X(APPROVAL, "approval")             \
	X(RESULT, "result")                 \
	X(FAILURE, "failure")               \
	X(PROMPT, "prompt")                 \
	X(SESSION_START, "session_start")   \
	X(SESSION_END, "session_end")       \
	X(SUBAGENT_START, "subagent_start") \
	X(SUBAGENT_END, "subagent_end")     \
	X(OUTCOME, "outcome")               \
	X(NEUTRAL, "neutral")

/*
 * UNKNOWN   no row: may be a call, so it is refused
 * CALL      a call is about to be made; the answer decides
 * APPROVAL  the agent is about to ask its person about a call; the answer may
 *           decide in the person's stead. The same call as an earlier CALL
 * RESULT    a call was made; a note may still be delivered
 * FAILURE   a call was made and failed, or was refused elsewhere
 * PROMPT    the user wrote something: a turn begins
 * OUTCOME   what came of a call that the agent's own card showed
 * NEUTRAL   nothing that assent needs; answered neutrally
 */
#define X(name, text) ADAPTER_##name,
enum adapter_meaning { ADAPTER_MEANINGS(X) ADAPTER_MEANING_COUNT };
#undef X

/* How a note that came with an approval gets to the agent's model. */
enum adapter_note_channel {
	ADAPTER_NOTE_NONE,
	ADAPTER_NOTE_HERE,  /* this event's answer carries it */
	ADAPTER_NOTE_LATER, /* keep it for the RESULT of the same call */
};

enum adapter_timeout_unit { ADAPTER_SECONDS, ADAPTER_MILLISECONDS };

/* What a hook's process leaves behind. */
struct adapter_answer {
	struct str out; /* standard output, exactly */
	struct str err; /* standard error */
	int exit;       /* 0 or 2 */
};

struct adapter_event {
	const char *name;  /* as the agent writes it: "PreToolUse" */
	const char *since; /* the first version that has it; NULL = all */
	/* The answer when no daemon can be reached or it failed; texts are
	 * literals. Refuses where the event decides, else neutral. */
	const char *safe_out, *safe_err;
	int safe_exit;
	enum adapter_meaning meaning;
	enum adapter_note_channel note;
	unsigned timeout_s;  /* what install writes as the agent's timeout */
	unsigned deadline_s; /* when our client answers at the latest */
	bool decides;        /* the answer lets something through or stops it */
	bool installed;      /* `assent install` registers it */
	bool asks; /* "ask" opens the agent's own prompt (headless: refuses) */
	/* For a tool whose point is to ask the agent's person: an allow would answer
	 * in the person's stead, so it is given by saying nothing. */
	bool yields;
	/* The agent's own card is the only place to answer: "ask" is said at once,
	 * and our card shows the call until an OUTCOME tells what came of it. */
	bool elsewhere;
	const char *input; /* the member with the arguments; NULL: the codec's, "":
						* the message itself has them */
	const char *arguments; /* the member of an MCP call's input that is its
							* arguments; NULL: all of it */
};

/* One way to see that a process is this agent. All fields that are set must
 * hold; exe and script are compared with base names. */
struct adapter_process_row {
	const char *exe;      /* "claude"; NULL = any */
	const char *exe_part; /* a part of the program's path */
	const char *script;   /* an argument's base name: "cli.js" */
	const char *arg_part; /* a part of the same argument's path */
};

struct adapter_agent {
	const char *name;           /* "claude-code" */
	const char *title;          /* "Claude Code" */
	const char *const *aliases; /* ends in NULL */
	const struct adapter_event *events;
	size_t event_count;
	const struct adapter_process_row *processes;
	size_t process_count;
	enum adapter_timeout_unit unit; /* of timeouts in its settings */
	unsigned hold_s_max; /* a hook is given up after this, whatever is
							* configured; 0 = as configured */
	bool own_prompt;     /* shows its own prompt when we say "ask": one who can
						* answer (DESIGN 2.12) */
	const struct adapter_codec *codec;
};

/* A process of the parent chain, as the envelope has it. */
struct adapter_process {
	struct str exe; /* the file it runs, or absent */
	const struct str *args;
	size_t arg_count;
};

size_t adapter_agent_count(void);
const struct adapter_agent *adapter_agent_get(size_t i);
/* By name or alias; NULL if there is no such agent. */
const struct adapter_agent *adapter_agent_find(struct str name);
/* NULL if the agent has no such event. */
const struct adapter_event *adapter_event_find(
	const struct adapter_agent *agent, struct str name);
/* True if p is this agent (agent NULL: any agent of the table). */
MUST_USE bool adapter_process_is(
	const struct adapter_agent *agent, const struct adapter_process *p);

/* What the envelope says that the bytes do not. */
struct adapter_facts {
	struct str event; /* what the hook was registered for, or absent */
	struct str cwd;   /* the hook process's own folder; only a fallback */
	enum call_dialect dialect;
	const struct str *roots; /* workspace roots, as the daemon knows them */
	size_t root_count;
};

enum { ADAPTER_LIST_MAX = 64, ADAPTER_TALK_MAX = 8 };

/* A line of a conversation, as a message brings it. */
struct adapter_line {
	struct str text;
	bool from_user; /* else the agent's */
};

/* What came in. */
struct adapter_message {
	enum adapter_meaning meaning;
	const struct adapter_event *event; /* NULL: no row, and refused */
	struct str event_name;             /* as it was said, or absent */
	bool decides;                      /* an answer is wanted */

	/*
	 * The bytes could not be understood as this event. Where decides is set
	 * the only right answer is a refusal. (A call whose arguments alone are
	 * wrong has call.malformed instead.)
	 */
	bool malformed;
	struct str malformed_why;

	/* Session, tool and arguments where the event has them; session, turn,
	 * cwd and role for all. */
	struct call call;
	struct str transcript; /* path of the conversation's file, or absent */
	struct str agent_mode; /* the agent's own permission mode, as it says it */
	struct str run_model;  /* the model that the run uses, or absent */
	struct str prompt;     /* PROMPT: the words */
	bool prompt_injected;  /* ...which the agent wrote, not the person */
	struct str subagent;   /* id of the subagent that calls, or absent */
	struct str mcp_source; /* where the agent has the MCP server from */
	/* what the server says of the tool: its claims, the second as JSON */
	struct str mcp_description, mcp_annotations;
	struct str error;   /* FAILURE, OUTCOME: in the agent's words */
	struct str outcome; /* OUTCOME: "ran", "rejected", ... */

	/* what a review brings with it: workspace paths, the user's instructions to
	 * the client, what was said last */
	struct str roots[ADAPTER_LIST_MAX];
	size_t root_count;
	struct str allows[ADAPTER_LIST_MAX], blocks[ADAPTER_LIST_MAX];
	size_t allow_count, block_count;
	struct adapter_line talk[ADAPTER_TALK_MAX];
	size_t talk_count;
	int64_t left_ms; /* until it wants its answer; 0: not said */
};

/*
 * Reads what the agent wrote. Never fails: what is not understood is
 * malformed. Texts live in a; bytes may go.
 */
void adapter_decode(struct arena *a, const struct adapter_agent *agent,
	struct str bytes, const struct adapter_facts *facts,
	struct adapter_message *ret);

/* Whose words a note or a reason is (DESIGN 3). */
#define ADAPTER_SOURCES(X) \
	X(SYSTEM, "system")    \
	X(USER, "user")        \
	X(JUDGE, "judge")      \
	X(TIER, "tier")        \
	X(MODE, "mode")

#define X(name, text) ADAPTER_SOURCE_##name,
enum adapter_source { ADAPTER_SOURCES(X) ADAPTER_SOURCE_COUNT };
#undef X

/* What is to be said. verdict NONE is refused like DENY where it decides. */
struct adapter_reply {
	enum call_verdict verdict; /* ASK: the agent's own prompt */
	struct str reason;         /* a plain sentence for agent and person */
	struct str note;           /* the person's words, or absent */
	enum adapter_source source;
	enum call_by by; /* by whom it was decided, for whom that is told */
};

/*
 * The answer to event (NULL: an event without a row, which is refused). ASK
 * where the event does not ask is refused with "needs a person: ...". For
 * events that do not decide the verdict does not matter; a RESULT delivers
 * the note, everything else is neutral. No note in a machine's reply reaches
 * the agent as the user's. Texts live in a.
 */
void adapter_encode(struct arena *a, const struct adapter_agent *agent,
	const struct adapter_event *event, const struct adapter_reply *reply,
	struct adapter_answer *ret);

/* The answer of the row, for when nothing else can be said. event NULL: a
 * refusal by exit status. */
struct adapter_answer adapter_safe(
	const struct adapter_agent *agent, const struct adapter_event *event);

/* The event that the bytes name, for a hook whose command line does not; NULL
 * when they cannot be read or it has no row. */
const struct adapter_event *adapter_event_of(
	const struct adapter_agent *agent, struct str bytes);

const char *adapter_meaning_name(enum adapter_meaning m);
const char *adapter_source_name(enum adapter_source s);

#endif
