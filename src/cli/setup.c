/*
 * assent setup: finds what could judge, asks the person, writes the user's
 * settings, and puts them back when the model is not fit to judge. Nothing that the environment offers is used
 * before a person has said yes to it here.
 */

#include "cli/setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/diff.h"
#include "cli/person.h"
#include "cli/request.h"
#include "io/file.h"
#include "wire/json.h"

enum { LINE_BYTES = 1024, CONF_BYTES = LIMIT_RULES_BYTES };

/* --- what the person says ---------------------------------------------------- */

/* The answer to a question, or the proposal for an empty line. Absent at the end
 * of input. */
static struct str
asked(const struct cli *c, const char *question, const char *proposal)
{
	char line[LINE_BYTES];

	(void)printf("%s", question);
	if (proposal && proposal[0])
		(void)printf(" [%s]", proposal);
	(void)printf(" ");
	(void)fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return (struct str){0};
	struct str said = str_trim(str_from(line));

	return said.len > 0 || !proposal ? arena_dup(c->arena, said)
									 : str_from(proposal);
}

static void
print_offers(const struct cli *c, const struct cli_offer *offers, size_t count)
{
	(void)printf(
		"assent asks a model of yours about the calls that rules and facts\n"
		"leave open. What was found on this machine:\n\n");
	for (size_t i = 0; i < count; i++) {
		struct str what = cli_show(c->arena, offers[i].what);
		struct str model = cli_show(c->arena, offers[i].model);

		(void)printf("  %s%zu%s  %-48.*s %s%.*s%s\n", cli_ink(c, CLI_INK_BOLD),
			i + 1, cli_ink_off(c, CLI_INK_BOLD), STR_ARG(what),
			cli_ink(c, CLI_INK_FAINT), STR_ARG(model),
			cli_ink_off(c, CLI_INK_FAINT));
	}
	(void)printf("\n");
}

/* CLI_OK and one offer, with the person's own model. */
static int
choose(struct cli *c, const struct io_place *p, struct cli_offer *ret)
{
	struct cli_offer offers[CLI_OFFERS_MAX];
	size_t n = cli_offers_find(c, p, offers);
	int64_t number = 0;

	if (n == 0)
		return cli_fail(c,
			"no key in the environment, no local server and no agent was "
			"found. Name one: assent setup --provider anthropic --model "
			"claude-haiku-4-5 --key-file PATH (docs/judge.md has more)");
	print_offers(c, offers, n);
	struct str said = asked(c, "Which one?", "1");

	if (!str_number(said, &number) || number < 1 || number > (int64_t)n)
		return cli_fail(c, "nothing was chosen, nothing was changed");
	*ret = offers[number - 1];
	if (ret->model.ptr)
		ret->model = asked(c, "Model?", arena_dup(c->arena, ret->model).ptr);
	return CLI_OK;
}

/* The first server of this machine, for whoever cannot be asked. */
static int
take_local(struct cli *c, const struct io_place *p, struct cli_offer *ret)
{
	struct cli_offer offers[CLI_OFFERS_MAX];
	size_t n = cli_offers_find(c, p, offers);

	for (size_t i = 0; i < n; i++) {
		if (offers[i].key.ptr || offers[i].command.ptr)
			continue;
		*ret = offers[i];
		if (cli_has(c, "model"))
			ret->model = str_from(cli_get(c, "model"));
		return CLI_OK;
	}
	return cli_fail(c, "no model server listens on this machine");
}

/* From the options alone. */
static int
take_options(struct cli *c, struct cli_offer *ret)
{
	*ret = (struct cli_offer){
		.provider = str_from(cli_get(c, "provider")),
		.model = str_from(cli_get(c, "model")),
		.url = str_from(cli_get(c, "url")),
		.key_file = str_from(cli_get(c, "key-file")),
		.command = str_from(cli_get(c, "command")),
	};
	return CLI_OK;
}

/* --- the key ------------------------------------------------------------------ */

/* Copies a key out of the environment into a file that only the user can read:
 * the daemon's environment is made from nothing. */
static int
keep_key(struct cli *c, const struct io_place *p, struct cli_offer *o)
{
	struct str folder = arena_fmt(c->arena, "%.*s/keys", STR_ARG(p->config));

	if (!o->key.ptr)
		return CLI_OK;
	o->key_file =
		arena_fmt(c->arena, "%.*s/%.*s", STR_ARG(folder), STR_ARG(o->key_name));
	(void)printf("The key is copied to %.*s, which only you can read.\n",
		STR_ARG(o->key_file));
	if (!cli_has(c, "yes") && !cli_person_agrees(c, "Copy it?"))
		return cli_fail(c, "nothing was changed");
	if (io_file_make_folder(folder.ptr) != 0
		|| io_file_replace(o->key_file.ptr, o->key, 0600) != 0)
		return cli_fail(c, "%s", fail_text());
	return CLI_OK;
}

/* --- the settings --------------------------------------------------------------- */

/* Settings that say how the judge is reached: setup writes all of them anew. */
static const char *const ours[] = {"judge.provider", "judge.model", "judge.url",
	"judge.key.file", "judge.key.command", "judge.command"};

static bool
is_ours(struct str line)
{
	struct str rest;
	struct str word = str_cut(str_trim(line), ' ', &rest);

	if (!str_eq(word, STR("set")))
		return false;
	rest = str_trim(rest);
	for (size_t i = 0; i < ARRAY_LEN(ours); i++) {
		size_t n = str_from(ours[i]).len;

		if (str_starts(rest, str_from(ours[i])) && rest.len > n
			&& (rest.ptr[n] == ' ' || rest.ptr[n] == '\t'))
			return true;
	}
	return false;
}

