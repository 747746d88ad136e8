#include "tests/parse/sexpr.h"

#include <string.h>

#include "tests/parse/canon.h"

struct match {
	struct arena *a;
	struct str source, want;
	size_t pos;
	struct sexpr_result *result;
};

static void
fail(struct match *m, const char *what, struct str text)
{
	if (!m->result->same)
		return;
	m->result->same = false;
	m->result->at = m->pos;
	m->result->want = what;
	m->result->text = text;
}

static void
exact(struct match *m, const char *text)
{
	CHECK(m->result);
	struct str s = str_from(text);

	if (!m->result->same || !text)
		return;
	if (str_starts(str_sub(m->want, m->pos, m->want.len), s))
		m->pos += s.len;
	else
		fail(m, text, s);
}

static struct str
source_of(const struct match *m, const struct shell_node *n)
{
	CHECK(n);
	return str_sub(m->source, n->start, n->end);
}

/* An escaped string at pos, up to its closing quote, which is taken. */
static struct str
escaped(struct match *m)
{
	char *out = arena_alloc(m->a, m->want.len - m->pos + 1);
	size_t n = 0, i = m->pos;

	for (; i < m->want.len && m->want.ptr[i] != '"'; i++) {
		char c = m->want.ptr[i];

		if (c == '\\' && i + 1 < m->want.len) {
			c = m->want.ptr[++i];
			c = (char)(c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c);
		}
		out[n++] = c;
	}
	m->pos = i + 1;
	return (struct str){out, n};
}

static void
word_text(struct match *m, const struct shell_node *n, struct str ours,
	enum canon_place place)
{
	size_t at = m->pos;

	exact(m, "(word \"");
	if (!m->result->same)
		return;
	struct str theirs = escaped(m);

	if (!canon_same(m->a, n, ours, theirs, place)) {
		m->pos = at;
		fail(m, "(word)", ours);
	}
	exact(m, ")");
}

static void
word(struct match *m, const struct shell_node *n, enum canon_place place)
{
	word_text(m, n, source_of(m, n), place);
}

/* An unescaped string that ends in `")`: each place where it could end. */
static void
unescaped(struct match *m, const struct shell_node *n, struct str ours,
	enum canon_place place)
{
	size_t from = m->pos;

	if (!m->result->same)
		return;
	for (size_t at = str_find(m->want, STR("\")"), from); at < m->want.len;
		 at = str_find(m->want, STR("\")"), at + 1)) {
		struct str theirs = str_sub(m->want, from, at);

		if (canon_same(m->a, n, ours, theirs, place)) {
			m->pos = at + 1;
			exact(m, ")");
			return;
		}
	}
	fail(m, "\"...\"", ours);
}

static void
number(struct match *m, const char *op, struct str digits)
{
	while (digits.len > 1 && digits.ptr[0] == '0')
		digits = str_sub(digits, 1, digits.len);
	exact(
		m, arena_fmt(m->a, "(redirect \"%s\" %.*s)", op, STR_ARG(digits)).ptr);
}

static bool
is_digits(struct str s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] < '0' || s.ptr[i] > '9')
			return false;
	}
	/* longer ones are no descriptors to bash */
	return s.len > 0 && s.len < 10;
}

static const struct shell_node *
child(const struct shell_node *n, enum shell_role role)
{
	for (const struct shell_node *c = n->first; c; c = c->next) {
		if (c->role == role)
			return c;
	}
	return NULL;
}

/* The body of a here-document as bash keeps it: continuations gone, and tabs
 * too for <<-. */
static struct str
body_text(struct match *m, const struct shell_node *n, bool strip)
{
	struct str s = source_of(m, n);
	char *out = arena_alloc(m->a, s.len + 2);
	size_t len = 0;
	CHECK(m->source.ptr);
	bool joins = !(n->flags & SHELL_QUOTED), begins = true;

	for (size_t i = 0; i < s.len; i++) {
		if (begins && strip && s.ptr[i] == '\t')
			continue;
		begins = s.ptr[i] == '\n';
		if (joins && s.ptr[i] == '\\' && i + 1 < s.len) {
			i++;
			if (s.ptr[i] == '\n')
				continue;
			out[len++] = '\\';
		}
		out[len++] = s.ptr[i];
	}
	/* bash ends the last line */
	if (len > 0 && out[len - 1] != '\n')
		out[len++] = '\n';
	return (struct str){out, len};
}

