/*
 * Building: what these run is the project's own code.
 */

#include "facts/facts_priv.h"

enum bits {
	B_DRY = 1 << 0,
	B_CHECK = 1 << 1,
	B_FIX = 1 << 2,
	B_QUERY = 1 << 3,
};

/* Options shape the build, which is the project's code either way. */
#define RUNS_PROJECT(n, m)                                        \
	{                                                             \
		.names = (n), .manual = (m), .style = FACTS_LOOSE,        \
		.opts = FACTS_OPTS(VALUE("-C --directory --cwd", CHDIR)), \
		.does = {DO(PROJECT, ".")}, .operands = {                 \
			OP(INERT, ALL)                                        \
		}                                                         \
	}

/* Some words of a program that run nothing of the project; all others do. */
#define PARTLY(n, m, ...)                                            \
	{                                                                \
		.names = (n), .manual = (m), .style = FACTS_LOOSE,           \
		.opts = FACTS_OPTS(VALUE("-C --directory --cwd", CHDIR)),    \
		.subs = FACTS_SUBS(__VA_ARGS__), .does = {DO(PROJECT, ".")}, \
		.operands = {                                                \
			OP(INERT, ALL)                                           \
		}                                                            \
	}

/* ninja -t TOOL: some only look at the plan. */
static void
hook_ninja(struct facts_run *run)
{
	const struct facts_given *g = facts_given_find(run, "-t");
	bool looks = false;

	for (size_t i = 0; g && i < run->given_count; i++) {
		if (facts_names_have("-t", run->given[i].name))
			looks =
				facts_names_have("targets query graph deps commands list rules "
								 "inputs compdb missingdeps",
					run->given[i].value.text);
	}
	facts_apply_text(run, looks ? FACTS_READ : FACTS_PROJECT, 0,
		looks ? "build.ninja" : ".");
}

/* dart format -o none, -o show: the files stay as they are. */
static void
hook_dart_format(struct facts_run *run)
{
	const struct facts_given *g = facts_given_find(run, "-o --output");

	for (size_t i = 0; g && i < run->given_count; i++) {
		if (facts_names_have("-o --output", run->given[i].name)
			&& facts_names_have("none show json", run->given[i].value.text))
			run->bits |= B_CHECK;
	}
}

/* make NAME=VALUE sets variables; the rest are targets. */
static void
hook_make(struct facts_run *run)
{
	for (size_t i = 0; i < run->operand_count; i++) {
		if (str_has_char(run->operands[i].text, '='))
			facts_apply(run, FACTS_ASSIGN, 0, &run->operands[i]);
	}
}

#define CARGO_OPTS                                                            \
	FLAGS(                                                                    \
		"-q --quiet -v --verbose -vv --all --workspace --lib --bins "         \
		"--examples --tests --benches --all-targets -r --release "            \
		"--all-features --no-default-features --locked --offline --frozen "   \
		"--keep-going --no-run --no-fail-fast --doc --unit-graph "            \
		"--ignore-rust-version --future-incompat-report -h --no-deps --open " \
		"--document-private-items"),                                          \
		VALUES("-p --package --exclude --bin --example --test --bench -F "    \
			   "--features --profile -j --jobs --target --message-format "    \
			   "--color"),                                                    \
		VALUE("--target-dir", WRITE_TREE), VALUE("--manifest-path", READ),    \
		VALUE("-Z --config", UNKNOWN), VALUE("-C", CHDIR)

