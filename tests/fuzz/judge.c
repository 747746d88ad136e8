/*
 * Any bytes in every place of a prompt where somebody else's text can stand, and
 * as a model's reply: what must hold of a prompt holds (tests/unit/judge_scene.h),
 * text that was redacted stays as it is when that is done again, and no part of
 * a reply allows what the whole does not.
 */

#include "tests/fuzzing/fuzz.h"
#include "tests/unit/judge_scene.h"

enum { CUT = 0x1e }; /* between the texts of two places */

/* The first byte is the kind of call; then a place and its text, and so on. */
static void
fill(struct arena *a, struct str data, struct scene *s)
{
	struct str rest = str_sub(data, 1, data.len), text;

	scene_init(
		s, (enum scene_call)((unsigned char)data.ptr[0] % SCENE_CALL_COUNT));
	while (rest.len > 1) {
		size_t slot = (unsigned char)rest.ptr[0] % SCENE_SLOT_COUNT;

		text = str_cut(str_sub(rest, 1, rest.len), CUT, &rest);
		/* what is blank is left out, which is not what is looked at */
		s->slots[slot] = arena_fmt(a, "x%.*s", STR_ARG(text));
	}
}

static void
look_at_prompt(struct arena *a, struct str data)
{
	struct scene s;

	fill(a, data, &s);
	const char *wrong = scene_check(a, &s);

	fuzz_want(!wrong, wrong);
}

/* What was taken out once is not taken out of its placeholder. */
static void
look_at_redaction(struct str data, enum judge_text kind)
{
	CLEANUP(buf_done) struct buf once, twice;

	buf_init(&once, LIMIT_BODY_BYTES);
	buf_init(&twice, LIMIT_BODY_BYTES);
	if (judge_redact(&once, data, kind) && !once.full
		&& judge_redact(&twice, buf_str(&once), kind))
		fuzz_want(twice.full || str_eq(buf_str(&once), buf_str(&twice)),
			"redacting again changes nothing");
}

static void
look_at_reply(struct arena *a, struct str data)
{
	struct judge_verdict v;

	judge_verdict_read(a, data, &v);
	fuzz_want((v.says == JUDGE_SAYS_FAILURE) == (v.failure != NULL),
		"a failure says why, and nothing else does");
	if (v.says != JUDGE_SAYS_ALLOW)
		return;
	fuzz_want(v.risk != CALL_RISK_NONE && v.risk != CALL_RISK_CRITICAL,
		"an allow has a risk, and no critical one");
	/* the object ends with the last brace: cut there it is none */
	size_t end = data.len;

	while (end > 0 && data.ptr[end - 1] != '}')
		end--;
	judge_verdict_read(a, str_sub(data, 0, end > 0 ? end - 1 : 0), &v);
	fuzz_want(v.says != JUDGE_SAYS_ALLOW, "half a reply allows nothing");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = fuzz_arena();
	struct str s = {(const char *)data, size};

	if (size == 0 || !ARENA_TRY(a))
		return 0;
	look_at_prompt(a, s);
	look_at_redaction(s, JUDGE_TEXT_PROSE);
	look_at_redaction(s, JUDGE_TEXT_COMMAND);
	look_at_reply(a, s);
	arena_done(a);
	return 0;
}
