#include "policy/policy_priv.h"

/*
 * The shipped rules are text, compiled in as they stand in policies/: what a
 * verdict cites is what a person can read there.
 */

#define TEXT(symbol, path)                             \
	__asm__(".section .rodata\n"                       \
			".global policy_builtin_" #symbol "\n"     \
			".global policy_builtin_" #symbol "_end\n" \
			"policy_builtin_" #symbol ":\n"            \
			".incbin \"" path "\"\n"                   \
			"policy_builtin_" #symbol "_end:\n"        \
			".byte 0\n"                                \
			".previous\n");                            \
	extern const char policy_builtin_##symbol[];       \
	extern const char policy_builtin_##symbol##_end[]

TEXT(files, "policies/files.conf");
TEXT(git, "policies/git.conf");
TEXT(programs, "policies/programs.conf");

static const struct {
	const char *name, *text, *end;
} files[] = {
	{"files.conf",    policy_builtin_files,    policy_builtin_files_end   },
	{"git.conf",      policy_builtin_git,      policy_builtin_git_end     },
	{"programs.conf", policy_builtin_programs, policy_builtin_programs_end},
};

bool
policy_builtin_file(size_t n, struct str *ret_name, struct str *ret_text)
{
	if (n >= ARRAY_LEN(files))
		return false;
	*ret_name = str_from(files[n].name);
	*ret_text =
		(struct str){files[n].text, (size_t)(files[n].end - files[n].text)};
	return true;
}