static void
redir(struct match *m, const struct shell_node *n)
{
	const struct shell_node *target = child(n, SHELL_ROLE_TARGET);
	const struct shell_node *body = child(n, SHELL_ROLE_BODY);
	const char *op = arena_fmt(m->a, "%.*s", STR_ARG(n->text)).ptr;
	struct str text = target ? source_of(m, target) : (struct str){"", 0};
	bool duplicates = n->text.len == 2 && n->text.ptr[1] == '&';

	exact(m, " ");
	if (duplicates && str_eq(text, STR("-"))) {
		exact(m, "(redirect \">&-\" 0)");
		return;
	}
	if (duplicates && str_ends(text, STR("-")))
		text = str_sub(text, 0, text.len - 1);
	if (duplicates && is_digits(text)) {
		number(m, op, text);
		return;
	}
	exact(m, arena_fmt(m->a, "(redirect \"%s\" \"", op).ptr);
	if (body)
		unescaped(m, NULL, body_text(m, body, str_ends(n->text, STR("-"))),
			CANON_RAW);
	else
		unescaped(m, target, text, CANON_WORD);
}

static void
redirs(struct match *m, const struct shell_node *n, bool both)
{
	for (const struct shell_node *c = n->first; c; c = c->next) {
		if (c->kind == SHELL_REDIR)
			redir(m, c);
	}
	if (both)
		exact(m, " (redirect \">&\" 1)");
}

static void statement(struct match *m, const struct shell_node *n, bool both);
static void script(struct match *m, const struct shell_node *n);

static void
simple(struct match *m, const struct shell_node *n, bool both)
{
	enum canon_place place = CANON_FRONT;

	exact(m, "(command");
	for (const struct shell_node *c = n->first; c; c = c->next) {
		if (c->kind != SHELL_WORD && c->kind != SHELL_ASSIGN)
			continue;
		exact(m, " ");
		word(m, c,
			place == CANON_WORD && c->kind == SHELL_ASSIGN ? CANON_DECLARE
														   : place);
		if (c->kind == SHELL_WORD)
			place = CANON_WORD;
	}
	redirs(m, n, both);
	exact(m, ")");
}

static void
items(struct match *m, const struct shell_node *n)
{
	exact(m, "(in");
	for (const struct shell_node *c = n->first; c; c = c->next) {
		if (c->role != SHELL_ROLE_ITEM)
			continue;
		exact(m, " ");
		word(m, c, CANON_WORD);
	}
	if (n->flags & SHELL_IMPLICIT)
		exact(m, " (word \"\\\"$@\\\"\")");
	exact(m, ") ");
}

static void
loop(struct match *m, const struct shell_node *n, const char *name)
{
	exact(m, name);
	if (n->kind == SHELL_FOR || n->kind == SHELL_SELECT) {
		word_text(m, NULL, n->text, CANON_WORD);
		exact(m, " ");
		items(m, n);
	} else {
		script(m, child(n, SHELL_ROLE_COND));
		exact(m, " ");
	}
	script(m, child(n, SHELL_ROLE_BODY));
	exact(m, ")");
}

static void
forarith(struct match *m, const struct shell_node *n)
{
	static const char *const names[] = {"(init ", "(test ", "(step "};
	struct str text = source_of(m, child(n, SHELL_ROLE_COND));

	text = str_sub(text, 2, text.len - 2);
	exact(m, "(arith-for ");
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct str part = i < 2 ? str_cut(text, ';', &text) : text;

		while (part.len > 0 && strchr(" \t", part.ptr[0]))
			part = str_sub(part, 1, part.len);
		exact(m, names[i]);
		word_text(m, NULL, part.len > 0 ? part : STR("1"), CANON_ARITH);
		exact(m, ") ");
	}
	script(m, child(n, SHELL_ROLE_BODY));
	exact(m, ")");
}

