#include "facts/settings.h"

#include "facts/facts_priv.h"

// clang-format off
static const struct tool {
	const char *names;
	const char *code;  /* files of these names are programs */
	const char *data;  /* ...and these name some, where they hold... */
	const char *words; /* ...one of these; blank-separated */
} tools[] = {
	/* https://prettier.io/docs/configuration */
	{"prettier",
		".prettierrc.js .prettierrc.cjs .prettierrc.mjs .prettierrc.ts .prettierrc.cts .prettierrc.mts prettier.config.js "
		"prettier.config.cjs prettier.config.mjs prettier.config.ts prettier.config.cts prettier.config.mts",
		".prettierrc .prettierrc.json .prettierrc.yml .prettierrc.yaml .prettierrc.json5 .prettierrc.toml package.json package.yaml",
		"plugins pluginSearchDirs"},
	/* https://mypy.readthedocs.io/en/stable/config_file.html */
	{"mypy dmypy", "", "mypy.ini .mypy.ini pyproject.toml setup.cfg", "plugins python_executable"},
	/* https://flake8.pycqa.org/en/latest/user/configuration.html */
	{"flake8", "", ".flake8 setup.cfg tox.ini", "local-plugins local_plugins flake8:local-plugins"},
	/* https://pylint.readthedocs.io/en/stable/user_guide/configuration/ */
	{"pylint", "", ".pylintrc pylintrc .pylintrc.toml pylintrc.toml pyproject.toml setup.cfg tox.ini",
		"init-hook init_hook load-plugins load_plugins"},
	/* https://pyre-check.org/docs/configuration/ */
	{"pyre", "", ".pyre_configuration .pyre_configuration.local", "binary"},
	/* https://oxc.rs/docs/guide/usage/linter/js-plugins */
	{"oxlint", "oxlint.config.ts", ".oxlintrc.json", "jsPlugins"},
	/* https://dprint.dev/plugins/ : those that are programs */
	{"dprint", "", "dprint.json dprint.jsonc .dprint.json .dprint.jsonc", "exec json process commands"},
	{"vue-tsc", "", "tsconfig.json jsconfig.json", "plugins vueCompilerOptions extends"},
	/* https://golangci-lint.run/plugins/ */
	{"golangci-lint", "", ".golangci.yml .golangci.yaml .golangci.toml .golangci.json .custom-gcl.yml", "custom plugins plugin"},
	/* https://ansible.readthedocs.io/projects/lint/ : it runs ansible for the syntax */
	{"ansible-lint", "ansible.cfg", ".ansible-lint .ansible-lint.yml", "rulesdir mock_modules"},
	/* https://docs.sqlfluff.com/en/stable/configuration/ */
	{"sqlfluff", "", ".sqlfluff setup.cfg tox.ini pep8.ini pyproject.toml", "library_path dbt python loader_search_path"},
	/* https://cspell.org/docs/getting-started */
	{"cspell", "cspell.config.js cspell.config.cjs cspell.config.mjs cspell.js cspell.cjs .cspell.config.js .cspell.config.mjs",
		"cspell.json .cspell.json cSpell.json cspell.config.json .cspell.config.json cspell.yaml cspell.yml cspell.config.yaml "
		"cspell.config.yml cspell.config.toml", "import plugins"},
	/* https://docs.stoplight.io/docs/spectral/ */
	{"spectral", ".spectral.js .spectral.cjs .spectral.mjs spectral.js", ".spectral.yaml .spectral.yml .spectral.json", "functions functionsDir extends"},
	{"checkov", "", ".checkov.yaml .checkov.yml", "external-checks-dir external-checks-git"},
	{"tflint", "", ".tflint.hcl", "plugin plugin_dir"},
	/* https://buf.build/docs/configuration/v2/buf-yaml/ */
	{"buf", "", "buf.yaml buf.gen.yaml buf.work.yaml", "plugins"},
	{"redocly", "", "redocly.yaml redocly.yml .redocly.yaml", "plugins"},
	{"alex", ".alexrc.js", "", ""},
	/* compilers' arguments may load plugins into the tool */
	{"clang-tidy include-what-you-use iwyu", "", ".clang-tidy compile_commands.json compile_flags.txt",
		"-load -fplugin -fpass-plugin -plugin -wrapper ExtraArgs ExtraArgsBefore"},
	/* https://rust-lang.github.io/rustup/overrides.html : which program cargo and rustfmt are */
	{"cargo rustfmt", "", "rust-toolchain.toml rust-toolchain", "path"},
	/* https://yarnpkg.com/configuration/yarnrc : which program yarn is */
	{"yarn", "", ".yarnrc.yml .yarnrc", "yarnPath yarn-path plugins"},
};
// clang-format on

static const struct tool *
find_tool(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(tools); i++) {
		if (facts_names_have(tools[i].names, name))
			return &tools[i];
	}
	return NULL;
}

enum facts_settings
facts_settings_of(struct str tool, struct str name)
{
	const struct tool *t = find_tool(tool);

	if (t && facts_names_have(t->code, name))
		return FACTS_SETTINGS_CODE;
	return t && facts_names_have(t->data, name) ? FACTS_SETTINGS_DATA
												: FACTS_SETTINGS_NONE;
}

/* --- the text of a file ---------------------------------------------------- */

