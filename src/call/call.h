#ifndef CALL_CALL_H
#define CALL_CALL_H

/*
 * The call: one tool call that an agent wants to make, normalised, whatever
 * protocol brought it. Plain data; every later room reads it and nothing else
 * of what the agent sent.
 */

#include "base/arena.h"

#define CALL_TOOLS(X)           \
	X(NONE, "none")             \
	X(SHELL, "shell")           \
	X(READ, "read")             \
	X(WRITE, "write")           \
	X(EDIT, "edit")             \
	X(DELETE, "delete")         \
	X(SEARCH, "search")         \
	X(LIST, "list")             \
	X(FETCH, "fetch")           \
	X(WEB_SEARCH, "web_search") \
	X(MCP, "mcp")               \
	X(AGENT, "agent")           \
	X(OTHER, "other")

#define X(name, text) CALL_TOOL_##name,
enum call_tool { CALL_TOOLS(X) CALL_TOOL_COUNT };
#undef X

/* Which shell will read the command. Only bash and sh are read exactly; the
 * others are read as bash and are incomplete where that matters. */
#define CALL_DIALECTS(X)        \
	X(BASH, "bash")             \
	X(SH, "sh")                 \
	X(ZSH, "zsh")               \
	X(FISH, "fish")             \
	X(POWERSHELL, "powershell") \
	X(OTHER, "other")

#define X(name, text) CALL_DIALECT_##name,
enum call_dialect { CALL_DIALECTS(X) CALL_DIALECT_COUNT };
#undef X

struct call {
	struct str id;      /* the agent's own id of the call, or absent */
	struct str session; /* one conversation of one agent */
	struct str parent_session;
	struct str turn;
	uint64_t sequence;

	struct str agent;      /* "claude-code" */
	struct str agent_role; /* a subagent's own name as the adapter knows it */
	bool role_unverified;  /* ...which a project file may have defined */
	struct str *above;     /* the names of those who started this one: what may
						* not be done by them is not done by it */
	size_t above_count;
	enum call_tool tool;
	struct str tool_name;   /* as the agent says it: "Bash" */
	struct str input;       /* the exact bytes of the tool's input */
	struct str description; /* the agent's own words on why; a claim */

	/* arguments, by tool; absent when the tool has none of the kind */
	struct str command;     /* shell */
	struct str path;        /* read, write, edit, delete, search, list */
	struct str *more_paths; /* a patch over several files */
	size_t more_path_count;
	struct str content;  /* write: the whole; edit: the new text */
	struct str pattern;  /* search, list: what is looked for, a glob or regex */
	struct str url;      /* fetch */
	struct str query;    /* web search */
	struct str server;   /* mcp */
	struct str mcp_tool; /* mcp */
	struct str arguments; /* mcp, agent, other: JSON text */
	bool inward;          /* agent, other: touches only the agent itself (its
						   * list of tasks, its plan, a question to its
						   * person), by a row of the adapter's table */
	bool mcp_read_only;   /* the server's claim: readOnlyHint */
	bool mcp_trusted;     /* client state says that the person trusts it */
	bool malformed;       /* an argument is missing or of the wrong type */
	struct str malformed_why;

	struct str cwd;    /* absolute, or absent when it is not certain */
	struct str *roots; /* workspace roots, absolute */
	size_t root_count;
	struct str *scratch; /* named scratch folders */
	size_t scratch_count;
	enum call_dialect dialect;
	bool input_closed; /* shell: nothing and nobody writes to its standard
						* input, by a row of the adapter's table */

	bool asked; /* the model itself asked for a person */
	struct str asked_reason;
	bool review;    /* put by a filter or a gateway, for the agent's own card */
	bool contained; /* client state: runs in a sandbox that holds it */
};

const char *call_tool_name(enum call_tool value);
MUST_USE bool call_tool_from(struct str s, enum call_tool *ret);
const char *call_dialect_name(enum call_dialect value);
MUST_USE bool call_dialect_from(struct str s, enum call_dialect *ret);

#endif