/* n is the first condition that is left. */
static void
conditions(struct match *m, const struct shell_node *n)
{
	const struct shell_node *body = n->next, *rest = body->next;

	exact(m, "(if ");
	script(m, n);
	exact(m, " ");
	script(m, body);
	if (rest && rest->role == SHELL_ROLE_COND) {
		exact(m, " ");
		conditions(m, rest);
	} else if (rest && rest->role == SHELL_ROLE_ELSE) {
		exact(m, " ");
		script(m, rest);
	}
	exact(m, ")");
}

static void
cases(struct match *m, const struct shell_node *n)
{
	exact(m, "(case ");
	word(m, child(n, SHELL_ROLE_SUBJECT), CANON_WORD);
	for (const struct shell_node *c = n->first; c; c = c->next) {
		const char *space = "";

		if (c->kind != SHELL_CASEITEM)
			continue;
		exact(m, " (pattern (");
		for (const struct shell_node *p = c->first; p; p = p->next) {
			if (p->role != SHELL_ROLE_PATTERN)
				continue;
			exact(m, space);
			word(m, p, CANON_PATTERN);
			space = " ";
		}
		exact(m, ") ");
		script(m, child(c, SHELL_ROLE_BODY));
		exact(m, ")");
	}
	exact(m, ")");
}

static void
term(struct match *m, const struct shell_node *n, enum canon_place place)
{
	exact(m, "(cond-term \"");
	unescaped(m, n, source_of(m, n), place);
}

static bool
is_op(const struct shell_node *n, const char *text)
{
	return n && n->kind == SHELL_CONDOP && str_eq(n->text, str_from(text));
}

static const struct shell_node *cond_or(
	struct match *m, const struct shell_node *n);

static const struct shell_node *
cond_term(struct match *m, const struct shell_node *n)
{
	while (is_op(n, "!"))
		n = n->next;
	if (is_op(n, "(")) {
		exact(m, "(cond-expr ");
		n = cond_or(m, n->next);
		exact(m, ")");
		return n ? n->next : NULL;
	}
	const struct shell_node *next = n ? n->next : NULL;

	if (!next || is_op(next, "&&") || is_op(next, "||") || is_op(next, ")")) {
		exact(m, "(cond-unary \"-n\" ");
		if (n)
			term(m, n, CANON_WORD);
	} else if (n->kind == SHELL_CONDOP) {
		exact(
			m, arena_fmt(m->a, "(cond-unary \"%.*s\" ", STR_ARG(n->text)).ptr);
		term(m, next, CANON_WORD);
		next = next->next;
	} else {
		exact(m,
			arena_fmt(m->a, "(cond-binary \"%.*s\" ", STR_ARG(next->text)).ptr);
		term(m, n, CANON_WORD);
		exact(m, " ");
		term(m, next->next, is_op(next, "=~") ? CANON_REGEX : CANON_PATTERN);
		next = next->next->next;
	}
	exact(m, ")");
	return next;
}

/* Where the term that begins at n ends. */
static const struct shell_node *
term_end(const struct shell_node *n)
{
	size_t level = 0;

	for (; n; n = n->next) {
		bool ends = is_op(n, ")") || is_op(n, "&&") || is_op(n, "||");

		if (level == 0 && ends)
			return n;
		level += is_op(n, "(");
		level -= is_op(n, ")");
	}
	return NULL;
}

static const struct shell_node *
cond_and(struct match *m, const struct shell_node *n)
{
	bool more = is_op(term_end(n), "&&");

	if (more)
		exact(m, "(cond-and ");
	n = cond_term(m, n);
	if (!more || !n)
		return n;
	exact(m, " ");
	n = cond_and(m, n->next);
	exact(m, ")");
	return n;
}

static const struct shell_node *
cond_or(struct match *m, const struct shell_node *n)
{
	const struct shell_node *end = term_end(n);

	while (is_op(end, "&&"))
		end = term_end(end->next);
	bool more = is_op(end, "||");

	if (more)
		exact(m, "(cond-or ");
	n = cond_and(m, n);
	if (!more || !n)
		return n;
	exact(m, " ");
	n = cond_or(m, n->next);
	exact(m, ")");
	return n;
}

