/*
 * Programs that run others, as someone else, later, again, or under watch.
 */

#include "facts/facts_priv.h"

enum bits {
	B_TEXT = 1 << 0,  /* the command was given as text by an option */
	B_EXEC = 1 << 1,  /* watch -x: no shell in between */
	B_LIST = 1 << 2,  /* shows instead of running */
	B_EDIT = 1 << 3,  /* sudoedit */
	B_SHELL = 1 << 4, /* a shell is started */
	B_PID = 1 << 5,
};

/* sudo [NAME=VALUE]... COMMAND; a shell without one. */
static void
hook_sudo(struct facts_run *run)
{
	size_t i = 0;

	run->done = true;
	facts_apply_text(run, FACTS_PRIVILEGE, 0, "root");
	if (run->bits & B_EDIT) {
		for (; i < run->operand_count; i++)
			facts_apply(run, FACTS_WRITE, 0, &run->operands[i]);
		return;
	}
	while (i < run->operand_count && str_has_char(run->operands[i].text, '=')
		&& !str_has_char(run->operands[i].text, '/'))
		facts_apply(run, FACTS_ASSIGN, 0, &run->operands[i++]);
	if (i < run->operand_count)
		facts_run_inner(run, run->operands + i, run->operand_count - i);
	else if (run->bits & B_SHELL)
		facts_run_input(run, run->in, "sh");
}

/* su [USER] -c TEXT */
static void
hook_su(struct facts_run *run)
{
	struct facts *f = run->f;

	run->done = true;
	facts_apply_text(run, FACTS_PRIVILEGE, 0, "another user");
	if (!(run->bits & B_TEXT)) {
		f->privilege_depth++;
		facts_run_input(run, run->in, "sh");
		f->privilege_depth--;
	}
}

/* watch COMMAND: the words are joined for a shell, unless -x. */
static void
hook_watch(struct facts_run *run)
{
	run->done = true;
	if (run->operand_count == 0)
		return;
	if (run->bits & B_EXEC) {
		facts_run_inner(run, run->operands, run->operand_count);
		return;
	}
	struct facts_word text = facts_operands_join(run, 0);

	facts_run_shell(run, &text);
}

/* flock FILE COMMAND, flock FILE -c TEXT */
static void
hook_flock(struct facts_run *run)
{
	size_t n = run->operand_count;

	run->done = true;
	if (n > 0)
		facts_apply(run, FACTS_CREATE, 0, &run->operands[0]);
	if (n > 2 && facts_names_have("-c --command", run->operands[1].text))
		facts_run_shell(run, &run->operands[2]);
	else if (n > 1)
		facts_run_inner(run, run->operands + 1, n - 1);
}

/* The command of parallel with one argument in its place. */
static void
parallel_on(struct facts_run *run, size_t end, const struct facts_word *arg)
{
	struct facts *f = run->f;
	struct facts_words words = {.count = 0};
	bool placed = false;

	for (size_t i = 0; i < end; i++) {
		struct facts_word w = run->operands[i];
		size_t brace = str_find(w.text, STR("{"), 0);

		if (str_eq(w.text, STR("{}"))) {
			w = *arg;
			w.taint |= FACTS_FROM_INPUT;
			placed = true;
		} else if (brace < w.text.len) {
			w.text =
				arena_fmt(f->a, "%.*s?", STR_ARG(str_sub(w.text, 0, brace)));
			w.flags |= FACTS_DYNAMIC;
			placed = true;
		}
		facts_words_add(f, &words, w);
	}
	if (!placed) {
		struct facts_word last = *arg;

		last.taint |= FACTS_FROM_INPUT;
		facts_words_add(f, &words, last);
	}
	facts_run_inner(run, words.list, words.count);
}

