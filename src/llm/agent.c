#include "llm/agent.h"

#include "wire/json.h"

static const struct llm_agent rows[] = {
	{.name = NULL},
};

const struct llm_agent *
llm_agent_of(struct str program)
{
	struct str name = str_base(program);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (rows[i].name && str_eq(name, str_from(rows[i].name)))
			return &rows[i];
	}
	return NULL;
}

static bool
add(const char **words, size_t *count, const char *word)
{
	if (*count + 1 >= LLM_RUN_WORDS || !word)
		return false;
	words[(*count)++] = word;
	return true;
}

const char *const *
llm_agent_words(struct arena *a, struct str command, struct str model)
{
	const char **words = ARENA_ARRAY(a, LLM_RUN_WORDS, const char *);
	size_t count = 0;
	struct str rest = str_trim(command);

	while (rest.ptr) {
		struct str word = str_cut(rest, ' ', &rest);

		if (word.len > 0
			&& !add(words, &count, arena_cstr(a, arena_dup(a, word))))
			return NULL;
	}
	(void)model;
	return words;
}