static void
function(struct match *m, const struct shell_node *n)
{
	exact(m, arena_fmt(m->a, "(function \"%.*s\" ", STR_ARG(n->text)).ptr);
	statement(m, child(n, SHELL_ROLE_BODY), false);
	exact(m, ")");
}

static void
coproc(struct match *m, const struct shell_node *n)
{
	struct str name = n->text.len > 0 ? n->text : STR("COPROC");

	exact(m, arena_fmt(m->a, "(coproc \"%.*s\" ", STR_ARG(name)).ptr);
	statement(m, child(n, SHELL_ROLE_BODY), false);
	exact(m, ")");
}

static void
group(struct match *m, const struct shell_node *n, const char *name)
{
	exact(m, name);
	script(m, child(n, SHELL_ROLE_BODY));
	exact(m, ")");
}

static void
arithcmd(struct match *m, const struct shell_node *n)
{
	struct str text = source_of(m, n->first);

	exact(m, "(arith ");
	word_text(m, n->first, str_sub(text, 2, text.len - 2), CANON_ARITH);
	exact(m, ")");
}

static void
compound(struct match *m, const struct shell_node *n)
{
	switch ((int)n->kind) {
	case SHELL_GROUP:
		group(m, n, "(brace-group ");
		return;
	case SHELL_SUBSHELL:
		group(m, n, "(subshell ");
		return;
	case SHELL_IF:
		conditions(m, n->first);
		return;
	case SHELL_WHILE:
		loop(m, n, "(while ");
		return;
	case SHELL_UNTIL:
		loop(m, n, "(until ");
		return;
	case SHELL_FOR:
		loop(m, n, "(for ");
		return;
	case SHELL_SELECT:
		loop(m, n, "(select ");
		return;
	case SHELL_FORARITH:
		forarith(m, n);
		return;
	case SHELL_CASE:
		cases(m, n);
		return;
	case SHELL_FUNC:
		function(m, n);
		return;
	case SHELL_COPROC:
		coproc(m, n);
		return;
	case SHELL_ARITHCMD:
		arithcmd(m, n);
		return;
	case SHELL_COND:
		exact(m, "(cond ");
		(void)cond_or(m, n->first);
		exact(m, ")");
		return;
	default:
		fail(m, "(?)", n->text);
		return;
	}
}

/* Pipelines lean to the right in the expression, and to the left here. */
static void
pipeline(struct match *m, const struct shell_node *n)
{
	const struct shell_node *parts[256];
	bool both[256];
	size_t parts_count = 0, level = 0;

	while (n->first->kind == SHELL_PIPE)
		n = n->first;
	for (const struct shell_node *c = n->first; c && parts_count < 256;) {
		parts[parts_count] = c;
		both[parts_count] = false;
		while (!c->next && c->parent->parent
			&& c->parent->parent->kind == SHELL_PIPE)
			c = c->parent;
		if (c->next)
			both[parts_count] = str_eq(c->parent->text, STR("|&"));
		parts_count++;
		c = c->next;
	}
	for (size_t i = 0; i < parts_count; i++) {
		if (i + 1 < parts_count) {
			exact(m, "(pipe ");
			level++;
		}
		statement(m, parts[i], both[i]);
		if (i + 1 < parts_count)
			exact(m, " ");
	}
	while (level-- > 0)
		exact(m, ")");
}

/* The expression has a negation, if any, around a time, if any. */
static void
prefixed(struct match *m, const struct shell_node *n)
{
	bool negated = false, timed = false, posix = false;

	for (; n && (n->kind == SHELL_NOT || n->kind == SHELL_TIME); n = n->first) {
		negated ^= n->kind == SHELL_NOT;
		timed |= n->kind == SHELL_TIME;
		posix |= n->kind == SHELL_TIME && str_has(n->text, STR("-p"));
	}
	if (negated)
		exact(m, "(negation ");
	if (timed)
		exact(m, posix ? "(time -p " : "(time ");
	if (n)
		statement(m, n, false);
	else
		exact(m, "(command)");
	exact(m, timed ? ")" : "");
	exact(m, negated ? ")" : "");
}

