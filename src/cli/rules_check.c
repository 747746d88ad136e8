/*
 * assent rules check: the faults of a rules file, or what its lines mean.
 */

#include <stdio.h>

#include "base/limits.h"
#include "cli/asked.h"

/* What kind of file this is, by its name (DESIGN 11). */
static enum policy_layer
layer_of(const char *path)
{
	static const struct {
		const char *end;
		enum policy_layer layer;
	} rows[] = {
		{".assent/rules.conf",      POLICY_LAYER_WORKSPACE},
		{"/etc/assent/assent.conf", POLICY_LAYER_ENFORCED },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (str_ends(str_from(path), str_from(rows[i].end)))
			return rows[i].layer;
	}
	return str_has(str_from(path), STR("/assent/projects/"))
		? POLICY_LAYER_PROJECT
		: POLICY_LAYER_USER;
}

static void
print_json(const char *path, const struct policy_faults *faults)
{
	CLEANUP(buf_done) struct buf out;

	buf_init(&out, LIMIT_ARENA_BYTES);
	buf_add(&out, STR("{\"file\":"));
	buf_add_json(&out, str_from(path));
	buf_addf(
		&out, ",\"ok\":%s,\"faults\":[", faults->count == 0 ? "true" : "false");
	for (size_t i = 0; i < faults->count; i++) {
		const struct policy_fault *f = &faults->list[i];

		buf_addf(&out,
			"%s{\"line\":%u,\"column\":%u,\"message\":", i > 0 ? "," : "",
			f->line, f->column);
		buf_add_json(&out, f->message);
		buf_add(&out, STR(",\"suggestion\":"));
		if (f->suggestion.ptr)
			buf_add_json(&out, f->suggestion);
		else
			buf_add(&out, STR("null"));
		buf_add_char(&out, '}');
	}
	buf_add(&out, STR("]}\n"));
	(void)fwrite(out.ptr, 1, out.len, stdout);
}

static void
print_meaning(const struct cli *c, enum policy_layer layer, struct str name,
	struct str text)
{
	struct str rest = policy_explain(c->arena, layer, name, text);
	struct str line;

	while (str_line(&rest, &line)) {
		line = cli_show(c->arena, line);
		(void)printf("%.*s\n", STR_ARG(line));
	}
}

static int
check_text(const struct cli *c, enum policy_layer layer, const char *path,
	struct str text)
{
	struct policy_faults faults = {0};
	struct policy *p = policy_new();
	struct str name = str_base(str_from(path));

	if (!p)
		return cli_fail(c, "out of memory");
	bool faultless = policy_add(p, layer, name, text, c->arena, &faults);

	policy_unref(p);
	if (c->json)
		print_json(path, &faults);
	else if (faultless)
		print_meaning(c, layer, name, text);
	else
		cli_faults_print(c, path, &faults);
	return faultless ? CLI_OK : CLI_FAILURE;
}

static int
run(struct cli *c)
{
	CLEANUP(buf_done) struct buf text = {0};
	enum policy_layer layer = layer_of(c->args[0]);
	const char *word = cli_get(c, "layer");

	if (word && !policy_layer_from(str_from(word), &layer))
		return cli_usage(c, "there is no layer \"%s\"", word);
	int code = cli_file_read(c, c->args[0], &text);

	return code == CLI_OK ? check_text(c, layer, c->args[0], buf_str(&text))
						  : code;
}

const struct cli_command cli_rules_check = {
	.name = "rules check",
	.usage = "FILE",
	.help = "find the faults of a rules file, or say what its lines mean",
	.details =
		"Prints every fault with line, column and what to do; of a file\n"
		"without one, what each line means in words. The layer decides what a\n"
		"file may say; it is taken from the file's name unless given.\n"
		"\n"
		"Exit code: 0 faultless, 1 faults, 2 wrong use.",
	.group = CLI_GROUP_TRY,
	.args_min = 1,
	.args_max = 1,
	.options =
		{
				  {"layer", "LAYER", "user, project, workspace, enforced, ..."},
				  },
	.run = run,
};
