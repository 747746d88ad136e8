#ifndef CLI_CLAUDE_H
#define CLI_CLAUDE_H

/*
 * Claude Code's settings files, as text: our hooks put in, found and taken out.
 * Nothing else of the file changes by a byte. No files are touched here.
 */

#include "adapter/adapter.h"
#include "io/place.h"

/* How the hooks are to be written. */
struct cli_claude_form {
	const struct io_place *place;
	struct str program; /* absolute path of assent */
	/*
	 * Exec form with onFailure, which versions from CLI_CLAUDE_EXEC on have.
	 * Else a shell line that turns every odd end into a refusal.
	 */
	bool exec;
};

#define CLI_CLAUDE_EXEC "2.1.295"

/*
 * text ("" for a file that is not there) with exactly our hooks of this form.
 * False and why, if it is no settings file that can be changed with care.
 */
MUST_USE bool cli_claude_add(struct arena *a, struct str text,
	const struct cli_claude_form *form, struct str *ret_text,
	struct str *ret_why);

/* text without our hooks. */
MUST_USE bool cli_claude_remove(struct arena *a, struct str text,
	struct str *ret_text, struct str *ret_why);

/* One of our hooks as it stands in a file. */
struct cli_claude_hook {
	const struct adapter_event *event; /* NULL: no such event */
	struct str event_name;
	struct str program; /* absent in a shell line that was not understood */
	bool exec, blocks;  /* with "args"; with onFailure "block" */
	bool all_tools;     /* no matcher, or one that matches everything */
	int64_t timeout_s;  /* 0: none is written */
	struct str config, state, socket; /* its flags, or absent */
	int64_t deadline_s;
};

struct cli_claude_state {
	bool readable; /* the file is there and is settings */
	struct str why;
	struct cli_claude_hook *hooks;
	size_t hook_count;
	size_t other_hooks; /* hooks of others on events that decide */
	struct str other;   /* the first of them, in words */
	bool disabled;      /* "disableAllHooks": true */
	bool managed_only;  /* "allowManagedHooksOnly": true */
	struct str poison;  /* a name in "env" that changes how programs start */
};

void cli_claude_look(
	struct arena *a, struct str text, struct cli_claude_state *ret);

#endif
