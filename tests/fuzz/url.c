/*
 * Any bytes as an address: what is taken apart hangs together, says the same when
 * it is put together again, and is fetched unasked only when it is plain.
 */

#include "facts/facts_priv.h"
#include "policy/policy_priv.h"
#include "tests/fuzzing/fuzz.h"

static void
check_again(struct arena *a, const struct facts_url *u)
{
	struct facts_url again;
	bool six = str_has_char(u->host, ':');
	struct str text = arena_fmt(a, "%.*s://%s%.*s%s/", STR_ARG(u->scheme),
		six ? "[" : "", STR_ARG(u->host), six ? "]" : "");

	if (u->host.len == 0 || u->scheme.len == 0
		|| str_eq(u->scheme, STR("file")))
		return;
	fuzz_want(facts_url_parse(a, text, &again),
		"what was taken apart can be put together");
	fuzz_want(str_eq(again.host, u->host) || u->odd, "the host is the same");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = fuzz_arena();
	struct str text = {(const char *)data, size};
	struct facts_url u;

	if (!ARENA_TRY(a))
		return 0;
	bool parsed = facts_url_parse(a, text, &u);

	if (parsed)
		check_again(a, &u);
	if (policy_url_may_be_fetched(text, STR("docs"))) {
		fuzz_want(parsed, "what is fetched unasked was understood");
		fuzz_want(str_eq(u.scheme, STR("https")), "... by https");
		fuzz_want(u.userinfo.len == 0 && u.port.len == 0 && !u.odd
				&& !u.private_net && !u.loopback,
			"... and is plain");
	}
	(void)fuzz_verdict("curl ", "", text, "");
	return 0;
}
