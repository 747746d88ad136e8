/*
 * What a repository's configuration says, as far as programs go. The rows name
 * what is known to be harmless; in a section that git knows, everything else
 * counts as naming a program, so that a newer git's new key is not missed.
 */

#include "cli/gitconfig.h"

#include <string.h>

/* --- what is harmless ------------------------------------------------------ */

enum sub { WITHOUT_SUB, WITH_SUB, ANY_SUB };

/* Keys of a section that run nothing, in lower case; "*" = none of them do. */
static const struct harmless {
	const char *section;
	enum sub sub;
	const char *keys;
} harmless[] = {
	{"advice",      ANY_SUB,     "*"													 },
	{"apply",       ANY_SUB,     "*"													 },
	{"attr",        ANY_SUB,     "*"													 },
	{"author",      ANY_SUB,     "*"													 },
	{"blame",       ANY_SUB,     "*"													 },
	{"branch",      ANY_SUB,     "*"													 },
	{"checkout",    ANY_SUB,     "*"													 },
	{"clean",       ANY_SUB,     "*"													 },
	{"color",       ANY_SUB,     "*"													 },
	{"column",      ANY_SUB,     "*"													 },
	{"commit",      ANY_SUB,     "cleanup gpgsign status template verbose"               },
	{"commitgraph", ANY_SUB,     "*"													 },
	{"committer",   ANY_SUB,     "*"													 },
	{"core",        WITHOUT_SUB,
     "abbrev attributesfile autocrlf bare bigfilethreshold checkroundtrip"
		"encoding checkstat commentchar commentstring commitgraph compression "
		"createobject deltabasecachelimit eol excludesfile filemode "
		"filesreflocktimeout fscache fsync fsyncmethod fsyncobjectfiles "
		"hidedotfiles ignorecase ignorestat logallrefupdates longpaths "
		"loosecompression maxtreedepth multipackindex notesref packedgitlimit "
		"packedgitwindowsize packedrefstimeout precomposeunicode preloadindex "
		"protecthfs protectntfs quotepath repositoryformatversion safecrlf "
		"sharedrepository sparsecheckout sparsecheckoutcone splitindex "
		"symlinks "
		"trustctime untrackedcache usereplacerefs warnambiguousrefs "
		"whitespace"																	 },
	{"credential",  ANY_SUB,     "usehttppath username"                                  },
	{"diff",        WITHOUT_SUB,
     "algorithm autorefreshindex colormoved colormovedws context dirstat "
		"dstprefix guitool ignoresubmodules indentheuristic interhunkcontext "
		"mnemonicprefix noprefix orderfile relative renamelimit renames "
		"srcprefix statgraphwidth statnamewidth submodule suppressblankempty "
		"tool wordregex wserrorhighlight"												},
	{"diff",        WITH_SUB,
     "algorithm binary cachetextconv funcname wordregex xfuncname"                       },
	{"difftool",    ANY_SUB,     "guidefault prompt trustexitcode"                       },
	{"extensions",  ANY_SUB,     "*"													 },
	{"feature",     ANY_SUB,     "*"													 },
	{"fetch",       ANY_SUB,     "*"													 },
	{"filter",      ANY_SUB,     "required"											  },
	{"format",      ANY_SUB,     "*"													 },
	{"fsck",        ANY_SUB,     "*"													 },
	{"gc",          ANY_SUB,
     "aggressivedepth aggressivewindow auto autodetach autopacklimit "
		"bigpackthreshold cruftpacks logexpiry packrefs pruneexpire "
		"reflogexpire "
		"reflogexpireunreachable rerereresolved rerereunresolved "
		"worktreepruneexpire writecommitgraph"                                           },
	{"gpg",         ANY_SUB,     "format mintrustlevel allowedsignersfile revocationfile"},
	{"grep",        ANY_SUB,     "*"													 },
	{"gui",         ANY_SUB,     "*"													 },
	{"http",        ANY_SUB,     "*"													 },
	{"i18n",        ANY_SUB,     "*"													 },
	{"index",       ANY_SUB,     "*"													 },
	{"init",        ANY_SUB,     "defaultbranch defaultobjectformat defaultrefformat"    },
	{"interactive", ANY_SUB,     "singlekey"											 },
	{"lfs",         WITHOUT_SUB,
     "url pushurl repositoryformatversion fetchinclude fetchexclude "
		"fetchrecentrefsdays locksverify skipdownloaderrors "
		"setlockablereadonly"															},
	{"lfs",         WITH_SUB,    "access locksverify"                                    },
	{"log",         ANY_SUB,     "*"													 },
	{"maintenance", ANY_SUB,     "*"													 },
	{"merge",       WITHOUT_SUB, "*"													 },
	{"merge",       WITH_SUB,    "name recursive"										},
	{"mergetool",   ANY_SUB,
     "hideresolved keepbackup keeptemporaries layout prompt trustexitcode "
		"writetotemp"																	},
	{"notes",       ANY_SUB,     "*"													 },
	{"pack",        ANY_SUB,     "*"													 },
	{"protocol",    WITHOUT_SUB, "version"											   },
	{"pull",        ANY_SUB,     "*"													 },
	{"push",        ANY_SUB,     "*"													 },
	{"rebase",      ANY_SUB,     "*"													 },
	{"receive",     ANY_SUB,     "*"													 },
	{"remote",      WITHOUT_SUB, "pushdefault"										   },
	{"remote",      WITH_SUB,
     "fetch followremotehead gh-resolved mirror partialclonefilter promisor "
		"prune prunetags push skipdefaultupdate skipfetchall tagopt"                     },
	{"repack",      ANY_SUB,     "*"													 },
	{"rerere",      ANY_SUB,     "*"													 },
	{"revert",      ANY_SUB,     "*"													 },
	{"showbranch",  ANY_SUB,     "*"													 },
	{"sparse",      ANY_SUB,     "*"													 },
	{"stash",       ANY_SUB,     "*"													 },
	{"status",      ANY_SUB,     "*"													 },
	{"submodule",   ANY_SUB,
     "active alternateerrorstrategy alternatelocation branch fetchjobs "
		"fetchrecursesubmodules ignore propagatebranches recurse"                        },
	{"svn-remote",  ANY_SUB,     "*"													 },
	{"tag",         ANY_SUB,     "*"													 },
	{"trailer",     ANY_SUB,     "ifexists ifmissing key separators where"               },
	{"transfer",    ANY_SUB,     "*"													 },
	{"user",        ANY_SUB,     "*"													 },
	{"versionsort", ANY_SUB,     "*"													 },
	{"worktree",    ANY_SUB,     "*"													 },
};

