#include "policy/policy_priv.h"

/*
 * One rule against one unit. Two questions that must not be confused: what
 * might be meant (ask and deny), and what is surely meant (allow).
 */

#define BIT(n)     (1u << (n))
#define KIND(name) BIT(CALL_EFFECT_##name)

/* --- words --------------------------------------------------------------------- */

static bool
is_option(struct str w)
{
	return w.len > 1 && w.ptr[0] == '-';
}

/* For ask and deny: could pattern word g be word w? A program may be named by
 * its path. */
static enum policy_match
word_tightens(
	const struct policy_glob *g, const struct call_command *c, size_t j)
{
	const struct call_word *w = &c->words[j];

	if (g->all)
		return POLICY_MATCH_YES;
	if (w->dynamic)
		return POLICY_MATCH_MAYBE;
	if (policy_glob_matches(g, w->text, false))
		return POLICY_MATCH_YES;
	if (j == 0 && policy_glob_matches(g, str_base(w->text), false))
		return POLICY_MATCH_YES;
	return POLICY_MATCH_NO;
}

static enum policy_match
weaker(enum policy_match a, enum policy_match b)
{
	return a < b ? a : b;
}

static enum policy_match
stronger(enum policy_match a, enum policy_match b)
{
	return a > b ? a : b;
}

/* The words of a pattern that stand in order. */
struct sequence {
	const struct policy_glob *list[POLICY_WORDS_MAX];
	size_t count;
	bool more; /* any further words */
};

/* How far a pattern has come, after some words of the command. */
struct progress {
	enum policy_match at[POLICY_WORDS_MAX + 1];
	enum policy_match behind_option[POLICY_WORDS_MAX + 1];
};

static void
raise(enum policy_match *to, enum policy_match m)
{
	*to = stronger(*to, m);
}

/*
 * One word more, when the pattern has come to its word i. Between the program
 * and the last word of the pattern, options may stand that the pattern does
 * not know, with a value or without: `git push` is meant by `git -C dir push`
 * too. What only running would tell may be no word, or many.
 */
static void
take_word(const struct sequence *s, const struct progress *p,
	struct progress *next, const struct call_command *c, size_t j)
{
	bool dynamic = c->words[j].dynamic;
	bool option = is_option(c->words[j].text);

	for (size_t i = 0; i <= s->count; i++) {
		enum policy_match here = stronger(p->at[i], p->behind_option[i]);

		if (here == POLICY_MATCH_NO)
			continue;
		if (i < s->count)
			raise(&next->at[i + 1],
				weaker(here, word_tightens(s->list[i], c, j)));
		if (i == s->count && s->more)
			raise(&next->at[i], here);
		for (size_t k = i; i > 0 && dynamic && k <= s->count; k++)
			raise(&next->at[k], POLICY_MATCH_MAYBE);
		if (i == 0 || i == s->count || dynamic)
			continue;
		if (option)
			raise(&next->behind_option[i], here);
		else
			raise(&next->at[i], p->behind_option[i]);
	}
}

static enum policy_match
sequence_tightens(const struct sequence *s, const struct call_command *c)
{
	struct progress p = {.at = {POLICY_MATCH_YES}};

	for (size_t j = 0; j < c->word_count; j++) {
		struct progress next = {.at = {POLICY_MATCH_NO}};

		take_word(s, &p, &next, c, j);
		p = next;
	}
	return p.at[s->count];
}

/* Is an option of the pattern among the command's words? */
static enum policy_match
option_tightens(const struct policy_glob *g, const struct call_command *c)
{
	enum policy_match found = POLICY_MATCH_NO;

	for (size_t j = 1; j < c->word_count; j++)
		found = stronger(found, word_tightens(g, c, j));
	return found;
}

static bool
is_option_pattern(const struct policy_glob *g)
{
	return g->count > 1 && g->elements[0] == '-';
}

/*
 * With a star at its end, a pattern's options may stand anywhere: "git push
 * --force *" means `git push origin --force` too. Without one the pattern is
 * those words, in that order.
 */
