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
	RUNS_PROJECT("ninja meson scons rake just task invoke bazel bazelisk buck "
		"buck2 pants ant mvn mvnw gradle gradlew sbt lein mix rebar3 "
		"dune zig xmake premake waf b2 bear nx turbo lerna rush moon "
		"grunt gulp webpack rollup vite parcel esbuild swc next nuxt ng "
		"vue vue-cli-service react-scripts expo gatsby astro svelte-kit "
		"hugo jekyll mkdocs sphinx-build rails spring foreman overmind "
		"honcho nodemon ts-node tsx concurrently supervisor pm2 cross-env "
		"dotnet msbuild xcodebuild fastlane flutter ionic cordova "
		"cmake-gui ccmake qmake autoreconf automake autoconf configure "
		"act earthly dagger artisan ginkgo gotestsum locust artillery",
		"each program's own manual"),
	{.names = "cmake",
		.manual = "cmake(1)",
		.style = FACTS_LOOSE,
		.does = {DO(PROJECT, ".")},
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
			{.names = "search info", .opts = FACTS_OPTS(VALUES("--limit")),
				.does = {DO(URL, "https://crates.io")},
				.operands = {OP(INERT, ALL)}},
			{.names = "clean", .does = {DO(DELETE_TREE, "target")}},
			{.names = "init new", .opts = FACTS_OPTS(FLAGS("--bin --lib"),
				VALUES("--vcs --edition --name")),
				/* what is in there runs with the next build */
				.does = {DO(PROJECT, "Cargo.toml"),
					DO_IF(CREATE, "Cargo.toml", 0, FACTS_OPERANDS)},
				.operands = {OP(CREATE, ALL)}},
			{.names = "add remove rm update fetch generate-lockfile vendor",
				.opts = FACTS_OPTS(
					FLAGS("--dev -D --build --optional -n --dry-run "
						"--aggressive --recursive --precise"),
					VALUES("--rename --git --branch --tag --rev --path "
						"--registry")),
				.does = {DO(URL, "https://crates.io"), DO(WRITE, "Cargo.toml"),
					DO(WRITE, "Cargo.lock")},
				.operands = {OP(INERT, ALL)}},
			{.names = "build b check c clippy test t bench run r doc d rustc "
				"rustdoc fix nextest llvm-cov expand miri xtask watch "
				"outdated audit deny machete udeps",
				.style = FACTS_LOOSE | FACTS_STOP,
				.does = {DO(PROJECT, ".")}, .operands = {OP(INERT, ALL)}},
			{.names = "install uninstall",
				.style = FACTS_LOOSE,
				.does = {DO(URL, "https://crates.io"),
					DO(PERSIST, "installed programs"),
					DO_FLAGS(PROJECT, CALL_EFFECT_DOWNLOAD, ".")},
				.operands = {OP(INERT, ALL)}},
			{.names = "publish yank owner login logout package",
				.style = FACTS_LOOSE,
				.does = {DO(REMOTE_SEND, "crates.io")},
				.operands = {OP(INERT, ALL)}})},
	{.names = "rustup",
		.manual = "rustup(1)",
		.subs = FACTS_SUBS(
			{.names = "show which doc", .style = FACTS_LOOSE,
				.operands = {OP(INERT, ALL)}},
			{.names = "toolchain target component",
				.subs = FACTS_SUBS(
					{.names = "list", .style = FACTS_LOOSE,
						.operands = {OP(INERT, ALL)}},
					{.names = "install add remove uninstall link",
						.style = FACTS_LOOSE,
						.does = {DO(URL, "https://static.rust-lang.org"),
							DO(PERSIST, "toolchains")},
						.operands = {OP(INERT, ALL)}})},
			{.names = "update default override self install", .style = FACTS_LOOSE,
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
					FLAG("-w -u", WRITE, "~/.config/go/env"), SETS("-w -u", B_FIX)),
				.operands = {OP(INERT, ALL)}},
			{.names = "doc list vet", .style = FACTS_ONE_DASH,
				.opts = FACTS_OPTS(GO_OPTS, FLAGS("-all -cmd -src"),
					VALUE("-vettool", SHELL)),
				.does = {DO(READ_TREE, ".")}, .operands = {OP(INERT, ALL)}},
			{.names = "fmt fix", .style = FACTS_ONE_DASH,
				.opts = FACTS_OPTS(GO_OPTS),
				.does = {DO(WRITE_TREE, ".")}, .operands = {OP(INERT, ALL)}},
			{.names = "build test run install generate tool",
				.style = FACTS_ONE_DASH | FACTS_STOP,
				.opts = FACTS_OPTS(GO_OPTS),
				.does = {DO(PROJECT, ".")}, .operands = {OP(INERT, ALL)}},
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
					{.names = "tidy download vendor init edit sync use",
						.style = FACTS_ONE_DASH | FACTS_LOOSE,
						.does = {DO(URL, "https://proxy.golang.org"),
							DO(WRITE, "go.mod"), DO(WRITE, "go.sum")},
						.operands = {OP(INERT, ALL)}})},
			{.names = "clean", .style = FACTS_ONE_DASH,
				.opts = FACTS_OPTS(FLAGS("-i -r -n -x"),
					FLAG("-cache -testcache -modcache -fuzzcache", DELETE_TREE,
						"~/.cache/go-build")),
				.does = {DO(DELETE, ".")}, .operands = {OP(INERT, ALL)}})},
	{.names = "protoc",
		.manual = "https://protobuf.dev/reference/",
		.does = {DO(PROJECT, ".")},
		.operands = {OP(READ, ALL)}},
	{.names = NULL},
};
// clang-format on