/* Sections of git of which no key at all is known to be harmless, or whose keys
 * depend on their value (below). */
static const char *const known_sections[] = {"alias", "browser", "difftool",
	"gitcvs", "guitool", "help", "hook", "imap", "instaweb", "man", "pager",
	"sendemail", "sequence", "ssh", "svn", "tar", "trace2", "uploadarchive",
	"uploadpack", "url", "web"};

/* In sections that git does not know (other tools keep theirs there), a key
 * that holds one of these may be run by the tool. */
static const char *const telling_parts[] = {"askpass", "browser", "clean",
	"cmd", "command", "driver", "editor", "exec", "filter", "helper", "hook",
	"pager", "path", "process", "program", "proxy", "run", "script", "smudge",
	"textconv", "tool"};

struct setting {
	struct str section, sub, key; /* section and key in lower case */
	struct str value;             /* absent: the key stands alone, "true" */
};

static bool
has_word(const char *words, struct str word)
{
	struct str rest = str_from(words);

	while (rest.ptr) {
		if (str_eq(str_cut(rest, ' ', &rest), word))
			return true;
	}
	return false;
}

static bool
is_boolean(struct str value)
{
	static const char *const words[] = {
		"", "true", "false", "yes", "no", "on", "off", "1", "0"};

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (str_eq_fold(value, str_from(words[i])))
			return true;
	}
	return false;
}

/* An address like "ext::sh -c ..." runs git-remote-ext, and so on. */
static bool
is_plain_address(struct str url)
{
	return url.len > 0 && url.ptr[0] != '-' && !str_has(url, STR("::"));
}

