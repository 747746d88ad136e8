#ifndef ASSENT_ASSENT_H
#define ASSENT_ASSENT_H

/*
 * libassent: what assent would decide about one tool call of a coding agent.
 *
 * Pure: no file, no network, no clock, no thread, and no state but the rules
 * that you hold. Calls and results are the JSON lines of `assent check --batch`
 * (docs/check.md). Functions may be used from any number of threads at once;
 * one `struct assent_rules` may be shared once no rules are added any more.
 *
 * A result is advice: "allow" means that nobody need be asked, "ask" that a
 * person (or a model that sees the conversation) should decide, "deny" that it
 * should not run. Anything but ASSENT_OK is not an allow.
 */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ASSENT_MUST_USE __attribute__((warn_unused_result))
#pragma GCC visibility push(default)
#else
#define ASSENT_MUST_USE
#endif

/* Numbers are never reused. */
enum assent_result {
	ASSENT_OK = 0,
	ASSENT_MEMORY = 1,   /* out of memory */
	ASSENT_ARGUMENT = 2, /* an argument that no caller should give */
	ASSENT_RULES = 3,    /* the rules text has faults */
	ASSENT_BUG = 4,      /* a broken promise in this library; the rules given
						  * in this call are to be freed and not used again */
};

struct assent_rules;

/* The release that is linked: "0.1.0". */
const char *assent_version(void);
/* What a result means, in words. */
const char *assent_text(enum assent_result result);

/* The shipped rules; assent_rules_free frees them. */
ASSENT_MUST_USE enum assent_result assent_rules_new(
	struct assent_rules **ret_rules);
void assent_rules_free(struct assent_rules *rules); /* NULL is fine */

/*
 * Adds the text of a rules file. layer: "user", "project", "profile",
 * "enforced", "workspace", "trusted" or "ceiling". name is what results cite
 * ("assent.conf"). For ASSENT_RULES nothing is added, and *reterr_faults (if
 * reterr_faults is not NULL) is a line for each fault, "name:line:column: what",
 * to be freed with assent_free.
 */
ASSENT_MUST_USE enum assent_result assent_rules_add(struct assent_rules *rules,
	const char *layer, const char *name, const char *text,
	char **reterr_faults);

/*
 * Decides one call. line is a JSON object of length bytes; what it does not say
 * of the world is assumed (docs/check.md). Whatever the line holds, *ret_result
 * is one JSON object, NUL-terminated, to be freed with assent_free: a line that
 * cannot be read is a "deny" with an "error".
 */
ASSENT_MUST_USE enum assent_result assent_check(
	const struct assent_rules *rules, const char *line, size_t length,
	char **ret_result);
/* As assent_check, and the result says what every step said ("trace"). */
ASSENT_MUST_USE enum assent_result assent_explain(
	const struct assent_rules *rules, const char *line, size_t length,
	char **ret_result);

void assent_free(char *text); /* NULL is fine */

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
