/*
 * Any bytes as an agent's file of its conversation, a tool's settings, or a
 * manifest. What is read of a file in two parts is what is read of it in one;
 * every text that comes out is text; a word that names code is never missed
 * because of what stands around it.
 */

#include <stdio.h>
#include <stdlib.h>

#include "adapter/transcript.h"
#include "base/limits.h"
#include "facts/settings.h"
#include "judge/judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
want(bool holds, const char *what)
{
	if (holds)
		return;
	(void)fprintf(stderr, "not so: %s\n", what);
	abort();
}

static bool
is_utf8(struct str s)
{
	for (size_t i = 0; i < s.len;) {
		uint32_t code;
		size_t n = str_utf8(str_sub(s, i, s.len), &code);

		if (n == 0)
			return false;
		i += n;
	}
	return true;
}

static void
look_at(const struct adapter_said *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		want(is_utf8(list[i].text), "a message is text");
		want(str_trim(list[i].text).len > 0, "a message is not blank");
		want(list[i].from_user || !list[i].injected, "agents inject nothing");
	}
}

static void
read_said(struct arena *a, const char *agent, struct str s)
{
	const struct adapter_transcript *t =
		adapter_transcript_find(str_from(agent));
	struct adapter_said *all, *first, *second, picked[ADAPTER_SAID_MAX];
	size_t cut = str_find(s, STR("\n"), s.len / 2) + 1;
	size_t n = adapter_transcript_read(a, t, s, false, &all), k;

	look_at(all, n);
	k = adapter_transcript_read(a, t, str_sub(s, 0, cut), false, &first);
	want(k
				+ adapter_transcript_read(
					a, t, str_sub(s, cut, s.len), false, &second)
			== n,
		"two parts are the whole");
	for (size_t i = 0; i < n; i++)
		want(str_eq(all[i].text, i < k ? first[i].text : second[i - k].text),
			"and say the same");
	look_at(picked, adapter_said_pick(a, all, n, picked));
}

static void
read_settings(struct arena *a, struct str s)
{
	static const struct str hidden = {"\nplugins: [x]\n", 14};
	struct str more =
		arena_fmt(a, "%.*s%.*s%.*s", STR_ARG(s), STR_ARG(hidden), STR_ARG(s));

	(void)!facts_settings_is_plain(STR("prettier"), STR("package.json"), s);
	want(!facts_settings_is_plain(STR("prettier"), STR(".prettierrc"), more),
		"settings that name plugins are not plain");
}

static void
read_manifest(struct arena *a, struct str s)
{
	static const char *const names[] = {"/w/package.json", "/w/Makefile"};
	const struct str entries[] = {STR("test"), str_sub(s, 0, 9)};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct judge_manifest m = {
			.path = str_from(names[i]),
			.text = s,
			.entries = entries,
			.entry_count = ARRAY_LEN(entries),
		};

		(void)judge_manifest_shown(a, &m);
		(void)judge_manifest_commands(a, &m);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const agents[] = {"claude-code", "codex", "gemini-cli",
		"qwen-code", "copilot-cli", "droid"};
	CLEANUP(arena_freep) struct arena *a = arena_new(LIMIT_ARENA_BYTES);
	struct str s = {(const char *)data, size};

	want(a && ARENA_TRY(a), "memory");
	for (size_t i = 0; i < ARRAY_LEN(agents); i++)
		read_said(a, agents[i], s);
	read_settings(a, s);
	read_manifest(a, s);
	arena_done(a);
	return 0;
}