static bool
is_plain_alias(struct str value)
{
	return value.len > 0 && value.ptr[0] != '!' && value.ptr[0] != '-';
}

static bool
is_plain_update(struct str value)
{
	return has_word("checkout rebase merge none", value);
}

static bool
is_plain_protocol(struct str value)
{
	return has_word("never user", value);
}

static bool
is_empty(struct str value)
{
	return value.ptr && value.len == 0;
}

/* Keys that are harmless with some values. */
static const struct by_value {
	const char *section, *key; /* key "*": any */
	bool (*is_plain)(struct str value);
} by_value[] = {
	{"alias",      "*",         is_plain_alias   },
	{"core",       "fsmonitor", is_boolean       },
	{"credential", "helper",    is_empty         },
	{"pager",      "*",         is_boolean       },
	{"protocol",   "allow",     is_plain_protocol},
	{"remote",     "url",       is_plain_address },
	{"remote",     "pushurl",   is_plain_address },
	{"submodule",  "url",       is_plain_address },
	{"submodule",  "update",    is_plain_update  },
};

static bool
is_known_section(struct str section)
{
	for (size_t i = 0; i < ARRAY_LEN(harmless); i++) {
		if (str_eq(section, str_from(harmless[i].section)))
			return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(known_sections); i++) {
		if (str_eq(section, str_from(known_sections[i])))
			return true;
	}
	return false;
}

static bool
is_telling(struct str key)
{
	for (size_t i = 0; i < ARRAY_LEN(telling_parts); i++) {
		if (str_has(key, str_from(telling_parts[i])))
			return true;
	}
	return false;
}

static bool
is_harmless(const struct setting *s)
{
	for (size_t i = 0; i < ARRAY_LEN(by_value); i++) {
		const struct by_value *row = &by_value[i];

		if (str_eq(s->section, str_from(row->section))
			&& (row->key[0] == '*' || str_eq(s->key, str_from(row->key))))
			return row->is_plain(s->value);
	}
	if (str_eq(s->section, STR("url")))
		return has_word("insteadof pushinsteadof", s->key)
			&& is_plain_address(s->sub);
	for (size_t i = 0; i < ARRAY_LEN(harmless); i++) {
		const struct harmless *row = &harmless[i];

		if (!str_eq(s->section, str_from(row->section))
			|| (row->sub != ANY_SUB
				&& (row->sub == WITH_SUB) != (s->sub.ptr != NULL)))
			continue;
		if (row->keys[0] == '*' || has_word(row->keys, s->key))
			return true;
	}
	return !is_known_section(s->section) && !is_telling(s->key);
}

/* --- reading one text ------------------------------------------------------ */

struct reader {
	struct arena *a;
	struct str text;
	size_t at;
	struct str section, sub;
	bool broken;
};

/* The character at the cursor, CR LF as LF; -1 at the end. */
static int
peek(const struct reader *r)
{
	if (r->at >= r->text.len)
		return -1;
	if (r->text.ptr[r->at] == '\r' && r->at + 1 < r->text.len
		&& r->text.ptr[r->at + 1] == '\n')
		return '\n';
	return (unsigned char)r->text.ptr[r->at];
}

static int
next(struct reader *r)
{
	int c = peek(r);

	if (c >= 0)
		r->at += c == '\n' && r->text.ptr[r->at] == '\r' ? 2 : 1;
	return c;
}

static void
skip_blanks(struct reader *r)
{
	while (peek(r) == ' ' || peek(r) == '\t')
		(void)next(r);
}

static void
skip_line(struct reader *r)
{
	while (peek(r) >= 0 && next(r) != '\n')
		;
}

static bool
is_name_char(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
		|| (c >= '0' && c <= '9') || c == '-';
}

/* A run of name characters (and dots, for sections), in lower case. */
static struct str
read_name(struct reader *r, bool dots)
{
	size_t start = r->at;

	while (is_name_char(peek(r)) || (dots && peek(r) == '.'))
		(void)next(r);
	char *low = arena_alloc(r->a, r->at - start + 1);

	for (size_t i = start; i < r->at; i++) {
		low[i - start] = r->text.ptr[i];
		if (low[i - start] >= 'A' && low[i - start] <= 'Z')
			low[i - start] |= 'a' ^ 'A';
	}
	return (struct str){low, r->at - start};
}

