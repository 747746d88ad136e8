#include "cli/envelope.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/version.h"
#include "io/proc.h"

/* --- the environment ------------------------------------------------------- */

/* Names that change what a command means; no other one leaves the client. A "*"
 * at the end stands for any rest. */
static const char *const told[] = {"PATH", "HOME", "CDPATH", "BASH_ENV",
	"BASH_FUNC_*", "ENV", "LD_*", "GIT_*", "IFS", "SHELLOPTS", "BASHOPTS",
	"PROMPT_COMMAND", "PS4", "NODE_OPTIONS", "PYTHONPATH", "PYTHONSTARTUP",
	"PERL5OPT", "RUBYOPT", "EDITOR", "VISUAL", "PAGER"};

bool
cli_envelope_tells(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(told); i++) {
		struct str row = str_from(told[i]);
		bool open = str_ends(row, STR("*"));

		row.len -= open;
		if (open ? str_starts(name, row) : str_eq(name, row))
			return true;
	}
	return false;
}

static bool
add_variables(struct arena *a, struct api_envelope *e)
{
	struct call_variable *list =
		ARENA_ARRAY(a, API_VARIABLES_MAX, struct call_variable);

	for (char **p = environ; p && *p; p++) {
		struct str value;
		struct str name = str_cut(str_from(*p), '=', &value);

		if (!value.ptr || !cli_envelope_tells(name))
			continue;
		if (e->variable_count == API_VARIABLES_MAX)
			return false;
		list[e->variable_count++] = (struct call_variable){name, value};
	}
	e->variables = list;
	return true;
}

/* --- processes ------------------------------------------------------------- */

static void
add_parents(struct arena *a, struct api_envelope *e)
{
	struct io_proc *chain = ARENA_ARRAY(a, IO_PROC_CHAIN_MAX, struct io_proc);
	size_t count = io_proc_chain(a, getppid(), chain);

	for (size_t i = 0; i < count && i < API_PARENTS_MAX; i++) {
		struct api_parent *p = &e->parents[e->parent_count++];

		p->pid = chain[i].pid;
		p->start = chain[i].start;
		p->exe = chain[i].exe;
		for (size_t k = 0;
			 k < chain[i].arg_count && p->arg_count < API_PARENT_ARGS_MAX; k++)
			p->args[p->arg_count++] = chain[i].args[k];
	}
}

static struct str
mount_namespace(struct arena *a)
{
	char name[64];
	ssize_t n = readlink("/proc/self/ns/mnt", name, sizeof(name));

	return n > 0 ? arena_dup(a, (struct str){name, (size_t)n})
				 : (struct str){0};
}

static struct str
working_folder(struct arena *a)
{
	char cwd[LIMIT_PATH_BYTES];

	/* "(unreachable)/..." is what the kernel says outside of our root */
	return getcwd(cwd, sizeof(cwd)) && cwd[0] == '/'
		? arena_dup(a, str_from(cwd))
		: (struct str){0};
}

/* --- the shell ------------------------------------------------------------- */

enum call_dialect
cli_envelope_dialect(struct str shell)
{
	static const struct {
		const char *name;
		enum call_dialect dialect;
	} rows[] = {
		{"bash",  CALL_DIALECT_BASH      },
		{"rbash", CALL_DIALECT_BASH      },
		{"sh",    CALL_DIALECT_SH        },
		{"dash",  CALL_DIALECT_SH        },
		{"ash",   CALL_DIALECT_SH        },
		{"zsh",   CALL_DIALECT_ZSH       },
		{"fish",  CALL_DIALECT_FISH      },
		{"pwsh",  CALL_DIALECT_POWERSHELL},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (str_eq(str_base(shell), str_from(rows[i].name)))
			return rows[i].dialect;
	}
	return CALL_DIALECT_OTHER;
}

/* --- all of it ------------------------------------------------------------- */

static bool
make_key(struct arena *a, struct str *ret)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char bytes[API_KEY_HEX / 2];
	char hex[API_KEY_HEX];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return false;
	for (size_t i = 0; i < sizeof(bytes); i++) {
		hex[2 * i] = digits[bytes[i] >> 4];
		hex[2 * i + 1] = digits[bytes[i] & 15];
	}
	*ret = arena_dup(a, (struct str){hex, sizeof(hex)});
	return true;
}

int
cli_envelope_make(
	struct arena *a, const struct io_place *place, struct api_envelope *ret)
{
	*ret = (struct api_envelope){
		.client = STR(BASE_VERSION),
		.cwd = working_folder(a),
		.mntns = mount_namespace(a),
		.dialect = cli_envelope_dialect(place->shell),
	};
	add_parents(a, ret);
	if (!add_variables(a, ret))
		return fail_here(FAIL_LIMIT,
			"the environment has more than %d variables that change what "
			"commands mean (LD_*, GIT_*, BASH_FUNC_*, ...)",
			API_VARIABLES_MAX);
	if (!make_key(a, &ret->key))
		return fail_here(FAIL_IO, "the system gives no random bytes");
	return 0;
}
