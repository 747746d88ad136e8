/*
 * The options of one command, read as its row says.
 */

#include <string.h>

#include "facts/facts_priv.h"

static const struct facts_opt common[] = {
	{"--help --version", FACTS_FLAG, FACTS_INERT, 0, 0, NULL},
	{NULL,			   FACTS_FLAG, FACTS_INERT, 0, 0, NULL},
};

static const struct facts_opt *
find_in(const struct facts_opt *opts, struct str name)
{
	for (; opts && opts->names; opts++) {
		if (facts_names_have(opts->names, name))
			return opts;
	}
	return NULL;
}

static const struct facts_opt *
find_opt(const struct facts_run *run, struct str name)
{
	const struct facts_opt *o = find_in(run->prog->opts, name);

	if (!o && run->top != run->prog && (run->top->style & FACTS_GLOBAL))
		o = find_in(run->top->opts, name);
	/* prog sub -h, where prog -h is its help */
	if (!o && run->top != run->prog && str_eq(name, STR("-h"))) {
		o = find_in(run->top->opts, name);
		if (o && !facts_names_have(o->names, STR("--help")))
			o = NULL;
	}
	return o ? o : find_in(common, name);
}

/* Reading is a walk over words with a place to put what was found. */
struct reader {
	struct facts_run *run;
	struct facts_word *operands; /* room for every word */
	size_t at;                   /* the next word */
	unsigned style;
	bool ended; /* "--" was seen, or an operand that ends options */
};

static void
give(struct reader *r, const struct facts_opt *opt, struct str name,
	const struct facts_word *value)
{
	struct facts_given *g = &r->run->given[r->run->given_count++];

	*g = (struct facts_given){.opt = opt, .name = name};
	if (value) {
		g->value = *value;
		g->has_value = true;
	}
	r->run->bits |= opt->set;
	/* python -m MODULE, -c TEXT: what follows is theirs */
	if (facts_names_have("-m -c", name) && r->run->prog->language
		&& str_eq(str_from(r->run->prog->language), STR("python")))
		r->ended = true;
}

/* Whether one of opts begins with name and does more than shape what is shown:
 * getopt_long(3) and git take what is only the beginning of a name. */
static bool
shortens_strong(const struct facts_opt *opts, struct str name)
{
	struct str one, rest;

	for (; opts && opts->names; opts++) {
		if (opts->role == FACTS_NONE || opts->role == FACTS_INERT)
			continue;
		for (rest = str_from(opts->names); rest.ptr;) {
			one = str_cut(rest, ' ', &rest);
			if (one.len > name.len && str_starts(one, name))
				return true;
		}
	}
	return false;
}

/* What an option without a row may do more than shape what is shown, by the words
 * of its name: FACTS_LOOSE does not speak for those. */
static bool
sounds_strong(const struct facts_run *run, struct str name)
{
	static const char words[] =
		"command cmd exec plugin plugins program hook hooks script load loader "
		"interpreter python kubeconfig config configuration rcfile settings "
		"setopt option options browser editor pager viewer shell ssh rsh "
		"javabase jvm agent engine provider arg args logfile outfile outdir "
		"import module modules repofrompath server address registry proxy "
		"endpoint source url uri token password filelist files bump clang";
	static const char *const pairs[] = {"log-file", "output-file", "out-file",
		"output-dir", "status-file", "logger-file", "attribute-file",
		"cursor-file", "search-dir"};
	struct str rest, word;

	/* there, they name things of the account */
	if (name.len < 4 || name.ptr[1] != '-'
		|| facts_names_have("aws az gcloud gh glab", run->name)
		|| str_starts(name, STR("--no-")) || str_starts(name, STR("--ignore")))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
		if (str_has(name, str_from(pairs[i])))
			return true;
	}
	for (rest = str_sub(name, 2, name.len); rest.len > 0;) {
		size_t end = 0;

		while (end < rest.len && rest.ptr[end] != '-' && rest.ptr[end] != '_')
			end++;
		word = str_sub(rest, 0, end);
		if (facts_names_have(words, word))
			return true;
		rest = str_sub(rest, end + 1, rest.len);
	}
	return false;
}

static void
unknown_option(struct reader *r, struct str word)
{
	struct facts_run *run = r->run;
	struct str rest, name = str_cut(word, '=', &rest);

	run->guessed = true;
	if (!(r->style & FACTS_LOOSE) || sounds_strong(run, name)
		|| (str_starts(name, STR("--")) && name.len > 2
			&& (shortens_strong(run->prog->opts, name)
				|| shortens_strong(run->top->opts, name))))
		facts_run_ignore(
			run, CALL_UNKNOWN, "an option that is not known", word);
}

/* The rest of word from byte on, as a word. */
static struct facts_word
tail_of(const struct facts_word *w, size_t on)
{
	struct facts_word t = *w;

	t.text = str_sub(w->text, on, w->text.len);
	return t;
}

