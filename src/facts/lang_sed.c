/*
 * sed's little language, as far as it reaches outside: files that it reads and
 * writes, commands that it runs. GNU sed 4.9, "sed scripts".
 */

#include "facts/lang.h"

struct sed {
	struct facts_run *run;
	struct str s;
	size_t i;
	bool unknown; /* something that is not sed as we know it */
	unsigned taint;
};

static char
peek(const struct sed *p)
{
	if (p->i >= p->s.len)
		return '\0';
	return p->s.ptr[p->i];
}

static bool
at_end(const struct sed *p)
{
	return p->i >= p->s.len;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void
skip_blanks(struct sed *p)
{
	while (peek(p) == ' ' || peek(p) == '\t')
		p->i++;
}

static struct str
rest_of_line(struct sed *p)
{
	size_t start = p->i;

	while (!at_end(p) && peek(p) != '\n')
		p->i++;
	return str_trim(str_sub(p->s, start, p->i));
}

/* The end of a bracket expression that starts at p->i, or p->i if it has none. */
static size_t
bracket_end(const struct sed *p)
{
	size_t k = p->i + 1;

	if (k < p->s.len && p->s.ptr[k] == '^')
		k++;
	if (k < p->s.len && p->s.ptr[k] == ']')
		k++;
	while (k < p->s.len && p->s.ptr[k] != ']' && p->s.ptr[k] != '\n')
		k++;
	return k < p->s.len && p->s.ptr[k] == ']' ? k : p->i;
}

/* Moves behind the next delimiter; bracket expressions hold any. */
static void
skip_to(struct sed *p, char delimiter, bool is_regex)
{
	while (!at_end(p) && peek(p) != delimiter) {
		if (peek(p) == '\\')
			p->i++;
		else if (is_regex && peek(p) == '[')
			p->i = bracket_end(p);
		p->i++;
	}
	if (at_end(p))
		p->unknown = true;
	p->i++;
}

/* One address, if there is one. */
static bool
read_address(struct sed *p)
{
	char c = peek(p);

	if (is_digit(c) || c == '+' || c == '~') {
		p->i++;
		while (is_digit(peek(p)) || peek(p) == '~')
			p->i++;
		return true;
	}
	if (c == '$') {
		p->i++;
		return true;
	}
	if (c != '/' && c != '\\')
		return false;
	p->i++;
	if (c == '\\') {
		c = peek(p);
		p->i++;
	}
	skip_to(p, c, true);
	while (peek(p) == 'I' || peek(p) == 'M')
		p->i++;
	return true;
}

static void
apply(struct sed *p, enum facts_role role, struct str text)
{
	struct facts_word w = {.text = text, .source = text, .taint = p->taint};

	if (text.len == 0) {
		p->unknown = true;
		return;
	}
	facts_apply(p->run, role, 0, &w);
}

/* Text that was made while running is run. */
static void
runs_input(struct sed *p)
{
	facts_add_effect(p->run->f,
		(struct call_effect){.kind = CALL_EFFECT_EXECUTE,
			.flags = CALL_EFFECT_DECODED,
			.resource = STR("text"),
			.by = p->run->name,
			.command = p->run->index});
	facts_run_ignore(
		p->run, CALL_DYNAMIC, "a command that only running would tell", p->s);
}

static void
read_substitute(struct sed *p)
{
	char delimiter = peek(p);

	p->i++;
	skip_to(p, delimiter, true);
	skip_to(p, delimiter, false);
	for (; !at_end(p); p->i++) {
		char c = peek(p);

		if (c == 'e') {
			runs_input(p);
		} else if (c == 'w') {
			p->i++;
			apply(p, FACTS_WRITE, rest_of_line(p));
			return;
		} else if (!is_digit(c) && !str_has_char(STR("gpiImM"), c)) {
			return;
		}
	}
}

/* a, i and c: text to the end of the line, and on where it ends in '\'. */
static void
skip_text(struct sed *p)
{
	while (!at_end(p) && peek(p) != '\n')
		p->i += peek(p) == '\\' ? 2 : 1;
}

static void
read_execute(struct sed *p)
{
	struct str text = rest_of_line(p);

	if (text.len == 0)
		runs_input(p);
	else
		apply(p, FACTS_SHELL, text);
}

/* Commands whose rest is skipped: labels, numbers, comments, texts. False for
 * another one. */
static bool
skip_command(struct sed *p, char c)
{
	if (str_has_char(STR("{}=dDgGhHnNpPxzF"), c))
		return true;
	if (c == 'y') {
		char delimiter = peek(p);

		p->i++;
		skip_to(p, delimiter, false);
		skip_to(p, delimiter, false);
	} else if (c == 'a' || c == 'i' || c == 'c') {
		skip_text(p);
	} else if (str_has_char(STR("btT:v"), c)) {
		while (!at_end(p) && !str_has_char(STR("\n;}"), peek(p)))
			p->i++;
	} else if (str_has_char(STR("qQlL"), c)) {
		skip_blanks(p);
		while (is_digit(peek(p)))
			p->i++;
	} else if (c == '#') {
		(void)rest_of_line(p);
	} else {
		return false;
	}
	return true;
}

static void
read_command(struct sed *p, char c)
{
	if (skip_command(p, c))
		return;
	if (c == 's')
		read_substitute(p);
	else if (c == 'r' || c == 'R')
		apply(p, FACTS_READ, rest_of_line(p));
	else if (c == 'w' || c == 'W')
		apply(p, FACTS_WRITE, rest_of_line(p));
	else if (c == 'e')
		read_execute(p);
	else
		p->unknown = true;
}

void
facts_lang_sed(struct facts_run *run, const struct facts_word *script)
{
	struct sed p = {.run = run, .s = script->text, .taint = script->taint};

	if (script->flags & (FACTS_DYNAMIC | FACTS_MANY))
		facts_run_ignore(run, CALL_DYNAMIC,
			"a sed script that only running would tell", script->source);
	while (!at_end(&p) && !p.unknown) {
		skip_blanks(&p);
		if (peek(&p) == ';' || peek(&p) == '\n') {
			p.i++;
			continue;
		}
		if (at_end(&p))
			break;
		if (read_address(&p)) {
			skip_blanks(&p);
			if (peek(&p) == ',') {
				p.i++;
				skip_blanks(&p);
				p.unknown = !read_address(&p);
			}
		}
		skip_blanks(&p);
		while (peek(&p) == '!' || peek(&p) == ' ')
			p.i++;
		char c = peek(&p);

		p.i++;
		read_command(&p, c);
	}
	if (p.unknown)
		facts_run_ignore(
			run, CALL_UNPARSED, "a sed script that is not understood", p.s);
}
