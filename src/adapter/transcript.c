#include "adapter/transcript.h"

#include <string.h>

#include "adapter/transcript_priv.h"
#include "wire/json.h"

enum { MODEL_BYTES_MAX = 200 };

/* To add an agent: a reader, and a line here. */
static const struct adapter_transcript rows[] = {
	{"claude-code", ".claude/projects",       ".jsonl", adapter_transcript_claude},
	{"codex",       ".codex/sessions",        ".jsonl", adapter_transcript_codex },
	{"gemini-cli",  ".gemini/tmp",            ".jsonl", adapter_transcript_gemini},
	{"qwen-code",   ".qwen/projects",         ".jsonl", adapter_transcript_qwen  },
	{"copilot-cli", ".copilot/session-state", ".jsonl",
     adapter_transcript_copilot												  },
	{"droid",       ".factory/sessions",      ".jsonl", adapter_transcript_droid },
};

const struct adapter_transcript *
adapter_transcript_find(struct str agent)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (str_eq(agent, str_from(rows[i].agent)))
			return &rows[i];
	}
	return NULL;
}

const char *
adapter_transcript_folder(const struct adapter_transcript *t)
{
	return t->folder;
}

/* No part of it climbs or stands still. */
static bool
is_clean(struct str path)
{
	if (path.len == 0 || str_has_char(path, '\0'))
		return false;
	while (path.ptr) {
		struct str part = str_cut(path, '/', &path);

		if (part.len == 0 || str_eq(part, STR(".")) || str_eq(part, STR("..")))
			return false;
	}
	return true;
}

bool
adapter_transcript_is(const struct adapter_transcript *t, struct str home,
	struct str path, struct str *ret_rest)
{
	struct str folder = str_from(t->folder), rest;

	while (home.len > 0 && home.ptr[home.len - 1] == '/')
		home.len--;
	if (!str_starts(path, home) || !str_ends(path, str_from(t->ends)))
		return false;
	rest = str_sub(path, home.len, path.len);
	if (!str_starts(rest, STR("/")))
		return false;
	rest = str_sub(rest, 1, rest.len);
	if (!str_starts(rest, folder))
		return false;
	rest = str_sub(rest, folder.len, rest.len);
	if (!str_starts(rest, STR("/")))
		return false;
	rest = str_sub(rest, 1, rest.len);
	if (!is_clean(rest))
		return false;
	*ret_rest = rest;
	return true;
}

/* --- the text of a message ------------------------------------------------- */

/* Kept texts lie one behind the other, so the NUL between two becomes the line
 * feed. */
static struct str
join(struct str before, struct str more, char *more_at)
{
	if (!before.ptr)
		return more;
	if (!more.ptr)
		return before;
	more_at[-1] = '\n';
	return (struct str){before.ptr, before.len + 1 + more.len};
}

static bool
is_text_part(const struct adapter_parts *parts, const json_t *part)
{
	if (wire_json_bool(part, "thought"))
		return false;
	if (!parts->kind)
		return wire_json_str(part, "text").ptr != NULL;
	return str_eq_fold(wire_json_str(part, parts->kind), str_from(parts->text));
}

struct str
adapter_said_text(struct adapter_telling *t, const json_t *content,
	const struct adapter_parts *parts, bool *ret_result)
{
	struct str text = {0};
	const json_t *part;
	size_t i;

	*ret_result = false;
	if (json_is_string(content))
		return adapter_said_before_files(
			adapter_said_keep(&t->r, wire_json_text(content)));
	json_array_foreach (content, i, part) {
		char *at = t->r.room;

		if (json_is_string(part))
			text =
				join(text, adapter_said_keep(&t->r, wire_json_text(part)), at);
		else if (is_text_part(parts, part))
			text = join(text,
				adapter_said_keep(&t->r, wire_json_str(part, "text")), at);
		else if (wire_json_get(part, "tool_use_id"))
			*ret_result = true;
	}
	return adapter_said_before_files(text);
}

bool
adapter_said_by_user(struct adapter_telling *t, struct str text, bool injected,
	struct adapter_said *ret)
{
	text = str_trim(text);
	if (text.len == 0)
		return false;
	ret->from_user = true;
	ret->injected = injected || t->not_user || adapter_said_is_injected(text);
	ret->text = text;
	return true;
}

bool
adapter_said_by_agent(struct str text, struct adapter_said *ret)
{
	ret->text = str_trim(text);
	return ret->text.len > 0;
}

/* What the agent says in a model's place ("<synthetic>") is by none. */
void
adapter_said_model(struct adapter_telling *t, struct str name)
{
	if (name.len == 0 || name.len > MODEL_BYTES_MAX || name.ptr[0] == '<'
		|| str_eq(name, t->model))
		return;
	t->model = adapter_keep(&t->r, name);
}

/* --- time ------------------------------------------------------------------- */

/* The number in the digits from i to end; -1 if they are none. */
static int64_t
digits(struct str s, size_t i, size_t end)
{
	int64_t n = 0;

	return str_number(str_sub(s, i, end), &n) ? n : -1;
}

