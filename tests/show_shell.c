#include "shell/shell.h"
#include "tests/test.h"

/* text => tree. `:dialect sh` reads as POSIX sh. */
struct str
show_shell(struct arena *a, const struct test_scene *scene, struct str input)
{
	struct shell_tree tree;
	struct str dialect = test_scene_get(scene, "dialect", STR("bash"));

	shell_parse(
		a, input, str_eq(dialect, STR("sh")) ? SHELL_SH : SHELL_BASH, &tree);
	return shell_print(a, &tree);
}