static void
andor(struct match *m, const struct shell_node *n)
{
	const char *open = str_eq(n->text, STR("&&")) ? "(and " : "(or ";

	for (const struct shell_node *c = n->first->next; c; c = c->next)
		exact(m, open);
	statement(m, n->first, false);
	for (const struct shell_node *c = n->first->next; c; c = c->next) {
		exact(m, " ");
		statement(m, c, false);
		exact(m, ")");
	}
}

static void
statement(struct match *m, const struct shell_node *n, bool both)
{
	if (!m->result->same)
		return;
	switch ((int)n->kind) {
	case SHELL_CMD:
		simple(m, n, both);
		return;
	case SHELL_PIPE:
		pipeline(m, n);
		return;
	case SHELL_ANDOR:
		andor(m, n);
		return;
	case SHELL_NOT:
	case SHELL_TIME:
		prefixed(m, n);
		return;
	default:
		compound(m, n);
		if (n->kind != SHELL_FUNC && n->kind != SHELL_COPROC)
			redirs(m, n, both);
		else if (both)
			exact(m, " (redirect \">&\" 1)");
		return;
	}
}

/* Does a newline (not in a comment, a quote or a here-document) part them? */
static bool
parted(const struct match *m, const struct shell_node *a,
	const struct shell_node *b)
{
	bool comment = false;

	for (size_t i = a->end; i < b->start; i++) {
		char c = m->source.ptr[i];

		if (c == '\\')
			i++;
		else if (c == '\n')
			return true;
		comment = comment || c == '#';
	}
	return comment;
}

/* x & y & z, which & binds tighter than ; does; what follows it. */
static const struct shell_node *
background(
	struct match *m, const struct shell_node *n, const struct shell_node *end)
{
	size_t asyncs = 0;
	const struct shell_node *stop = n;

	for (; stop != end && stop->kind == SHELL_ASYNC; stop = stop->next)
		asyncs++;
	for (size_t i = 0; i < asyncs; i++)
		exact(m, "(background ");
	for (size_t i = 0; i <= asyncs && n != end; i++, n = n->next) {
		if (i > 0)
			exact(m, " ");
		statement(m, n->kind == SHELL_ASYNC ? n->first : n, false);
		if (i > 0)
			exact(m, ")");
	}
	if (asyncs > 0 && stop == end)
		exact(m, ")");
	return n;
}

/* One list: x ; y is (semi x y). */
static void
list(struct match *m, const struct shell_node *n, const struct shell_node *end)
{
	size_t semis = 0;

	for (const struct shell_node *c = n; c->next != end; c = c->next)
		semis += c->kind != SHELL_ASYNC;
	for (size_t i = 0; i < semis; i++)
		exact(m, "(semi ");
	n = background(m, n, end);
	while (n != end) {
		exact(m, " ");
		n = background(m, n, end);
		exact(m, ")");
	}
}

static void
script(struct match *m, const struct shell_node *n)
{
	if (!n || !n->first)
		exact(m, "()");
	else
		list(m, n->first, NULL);
}

void
sexpr_compare(struct arena *a, const struct shell_tree *tree, struct str source,
	struct str expression, struct sexpr_result *ret)
{
	struct match m = {
		.a = a, .source = source, .want = expression, .result = ret};
	const struct shell_node *n = tree->root->first, *end;

	*ret = (struct sexpr_result){.same = true};
	for (; n; n = end) {
		end = n->next;
		for (const struct shell_node *c = n; end && !parted(&m, c, end);
			 c = end, end = end->next)
			;
		list(&m, n, end);
		if (end)
			exact(&m, "\n");
	}
	if (m.pos != expression.len)
		fail(&m, "(the end)", (struct str){"", 0});
}

static size_t
count(struct str text, struct str part)
{
	size_t n = 0;

	for (size_t at = str_find(text, part, 0); at < text.len;
		 at = str_find(text, part, at + 1))
		n++;
	return n;
}

struct sexpr_counts
sexpr_count(struct str expression)
{
	return (struct sexpr_counts){
		.commands = count(expression, STR("(command")),
		.words = count(expression, STR("(word")),
		.redirs = count(expression, STR("(redirect")),
	};
}
