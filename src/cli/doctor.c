/*
 * assent doctor: in plain words, what is well and what is not.
 */

#include "cli/doctor.h"

#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/client.h"
#include "base/version.h"
#include "cli/person.h"
#include "cli/setup.h"
#include "cli/start.h"
#include "io/clock.h"
#include "io/file.h"
#include "io/proc.h"
#include "wire/json.h"

enum {
	SAY_BYTES = 2048,
	JSON_BYTES = 1 << 20,
	REPLY_BYTES = 1 << 20,
	ASK_MS = 5000,
	HEADER_BYTES = 4096,
};

static const struct {
	const char *name, *mark;
	enum cli_ink ink;
} looks[] = {
	[CLI_FINDING_WELL] = {"well", "well", CLI_INK_ALLOW    },
	[CLI_FINDING_NOTE] = {"note", "note", CLI_INK_ASK      },
	[CLI_FINDING_BAD] = {"bad",  "NOT ", CLI_INK_BOLD_DENY},
};

void
cli_doctor_say(struct cli_doctor *d, enum cli_finding finding,
	const char *check, const char *fmt, ...)
{
	char text[SAY_BYTES];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	d->bad += finding == CLI_FINDING_BAD;
	if (d->c->json) {
		buf_addf(&d->json, "%s{\"check\":\"%s\",\"state\":\"%s\",\"says\":",
			d->said > 0 ? "," : "", check, looks[finding].name);
		buf_add_json(&d->json, str_from(text));
		buf_add_char(&d->json, '}');
	} else {
		struct str shown = cli_show(d->c->arena, str_from(text));

		(void)printf("%s%s%s  %-9s  %.*s\n", cli_ink(d->c, looks[finding].ink),
			looks[finding].mark, cli_ink_off(d->c, looks[finding].ink), check,
			STR_ARG(shown));
	}
	d->said++;
}

/* --- this program ---------------------------------------------------------- */

/* True if the program needs no loader, which LD_PRELOAD could be given to. */
static bool
is_static(const char *path)
{
	char part[HEADER_BYTES];
	Elf64_Ehdr head;
	FILE *f = fopen(path, "rbe");

	if (!f)
		return false;
	size_t n = fread(part, 1, sizeof(part), f);

	(void)fclose(f);
	if (n < sizeof(head) || memcmp(part, ELFMAG, SELFMAG) != 0)
		return false;
	memcpy(&head, part, sizeof(head));
	for (size_t i = 0; i < head.e_phnum; i++) {
		Elf64_Phdr row;
		size_t at = head.e_phoff + i * sizeof(row);

		if (at + sizeof(row) > n)
			return false;
		memcpy(&row, part + at, sizeof(row));
		if (row.p_type == PT_INTERP)
			return false;
	}
	return true;
}

static void
check_program(struct cli_doctor *d)
{
	struct arena *a = d->c->arena;
	struct str client =
		arena_fmt(a, "%.*s/assent", STR_ARG(d->place.exe_folder));
	struct str daemon = cli_start_program(a, &d->place);

	if (is_static(client.ptr))
		cli_doctor_say(d, CLI_FINDING_WELL, "program",
			"%s is linked statically: nothing can be loaded into it",
			client.ptr);
	else
		cli_doctor_say(d, CLI_FINDING_BAD, "program",
			"%s is not there or not linked statically: variables that a "
			"project's files set could load code into it. Install assent again",
			client.ptr);
	if (daemon.ptr)
		cli_doctor_say(
			d, CLI_FINDING_WELL, "program", "the daemon is %s", daemon.ptr);
	else
		cli_doctor_say(d, CLI_FINDING_BAD, "program",
			"no assentd beside %s or in libexec: no daemon can be started, so "
			"every call is refused. Install assent again",
			client.ptr);
	if (io_proc_sandboxed())
		cli_doctor_say(d, CLI_FINDING_BAD, "sandbox",
			"this runs in a sandbox (no new privileges, or a filter of system "
			"calls): a daemon is not started from here. Start it outside: "
			"assent daemon start");
}

/* --- the daemon ------------------------------------------------------------ */

static json_t *
ask_status(struct cli_doctor *d, const char **ret_why)
{
	struct api_client client = API_CLIENT_NONE;
	struct api_request q = {
		.method = "GET",
		.path = "/v1/status",
		.deadline_ms = io_clock_mono_ms() + ASK_MS,
	};
	struct api_reply reply = {0};
	struct wire_json_error e;
	json_t *status = NULL;

	buf_init(&reply.body, REPLY_BYTES);
	*ret_why = NULL;
	int r = api_client_open(&client, d->place.socket.ptr);

	if (r == 0)
		r = api_client_ask(&client, &q, &reply);
	if (r == 0 && reply.status == 200)
		status = wire_json_parse(buf_str(&reply.body), &e);
	if (!status && r != FAIL_ABSENT)
		*ret_why = r != 0 ? fail_text() : "its answer is not a status";
	api_client_close(&client);
	buf_done(&reply.body);
	return status;
}

static void
check_record(struct cli_doctor *d, const json_t *s)
{
	struct str store = wire_json_str(s, "store");

	if (wire_json_bool(s, "recording"))
		cli_doctor_say(
			d, CLI_FINDING_WELL, "record", "every decision is recorded");
	else
		cli_doctor_say(d, CLI_FINDING_BAD, "record",
			"decisions cannot be recorded (%.*s), so nothing is allowed",
			STR_ARG(store));
}

