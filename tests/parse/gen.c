#include "tests/parse/gen.h"

enum { DEPTH_MAX = 5 };

/* xorshift64*. */
static unsigned
below(struct gen *g, unsigned n)
{
	g->state ^= g->state >> 12;
	g->state ^= g->state << 25;
	g->state ^= g->state >> 27;
	return (unsigned)((g->state * 0x2545f4914f6cdd1d) >> 33) % n;
}

static void
put(struct gen *g, const char *text)
{
	buf_add(g->out, str_from(text));
}

static void
one_of(struct gen *g, const char *const *list, size_t count)
{
	put(g, list[below(g, (unsigned)count)]);
}

#define ONE_OF(g, ...)                              \
	one_of((g), (const char *const[]){__VA_ARGS__}, \
		sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void statement(struct gen *g);
static void word(struct gen *g);

static void
separator(struct gen *g)
{
	if (below(g, 4) == 0 || g->heredocs > 0) {
		put(g, "\n");
		for (; g->heredocs > 0; g->heredocs--) {
			ONE_OF(g, "", "x\n", "$a `b`\n", "\"c\n", "$(d)\n", "\\\n");
			put(g, "E\n");
		}
		return;
	}
	ONE_OF(g, "; ", "; ", ";", " & ", "\n");
}

static void
statements(struct gen *g)
{
	unsigned n = 1 + below(g, 2);

	for (unsigned i = 0; i < n; i++) {
		statement(g);
		separator(g);
	}
}

static void
parameter(struct gen *g)
{
	put(g, "${");
	ONE_OF(g, "a", "b", "1", "@", "#a", "!a", "#", "a[1]", "a[$b]", "?");
	if (below(g, 3) > 0) {
		ONE_OF(g, ":-", "-", ":=", "#", "##", "%", "/", "//", ":", "^^", "@Q",
			":+", ",");
		if (g->depth < DEPTH_MAX)
			word(g);
	}
	put(g, "}");
}

static void
substitution(struct gen *g)
{
	switch (below(g, 7)) {
	case 0:
		put(g, "`a b`");
		return;
	case 1:
		put(g, "$((");
		ONE_OF(g, "1+a", "$b", "a[1]", "(1)", " a < b ", "$(c)");
		put(g, "))");
		return;
	case 2:
	case 3:
		put(g, "$(");
		break;
	case 4:
		ONE_OF(g, "<(", ">(");
		break;
	case 5:
		parameter(g);
		return;
	default:
		ONE_OF(g, "$a", "$1", "$@", "$?", "$$", "$-", "$!", "$");
		return;
	}
	statement(g);
	if (g->heredocs > 0)
		separator(g);
	put(g, ")");
}

static void
part(struct gen *g)
{
	g->depth++;
	switch (below(g, 9)) {
	case 0:
		ONE_OF(g, "'a b'", "'\"'", "''", "'$c'", "$'x\\ny'", "$'\\t'");
		break;
	case 1:
		put(g, "\"");
		ONE_OF(g, "a", "a b", "'", "\\\"", "\\$", "");
		if (g->depth < DEPTH_MAX)
			substitution(g);
		put(g, "\"");
		break;
	case 2:
		if (g->depth < DEPTH_MAX)
			substitution(g);
		break;
	case 3:
		ONE_OF(g, "*", "?", "[a-z]", "~", "{a,b}", "{1..3}", "\\a", "\\\n");
		break;
	case 4:
		ONE_OF(g, "=", "a=", "+", "/", ":", ".", ",", "-", "#", "%", "!");
		break;
	default:
		ONE_OF(g, "a", "b", "cd", "-x", "1", "foo", "if", "in", "do", "}",
			"time", "]]");
		break;
	}
	g->depth--;
}

static void
word(struct gen *g)
{
	unsigned n = below(g, 3) > 0 ? 1 : 2 + below(g, 2);

	ONE_OF(g, "a", "b", "foo", "", "x", "");
	for (unsigned i = 0; i < n; i++)
		part(g);
}

static void
redirection(struct gen *g)
{
	/* bash itself writes those within lists wrongly */
	if (g->depth < 2 && g->alone && below(g, 4) == 0) {
		ONE_OF(g, " <<E", " <<'E'", " <<-E", " <<\\E");
		g->heredocs++;
		return;
	}
	put(g, " ");
	ONE_OF(g, ">", "<", ">>", "2>", "&>", ">|", "<>", ">&", "<&", "<<<", "{a}>",
		"3>", "&>>", "2>&");
	if (below(g, 3) == 0)
		ONE_OF(g, "1", "-", "2-", "x");
	else
		word(g);
}

static void
simple(struct gen *g)
{
	unsigned n = below(g, 3);

	if (below(g, 5) == 0)
		ONE_OF(g, "a=b ", "a=(b c) ", "a+=c ", "a[1]=b ", "a= ", "b=$c ");
	ONE_OF(g, "a", "b", "foo", ":", "echo", "export", "declare", "x-y", "[");
	for (unsigned i = 0; i < n; i++) {
		put(g, " ");
		word(g);
	}
	if (below(g, 4) == 0)
		redirection(g);
	if (below(g, 12) == 0)
		put(g, " # c");
}

static void
condition(struct gen *g)
{
	put(g, "[[ ");
	ONE_OF(g, "", "! ", "-f ", "( ", "-n ");
	word(g);
	if (below(g, 2) == 0) {
		ONE_OF(
			g, " == ", " = ", " != ", " =~ ", " < ", " -eq ", " && ", " || ");
		word(g);
	}
	ONE_OF(g, "", "", "", " )");
	put(g, " ]]");
}

static void
cases(struct gen *g)
{
	unsigned n = below(g, 3);

	put(g, "case ");
	word(g);
	put(g, " in ");
	for (unsigned i = 0; i < n; i++) {
		ONE_OF(g, "", "(");
		word(g);
		ONE_OF(g, ")", " )", "|a)", ") \n");
		if (below(g, 4) > 0)
			statement(g);
		if (g->heredocs > 0)
			separator(g);
		ONE_OF(g, ";; ", ";;\n", ";& ", ";;& ");
	}
	put(g, "esac");
}

static void
loop(struct gen *g)
{
	switch (below(g, 4)) {
	case 0:
		ONE_OF(g, "while ", "until ");
		statements(g);
		break;
	case 1:
		put(g, "for ((i=0;i<1;i++));");
		break;
	default:
		ONE_OF(g, "for a", "for b\n", "select c");
		if (below(g, 4) > 0) {
			put(g, " in ");
			word(g);
		}
		ONE_OF(g, ";", "\n", " ;");
		break;
	}
	put(g, " do ");
	statements(g);
	put(g, "done");
}

static void
compound(struct gen *g)
{
	switch (below(g, 10)) {
	case 0:
		put(g, "{ ");
		statements(g);
		put(g, "}");
		break;
	case 1:
		put(g, "(");
		statement(g);
		if (g->heredocs > 0)
			separator(g);
		put(g, ")");
		break;
	case 2:
		put(g, "if ");
		statements(g);
		put(g, "then ");
		statements(g);
		if (below(g, 3) == 0) {
			ONE_OF(g, "else ", "elif a; then ");
			statements(g);
		}
		put(g, "fi");
		break;
	case 3:
	case 4:
		loop(g);
		break;
	case 5:
		cases(g);
		break;
	case 6:
		condition(g);
		break;
	case 7:
		ONE_OF(g, "f() ", "function f ", "function f() ");
		ONE_OF(g, "{ a; }", "( b )", "{ a | b\n}");
		break;
	case 8:
		ONE_OF(g, "((a++))", "(( a < (b) ))", "((a) )", "((1)) ");
		break;
	default:
		ONE_OF(g, "coproc a b", "coproc { a; }", "coproc X ( a )");
		break;
	}
	if (below(g, 6) == 0)
		redirection(g);
}

static void
command(struct gen *g)
{
	g->depth++;
	if (g->depth < DEPTH_MAX && below(g, 3) == 0)
		compound(g);
	else
		simple(g);
	g->depth--;
}

static void
statement(struct gen *g)
{
	unsigned n = below(g, 8) == 0 ? 1 + below(g, 2) : 0;

	bool alone = g->alone;

	g->alone = n == 0;
	if (below(g, 10) == 0)
		ONE_OF(g, "! ", "time ", "time -p ", "! ! ");
	command(g);
	for (unsigned i = 0; i < n; i++) {
		ONE_OF(g, " | ", " && ", " || ", "|&", "&&\n", "|\n");
		command(g);
	}
	g->alone = alone;
}

/* Takes out, puts in or doubles a few characters. */
static void
hurt(struct gen *g, struct buf *scratch)
{
	static const char marks[] = "$`\"'\\(){}[]<>|&;!#=~*?@+-:/,% \n\tab1EX^.";
	struct str s = buf_str(g->out);
	size_t at = s.len > 0 ? below(g, (unsigned)s.len) : 0;

	buf_clear(scratch);
	buf_add(scratch, str_sub(s, 0, at));
	switch (below(g, 4)) {
	case 0:
		at += 1 + below(g, 3);
		break;
	case 1:
		at -= at > 4 ? below(g, 4) : 0;
		break;
	default:
		buf_add_char(scratch, marks[below(g, sizeof(marks) - 1)]);
		if (below(g, 3) == 0)
			buf_add_char(scratch, marks[below(g, sizeof(marks) - 1)]);
		break;
	}
	buf_add(scratch, str_sub(s, at, s.len));
	buf_clear(g->out);
	buf_add(g->out, buf_str(scratch));
}

void
gen_text(uint64_t seed, struct buf *out)
{
	struct gen g = {.state = seed * 2654435761 + 88172645463325252, .out = out};
	struct buf scratch;

	buf_init(&scratch, 1 << 16);
	buf_clear(out);
	for (int i = 0; i < 8; i++)
		(void)below(&g, 2);
	statements(&g);
	while (g.heredocs > 0)
		separator(&g);
	for (unsigned n = below(&g, 3); n > 0; n--)
		hurt(&g, &scratch);
	if (str_ends(buf_str(out), STR("\\")))
		put(&g, "\n");
	buf_done(&scratch);
}