static enum policy_match
words_tighten(const struct policy_words *w, const struct call_command *c)
{
	struct sequence s = {.more = w->more};
	enum policy_match m = POLICY_MATCH_YES;

	/* where even the program is unknown, something must speak for it */
	if (c->word_count > 0 && c->words[0].dynamic
		&& (w->count < 2 || c->word_count < 2 || c->words[1].dynamic
			|| word_tightens(&w->list[1], c, 1) != POLICY_MATCH_YES))
		return POLICY_MATCH_NO;
	for (size_t i = 0; i < w->count; i++) {
		if (i > 0 && w->more && is_option_pattern(&w->list[i]))
			m = weaker(m, option_tightens(&w->list[i], c));
		else
			s.list[s.count++] = &w->list[i];
	}
	return m == POLICY_MATCH_NO ? m : weaker(m, sequence_tightens(&s, c));
}

/* For allow: these words and no others, every one of them certain. */
static bool
words_cover(const struct policy_words *w, const struct call_command *c)
{
	if (c->word_count < w->count || (c->word_count > w->count && !w->more))
		return false;
	for (size_t j = 0; j < c->word_count; j++) {
		if (c->words[j].dynamic)
			return false;
		if (j < w->count
			&& !policy_glob_matches(&w->list[j], c->words[j].text, false))
			return false;
	}
	return c->word_count > 0;
}

/* Do the words of outer end in those of inner? Then *ret_offset is where. */
static bool
ends_in(const struct call_command *outer, const struct call_command *inner,
	size_t *ret_offset)
{
	size_t offset = outer->word_count - inner->word_count;

	if (inner->word_count == 0 || outer->word_count <= inner->word_count)
		return false;
	for (size_t j = 0; j < inner->word_count; j++) {
		if (!str_eq(outer->words[offset + j].text, inner->words[j].text))
			return false;
	}
	*ret_offset = offset;
	return true;
}

static const struct call_command *
wrapper_of(struct policy_subject s, const struct call_command *c)
{
	return c->wrapper < s.facts->command_count ? &s.facts->commands[c->wrapper]
											   : NULL;
}

/*
 * Does the pattern cover command c: by c's own words; or by those of a wrapper
 * around it, when the pattern spells out which program is run ("sudo apt *")
 * or is the whole text without a star? *ret_offset: the pattern's word that
 * stands for c's first, or SIZE_MAX when all of c is spelt out.
 */
static bool
pattern_covers(const struct policy_words *w, struct policy_subject s,
	const struct call_command *c, size_t *ret_offset)
{
	*ret_offset = 0;
	if (words_cover(w, c))
		return true;
	for (const struct call_command *o = wrapper_of(s, c); o;
		 o = wrapper_of(s, o)) {
		if (!words_cover(w, o))
			continue;
		if (w->literal && !w->more) {
			*ret_offset = SIZE_MAX;
			return true;
		}
		return ends_in(o, c, ret_offset) && *ret_offset < w->count
			&& w->list[*ret_offset].literal;
	}
	return false;
}

/* --- resources ------------------------------------------------------------------- */

/* Deleting, moving or changing a folder reaches all that is in it; reading one
 * does not count as reading every file. */
static bool
reaches_below(const struct call_effect *e)
{
	return (e->flags & CALL_EFFECT_TREE) != 0 && e->kind != CALL_EFFECT_READ;
}

/* The pattern against the rest of the resource below its anchor. */
static bool
rest_tightens(
	const struct policy_path *p, const struct call_effect *e, struct str rest)
{
	uint16_t room[POLICY_GLOB_MAX];
	struct policy_glob names;

	if (policy_glob_matches(&p->glob, rest, false))
		return true;
	if (reaches_below(e) && policy_glob_reaches_below(&p->glob, rest, false))
		return true;
	if ((e->flags & CALL_EFFECT_PATTERN) == 0)
		return false;
	return !policy_glob_read(room, POLICY_GLOB_SHELL, rest, &names)
		|| policy_glob_overlaps(&p->glob, &names, false);
}

