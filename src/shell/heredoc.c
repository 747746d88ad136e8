/*
 * Here-documents: the bodies stand behind the line of their operators.
 */

#include <string.h>

#include "shell/shell_priv.h"

/* A word such as $X or `x` is its own text. */
static struct str
raw(struct shell_reader *r, size_t start, size_t end, bool *ret_quoted)
{
	char *out = arena_alloc(r->st->a, end - start + 1);
	size_t n = 0;
	char quote = '\0';

	for (size_t i = start; i < end; i++) {
		char c = r->text[i];

		if (c == '\\' && quote != '\'' && i + 1 < end) {
			i++;
			*ret_quoted |= r->text[i] != '\n';
			if (r->text[i] != '\n')
				out[n++] = r->text[i];
		} else if (quote != '\0' ? c == quote : c == '\'' || c == '"') {
			quote = (char)(quote != '\0' ? '\0' : c);
			*ret_quoted = true;
		} else {
			out[n++] = c;
		}
	}
	return (struct str){out, n};
}

static bool
has_quotes(const struct shell_node *word)
{
	for (const struct shell_node *n = word->first; n; n = n->next) {
		if (n->kind == SHELL_DQUOTE || (n->flags & SHELL_QUOTED))
			return true;
	}
	return false;
}

void
shell_heredoc_add(struct shell_reader *r, struct shell_node *redir,
	struct shell_node *word, size_t start, bool strip)
{
	struct shell_pending *p = ARENA_NEW(r->st->a, struct shell_pending);
	struct shell_pending **end = &r->pending;
	struct shell_node *lit = shell_node_new(r, SHELL_LIT, start);

	p->redir = redir;
	p->strip = strip;
	/* no parts at all: '' */
	p->quoted = has_quotes(word) || !word->first;
	if (!shell_word_text(r->st->a, word, &p->delimiter))
		p->delimiter = raw(r, start, r->pos, &p->quoted);
	lit->text = p->delimiter;
	lit->flags = p->quoted ? SHELL_QUOTED : 0;
	shell_node_end(r, lit);
	word->first = word->last = NULL;
	if (p->delimiter.len > 0)
		shell_node_add(word, lit);
	while (*end)
		end = &(*end)->next;
	*end = p;
}

/* Behind the line that begins at pos (its line feed included). Where
 * continuations join lines, that is the last of them. */
static size_t
line_end(const struct shell_reader *r, size_t pos, bool joins)
{
	for (;;) {
		const char *at = memchr(r->text + pos, '\n', r->len - pos);
		size_t end = at ? (size_t)(at - r->text) : r->len, slashes = 0;

		while (end - slashes > pos && r->text[end - slashes - 1] == '\\')
			slashes++;
		if (!at)
			return r->len;
		if (!joins || slashes % 2 == 0)
			return end + 1;
		pos = end + 1;
	}
}

/* Behind the delimiter at pos, where nothing else may stand on the line, or 0.
 * Within $( ) it may be followed by whatever has a ")". */
static size_t
delimiter_end(const struct shell_reader *r, const struct shell_pending *p,
	size_t pos, size_t end)
{
	size_t n = 0;

	for (; pos < end && n < p->delimiter.len; pos++) {
		if (!p->quoted && r->text[pos] == '\\' && pos + 1 < end
			&& r->text[pos + 1] == '\n') {
			pos++;
			continue;
		}
		if (r->text[pos] != p->delimiter.ptr[n])
			return 0;
		n++;
	}
	while (!p->quoted && pos + 1 < end && r->text[pos] == '\\'
		&& r->text[pos + 1] == '\n')
		pos += 2;
	if (n < p->delimiter.len)
		return 0;
	if (pos == end || r->text[pos] == '\n')
		return end;
	return r->comsubs > 0 && memchr(r->text + pos, ')', end - pos) ? pos : 0;
}

static size_t
past_tabs(const struct shell_reader *r, size_t pos, size_t end)
{
	while (pos < end && r->text[pos] == '\t')
		pos++;
	return pos;
}

/* The body's lines start..end without the tabs in front. */
static struct str
stripped(struct shell_reader *r, size_t start, size_t end, bool joins)
{
	char *out = arena_alloc(r->st->a, end - start + 1);
	size_t n = 0;

	while (start < end) {
		size_t next = line_end(r, start, joins);

		start = past_tabs(r, start, next);
		memcpy(out + n, r->text + start, next - start);
		n += next - start;
		start = next;
	}
	return (struct str){out, n};
}

static void
read_parts(
	struct shell_reader *r, struct shell_node *n, struct str text, bool moved)
{
	struct shell_reader inner;

	if (r->st->dry > 0)
		return;
	shell_reader_init(&inner, r, text);
	inner.base = n->start;
	inner.fixed_end = moved ? n->end : 0;
	if (shell_enter(&inner, n)) {
		r->st->late++;
		shell_span_read(&inner, n, SHELL_SPAN_HEREDOC, 0);
		r->st->late--;
		shell_leave(&inner);
	}
	shell_reader_done(&inner);
}

/* The body of one, from the reader's place to behind its delimiter. */
static void
read_body(struct shell_reader *r, const struct shell_pending *p)
{
	struct shell_node *n = shell_node_new(r, SHELL_HEREDOC, r->pos);
	size_t start = r->pos, end = start, next = start;
	size_t found = 0;

	while (found == 0 && next < r->len) {
		end = next;
		next = line_end(r, end, !p->quoted);
		found =
			delimiter_end(r, p, p->strip ? past_tabs(r, end, next) : end, next);
	}
	if (found == 0)
		end = next;
	else
		next = found;
	r->pos = end;
	shell_node_end(r, n);
	n->role = SHELL_ROLE_BODY;
	n->flags = p->quoted ? SHELL_QUOTED : 0;
	struct str body = p->strip ? stripped(r, start, end, !p->quoted)
							   : shell_source(r, start, end);

	if (!p->quoted) {
		read_parts(r, n, body, p->strip || r->fixed_end > 0);
	} else if (body.len > 0) {
		struct shell_node *lit = shell_node_new(r, SHELL_LIT, start);

		lit->text = body;
		lit->flags = SHELL_QUOTED;
		lit->start = n->start;
		lit->end = n->end;
		shell_node_add(n, lit);
	}
	shell_node_add(p->redir, n);
	r->pos = next;
}

void
shell_heredocs_read(struct shell_reader *r)
{
	size_t line = r->pos - 1;

	while (r->pending) {
		struct shell_pending *p = r->pending;

		r->pending = p->next;
		/* of a substitution that ended on an earlier line: bash took the body
		 * from the middle of what was read since as something else */
		if (p->since > 0 && p->since <= line
			&& memchr(r->text + p->since, '\n', line - p->since))
			continue;
		read_body(r, p);
	}
}
