#include "proxy/cursor_talk.h"

#include <stdlib.h>
#include <string.h>

static size_t
bytes_of(const struct proxy_talk *t)
{
	size_t n = sizeof(*t) + t->id.cap + t->roots.cap + t->allows.cap
		+ t->blocks.cap + t->reply.cap;

	for (size_t i = 0; i < PROXY_TALK_MESSAGES; i++)
		n += t->messages[i].text.cap + t->messages[i].blob.cap;
	for (const struct proxy_talk_tool *m = t->tools; m; m = m->next)
		n += sizeof(*m) + strlen(m->server) + strlen(m->name) + strlen(m->about)
			+ strlen(m->annotations);
	return n;
}

/* --- the conversation's parts --------------------------------------------------- */

static void
add_element(struct buf *b, struct str text)
{
	if (b->len > 0)
		buf_add_char(b, ',');
	buf_add_json(b, text);
}

static void
add_all(struct buf *b, size_t count, const ProtobufCBinaryData *texts)
{
	for (size_t i = 0; i < count; i++)
		add_element(b, proxy_text(texts[i]));
}

/* User, project, administrator, in this order. */
static void
set_instructions(struct proxy_talk *t, const Proxy__Cursor__RequestContext *c)
{
	const Proxy__Cursor__Instructions *const all[] = {
		c->user_permissions_auto_run,
		c->project_permissions_auto_run,
		c->admin_permissions_auto_run,
	};

	buf_clear(&t->allows);
	buf_clear(&t->blocks);
	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		if (!all[i])
			continue;
		add_all(&t->allows, all[i]->n_allow_instructions,
			all[i]->allow_instructions);
		add_all(&t->blocks, all[i]->n_block_instructions,
			all[i]->block_instructions);
	}
}

static void
drop_tools(struct proxy_talk *t)
{
	while (t->tools) {
		struct proxy_talk_tool *m = t->tools;

		t->tools = m->next;
		free(m);
	}
	t->tool_count = 0;
}

static bool
is_tool(const struct proxy_talk_tool *m, struct str server, struct str name)
{
	return str_eq(str_from(m->server), server)
		&& str_eq(str_from(m->name), name);
}

static char *
put(char **at, struct str s)
{
	char *to = *at;

	if (s.len > 0)
		memcpy(to, s.ptr, s.len);
	to[s.len] = '\0';
	*at += s.len + 1;
	return to;
}

/* What a server claims of its tool; a later claim replaces an earlier one. */
static void
set_tool(struct proxy_talk *t, struct str server, struct str name,
	struct str about, struct str annotations)
{
	struct proxy_talk_tool **at = &t->tools;
	struct proxy_talk_tool *m;

	about = str_sub(about, 0, PROXY_TALK_TOOL_BYTES);
	annotations =
		annotations.len > PROXY_TALK_TOOL_BYTES ? (struct str){0} : annotations;
	if (name.len == 0 || server.len > PROXY_TALK_TOOL_BYTES
		|| name.len > PROXY_TALK_TOOL_BYTES)
		return;
	while (*at && !is_tool(*at, server, name))
		at = &(*at)->next;
	if (*at) {
		m = *at;
		*at = m->next;
		free(m);
		t->tool_count--;
	}
	if (t->tool_count >= PROXY_TALK_TOOLS)
		return;
	m = malloc(
		sizeof(*m) + server.len + name.len + about.len + annotations.len + 4);
	if (!m)
		return;
	char *room = m->bytes;

	m->server = put(&room, server);
	m->name = put(&room, name);
	m->about = put(&room, about);
	m->annotations = put(&room, annotations);
	m->next = t->tools;
	t->tools = m;
	t->tool_count++;
}

void
proxy_talk_tool(struct proxy_talk *t, const Proxy__Cursor__McpTool *m)
{
	set_tool(t, proxy_text(m->provider_identifier),
		proxy_text(m->tool_name.len > 0 ? m->tool_name : m->name),
		proxy_text(m->description), (struct str){0});
}

