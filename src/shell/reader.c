#include "shell/shell_priv.h"

void
shell_reader_init(
	struct shell_reader *r, struct shell_reader *outer, struct str text)
{
	*r = (struct shell_reader){
		.st = outer ? outer->st : NULL,
		.outer = outer,
		.text = text.ptr ? text.ptr : "",
		.len = text.len,
		.size = text.len,
	};
	if (outer)
		outer->st->reader = r;
}

void
shell_reader_done(struct shell_reader *r)
{
	r->st->reader = r->outer;
}

/* The place of the next character at or behind pos, past continuations. */
static size_t
past_continuations(const struct shell_reader *r, size_t pos)
{
	while (pos + 1 < r->len && r->text[pos] == '\\' && r->text[pos + 1] == '\n')
		pos += 2;
	return pos;
}

int
shell_peek_second(struct shell_reader *r)
{
	if (shell_peek(r) < 0)
		return -1;
	size_t pos = past_continuations(r, r->pos + 1);

	return pos < r->len ? (unsigned char)r->text[pos] : -1;
}

/* Where the text stands behind op, or 0 if op is not next. */
static size_t
behind(const struct shell_reader *r, const char *op)
{
	size_t pos = r->pos;

	/* by far the most: something else stands here */
	if (pos >= r->len || (r->text[pos] != *op && r->text[pos] != '\\'))
		return 0;
	for (; *op; op++) {
		pos = past_continuations(r, pos);
		if (pos >= r->len || r->text[pos] != *op)
			return 0;
		pos++;
	}
	return pos;
}

bool
shell_sees(struct shell_reader *r, const char *op)
{
	return behind(r, op) > 0;
}

bool
shell_accept(struct shell_reader *r, const char *op)
{
	size_t pos = behind(r, op);

	if (pos == 0)
		return false;
	r->pos = pos;
	return true;
}

void
shell_blanks(struct shell_reader *r)
{
	int c = shell_peek(r);

	while (c == ' ' || c == '\t') {
		r->pos++;
		c = shell_peek(r);
	}
	if (c != '#')
		return;
	while (r->pos < r->len && r->text[r->pos] != '\n')
		r->pos++;
}

void
shell_newlines(struct shell_reader *r)
{
	shell_blanks(r);
	while (shell_peek(r) == '\n') {
		r->pos++;
		r->closed_compound = false;
		if (r->pending)
			shell_heredocs_read(r);
		shell_blanks(r);
	}
}

bool
shell_is_meta(int c)
{
	switch (c) {
	case -1:
	case ' ':
	case '\t':
	case '\n':
	case ';':
	case '&':
	case '|':
	case '<':
	case '>':
	case '(':
	case ')':
		return true;
	default:
		return false;
	}
}

bool
shell_ends_word(struct shell_reader *r)
{
	int c = shell_peek(r);

	return shell_is_meta(c)
		&& ((c != '<' && c != '>') || shell_peek_second(r) != '(');
}

bool
shell_is_name(int c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
		|| (!first && c >= '0' && c <= '9');
}

struct str
shell_joined(struct shell_reader *r, size_t start, size_t end)
{
	char *out = arena_alloc(r->st->a, end - start + 1);
	size_t n = 0;

	for (size_t i = past_continuations(r, start); i < end;
		 i = past_continuations(r, i + 1))
		out[n++] = r->text[i];
	return (struct str){out, n};
}

struct str
shell_name_read(struct shell_reader *r)
{
	size_t start = r->pos, count = 0;

	if (!shell_is_name(shell_peek(r), true))
		return (struct str){r->text + start, 0};
	start = r->pos;
	while (shell_is_name(shell_peek(r), false)) {
		count++;
		r->pos++;
	}
	if (r->pos - start == count)
		return (struct str){r->text + start, count};
	return shell_joined(r, start, r->pos);
}
