/*
 * Package managers. Installing fetches code and runs its scripts; what a project
 * names (scripts, tasks) is code of the workspace; asking a registry for
 * public words about a package is like asking a service one is logged in to.
 */

#include "facts/facts_priv.h"

enum bits {
	B_DRY = 1 << 0,    /* says only what it would do */
	B_SHOWS = 1 << 1,  /* says which version it is, or how it is used */
	B_VALUED = 1 << 2, /* an option that takes a word in npm or in pnpm only */
};

/* Whatever its words are, it does the one thing that the row says; for what only
 * reads they must be known all the same. */
#define READY .style = FACTS_LOOSE, .operands = {OP(INERT, ALL)}
#define WORDY \
	.style = FACTS_LOOSE | FACTS_ANY_WORDS, .operands = {OP(INERT, ALL)}
/* ... and where else they would ask, or read settings */
#define ELSEWHERE                                                              \
	VALUE("--registry --index-url --extra-index-url --default-index "          \
		  "--find-links --trusted-host --proxy --https-proxy --http-proxy "    \
		  "--userconfig --globalconfig --script-shell --config-file --viewer " \
		  "--repository",                                                      \
		UNKNOWN)
#define LISTS(n, s)                                                   \
	{                                                                 \
		.names = (n), READY, .opts = FACTS_OPTS(ELSEWHERE), .does = { \
			DO_FLAGS(REMOTE, CALL_EFFECT_LOCAL, s)                    \
		}                                                             \
	}
#define LOCALLY(n)                                                    \
	{                                                                 \
		.names = (n), READY, .opts = FACTS_OPTS(ELSEWHERE), .does = { \
			DO(LIST_TREE, ".")                                        \
		}                                                             \
	}
#define INSTALLS(n, s)                      \
	{                                       \
		.names = (n), WORDY, .does = {      \
			DO(REMOTE, s),                  \
			DO(PROJECT, "install scripts"), \
			DO(WRITE_TREE, ".")             \
		}                                   \
	}
#define RUNS(n)                                           \
	{                                                     \
		.names = (n), WORDY, .does = { DO(PROJECT, ".") } \
	}
#define CHANGES(n, s)                                  \
	{                                                  \
		.names = (n), WORDY, .does = { DO(REMOTE, s) } \
	}
#define SENDS(n, s)                                         \
	{                                                       \
		.names = (n), WORDY, .does = { DO(REMOTE_SEND, s) } \
	}
#define SHOWS(n, s)                                    \
	{                                                  \
		.names = (n), READY, .does = { DO(SECRET, s) } \
	}
#define WORDS(n)                                           \
	{                                                      \
		.names = (n), READY, .opts = FACTS_OPTS(ELSEWHERE) \
	}
/* fetches a program and runs it */
#define FETCHES(n, s)                                                  \
	{                                                                  \
		.names = (n), WORDY, .does = {                                 \
			DO(REMOTE, s),                                             \
			DO_FLAGS(PROJECT, CALL_EFFECT_DOWNLOAD, "fetched program") \
		}                                                              \
	}
#define SYSTEMWIDE(n)                     \
	{                                     \
		.names = (n), WORDY, .does = {    \
			DO(REMOTE, "package mirror"), \
			DO(SYSTEM, "packages")        \
		}                                 \
	}

/* What is run when it is the project's own copy: npx tsc. Where only the
 * registry could have it, it is fetched. */
static void
hook_npx(struct facts_run *run)
{
	run->done = true;
	if (facts_given_find(run, "-p --package -c --call")) {
		facts_apply_text(run, FACTS_REMOTE, 0, "registry.npmjs.org");
		facts_run_ignore(run, CALL_UNKNOWN,
			"a package's program that is fetched", facts_run_text(run));
		return;
	}
	if (run->operand_count == 0)
		return;
	const struct facts_prog *row = facts_prog_find(run->operands[0].text);

	if (row && (row->style & FACTS_PROJECT_BIN)) {
		facts_run_inner(run, run->operands, run->operand_count);
		return;
	}
	facts_apply_text(run, FACTS_REMOTE, 0, "registry.npmjs.org");
	facts_apply_text(
		run, FACTS_PROJECT, CALL_EFFECT_DOWNLOAD, "fetched program");
}

/* uv run, poetry run, bundle exec: the tool's own environment, else any
 * command. */
static void
hook_exec(struct facts_run *run)
{
	run->done = true;
	if (run->operand_count > 0)
		facts_run_inner(run, run->operands, run->operand_count);
}

/* npm config get NAME: npm itself does not tell what is secret; the others do. */
static void
hook_setting(struct facts_run *run)
{
	for (size_t i = 0; i < run->operand_count; i++) {
		struct str name = run->operands[i].text;

		if (run->operands[i].flags || str_starts(name, STR("_"))
			|| str_has(name, STR(":_")) || facts_var_is_secret(name)
			|| str_has_fold(name, STR("auth"))
			|| str_has_fold(name, STR("proxy"))
			|| str_has_fold(name, STR("basic"))
			|| str_has_fold(name, STR("url")))
			facts_apply_text(run, FACTS_SECRET, 0, "settings");
	}
}