/* An option that takes a value from the next word; false if there is none. */
static void
take_next(struct reader *r, const struct facts_opt *opt, struct str name)
{
	struct facts_run *run = r->run;

	if (r->at >= run->count) {
		facts_run_ignore(
			run, CALL_UNKNOWN, "an option without its value", name);
		return;
	}
	if (opt->arg == FACTS_TWO && r->at + 1 < run->count)
		r->at++;
	give(r, opt, name, &run->words[r->at++]);
}

/* An option whose name only running would tell. */
static bool
is_dynamic_name(struct reader *r, const struct facts_word *w, struct str name)
{
	if (!(w->flags & FACTS_DYNAMIC) || !str_has_char(name, '?'))
		return false;
	facts_run_ignore(r->run, CALL_DYNAMIC,
		"an option that only running would tell", w->source);
	return true;
}

static void
read_long(struct reader *r, const struct facts_word *w)
{
	struct str rest, name = str_cut(w->text, '=', &rest);
	const struct facts_opt *opt = find_opt(r->run, name);

	if (!opt && is_dynamic_name(r, w, name))
		return;
	if (!opt && (r->style & FACTS_ONE_DASH) && str_starts(name, STR("--"))) {
		name = str_sub(name, 1, name.len);
		opt = find_opt(r->run, name);
	}
	if (!opt) {
		unknown_option(r, w->text);
		return;
	}
	if (rest.ptr) {
		struct facts_word value = tail_of(w, name.len + 1);

		value.text = rest;
		if (opt->arg == FACTS_FLAG && !(r->style & FACTS_ONE_DASH))
			unknown_option(r, w->text);
		give(r, opt, name, &value);
	} else if (opt->arg == FACTS_VALUE || opt->arg == FACTS_TWO) {
		take_next(r, opt, name);
	} else {
		give(r, opt, name, NULL);
	}
}

/* -abc or -ovalue. */
static void
read_cluster(struct reader *r, const struct facts_word *w)
{
	struct str s = w->text;

	for (size_t i = 1; i < s.len && facts_work(r->run->f, 4); i++) {
		char *two = arena_alloc(r->run->f->a, 3);

		two[0] = s.ptr[0];
		two[1] = s.ptr[i];
		struct str name = {two, 2};
		const struct facts_opt *opt = find_opt(r->run, name);

		if (!opt && is_dynamic_name(r, w, name))
			return;
		if (!opt) {
			unknown_option(r, s);
			/* a letter that is not known takes nothing away from those behind
			 * it that are: dmesg -Tc */
			if (r->style & FACTS_LOOSE)
				continue;
			return;
		}
		if (opt->arg == FACTS_FLAG
			|| (opt->arg == FACTS_MAYBE && i + 1 == s.len)) {
			give(r, opt, name, NULL);
			continue;
		}
		if (i + 1 == s.len) {
			take_next(r, opt, name);
		} else {
			struct facts_word value = tail_of(w, i + 1);

			give(r, opt, name, &value);
		}
		return;
	}
}

static bool
is_number(struct str s)
{
	int64_t number;

	return str_number(s, &number);
}

static void
read_option(struct reader *r, const struct facts_word *w)
{
	const struct facts_opt *whole;

	if ((r->style & FACTS_DIGITS)
		&& is_number(str_sub(w->text, 1, w->text.len)))
		return;
	whole = w->text.len > 2 ? find_opt(r->run, w->text) : NULL;
	if (str_starts(w->text, STR("--")) || whole || (r->style & FACTS_ONE_DASH))
		read_long(r, w);
	else
		read_cluster(r, w);
}

static char
first_char(struct str s)
{
	if (s.len == 0)
		return '\0';
	return s.ptr[0];
}

/* A word that might be an option once it runs. */
static bool
may_be_option(const struct facts_word *w)
{
	char c = first_char(w->text);

	if (w->flags & FACTS_NEVER)
		return false;
	if (w->flags & FACTS_MANY)
		return true;
	return (w->flags & FACTS_DYNAMIC) && (c == '?' || c == '\0');
}

/* An option here could do more than shape what is read. */
static bool
has_strong_options(const struct facts_opt *opts)
{
	for (; opts && opts->names; opts++) {
		if (opts->role != FACTS_NONE && opts->role != FACTS_INERT
			&& opts->role != FACTS_READ && opts->role != FACTS_FILTER)
			return true;
	}
	return false;
}

static bool
glob_may_be_option(const struct facts_run *run, const struct facts_word *w)
{
	char c = first_char(w->text);

	return (w->flags & FACTS_GLOB) && !(w->flags & FACTS_NUMBER)
		&& (c == '*' || c == '?' || c == '[' || c == '@' || c == '+'
			|| c == '!')
		&& has_strong_options(run->prog->opts)
		/* ordinary names do not look like options */
		&& !facts_names_are(run->f, facts_names_tree(run->f, &run->cwd, w),
			FACTS_NAMES_ORDINARY);
}

