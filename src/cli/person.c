#include "cli/person.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapter/adapter.h"
#include "base/limits.h"
#include "io/file.h"
#include "io/proc.h"
#include "policy/policy.h"

/* True if the user's own file says that no proof is wanted. A file with a fault
 * says nothing. */
static bool
needs_no_proof(struct arena *a, const struct io_place *p)
{
	CLEANUP(buf_done) struct buf text;
	CLEANUP(policy_unrefp) struct policy *policy = policy_new();
	struct policy_faults faults;
	const char *path = arena_fmt(a, "%.*s/assent.conf", STR_ARG(p->config)).ptr;

	buf_init(&text, LIMIT_RULES_BYTES);
	if (!policy || io_file_read(path, &text) != 0)
		return false;
	if (!policy_add(policy, POLICY_LAYER_USER, STR("assent.conf"),
			buf_str(&text), a, &faults))
		return false;
	return str_eq(policy_setting(policy, "authority"), STR("none"));
}

static bool
is_agent(const struct io_proc *p)
{
	struct adapter_process process = {
		.exe = p->exe,
		.args = p->args,
		.arg_count = p->arg_count,
	};

	return adapter_process_is(NULL, &process);
}

bool
cli_person_here(
	const struct cli *c, const struct io_place *p, struct str *ret_why)
{
	struct io_proc *chain =
		ARENA_ARRAY(c->arena, IO_PROC_CHAIN_MAX, struct io_proc);
	size_t n = io_proc_chain(c->arena, getpid(), chain);

	if (needs_no_proof(c->arena, p))
		return true;
	for (size_t i = 0; i < n; i++) {
		if (is_agent(&chain[i])) {
			*ret_why = arena_fmt(c->arena,
				"a coding agent (process %lld, %.*s) started this; only a "
				"person may do it, in a terminal of their own",
				(long long)chain[i].pid, STR_ARG(str_base(chain[i].exe)));
			return false;
		}
	}
	if (n == 0 || chain[0].tty == 0) {
		*ret_why = STR("there is no terminal: only a person may do this, in a "
					   "terminal of their own");
		return false;
	}
	return true;
}

bool
cli_person_agrees(const struct cli *c, const char *question)
{
	char line[16];

	(void)c;
	if (!isatty(STDIN_FILENO))
		return false;
	(void)printf("%s [y/N] ", question);
	(void)fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return false;
	struct str said = str_trim(str_from(line));

	return str_eq_fold(said, STR("y")) || str_eq_fold(said, STR("yes"));
}
