/*
 * assent rules edit: a rules file in an editor; what has faults comes back.
 */

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/asked.h"
#include "cli/person.h"
#include "cli/ruletext.h"
#include "io/file.h"

/* Waits for the editor; false when it could not be run or was broken off. */
static bool
run_editor(const char *path)
{
	/* NOLINTBEGIN(concurrency-mt-unsafe): one thread */
	const char *editor = getenv("VISUAL");
	int status = 0;

	if (!editor || !editor[0])
		editor = getenv("EDITOR");
	if (!editor || !editor[0])
		editor = "vi";
	/* NOLINTEND(concurrency-mt-unsafe) */
	pid_t pid = fork();

	if (pid == 0) {
		/* as others do: the variable may hold options */
		(void)execl("/bin/sh", "sh", "-c", "exec $0 \"$1\"", editor, path,
			(char *)NULL);
		_exit(127);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status)
		&& WEXITSTATUS(status) == 0;
}

/* Edits path until it is saved or given up. */
static int
edit(const struct cli *c, const struct cli_ruletext *t, const char *path)
{
	for (;;) {
		CLEANUP(buf_done) struct buf text = {0};

		if (!run_editor(path))
			return cli_fail(c, "the editor failed; nothing was saved");
		int code = cli_file_read(c, path, &text);

		if (code != CLI_OK)
			return code;
		if (str_eq(buf_str(&text), t->text)) {
			(void)printf("nothing was changed\n");
			return CLI_OK;
		}
		code = cli_ruletext_save(c, t, buf_str(&text));
		if (code != CLI_ASK)
			return code;
		if (!cli_person_agrees(c, "Edit again?"))
			return CLI_FAILURE;
	}
}

static int
run(struct cli *c)
{
	CLEANUP(cli_ruletext_done) struct cli_ruletext t;
	char path[] = "/tmp/assent-rules.XXXXXX";
	int code = cli_ruletext_get(c, &t);

	if (code != CLI_OK)
		return code;
	int fd = mkstemp(path);

	if (fd < 0)
		return cli_fail(c, "no file can be made in /tmp");
	(void)close(fd);
	code = io_file_replace(path, t.text.ptr ? t.text : STR(""), 0600) == 0
		? edit(c, &t, path)
		: cli_fail(c, "%s", fail_text());
	(void)unlink(path);
	return code;
}

const struct cli_command cli_rules_edit = {
	.name = "rules edit",
	.usage = "",
	.help = "edit your rules file",
	.details =
		"Opens a copy in $VISUAL or $EDITOR and saves it when you are done. A\n"
		"text with faults is not saved: they are shown, and you may go on.\n"
		"Nor is one that somebody else changed the file under.",
	.group = CLI_GROUP_SETUP,
	.options = {CLI_RULETEXT_OPTIONS},
	.run = run,
};
