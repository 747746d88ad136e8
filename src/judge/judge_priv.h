#ifndef JUDGE_JUDGE_PRIV_H
#define JUDGE_JUDGE_PRIV_H

/*
 * What the files of the room share: names and shapes of secrets, and texts as
 * they stand in a prompt.
 */

#include <jansson.h>

#include "judge/judge.h"
#include "judge/redact.h"

/* How sure a name is that its value is a secret. */
enum judge_name_class {
	JUDGE_NAME_NONE,
	JUDGE_NAME_WEAK,   /* session, signature: only if the value looks random */
	JUDGE_NAME_USUAL,  /* token, secret: unless it reads like prose */
	JUDGE_NAME_STRONG, /* password, api_key */
	JUDGE_NAME_AUTH,   /* authorization: a scheme, then the credentials */
	JUDGE_NAME_COOKIE, /* cookie: pairs of name=value */
};

struct judge_name {
	enum judge_name_class class;
	const char *type; /* of the placeholder: "password" */
};

/* What a name says of its value: by its last words, whatever the case and
 * however they are joined (DB_PASSWORD, db-password, dbPassword). */
struct judge_name judge_name_of(struct str name);

/* Length of the provider's key that s begins with, 0 for none. keep: how much of
 * its front may be shown; type: of its placeholder. */
size_t judge_key_at(struct str s, size_t *ret_keep, const char **ret_type);

bool judge_looks_random(struct str value);
/* Bearer, Basic and kin. */
bool judge_is_auth_scheme(struct str word);
/* Not a value but a stand-in for one: $VAR, <token>, null, string, xxxx. */
bool judge_is_stand_in(struct str value);
/* A path of plain words: names where a secret is, and is none. */
bool judge_is_plain_path(struct str value);

/* How a program takes a secret after an option of its own. */
enum judge_option_form {
	JUDGE_OPTION_NONE,
	JUDGE_OPTION_WORD,  /* in the next word, or right behind the option */
	JUDGE_OPTION_GLUED, /* only right behind the option */
	JUDGE_OPTION_PAIR,  /* as WORD, behind the first ':' or '%' */
	JUDGE_OPTION_COOKIE,
};

struct judge_option {
	enum judge_option_form form;
	size_t len; /* of the option itself, in the word */
};

/* The words of the simple command so far, as far as the table asks for them. */
struct judge_options_seen {
	uint64_t programs, words; /* bits: rows of the table */
};
void judge_option_see(struct judge_options_seen *seen, struct str word);
/* The option at the begin of word, behind what was seen. */
struct judge_option judge_option_of(
	const struct judge_options_seen *seen, struct str word);

/* Values that were taken out, borrowed: they are taken out wherever else they
 * stand in what is said of the same call. */
enum { JUDGE_VALUES = 64, JUDGE_VALUE_BYTES_MIN = 6 };

struct judge_values {
	struct str list[JUDGE_VALUES];
	const char *types[JUDGE_VALUES];
	size_t count;
	bool any; /* something was taken out, perhaps a plain word */
	bool
		expanded; /* a variable that holds one is used by name in the command */
};

/* As judge_redact; values (may be NULL) get what was taken out, and what is in
 * them already is taken out too. */
MUST_USE bool judge_redact_with(struct buf *out, struct str text,
	enum judge_text kind, struct judge_values *values);

/* text with all values taken out by their bytes; true if there was any. */
bool judge_values_take(
	struct buf *out, struct str text, const struct judge_values *values);

/* As judge_redact_call; the values borrow from j, which the caller releases. */
MUST_USE bool judge_call_print(struct buf *out, const struct call *call,
	json_t **ret_j, struct judge_values *values, struct str *ret_failure);

/* Valid UTF-8 without a NUL: what JSON can hold and give back. */
bool judge_is_text(struct str s);

/* The first characters of s. */
struct str judge_head(struct str s, size_t chars_max);
/* Adds a JSON string: redacted, then cut to so many characters with a marker; if
 * it cannot be redacted, a placeholder for all of it. */
void judge_add_text(
	struct buf *b, struct str s, size_t chars_max, enum judge_text kind);
/* A tool kind as it is, anything else as a JSON string. */
void judge_add_action(struct buf *b, struct str action);
/* Resources as JSON strings, parted by commas. False if one of them could not
 * be shown. */
bool judge_add_resources(struct buf *b, struct str action,
	const struct str *resources, size_t count);

/* The rules that are shown, newest first. */
struct judge_chosen {
	const struct judge_rule *list[JUDGE_RULES];
	size_t count;
};
void judge_rules_choose(
	struct arena *a, const struct judge_context *c, struct judge_chosen *ret);
/* The section <user_rules>, with its tags. */
void judge_rules_print(struct buf *b, const struct judge_chosen *rules);
/* Nothing was lost for want of memory. */
bool judge_turn_is_whole(const struct judge_turn *t);

#endif