bool
policy_path_tightens(const struct policy_path *p, struct policy_subject s,
	const struct call_effect *e)
{
	struct str rest, root = s.world->home, above;

	if (p->anchor == POLICY_ANCHOR_TOP)
		return str_starts(e->resource, STR("/"))
			&& rest_tightens(p, e, str_sub(e->resource, 1, SIZE_MAX));
	for (size_t n = 0;
		 p->anchor == POLICY_ANCHOR_HOME ? n == 0 : policy_root(s, n, &root);
		 n++) {
		if (policy_path_below(e->resource, root, &rest)
			&& rest_tightens(p, e, rest))
			return true;
		if (reaches_below(e) && policy_path_below(root, e->resource, &above))
			return true;
	}
	return false;
}

/* Surely inside: whatever the names stand for, and all that is below them. */
static bool
rest_covered(
	const struct policy_path *p, const struct call_effect *e, struct str rest)
{
	if ((e->flags & CALL_EFFECT_TREE) != 0 && !p->glob.tree)
		return false;
	return policy_glob_matches(&p->glob, rest, false);
}

static bool
path_covers(const struct policy_path *p, struct policy_subject s,
	const struct call_effect *e)
{
	struct str rest, root = s.world->home;

	if (p->anchor == POLICY_ANCHOR_TOP)
		return str_starts(e->resource, STR("/"))
			&& rest_covered(p, e, str_sub(e->resource, 1, SIZE_MAX));
	if (p->anchor == POLICY_ANCHOR_HOME)
		return policy_path_below(e->resource, root, &rest)
			&& rest_covered(p, e, rest);
	for (size_t n = 0; policy_root(s, n, &root); n++) {
		if (policy_path_below(e->resource, root, &rest)
			&& rest_covered(p, e, rest))
			return true;
	}
	return false;
}

/* --- the parts of a rule ------------------------------------------------------------ */

static bool
text_matches(const struct policy_glob *g, struct str text)
{
	return g->count == 0 || (text.ptr && policy_glob_matches(g, text, true));
}

/* A subagent is bound by what denies and asks those who started it, too. */
static bool
role_matches(const struct policy_rule *r, const struct call *c)
{
	const struct policy_glob *role = &r->globs[POLICY_TEXT_ROLE];

	if (text_matches(role, c->agent_role))
		return true;
	for (size_t i = 0; r->verdict != CALL_VERDICT_ALLOW && i < c->above_count;
		 i++) {
		if (text_matches(role, c->above[i]))
			return true;
	}
	return false;
}

/* What the rule says of the call as a whole. */
static bool
call_matches(const struct policy_rule *r, struct policy_subject s)
{
	const struct call *c = s.call;
	struct str tool = c->mcp_tool.ptr ? c->mcp_tool : c->tool_name;

	if (r->any_call)
		return true;
	return text_matches(&r->globs[POLICY_TEXT_AGENT], c->agent)
		&& role_matches(r, c)
		&& text_matches(&r->globs[POLICY_TEXT_SERVER], c->server)
		&& text_matches(&r->globs[POLICY_TEXT_TOOL], tool)
		&& (!r->trusted || c->mcp_trusted);
}

static bool
has_effect_matcher(const struct policy_rule *r)
{
	return r->effects != 0 || r->scopes != 0 || r->recoverable
		|| r->path.anchor != POLICY_ANCHOR_NONE
		|| r->globs[POLICY_TEXT_HOST].count > 0;
}

void
policy_rule_prepare(struct policy_rule *r)
{
	r->any_call = r->globs[POLICY_TEXT_AGENT].count == 0
		&& r->globs[POLICY_TEXT_ROLE].count == 0
		&& r->globs[POLICY_TEXT_SERVER].count == 0
		&& r->globs[POLICY_TEXT_TOOL].count == 0 && !r->trusted;
	r->on_effects = has_effect_matcher(r);
}

