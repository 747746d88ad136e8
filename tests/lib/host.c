/*
 * A host of libassent: rules as handles, calls as lines, threads that share.
 */

#include <assent/assent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void
want(int holds, const char *what)
{
	if (!holds) {
		(void)fprintf(stderr, "not so: %s\n", what);
		failures++;
	}
}

/* True when the answer to line holds part. */
static int
answers(const struct assent_rules *rules, const char *line, const char *part)
{
	char *result = NULL;
	enum assent_result r = assent_check(rules, line, strlen(line), &result);
	int holds = r == ASSENT_OK && strstr(result, part) != NULL;

	if (!holds)
		(void)fprintf(stderr, "%s\n  gives %s\n", line, result ? result : "-");
	assent_free(result);
	return holds;
}

#define LS  "{\"id\":7,\"tool\":\"shell\",\"input\":{\"command\":\"ls\"}}"
#define NPM "{\"tool\":\"shell\",\"input\":{\"command\":\"npm test\"}}"

static void *
run_thread(void *rules)
{
	int *ok = malloc(sizeof(*ok));

	*ok = 1;
	for (int i = 0; i < 200; i++)
		*ok = *ok && answers(rules, NPM, "\"verdict\":\"allow\"");
	return ok;
}

static void
share(struct assent_rules *rules)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		want(pthread_create(&threads[i], NULL, run_thread, rules) == 0,
			"thread");
	for (int i = 0; i < 4; i++) {
		void *ok = NULL;

		want(pthread_join(threads[i], &ok) == 0 && *(int *)ok, "shared rules");
		free(ok);
	}
}

int
main(void)
{
	struct assent_rules *rules = NULL;
	char *text = NULL;

	want(strlen(assent_version()) > 0, "a version");
	want(assent_rules_new(&rules) == ASSENT_OK, "new rules");
	want(answers(rules, LS, "{\"id\":7,\"verdict\":\"allow\""), "ls");
	want(answers(rules, NPM, "\"verdict\":\"ask\""), "npm before");
	want(assent_rules_add(
			 rules, "user", "my.conf", "allow shell \"npm test *\"\n", NULL)
			== ASSENT_OK,
		"a rule");
	want(answers(rules, NPM, "\"rule\":\"my.conf:1\""), "npm after");
	want(
		assent_rules_add(rules, "user", "bad.conf", "alow shell \"x\"\n", &text)
			== ASSENT_RULES,
		"a fault is said");
	want(text && strncmp(text, "bad.conf:1:1: ", 14) == 0, "and where");
	assent_free(text);
	want(assent_rules_add(rules, "nobody", "x", "", NULL) == ASSENT_ARGUMENT,
		"an unknown layer");
	want(answers(rules, "{", "\"verdict\":\"deny\""), "half a line");
	want(answers(rules, "", "\"verdict\":\"deny\""), "an empty line");
	want(assent_explain(rules, LS, strlen(LS), &text) == ASSENT_OK
			&& strstr(text, "\"trace\":[") != NULL,
		"explained");
	assent_free(text);
	share(rules);
	assent_rules_free(rules);
	assent_rules_free(NULL);
	assent_free(NULL);
	return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