static void
read_operand(struct reader *r, const struct facts_word *w)
{
	struct facts_run *run = r->run;

	if (!r->ended && !(run->prog->style & FACTS_ANY_WORDS)
		&& (may_be_option(w) || glob_may_be_option(run, w)))
		facts_run_ignore(run, CALL_DYNAMIC,
			"a word that may be an option once it runs", w->source);
	/* options that stand in a file */
	if ((run->prog->style & FACTS_LOOSE)
		&& (run->top->style & FACTS_PROJECT_BIN)
		&& str_starts(w->text, STR("@")) && !str_has_char(w->text, '/'))
		unknown_option(r, STR("--options"));
	run->f->work += 3; /* whatever reads it */
	r->operands[run->operand_count++] = *w;
	if (r->style & FACTS_STOP)
		r->ended = true;
}

static bool
is_option(const struct facts_word *w)
{
	return w->text.len > 1 && w->text.ptr[0] == '-';
}

/* The sub-command that a word names; NULL marks the run. */
static const struct facts_prog *
find_sub(struct facts_run *run, const struct facts_word *w)
{
	const struct facts_prog *p = run->prog->subs;

	if (w->flags & (FACTS_DYNAMIC | FACTS_MANY)) {
		facts_run_ignore(run, CALL_DYNAMIC,
			"a sub-command that only running would tell", w->source);
		return NULL;
	}
	while (p->names && !facts_names_have(p->names, w->text))
		p++;
	if (p->names)
		return p;
	if (run->prog->operands[0].role == FACTS_NONE)
		facts_run_ignore(run, CALL_UNKNOWN, "a sub-command that is not known",
			arena_fmt(
				run->f->a, "%.*s %.*s", STR_ARG(run->name), STR_ARG(w->text)));
	return NULL;
}

/* A word where a sub-command may stand. True if it was one, or is not known. */
static bool
read_sub(struct reader *r, const struct facts_word *w)
{
	struct facts_run *run = r->run;

	if (!run->prog->subs || run->operand_count > 0)
		return false;
	const struct facts_prog *sub = find_sub(run, w);

	if (sub) {
		run->prog = sub;
		run->sub = w->text;
		r->style = sub->style | (run->top->style & FACTS_LOOSE);
		return true;
	}
	if (run->prog->operands[0].role != FACTS_NONE)
		return false;
	run->done = true;
	r->at = run->count;
	return true;
}

static void
read_word(struct reader *r, const struct facts_word *w)
{
	bool plain = r->ended || (r->style & FACTS_KEYWORDS);

	if (!plain && str_eq(w->text, STR("--"))) {
		r->ended = true;
		return;
	}
	if (!plain && is_option(w)) {
		r->run->f->work += 2;
		read_option(r, w);
		return;
	}
	if (plain || !read_sub(r, w))
		read_operand(r, w);
}

void
facts_args_read(struct facts_run *run)
{
	struct facts *f = run->f;
	struct reader r = {
		.run = run,
		.operands = ARENA_ARRAY(f->a, run->count, struct facts_word),
		.at = 1,
		.style = run->prog->style,
	};
	size_t letters = 1;

	f->work += run->count / 2;
	for (size_t i = 0; i < run->count; i++)
		letters += is_option(&run->words[i]) ? run->words[i].text.len : 0;
	run->given = ARENA_ARRAY(f->a, letters, struct facts_given);
	run->operands = r.operands;
	/* cargo +nightly: which of the installed ones */
	if (run->count > 1 && str_starts(run->words[1].text, STR("+"))
		&& !run->words[1].flags
		&& facts_names_have("cargo rustc rustfmt rustdoc", run->name))
		r.at = 2;
	while (r.at < run->count && f->work <= FACTS_WORK_MAX)
		read_word(&r, &run->words[r.at++]);
	(void)facts_work(f, 0);
}

const struct facts_given *
facts_given_find(const struct facts_run *run, const char *names)
{
	for (size_t i = 0; i < run->given_count; i++) {
		if (facts_names_have(names, run->given[i].name))
			return &run->given[i];
	}
	return NULL;
}

struct facts_word
facts_operands_join(const struct facts_run *run, size_t first)
{
	struct facts_word text = facts_word_from(STR(""));
	size_t room = 1, len = 0;
	char *p;

	for (size_t i = first; i < run->operand_count; i++)
		room += run->operands[i].text.len + 1;
	p = arena_alloc(run->f->a, room);
	for (size_t i = first; i < run->operand_count; i++) {
		const struct facts_word *w = &run->operands[i];

		if (i > first)
			p[len++] = ' ';
		if (w->text.len > 0)
			memcpy(p + len, w->text.ptr, w->text.len);
		len += w->text.len;
		text.flags |= w->flags;
		text.taint |= w->taint;
		if (w->flags & FACTS_GLOB) {
			struct str tree = facts_names_tree(run->f, &run->cwd, w);

			if (!tree.ptr || (text.tree.ptr && !str_eq(text.tree, tree)))
				tree = STR("");
			text.tree = tree;
		}
	}
	p[len] = '\0';
	text.text = text.source = (struct str){p, len};
	run->f->work += len / 64;
	return text;
}