static bool
is_recoverable(const struct call_effect *e)
{
	const unsigned lasting = CALL_EFFECT_LOSSY | CALL_EFFECT_RAW
		| CALL_EFFECT_FORCE | CALL_EFFECT_LINK | CALL_EFFECT_MODE;
	const unsigned kinds =
		KIND(READ) | KIND(WRITE) | KIND(CREATE) | KIND(DELETE);

	if ((e->flags & lasting) != 0 || (BIT(e->kind) & kinds) == 0)
		return false;
	/* a whole folder that something else than git's own history fills: nobody
	 * knows which files come */
	if (e->kind == CALL_EFFECT_WRITE && (e->flags & CALL_EFFECT_TREE)
		&& !(e->flags & CALL_EFFECT_GIT))
		return false;
	return e->kind != CALL_EFFECT_DELETE
		|| (e->flags & (CALL_EFFECT_GIT | CALL_EFFECT_MOVED)) != 0;
}

/* All that a rule says of an effect, but its path. */
static bool
effect_matches(const struct policy_rule *r, const struct call_effect *e)
{
	const struct policy_glob *host = &r->globs[POLICY_TEXT_HOST];

	if (r->effects != 0 && (r->effects & BIT(e->kind)) == 0)
		return false;
	if (r->scopes != 0 && (r->scopes & BIT(e->scope)) == 0)
		return false;
	if (r->recoverable && !is_recoverable(e))
		return false;
	if (host->count == 0)
		return true;
	return (e->kind == CALL_EFFECT_CONNECT || e->kind == CALL_EFFECT_SEND)
		&& policy_glob_matches(host, policy_host_of(e->resource), true);
}

/* A pattern of words does not speak of what the shell does beside the command:
 * a redirection is matched by what the rule says of effects, or by a rule for
 * everything. */
static bool
speaks_of(const struct policy_rule *r, struct policy_unit u)
{
	if (has_effect_matcher(r))
		return u.effect != NULL;
	if (!u.effect || (u.effect->flags & CALL_EFFECT_REDIRECT) == 0)
		return true;
	return !r->has_words && r->globs[POLICY_TEXT_PROGRAM].count == 0;
}

/* Found by its name, or where the system keeps programs. */
static bool
is_system_program(struct str word)
{
	static const char *const folders[] = {
		"/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/"};

	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		if (str_starts(word, str_from(folders[i])))
			return true;
	}
	return !str_has_char(word, '/');
}

static bool
program_matches(
	const struct policy_rule *r, const struct call_command *c, bool by_path_too)
{
	const struct policy_glob *g = &r->globs[POLICY_TEXT_PROGRAM];

	if (g->count == 0)
		return true;
	if (!c)
		return false;
	if (c->program.ptr && policy_glob_matches(g, c->program, false)
		&& (by_path_too || c->word_count == 0
			|| is_system_program(c->words[0].text)))
		return true;
	return by_path_too && c->word_count > 0 && !c->words[0].dynamic
		&& policy_glob_matches(g, str_base(c->words[0].text), false);
}

/* A rule about a resource holds whatever tool reaches it, for ask and deny. */
static bool
tool_tightens(
	const struct policy_rule *r, struct policy_subject s, struct policy_unit u)
{
	static const unsigned kinds[CALL_TOOL_COUNT] = {
		[CALL_TOOL_READ] = KIND(READ),
		[CALL_TOOL_WRITE] = KIND(WRITE) | KIND(CREATE),
		[CALL_TOOL_EDIT] = KIND(WRITE) | KIND(CREATE),
		[CALL_TOOL_DELETE] = KIND(DELETE),
		[CALL_TOOL_FETCH] = KIND(CONNECT) | KIND(SEND),
	};

	if (r->tool == CALL_TOOL_NONE || r->tool == s.call->tool)
		return true;
	return u.effect && has_effect_matcher(r)
		&& (kinds[r->tool] & BIT(u.effect->kind)) != 0;
}

