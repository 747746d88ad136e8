#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

/*
 * The settings file of an agent on disk: which it is, read with care for links
 * and owners, replaced with a copy of what was there.
 */

#include "base/buf.h"
#include "cli/cli.h"

#define CLI_SCOPES(X)     \
	X(USER, "user")       \
	X(PROJECT, "project") \
	X(LOCAL, "local")

#define X(name, text) CLI_SCOPE_##name,
enum cli_scope { CLI_SCOPES(X) CLI_SCOPE_COUNT };
#undef X

struct cli_settings {
	enum cli_scope scope;
	struct str path; /* as the agent looks for it */
	struct str real; /* behind all links; the same for a new file */
	bool exists;
	struct str text; /* in the arena; absent for a new file */
};

/* The options --user, --project and --local; false (and said) when more than
 * one was given. User by default. */
MUST_USE bool cli_settings_scope(const struct cli *c, enum cli_scope *ret);
/* Claude Code's file of that scope, read. False and why when it may not be
 * touched: not a regular file of this user, a link to nowhere, too large. */
MUST_USE bool cli_settings_read(const struct cli *c, const struct io_place *p,
	enum cli_scope scope, struct cli_settings *ret, struct str *ret_why);
/* The same for any file, by its path; ret->scope is kept. */
MUST_USE bool cli_settings_read_at(const struct cli *c, struct str path,
	struct cli_settings *ret, struct str *ret_why);
/* Replaces it. What was there stays beside it as *ret_copy (absent if nothing
 * was). */
MUST_USE int cli_settings_write(const struct cli *c,
	const struct cli_settings *s, struct str text, struct str *ret_copy);

/* Shows the change, asks unless --yes, writes. done: what is then true, in
 * words. Returns the exit code. */
int cli_settings_change(const struct cli *c, const struct cli_settings *s,
	struct str text, const char *done);

#endif