/* pacman -Qi, -Ss, -F; what is refreshed or changed is not asked. */
static void
hook_pacman(struct facts_run *run)
{
	bool asks = (run->bits & B_DRY)
		|| ((run->bits & B_SHOWS) && (run->bits & B_VALUED));
	bool query = facts_given_find(run, "-Q --query") != NULL;

	for (size_t i = 0; i < run->given_count; i++) {
		struct str name = run->given[i].name;

		/* with -Q, -u and -c only choose what is shown */
		if (facts_names_have("-D --database -R --remove -U --upgrade -w "
							 "--downloadonly -y --refresh --sysupgrade",
				name)
			|| (!query && facts_names_have("-u -c --clean", name)))
			asks = false;
	}
	if (!asks)
		facts_apply_text(run, FACTS_SYSTEM, 0, "packages");
}

/* A group of sub-commands; what is none of them is not known. */
#define GROUP(n, ...)                                                      \
	{                                                                      \
		.names = (n), .style = FACTS_STOP, .subs = FACTS_SUBS(__VA_ARGS__) \
	}
/* Nothing is done, it only says what would be; else it is done. */
#define SYSTEMWIDE_DRY(n)                                              \
	{                                                                  \
		.names = (n), WORDY,                                           \
		.opts = FACTS_OPTS(SETS("-n --dry-run --dryrun -s --simulate " \
								"--just-print --no-act --print",       \
							   B_DRY),                                 \
			VALUE("-c --config-file", UNKNOWN),                        \
			VALUE("-o --option", UNKNOWN)),                            \
		.does = {                                                      \
			DO_IF(REMOTE, "package mirror", 0, B_DRY),                 \
			DO_IF(SYSTEM, "packages", 0, B_DRY)                        \
		}                                                              \
	}

/* Modules from elsewhere: an address, or a registry's. */
static void
hook_modules(struct facts_run *run)
{
	for (size_t i = 0; i < run->operand_count; i++) {
		const struct facts_word *w = &run->operands[i];

		if (str_has(w->text, STR("://")))
			facts_apply(run, FACTS_URL, 0, w);
		else if (str_starts(w->text, STR("jsr:"))
			|| str_starts(w->text, STR("npm:")))
			facts_apply_text(run, FACTS_REMOTE, 0, "package registry");
	}
}

/* brew info ./x.rb: a formula is a program. */
static void
hook_formula(struct facts_run *run)
{
	for (size_t i = 0; i < run->operand_count; i++) {
		if (str_ends(run->operands[i].text, STR(".rb"))
			|| str_has(run->operands[i].text, STR("://")))
			facts_apply(run, FACTS_LOAD, 0, &run->operands[i]);
	}
}

#define RUNNER(n) \
	.names = (n), .style = FACTS_STOP | FACTS_WRAPPER, .hook = hook_exec