enum policy_match
policy_rule_tightens(
	const struct policy_rule *r, struct policy_subject s, struct policy_unit u)
{
	if (!tool_tightens(r, s, u) || !speaks_of(r, u) || !call_matches(r, s)
		|| !program_matches(r, u.command, true))
		return POLICY_MATCH_NO;
	if (u.effect && !effect_matches(r, u.effect))
		return POLICY_MATCH_NO;
	if (r->path.anchor != POLICY_ANCHOR_NONE
		&& !policy_path_tightens(&r->path, s, u.effect))
		return POLICY_MATCH_NO;
	if (!r->has_words)
		return POLICY_MATCH_YES;
	return u.command ? words_tighten(&r->words, u.command) : POLICY_MATCH_NO;
}

/* Effects that a star must not be taken to mean. */
static bool
needs_its_own_words(const struct policy_rule *r, struct policy_unit u)
{
	const unsigned hidden =
		CALL_EFFECT_INLINE | CALL_EFFECT_DOWNLOAD | CALL_EFFECT_DECODED;

	if (u.effect && u.effect->kind == CALL_EFFECT_EXECUTE
		&& (u.effect->flags & hidden) != 0)
		return !r->has_words || !r->words.literal || r->words.more;
	if ((u.effect && u.effect->kind == CALL_EFFECT_PRIVILEGE)
		|| (u.command && u.command->is_privilege))
		return !r->has_words || r->words.count == 0
			|| !r->words.list[0].literal;
	return false;
}

/* The shipped rules speak of the files of the workspace and nothing else,
 * whatever their words say. */
static bool
is_for_builtin(struct policy_unit u)
{
	const unsigned kinds =
		KIND(READ) | KIND(WRITE) | KIND(CREATE) | KIND(DELETE);
	const unsigned scopes = BIT(CALL_SCOPE_WORKSPACE) | BIT(CALL_SCOPE_SCRATCH);

	if (u.command && u.command->is_privilege)
		return false;
	return !u.effect
		|| ((kinds & BIT(u.effect->kind)) != 0
			&& (scopes & BIT(u.effect->scope)) != 0);
}

bool
policy_rule_covers(
	const struct policy_rule *r, struct policy_subject s, struct policy_unit u)
{
	size_t offset = 0;

	if ((r->tool != CALL_TOOL_NONE && r->tool != s.call->tool)
		|| !speaks_of(r, u) || !call_matches(r, s)
		|| !program_matches(r, u.command, false) || needs_its_own_words(r, u)
		|| (r->layer == POLICY_LAYER_BUILTIN && !is_for_builtin(u)))
		return false;
	if (u.effect && !effect_matches(r, u.effect))
		return false;
	/* what a program may do is not where its output goes */
	if (u.effect && (u.effect->flags & CALL_EFFECT_REDIRECT) != 0
		&& (r->has_words || r->globs[POLICY_TEXT_PROGRAM].count > 0))
		return false;
	if (r->path.anchor != POLICY_ANCHOR_NONE
		&& !path_covers(&r->path, s, u.effect))
		return false;
	if (!r->has_words)
		return true;
	return u.command && pattern_covers(&r->words, s, u.command, &offset);
}

bool
policy_rule_names(
	const struct policy_rule *r, struct policy_subject s, struct policy_unit u)
{
	const struct call_command *c = u.command;
	bool marked = false;
	size_t offset = 0;

	if (!c)
		return r->globs[POLICY_TEXT_SERVER].count > 0
			|| r->globs[POLICY_TEXT_TOOL].count > 0;
	if (!r->has_words || !pattern_covers(&r->words, s, c, &offset))
		return false;
	if (offset == SIZE_MAX)
		return true;
	for (size_t j = 0; j < c->word_count; j++) {
		if (!c->words[j].unknown)
			continue;
		marked = true;
		if (offset + j >= r->words.count || !r->words.list[offset + j].literal)
			return false;
	}
	return marked;
}
