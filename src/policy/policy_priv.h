#ifndef POLICY_POLICY_PRIV_H
#define POLICY_POLICY_PRIV_H

/*
 * What the files of this room share: a rule as it was read, the snapshot that
 * holds them, and the small questions about paths and places that rules,
 * floor and markers all ask.
 */

#include <stdatomic.h>

#include "base/limits.h"
#include "policy/glob.h"
#include "policy/policy.h"

enum {
	POLICY_LINES_MAX = 20000,      /* of one file */
	POLICY_LINE_BYTES_MAX = 4096,  /* a longer one is a fault */
	POLICY_WORDS_MAX = 64,         /* of one statement, or of one pattern */
	POLICY_FAULTS_MAX = 100,       /* more are not listed */
	POLICY_FILES_MAX = 64,         /* in one policy */
	POLICY_MARKER_BYTES_MAX = 255, /* of a `sensitive` line */
};

/* --- lex.c: a line into words ------------------------------------------------ */

struct policy_token {
	struct str text; /* without its quotes and escapes */
	bool quoted;
	unsigned column;
};

struct policy_line {
	struct policy_token tokens[POLICY_WORDS_MAX];
	size_t count;
	unsigned end; /* the column behind the last word */
};

/* Cuts a line. False with column and message of the fault. */
MUST_USE bool policy_line_parse(struct arena *a, struct str text,
	struct policy_line *ret, struct policy_fault *reterr_fault);

/* The word of a list that is nearest to a misspelt one, or NULL. */
const char *policy_nearest(
	struct str word, const char *const *words, size_t count);

/* --- parse.c: words into statements ------------------------------------------ */

/* Where a path pattern hangs. */
enum policy_anchor {
	POLICY_ANCHOR_NONE, /* no pattern */
	POLICY_ANCHOR_ROOTS,
	POLICY_ANCHOR_HOME,
	POLICY_ANCHOR_TOP,
};

struct policy_path {
	enum policy_anchor anchor;
	struct policy_glob glob; /* what follows the anchor */
};

/* "npm test *" */
struct policy_words {
	const struct policy_glob *list;
	size_t count;
	bool more;    /* ended in a lone `*`: any further words */
	bool literal; /* no star at all */
};

/* The matchers that take a text; texts[] of a rule keeps it as written. */
enum policy_text {
	POLICY_TEXT_WORDS,
	POLICY_TEXT_PATH,
	POLICY_TEXT_HOST,
	POLICY_TEXT_SERVER,
	POLICY_TEXT_TOOL,
	POLICY_TEXT_PROGRAM,
	POLICY_TEXT_AGENT,
	POLICY_TEXT_ROLE,
	POLICY_TEXT_COUNT
};

struct policy_rule {
	enum call_verdict verdict;
	enum call_tool tool; /* NONE: any */
	enum policy_layer layer;
	struct str file;
	unsigned line;

	bool has_words;
	struct policy_words words;
	struct policy_glob
		globs[POLICY_TEXT_COUNT]; /* HOST to ROLE; count 0: any */
	struct policy_path path;
	unsigned effects; /* bits of enum call_effect_kind; 0: any */
	unsigned scopes;  /* bits of enum call_scope; 0: any */
	bool trusted;     /* only servers that the person trusts */
	bool recoverable; /* only effects that can be undone */

	struct str texts[POLICY_TEXT_COUNT]; /* as written; absent: not there */

	/* made of the above by policy_rule_prepare, so that most rules are passed
	 * over without a closer look; false is always right */
	bool any_call;   /* says nothing of the call as a whole */
	bool on_effects; /* speaks of effects only */
};

void policy_rule_prepare(struct policy_rule *r);

/* Reads a pattern. NULL, or what is wrong with it. */
MUST_USE const char *policy_words_parse(
	struct arena *a, struct str text, struct policy_words *ret);
MUST_USE const char *policy_path_parse(
	struct arena *a, struct str text, struct policy_path *ret);

/* A `sensitive` line: a part of a name or path; with a star, a path pattern. */
struct policy_marker {
	struct str text;
	struct policy_path path; /* anchor NONE: no star */
};

/* One per statement of a file. */
enum policy_statement_kind {
	POLICY_STATEMENT_RULE,
	POLICY_STATEMENT_SENSITIVE,
	POLICY_STATEMENT_INSTRUCT,
	POLICY_STATEMENT_SET,
};

struct policy_statement {
	enum policy_statement_kind kind;
	unsigned line;
	struct policy_rule rule;
	struct str text; /* instruction, or value */
	struct policy_marker marker;
	bool block;                           /* instruct block */
	const struct policy_setting *setting; /* set */
};

struct policy_reader {
	struct arena *a;
	enum policy_layer layer;
	struct str file;
	struct policy_statement *list;
	size_t count;
	struct policy_faults faults;
};

/* Reads a whole file; true without a fault. */
MUST_USE bool policy_file_parse(struct policy_reader *r, struct str text);

/* One line being read; parse.c holds its functions, which are false for a
 * fault. token: the number of the word that is wrong. */
struct policy_reading {
	struct policy_reader *r;
	const struct policy_line *line;
	size_t at; /* the next word */
	struct policy_statement s;
};

bool policy_reading_fault(struct policy_reading *st, size_t token,
	const char *message, const char *suggestion);
bool policy_reading_fault_at(struct policy_reading *st, size_t token,
	struct str message, const char *suggestion);
/* A word that is not on the list; suggests the nearest one, or says the list. */
bool policy_reading_unknown(struct policy_reading *st, size_t token,
	const char *what, const char *const *words, size_t count);