void
proxy_talk_meta(struct proxy_talk *t, const Proxy__Cursor__McpMetaTools *m)
{
	for (size_t i = 0; i < m->n_descriptors; i++) {
		const Proxy__Cursor__McpDescriptor *d = m->descriptors[i];
		ProtobufCBinaryData server = d->server_identifier.len > 0
			? d->server_identifier
			: d->server_name;

		for (size_t k = 0; k < d->n_tools; k++)
			set_tool(t, proxy_text(server), proxy_text(d->tools[k]->tool_name),
				proxy_text(d->tools[k]->description),
				proxy_text(d->tools[k]->annotations_json));
	}
}

void
proxy_talk_context(struct proxy_talk *t, const Proxy__Cursor__RequestContext *c)
{
	if (c->n_tools > 0 || c->mcp_meta_tool_options)
		drop_tools(t);
	for (size_t i = 0; i < c->n_tools; i++)
		proxy_talk_tool(t, c->tools[i]);
	if (c->mcp_meta_tool_options)
		proxy_talk_meta(t, c->mcp_meta_tool_options);
	if (c->env) {
		t->seen = true;
		t->on = c->env->smart_mode_classifier_auto_mode_enabled;
		t->sandbox = c->env->sandbox_enabled;
		buf_clear(&t->roots);
		add_all(&t->roots, c->env->n_workspace_paths, c->env->workspace_paths);
		set_instructions(t, c);
		t->too_large = t->roots.full || t->allows.full || t->blocks.full;
	}
}

/* --- what was said ----------------------------------------------------------------- */

static void
set_text(struct buf *b, struct str text)
{
	struct buf cut;
	size_t n = PROXY_TALK_TEXT;

	buf_clear(b);
	if (text.len <= PROXY_TALK_TEXT) {
		buf_add_json(b, text);
		return;
	}

	while (n > 0 && ((unsigned char)text.ptr[n] & 0xc0) == 0x80)
		n--; /* not in the middle of a character */
	buf_init(&cut, PROXY_TALK_TEXT + (size_t)64);
	buf_add(&cut, str_sub(text, 0, n));
	buf_add(&cut, STR(" [cut]"));
	buf_add_json(b, buf_str(&cut));
	buf_done(&cut);
}

static struct proxy_talk_text *
next_message(struct proxy_talk *t)
{
	struct proxy_talk_text first = t->messages[0];

	if (t->message_count < PROXY_TALK_MESSAGES)
		return &t->messages[t->message_count++];
	for (size_t i = 1; i < PROXY_TALK_MESSAGES; i++)
		t->messages[i - 1] = t->messages[i];
	t->messages[PROXY_TALK_MESSAGES - 1] = first;
	return &t->messages[PROXY_TALK_MESSAGES - 1];
}

bool
proxy_talk_message(struct proxy_talk *t, const Proxy__Cursor__UserMessage *m)
{
	struct str text = proxy_text(m->text);
	bool elsewhere = text.len == 0 && m->text_blob_id.len > 0;
	struct proxy_talk_text *to;

	if (m->is_simulated_msg || (!elsewhere && str_trim(text).len == 0))
		return false; /* not the user's own, or nothing */
	to = next_message(t);
	buf_clear(&to->text);
	buf_clear(&to->blob);
	if (elsewhere)
		buf_add(&to->blob, proxy_text(m->text_blob_id));
	else
		set_text(&to->text, text);
	buf_clear(&t->reply);
	return elsewhere;
}

void
proxy_talk_message_blob(struct proxy_talk *t, struct str id, struct str text)
{
	for (size_t i = 0; i < t->message_count; i++) {
		struct proxy_talk_text *m = &t->messages[i];

		if (m->blob.len == 0 || !str_eq(buf_str(&m->blob), id))
			continue;
		set_text(&m->text, text);
		buf_clear(&m->blob);
	}
}

