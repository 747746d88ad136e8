/*
 * The names of kinds, roles and troubles, and what a card says about a trouble.
 */

#include "llm/llm.h"

static const char *const kind_names[] = {
#define X(name, text) [LLM_KIND_##name] = (text),
	LLM_KINDS(X)
#undef X
};

static const char *const trouble_names[] = {
#define X(name, text) [LLM_TROUBLE_##name] = (text),
	LLM_TROUBLES(X)
#undef X
};

/* Each follows "could not judge: ". */
static const char *const sentences[] = {
	[LLM_TROUBLE_NONE] = "nothing went wrong",
	[LLM_TROUBLE_NO_PROVIDER] = "no judge is configured",
	[LLM_TROUBLE_NO_KEY] = "the judge's key cannot be read",
	[LLM_TROUBLE_CONNECT] = "the judge's provider could not be reached",
	[LLM_TROUBLE_TLS] = "the judge's provider could not prove who it is (TLS)",
	[LLM_TROUBLE_TIMEOUT] = "the judge did not answer in time",
	[LLM_TROUBLE_QUEUE] = "too many calls wait for the judge",
	[LLM_TROUBLE_REFUSED] = "the judge's provider refused the request",
	[LLM_TROUBLE_LIMITED] =
		"the judge's provider allows no more requests for now",
	[LLM_TROUBLE_SERVER] = "the judge's provider had an error",
	[LLM_TROUBLE_BREAKER] =
		"the judge's provider failed repeatedly and is left alone for a while",
	[LLM_TROUBLE_UNREADABLE] = "the judge's answer could not be read",
	[LLM_TROUBLE_TRUNCATED] = "the judge's answer was cut off",
	[LLM_TROUBLE_DECLINED] = "the model declined to answer",
	[LLM_TROUBLE_TOO_LARGE] = "the question is too large for the model",
	[LLM_TROUBLE_COMMAND] = "the judge's command failed",
	[LLM_TROUBLE_CHILD] = "the process that asks the judge has ended",
};

const char *
llm_kind_name(enum llm_kind k)
{
	CHECK(k < LLM_KIND_COUNT);
	return kind_names[k];
}

enum llm_kind
llm_kind_from(struct str s)
{
	for (size_t i = 0; i < LLM_KIND_COUNT; i++) {
		if (str_eq(s, str_from(kind_names[i])))
			return (enum llm_kind)i;
	}
	return LLM_KIND_NONE;
}

const char *
llm_trouble_name(enum llm_trouble t)
{
	CHECK(t < LLM_TROUBLE_COUNT);
	return trouble_names[t];
}

const char *
llm_trouble_says(enum llm_trouble t)
{
	CHECK(t < LLM_TROUBLE_COUNT);
	return sentences[t];
}
