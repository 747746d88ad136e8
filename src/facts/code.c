/*
 * Program text in other languages than the shell's. It is read to find danger,
 * never to prove safety: what calls files, programs and hosts by literal names
 * shows as effects; that there are none proves nothing.
 */

#include "facts/facts_priv.h"

enum { CODE_MAX = 1 << 18 };

/* What a call with a literal first argument does. */
static const struct {
	enum facts_role role;
	const char *names; /* the last part of the called name */
} calls[] = {
	{FACTS_READ,
     "open file readFile readFileSync read_text fopen file_get_contents "
		"readlines readFileAsync slurp createReadStream read"           },
	{FACTS_WRITE,
     "writeFile writeFileSync write_text file_put_contents appendFile "
		"appendFileSync createWriteStream"                              },
	{FACTS_DELETE_TREE,
     "rmtree rmSync rmdirSync rm rm_rf rm_r remove_tree removeSync rimraf "
		"remove_entry_secure rmdir rmdir_s"                             },
	{FACTS_DELETE,      "remove unlink unlinkSync removedirs delete"    },
	{FACTS_SHELL,
     "system popen exec execSync execFile execFileSync spawn spawnSync run "
		"call check_call check_output Popen execute getoutput getstatusoutput "
		"shell_exec passthru proc_open execl execlp execv execvp execve "
		"spawnl spawnlp startfile capture2 capture3"                    },
	{FACTS_URL,
     "urlopen get post put request Request fetch urlretrieve "
		"create_connection gethostbyname HTTPSConnection HTTPConnection"},
};

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
		|| (c >= '0' && c <= '9') || c == '_';
}

/* The string literal that starts at s[i] (a quote); *ret_end is behind it. */
static struct str
literal(struct arena *a, struct str s, size_t i, size_t *ret_end)
{
	char quote = s.ptr[i], *p;
	size_t n = 0, end = i + 1;

	while (end < s.len && s.ptr[end] != quote)
		end += s.ptr[end] == '\\' ? 2 : 1;
	p = arena_alloc(a, end - i + 1);
	for (i++; i < s.len && s.ptr[i] != quote; i++) {
		if (s.ptr[i] == '\\' && i + 1 < s.len)
			i++;
		p[n++] = s.ptr[i];
	}
	*ret_end = i < s.len ? i + 1 : i;
	return (struct str){p, n};
}

/* The name that is called with the literal at s[i]: name( 'x' or name 'x'. */
static struct str
called(struct str s, size_t i)
{
	size_t end;

	while (i > 0
		&& (s.ptr[i - 1] == ' ' || s.ptr[i - 1] == '(' || s.ptr[i - 1] == '['
			|| s.ptr[i - 1] == 'f' || s.ptr[i - 1] == 'r'
			|| s.ptr[i - 1] == 'b')) {
		bool letter = s.ptr[i - 1] >= 'a';

		if (letter && i > 1 && is_name_char(s.ptr[i - 2]))
			break;
		i--;
	}
	end = i;
	while (i > 0 && is_name_char(s.ptr[i - 1]))
		i--;
	return str_sub(s, i, end);
}

static bool
is_path(struct str s)
{
	return s.len > 1 && s.len < 512 && !str_has_char(s, '\n')
		&& !str_has_char(s, ' ')
		&& ((s.ptr[0] == '/' && s.ptr[1] != '/') || str_starts(s, STR("~/"))
			|| str_starts(s, STR("../")));
}

static void
apply_literal(
	struct facts_run *run, enum facts_role role, struct str text, struct str fn)
{
	struct facts_word w = facts_word_from(text);
	bool url = str_has(text, STR("://"));

	if (str_starts(text, STR("~/")))
		w.text = w.source = arena_fmt(run->f->a, "%.*s%.*s",
			STR_ARG(run->f->world->home), STR_ARG(str_sub(text, 1, text.len)));
	if (role == FACTS_URL && !url)
		return;
	if (url && (role == FACTS_NONE || role == FACTS_READ))
		role = FACTS_URL;
	if (role == FACTS_DELETE && str_eq(fn, STR("delete")) && !is_path(text))
		return;
	if (role == FACTS_SHELL)
		facts_run_shell(run, &w);
	else if (role != FACTS_NONE)
		facts_apply(run, role, CALL_EFFECT_INLINE, &w);
	else if (is_path(text) || facts_path_is_secret(run->f, text))
		facts_apply(run, FACTS_READ, CALL_EFFECT_INLINE, &w);
}