void
proxy_talk_reply(struct proxy_talk *t, struct str text)
{
	if (t->reply_over && str_trim(text).len > 0) {
		buf_clear(&t->reply);
		t->reply_over = false;
	}
	if (!t->reply_over && t->reply.len < PROXY_TALK_TEXT)
		buf_add(&t->reply, str_sub(text, 0, PROXY_TALK_TEXT - t->reply.len));
}

/* --- all of them ------------------------------------------------------------------------ */

struct proxy_state {
	struct proxy_talk *talks;
	size_t count, bytes;
	uint64_t clock;
};

static void
free_talk(struct proxy_talk *t)
{
	drop_tools(t);
	for (size_t i = 0; i < PROXY_TALK_MESSAGES; i++) {
		buf_done(&t->messages[i].text);
		buf_done(&t->messages[i].blob);
	}
	buf_done(&t->id);
	buf_done(&t->roots);
	buf_done(&t->allows);
	buf_done(&t->blocks);
	buf_done(&t->reply);
	free(t);
}

struct proxy_state *
proxy_state_new(void)
{
	return calloc(1, sizeof(struct proxy_state));
}

void
proxy_state_free(struct proxy_state *s)
{
	if (!s)
		return;
	while (s->talks) {
		struct proxy_talk *t = s->talks;

		s->talks = t->next;
		free_talk(t);
	}
	free(s);
}

size_t
proxy_state_count(const struct proxy_state *s)
{
	return s->count;
}

static void
init_talk(struct proxy_talk *t, struct proxy_state *s, struct str id)
{
	*t = (struct proxy_talk){.state = s};
	buf_init(&t->id, id.len + 1);
	buf_add(&t->id, id);
	buf_init(&t->roots, PROXY_TALK_LISTS);
	buf_init(&t->allows, PROXY_TALK_LISTS);
	buf_init(&t->blocks, PROXY_TALK_LISTS);
	buf_init(&t->reply, PROXY_TALK_TEXT + (size_t)64);
	for (size_t i = 0; i < PROXY_TALK_MESSAGES; i++) {
		/* six bytes for one, at the worst */
		buf_init(&t->messages[i].text, 8 * (size_t)PROXY_TALK_TEXT);
		buf_init(&t->messages[i].blob, 1024);
	}
}

static struct proxy_talk *
oldest_idle(const struct proxy_state *s)
{
	struct proxy_talk *found = NULL;

	for (struct proxy_talk *t = s->talks; t; t = t->next) {
		if (t->runs == 0 && (!found || t->used < found->used))
			found = t;
	}
	return found;
}

static void
forget(struct proxy_state *s, struct proxy_talk *t)
{
	struct proxy_talk **at = &s->talks;

	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
	s->count--;
	s->bytes -= t->bytes;
	free_talk(t);
}

static void
make_room(struct proxy_state *s)
{
	while (s->count > PROXY_TALKS_MAX || s->bytes > PROXY_TALKS_BYTES) {
		struct proxy_talk *t = oldest_idle(s);

		if (!t)
			return; /* all of them are in use */
		forget(s, t);
	}
}

struct proxy_talk *
proxy_talk_get(struct proxy_state *s, struct str id)
{
	struct proxy_talk *t = s->talks;

	while (t && !str_eq(buf_str(&t->id), id))
		t = t->next;
	if (!t) {
		t = malloc(sizeof(*t));
		if (!t)
			return NULL;
		init_talk(t, s, id);
		t->next = s->talks;
		s->talks = t;
		s->count++;
	}
	t->used = ++s->clock;
	return t;
}

void
proxy_talk_ref(struct proxy_talk *t)
{
	t->runs++;
}

void
proxy_talk_unref(struct proxy_talk *t)
{
	if (!t)
		return;
	t->runs--;
	make_room(t->state);
}

void
proxy_talk_changed(struct proxy_talk *t)
{
	struct proxy_state *s = t->state;

	s->bytes -= t->bytes;
	t->bytes = bytes_of(t);
	s->bytes += t->bytes;
	make_room(s);
}
