/*
 * assent proxy cursor: runs assent-proxy, which stands between Cursor and a
 * gateway. A program of its own: this one links no HTTP library.
 */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

enum { WORDS_MAX = 32 };

static const char *
find_program(struct arena *a, const struct io_place *p)
{
	static const char *const places[] = {
		"assent-proxy", "../libexec/assent/assent-proxy"};

	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		struct str path =
			arena_fmt(a, "%.*s/%s", STR_ARG(p->exe_folder), places[i]);

		if (p->exe_folder.len > 0 && access(path.ptr, X_OK) == 0)
			return path.ptr;
	}
	return NULL;
}

struct words {
	const char *list[WORDS_MAX];
	size_t count;
};

static void
add(struct words *w, const char *flag, const char *value)
{
	if (!value)
		return;
	CHECK(w->count + 2 < WORDS_MAX);
	w->list[w->count++] = flag;
	w->list[w->count++] = value;
}

static void
add_place(struct cli *c, struct words *w, const char *flag, struct str value)
{
	add(w, flag, value.ptr ? arena_cstr(c->arena, value) : NULL);
}

static int
run(struct cli *c)
{
	struct words w = {.list = {NULL}};
	struct io_place p;
	union { /* exec does not change them */
		const char **from;
		char **to;
	} args = {.from = w.list};

	if (!cli_get(c, "listen") || !cli_get(c, "upstream"))
		return cli_usage(c, "--listen and --upstream say where it stands");
	if (io_place_find(c->arena, &c->places, true, &p) != 0)
		return cli_fail(c, "%s", fail_text());
	const char *program = find_program(c->arena, &p);

	if (!program)
		return cli_fail(c, "assent-proxy is not there; it belongs to assent");
	w.list[w.count++] = program;
	w.list[w.count++] = "cursor";
	add(&w, "--listen", cli_get(c, "listen"));
	add(&w, "--upstream", cli_get(c, "upstream"));
	add(&w, "--port-file", cli_get(c, "port-file"));
	add(&w, "--client",
		arena_fmt(c->arena, "%.*s/assent", STR_ARG(p.exe_folder)).ptr);
	add_place(c, &w, "--config", p.config);
	add_place(c, &w, "--state", p.state);
	add_place(c, &w, "--socket", p.socket);
	add_place(c, &w, "--home", p.home);
	if (cli_has(c, "strict"))
		w.list[w.count++] = "--strict";
	(void)execv(program, args.to);
	return cli_fail(c, "%s cannot be run", program);
}

const struct cli_command cli_proxy_cursor = {
	.name = "proxy cursor",
	.usage = "--listen 127.0.0.1:PORT --upstream http://127.0.0.1:PORT",
	.help = "Auto-review for Cursor in front of a gateway of your own",
	.details =
		"Stands between Cursor and a gateway that serves it your own models. "
		"In "
		"runs with Run Mode Auto-review, shell commands, web fetches and MCP "
		"calls are held until assent has judged them: what is allowed runs "
		"with "
		"no card, what is not shows Cursor's own card with the reason, what "
		"may "
		"never run is refused. All else passes unchanged.\n"
		"Both ends are plain HTTP on this machine. docs/cursor.md says how to "
		"point Cursor at it.",
	.group = CLI_GROUP_RUN,
	.options =
		{
				  {"listen", "ADDRESS",
				"where Cursor connects: 127.0.0.1:PORT (0: any)"},
				  {"upstream", "URL", "the gateway: http://127.0.0.1:PORT"},
				  {"strict", NULL, "reject what executes and cannot be reviewed"},
				  {"port-file", "FILE", "write the port there when it serves"},
				  },
	.run = run,
};