/* Days from 1970 on, in the calendar that goes back for ever. */
static int64_t
days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t from_march = month <= 2 ? month + 9 : month - 3;

	return 365 * y + y / 4 - y / 100 + y / 400 + (153 * from_march + 2) / 5
		+ day - 1 - 719468;
}

int64_t
adapter_said_time(struct str s)
{
	int64_t year = digits(s, 0, 4), month = digits(s, 5, 7);
	int64_t day = digits(s, 8, 10), hour = digits(s, 11, 13);
	int64_t minute = digits(s, 14, 16), second = digits(s, 17, 19), ms = 0;

	if (s.len < 20 || !str_ends(s, STR("Z")) || year < 1970 || month < 1
		|| month > 12 || day < 1 || hour < 0 || minute < 0 || second < 0)
		return 0;
	if (s.len >= 24 && s.ptr[19] == '.')
		ms = digits(s, 20, 23);
	if (ms < 0)
		ms = 0;
	return (((days_of(year, month, day) * 24 + hour) * 60 + minute) * 60
			   + second)
		* 1000
		+ ms;
}

/* --- a file ----------------------------------------------------------------- */

static size_t
count_lines(struct str s)
{
	size_t n = 1;

	for (size_t i = 0; i < s.len; i++)
		n += s.ptr[i] == '\n';
	return n;
}

/* One line; nothing of the arena is allocated here. */
static bool
read_line(const struct adapter_transcript *row, struct adapter_telling *t,
	struct str line, struct adapter_said *ret)
{
	struct wire_json_error e;
	struct adapter_reader before = t->r;

	*ret = (struct adapter_said){.from_user = false};
	if (!str_starts(line, STR("{")))
		return false;
	WIRE_JSON json_t *j = wire_json_parse(line, &e);

	if (!j)
		return false;
	ret->time_ms = adapter_said_time(wire_json_str(j, "timestamp"));
	struct str model = t->model;
	bool is_message = row->read(t, j, ret) && !t->r.bad;

	ret->model = t->model;
	if (!is_message && str_eq(t->model, model))
		t->r = before; /* what it kept is not needed */
	t->r.bad = false;
	return is_message;
}

size_t
adapter_transcript_read(struct arena *a, const struct adapter_transcript *row,
	struct str tail, bool is_cut, struct adapter_said **ret)
{
	enum { SPARE = 1024 };
	struct adapter_said *list;
	struct str line;
	size_t n = 0;

	if (is_cut) {
		size_t end = str_find(tail, STR("\n"), 0);

		tail = str_sub(tail, end + 1, tail.len);
	}
	list = ARENA_ARRAY(a, count_lines(tail), struct adapter_said);
	struct adapter_telling t = {
		.r = {.room = arena_alloc(a, tail.len + SPARE),
			  .left = tail.len + SPARE},
	};

	while (str_line(&tail, &line))
		n += read_line(row, &t, line, &list[n]);
	*ret = list;
	return n;
}

/* --- what a judge is told of ------------------------------------------------ */

static bool
is_own(const struct adapter_said *s)
{
	return s->from_user && !s->injected;
}

bool
adapter_said_has_user(const struct adapter_said *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (is_own(&list[i]))
			return true;
	}
	return false;
}

/* Behind the last whole character before byte i. */
static size_t
at_character(struct str s, size_t i)
{
	while (i > 0 && i < s.len && ((unsigned char)s.ptr[i] & 0xc0) == 0x80)
		i--;
	return i;
}

/* A long text without its middle. */
static struct str
shorten(struct arena *a, struct str s)
{
	enum { HEAD = ADAPTER_SAID_BYTES_MAX * 3 / 4, TAIL = 15 << 10 };
	size_t head, tail;

	if (s.len <= ADAPTER_SAID_BYTES_MAX)
		return s;
	head = at_character(s, HEAD);
	tail = at_character(s, s.len - TAIL);
	return arena_fmt(a, "%.*s [... %zu bytes cut ...] %.*s",
		STR_ARG(str_sub(s, 0, head)), tail - head,
		STR_ARG(str_sub(s, tail, s.len)));
}

/* A file may hold a message in two forms, one behind the other. */
static bool
is_again(const struct adapter_said *list, size_t i)
{
	return i > 0 && is_own(&list[i - 1])
		&& str_eq(list[i].text, list[i - 1].text);
}

size_t
adapter_said_pick(struct arena *a, const struct adapter_said *list,
	size_t count, struct adapter_said ret[ADAPTER_SAID_MAX])
{
	const struct adapter_said *reply = NULL;
	size_t first = count, n = 0;

	/* back to the last but two of the user's own */
	for (size_t own = 0; first > 0 && own < ADAPTER_SAID_MAX - 1; first--)
		own += is_own(&list[first - 1]) && !is_again(list, first - 1);
	for (size_t i = first; i < count; i++) {
		if (!is_own(&list[i])) {
			reply = list[i].from_user ? reply : &list[i];
			continue;
		}
		reply = NULL;
		if (!is_again(list, i))
			ret[n++] = list[i];
	}
	if (reply)
		ret[n++] = *reply;
	for (size_t i = 0; i < n; i++)
		ret[i].text = shorten(a, ret[i].text);
	return n;
}
