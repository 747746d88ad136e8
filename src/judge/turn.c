/*
 * What is the same for all calls of a turn, and grows only at its end.
 */

#include <stdlib.h>

#include "judge/judge_priv.h"

struct judge_turn {
	struct buf text;   /* all sections up to the history's newest entry */
	size_t history_at; /* where the history's lines begin */
	size_t entries;    /* that were added and are shown, or were */
	size_t dropped;    /* of them */
};

enum { TURN_BYTES = 4 << 20, LINE_BYTES = 1 << 20 };

/* --- the session ---------------------------------------------------------------- */

static void
add_list(struct buf *b, const char *key, const struct str *list, size_t count)
{
	buf_addf(b, "\"%s\":[", key);
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			buf_add_char(b, ',');
		judge_add_text(b, list[i], JUDGE_TEXT_CHARS, JUDGE_TEXT_PROSE);
	}
	buf_add_char(b, ']');
}

static void
add_text(struct buf *b, const char *key, struct str text)
{
	buf_addf(b, "\"%s\":", key);
	if (text.ptr)
		judge_add_text(b, text, JUDGE_TEXT_CHARS, JUDGE_TEXT_PROSE);
	else
		buf_add(b, STR("null"));
}

/* One is the other, or is below it. */
static bool
is_at_or_below(struct str path, struct str folder)
{
	while (folder.len > 0 && folder.ptr[folder.len - 1] == '/')
		folder.len--;
	return str_starts(path, folder)
		&& (path.len == folder.len || path.ptr[folder.len] == '/');
}

/* Scratch folders that assent's own places are in, or that are in them. */
static bool
is_own(const struct call_world *w, struct str path)
{
	const struct str own[] = {
		w->assent_config, w->assent_state, w->assent_socket, w->assent_program};

	for (size_t i = 0; i < ARRAY_LEN(own); i++) {
		if (own[i].len > 0
			&& (is_at_or_below(path, own[i]) || is_at_or_below(own[i], path)))
			return true;
	}
	return str_has(path, STR("/.assent"));
}

static void
add_scratch(struct buf *b, const struct judge_context *c)
{
	bool first = true;

	buf_add(b, STR(",\"scratch\":["));
	for (size_t i = 0; i < c->scratch_count; i++) {
		if (c->world && is_own(c->world, c->scratch[i]))
			continue;
		if (!first)
			buf_add_char(b, ',');
		first = false;
		judge_add_text(
			b, c->scratch[i], JUDGE_RESOURCE_CHARS, JUDGE_TEXT_PROSE);
	}
	buf_add_char(b, ']');
}

static bool
is_own_message(const struct judge_message *m)
{
	return m->from_user && !m->injected && str_trim(m->text).len > 0;
}

static void
add_messages(struct buf *b, const struct judge_context *c)
{
	size_t own = 0, skip;

	for (size_t i = 0; i < c->message_count; i++)
		own += is_own_message(&c->messages[i]);
	skip = own > JUDGE_MESSAGES ? own - JUDGE_MESSAGES : 0;
	own = 0;
	buf_add(b, STR("{\"user_messages\":["));
	for (size_t i = 0; i < c->message_count; i++) {
		if (!is_own_message(&c->messages[i]) || own++ < skip)
			continue;
		if (own > skip + 1)
			buf_add_char(b, ',');
		judge_add_text(
			b, c->messages[i].text, JUDGE_TEXT_CHARS, JUDGE_TEXT_PROSE);
	}
	buf_add(b, STR("]}\n"));
}

static void
add_context(struct buf *b, const struct judge_context *c)
{
	buf_add(b, STR("<session_context>\n{"));
	add_text(b, "agent", c->agent);
	buf_add_char(b, ',');
	add_text(b, "agent_role", c->agent_role);
	buf_add_char(b, ',');
	add_list(b, "workspace", c->roots, c->root_count);
	add_scratch(b, c);
	buf_add_char(b, ',');
	add_list(b, "flags", c->flags, c->flag_count);
	buf_add(b, STR("}\n{"));
	add_list(b, "user_allows", c->allows, c->allow_count);
	buf_add_char(b, ',');
	add_list(b, "user_blocks", c->blocks, c->block_count);
	buf_add(b, STR("}\n{"));
	add_text(b, "task", c->task);
	buf_add(b, STR("}\n"));
	add_messages(b, c);
	buf_add(b, STR("</session_context>\n"));
}

struct str
judge_last_reply(const struct judge_message *messages, size_t count)
{
	struct str last = {0};

	for (size_t i = 0; i < count; i++) {
		if (is_own_message(&messages[i]))
			last = (struct str){0};
		else if (!messages[i].from_user && str_trim(messages[i].text).len > 0)
			last = messages[i].text;
	}
	return last;
}

/* --- history ----------------------------------------------------------------------- */

/* Only a person's note is called the user's, and only a tier's the tier's. */
static void
add_note(struct buf *b, const struct judge_entry *e)
{
	bool user = e->source == JUDGE_SOURCE_USER;

	if (str_trim(e->note).len == 0 || (!user && e->source != JUDGE_SOURCE_TIER))
		return;
	buf_add(b, user ? STR(" (user note: ") : STR(" (tier note: "));
	judge_add_text(b, str_trim(e->note), JUDGE_TEXT_CHARS, JUDGE_TEXT_PROSE);
	buf_add_char(b, ')');
}

