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
			FETCHES("exec x dlx create init innit", "registry.npmjs.org"),
			{.names = "config c get set", .style = FACTS_STOP, .subs = FACTS_SUBS(
				SHOWS("get list ls", "npm settings"), CHANGES("set delete edit fix", "npm settings"))},
			{.names = "pkg", .style = FACTS_STOP, .subs = FACTS_SUBS(LOCALLY("get"),
				{.names = "set delete fix", WORDY, .does = {DO(WRITE, "package.json")}})},
			{.names = "version", WORDY, .does = {DO_IF(WRITE, "package.json", FACTS_OPERANDS, 0),
				DO_IF(PROJECT, "package.json", FACTS_OPERANDS, 0), DO_IF(PROJECT, "package.json", B_VALUED, FACTS_OPERANDS)}},
			{.names = "pack", WORDY, .does = {DO(PROJECT, "package.json"), DO(CREATE, ".")},
				.opts = FACTS_OPTS(SETS("--dry-run", B_DRY))},
			{.names = "cache store", WORDY, .does = {DO(WRITE_TREE, "~/.npm")}},
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
			SHOWS("config", "yarn settings"), CHANGES("cache global", "registry.yarnpkg.com"),
			SENDS("publish login logout tag owner team", "registry.yarnpkg.com")),
		/* any other word is a script of the project; alone it installs */
		.does = {DO_IF(PROJECT, "package.json", 0, B_SHOWS), DO_IF(PROJECT, "package.json", B_SHOWS | FACTS_OPERANDS, 0)},
		.operands = {OP(INERT, ALL)}},
	{.names = "bun deno", .manual = "https://bun.sh/docs/cli/run, https://docs.deno.com/runtime/reference/cli/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(SETS("-v --version -V -h --help --revision", B_SHOWS), VALUE("--cwd", CHDIR)),
		.subs = FACTS_SUBS(
			LOCALLY("why pm info types lint check doc"), WORDS("help completions"),
			{.names = "fmt", WORDY, .does = {DO(WRITE_TREE, ".")}},
			INSTALLS("install i add a update link remove rm upgrade patch cache vendor", "registry.npmjs.org"),
			RUNS("run test build compile bench task serve repl eval exec bundle"),
			FETCHES("x create c init", "registry.npmjs.org"), SENDS("publish deploy", "registry.npmjs.org")),
		.does = {DO_IF(PROJECT, ".", 0, B_SHOWS), DO_IF(PROJECT, ".", B_SHOWS | FACTS_OPERANDS, 0)},
		.operands = {OP(INERT, ALL)}},
	{.names = "npx pnpx bunx", .manual = "https://docs.npmjs.com/cli/commands/npx", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-y --yes -n --no --no-install -q --quiet -v --version -h --help --ignore-existing --bun"),
			VALUES("-p --package -c --call -w --workspace --registry --prefix")),
		.hook = hook_npx},
	{.names = "corepack fnm volta nvm n nodenv asdf mise rtx pyenv rbenv jenv sdk rvm chruby goenv tfenv direnv",
		.manual = "https://nodejs.org/api/corepack.html, https://mise.jdx.dev/cli/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-v --version -h --help")),
		.subs = FACTS_SUBS(WORDS("ls list current version versions which where help whence --version"),
			{.names = "exec x run", WORDY, .does = {DO(PROJECT, ".")}},
			SYSTEMWIDE("install uninstall use global local default alias enable disable prepare up upgrade pin add "
				"remove set unset shell rehash update plugin allow deny trust settings latest ls-remote"))},

	/* --- Python */
	{.names = "pip pip3 pip2 pip3.8 pip3.9 pip3.10 pip3.11 pip3.12 pip3.13", .manual = "https://pip.pypa.io/en/stable/cli/",
		.style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-V --version -h --help -v --verbose -q --quiet --isolated --no-input --disable-pip-version-check"),
			VALUE("--python", UNKNOWN), VALUE("--log", WRITE), VALUES("--timeout --retries --cache-dir"), ELSEWHERE),
		.subs = FACTS_SUBS(
			{.names = "list freeze show check inspect debug", READY, .opts = FACTS_OPTS(VALUE("--log", WRITE),
				VALUE("-r --requirement", READ), VALUE("-i -f", UNKNOWN), ELSEWHERE)},
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
			{.names = "pip", .style = FACTS_STOP, .subs = FACTS_SUBS(LOCALLY("list freeze show check tree"),
				INSTALLS("install sync uninstall", "pypi.org"),
				{.names = "compile", WORDY, .opts = FACTS_OPTS(VALUE("-o --output-file", WRITE)), .does = {DO(REMOTE, "pypi.org"), DO(PROJECT, "build scripts")}})},
			{RUNNER("run"), .opts = FACTS_OPTS(FLAGS("--frozen --locked --no-sync --isolated --all-extras --no-dev --active --exact -q -v"),
				VALUES("-p --python --extra --group --only-group --package --env-file"), VALUE("--with --with-requirements --with-editable", UNKNOWN),
				VALUE("--directory --project", CHDIR), FLAG("-m --module -s --script", UNKNOWN, ""))},
			{.names = "tool", .style = FACTS_STOP, .subs = FACTS_SUBS(WORDS("list dir"), FETCHES("run install upgrade", "pypi.org"),
				SYSTEMWIDE("uninstall update-shell"))},
			{.names = "python cache self", .style = FACTS_STOP, .subs = FACTS_SUBS(WORDS("list find dir version"),
				SYSTEMWIDE("install uninstall pin upgrade update clean prune update-shell"))},
			LOCALLY("tree version help"), INSTALLS("sync add remove lock init venv build export", "pypi.org"),
			SENDS("publish auth", "pypi.org"))},
	{.names = "uvx pipx", .manual = "https://docs.astral.sh/uv/guides/tools/, https://pipx.pypa.io/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-V --version -h --help -q --quiet"), VALUES("--from --with -p --python")),
		.subs = FACTS_SUBS(WORDS("list environment --version"),
			FETCHES("run install inject upgrade upgrade-all reinstall reinstall-all uninstall ensurepath", "pypi.org")),
		.does = {DO(REMOTE, "pypi.org"), DO_FLAGS(PROJECT, CALL_EFFECT_DOWNLOAD, "fetched program")},
		.operands = {OP(INERT, ALL)}},
	{.names = "poetry pdm pipenv hatch rye pixi flit", .manual = "https://python-poetry.org/docs/cli/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-V --version -h --help -q --quiet -v -vv -vvv -n --no-interaction --no-ansi"),
			VALUE("-C --directory -P --project", CHDIR)),
		.subs = FACTS_SUBS(LOCALLY("show check version about list graph info env"), LISTS("search", "pypi.org"), WORDS("help"),
			{RUNNER("run")}, RUNS("build script shell test fmt"), SHOWS("config", "poetry settings"),
			INSTALLS("install add remove update lock sync init new export self cache uninstall upgrade import", "pypi.org"),
			SENDS("publish", "pypi.org"))},
	{.names = "conda mamba micromamba", .manual = "https://docs.conda.io/projects/conda/en/stable/commands/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-V --version -h --help")),
		.subs = FACTS_SUBS(WORDS("list info help"), LISTS("search repoquery", "conda.anaconda.org"),
			{.names = "env", .style = FACTS_STOP, .subs = FACTS_SUBS(WORDS("list export"), SYSTEMWIDE("create remove update config"))},
			{.names = "run", .style = FACTS_STOP | FACTS_WRAPPER, .opts = FACTS_OPTS(VALUES("-n --name -p --prefix"),
				FLAGS("--no-capture-output --live-stream -v"), VALUE("--cwd", CHDIR)), .hook = hook_exec},
			{.names = "config", WORDY, .does = {DO(WRITE, "~/.condarc")}, .opts = FACTS_OPTS(FLAGS("--show --show-sources"))},
			SYSTEMWIDE("install create remove update upgrade uninstall clean init activate deactivate compare package"))},
	{.names = "twine", .manual = "https://twine.readthedocs.io/", .style = FACTS_STOP,
		.subs = FACTS_SUBS({.names = "check", WORDY, .does = {DO(READ_TREE, ".")}}, SENDS("upload register", "pypi.org"))},
	{.names = "virtualenv", .manual = "https://virtualenv.pypa.io/en/stable/cli_interface.html", .style = FACTS_LOOSE,
		.operands = {OP(CREATE, ALL)}},

	/* --- Ruby, PHP, others */
	{.names = "gem", .manual = "https://guides.rubygems.org/command-reference/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-v --version -h --help")),
		.subs = FACTS_SUBS(WORDS("list env environment which contents dependency specification stale help"),
			LISTS("search outdated info", "rubygems.org"), SHOWS("sources", "gem sources"),
			FETCHES("install update exec uninstall cleanup pristine build fetch unpack", "rubygems.org"),
			SENDS("push yank owner signin signout", "rubygems.org"))},
	{.names = "bundle bundler", .manual = "https://bundler.io/man/bundle.1.html", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-v --version -h --help -V --verbose")),
		.subs = FACTS_SUBS(RUNS("list show info check outdated platform viz licenses console open"), WORDS("help version"),
			{RUNNER("exec")}, SHOWS("config", "bundler settings"),
			INSTALLS("install update add remove lock cache package init clean pristine binstubs plugin", "rubygems.org"))},
	{.names = "composer", .manual = "https://getcomposer.org/doc/03-cli.md", .style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(FLAGS("-V --version -h --help -q --quiet -n --no-interaction -v -vv -vvv --no-plugins --no-scripts --ansi --no-ansi"),
			VALUE("-d --working-dir", CHDIR)),
		.subs = FACTS_SUBS(LOCALLY("show info depends why prohibits why-not licenses validate status fund about list check-platform-reqs suggests"),
			LISTS("outdated search audit browse home diagnose", "packagist.org"), WORDS("help"), SHOWS("config", "composer settings"),
			RUNS("run-script run exec test dump-autoload dumpautoload archive"),
			INSTALLS("install update upgrade require remove create-project init reinstall bump global self-update selfupdate clear-cache", "packagist.org"))},
	{.names = "cpan cpanm cpanminus luarocks opam hex cabal stack spago dub nimble vcpkg conan julia-pkg shards raco",
		.manual = "cpan(1), https://opam.ocaml.org/doc/Usage.html", WORDY,
		.does = {DO(REMOTE, "package index"), DO(PROJECT, "build scripts")}},

	/* --- the system's */
	{.names = "apt apt-get aptitude", .manual = "apt(8), apt-get(8)", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-y --yes --assume-yes -q --quiet -qq -s --simulate --dry-run -v --version -h --help -V -f --fix-broken "
			"--no-install-recommends --allow-unauthenticated --purge --reinstall"),
			VALUE("-c --config-file", UNKNOWN), VALUE("-o --option", UNKNOWN), VALUES("-t --target-release -a")),
		.subs = FACTS_SUBS({.names = "list show search policy depends rdepends madison showsrc changelog why why-not indextargets check stats pkgnames", READY,
			.opts = FACTS_OPTS(VALUE("-c --config-file -o --option", UNKNOWN))},
			SYSTEMWIDE("install remove purge autoremove update upgrade full-upgrade dist-upgrade clean autoclean download source build-dep "
				"edit-sources mark hold unhold reinstall satisfy markauto unmarkauto"))},
	{.names = "apt-cache apt-mark-show dpkg-query apt-file", .manual = "apt-cache(8), dpkg-query(1)", READY,
		.opts = FACTS_OPTS(VALUE("-c --config-file -o --option", UNKNOWN), VALUES("-p --pkg-cache -s --src-cache -S --search -f --showformat"))},
	{.names = "apt-key apt-mark add-apt-repository apt-config", .manual = "apt-key(8)", WORDY, .does = {DO(SYSTEM, "package sources")}},
	{.names = "dpkg", .manual = "dpkg(1)",
		.opts = FACTS_OPTS(FLAGS("-l --list -s --status -L --listfiles -S --search -p --print-avail --get-selections --print-architecture "
			"--print-foreign-architectures --version --help -C --audit -V --verify --compare-versions -I --info -c --contents"),
			FLAG("-i --install -r --remove -P --purge --unpack --configure --set-selections --clear-selections --add-architecture "
				"--remove-architecture --update-avail -R --recursive --force-all", SYSTEM, "packages")),
		.operands = {OP(INERT, ALL)}},
	{.names = "dnf yum microdnf zypper tdnf", .manual = "dnf(8)", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-y --assumeyes -q --quiet -v --verbose --version -h --help -C --cacheonly -n --non-interactive")),
		.subs = FACTS_SUBS({.names = "list info search provides whatprovides repolist repoquery deplist check-update history updateinfo grouplist help se if lr lu", READY},
			SYSTEMWIDE("install remove erase update upgrade downgrade reinstall autoremove clean makecache group module config-manager "
				"copr distro-sync swap mark in rm up dup ref ar rr builddep localinstall"))},
	{.names = "rpm", .manual = "rpm(8)",
		.opts = FACTS_OPTS(FLAGS("-q --query -qa -a --all -l --list -i --info -f --file -R --requires --whatrequires --provides -V --verify "
			"--changelog -c -d --version --scripts -K --checksig -p --package"), VALUES("--qf --queryformat"),
			FLAG("-U --upgrade -F --freshen -e --erase --import --install --initdb --rebuilddb", SYSTEM, "packages")),
		.operands = {OP(INERT, ALL)}},
	{.names = "apk", .manual = "https://wiki.alpinelinux.org/wiki/Alpine_Package_Keeper", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-q --quiet -v --verbose --no-cache -V --version -h --help -U --update-cache")),
		.subs = FACTS_SUBS({.names = "info list search policy stats version dot manifest audit", READY},
			SYSTEMWIDE("add del fix update upgrade cache fetch index verify"))},
	{.names = "pacman yay paru", .manual = "pacman(8)", WORDY, .does = {DO(SYSTEM, "packages")}},
	{.names = "brew", .manual = "https://docs.brew.sh/Manpage", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-v --version -h --help -q --quiet --verbose --prefix --cellar --cache --repository --repo --caskroom --env")),
		.subs = FACTS_SUBS({.names = "list ls info abv desc deps uses leaves outdated search doctor dr config casks formulae cat log home "
				"homepage options missing commands help shellenv tap-info livecheck audit analytics-state linkage", READY},
			{.names = "services", .style = FACTS_STOP, .subs = FACTS_SUBS(WORDS("list info"), SYSTEMWIDE("start stop restart run kill cleanup"))},
			SYSTEMWIDE("install uninstall rm remove reinstall upgrade update up cleanup link ln unlink pin unpin tap untap bundle cask autoremove "
				"edit create fetch postinstall migrate developer analytics"))},
	{.names = "snap flatpak", .manual = "snap(8), flatpak(1)", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("--version -h --help -v")),
		.subs = FACTS_SUBS({.names = "list info find search version remotes history help changes services connections interfaces warnings", READY},
			SYSTEMWIDE("install remove uninstall refresh update enable disable revert connect disconnect alias set unset run start stop "
				"restart remote-add remote-delete override repair switch try download"))},
	{.names = "nix nix-shell nix-env nix-build nix-store nixos-rebuild home-manager guix emerge xbps-install xbps-remove port pkg choco "
			"scoop winget softwareupdate mas",
		.manual = "https://nix.dev/manual/nix/stable/command-ref/", WORDY, .does = {DO(SYSTEM, "packages"), DO(REMOTE, "package mirror")}},
	{0},
};