// clang-format off
const struct facts_prog facts_prog_package[] = {
	/* --- JavaScript */
	{.names = "npm pnpm", .manual = "https://docs.npmjs.com/cli/commands, https://pnpm.io/cli/add",
		.style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(VALUE_SETS("--prefix -C --dir", CHDIR, B_VALUED),
			VALUE_SETS("--registry", URL, B_VALUED),
			VALUE_SETS("--userconfig --globalconfig --script-shell --viewer --https-proxy --proxy", UNKNOWN, B_VALUED),
			VALUE_SETS("-w --workspace --loglevel -F --filter", INERT, B_VALUED),
			FLAGS("-v --version -h --help -s --silent -q --quiet -g --global --workspaces -ws -r --recursive --json --long -l")),
		.subs = FACTS_SUBS(
			LOCALLY("ls list ll la why explain query licenses root bin prefix sbom"),
			LISTS("view info show v search s se find diff find-dupes outdated ping whoami fund doctor stars", "registry.npmjs.org"),
			{.names = "audit", READY, .opts = FACTS_OPTS(VALUES("--audit-level --omit --include")),
				.subs = FACTS_SUBS(INSTALLS("fix", "registry.npmjs.org"), LISTS("signatures", "registry.npmjs.org")),
				.does = {DO_FLAGS(REMOTE, CALL_EFFECT_LOCAL, "registry.npmjs.org")}},
			{.names = "dist-tag dist-tags owner access team org profile hook", .style = FACTS_STOP,
				.subs = FACTS_SUBS(LISTS("ls list get list-packages list-collaborators", "registry.npmjs.org"),
					SENDS("add rm remove set grant revoke create destroy enable-2fa disable-2fa delete update edit public "
						"restricted", "registry.npmjs.org"))},
			CHANGES("star unstar repo docs bugs", "registry.npmjs.org"),
			WORDS("help help-search version-check completion"),
			INSTALLS("install i in add ci clean-install install-test it cit update up upgrade dedupe ddp rebuild rb link "
				"ln import fetch deploy prune", "registry.npmjs.org"),
			{.names = "uninstall remove rm r un unlink", WORDY, .does = {DO(WRITE_TREE, ".")}},
			/* without a name it lists the scripts */
			{.names = "run run-script rum urn", WORDY, .does = {DO_IF(PROJECT, ".", FACTS_OPERANDS, 0), DO_IF(PROJECT, ".", B_VALUED, FACTS_OPERANDS),
				DO_IF(LIST, "package.json", 0, FACTS_OPERANDS | B_VALUED)}},
			RUNS("test t tst start stop restart publish-check"),
			{.names = "exec x", .style = FACTS_STOP, .opts = FACTS_OPTS(VALUES("-p --package -c --call"), FLAGS("-y --yes --no")),
				.hook = hook_npx},
			FETCHES("dlx create init innit", "registry.npmjs.org"),
			{.names = "config c", .style = FACTS_STOP, .subs = FACTS_SUBS(
				{.names = "get", .operands = {OP(INERT, ALL)}, .hook = hook_setting}, WORDS("list ls"),
				CHANGES("set delete edit fix", "npm settings"))},
			{.names = "get", .operands = {OP(INERT, ALL)}, .hook = hook_setting},
			CHANGES("set edit", "npm settings"), RUNS("shrinkwrap"),
			{.names = "pkg", .style = FACTS_STOP, .subs = FACTS_SUBS(LOCALLY("get"),
				{.names = "set delete fix", WORDY, .does = {DO(WRITE, "package.json")}})},
			{.names = "version", WORDY, .does = {DO_IF(WRITE, "package.json", FACTS_OPERANDS, 0),
				DO_IF(PROJECT, "package.json", FACTS_OPERANDS, 0), DO_IF(PROJECT, "package.json", B_VALUED, FACTS_OPERANDS)}},
			{.names = "pack", WORDY, .does = {DO(PROJECT, "package.json"), DO(CREATE, ".")},
				.opts = FACTS_OPTS(SETS("--dry-run", B_DRY))},
			{.names = "cache store", .subs = FACTS_SUBS(WORDS("ls list path status"),
				{.names = "add clean rm verify npx prune", WORDY, .does = {DO(WRITE_TREE, "~/.npm")}}),
				.does = {DO(WRITE_TREE, "~/.npm")}},
			GROUP("env", WORDS("list ls"), SYSTEMWIDE("use add remove rm")),
			SENDS("publish unpublish deprecate adduser login logout token", "registry.npmjs.org")),
		.operands = {OP(UNKNOWN, ALL)}},
	{.names = "yarn", .manual = "https://yarnpkg.com/cli, https://classic.yarnpkg.com/docs/cli/", .style = FACTS_STOP | FACTS_CONFIGURED,
		.opts = FACTS_OPTS(VALUE("--cwd", CHDIR), SETS("-v --version -h --help", B_SHOWS),
			FLAGS("--silent -s --json --offline --frozen-lockfile --immutable")),
		.subs = FACTS_SUBS(
			LOCALLY("list why licenses bin dir workspaces"), LISTS("info outdated audit npm", "registry.yarnpkg.com"),
			WORDS("help versions completion"),
			INSTALLS("install add upgrade up dedupe link import rebuild unplug set plugin", "registry.yarnpkg.com"),
			{.names = "remove unlink autoclean", WORDY, .does = {DO(WRITE_TREE, ".")}},
			RUNS("run test start stop build dev lint exec node workspace foreach pack version"),
			FETCHES("dlx create init", "registry.yarnpkg.com"),
			{.names = "config", .subs = FACTS_SUBS({.names = "get", .operands = {OP(INERT, ALL)}, .hook = hook_setting},
				SHOWS("list", "yarn settings"), CHANGES("set delete unset", "yarn settings")), .does = {DO(SECRET, "yarn settings")}},
			GROUP("cache", WORDS("dir list"), CHANGES("clean", "registry.yarnpkg.com")),
			GROUP("global", WORDS("list bin dir"), INSTALLS("add remove upgrade", "registry.yarnpkg.com")),
			SENDS("publish login logout tag owner team", "registry.yarnpkg.com")),
		/* any other word is a script of the project; alone it installs */
		.does = {DO_IF(PROJECT, "package.json", 0, B_SHOWS), DO_IF(PROJECT, "package.json", B_SHOWS | FACTS_OPERANDS, 0)},
		.operands = {OP(INERT, ALL)}},
	{.names = "bun deno", .manual = "https://bun.sh/docs/cli/run, https://docs.deno.com/runtime/reference/cli/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(SETS("-v --version -V -h --help --revision", B_SHOWS), VALUE("--cwd", CHDIR)),
		.subs = FACTS_SUBS(
			{.names = "why pm info types lint check doc", READY, .opts = FACTS_OPTS(ELSEWHERE,
				VALUE("-c --config --preload -r --require --import --import-map", LOAD)), .does = {DO(LIST_TREE, ".")},
				.hook = hook_modules}, WORDS("help completions"),
			{.names = "fmt", WORDY, .opts = FACTS_OPTS(SETS("--check", B_DRY)), .does = {DO_IF(WRITE_TREE, ".", 0, B_DRY)}},
			LISTS("outdated audit", "registry.npmjs.org"),
			INSTALLS("install i add a update link remove rm upgrade patch cache vendor", "registry.npmjs.org"),
			RUNS("run test build compile bench task serve repl eval exec bundle"),
			FETCHES("x create c init", "registry.npmjs.org"), SENDS("publish deploy", "registry.npmjs.org")),
		.does = {DO_IF(PROJECT, ".", 0, B_SHOWS), DO_IF(PROJECT, ".", B_SHOWS | FACTS_OPERANDS, 0)},
		.operands = {OP(INERT, ALL)}},
	{.names = "npx pnpx bunx", .manual = "https://docs.npmjs.com/cli/commands/npx", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-y --yes -n --no --no-install -q --quiet -v --version -h --help --ignore-existing --bun"),
			VALUES("-p --package -c --call -w --workspace --registry --prefix")),
		.hook = hook_npx},
	{.names = "mise rtx", .manual = "https://mise.jdx.dev/cli/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-v --version -V -h --help -q --quiet -y --yes"), VALUE("-C --cd", CHDIR), VALUES("-E --env")),
		.subs = FACTS_SUBS(WORDS("ls list current where which version registry bin-paths completion help doctor dr outdated "
				"ls-remote latest search tool"),
			GROUP("config cfg settings plugins alias backends cache tasks t tool-alias shell-alias sync",
				WORDS("ls list path get info deps ls-remote"), SYSTEMWIDE("set add unset install i uninstall update up link "
				"clear prune edit run generate validate")),
			SHOWS("env", "environment"),
			{.names = "exec x run r watch w", WORDY, .does = {DO(PROJECT, ".")}},
			SYSTEMWIDE("install i uninstall use u upgrade up trust activate deactivate implode link prune reshim self-update set "
				"unset shell sh generate g fmt en prepare"))},
	{.names = "asdf", .manual = "https://asdf-vm.com/manage/commands.html", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-v --version -h --help")),
		.subs = FACTS_SUBS(WORDS("list current where which help info latest version"),
			GROUP("plugin", WORDS("list"), SYSTEMWIDE("add remove update")), SHOWS("env", "environment"),
			{.names = "exec", WORDY, .does = {DO(PROJECT, ".")}},
			SYSTEMWIDE("install uninstall global local set shell reshim update"))},
	{.names = "pyenv rbenv nodenv jenv goenv tfenv", .manual = "https://github.com/pyenv/pyenv/blob/master/COMMANDS.md",
		.style = FACTS_STOP, .opts = FACTS_OPTS(FLAGS("-v --version -h --help")),
		.subs = FACTS_SUBS(WORDS("versions version version-name version-origin version-file which whence root prefix commands shims "
				"help list latest completions hooks"),
			/* alone they say which version it is */
			{.names = "global local", .does = {DO_IF(SYSTEM, "packages", FACTS_OPERANDS, 0)}, .operands = {OP(INERT, ALL)},
				.opts = FACTS_OPTS(FLAG("--unset -f --force", SYSTEM, "packages"))},
			{.names = "install", WORDY, .opts = FACTS_OPTS(SETS("-l --list", B_DRY)), .does = {
				DO_IF(REMOTE, "package mirror", 0, B_DRY), DO_IF(SYSTEM, "packages", 0, B_DRY)}},
			LISTS("list-remote", "package mirror"),
			{.names = "exec", WORDY, .does = {DO(PROJECT, ".")}},
			SYSTEMWIDE("uninstall use pin rehash shell init update virtualenv virtualenvs activate deactivate add remove enable-plugin"))},
	{.names = "corepack fnm volta nvm n sdk rvm chruby direnv",
		.manual = "https://nodejs.org/api/corepack.html", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-v --version -h --help")),
		.subs = FACTS_SUBS(WORDS("ls list current version versions which where help whence --version status"),
			LISTS("ls-remote list-remote", "package mirror"),
			{.names = "exec x run", WORDY, .does = {DO(PROJECT, ".")}},
			SYSTEMWIDE("install uninstall use global local default alias enable disable prepare up upgrade pin add "
				"remove set unset shell rehash update plugin allow deny trust settings latest"))},

	/* --- Python */
	{.names = "pip pip3 pip2 pip3.8 pip3.9 pip3.10 pip3.11 pip3.12 pip3.13", .manual = "https://pip.pypa.io/en/stable/cli/",
		.style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-V --version -h --help -v --verbose -q --quiet --isolated --no-input --disable-pip-version-check"),
			VALUE("--python", UNKNOWN), VALUE("--log", WRITE), VALUES("--timeout --retries --cache-dir"), ELSEWHERE),
		.subs = FACTS_SUBS(
			{.names = "show", READY, .opts = FACTS_OPTS(FLAGS("-f --files -v --verbose"), VALUE("--log", WRITE), ELSEWHERE)},
			{.names = "list freeze check inspect debug", READY, .opts = FACTS_OPTS(VALUE("--log", WRITE), VALUE("-i -f", UNKNOWN),
				VALUE("-r --requirement", READ), FLAGS("--user --files -l --local"), VALUES("--path"), ELSEWHERE)},
			{.names = "index search", READY, .opts = FACTS_OPTS(VALUE("-i -f", UNKNOWN), ELSEWHERE),
				.does = {DO_FLAGS(REMOTE, CALL_EFFECT_LOCAL, "pypi.org")}}, WORDS("help completion hash"),
			INSTALLS("install wheel download lock", "pypi.org"),
			{.names = "uninstall", WORDY, .does = {DO(SYSTEM, "python packages")}},
			{.names = "config", .style = FACTS_STOP, .subs = FACTS_SUBS(SHOWS("list get debug", "pip settings"),
				CHANGES("set unset edit", "pip settings"))},
			{.names = "cache", .style = FACTS_STOP, .subs = FACTS_SUBS(WORDS("dir info list"),
				{.names = "purge remove", WORDY, .does = {DO(DELETE_TREE, "~/.cache/pip")}})})},
	{.names = "uv", .manual = "https://docs.astral.sh/uv/reference/cli/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-V --version -h --help -q --quiet -v --verbose --offline --no-cache -n"),
			VALUES("--color --cache-dir -p --python"), VALUE("--directory --project", CHDIR), ELSEWHERE),
		.subs = FACTS_SUBS(
			{.names = "pip", .style = FACTS_STOP, .subs = FACTS_SUBS({.names = "show", READY,
					.opts = FACTS_OPTS(FLAGS("-f --files"), ELSEWHERE)}, LOCALLY("list freeze check tree"),
				INSTALLS("install sync uninstall", "pypi.org"),
				{.names = "compile", WORDY, .opts = FACTS_OPTS(VALUE("-o --output-file", WRITE)), .does = {DO(REMOTE, "pypi.org"), DO(PROJECT, "build scripts")}})},
			{RUNNER("run"), .opts = FACTS_OPTS(FLAGS("--frozen --locked --no-sync --isolated --all-extras --no-dev --active --exact -q "
				"--quiet -v --verbose --no-project --no-config --all-groups --all-packages --only-dev --dev --offline --no-env-file "
				"--no-progress --managed-python --no-managed-python --no-python-downloads"),
				VALUES("-p --python --extra --group --only-group --package --env-file"), VALUE("--with --with-requirements --with-editable", UNKNOWN),
				VALUE("--directory --project", CHDIR), FLAG("-m --module -s --script", UNKNOWN, ""))},
			{.names = "tool", .style = FACTS_STOP, .subs = FACTS_SUBS(WORDS("list dir"), FETCHES("run install upgrade", "pypi.org"),
				SYSTEMWIDE("uninstall update-shell"))},
			{.names = "python cache self", .style = FACTS_STOP, .subs = FACTS_SUBS(WORDS("list find dir version size"),
				SYSTEMWIDE("install uninstall pin upgrade update clean prune update-shell"))},
			{.names = "version", READY, .opts = FACTS_OPTS(ELSEWHERE, FLAGS("--short")),
				.does = {DO_IF(WRITE, "pyproject.toml", FACTS_OPERANDS, 0)}}, LOCALLY("tree help"), INSTALLS("sync add remove lock init venv build", "pypi.org"),
			/* frozen: from the lock file, nothing is built */
			{.names = "export", WORDY, .opts = FACTS_OPTS(SETS("--frozen", B_DRY), VALUE("-o --output-file", WRITE), ELSEWHERE,
				VALUES("--extra --no-extra --group --only-group --no-group --package --format --prune --no-emit-package")),
				.does = {DO(READ, "uv.lock"), DO_IF(PROJECT, "build scripts", 0, B_DRY)}},
			{.names = "format", WORDY, .opts = FACTS_OPTS(SETS("--check --diff", B_DRY)), .does = {DO_IF(WRITE_TREE, ".", 0, B_DRY)}},
			GROUP("auth", WORDS("dir"), {.names = "token", WORDY, .does = {DO(SECRET, "pypi.org")}}, SENDS("login logout", "pypi.org")),
			SENDS("publish", "pypi.org"))},
	{.names = "uvx pipx", .manual = "https://docs.astral.sh/uv/guides/tools/, https://pipx.pypa.io/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-V --version -h --help -q --quiet"), VALUES("--from --with -p --python")),
		.subs = FACTS_SUBS(WORDS("list environment --version"),
			FETCHES("run install inject upgrade upgrade-all reinstall reinstall-all uninstall ensurepath", "pypi.org")),
		.does = {DO(REMOTE, "pypi.org"), DO_FLAGS(PROJECT, CALL_EFFECT_DOWNLOAD, "fetched program")},
		.operands = {OP(INERT, ALL)}},
	{.names = "poetry pdm pipenv hatch rye pixi flit", .manual = "https://python-poetry.org/docs/cli/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-V --version -h --help -q --quiet -v -vv -vvv -n --no-interaction --no-ansi"),
			VALUE("-C --directory -P --project", CHDIR)),
		.subs = FACTS_SUBS(LOCALLY("show check about list graph info status tree requirements verify"),
			{.names = "version", WORDY, .does = {DO_IF(WRITE, "pyproject.toml", FACTS_OPERANDS, 0)}},
			GROUP("env source dep project debug", LOCALLY("list info show table hash metadata activate path find"),
				RUNS("use remove add create prune run")),
			LISTS("search outdated", "pypi.org"), WORDS("help"),
			{RUNNER("run")}, RUNS("build script shell test fmt"),
			{.names = "config", WORDY, .opts = FACTS_OPTS(FLAG("--list", SECRET, "poetry settings"), FLAG("--unset --migrate", REMOTE,
				"poetry settings"), FLAGS("--local --global --project")), .does = {DO_IF(SECRET, "poetry settings", 0, FACTS_OPERANDS),
				DO_IF(REMOTE, "poetry settings", FACTS_OPERANDS2, 0)}, .hook = hook_setting},
			GROUP("self", LOCALLY("show"), INSTALLS("add remove update lock install sync", "pypi.org")),
			GROUP("cache", WORDS("list info"), CHANGES("clear remove", "poetry cache")),
			{.names = "export", WORDY, .opts = FACTS_OPTS(VALUE("-o --output", WRITE), VALUES("-f --format")),
				.does = {DO(READ, "poetry.lock")}},
			{.names = "lock", WORDY, .opts = FACTS_OPTS(SETS("--check", B_DRY)), .does = {DO_IF(REMOTE, "pypi.org", 0, B_DRY),
				DO_IF(PROJECT, "build scripts", 0, B_DRY), DO_IF(WRITE, "poetry.lock", 0, B_DRY)}},
			INSTALLS("install add remove update sync init new uninstall upgrade import", "pypi.org"),
			SENDS("publish", "pypi.org"))},
	{.names = "pipdeptree", .manual = "https://github.com/tox-dev/pipdeptree", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUE("--python", UNKNOWN))},
	{.names = "conda mamba micromamba", .manual = "https://docs.conda.io/projects/conda/en/stable/commands/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-V --version -h --help")),
		.subs = FACTS_SUBS(WORDS("list info help"), LISTS("search repoquery", "conda.anaconda.org"),
			{.names = "env", .style = FACTS_STOP, .subs = FACTS_SUBS(WORDS("list export"), SYSTEMWIDE("create remove update config"))},
			{.names = "run", .style = FACTS_STOP | FACTS_WRAPPER, .opts = FACTS_OPTS(VALUES("-n --name -p --prefix"),
				FLAGS("--no-capture-output --live-stream -v"), VALUE("--cwd", CHDIR)), .hook = hook_exec},
			{.names = "config", WORDY, .does = {DO_IF(WRITE, "~/.condarc", 0, B_DRY)}, .opts = FACTS_OPTS(
				SETS("--show --show-sources --get --describe --validate", B_DRY), FLAG("--set --add --append --prepend --remove "
				"--remove-key --stdin --write-default", WRITE, "~/.condarc"))},
			{.names = "compare", .operands = {OP(READ, ALL)}},
			SYSTEMWIDE_DRY("install create remove update upgrade uninstall clean"),
			SYSTEMWIDE("init activate deactivate package rename notices"))},
	{.names = "twine", .manual = "https://twine.readthedocs.io/", .style = FACTS_STOP,
		.subs = FACTS_SUBS({.names = "check", WORDY, .does = {DO(READ_TREE, ".")}}, SENDS("upload register", "pypi.org"))},
	{.names = "virtualenv", .manual = "https://virtualenv.pypa.io/en/stable/cli_interface.html", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUE("-p --python --try-first-with --creator --seeder --activators --discovery --extra-search-dir", LOAD)),
		.operands = {OP(CREATE, ALL)}},

	/* --- Ruby, PHP, others */
	{.names = "gem", .manual = "https://guides.rubygems.org/command-reference/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-v --version -h --help")),
		.subs = FACTS_SUBS(WORDS("list env environment which contents dependency specification stale help query check lock"),
			LISTS("search outdated info", "rubygems.org"), SHOWS("sources", "gem sources"),
			FETCHES("install update exec uninstall cleanup pristine build fetch unpack", "rubygems.org"),
			SENDS("push yank owner signin signout", "rubygems.org"))},
	{.names = "bundle bundler", .manual = "https://bundler.io/man/bundle.1.html", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-v --version -h --help -V --verbose")),
		.subs = FACTS_SUBS(RUNS("list show info check outdated platform viz licenses console open env doctor audit issue fund"), WORDS("help version"),
			{RUNNER("exec")}, SHOWS("config", "bundler settings"),
			INSTALLS("install update add remove lock cache package init clean pristine binstubs plugin", "rubygems.org"))},
	{.names = "composer", .manual = "https://getcomposer.org/doc/03-cli.md", .style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(FLAGS("-V --version -h --help -q --quiet -n --no-interaction -v -vv -vvv --no-plugins --no-scripts --ansi --no-ansi"),
			VALUE("-d --working-dir", CHDIR)),
		.subs = FACTS_SUBS(LOCALLY("show info depends why prohibits why-not licenses validate status fund about list check-platform-reqs suggests"),
			LISTS("outdated search audit browse home diagnose", "packagist.org"), WORDS("help"), SHOWS("config", "composer settings"),
			RUNS("run-script run exec test dump-autoload dumpautoload archive"),
			INSTALLS("install update upgrade require remove create-project init reinstall bump global self-update selfupdate clear-cache", "packagist.org"))},
	{.names = "opam", .manual = "https://opam.ocaml.org/doc/Usage.html", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("--version -h --help -y --yes -q --quiet"), VALUES("--switch --color"), VALUE("--root", UNKNOWN)),
		.subs = FACTS_SUBS(WORDS("list ls show info search var help tree"), GROUP("switch", WORDS("list show list-available"),
				INSTALLS("create remove set install reinstall import export link set-base", "opam.ocaml.org")),
			GROUP("repository repo", WORDS("list"), INSTALLS("add remove set-url set-repos priority", "opam.ocaml.org")),
			SHOWS("env config", "environment"), {RUNNER("exec")},
			INSTALLS("install remove uninstall reinstall update upgrade pin init option source lint clean lock build depext admin", "opam.ocaml.org"))},
	{.names = "luarocks conan vcpkg nimble shards", .manual = "https://luarocks.org/, https://docs.conan.io/2/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("--version -h --help -v"), VALUE("--tree --server", UNKNOWN)),
		.subs = FACTS_SUBS(WORDS("list show which version help"), LISTS("search", "package index"),
			GROUP("profile remote", WORDS("list show path"), INSTALLS("detect add remove update enable disable login logout set", "package index")),
			INSTALLS("install remove build make pack upload download lint test new create export upgrade update refresh check prune lock init "
				"uninstall integrate x-update-baseline graph develop dump tasks deps setup shell run outdated", "package index"))},
	{.names = "perldoc", .manual = "perldoc(1)", .opts = FACTS_OPTS(FLAGS("-h -D -t -u -m -l -U -F -i -V -T -r -X"),
			VALUES("-v -f -q -a -L"), VALUE("-d", WRITE), VALUE("-o -M -w -n", UNKNOWN)),
		.operands = {OP(READ, ALL)}},
	{.names = "cpan cpanm cpanminus hex cabal stack spago dub julia-pkg raco",
		.manual = "cpan(1), https://opam.ocaml.org/doc/Usage.html", WORDY,
		.does = {DO(REMOTE, "package index"), DO(PROJECT, "build scripts")}},

	/* --- the system's */
	{.names = "apt apt-get aptitude", .manual = "apt(8), apt-get(8)", .style = FACTS_STOP,
		.opts = FACTS_OPTS(SETS("-s --simulate --dry-run --just-print --no-act --recon", B_DRY), FLAGS("-y --yes --assume-yes -q --quiet -qq -v --version -h --help -V -f --fix-broken "
			"--no-install-recommends --allow-unauthenticated --purge --reinstall"),
			VALUE("-c --config-file", UNKNOWN), VALUE("-o --option", UNKNOWN), VALUES("-t --target-release -a")),
		.subs = FACTS_SUBS({.names = "list show search policy depends rdepends madison showsrc changelog why why-not indextargets check stats pkgnames", READY,
			.opts = FACTS_OPTS(VALUE("-c --config-file -o --option", UNKNOWN))},
			SYSTEMWIDE_DRY("install remove purge autoremove upgrade full-upgrade dist-upgrade build-dep reinstall satisfy clean autoclean"),
			SYSTEMWIDE("update download source edit-sources mark hold unhold markauto unmarkauto"))},
	{.names = "apt-cache apt-mark-show dpkg-query apt-file", .manual = "apt-cache(8), dpkg-query(1)", READY,
		.opts = FACTS_OPTS(VALUE("-c --config-file -o --option", UNKNOWN), VALUES("-p --pkg-cache -s --src-cache -S --search -f --showformat"))},
	{.names = "apt-mark apt-key", .manual = "apt-mark(8), apt-key(8)", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h --help -v --version"), VALUE("-c -o -f", UNKNOWN)),
		.subs = FACTS_SUBS(WORDS("showmanual showauto showhold showinstall showremove showpurge list finger"),
			SYSTEMWIDE("auto manual minimize-manual hold unhold install remove purge add del export exportall update net-update adv"))},
	{.names = "apt-config", .manual = "apt-config(8)", .style = FACTS_STOP, .opts = FACTS_OPTS(VALUE("-c -o", UNKNOWN)),
		.subs = FACTS_SUBS(WORDS("dump shell"))},
	{.names = "dpkg-deb dpkg-architecture dpkg-parsechangelog", .manual = "dpkg-deb(1), dpkg-architecture(1)",
		.opts = FACTS_OPTS(FLAGS("-c --contents -I --info -f --field -W --show --ctrl-tarfile --fsys-tarfile -h --help --version -l --list -L "
			"--list-known"), VALUES("-q --query -a --host-arch -t --host-type -S --show-field --showformat"),
			FLAG("-b --build -x --extract -X --vextract -R --raw-extract -e --control", UNKNOWN, "")),
		.operands = {OP(READ, ALL)}},
	{.names = "add-apt-repository", .manual = "apt-key(8)", WORDY, .does = {DO(SYSTEM, "package sources")}},
	{.names = "dpkg", .manual = "dpkg(1)",
		.opts = FACTS_OPTS(FLAGS("-l --list -s --status -L --listfiles -S --search -p --print-avail --get-selections --print-architecture "
			"--print-foreign-architectures --version --help -C --audit -V --verify --compare-versions -I --info -c --contents"),
			FLAG("-i --install -r --remove -P --purge --unpack --configure --set-selections --clear-selections --add-architecture "
				"--remove-architecture --update-avail -R --recursive --force-all", SYSTEM, "packages")),
		.operands = {OP(INERT, ALL)}},
	{.names = "dnf yum microdnf zypper tdnf", .manual = "dnf(8)", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-y --assumeyes -q --quiet -v --verbose --version -h --help -C --cacheonly -n --non-interactive")),
		.subs = FACTS_SUBS({.names = "list info search provides whatprovides repolist repoquery deplist check-update history updateinfo grouplist help se if lr lu", READY},
			GROUP("group module", WORDS("list info summary"), SYSTEMWIDE("install remove upgrade enable disable reset provides mark")),
			SYSTEMWIDE("install remove erase update upgrade downgrade reinstall autoremove clean makecache config-manager "
				"copr distro-sync swap mark in rm up dup ref ar rr builddep localinstall"))},
	{.names = "rpm", .manual = "rpm(8)",
		.opts = FACTS_OPTS(FLAGS("-q --query -qa -a --all -l --list -i --info -f --file -R --requires --whatrequires --provides -V --verify "
			"--changelog -c -d --version --scripts -K --checksig -p --package --last --conflicts --obsoletes --triggers --docfiles "
			"--configfiles --state -s --whatprovides -g --group --dump"), VALUES("--qf --queryformat"),
			FLAG("-U --upgrade -F --freshen -e --erase --import --install --initdb --rebuilddb", SYSTEM, "packages")),
		.operands = {OP(INERT, ALL)}},
	{.names = "apk", .manual = "https://wiki.alpinelinux.org/wiki/Alpine_Package_Keeper", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-q --quiet -v --verbose --no-cache -V --version -h --help -U --update-cache --print-arch -e")),
		.subs = FACTS_SUBS({.names = "info list search policy stats version dot manifest audit", READY,
				.opts = FACTS_OPTS(VALUE("-X --repository", URL), VALUE("-p --root --keys-dir --repositories-file", UNKNOWN))},
			SYSTEMWIDE("add del fix update upgrade cache fetch index verify"))},
	/* -Q asks what is installed, -Ss and -Si what there is, -F which package has a file */
	{.names = "pacman yay paru", .manual = "pacman(8)", .style = FACTS_LOOSE | FACTS_ANY_WORDS,
		.opts = FACTS_OPTS(SETS("-Q --query -F --files -T --deptest -V --version", B_DRY), SETS("-S --sync", B_SHOWS), SETS("-s --search -i --info -g --groups "
				"-p --print", B_VALUED),
			FLAG("-D --database -R --remove -U --upgrade -y --refresh -u --sysupgrade -w --downloadonly -c --clean", INERT, "")),
		.operands = {OP(INERT, ALL)}, .hook = hook_pacman},
	{.names = "brew", .manual = "https://docs.brew.sh/Manpage", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-v --version -h --help -q --quiet -d --debug --verbose"),
			SETS("--prefix --cellar --cache --repository --repo --caskroom --env --config --taps -S", B_SHOWS),
			FLAGS("--formula --cask --installed --unbrewed --HEAD -s --build-from-source --force-bottle --plain --desc"),
			VALUES("--bottle-tag --os --arch --shell")),
		.subs = FACTS_SUBS({.names = "list ls info abv desc deps uses leaves outdated search doctor dr config casks formulae cat log home "
				"homepage options missing commands help shellenv tap-info livecheck linkage formula which-formula command "
				"readall docs vulns completions-state", READY, .opts = FACTS_OPTS(FLAG("--fix", UNKNOWN, ""),
					FLAGS("--built-from-source --poured-from-bottle --installed-on-request")), .hook = hook_formula},
			{.names = "audit style", READY, .opts = FACTS_OPTS(FLAG("--fix --changed --reset-cache", UNKNOWN, ""))},
			{.names = "tap", WORDY, .opts = FACTS_OPTS(FLAG("--repair --eval-all --custom-remote --force", SYSTEM, "packages"),
				FLAGS("--installed --list-pinned")), .does = {DO_IF(SYSTEM, "packages", FACTS_OPERANDS, 0)}},
			{.names = "services", .subs = FACTS_SUBS(WORDS("list ls info"), SYSTEMWIDE("start stop restart run kill cleanup"))},
			{.names = "analytics developer completions", .subs = FACTS_SUBS(WORDS("state"), SYSTEMWIDE("on off link unlink regenerate-uuid"))},
			/* a Brewfile is a program */
			{.names = "bundle", WORDY, .does = {DO(PROJECT, "Brewfile")}},
			{.names = "install uninstall rm remove reinstall upgrade cleanup autoremove", WORDY,
				.opts = FACTS_OPTS(SETS("-n --dry-run", B_DRY)),
				.does = {DO_IF(REMOTE, "package mirror", 0, B_DRY), DO_IF(SYSTEM, "packages", 0, B_DRY)}},
			SYSTEMWIDE("update up link ln unlink pin unpin untap cask edit create fetch postinstall migrate unpack extract alias "
				"unalias gist-logs irb ruby sh prof tests typecheck rubocop bump bump-cask-pr bump-formula-pr dispatch-build-bottle "
				"install-bundler-gems nodenv-sync pyenv-sync rbenv-sync setup-ruby sponsors update-reset update-if-needed vendor-gems "
				"bottle determine-test-runners generate-cask-api generate-formula-api pr-pull pr-publish pr-upload release test "
				"unbottled mirror exec environment env source which-update mcp-server")),
		.operands = {OP_IF(INERT, ALL, B_SHOWS, 0)}},
	{.names = "snap flatpak", .manual = "snap(8), flatpak(1)", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("--version -h --help -v")),
		.subs = FACTS_SUBS({.names = "list info find search version remotes history help changes services connections interfaces warnings", READY},
			SYSTEMWIDE("install remove uninstall refresh update enable disable revert connect disconnect alias set unset run start stop "
				"restart remote-add remote-delete override repair switch try download"))},
	{.names = "port", .manual = "port(1)", .style = FACTS_STOP, .opts = FACTS_OPTS(FLAGS("-v -d -q")),
		.subs = FACTS_SUBS(WORDS("list installed info search deps dependents rdeps contents provides variants version outdated help "
				"livecheck platform notes echo"),
			SYSTEMWIDE("install uninstall upgrade sync selfupdate activate deactivate clean select fetch unsetrequested"))},
	{.names = "choco scoop winget", .manual = "https://docs.chocolatey.org/en-us/choco/commands/", .style = FACTS_STOP,
		.subs = FACTS_SUBS(WORDS("list search find info show outdated status --version help which"),
			SYSTEMWIDE("install uninstall upgrade update pin export import source bucket config hold unhold reset cleanup"))},
	{.names = "xbps-query equery", .manual = "xbps-query(1), equery(1)", READY},
	{.names = "nix", .manual = "https://nix.dev/manual/nix/stable/command-ref/new-cli/nix", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("--version -h --help --offline"), VALUE("--option", UNKNOWN), VALUES("--extra-experimental-features "
			"--experimental-features")),
		.subs = FACTS_SUBS(WORDS("show-config path-info why-depends help doctor"), GROUP("profile", WORDS("list history diff-closures"),
				SYSTEMWIDE("install add remove upgrade rollback wipe-history")), GROUP("config", WORDS("show check")),
			GROUP("hash", WORDS("file path convert to-base16 to-base32 to-base64 to-sri")), LISTS("search", "nixpkgs"),
			SYSTEMWIDE("build develop run shell eval flake repl log store copy edit fmt bundle env nar print-dev-env registry daemon "
				"derivation key realisation upgrade-nix"))},
	{.names = "nix-shell nix-env nix-build nix-store nixos-rebuild home-manager guix emerge xbps-install xbps-remove pkg "
			"softwareupdate mas",
		.manual = "https://nix.dev/manual/nix/stable/command-ref/", WORDY, .does = {DO(SYSTEM, "packages"), DO(REMOTE, "package mirror")}},
	{0},
};