/* parallel COMMAND ::: ARG...; without ::: the arguments come in. */
static void
hook_parallel(struct facts_run *run)
{
	struct facts_word unknown = {.text = STR("?"),
		.source = STR("standard input"),
		.flags = FACTS_DYNAMIC | FACTS_MANY};
	size_t end = 0, n = run->operand_count;

	run->done = true;
	/* it quotes for one shell and runs another */
	if (n > 0
		&& facts_names_have("sh bash dash zsh ksh", run->operands[0].text))
		facts_run_ignore(run, CALL_UNKNOWN, "a shell that parallel starts",
			run->operands[0].source);
	while (end < n && !str_starts(run->operands[end].text, STR(":::")))
		end++;
	if (run->in)
		unknown.taint = run->in->taint;
	if (end == 0 && n == 0) {
		/* every line that comes in is a command */
		facts_run_input(run, run->in, "sh");
	} else if (end == 0) {
		for (size_t i = 1; i < n; i++)
			facts_run_shell(run, &run->operands[i]);
	} else if (n - end > 1 && n - end <= FACTS_LOOP_ITEMS_MAX
		&& str_eq(run->operands[end].text, STR(":::"))) {
		for (size_t i = end + 1; i < n; i++)
			parallel_on(run, end, &run->operands[i]);
	} else {
		parallel_on(run, end, &unknown);
	}
}

/* script [-c TEXT] [FILE] */
static void
hook_script(struct facts_run *run)
{
	if (!(run->bits & B_TEXT) && run->operand_count < 2)
		facts_run_input(run, run->in, "sh");
	if (run->operand_count == 0)
		facts_apply_text(run, FACTS_WRITE, 0, "typescript");
}

/* strace, taskset, ionice and kin with -p look at a process instead. */
static void
hook_pid(struct facts_run *run)
{
	if (run->bits & B_PID) {
		run->done = true;
		facts_apply_text(run, FACTS_SIGNAL, 0, "processes");
	}
}

#define RUNS (FACTS_STOP | FACTS_WRAPPER)

