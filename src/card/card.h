#ifndef CARD_CARD_H
#define CARD_CARD_H

/*
 * What a person sees of a held call: a title, the whole text, and why it is
 * asked. Control, bidi and zero-width characters are shown as escapes, always:
 * what is approved must be what is read.
 */

#include <jansson.h>

#include "base/buf.h"
#include "call/call.h"
#include "call/verdict.h"

struct card {
	struct str id; /* "12-a1b2c3d4" */
	int64_t number;
	struct str session, agent, role;
	struct str parent; /* the session that started this one, or absent */
	enum call_tool tool;
	struct str tool_name;
	struct str title;       /* one line, cut */
	struct str text;        /* all of the call, several lines, never cut */
	struct str description; /* the agent's own words; a claim */
	struct str cwd;
	struct str reason;
	enum call_by by;
	enum call_risk risk; /* as the judge sees it; NONE: it was not asked */
	bool person_only;
	bool always;        /* offered */
	bool hides_always;  /* ...but not shown to people: a model judges here */
	struct str grant;   /* ...and what it would cover, where the text is more */
	struct str pattern; /* ...and what could be said instead of just this */
	int64_t created_ms, expires_ms;
	int64_t round;  /* those of one session with the same: wanted together */
	bool held;      /* an agent waits */
	bool elsewhere; /* answered in the agent's own card: only seen here */
};

/* Title and text of a call. The text holds every argument whole; when it does
 * not fit, ret_text is full, and the call cannot be shown to anybody. Allocates
 * nothing in an arena, so that nothing is lost by a jump. */
void card_show(
	const struct call *call, struct buf *ret_title, struct buf *ret_text);

/* The card as a JSON object of docs/PROTOCOL.md; the caller releases it. */
json_t *card_json(const struct card *c) MUST_USE;
/* Reads it back (the client). Texts borrow from j; false if it is no card. */
MUST_USE bool card_from(const json_t *j, struct card *ret);

/* The card for a terminal: several lines, each ended. colour: with SGR codes of
 * our own; nothing of the call reaches the terminal unescaped. */
void card_print(
	struct buf *b, const struct card *c, bool colour, int64_t now_ms);
/* One line of a list, without a line feed, cut to columns (0: not cut). */
void card_print_line(
	struct buf *b, const struct card *c, size_t columns, int64_t now_ms);

/* s for a terminal: controls (also C1, DEL), bidi and zero-width characters and
 * bytes that are not UTF-8 as \x1b, \u202e; line feeds stay when lines is set,
 * else are \n. */
void card_clean(struct buf *b, struct str s, bool lines);
/* A note: trimmed, controls and bidi characters taken out, cut to
 * LIMIT_NOTE_CHARS; absent when nothing is left. */
struct str card_note(struct arena *a, struct str note);
/* True past LIMIT_NOTE_CHARS, trimmed: to be refused, not cut. */
bool card_note_is_too_long(struct str note);

#endif
