#ifndef JUDGE_SCAN_H
#define JUDGE_SCAN_H

/*
 * A text on its way through redaction: what the files that walk it share.
 */

#include "judge/judge_priv.h"

enum { TAKEN_MAX = 256 }; /* secrets in one text: more is no ordinary call */

struct judge_scan {
	struct buf *out;
	struct str text;
	enum judge_text kind;
	struct judge_values *values; /* or NULL */
	size_t at;
	size_t copied; /* all before is in out */
	char quote;    /* in a command: the quote that is open, or NUL */
	struct judge_options_seen seen; /* in the simple command so far */
	size_t taken;
	bool unsure;
};

/* A value's place in the text, and how it stands there. */
struct judge_value {
	size_t start, end;
	bool quoted;
	bool is_mixed;  /* the shell would put more to it, or something into it */
	bool is_called; /* an opening bracket follows: code, not a value */
	size_t after;   /* behind the closing quote */
};

/* How the value follows its name. */
enum judge_link {
	JUDGE_LINK_NONE,
	JUDGE_LINK_TIGHT, /* name=value */
	JUDGE_LINK_COLON, /* name:value, name: value */
	JUDGE_LINK_LOOSE, /* name = value */
	JUDGE_LINK_KEY,   /* "name": value */
	JUDGE_LINK_FLAG,  /* --name value, set name value */
};

/* --- characters ---------------------------------------------------------- */

static inline char
char_at(const struct judge_scan *s, size_t i)
{
	return i < s->text.len ? s->text.ptr[i] : '\0';
}

static inline bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
		|| (c >= '0' && c <= '9') || c == '_';
}

static inline bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool
is_space(char c)
{
	return is_blank(c) || c == '\n' || c == '\r';
}

static inline bool
is_quote(char c)
{
	return c == '"' || c == '\'' || c == '`';
}

static inline struct str
rest_of(const struct judge_scan *s, size_t i)
{
	return str_sub(s->text, i, s->text.len);
}

/* --- values (value.c) ------------------------------------------------------ */

/* Puts a placeholder for the bytes from start to end, and goes on behind them. */
void judge_take_out(
	struct judge_scan *s, size_t start, size_t end, const char *type);
/* The value that begins at i, in quotes of its own or without. */
struct judge_value judge_value_at(const struct judge_scan *s, size_t i);
struct judge_value judge_value_plain(const struct judge_scan *s, size_t start);
struct str judge_value_text(const struct judge_scan *s, struct judge_value v);
/* How many backslashes and then a quote stand at i; 0 for no quote. */
size_t judge_quote_len(const struct judge_scan *s, size_t i);
/* Nothing but the end of a line, or of what it is quoted in, is at i. */
bool judge_value_is_last(const struct judge_scan *s, size_t i);
/* Cuts a pair to what is behind its first ':' or '%'; false if that is nothing. */
bool judge_value_cut_pair(const struct judge_scan *s, struct judge_value *v);
/* Letters only; digits only. */
bool judge_is_word(struct str s);
bool judge_is_number(struct str s);
/* Takes the value out, leaves it, or is unsure; true if it took it. */
bool judge_settle(struct judge_scan *s, struct judge_name name,
	enum judge_link link, struct judge_value v);

/* --- names (named.c) --------------------------------------------------------- */

/* A name stands from start to end: deals with its value. flag: behind "--". */
bool judge_settle_name(struct judge_scan *s, struct judge_name name,
	size_t start, size_t end, bool flag);
/* A word with a dash stands at start: deals with what a program takes there. */
bool judge_settle_option(struct judge_scan *s, size_t start);

#endif
