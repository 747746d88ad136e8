/*
 * The entry: from a call to facts.
 */

#include "facts/facts.h"

#include "facts/facts_priv.h"

/* A last line that goes on, if whoever runs the text puts something behind it. */
static bool
ends_open(struct str text)
{
	size_t count = 0;

	while (count < text.len && text.ptr[text.len - 1 - count] == '\\')
		count++;
	return count % 2 == 1;
}

static void
read_shell(struct facts *f)
{
	struct facts_flow out = {.known = true, .text = STR("")};
	struct facts_flow in = {.closed = f->call->input_closed};
	enum call_dialect d = f->call->dialect;

	facts_scan_hidden(f, f->call->command, false);
	facts_scan_escapes(f, f->call->command);
	if (ends_open(f->call->command))
		facts_ignore(f, CALL_NO_COMMAND, CALL_UNPARSED,
			"a backslash at the end, which may join what comes behind",
			STR("\\"));
	if (str_starts(f->call->command, STR("#!")))
		facts_add_program_text(f, STR("#!"));
	f->dialect = d == CALL_DIALECT_SH ? SHELL_SH : SHELL_BASH;
	f->zsh = d == CALL_DIALECT_ZSH;
	if (d == CALL_DIALECT_FISH || d == CALL_DIALECT_POWERSHELL
		|| d == CALL_DIALECT_OTHER)
		facts_ignore(f, CALL_NO_COMMAND, CALL_UNPARSED,
			"a shell that is not read exactly", str_from(call_dialect_name(d)));
	facts_walk_text(
		f, f->call->command, f->call->input_closed ? &in : NULL, &out);
	facts_walk_uncalled(f);
}

void
facts_of(struct arena *a, const struct call *call,
	const struct call_world *world, struct call_facts *ret_facts)
{
	struct facts f = {
		.a = a,
		.call = call,
		.world = world,
		.out = ret_facts,
		.wrapper = CALL_NO_COMMAND,
	};
	struct str cwd;

	*ret_facts = (struct call_facts){.effect_count = 0};
	if (facts_path_clean(a, (struct str){NULL, 0}, call->cwd, &cwd)) {
		f.s.cwd.paths[0] = cwd;
		f.s.cwd.count = 1;
	} else {
		f.s.cwd.unknown = true;
	}
	f.s.failed = f.s.cwd;
	if (call->malformed)
		facts_ignore(&f, CALL_NO_COMMAND, CALL_UNPARSED,
			"an argument is missing or wrong", call->malformed_why);
	if (call->tool == CALL_TOOL_SHELL)
		read_shell(&f);
	else
		facts_tool(&f);
	facts_hazards(&f);
}