static void
add_outcome(struct buf *b, struct str outcome)
{
	static const char *const plain[] = {"allowed", "denied", "rejected",
		"asked", "withdrawn", "completed", "succeeded", "failed", "cancelled"};

	for (size_t i = 0; i < ARRAY_LEN(plain); i++) {
		if (str_eq(outcome, str_from(plain[i]))) {
			buf_add(b, outcome);
			return;
		}
	}
	judge_add_text(b, outcome, JUDGE_RESOURCE_CHARS, JUDGE_TEXT_PROSE);
}

bool
judge_entry_subject(struct buf *b, const struct judge_entry *e)
{
	if (e->hidden)
		return false;
	judge_add_action(b, e->action);
	if (e->tool_name.ptr) {
		buf_add(b, STR(" by "));
		judge_add_text(b, e->tool_name, JUDGE_RESOURCE_CHARS, JUDGE_TEXT_PROSE);
	}
	buf_add(b, STR(" on "));
	(void)judge_add_resources(b, e->action, e->resources, e->resource_count);
	return !b->full;
}

void
judge_entry_outcome(struct buf *b, const struct judge_entry *e)
{
	buf_add(b, STR(" -> "));
	add_outcome(b, e->outcome);
	add_note(b, e);
}

static void
add_dropped(struct buf *b, size_t count)
{
	buf_addf(b, "(%zu earlier calls of this turn are not shown)\n", count);
}

/*
 * Makes room: the oldest entries go, many at a time, so that the prefix stays
 * the same for long after.
 */
static void
drop_old(struct judge_turn *t)
{
	struct str all = buf_str(&t->text);
	struct str rest = str_sub(all, t->history_at, all.len), line;
	size_t dropped_before = t->dropped;
	struct buf shorter;

	if (t->dropped > 0) /* the line that says how many are gone */
		rest = str_sub(rest, str_find(rest, STR("\n"), 0) + 1, rest.len);
	/* the newest stays, however long it is */
	while (rest.len > JUDGE_HISTORY_KEEP_BYTES
		&& str_find(rest, STR("\n"), 0) + 1 < rest.len
		&& str_line(&rest, &line))
		t->dropped++;
	if (t->dropped == dropped_before)
		return;
	buf_init(&shorter, TURN_BYTES);
	buf_add(&shorter, str_sub(all, 0, t->history_at));
	add_dropped(&shorter, t->dropped);
	buf_add(&shorter, rest);
	buf_done(&t->text);
	t->text = shorter;
}

void
judge_turn_add_line(struct judge_turn *t, struct str line)
{
	buf_addf(&t->text, "%zu. ", ++t->entries);
	buf_add(&t->text, line);
	buf_add_char(&t->text, '\n');
	if (t->text.len - t->history_at > JUDGE_HISTORY_BYTES)
		drop_old(t);
}

void
judge_turn_add(struct judge_turn *t, const struct judge_entry *e)
{
	CLEANUP(buf_done) struct buf line;

	buf_init(&line, LINE_BYTES);
	if (!judge_entry_subject(&line, e))
		return;
	judge_entry_outcome(&line, e);
	judge_turn_add_line(t, buf_str(&line));
}

void
judge_turn_skip(struct judge_turn *t, size_t count)
{
	CHECK(t->entries == 0);
	if (count == 0)
		return;
	t->entries = t->dropped = count;
	add_dropped(&t->text, count);
}

size_t
judge_turn_entries(const struct judge_turn *t)
{
	return t->entries;
}

size_t
judge_turn_dropped(const struct judge_turn *t)
{
	return t->dropped;
}

/* --- the turn ------------------------------------------------------------------------ */

static void
print_head(struct buf *b, const struct judge_context *c,
	const struct judge_chosen *rules)
{
	add_context(b, c);
	judge_rules_print(b, rules);
	buf_add(b, STR("<tool_history>\n"));
}

void
judge_turn_head(struct arena *a, const struct judge_context *c, struct buf *ret)
{
	struct judge_chosen rules;

	judge_rules_choose(a, c, &rules);
	print_head(ret, c, &rules);
}

struct judge_turn *
judge_turn_open(void)
{
	struct judge_turn *t = calloc(1, sizeof(*t));

	if (t)
		buf_init(&t->text, TURN_BYTES);
	return t;
}

void
judge_turn_set_head(struct judge_turn *t, struct str head)
{
	struct buf all;

	buf_init(&all, TURN_BYTES);
	buf_add(&all, head);
	buf_add(&all, str_sub(buf_str(&t->text), t->history_at, t->text.len));
	all.full |= t->text.full;
	buf_done(&t->text);
	t->text = all;
	t->history_at = head.len;
}

struct judge_turn *
judge_turn_new(struct arena *a, const struct judge_context *c)
{
	struct judge_chosen rules;

	/* a may jump here, but nothing is owned yet */
	judge_rules_choose(a, c, &rules);
	struct judge_turn *t = judge_turn_open();

	if (!t)
		return NULL;
	print_head(&t->text, c, &rules);
	t->history_at = t->text.len;
	return t;
}

void
judge_turn_free(struct judge_turn *t)
{
	if (!t)
		return;
	buf_done(&t->text);
	free(t);
}

void
judge_turn_freep(struct judge_turn **t)
{
	judge_turn_free(*t);
	*t = NULL;
}

bool
judge_turn_is_whole(const struct judge_turn *t)
{
	return !t->text.full;
}

struct str
judge_turn_text(const struct judge_turn *t)
{
	return buf_str(&t->text);
}