/* [section], [section.sub] or [section "sub"]; the cursor is behind '['. */
static void
read_section(struct reader *r)
{
	struct str whole = read_name(r, true);

	r->section = str_cut(whole, '.', &r->sub);
	skip_blanks(r);
	if (peek(r) == '"') {
		char *sub = arena_alloc(r->a, r->text.len - r->at + 1);
		size_t n = 0;

		(void)next(r);
		while (peek(r) >= 0 && peek(r) != '"' && peek(r) != '\n') {
			int c = next(r);

			if (c == '\\')
				c = next(r);
			sub[n++] = (char)c;
		}
		r->broken = r->broken || next(r) != '"';
		r->sub = (struct str){sub, n};
	}
	r->broken = r->broken || next(r) != ']' || r->section.len == 0;
}

/* The character that an escape in a value stands for; 0 = a line goes on. */
static int
read_escape(struct reader *r)
{
	static const char from[] = "ntb\"\\", to[] = "\n\t\b\"\\";
	int c = next(r);

	if (c == '\n')
		return 0;
	const char *p = c > 0 ? strchr(from, c) : NULL;

	r->broken = r->broken || !p;
	return p ? to[p - from] : '?';
}

static struct str
read_value(struct reader *r)
{
	char *out = arena_alloc(r->a, r->text.len - r->at + 1);
	size_t n = 0, kept = 0;
	bool quoted = false;

	skip_blanks(r);
	for (;;) {
		int c = next(r);

		if (c < 0 || c == '\n')
			break;
		if (!quoted && (c == '#' || c == ';')) {
			skip_line(r);
			break;
		}
		if (c == '"') {
			quoted = !quoted;
			kept = n;
			continue;
		}
		bool escaped = c == '\\';

		if (escaped)
			c = read_escape(r);
		if (c == 0)
			continue;
		out[n++] = (char)c;
		/* blanks at the end count only when they were quoted */
		if (quoted || escaped || (c != ' ' && c != '\t'))
			kept = n;
	}
	r->broken = r->broken || quoted;
	return (struct str){out, kept};
}

/* The next setting; false at the end, or when the text is broken. */
static bool
read_setting(struct reader *r, struct setting *ret)
{
	while (!r->broken) {
		int c = peek(r);

		if (c < 0)
			return false;
		if (c == ' ' || c == '\t' || c == '\n') {
			(void)next(r);
		} else if (c == '#' || c == ';') {
			skip_line(r);
		} else if (c == '[') {
			(void)next(r);
			read_section(r);
		} else {
			*ret = (struct setting){.section = r->section, .sub = r->sub};
			ret->key = read_name(r, false);
			skip_blanks(r);
			r->broken = ret->key.len == 0 || r->section.len == 0;
			if (peek(r) == '=') {
				(void)next(r);
				ret->value = read_value(r);
			} else if (peek(r) != '\n' && peek(r) >= 0 && peek(r) != '#'
				&& peek(r) != ';') {
				r->broken = true;
			} else {
				skip_line(r);
			}
			return !r->broken;
		}
	}
	return false;
}

static bool
is_include(const struct setting *s)
{
	return (str_eq(s->section, STR("include"))
			   || str_eq(s->section, STR("includeif")))
		&& str_eq(s->key, STR("path"));
}

static bool
is_worktree(const struct setting *s)
{
	return str_eq(s->section, STR("core")) && str_eq(s->key, STR("worktree"));
}

bool
cli_git_text_names_programs(
	struct arena *a, struct str text, struct cli_git_said *said)
{
	struct reader r = {.a = a, .text = text};
	struct setting s;

	if (str_starts(text, STR("\xef\xbb\xbf")))
		r.at = 3;
	while (read_setting(&r, &s)) {
		if (is_include(&s)) {
			if (said->count == said->max)
				return true;
			said->includes[said->count++] = s.value;
		} else if (is_worktree(&s)) {
			said->worktree = s.value.ptr ? s.value : STR("");
		} else if (!is_harmless(&s)) {
			return true;
		}
	}
	return r.broken;
}