/* The next word, which must be there. */
bool policy_reading_take(
	struct policy_reading *st, const char *what, struct policy_token *ret);

/* --- matcher.c ------------------------------------------------------------------- */

/* Reads the rule's tool. */
MUST_USE bool policy_tool_parse(struct policy_reading *st);
/* Reads the next matcher into the rule. */
MUST_USE bool policy_matcher_parse(struct policy_reading *st);

/* Keeps a fault; suggestion may be NULL. Always false. */
bool policy_fault_add(struct policy_reader *r, unsigned line, unsigned column,
	struct str message, const char *suggestion);

/* --- settings.c --------------------------------------------------------------- */

/* Checks a value and writes it as it is kept. */
MUST_USE bool policy_setting_parse(struct arena *a,
	const struct policy_setting *s, const struct policy_token *values,
	size_t count, struct str *ret_value);
/* In words, what a value must be. */
struct str policy_setting_wants(
	struct arena *a, const struct policy_setting *s);
bool policy_setting_may_stand(
	const struct policy_setting *s, enum policy_layer layer);

/* --- policy.c: the snapshot ---------------------------------------------------- */

struct policy_instruction {
	struct str text;
	enum policy_layer layer;
	bool block;
};

/* A `set` line. */
struct policy_value {
	const struct policy_setting *setting;
	enum policy_layer layer;
	struct str value;
};

struct policy {
	atomic_uint refs;
	struct arena *arena;
	struct policy_rule *rules[POLICY_LAYER_COUNT];
	size_t rule_counts[POLICY_LAYER_COUNT];
	bool denies[POLICY_LAYER_COUNT]; /* there is a deny line at all */
	struct policy_marker *markers;   /* `sensitive` lines */
	size_t marker_count;
	struct policy_instruction *instructions;
	size_t instruction_count;
	struct policy_value *settings;
	size_t setting_count;
	uint64_t digest[2];
	char revision[33];
};

/* The n-th file of shipped rules; false past the last. */
MUST_USE bool policy_builtin_file(
	size_t n, struct str *ret_name, struct str *ret_text);

/* --- match.c -------------------------------------------------------------------- */

/* The smallest thing that rules speak about: one effect of one command, or a
 * command (a call, for other tools) by itself. */
struct policy_unit {
	const struct call_command *command; /* NULL: not a shell command */
	const struct call_effect *effect;   /* NULL: the command by itself */
};

enum policy_match {
	POLICY_MATCH_NO,
	POLICY_MATCH_MAYBE, /* a word that only running would tell decides it */
	POLICY_MATCH_YES,
};

/* For ask and deny: whatever could be meant is matched. */
enum policy_match policy_rule_tightens(
	const struct policy_rule *r, struct policy_subject s, struct policy_unit u);
/* For allow: only what is surely meant. */
MUST_USE bool policy_rule_covers(
	const struct policy_rule *r, struct policy_subject s, struct policy_unit u);
/* A rule that covers u: does it name, in its own words, all of the command
 * that has no row (a program, an option)? */
MUST_USE bool policy_rule_names(
	const struct policy_rule *r, struct policy_subject s, struct policy_unit u);

/* Could the effect's resource be one that the pattern matches? */
MUST_USE bool policy_path_tightens(const struct policy_path *p,
	struct policy_subject s, const struct call_effect *e);

/* --- say.c, grant.c -------------------------------------------------------------- */

/* What may cover a call, beside rules that people wrote. */
struct policy_cover {
	bool builtin;                    /* the shipped rules, too */
	const struct policy_rule *rules; /* made of grants */
	size_t count;
};

struct policy_hit policy_cover_all(const struct policy *p, struct arena *a,
	struct policy_subject s, const struct policy_cover *cover);
/* No grant's pattern covers such a command. */
bool policy_grant_excludes(const struct call_command *c);

static inline unsigned char
policy_lower(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/* --- place.c: paths ------------------------------------------------------------- */

/* The rest of path below folder ("" for the folder itself). */
MUST_USE bool policy_path_below(
	struct str path, struct str folder, struct str *ret_rest);
/* The n-th folder that relative patterns hang on; false past the last. */
MUST_USE bool policy_root(struct policy_subject s, size_t n, struct str *ret);
/* A star, a question mark or a bracket, as a shell reads names. */
bool policy_has_glob(struct str s);
/* host of a host, host:port or URL, as written. */
struct str policy_host_of(struct str resource);

/* --- markers.c: tables for sensitive.c -------------------------------------------- */

struct policy_names {
	const struct str *list;
	size_t count;
};

struct policy_markers {
	struct policy_names names;  /* whole components, files or folders */
	struct policy_names begins; /* of a file's name */
	struct policy_names ends;
	struct policy_names tails; /* several components, from a '/' on */
	struct policy_names words; /* in the name of a data file */
	struct policy_names last_words;
	struct policy_names data_endings;
	struct policy_names template_ends;
	struct policy_names public_ends;
	struct policy_names plain_ssh, ssh;
};
extern const struct policy_markers policy_markers;

/* --- sensitive.c ------------------------------------------------------------------ */

/* The marker that a resource hits, or absent. */
struct str policy_marker_of(const struct policy *p, struct policy_subject s,
	const struct call_effect *e);

/* --- secret.c ---------------------------------------------------------------------- */

/* Does the text show a secret: a token's shape, or a value with such a name? */
MUST_USE bool policy_text_has_secret(struct str text);

/* --- fetch.c ------------------------------------------------------------------------ */

/* setting: the value of fastpath.fetch. */
MUST_USE bool policy_url_may_be_fetched(struct str text, struct str setting);

#endif
