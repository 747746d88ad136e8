#include "llm/reply.h"

#include "wire/json.h"

void
llm_reply_init(struct llm_reply *r, llm_read_fn read)
{
	*r = (struct llm_reply){
		.read = read,
		.input = -1,
		.cached = -1,
		.output = -1,
	};
	buf_init(&r->text, JUDGE_REPLY_BYTES);
	buf_init(&r->line, LLM_REPLY_EVENT);
	buf_init(&r->event, LLM_REPLY_EVENT);
}

void
llm_reply_done(struct llm_reply *r)
{
	buf_done(&r->text);
	buf_done(&r->line);
	buf_done(&r->event);
}

void
llm_reply_type(struct llm_reply *r, struct str type)
{
	r->framing = str_has_fold(type, STR("event-stream")) ? LLM_FRAMING_SSE
		: str_has_fold(type, STR("ndjson")) || str_has_fold(type, STR("jsonl"))
		? LLM_FRAMING_LINES
		: LLM_FRAMING_WHOLE;
}

/* --- for readers ------------------------------------------------------------------ */

void
llm_reply_clean(char *ret, size_t size, struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len && n + 1 < size; i++) {
		char c = s.ptr[i];

		if (c >= ' ' && c < 127)
			ret[n++] = c;
		else if (n > 0 && ret[n - 1] != ' ')
			ret[n++] = ' ';
	}
	ret[n] = '\0';
}

void
llm_reply_trouble(struct llm_reply *r, enum llm_trouble t, struct str detail)
{
	if (r->trouble != LLM_TROUBLE_NONE)
		return;
	r->trouble = t;
	llm_reply_clean(r->detail, sizeof(r->detail), detail);
}

bool
llm_reply_error(struct llm_reply *r, const json_t *event)
{
	json_t *error = wire_json_get(event, "error");

	if (!error || json_is_null(error))
		return false;
	llm_reply_trouble(r, LLM_TROUBLE_SERVER,
		json_is_string(error) ? wire_json_text(error)
							  : wire_json_str(error, "message"));
	return true;
}

void
llm_reply_count(int64_t *count, const json_t *usage, const char *key)
{
	int64_t n = wire_json_int(usage, key, -1);

	if (n >= 0)
		*count = n;
}

/* Follows the braces of an object that begins the text. */
static void
look_for_end(struct llm_reply *r)
{
	for (; r->looked < r->text.len && !r->complete; r->looked++) {
		char c = r->text.ptr[r->looked];
		bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';

		if (!r->plain && r->depth == 0) {
			r->plain = c == '{';
			if (!r->plain && !blank)
				return; /* prose, or a fence: to its end */
		}
		if (r->in_string) {
			r->in_string = r->escaped || c != '"';
			r->escaped = !r->escaped && c == '\\';
		} else if (c == '"') {
			r->in_string = true;
		} else if (c == '{' || c == '[') {
			r->depth++;
		} else if ((c == '}' || c == ']') && r->depth > 0) {
			r->complete = --r->depth == 0;
		}
	}
}

void
llm_reply_text(struct llm_reply *r, struct str piece)
{
	if (piece.len == 0)
		return;
	buf_add(&r->text, piece);
	if (r->text.full)
		llm_reply_trouble(r, LLM_TROUBLE_UNREADABLE, STR("it is too long"));
	else
		look_for_end(r);
}

/* --- framing ------------------------------------------------------------------------ */

static void
read_event(struct llm_reply *r, struct str text)
{
	struct wire_json_error e;

	text = str_trim(text);
	if (text.len == 0)
		return;
	if (str_eq(text, STR("[DONE]"))) {
		r->closed = true;
		return;
	}
	WIRE_JSON json_t *j = wire_json_parse(text, &e);

	if (!j || !json_is_object(j))
		llm_reply_trouble(r, LLM_TROUBLE_UNREADABLE,
			STR("the provider sent what is not JSON"));
	else
		r->read(r, j);
}

static void
read_line(struct llm_reply *r, struct str line)
{
	if (line.len > 0 && line.ptr[line.len - 1] == '\r')
		line.len--;
	if (r->framing == LLM_FRAMING_LINES) {
		read_event(r, line);
		return;
	}
	if (line.len == 0) {
		read_event(r, buf_str(&r->event));
		buf_clear(&r->event);
	} else if (str_starts(line, STR("data:"))) {
		if (r->event.len > 0)
			buf_add_char(&r->event, '\n');
		line = str_sub(line, 5, line.len);
		buf_add(&r->event,
			str_starts(line, STR(" ")) ? str_sub(line, 1, line.len) : line);
	}
}

static void
add_lines(struct llm_reply *r, struct str bytes)
{
	while (bytes.len > 0) {
		struct str rest, line = str_cut(bytes, '\n', &rest);

		if (!rest.ptr) {
			buf_add(&r->line, line);
			return;
		}
		bytes = rest;
		if (r->line.len > 0) {
			buf_add(&r->line, line);
			line = buf_str(&r->line);
		}
		read_line(r, line);
		buf_clear(&r->line);
	}
}

void
llm_reply_add(struct llm_reply *r, struct str bytes)
{
	r->bytes += bytes.len;
	if (r->framing == LLM_FRAMING_WHOLE)
		buf_add(&r->event, bytes);
	else
		add_lines(r, bytes);
	if (r->bytes > LLM_REPLY_BYTES || r->event.full || r->line.full)
		llm_reply_trouble(
			r, LLM_TROUBLE_UNREADABLE, STR("the provider sent too much"));
}

enum llm_trouble
llm_reply_end(struct llm_reply *r)
{
	if (r->framing == LLM_FRAMING_WHOLE)
		read_event(r, buf_str(&r->event));
	else if (r->line.len > 0)
		read_line(r, buf_str(&r->line));
	if (r->framing == LLM_FRAMING_SSE && r->event.len > 0)
		read_event(r, buf_str(&r->event)); /* its blank line did not come */
	if (r->trouble != LLM_TROUBLE_NONE)
		return r->trouble;
	if (r->called)
		llm_reply_trouble(
			r, LLM_TROUBLE_UNREADABLE, STR("it wanted to call a tool"));
	else if (!r->finished && !r->complete)
		llm_reply_trouble(r, LLM_TROUBLE_TRUNCATED, STR(""));
	return r->trouble;
}
