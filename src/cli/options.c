/*
 * Options, read by the command's rows: "--name VALUE" or "--name=VALUE", in any
 * place; "--" ends them.
 */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli_priv.h"

const struct cli_option cli_common_options[] = {
	{"json",   NULL,   "print JSON for programs"                      },
	{"config", "DIR",  "settings and rules (default ~/.config/assent)"},
	{"state",  "DIR",  "records (default ~/.local/state/assent)"      },
	{"socket", "PATH", "where the daemon listens"                     },
	{"home",   "DIR",  "the home folder (default: that of the user)"  },
	{"help",   NULL,   "this text"									},
	{NULL,     NULL,   NULL										   },
};

bool
cli_has(const struct cli *c, const char *name)
{
	for (size_t i = 0; i < c->given_count; i++) {
		if (strcmp(c->given[i].name, name) == 0)
			return true;
	}
	return false;
}

const char *
cli_get(const struct cli *c, const char *name)
{
	for (size_t i = c->given_count; i > 0; i--) {
		if (strcmp(c->given[i - 1].name, name) == 0)
			return c->given[i - 1].value;
	}
	return NULL;
}

const char *
cli_get_next(const struct cli *c, const char *name, size_t *at)
{
	while (*at < c->given_count) {
		const struct cli_given *g = &c->given[(*at)++];

		if (strcmp(g->name, name) == 0)
			return g->value;
	}
	return NULL;
}

bool
cli_has_no_places(const struct cli *c)
{
	const struct io_place_flags *p = &c->places;

	return !p->config.ptr && !p->state.ptr && !p->socket.ptr && !p->home.ptr;
}

PRINTF_LIKE(2, 0)
static void
say(const struct cli *c, const char *fmt, va_list args)
{
	(void)fprintf(stderr, "assent %s: ", c->command->name);
	(void)vfprintf(stderr, fmt, args);
	(void)fputc('\n', stderr);
}

int
cli_usage(const struct cli *c, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(c, fmt, args);
	va_end(args);
	(void)fprintf(
		stderr, "assent %s --help says how it is used.\n", c->command->name);
	return CLI_USAGE;
}

int
cli_fail(const struct cli *c, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(c, fmt, args);
	va_end(args);
	return CLI_FAILURE;
}

/* The row of name among rows, or NULL; the nearest name is kept in *best. */
static const struct cli_option *
find_option(const struct cli_option *rows, struct str name,
	const struct cli_option **best, size_t *best_distance)
{
	for (; rows->name; rows++) {
		size_t d = str_distance(name, str_from(rows->name), *best_distance);

		if (str_eq(name, str_from(rows->name)))
			return rows;
		if (d < *best_distance) {
			*best_distance = d;
			*best = rows;
		}
	}
	return NULL;
}

static enum cli_read
say_no_option(const struct cli *c, struct str name, const struct cli_option *o)
{
	name = cli_show(c->arena, name);
	if (o)
		(void)cli_usage(c, "there is no option --%.*s; did you mean --%s?",
			STR_ARG(name), o->name);
	else
		(void)cli_usage(c, "there is no option --%.*s", STR_ARG(name));
	return CLI_READ_WRONG;
}

static void
keep(struct cli *c, const struct cli_option *o, const char *value)
{
	const struct {
		const char *name;
		struct str *place;
	} places[] = {
		{"config", &c->places.config},
		{"state",  &c->places.state },
		{"socket", &c->places.socket},
		{"home",   &c->places.home  },
	};

	c->json = c->json || strcmp(o->name, "json") == 0;
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		if (strcmp(o->name, places[i].name) == 0)
			*places[i].place = str_from(value);
	}
	c->given[c->given_count++] = (struct cli_given){o->name, value};
}

/* One "--name", with its value from "=" or the next word; moves *argv behind
 * what it took. */
static enum cli_read
read_option(struct cli *c, char ***argv)
{
	const char *word = *(*argv)++ + 2;
	const char *equals = strchr(word, '=');
	struct str name =
		str_sub(str_from(word), 0, equals ? (size_t)(equals - word) : SIZE_MAX);
	const struct cli_option *near = NULL;
	size_t distance = 3;
	const struct cli_option *o =
		find_option(c->command->options, name, &near, &distance);
	const char *value = equals ? equals + 1 : NULL;

	if (!o)
		o = find_option(cli_common_options, name, &near, &distance);
	if (!o)
		return say_no_option(c, name, near);
	if (strcmp(o->name, "help") == 0)
		return CLI_READ_HELP;
	if (!o->value && value) {
		(void)cli_usage(c, "--%s takes no value", o->name);
		return CLI_READ_WRONG;
	}
	if (o->value && !value) {
		value = **argv;
		if (!value) {
			(void)cli_usage(c, "--%s wants %s behind it", o->name, o->value);
			return CLI_READ_WRONG;
		}
		(*argv)++;
	}
	if (c->given_count == CLI_GIVEN_MAX) {
		(void)cli_usage(c, "more than %d options", CLI_GIVEN_MAX);
		return CLI_READ_WRONG;
	}
	keep(c, o, value);
	return CLI_READ_FINE;
}

static enum cli_read
count_args(const struct cli *c)
{
	const struct cli_command *row = c->command;

	if (c->arg_count >= row->args_min && c->arg_count <= row->args_max)
		return CLI_READ_FINE;
	if (c->arg_count < row->args_min)
		(void)cli_usage(
			c, "something is missing: assent %s %s", row->name, row->usage);
	else
		(void)cli_usage(c,
			"one word too many: \"%s\" (a command of several "
			"words stands in quotes)",
			c->args[row->args_max]);
	return CLI_READ_WRONG;
}

enum cli_read
cli_read_options(struct cli *c, char **argv)
{
	bool ended = false;

	while (*argv) {
		const char *word = *argv;

		if (!ended && strcmp(word, "--") == 0) {
			ended = true;
			argv++;
		} else if (!ended && strcmp(word, "-h") == 0) {
			return CLI_READ_HELP;
		} else if (!ended && word[0] == '-' && word[1] == '-') {
			enum cli_read r = read_option(c, &argv);

			if (r != CLI_READ_FINE)
				return r;
		} else if (c->arg_count == CLI_ARGS_MAX) {
			(void)cli_usage(c, "more than %d words", CLI_ARGS_MAX);
			return CLI_READ_WRONG;
		} else {
			c->args[c->arg_count++] = word;
			ended = ended || c->command->rest_is_args;
			argv++;
		}
	}
	return count_args(c);
}