static enum facts_role
role_of(struct str fn)
{
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		if (fn.len > 0 && facts_names_have(calls[i].names, fn))
			return calls[i].role;
	}
	return FACTS_NONE;
}

/* open('x', 'w') writes. */
static bool
opens_to_write(struct str code, size_t behind)
{
	struct str rest = str_trim(str_sub(code, behind, behind + 12));

	return str_starts(rest, STR(",")) && str_has_char(rest, 'w');
}

static void
scan_literals(struct facts_run *run, struct str code)
{
	for (size_t i = 0; i < code.len && facts_work(run->f, 0);) {
		char c = code.ptr[i];
		size_t end;

		if (c != '"' && c != '\'' && c != '`') {
			i++;
			continue;
		}
		struct str text = literal(run->f->a, code, i, &end);
		struct str fn = called(code, i);
		enum facts_role role = role_of(fn);

		if (c == '`' && role == FACTS_NONE
			&& !facts_names_have("node javascript go",
				str_from(run->language ? run->language : "")))
			role = FACTS_SHELL;
		if (role == FACTS_READ && opens_to_write(code, end))
			role = FACTS_WRITE;
		run->f->work += 4 + text.len / 64;
		if (text.len > 0)
			apply_literal(run, role, text, fn);
		i = end;
	}
}

/* Words that together show what the text is for. */
static const struct {
	enum call_hazard_kind kind;
	const char *all; /* every one of them, with '|' between ... */
	const char *any; /* ... and one of these */
} shapes[] = {
	{CALL_HAZARD_REVERSE_SHELL, "ocket",
     "dup2|pty.spawn|/bin/sh|/bin/bash|cmd.exe|subprocess|os.system|"
		"child_process"										  },
	{CALL_HAZARD_REVERSE_SHELL, "TCPSocket",    "exec|popen|sh|`"},
	{CALL_HAZARD_REVERSE_SHELL, "fsockopen",    "exec|system|sh" },
	{CALL_HAZARD_REVERSE_SHELL, "net.|connect",
     "/bin/sh|/bin/bash|child_process|spawn"                     },
	{CALL_HAZARD_REVERSE_SHELL, "/inet/tcp/",   "getline||&"     },
	{CALL_HAZARD_FORK_BOMB,     "fork",
     "while True|while 1|while(1)|while (1)|fork while fork|while true|"
		"for(;;)|loop"										   },
};

/* How many of the parts of list are in code; *ret_parts is how many there are. */
static size_t
count_parts(struct str code, const char *list, size_t *ret_parts)
{
	struct str rest = str_from(list);
	size_t found = 0;

	*ret_parts = 0;
	while (rest.ptr) {
		struct str part = str_cut(rest, '|', &rest);

		++*ret_parts;
		found += part.len > 0 && str_has(code, part);
	}
	return found;
}

static bool
has_shape(struct str code, size_t k)
{
	size_t parts;

	return count_parts(code, shapes[k].all, &parts) == parts
		&& count_parts(code, shapes[k].any, &parts) > 0;
}

/* Text fetched and run, inside the program itself. */
static bool
runs_download(struct str code)
{
	static const char *const fetches[] = {"urlopen", "requests.get", "urllib",
		"fetch(", "http.get", "https.get", "file_get_contents('http",
		"LWP::Simple", "Net::HTTP", "open-uri"};
	static const char *const runs[] = {"exec(", "eval(", "eval ", "compile("};
	bool fetched = false, ran = false;

	for (size_t i = 0; i < ARRAY_LEN(fetches); i++)
		fetched = fetched || str_has(code, str_from(fetches[i]));
	for (size_t i = 0; i < ARRAY_LEN(runs); i++)
		ran = ran || str_has(code, str_from(runs[i]));
	return fetched && ran;
}

void
facts_run_code(
	struct facts_run *run, const char *language, const struct facts_word *code)
{
	struct facts *f = run->f;
	struct str text = str_sub(code->text, 0, CODE_MAX);

