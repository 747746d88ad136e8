/*
 * awk's language, as far as it reaches outside: system(), pipes to and from
 * getline and print, redirections. POSIX awk and gawk 5.
 */

#include "facts/lang.h"

enum token {
	AWK_END,
	AWK_NAME,
	AWK_STRING,
	AWK_REGEX,
	AWK_NUMBER,
	AWK_PUNCT,   /* any one character */
	AWK_PIPE,    /* | */
	AWK_COPROC,  /* |& */
	AWK_GREATER, /* > and >> */
	AWK_BREAK,   /* ; newline { } */
};

struct awk {
	struct facts_run *run;
	struct str s;
	size_t i;
	enum token kind, before; /* the token at hand, and the one before it */
	struct str text, text_before;
	bool in_print; /* after print or printf: > and | redirect */
	size_t parens; /* ... outside of parentheses */
	bool getline;  /* < behind getline reads a file */
	unsigned taint;
};

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
		|| (c >= '0' && c <= '9') || c == '_';
}

static char
at(const struct awk *p, size_t i)
{
	if (i >= p->s.len)
		return '\0';
	return p->s.ptr[i];
}

static void
skip_space(struct awk *p)
{
	for (;;) {
		char c = at(p, p->i);

		if (c == '#') {
			while (p->i < p->s.len && at(p, p->i) != '\n')
				p->i++;
		} else if (c == '\\' && at(p, p->i + 1) == '\n') {
			p->i += 2;
		} else if (c == ' ' || c == '\t' || c == '\r') {
			p->i++;
		} else {
			return;
		}
	}
}

/* A string or regex; p->i is behind its first character. */
static void
read_quoted(struct awk *p, char end)
{
	size_t n = 0, stop = p->i;

	while (stop < p->s.len && at(p, stop) != end)
		stop += at(p, stop) == '\\' ? 2 : 1;
	char *out = arena_alloc(p->run->f->a, stop - p->i + 1);

	while (p->i < p->s.len && at(p, p->i) != end) {
		if (at(p, p->i) == '\\' && p->i + 1 < p->s.len && end == '"')
			p->i++;
		else if (at(p, p->i) == '\\' && p->i + 1 < p->s.len)
			out[n++] = at(p, p->i++);
		out[n++] = at(p, p->i++);
	}
	p->i++;
	p->text = (struct str){out, n};
}

static bool
regex_may_stand(const struct awk *p)
{
	if (p->kind == AWK_NAME || p->kind == AWK_NUMBER || p->kind == AWK_STRING)
		return false;
	return p->kind != AWK_PUNCT || p->text.len == 0
		|| (p->text.ptr[0] != ')' && p->text.ptr[0] != ']');
}

static void
next_plain(struct awk *p)
{
	size_t start = p->i;
	char c = at(p, p->i++);

	p->kind = AWK_PUNCT;
	if (is_name_char(c)) {
		while (is_name_char(at(p, p->i)) || at(p, p->i) == ':')
			p->i++;
		p->kind = c >= '0' && c <= '9' ? AWK_NUMBER : AWK_NAME;
	} else if (c == '|' && at(p, p->i) == '|') {
		p->i++;
	} else if (c == '|') {
		p->kind = at(p, p->i) == '&' ? AWK_COPROC : AWK_PIPE;
		p->i += p->kind == AWK_COPROC;
	} else if (c == '>') {
		p->kind = at(p, p->i) == '=' ? AWK_PUNCT : AWK_GREATER;
		if (at(p, p->i) == '>' || at(p, p->i) == '=')
			p->i++;
	} else if (c == ';' || c == '\n' || c == '{' || c == '}') {
		p->kind = AWK_BREAK;
	}
	p->text = str_sub(p->s, start, p->i);
}

static void
next(struct awk *p)
{
	p->before = p->kind;
	p->text_before = p->text;
	skip_space(p);
	char c = at(p, p->i);

	if (p->i >= p->s.len) {
		p->kind = AWK_END;
		p->text = STR("");
	} else if (c == '"') {
		p->i++;
		read_quoted(p, '"');
		p->kind = AWK_STRING;
	} else if (c == '/' && regex_may_stand(p)) {
		p->i++;
		read_quoted(p, '/');
		p->kind = AWK_REGEX;
	} else {
		next_plain(p);
	}
}