/* A character of names: "load-plugins" is one, and holds no "plugins". */
static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
		|| (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static bool
has_word_at(struct str text, size_t i, struct str word)
{
	size_t end = i + word.len;

	return str_eq_fold(str_sub(text, i, end), word)
		&& (i == 0 || !is_name_char(text.ptr[i - 1]))
		&& (end >= text.len || !is_name_char(text.ptr[end]));
}

static bool
has_word(struct str text, struct str word)
{
	for (size_t i = 0; i + word.len <= text.len; i++) {
		if (has_word_at(text, i, word))
			return true;
	}
	return false;
}

static bool
has_any(struct str text, const char *words)
{
	struct str rest = str_from(words);

	while (rest.ptr) {
		struct str word = str_cut(rest, ' ', &rest);

		if (word.len > 0 && has_word(text, word))
			return true;
	}
	return false;
}

/* Characters that are written as others, by which a word could hide. */
static bool
has_escapes(struct str text)
{
	for (size_t i = 0; i + 1 < text.len; i++) {
		if (text.ptr[i] == '\\'
			&& str_has_char(STR("uUxNL\n\r"), text.ptr[i + 1]))
			return true;
		if (text.ptr[i] == '\\')
			i++;
	}
	return false;
}

/* Behind the JSON string that begins at i. */
static size_t
skip_string(struct str s, size_t i)
{
	for (i++; i < s.len && s.ptr[i] != '"'; i++)
		i += s.ptr[i] == '\\';
	return i < s.len ? i + 1 : s.len;
}

static size_t
skip_blanks(struct str s, size_t i)
{
	while (i < s.len && str_has_char(STR(" \t\r\n"), s.ptr[i]))
		i++;
	return i;
}

/* The value that begins at i, up to the comma or bracket behind it. */
static struct str
value_at(struct str s, size_t i)
{
	size_t from = skip_blanks(s, i), depth = 0;

	for (i = from; i < s.len;) {
		char c = s.ptr[i];

		if (depth == 0 && (c == ',' || c == '}' || c == ']'))
			break;
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		i = c == '"' ? skip_string(s, i) : i + 1;
	}
	return str_sub(s, from, i);
}

/* package.json holds the settings of many: only those of the member named tool
 * count, and one that is a text names a package that has them as code. */
static bool
member_is_plain(struct str s, struct str tool, const char *words)
{
	size_t depth = 0;

	for (size_t i = 0; i < s.len;) {
		char c = s.ptr[i];
		size_t end = c == '"' ? skip_string(s, i) : i + 1;
		size_t colon = skip_blanks(s, end);

		depth += c == '{' || c == '[';
		if (depth > 0)
			depth -= c == '}' || c == ']';
		if (c == '"' && depth == 1 && colon < s.len && s.ptr[colon] == ':'
			&& str_eq(str_sub(s, i + 1, end - 1), tool)) {
			struct str value = value_at(s, colon + 1);

			if (!str_starts(value, STR("{")) || has_any(value, words))
				return false;
		}
		i = end;
	}
	return true;
}

bool
facts_settings_is_plain(struct str tool, struct str name, struct str text)
{
	const struct tool *t = find_tool(tool);

	if (!t || !facts_names_have(t->data, name) || has_escapes(text))
		return false;
	if (str_eq(name, STR("package.json")))
		return member_is_plain(text, tool, t->words);
	return !has_any(text, t->words);
}

/* --- a command ------------------------------------------------------------- */

static void
loads_code(struct facts_run *run)
{
	facts_add_effect(run->f,
		(struct call_effect){.kind = CALL_EFFECT_EXECUTE,
			.scope = CALL_SCOPE_WORKSPACE,
			.flags = CALL_EFFECT_PROJECT,
			.resource = arena_fmt(run->f->a, "what the settings of %.*s name",
				STR_ARG(run->name)),
			.by = run->name,
			.command = run->index});
}

/* The workspace that the command runs in; else the folder itself. */
static struct str
root_of(const struct facts *f, struct str folder)
{
	for (size_t i = 0; i < f->call->root_count; i++) {
		if (facts_path_below(folder, f->call->roots[i]))
			return f->call->roots[i];
	}
	return folder;
}

static void
ask(struct facts_run *run, const struct tool *t, struct str folder)
{
	struct facts *f = run->f;
	struct str first = str_from(t->names), rest;
	struct str name = arena_fmt(f->a, "%.*s:%.*s",
		STR_ARG(str_cut(first, ' ', &rest)), STR_ARG(root_of(f, folder)));
	const struct call_answer *found =
		call_world_find(f->world, CALL_NEED_SETTINGS, name);

	if (found && str_eq(found->value, STR("plain")))
		return;
	if (found && found->value.ptr)
		loads_code(run);
	else if (f->world->assumed)
		return;
	else if (found || f->world->rounds_used_up)
		facts_run_ignore(run, CALL_UNKNOWN,
			"its settings in the workspace may name code", run->name);
	else
		facts_add_need(f, CALL_NEED_SETTINGS, name);
}

void
facts_run_settings(struct facts_run *run)
{
	const struct tool *t = find_tool(run->name);
	struct facts_word here = facts_word_from(STR("."));
	struct str paths[FACTS_CWD_MAX];
	bool sure;

	if (!t)
		return;
	size_t n = facts_path_of(run->f, &run->cwd, &here, paths, &sure);

	for (size_t i = 0; i < n && sure; i++)
		ask(run, t, paths[i]);
}