	run->language = language;
	facts_text_run(run, code->taint, code->source);
	facts_add_effect(f,
		(struct call_effect){.kind = CALL_EFFECT_EXECUTE,
			.flags = CALL_EFFECT_INLINE,
			.resource = str_from(language ? language : "text"),
			.by = run->name,
			.command = run->index});
	if (code->flags & (FACTS_DYNAMIC | FACTS_MANY))
		facts_run_ignore(run, CALL_DYNAMIC,
			"a program text that only running would tell", code->source);
	if (language && facts_names_have("shell", str_from(language))) {
		/* another shell's text, read as ours to see danger in it */
		facts_run_ignore(
			run, CALL_UNPARSED, "a shell that is not read exactly", run->name);
		facts_run_shell(run, code);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		if (has_shape(text, i))
			facts_add_hazard(f, shapes[i].kind, str_sub(text, 0, 200));
	}
	if (runs_download(text))
		facts_download_run(f, str_sub(text, 0, 200));
	scan_literals(run, text);
}

/* --- script files ----------------------------------------------------------- */

/* The language that the first line names; a shell runs what names none. */
static const char *
named_language(struct str text)
{
	static const struct {
		const char *part, *language;
	} rows[] = {
		{"python", "python"    },
		{"perl",   "perl"      },
		{"ruby",   "ruby"      },
		{"node",   "javascript"},
		{"php",    "php"       },
		{"fish",   "shell"     },
		{"csh",    "shell"     },
		{"sh",     "sh"        },
	};
	struct str rest, line = str_cut(text, '\n', &rest);

	if (!str_starts(line, STR("#!")))
		return "sh";
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (str_has(line, str_from(rows[i].part)))
			return rows[i].language;
	}
	return "script";
}

/* A script that this call wrote itself, or whose text the world gave: a shell's
 * is read for what it does. Without a language the text itself names one. */
static void
read_script(struct facts_run *run, struct str path, const char *language)
{
	struct facts *f = run->f;
	struct facts_file *written = facts_file_find(f, path);
	const struct call_answer *found =
		call_world_find(f->world, CALL_NEED_FILE, path);
	struct facts_word text = {.source = path};

	if (!written)
		facts_add_script(f, path, (struct str){NULL, 0}, false);
	if (written && written->known) {
		text.text = written->text;
		text.taint = written->taint;
	} else if (found && found->value.ptr) {
		text.text = found->value;
	} else {
		if (!found && !f->world->assumed && !f->world->rounds_used_up
			&& facts_path_scope(f, path) == CALL_SCOPE_WORKSPACE)
			facts_add_need(f, CALL_NEED_FILE, path);
		return;
	}
	if (!language)
		language = named_language(text.text);
	if (facts_names_have("sh", str_from(language)))
		facts_run_shell(run, &text);
	else
		facts_run_code(run, language, &text);
}

void
facts_run_itself(struct facts_run *run, struct str path)
{
	read_script(run, path, NULL);
}

void
facts_run_script(struct facts_run *run, const struct facts_word *file)
{
	struct facts *f = run->f;
	struct str paths[FACTS_CWD_MAX];
	bool sure;

	run->done = true;
	if (file->flags & FACTS_PIPE) {
		facts_run_input(run, file->pipe, run->prog->language);
		return;
	}
	if (facts_path_is_input(file->text)) {
		facts_run_input(run, run->in, run->prog->language);
		return;
	}
	size_t n = facts_path_of(f, &run->cwd, file, paths, &sure);

	if (!sure)
		facts_run_ignore(run, CALL_DYNAMIC,
			"a script that only running would tell", file->source);
	for (size_t i = 0; i < n; i++) {
		enum call_scope scope =
			sure ? facts_path_scope(f, paths[i]) : CALL_SCOPE_UNKNOWN;
		struct facts_file *written = facts_file_find(f, paths[i]);
		unsigned taint = file->taint | (written ? written->taint : 0);

		facts_text_run(run, taint, file->source);
		facts_add_effect(f,
			(struct call_effect){.kind = CALL_EFFECT_EXECUTE,
				.scope = scope,
				.flags =
					scope == CALL_SCOPE_WORKSPACE ? CALL_EFFECT_PROJECT : 0,
				.resource = paths[i],
				.by = run->name,
				.command = run->index});
		if (sure && n == 1)
			read_script(
				run, paths[i], run->prog->language ? run->prog->language : "");
	}
}