static void
check_authority(struct cli_doctor *d, const json_t *s)
{
	struct str level = wire_json_str(s, "authority");

	if (str_eq(level, STR("none")))
		cli_doctor_say(d, CLI_FINDING_NOTE, "authority",
			"none: any program of yours can approve, an agent's too. Take `set "
			"authority none` out of assent.conf unless this is a test");
	else
		cli_doctor_say(d, CLI_FINDING_WELL, "authority",
			"%.*s: only a person at a terminal, outside of any agent, can "
			"approve",
			STR_ARG(level.len > 0 ? level : STR("tty")));
}

static void
check_rules(struct cli_doctor *d, const json_t *s)
{
	size_t i, faults = 0, there = 0;
	json_t *file;

	json_array_foreach (wire_json_array(s, "rules"), i, file) {
		struct str fault = wire_json_str(file, "fault");

		there += wire_json_bool(file, "there");
		if (!fault.ptr)
			continue;
		faults++;
		cli_doctor_say(d, CLI_FINDING_BAD, "rules",
			"%.*s: what was last good holds until it is put right (assent "
			"rules "
			"check FILE)",
			STR_ARG(fault));
	}
	if (faults == 0)
		cli_doctor_say(d, CLI_FINDING_WELL, "rules",
			"%zu rules file%s, no fault; mode %.*s, tier %.*s", there,
			there == 1 ? "" : "s", STR_ARG(wire_json_str(s, "mode")),
			STR_ARG(wire_json_str(s, "tier")));
}

/* What is in use, and one judgement of it: a person's to spend. */
static void
check_judge(struct cli_doctor *d, const json_t *s)
{
	CLI_TOLD told = {0};
	struct str judge = wire_json_str(s, "judge"), why = {0};

	if (judge.len == 0 || str_eq(judge, STR("none"))) {
		cli_doctor_say(d, CLI_FINDING_NOTE, "judge",
			"no model is configured: what rules and facts leave open waits for "
			"you (assent setup)");
		return;
	}
	if (!cli_person_here(d->c, &d->place, &why)) {
		cli_doctor_say(d, CLI_FINDING_NOTE, "judge",
			"%.*s is configured; only a person's doctor tries it",
			STR_ARG(judge));
		return;
	}
	int r = cli_trial_ask(d->c, &d->place, &told);

	if (r != 0 || told.status != 200
		|| str_eq(wire_json_str(told.json, "says"), STR("failure")))
		cli_doctor_say(d, CLI_FINDING_BAD, "judge",
			"%.*s could not judge: %.*s", STR_ARG(judge),
			STR_ARG(r != 0 ? str_from(fail_text())
						   : wire_json_str(told.json, "reason")));
	else
		cli_doctor_say(d, CLI_FINDING_WELL, "judge",
			"%.*s judged a test call in %lld ms (\"%.*s\" to npm test)",
			STR_ARG(judge),
			(long long)wire_json_int(told.json, "latency_ms", 0),
			STR_ARG(wire_json_str(told.json, "says")));
}

static void
check_quarantine(struct cli_doctor *d, const json_t *s)
{
	size_t n = json_array_size(wire_json_array(s, "quarantined"));

	if (n > 0)
		cli_doctor_say(d, CLI_FINDING_NOTE, "quarantine",
			"%zu call%s broke the daemon twice and %s refused since; please "
			"report (assent status names %s)",
			n, n == 1 ? "" : "s", n == 1 ? "is" : "are",
			n == 1 ? "it" : "them");
}

static void
check_daemon(struct cli_doctor *d)
{
	const char *why;
	const json_t *s = d->status = ask_status(d, &why);
	struct str version = wire_json_str(s, "version");

	if (!s && why) {
		cli_doctor_say(d, CLI_FINDING_BAD, "daemon",
			"it does not answer at %s: %s", d->place.socket.ptr, why);
		return;
	}
	if (!s) {
		cli_doctor_say(d, CLI_FINDING_NOTE, "daemon",
			"it does not run now; the next call starts it (its record, rules "
			"and authority were not looked at)");
		return;
	}
	if (str_eq(version, STR(BASE_VERSION)))
		cli_doctor_say(d, CLI_FINDING_WELL, "daemon",
			"it runs (process %lld) at %s",
			(long long)wire_json_int(s, "pid", 0), d->place.socket.ptr);
	else
		cli_doctor_say(d, CLI_FINDING_NOTE, "daemon",
			"it is version %.*s, this is " BASE_VERSION
			": assent daemon stop, and the next call starts the new one",
			STR_ARG(version));
	check_record(d, s);
	check_authority(d, s);
	check_rules(d, s);
	check_judge(d, s);
	check_quarantine(d, s);
}

/* --- all of it ------------------------------------------------------------- */

static int
run(struct cli *c)
{
	struct cli_doctor d = {.c = c};

	if (io_place_find(c->arena, &c->places, true, &d.place) != 0)
		return cli_fail(c, "%s", fail_text());
	buf_init(&d.json, JSON_BYTES);
	check_program(&d);
	check_daemon(&d);
	cli_doctor_claude(&d);
	if (c->json)
		(void)printf("{\"well\":%s,\"checks\":[%.*s]}\n",
			d.bad == 0 ? "true" : "false", STR_ARG(buf_str(&d.json)));
	else
		(void)printf("\n%s\n",
			d.bad == 0 ? "All is well."
					   : "Not all is well: see the lines that begin with NOT.");
	buf_done(&d.json);
	json_decref(d.status);
	return d.bad == 0 ? CLI_OK : CLI_FAILURE;
}

const struct cli_command cli_doctor = {
	.name = "doctor",
	.usage = "",
	.help = "say what is well and what is not",
	.details =
		"Looks at the programs, the daemon, its record, rules and authority, "
		"the hooks in the agents' settings, and what could get around them.\n"
		"Exit status 0: all is well; 1: something is not. It changes nothing.",
	.group = CLI_GROUP_SETUP,
	.run = run,
};
