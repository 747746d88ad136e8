#include "policy/policy_priv.h"

/*
 * A line of a rules file into words. Blanks part them, double quotes hold them
 * together, `#` begins a comment where a word could begin.
 */

struct lexer {
	struct arena *a;
	struct str text;
	size_t at;
	struct policy_fault *fault;
};

/* Columns count characters, as editors do. */
static unsigned
column_of(struct str line, size_t at)
{
	unsigned column = 1;

	for (size_t i = 0; i < at && i < line.len; i++)
		column += ((unsigned char)line.ptr[i] & 0xC0) != 0x80;
	return column;
}

static bool
wrong(struct lexer *l, size_t at, const char *message, const char *suggestion)
{
	*l->fault = (struct policy_fault){
		.column = column_of(l->text, at),
		.message = str_from(message),
		.suggestion = str_from(suggestion),
	};
	return false;
}

/* Text that hides or reorders what a person reads; the selectors behind coloured
 * signs only say how they are drawn. */
static bool
is_hidden(uint32_t c)
{
	return (c >= 0x80 && c <= 0x9F)
		|| (str_code_is_hidden(c) && !(c >= 0xFE00 && c <= 0xFE0F));
}

static bool
check_text(struct lexer *l)
{
	for (size_t i = 0; i < l->text.len;) {
		uint32_t code = 0;
		size_t n = str_utf8(str_sub(l->text, i, l->text.len), &code);

		if (n == 0)
			return wrong(l, i, "this is not UTF-8", "save the file as UTF-8");
		if ((code < ' ' && code != '\t') || code == 0x7F)
			return wrong(l, i, "a control character", "remove it");
		if (is_hidden(code))
			return wrong(l, i, "a character that hides or reorders text",
				"remove it; it cannot be seen");
		i += n;
	}
	return true;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* A word in double quotes; \" and \\ are the only escapes. */
static bool
read_quoted(struct lexer *l, struct str *ret)
{
	size_t start = l->at++;
	char *out = arena_alloc(l->a, l->text.len - start + 1);
	size_t n = 0;

	for (; l->at < l->text.len; l->at++) {
		char c = l->text.ptr[l->at];
		bool more = l->at + 1 < l->text.len;

		if (c == '"')
			break;
		if (c == '\\' && more
			&& (l->text.ptr[l->at + 1] == '"'
				|| l->text.ptr[l->at + 1] == '\\'))
			c = l->text.ptr[++l->at];
		out[n++] = c;
	}
	if (l->at == l->text.len)
		return wrong(l, start, "this quote is not closed",
			"close it with \" on the same line");
	l->at++;
	if (l->at < l->text.len && !is_blank(l->text.ptr[l->at]))
		return wrong(l, l->at, "a word touches the quote before it",
			"put a blank between them");
	*ret = (struct str){out, n};
	return true;
}

static bool
read_bare(struct lexer *l, struct str *ret)
{
	size_t start = l->at;

	if (l->text.ptr[start] == '\'')
		return wrong(
			l, start, "single quotes do not quote here", "use double quotes");
	for (; l->at < l->text.len && !is_blank(l->text.ptr[l->at]); l->at++) {
		if (l->text.ptr[l->at] == '"')
			return wrong(l, l->at, "a quote inside a word",
				"put the whole word in double quotes");
	}
	*ret = str_sub(l->text, start, l->at);
	return true;
}

bool
policy_line_parse(struct arena *a, struct str text, struct policy_line *ret,
	struct policy_fault *reterr_fault)
{
	struct lexer l = {.a = a, .text = text, .fault = reterr_fault};

	ret->count = 0;
	if (text.len > POLICY_LINE_BYTES_MAX)
		return wrong(&l, POLICY_LINE_BYTES_MAX,
			"this line is longer than 4096 bytes", "split it");
	if (!check_text(&l))
		return false;
	for (;;) {
		struct policy_token t = {.quoted = false};

		while (l.at < text.len && is_blank(text.ptr[l.at]))
			l.at++;
		ret->end = column_of(text, l.at);
		if (l.at == text.len || text.ptr[l.at] == '#')
			return true;
		if (ret->count == POLICY_WORDS_MAX)
			return wrong(&l, l.at, "more than 64 words on a line", "split it");
		t.column = ret->end;
		t.quoted = text.ptr[l.at] == '"';
		if (!(t.quoted ? read_quoted(&l, &t.text) : read_bare(&l, &t.text)))
			return false;
		ret->tokens[ret->count++] = t;
	}
}

const char *
policy_nearest(struct str word, const char *const *words, size_t count)
{
	size_t limit = word.len < 4 ? 2 : 3;
	size_t best = limit;
	const char *found = NULL;

	for (size_t i = 0; i < count; i++) {
		size_t d = str_distance(word, str_from(words[i]), limit);

		if (d < best) {
			best = d;
			found = words[i];
		}
	}
	return found;
}