/* The layout of rows is by hand: the tool cannot do uneven ones. */
// clang-format off
const struct facts_prog facts_prog_wrap[] = {
	/* --- as someone else --- */
	{.names = "sudo sudoedit",
		.manual = "sudo(8)",
		.style = RUNS | FACTS_PRIVILEGED,
		.opts = FACTS_OPTS(
			FLAGS("-A --askpass -b --background -B --bell -E --preserve-env -H "
				"--set-home -k --reset-timestamp -K --remove-timestamp -n "
				"--non-interactive -N --no-update -P --preserve-groups -S "
				"--stdin -v --validate -V"),
			SETS("-e --edit", B_EDIT), SETS("-l --list", B_LIST),
			SETS("-i --login -s --shell", B_SHELL),
			VALUES("-C --close-from -g --group -h --host -p --prompt -r --role "
				"-t --type -T --command-timeout -u --user -U --other-user"),
			VALUE("-D --chdir", CHDIR), VALUE("-R --chroot", UNKNOWN)),
		.hook = hook_sudo},
	{.names = "doas",
		.manual = "doas(1)",
		.style = RUNS | FACTS_PRIVILEGED,
		.opts = FACTS_OPTS(FLAGS("-n -L"), SETS("-s", B_SHELL),
			VALUES("-u -a"), VALUE("-C", READ)),
		.hook = hook_sudo},
	{.names = "pkexec run0 gksudo kdesudo gosu su-exec setpriv runuser",
		.manual = "pkexec(1), run0(1), setpriv(1), runuser(1)",
		.style = RUNS | FACTS_PRIVILEGED,
		.opts = FACTS_OPTS(
			FLAGS("--disable-internal-agent --keep-cwd --nnp --no-new-privs "
				"--init-groups --clear-groups -l --login -m -p"),
			VALUES("-u --user --reuid --regid --groups -g --group")),
		.does = {DO(PRIVILEGE, "root")},
		.operands = {OP(COMMAND, FIRST)}},
	{.names = "su",
		.manual = "su(1)",
		.style = FACTS_WRAPPER | FACTS_PRIVILEGED | FACTS_INTERPRETER,
		.opts = FACTS_OPTS(
			FLAGS("-l --login -m -p --preserve-environment -f --fast -P --pty -"),
			VALUES("-g --group -G --supp-group -s --shell -w "
				"--whitelist-environment"),
			VALUE_SETS("-c --command --session-command", SHELL, B_TEXT)),
		.operands = {OP(INERT, ALL)},
		.hook = hook_su},
	/* --- with other limits --- */
	{.names = "ionice",
		.manual = "ionice(1)",
		.style = RUNS,
		.opts = FACTS_OPTS(FLAGS("-t --ignore"),
			VALUES("-c --class -n --classdata"),
			VALUE_SETS("-p --pid -P --pgid -u --uid", INERT, B_PID)),
		.operands = {OP(COMMAND, FIRST)},
		.hook = hook_pid},
	{.names = "chrt",
		.manual = "chrt(1)",
		.style = RUNS,
		.opts = FACTS_OPTS(
			FLAGS("-b --batch -d --deadline -f --fifo -i --idle -o --other -r "
				"--rr -R --reset-on-fork -a --all-tasks -v --verbose"),
			SETS("-m --max -p --pid", B_PID),
			VALUES("-T --sched-runtime -P --sched-period -D "
				"--sched-deadline")),
		.operands = {OP(INERT, FIRST), OP(COMMAND, SECOND)},
		.hook = hook_pid},
	{.names = "taskset",
		.manual = "taskset(1)",
		.style = RUNS,
		.opts = FACTS_OPTS(FLAGS("-a --all-tasks"),
			{.names = "-c --cpu-list", .arg = FACTS_MAYBE},
			SETS("-p --pid", B_PID)),
		.operands = {OP(INERT, FIRST), OP(COMMAND, SECOND)},
		.hook = hook_pid},
	{.names = "prlimit",
		.manual = "prlimit(1)",
		.style = RUNS,
		.opts = FACTS_OPTS(FLAGS("--noheadings --raw --verbose"),
			MAYBES("-c --core -d --data -e --nice -f --fsize -i --sigpending -l "
				"--memlock -m --rss -n --nofile -q --msgqueue -r --rtprio -s "
				"--stack -t --cpu -u --nproc -v --as -x --locks -y --rttime"),
			VALUES("-o --output"), VALUE_SETS("-p --pid", INERT, B_PID)),
		.operands = {OP(COMMAND, FIRST)},
		.hook = hook_pid},
	{.names = "setsid unbuffer catchsegv linux32 linux64 setarch chronic "
			"faketime proxychains proxychains4 torsocks torify "
			"systemd-inhibit dbus-run-session xvfb-run numactl choom "
			"firejail bwrap",
		.manual = "setsid(1), setarch(8), caffeinate(8)",
		.style = RUNS,
		.opts = FACTS_OPTS(FLAGS("-c --ctty -f --fork -w --wait -d -i -m -s "
			"-u -q -a"), VALUES("-t")),
		.operands = {OP(COMMAND, FIRST)}},
	{.names = "caffeinate", .manual = "caffeinate(8), macOS", .style = RUNS,
		.opts = FACTS_OPTS(FLAGS("-d -i -m -s -u"), VALUES("-t -w")),
		.operands = {OP(COMMAND, FIRST)}},
	/* alone it says which machine it is */
	{.names = "arch", .manual = "arch(1)", .style = RUNS | FACTS_ONE_DASH,
		.opts = FACTS_OPTS(FLAGS("-32 -64 -x86_64 -x86_64h -arm64 -arm64e -i386 -c -h"),
			VALUES("-arch -d"), VALUE("-e", ASSIGN)),
		.operands = {OP(COMMAND, FIRST)}},
	{.names = "unshare nsenter systemd-run",
		.manual = "unshare(1), nsenter(1), systemd-run(1)",
		.style = RUNS | FACTS_PRIVILEGED,
		.opts = FACTS_OPTS(
			FLAGS("-f --fork -r --map-root-user -c --map-current-user -a --all "
				"--user --scope --pty -t --wait -P --pipe -q --quiet"),
			MAYBES("-m --mount -u --uts -i --ipc -n --net -p --pid -U -C "
				"--cgroup -T --time --kill-child --mount-proc"),
			VALUES("-S --setuid -G --setgid -w --wd --unit --slice "
				"--description"),
			VALUE("-R --root", UNKNOWN)),
		.does = {DO(PRIVILEGE, "namespaces")},
		.operands = {OP(COMMAND, FIRST)}},
	/* --- again, later, in parallel --- */
	{.names = "watch",
		.manual = "watch(1)",
		.style = RUNS,
		.opts = FACTS_OPTS(
			FLAGS("-b --beep -c --color -e --errexit -g --chgexit -p --precise "
				"-t --no-title -w --no-wrap -v -C --no-color -r --no-rerun"),
			SETS("-x --exec", B_EXEC), MAYBES("-d --differences"),
			VALUES("-n --interval -q --equexit")),
		.hook = hook_watch},
	{.names = "time gtime",
		.manual = "time(1)",
		.style = RUNS,
		.opts = FACTS_OPTS(
			FLAGS("-a --append -p --portability -q --quiet -v --verbose -V -l"),
			VALUES("-f --format"), VALUE("-o --output", WRITE)),
		.operands = {OP(COMMAND, FIRST)}},
	{.names = "flock",
		.manual = "flock(1)",
		.style = RUNS,
		.opts = FACTS_OPTS(
			FLAGS("-s --shared -x -e --exclusive -u --unlock -n --nb --nonblock "
				"-o --close -F --no-fork --verbose"),
			VALUES("-w --timeout -E --conflict-exit-code"),
			VALUE_SETS("-c --command", SHELL, B_TEXT)),
		.hook = hook_flock},
	{.names = "parallel sem",
		.manual = "parallel(1), GNU parallel",
		.style = RUNS | FACTS_INTERPRETER,
		.opts = FACTS_OPTS(
			FLAGS("-0 --null -k --keep-order -q --quote -t --verbose --bar "
				"--progress --eta --dry-run --dryrun -m -X -x --xargs "
				"--line-buffer --lb --ungroup -u --group --no-notice --will-cite "
				"-r --no-run-if-empty --shuf --pipe --pipepart"),
			VALUES("-j --jobs -P --max-procs -n --max-args -N -L -I --delay "
				"--timeout --retries --halt --colsep -C --load --memfree "
				"--nice -d --delimiter --block --tag --tagstring"),
			VALUE("-a --arg-file", READ),
			VALUE("--joblog --results --files", WRITE),
			VALUE("--workdir --wd", CHDIR),
			VALUE("-S --sshlogin --sshloginfile", UNKNOWN)),
		.hook = hook_parallel},
	{.names = "script scriptreplay",
		.manual = "script(1)",
		.opts = FACTS_OPTS(
			FLAGS("-a --append -e --return -f --flush --force -q --quiet -V"),
			VALUES("-m --logging-format -E --echo -o --output-limit"),
			MAYBES("-t --timing"),
			VALUE("-I --log-in -O --log-out -B --log-io -T --log-timing", WRITE),
			VALUE_SETS("-c --command", SHELL, B_TEXT)),
		.style = FACTS_WRAPPER | FACTS_INTERPRETER | FACTS_STOP,
		.operands = {OP(WRITE, FIRST), OP(COMMAND, SECOND)},
		.hook = hook_script},
	{.names = "entr",
		.manual = "entr(1)",
		.style = RUNS,
		.opts = FACTS_OPTS(FLAGS("-a -c -d -n -p -r -s -z")),
		.operands = {OP(COMMAND, FIRST)}},
	{.names = "hyperfine",
		.manual = "hyperfine(1)",
		.style = FACTS_WRAPPER,
		.opts = FACTS_OPTS(
			FLAGS("-i --ignore-failure -N --show-output"),
			VALUES("-w --warmup -m --min-runs -M --max-runs -r --runs --style "
				"--sort -u --time-unit -n --command-name --output -P "
				"--parameter-scan -L --parameter-list -S --shell"),
			VALUE("-s --setup -p --prepare -c --cleanup", SHELL),
			VALUE("--export-json --export-csv --export-markdown "
				"--export-asciidoc --export-orgmode", WRITE)),
		.operands = {OP(SHELL, ALL)}},
	{.names = "at batch",
		.manual = "at(1)",
		.style = FACTS_INTERPRETER,
		.opts = FACTS_OPTS(FLAGS("-m -M -v -b -V"), SETS("-l -c", B_LIST),
			VALUES("-q -t"), VALUE("-f", READ), VALUES("-d -r")),
		.does = {DO_IF(PERSIST, "at", 0, B_LIST),
			DO_IF(UNKNOWN, "at", 0, B_LIST)},
		.operands = {OP(INERT, ALL)}},
	{.names = "crontab",
		.manual = "crontab(1)",
		.opts = FACTS_OPTS(SETS("-l", B_LIST), FLAGS("-e -r -i"), VALUES("-u")),
		.does = {DO_IF(PERSIST, "crontab", 0, B_LIST),
			DO_IF(LIST, "/var/spool/cron", B_LIST, 0)},
		.operands = {OP(READ, ALL)}},
	/* --- under watch --- */
	{.names = "strace ltrace valgrind perf gdb lldb rr dtruss",
		.manual = "strace(1), ltrace(1), valgrind(1), perf(1), gdb(1)",
		.style = RUNS,
		.opts = FACTS_OPTS(
			FLAGS("-c -C -d -f -ff -F -h -i -q -qq -r -t -tt -ttt -T -v -V -w -x "
				"-xx -y -yy -z -Z -k -S -n -batch -quiet"),
			VALUES("-a -b -e -I -O -s -u -P -X"), VALUE("-o", WRITE),
			VALUE_SETS("-p", INERT, B_PID),
			VALUE("-ex -x --command --eval-command", UNKNOWN)),
		.operands = {OP(COMMAND, FIRST)},
		.hook = hook_pid},
	{.names = "busybox toybox",
		.manual = "busybox(1)",
		.style = RUNS,
		.opts = FACTS_OPTS(FLAGS("--list --list-full")),
		.operands = {OP(COMMAND, FIRST)}},
	{.names = "tmux screen zellij",
		.manual = "tmux(1), screen(1)",
		.style = RUNS,
		.opts = FACTS_OPTS(FLAGS("-V -v -ls -list --version"), VALUES("-L"), VALUE("-S -f", UNKNOWN)),
		.subs = FACTS_SUBS(
			{.names = "ls list-sessions list-windows list-panes lsw lsp info "
				"display-message show-options has-session has",
				.style = FACTS_LOOSE, .operands = {OP(INERT, ALL)}},
			/* what is run, or typed, in another terminal */
			{.names = "new-session new new-window neww split-window splitw "
				"respawn-pane respawnp respawn-window respawnw run-shell run "
				"if-shell if send-keys send popup display-popup pipe-pane "
				"pipep",
				.opts = FACTS_OPTS(FLAGS("-d -h -v -P -A -b -l -a -k -E -f -X -R"),
					VALUES("-s -t -n -c -F -x -y -e")),
				.does = {DO(UNKNOWN, "a terminal")},
				.operands = {OP(SHELL, ALL)}},
			{.names = "capture-pane capturep", .style = FACTS_LOOSE,
				.does = {DO(SECRET, "terminal content")},
				.operands = {OP(INERT, ALL)}})},
	{.names = NULL},
};
// clang-format on
