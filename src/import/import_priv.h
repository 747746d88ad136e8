#ifndef IMPORT_IMPORT_PRIV_H
#define IMPORT_IMPORT_PRIV_H

#include "import/import.h"

/* One entry of a list, on its way. */
struct import_entry {
	struct import *im;
	enum call_verdict verdict; /* NONE: the line is no rule */
	struct str source;
	int64_t rank;
	struct str role; /* only of this subagent, or absent */
};

/* A line of our language, which must be one; else it is left, with its fault. */
void import_add(const struct import_entry *e, const char *fmt, ...)
	PRINTF_LIKE(2, 3);
void import_leave(struct import *im, struct str source, const char *why);
/* The file cannot be read. Always false. */
bool import_fault(struct import *im, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* s in double quotes, as our lines have it. */
struct str import_quote(struct arena *a, struct str s);
/* A word as a pattern of exactly itself. */
struct str import_literal(struct arena *a, struct str word);
bool import_has_star(struct str s);

/* A command with stars, each for any run of characters (shell.c). */
void import_shell(const struct import_entry *e, struct str command);
/* All commands that begin with these words. */
void import_prefix(const struct import_entry *e, struct str words);
/* All calls of a tool, by name; an allow of that kind is left. */
void import_blanket(const struct import_entry *e, const char *tool);

/* How a path pattern is rooted. */
enum import_rooted {
	IMPORT_SLASH_IS_TOP,      /* "/x" is absolute */
	IMPORT_SLASH_IS_SETTINGS, /* "/x" hangs on the settings file, "//x" is top */
};
/* tool: "read" or "edit" (path.c). */
void import_path(const struct import_entry *e, const char *tool,
	struct str pattern, enum import_rooted how);
void import_host(const struct import_entry *e, struct str host);
/* tool absent or "*": all of the server. */
void import_mcp(
	const struct import_entry *e, struct str server, struct str tool);

bool import_claude(struct import *im, struct str text);
bool import_cursor(struct import *im, struct str text);
bool import_codex(struct import *im, struct str text);
bool import_gemini(struct import *im, struct str text);

#endif