#define GO_OPTS                                                               \
	FLAGS("-a -n -race -msan -asan -cover -v -work -x -trimpath -i -json -m " \
		  "-u -short -failfast -benchmem -e -find -deps -test -compiled "     \
		  "-export "                                                          \
		  "-versions -retracted -c -l -s -w -d -vet"),                        \
		VALUES("-p -asmflags -buildmode -buildvcs -compiler -covermode "      \
			   "-coverpkg -gcflags -gccgoflags -installsuffix -ldflags -mod " \
			   "-pgo -pkgdir -tags -run -bench -benchtime -count -cpu -list " \
			   "-parallel -skip -shuffle -timeout -f -go"),                   \
		VALUE("-o -coverprofile -cpuprofile -memprofile -trace "              \
			  "-blockprofile -mutexprofile -outputdir",                       \
			WRITE),                                                           \
		VALUE("-C", CHDIR), VALUE("-modfile -overlay", READ),                 \
		VALUE("-toolexec -exec", SHELL)

/* The layout of rows is by hand: the tool cannot do uneven ones. */
// clang-format off
const struct facts_prog facts_prog_build[] = {
	{.names = "make gmake",
		.manual = "make(1), GNU make 4.3",
		.opts = FACTS_OPTS(
			FLAGS("-b -m -B --always-make -d -e --environment-overrides -i "
				"--ignore-errors -k --keep-going -L --check-symlink-times -q "
				"--question -r --no-builtin-rules -R --no-builtin-variables -s "
				"--silent --quiet --no-silent -S --no-keep-going --stop "
				"--trace -v -w --print-directory --no-print-directory "
				"--warn-undefined-variables -h -t --touch"),
			SETS("-n --just-print --dry-run --recon -p --print-data-base",
				B_DRY),
			MAYBES("--debug -j --jobs -l --load-average --max-load -O "
				"--output-sync"),
			VALUES("-o --old-file --assume-old -W --what-if --new-file "
				"--assume-new"),
			VALUE("-C --directory", CHDIR), VALUE("-E --eval", UNKNOWN),
			VALUE("-f --file --makefile -I --include-dir", LOAD)),
		/* even a dry run runs $(shell ...) */
		.does = {DO(PROJECT, ".")},
		.operands = {OP(INERT, ALL)},
		.hook = hook_make},
	RUNS_PROJECT("scons rake invoke bazelisk buck "
		"buck2 pants ant mvn mvnw gradle gradlew sbt lein mix rebar3 "
		"dune xmake premake waf b2 bear nx turbo lerna rush moon "
		"grunt gulp webpack rollup vite parcel esbuild swc next nuxt ng "
		"vue vue-cli-service react-scripts expo gatsby astro svelte-kit "
		"hugo jekyll mkdocs sphinx-build rails spring foreman overmind "
		"honcho nodemon ts-node tsx concurrently supervisor pm2 cross-env "
		"msbuild fastlane ionic cordova "
		"cmake-gui ccmake qmake autoreconf automake autoconf configure "
		"act earthly dagger artisan ginkgo gotestsum locust artillery "
		"lefthook husky semantic-release changeset fab doit",
		"each program's own manual"),
	/* --- what says something of itself, or of the project, and runs nothing of it --- */
	{.names = "ninja", .manual = "ninja(1)", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUE("-C", CHDIR), VALUES("-t -j -k -l -d -w"), VALUE("-f", READ)),
		.operands = {OP(INERT, ALL)}, .hook = hook_ninja},
	{.names = "just", .manual = "https://just.systems/man/en/",
		.style = FACTS_LOOSE,
		.opts = FACTS_OPTS(SETS("-l --list --summary --dump --variables --groups --changelog "
				"--man", B_QUERY), {.names = "-s --show", .arg = FACTS_VALUE, .set = B_QUERY},
			VALUE("-d --working-directory", CHDIR), VALUE("-f --justfile", READ),
			VALUES("--color --list-heading --list-prefix --dump-format"), FLAGS("-u --unsorted"),
			FLAG("--choose --edit --init --evaluate --command -c --shell-command", PROJECT, ".")),
		.does = {DO_IF(PROJECT, ".", 0, B_QUERY), DO_IF(READ, "justfile", B_QUERY, 0)},
		.operands = {OP(INERT, ALL)}},
	{.names = "task go-task", .manual = "https://taskfile.dev/reference/cli/",
		.style = FACTS_LOOSE,
		.opts = FACTS_OPTS(SETS("-l --list -a --list-all", B_QUERY), VALUE("-d --dir", CHDIR),
			VALUE("-t --taskfile", READ), FLAG("-w --watch --init", PROJECT, ".")),
		.does = {DO_IF(PROJECT, ".", 0, B_QUERY), DO_IF(READ, "Taskfile.yml", B_QUERY, 0)},
		.operands = {OP(INERT, ALL)}},
	{.names = "xcodebuild", .manual = "xcodebuild(1)", .style = FACTS_LOOSE | FACTS_ONE_DASH,
		.opts = FACTS_OPTS(SETS("-version -showsdks -help -usage -license -checkFirstLaunchStatus", B_QUERY), VALUES("-sdk")),
		.does = {DO_IF(PROJECT, ".", 0, B_QUERY)}, .operands = {OP(INERT, ALL)}},
	PARTLY("bazel", "https://bazel.build/reference/command-line-reference",
		{.names = "version help", .style = FACTS_LOOSE, .operands = {OP(INERT, ALL)}}),
	{.names = "dotnet", .manual = "https://learn.microsoft.com/dotnet/core/tools/",
		.style = FACTS_LOOSE,
		.opts = FACTS_OPTS(SETS("--info --list-sdks --list-runtimes --version -h", B_QUERY)),
		.subs = FACTS_SUBS(
			{.names = "help", .style = FACTS_LOOSE, .operands = {OP(INERT, ALL)}},
			{.names = "sln", .style = FACTS_LOOSE, .subs = FACTS_SUBS({.names = "list"}),
				.does = {DO(PROJECT, ".")}, .operands = {OP(INERT, ALL)}},
			{.names = "nuget", .style = FACTS_LOOSE, .subs = FACTS_SUBS({.names = "list",
				.style = FACTS_LOOSE, .operands = {OP(INERT, ALL)}}),
				.does = {DO(PROJECT, ".")}, .operands = {OP(INERT, ALL)}},
			{.names = "tool workload new sdk", .style = FACTS_LOOSE, .subs = FACTS_SUBS(
				{.names = "list check", .style = FACTS_LOOSE, .operands = {OP(INERT, ALL)}}),
				.does = {DO(PROJECT, ".")}, .operands = {OP(INERT, ALL)}}),
		.does = {DO_IF(PROJECT, ".", 0, B_QUERY), DO_IF(PROJECT, ".", FACTS_OPERANDS, 0)},
		.operands = {OP(INERT, ALL)}},
	PARTLY("flutter", "https://docs.flutter.dev/reference/flutter-cli",
		{.names = "doctor devices emulators channel", .style = FACTS_LOOSE}),
	{.names = "dart", .manual = "https://dart.dev/tools/dart-tool", .style = FACTS_LOOSE,
		.subs = FACTS_SUBS({.names = "info help", .style = FACTS_LOOSE},
			{.names = "format", .opts = FACTS_OPTS(VALUES("-l --line-length --language-version --indent"),
				FLAGS("--set-exit-if-changed --fix"), VALUES("-o --output --show --summary")),
				.does = {DO_IF(WRITE_TREE, ".", 0, B_CHECK)},
				.operands = {OP(READ_TREE, ALL)}, .hook = hook_dart_format}),
		.does = {DO(PROJECT, ".")}, .operands = {OP(INERT, ALL)}},
	{.names = "zig", .manual = "https://ziglang.org/documentation/", .style = FACTS_LOOSE,
		.subs = FACTS_SUBS({.names = "version env targets zen help", .style = FACTS_LOOSE},
			{.names = "ast-check", .style = FACTS_LOOSE, .operands = {OP(READ, ALL)}},
			{.names = "fmt", .opts = FACTS_OPTS(SETS("--check", B_CHECK), FLAGS("--stdin --ast-check --zon"),
				VALUES("--color --exclude")), .operands = {OP(READ_TREE, ALL), OP_IF(WRITE_TREE, ALL, 0, B_CHECK)}}),
		.does = {DO(PROJECT, ".")}, .operands = {OP(INERT, ALL)}},
	{.names = "meson", .manual = "https://mesonbuild.com/Commands.html", .style = FACTS_LOOSE,
		.subs = FACTS_SUBS({.names = "introspect", .style = FACTS_LOOSE, .operands = {OP(READ_TREE, ALL)}}),
		.does = {DO(PROJECT, ".")}, .operands = {OP(INERT, ALL)}},
	{.names = "goreleaser", .manual = "https://goreleaser.com/cmd/goreleaser/", .style = FACTS_LOOSE,
		.subs = FACTS_SUBS({.names = "check jsonschema healthcheck", .style = FACTS_LOOSE,
			.does = {DO(READ_TREE, ".")}, .operands = {OP(INERT, ALL)}}),
		.does = {DO(PROJECT, ".")}, .operands = {OP(INERT, ALL)}},
	{.names = "cmake",
		.manual = "cmake(1)",
		.style = FACTS_LOOSE,
		/* -N only looks at what an earlier run has left */
		.opts = FACTS_OPTS(SETS("--help-full --help-command-list --help-module-list "
				"--help-policy-list --help-property-list --help-variable-list "
				"--help-manual-list --list-presets -N", B_QUERY),
			{.names = "--help-command --help-manual --help-module --help-policy "
				"--help-property --help-variable", .arg = FACTS_VALUE, .set = B_QUERY},
			FLAG("--build --install --open -E -P --workflow --find-package", PROJECT, "."),
			FLAGS("-L -LA -LH -LAH"), VALUES("-D -U -G -T -A"), VALUE("-C", LOAD), VALUE("-S -B", READ_TREE)),
		.does = {DO_IF(PROJECT, ".", 0, B_QUERY)},
		.operands = {OP(INERT, ALL)}},
	{.names = "cargo",
		.manual = "https://doc.rust-lang.org/cargo/commands/",
		.style = FACTS_GLOBAL | FACTS_CONFIGURED,
		.opts = FACTS_OPTS(CARGO_OPTS, FLAGS("-V --list")),
		.subs = FACTS_SUBS(
			{.names = "fmt", .opts = FACTS_OPTS(SETS("--check", B_CHECK)),
				.does = {DO_IF(WRITE_TREE, ".", 0, B_CHECK)},
				.operands = {OP(INERT, ALL)}},
			{.names = "tree metadata pkgid read-manifest locate-project version "
				"help verify-project",
				.opts = FACTS_OPTS(FLAGS("--no-dedupe -d --duplicates -e"),
					VALUES("--format-version --depth -i --invert --prefix -f "
						"--filter-platform --edges --format")),
				.operands = {OP(INERT, ALL)}},
			{.names = "search info", .opts = FACTS_OPTS(VALUES("--limit"),
				VALUE("--registry --index", UNKNOWN)),
				.does = {DO_FLAGS(REMOTE, CALL_EFFECT_LOCAL, "crates.io")},
				.operands = {OP(INERT, ALL)}},
			{.names = "clean", .opts = FACTS_OPTS(SETS("-n --dry-run", B_DRY)),
				.does = {DO_IF(DELETE_TREE, "target", 0, B_DRY)}},
			/* what reads sources, or asks for known faults */
			{.names = "audit deny outdated machete license", .style = FACTS_LOOSE,
				.opts = FACTS_OPTS(FLAG("--fix", WRITE_TREE, "."),
					VALUE("-d --db -u --url --config -c --output-path", UNKNOWN)),
				.subs = FACTS_SUBS({.names = "fix init", .style = FACTS_LOOSE,
					.does = {DO(WRITE_TREE, ".")}, .operands = {OP(INERT, ALL)}},
					{.names = "check list bin", .style = FACTS_LOOSE,
						.does = {DO_FLAGS(REMOTE, CALL_EFFECT_LOCAL, "crates.io"),
							DO(READ_TREE, ".")},
						.operands = {OP(INERT, ALL)}}),
				.does = {DO_FLAGS(REMOTE, CALL_EFFECT_LOCAL, "crates.io"),
					DO(READ_TREE, ".")}},
			{.names = "package", .style = FACTS_LOOSE,
				.opts = FACTS_OPTS(SETS("-l --list", B_DRY)),
				.does = {DO_IF(PROJECT, ".", 0, B_DRY), DO(LIST_TREE, ".")}},
			{.names = "owner", .style = FACTS_LOOSE,
				.opts = FACTS_OPTS(SETS("-l --list", B_DRY),
					FLAG("-a --add -r --remove", REMOTE_SEND, "crates.io")),
				.does = {{.role = FACTS_REMOTE, .flags = CALL_EFFECT_LOCAL,
					.text = "crates.io", .when = B_DRY},
					DO_IF(REMOTE_SEND, "crates.io", 0, B_DRY)},
				.operands = {OP(INERT, ALL)}},
			{.names = "update", .opts = FACTS_OPTS(SETS("-n --dry-run", B_DRY),
				FLAGS("--aggressive --recursive"), VALUES("--precise")),
				.does = {{.role = FACTS_REMOTE, .flags = CALL_EFFECT_LOCAL,
					.text = "crates.io", .when = B_DRY},
					DO_IF(URL, "https://crates.io", 0, B_DRY),
					DO_IF(WRITE, "Cargo.lock", 0, B_DRY)},
				.operands = {OP(INERT, ALL)}},
			{.names = "init new", .opts = FACTS_OPTS(FLAGS("--bin --lib"),
				VALUES("--vcs --edition --name")),
				/* what is in there runs with the next build */
				.does = {DO(PROJECT, "Cargo.toml"),
					DO_IF(CREATE, "Cargo.toml", 0, FACTS_OPERANDS)},
				.operands = {OP(CREATE, ALL)}},
			{.names = "add remove rm fetch generate-lockfile vendor",
				.opts = FACTS_OPTS(
					FLAGS("--dev -D --build --optional -n --dry-run "
						"--recursive --versioned-dirs --no-delete --respect-source-config"),
					VALUES("-s --sync --rename --git --branch --tag --rev --path "
						"--registry")),
				.does = {DO(URL, "https://crates.io"), DO(WRITE, "Cargo.toml"),
					DO(WRITE, "Cargo.lock")},
				.operands = {OP(INERT, ALL)}},
			{.names = "build b check c clippy test t bench run r doc d rustc "
				"rustdoc fix nextest llvm-cov expand miri xtask watch "
				"udeps bloat geiger semver-checks about report msrv hack",
				.style = FACTS_LOOSE | FACTS_STOP,
				.does = {DO(PROJECT, ".")}, .operands = {OP(INERT, ALL)}},
			{.names = "install uninstall",
				.style = FACTS_LOOSE, .opts = FACTS_OPTS(SETS("--list", B_DRY)),
				.does = {DO_IF(URL, "https://crates.io", 0, B_DRY),
					DO_IF(PERSIST, "installed programs", 0, B_DRY),
					{.role = FACTS_PROJECT, .flags = CALL_EFFECT_DOWNLOAD,
						.text = ".", .unless = B_DRY}},
				.operands = {OP(INERT, ALL)}},
			{.names = "publish yank login logout",
				.style = FACTS_LOOSE,
				.does = {DO(REMOTE_SEND, "crates.io")},
				.operands = {OP(INERT, ALL)}})},
	{.names = "rustup",
		.manual = "rustup(1)",
		.subs = FACTS_SUBS(
			{.names = "show which doc help completions", .style = FACTS_LOOSE,
				.operands = {OP(INERT, ALL)}},
			{.names = "check", .does = {DO_FLAGS(REMOTE, CALL_EFFECT_LOCAL,
				"static.rust-lang.org")}},
			{.names = "default", .does = {DO_IF(PERSIST, "toolchains",
				FACTS_OPERANDS, 0)}, .operands = {OP(INERT, ALL)}},
			{.names = "override", .subs = FACTS_SUBS({.names = "list"},
				{.names = "set unset add remove", .style = FACTS_LOOSE,
					.does = {DO(PERSIST, "toolchains")},
					.operands = {OP(INERT, ALL)}})},
			{.names = "toolchain target component",
				.subs = FACTS_SUBS(
					{.names = "list", .style = FACTS_LOOSE,
						.operands = {OP(INERT, ALL)}},
					{.names = "install add remove uninstall link",
						.style = FACTS_LOOSE,
						.does = {DO(URL, "https://static.rust-lang.org"),
							DO(PERSIST, "toolchains")},
						.operands = {OP(INERT, ALL)}})},
			{.names = "update self install set", .style = FACTS_LOOSE,
				.does = {DO(URL, "https://static.rust-lang.org"),
					DO(PERSIST, "toolchains")},
				.operands = {OP(INERT, ALL)}},
			{.names = "run", .style = FACTS_STOP | FACTS_WRAPPER,
				.operands = {OP(INERT, FIRST), OP(COMMAND, SECOND)}})},
	{.names = "go",
		.manual = "https://pkg.go.dev/cmd/go",
		.style = FACTS_ONE_DASH,
		.opts = FACTS_OPTS(VALUE("-C", CHDIR)),
		.subs = FACTS_SUBS(
			{.names = "bug", .does = {DO(REMOTE, "github.com"), DO(SECRET, "environment")}},
			{.names = "version help", .style = FACTS_ONE_DASH,
				.opts = FACTS_OPTS(FLAGS("-m -v")),
				.operands = {OP(INERT, ALL)}},
			{.names = "env", .style = FACTS_ONE_DASH,
				.opts = FACTS_OPTS(FLAGS("-json -changed"),
					FLAG("-w -u", WRITE, "~/.config/go/env")),
				.operands = {OP(INERT, ALL)}},
			{.names = "doc list vet", .style = FACTS_ONE_DASH,
				.opts = FACTS_OPTS(GO_OPTS, FLAGS("-all -cmd -src"),
					VALUE("-vettool", SHELL)),
				.does = {DO(READ_TREE, ".")}, .operands = {OP(INERT, ALL)}},
			{.names = "fmt fix", .style = FACTS_ONE_DASH,
				.opts = FACTS_OPTS(GO_OPTS),
				.does = {DO(WRITE_TREE, ".")}, .operands = {OP(INERT, ALL)}},
			/* -n prints what would be run */
			{.names = "build install generate",
				.style = FACTS_ONE_DASH | FACTS_STOP,
				.opts = FACTS_OPTS(SETS("-n", B_DRY), GO_OPTS),
				.does = {DO_IF(PROJECT, ".", 0, B_DRY), DO(READ_TREE, ".")},
				.operands = {OP(INERT, ALL)}},
			{.names = "test run",
				.style = FACTS_ONE_DASH | FACTS_STOP,
				.opts = FACTS_OPTS(GO_OPTS),
				.does = {DO(PROJECT, ".")}, .operands = {OP(INERT, ALL)}},
			{.names = "tool", .style = FACTS_ONE_DASH,
				.subs = FACTS_SUBS(
					{.names = "nm objdump addr2line buildid", .style = FACTS_ONE_DASH,
						.opts = FACTS_OPTS(FLAGS("-n -size -type -S -gnu"),
							VALUES("-s -sort"), FLAG("-w", UNKNOWN, "")),
						.operands = {OP(READ, ALL)}},
					{.names = "cover", .style = FACTS_ONE_DASH,
						.opts = FACTS_OPTS(VALUE("-func", READ), VALUE("-o", WRITE),
							VALUE("-html -mode -var -pkgcfg", UNKNOWN)),
						.operands = {OP(READ, ALL)}},
					{.names = "pprof", .style = FACTS_ONE_DASH,
						.opts = FACTS_OPTS(SETS("-top -text -tree -traces -raw", B_QUERY),
							{.names = "-list -peek", .arg = FACTS_VALUE, .set = B_QUERY},
							FLAGS("-cum -flat -alloc_space -alloc_objects -inuse_space "
								"-inuse_objects -lines -functions -files"),
							VALUES("-nodecount -focus -ignore -show -hide -unit -sample_index"),
							VALUE("-output", WRITE)),
						.does = {DO_IF(UNKNOWN, "a viewer", 0, B_QUERY)},
						.operands = {OP(READ, ALL)}},
					{.names = "dist", .subs = FACTS_SUBS({.names = "list version env",
						.style = FACTS_LOOSE})},
					{.names = "asm cgo compile link pack preprofile test2json trace vet fix "
						"doc api covdata", .style = FACTS_LOOSE,
						.does = {DO(PROJECT, ".")}, .operands = {OP(INERT, ALL)}})},
			{.names = "get", .style = FACTS_ONE_DASH,
				.opts = FACTS_OPTS(GO_OPTS),
				.does = {DO(URL, "https://proxy.golang.org"),
					DO(WRITE, "go.mod"), DO(WRITE, "go.sum")},
				.operands = {OP(INERT, ALL)}},
			{.names = "mod work", .style = FACTS_ONE_DASH,
				.subs = FACTS_SUBS(
					{.names = "graph why verify", .style = FACTS_ONE_DASH,
						.opts = FACTS_OPTS(FLAGS("-m -vendor"), VALUES("-go")),
						.operands = {OP(INERT, ALL)}},
					{.names = "edit", .style = FACTS_ONE_DASH | FACTS_LOOSE,
						.opts = FACTS_OPTS(SETS("-json -print", B_DRY)),
						.does = {DO_IF(WRITE, "go.mod", 0, B_DRY)},
						.operands = {OP(INERT, ALL)}},
					{.names = "tidy download vendor init sync use",
						.style = FACTS_ONE_DASH | FACTS_LOOSE,
						.does = {DO(URL, "https://proxy.golang.org"),
							DO(WRITE, "go.mod"), DO(WRITE, "go.sum")},
						.operands = {OP(INERT, ALL)}})},
			{.names = "clean", .style = FACTS_ONE_DASH,
				.opts = FACTS_OPTS(FLAGS("-i -r -x"), SETS("-n", B_DRY),
					FLAG("-cache -testcache -modcache -fuzzcache", DELETE_TREE,
						"~/.cache/go-build")),
				.does = {DO_IF(DELETE, ".", 0, B_DRY)}, .operands = {OP(INERT, ALL)}},
			{.names = "telemetry", .does = {DO_IF(PERSIST, "telemetry", FACTS_OPERANDS, 0)},
				.operands = {OP(INERT, ALL)}})},
	{.names = "gopls", .manual = "https://go.dev/gopls/command-line",
		.style = FACTS_STOP | FACTS_ONE_DASH,
		.subs = FACTS_SUBS(
			{.names = "version check symbols references definition workspace_symbol "
				"call_hierarchy implementation highlight folding_ranges links signature "
				"prepare_rename semtok stats api-json help bug",
				.style = FACTS_ONE_DASH | FACTS_LOOSE, .does = {DO(READ_TREE, ".")},
				.operands = {OP(INERT, ALL)}},
			{.names = "rename format imports codeaction codelens execute serve fix mcp remote",
				.style = FACTS_ONE_DASH | FACTS_LOOSE, .does = {DO(WRITE_TREE, ".")},
				.operands = {OP(INERT, ALL)}})},
	{.names = "protoc",
		.manual = "https://protobuf.dev/reference/",
		.does = {DO(PROJECT, ".")},
		.operands = {OP(READ, ALL)}},
	{.names = NULL},
};
// clang-format on
