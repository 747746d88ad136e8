/*
 * assent status: what runs, by which rules, where.
 */

#include <stdio.h>

#include "cli/request.h"
#include "wire/json.h"

enum { NOT_RUNNING = 3 };

static void
put_line(const struct cli *c, const char *label, struct str value)
{
	(void)printf("  %s%-10s%s  %.*s\n", cli_ink(c, CLI_INK_FAINT), label,
		cli_ink_off(c, CLI_INK_FAINT), STR_ARG(value));
}

static void
put_member(
	const struct cli *c, const char *label, const json_t *j, const char *key)
{
	put_line(c, label, cli_member(c->arena, j, key));
}

static void
put_alarm(const struct cli *c, const char *label, struct str value)
{
	(void)printf("  %s%-10s  %.*s%s\n", cli_ink(c, CLI_INK_DENY), label,
		STR_ARG(value), cli_ink_off(c, CLI_INK_DENY));
}

static void
put_rules(const struct cli *c, const json_t *j)
{
	json_t *file;
	size_t i;

	json_array_foreach (wire_json_array(j, "rules"), i, file) {
		struct str path = cli_member(c->arena, file, "path");
		struct str layer = cli_member(c->arena, file, "layer");
		struct str fault = cli_member(c->arena, file, "fault");

		if (fault.len > 0)
			put_alarm(c, "rules",
				arena_fmt(c->arena, "%.*s (%.*s): %.*s", STR_ARG(path),
					STR_ARG(layer), STR_ARG(fault)));
		else if (wire_json_bool(file, "there"))
			put_line(c, "rules",
				arena_fmt(
					c->arena, "%.*s (%.*s)", STR_ARG(path), STR_ARG(layer)));
	}
}

static void
put_cards(const struct cli *c, const json_t *j)
{
	long long cards = (long long)wire_json_int(j, "cards", 0);
	long long held = (long long)wire_json_int(j, "held", 0);

	if (cards == 0)
		put_line(c, "cards", STR("none open"));
	else
		put_line(c, "cards",
			arena_fmt(c->arena,
				"%s%lld open%s, %lld held right now (assent cards)",
				cli_ink(c, CLI_INK_ASK), cards, cli_ink_off(c, CLI_INK_ASK),
				held));
}

static void
put_quarantine(const struct cli *c, const json_t *j)
{
	json_t *digest;
	size_t i;

	json_array_foreach (wire_json_array(j, "quarantined"), i, digest) {
		put_alarm(c, "quarantine",
			arena_fmt(c->arena, "%.*s (this input ended the daemon twice)",
				STR_ARG(cli_show(c->arena, wire_json_text(digest)))));
	}
}

static int
print_status(const struct cli *c, const json_t *j)
{
	struct str version = cli_member(c->arena, j, "version");
	const json_t *places = wire_json_object(j, "places");

	(void)printf("%sassent %.*s%s, process %lld, since %.*s\n",
		cli_ink(c, CLI_INK_BOLD), STR_ARG(version),
		cli_ink_off(c, CLI_INK_BOLD), (long long)wire_json_int(j, "pid", 0),
		STR_ARG(cli_time(c->arena, wire_json_int(j, "since", 0))));
	if (!wire_json_bool(j, "recording"))
		put_alarm(c, "store",
			arena_fmt(c->arena, "cannot record, so nothing is allowed: %.*s",
				STR_ARG(cli_member(c->arena, j, "store"))));
	put_member(c, "mode", j, "mode");
	put_member(c, "tier", j, "tier");
	put_member(c, "authority", j, "authority");
	put_member(c, "judge", j, "judge");
	put_cards(c, j);
	put_line(c, "calls",
		arena_fmt(c->arena, "%lld answered, %lld sessions, %lld agents",
			(long long)wire_json_int(j, "hearings", 0),
			(long long)wire_json_int(j, "sessions", 0),
			(long long)wire_json_int(j, "agents", 0)));
	put_rules(c, j);
	put_quarantine(c, j);
	put_member(c, "config", places, "config");
	put_member(c, "state", places, "state");
	put_member(c, "socket", places, "socket");
	return CLI_OK;
}

/* No daemon: that is an answer, too. */
static int
print_absent(const struct cli *c, const struct io_place *p)
{
	if (c->json) {
		(void)printf("{\"status\":\"not_running\"}\n");
		return NOT_RUNNING;
	}
	(void)printf("assent's daemon does not run; the first call of an agent "
				 "starts it (or: assent daemon start)\n");
	put_line(c, "config", cli_show(c->arena, p->config));
	put_line(c, "state", cli_show(c->arena, p->state));
	put_line(c, "socket", cli_show(c->arena, p->socket));
	return NOT_RUNNING;
}

static int
run(struct cli *c)
{
	struct io_place p;
	CLI_TOLD told = {0};
	const struct cli_request q = {.method = "GET", .path = "/v1/status"};
	int code = cli_places(c, &p);

	if (code != CLI_OK)
		return code;
	int r = cli_ask(c, &p, &q, &told);

	if (r == FAIL_ABSENT)
		return print_absent(c, &p);
	if (r != 0 || told.status != 200)
		return cli_ask_failed(c, r, &told);
	return c->json ? cli_told_print(&told) : print_status(c, told.json);
}

const struct cli_command cli_status = {
	.name = "status",
	.usage = "",
	.help = "what runs, by which rules and settings, and where",
	.details = "Exit code 0: the daemon runs. 3: it does not. 1: it does not "
			   "answer as it should.",
	.group = CLI_GROUP_PEOPLE,
	.run = run,
};