/* What stands behind the token at hand, without moving. */
static struct awk
ahead(const struct awk *p)
{
	struct awk q = *p;

	next(&q);
	return q;
}

/* A literal, or something only running would tell. */
static void
use(struct awk *p, enum facts_role role, bool literal, struct str text)
{
	struct facts_word w = {.text = text, .source = text, .taint = p->taint};

	if (!literal) {
		w.text = STR("?");
		w.source = p->s;
		w.flags = FACTS_DYNAMIC;
	}
	if (role == FACTS_WRITE && literal
		&& facts_names_have("/dev/stdout /dev/stderr", text))
		return;
	facts_apply(p->run, role, 0, &w);
}

/* The operand behind the token at hand: whole if the expression ends there. */
static void
use_next(struct awk *p, enum facts_role role)
{
	struct awk q = ahead(p), after = ahead(&q);
	bool ends = after.kind == AWK_END || after.kind == AWK_BREAK
		|| (after.kind == AWK_PUNCT
			&& str_has_char(STR(")],"), after.text.ptr[0]));

	use(p, role, q.kind == AWK_STRING && ends, q.text);
}

static void
read_name(struct awk *p)
{
	struct awk q = ahead(p);

	if (facts_names_have("print printf", p->text)) {
		p->in_print = true;
		p->parens = 0;
	} else if (facts_names_have("getline", p->text)) {
		p->getline = true;
	} else if (str_eq(p->text, STR("system")) && str_starts(q.text, STR("("))) {
		use_next(&q, FACTS_SHELL);
	} else if (facts_names_have("ARGV ARGC", p->text)) {
		facts_run_ignore(p->run, CALL_DYNAMIC,
			"an awk program that may name its own files", p->s);
	} else if (str_eq(p->text, STR("ENVIRON"))) {
		facts_apply_text(p->run, FACTS_SECRET, 0, "environment");
	}
}

static void
read_punct(struct awk *p)
{
	char c = p->text.ptr[0];

	if (c == '(' || c == '[')
		p->parens++;
	else if ((c == ')' || c == ']') && p->parens > 0)
		p->parens--;
	else if (c == '<' && p->getline)
		use_next(p, FACTS_READ);
	else if (c == '@')
		facts_run_ignore(p->run, CALL_UNKNOWN,
			"awk code from elsewhere, or called by a name", p->s);
}

static void
read_token(struct awk *p)
{
	struct awk q;

	switch (p->kind) {
	case AWK_NAME:
		read_name(p);
		return;
	case AWK_PIPE:
	case AWK_COPROC:
		q = ahead(p);
		if (q.kind == AWK_NAME && str_eq(q.text, STR("getline")))
			use(p, FACTS_SHELL, p->before == AWK_STRING, p->text_before);
		else
			use_next(p, FACTS_SHELL);
		return;
	case AWK_GREATER:
		if (p->in_print && p->parens == 0)
			use_next(p, FACTS_WRITE);
		return;
	case AWK_BREAK:
		p->in_print = p->getline = false;
		p->parens = 0;
		return;
	case AWK_PUNCT:
		read_punct(p);
		return;
	case AWK_STRING:
		if (str_starts(p->text, STR("/inet")))
			use(p, FACTS_REMOTE, true, p->text);
		return;
	case AWK_REGEX:
	case AWK_NUMBER:
	case AWK_END:
		return;
	}
}

void
facts_lang_awk(struct facts_run *run, const struct facts_word *program)
{
	struct awk p = {
		.run = run,
		.s = program->text,
		.kind = AWK_BREAK,
		.taint = program->taint,
	};

	if (program->flags & (FACTS_DYNAMIC | FACTS_MANY))
		facts_run_ignore(run, CALL_DYNAMIC,
			"an awk program that only running would tell", program->source);
	for (next(&p); p.kind != AWK_END && facts_work(run->f, 1); next(&p))
		read_token(&p);
}