/* A word of the rules language, whatever stands in it. */
static void
add_quoted(struct buf *b, struct str s)
{
	buf_add_char(b, '"');
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] == '"' || s.ptr[i] == '\\')
			buf_add_char(b, '\\');
		buf_add_char(b, s.ptr[i]);
	}
	buf_add_char(b, '"');
}

static void
add_setting(struct buf *b, const char *name, struct str value, bool quoted)
{
	if (value.len == 0)
		return;
	buf_addf(b, "set %s ", name);
	if (quoted)
		add_quoted(b, value);
	else
		buf_add(b, value);
	buf_add_char(b, '\n');
}

/* The file with our lines in the place of those that it had. */
static void
rewrite(struct str before, const struct cli_offer *o, struct buf *out)
{
	struct str rest = before, line;

	while (str_line(&rest, &line)) {
		if (is_ours(line))
			continue;
		buf_add(out, line);
		buf_add_char(out, '\n');
	}
	add_setting(out, "judge.provider", o->provider, false);
	add_setting(out, "judge.model", o->model, true);
	add_setting(out, "judge.url", o->url, true);
	add_setting(out, "judge.key.file", o->key_file, true);
	add_setting(out, "judge.command", o->command, false);
}

/* --- all of it ---------------------------------------------------------------------- */

static int
write_settings(struct cli *c, const struct io_place *p,
	const struct cli_offer *o, struct buf *before)
{
	CLEANUP(buf_done) struct buf after;
	struct str path =
		arena_fmt(c->arena, "%.*s/assent.conf", STR_ARG(p->config));
	int r = io_file_read(path.ptr, before);

	if (r != 0 && r != FAIL_ABSENT)
		return cli_fail(c, "%s", fail_text());
	buf_init(&after, CONF_BYTES);
	rewrite(buf_str(before), o, &after);
	(void)printf("%.*s:\n", STR_ARG(path));
	cli_diff_print(c, buf_str(before), buf_str(&after));
	if (!cli_has(c, "yes") && !cli_person_agrees(c, "Write this?"))
		return cli_fail(c, "nothing was changed");
	if (after.full || io_file_make_folder(p->config.ptr) != 0
		|| io_file_replace(path.ptr, buf_str(&after), 0600) != 0)
		return cli_fail(c, "%s", fail_text());
	return CLI_OK;
}

/* A key that was copied for nothing goes with them. */
static int
restore(struct cli *c, const struct io_place *p, const struct cli_offer *o,
	struct str before)
{
	struct str path =
		arena_fmt(c->arena, "%.*s/assent.conf", STR_ARG(p->config));

	if (cli_has(c, "keep"))
		return CLI_FAILURE;
	if (o->key.ptr)
		(void)unlink(o->key_file.ptr);
	if (io_file_replace(path.ptr, before, 0600) != 0)
		return cli_fail(c, "%s", fail_text());
	return cli_fail(c,
		"the settings are as they were (--keep keeps what does not work yet)");
}

static int
run(struct cli *c)
{
	CLEANUP(buf_done) struct buf before;
	struct io_place place = {0};
	struct cli_offer offer = {0};
	struct str why = {0};
	int code = cli_places(c, &place);

	buf_init(&before, CONF_BYTES);
	if (code != CLI_OK)
		return code;
	if (!cli_person_here(c, &place, &why))
		return cli_fail(c, "%.*s", STR_ARG(why));
	if (cli_has(c, "provider"))
		code = take_options(c, &offer);
	else
		code = cli_has(c, "local") ? take_local(c, &place, &offer)
								   : choose(c, &place, &offer);
	if (code == CLI_OK)
		code = keep_key(c, &place, &offer);
	if (code == CLI_OK)
		code = write_settings(c, &place, &offer, &before);
	if (code != CLI_OK)
		return code;
	if (cli_trial_run(c, &place) != CLI_OK)
		return restore(c, &place, &offer, buf_str(&before));
	(void)printf("%s judges from now on. `assent doctor` says how it is; "
				 "`assent stats` what it costs.\n",
		arena_dup(c->arena, offer.provider).ptr);
	return CLI_OK;
}

const struct cli_command cli_setup = {
	.name = "setup",
	.usage = "",
	.help = "choose the model that judges what rules leave open",
	.details =
		"Finds keys in the environment, model servers on this machine and\n"
		"agents that can answer a prompt; asks which one; copies a key into a\n"
		"file that only you can read; shows the change of assent.conf, writes\n"
		"it, and tries the model: one call that it should let run, two that\n"
		"no judge should. When it fails, the settings are put back. With "
		"--provider nothing is asked but whether to write.\n"
		"Only a person can do it: at a terminal, and not from inside an agent.",
	.group = CLI_GROUP_SETUP,
	.options =
		{
				  {"provider", "NAME", "anthropic, openai, ollama, command, ..."},
				  {"model", "NAME", "the model"},
				  {"url", "URL", "where the provider is, if not at its usual place"},
				  {"key-file", "PATH", "a file with the key"},
				  {"command", "WORDS", "the program of provider command"},
				  {"local", NULL, "the first model server on this machine"},
				  {"keep", NULL, "keep the settings when the trial fails"},
				  {"yes", NULL, "do it without asking"},
				  },
	.run = run,
};
