#ifndef CLI_CURSOR_H
#define CLI_CURSOR_H

/*
 * Cursor's hooks.json, as text: our hooks put in and taken out. Nothing else of
 * the file changes by a byte. No files are touched here.
 */

#include "adapter/adapter.h"
#include "cli/cli.h"

/* text ("" for a file that is not there) with exactly our hooks. False and why,
 * if it is no such file. */
struct cli_cursor_form {
	const struct io_place *place;
	struct str program; /* absolute path of assent */
};
MUST_USE bool cli_cursor_add(struct arena *a, struct str text,
	const struct cli_cursor_form *form, struct str *ret_text,
	struct str *ret_why);
/* text without our hooks. */
MUST_USE bool cli_cursor_remove(struct arena *a, struct str text,
	struct str *ret_text, struct str *ret_why);
/* An event in the file that Cursor may not know, which would switch off all of
 * its hooks; absent when there is none. */
struct str cli_cursor_stranger(struct arena *a, struct str text);

/* What `assent install cursor` and `assent uninstall cursor` do. */
int cli_cursor_install(struct cli *c);
int cli_cursor_uninstall(struct cli *c);

#endif
