/*
 * Plays tests/try/session.jsonl against a running daemon, each call through
 * `assent hook claude-code` as the agent would make it, and prints what became
 * of it. The expectations in the file make it a test as well: the exit status
 * is 1 if any call ended otherwise.
 *
 * session ASSENT PLACES SESSION PROJECT SECONDS
 *   PLACES   the folder that holds config/, state/ and sock
 *   SECONDS  how long the last card stays open for somebody else to answer
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "wire/json.h"

enum {
	OUTPUT_MAX_BYTES = 1 << 20,
	CARD_WAIT_MS = 250,   /* a call that is not answered by then is held */
	HOOK_WAIT_MS = 20000, /* after the reply */
	WIDTH_CALL = 46,
	WIDTH_WHY = 62,
};

struct player {
	const char *assent, *project;
	char flags[3][512];
	bool colour;
	unsigned number, wrong;
};

/* One call of the file. */
struct line {
	struct str tool, input, verdict, reply, note;
};

/* A hook that was started. */
struct hook {
	pid_t pid;
	int out;
	double started_ms;
	struct buf answer;
};

static double
now_ms(void)
{
	struct timespec t = {0};

	CHECK(clock_gettime(CLOCK_MONOTONIC, &t) == 0);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Starts assent with args (ended by NULL); its stdin and stdout are pipes. */
static pid_t
start(struct player *p, char **args, int *ret_in, int *ret_out)
{
	int in[2], out[2];

	CHECK(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0);
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid == 0) {
		if (dup2(in[0], 0) >= 0 && dup2(out[1], 1) >= 0
			&& chdir(p->project) == 0)
			(void)execv(p->assent, args);
		_exit(127);
	}
	(void)close(in[0]);
	(void)close(out[1]);
	*ret_in = in[1];
	*ret_out = out[0];
	return pid;
}

static void
write_all(int fd, struct str s)
{
	while (s.len > 0) {
		ssize_t n = write(fd, s.ptr, s.len);

		if (n < 0 && errno != EINTR)
			break;
		if (n > 0)
			s = str_sub(s, (size_t)n, s.len);
	}
	(void)close(fd);
}

/* Reads what comes within the time; true when the other side has closed. */
static bool
read_some(int fd, struct buf *b, int wait_ms)
{
	double end = now_ms() + wait_ms;
	char part[4096];

	for (;;) {
		struct pollfd pfd = {.fd = fd, .events = POLLIN};
		int left = (int)(end - now_ms());
		ssize_t n = 0;

		if (left < 0 || poll(&pfd, 1, left) == 0)
			return false;
		n = read(fd, part, sizeof(part));
		if (n <= 0)
			return true;
		buf_add(b, (struct str){part, (size_t)n});
	}
}

/* Runs a people's command to its end; the output is in ret. */
static int
run(struct player *p, const char *const *words, struct buf *ret)
{
	char *args[16] = {(char *)(uintptr_t)p->assent};
	size_t n = 1;
	int in = -1, out = -1, status = 0;

	for (; *words; words++)
		args[n++] = (char *)(uintptr_t)*words;
	for (size_t i = 0; i < ARRAY_LEN(p->flags); i++)
		args[n++] = p->flags[i];
	pid_t pid = start(p, args, &in, &out);

	(void)close(in);
	(void)read_some(out, ret, HOOK_WAIT_MS);
	(void)close(out);
	(void)waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static struct str
replace_project(struct player *p, struct buf *b, struct str input)
{
	for (size_t i = 0; i < input.len; i++) {
		bool path = input.ptr[i] == '@' && i > 0 && input.ptr[i - 1] == '"'
			&& i + 1 < input.len && input.ptr[i + 1] == '/';

		buf_add(b, path ? str_from(p->project) : str_sub(input, i, i + 1));
	}
	return buf_str(b);
}

static void
start_hook(struct player *p, const struct line *l, struct hook *h)
{
	CLEANUP(buf_done) struct buf body = {0};
	CLEANUP(buf_done) struct buf input = {0};
	char *args[] = {(char *)(uintptr_t)p->assent, (char *)(uintptr_t) "hook",
		(char *)(uintptr_t) "claude-code", (char *)(uintptr_t) "PreToolUse",
		p->flags[0], p->flags[1], p->flags[2],
		(char *)(uintptr_t) "--deadline=600", NULL};
	int in = -1;

	buf_init(&body, OUTPUT_MAX_BYTES);
	buf_init(&input, OUTPUT_MAX_BYTES);
	buf_addf(&body,
		"{\"session_id\":\"try\",\"cwd\":\"%s\",\"permission_mode\":"
		"\"default\","
		"\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"%.*s\","
		"\"tool_use_id\":\"toolu_try_%u\",\"tool_input\":",
		p->project, STR_ARG(l->tool), p->number);
	buf_add(&body, replace_project(p, &input, l->input));
	buf_add_char(&body, '}');
	buf_init(&h->answer, OUTPUT_MAX_BYTES);
	h->started_ms = now_ms();
	h->pid = start(p, args, &in, &h->out);
	write_all(in, buf_str(&body));
}

/* The id of the newest open card, as a string to be freed; NULL = none. */
static char *
newest_card(struct player *p)
{
	CLEANUP(buf_done) struct buf b = {0};
	const char *words[] = {"cards", "--json", NULL};
	char *id = NULL;

	buf_init(&b, OUTPUT_MAX_BYTES);
	if (run(p, words, &b) != 0)
		return NULL;
	json_t *all = json_loadb(buf_str(&b).ptr, b.len, 0, NULL);
	json_t *cards = json_is_array(all) ? all : json_object_get(all, "cards");
	json_t *last = json_array_get(cards, json_array_size(cards) - 1);
	const char *text = json_string_value(json_object_get(last, "id"));

	if (text)
		id = strdup(text);
	json_decref(all);
	return id;
}

static void
answer_card(struct player *p, const char *id, struct str reply, struct str note)
{
	CLEANUP(buf_done) struct buf out = {0};
	char verb[16], text[256];
	const char *words[] = {verb, id, "--yes", "--note", text, NULL};

	buf_init(&out, OUTPUT_MAX_BYTES);
	(void)snprintf(verb, sizeof(verb), "%.*s", STR_ARG(reply));
	(void)snprintf(text, sizeof(text), "%.*s", STR_ARG(note));
	if (note.len == 0)
		words[3] = NULL;
	int status = run(p, words, &out);

	if (status != 0)
		printf("      assent %s %s: status %d %.*s\n", verb, id, status,
			STR_ARG(buf_str(&out)));
}

static const char *
member(json_t *answer, const char *key)
{
	json_t *o = json_object_get(answer, "hookSpecificOutput");
	const char *text = json_string_value(json_object_get(o, key));

	return text ? text : "";
}

static void
print_cell(const char *text, size_t width)
{
	size_t n = strlen(text);

	if (n > width)
		printf("%.*s…", (int)width - 1, text);
	else
		printf("%-*s", (int)width, text);
}

/* What the person sees of the call: its most telling argument. */
static void
call_title(const struct line *l, char *ret, size_t size)
{
	static const char *const keys[] = {
		"command", "file_path", "url", "query", "pattern", "title"};
	json_t *input = json_loadb(l->input.ptr, l->input.len, 0, NULL);
	const char *text = "";

	for (size_t i = 0; i < ARRAY_LEN(keys) && !*text; i++) {
		const char *v = json_string_value(json_object_get(input, keys[i]));

		text = v ? v : "";
	}
	if (l->tool.len > 12)
		(void)snprintf(ret, size, "%.*s", STR_ARG(l->tool));
	else
		(void)snprintf(ret, size, "%.*s %s", STR_ARG(l->tool), text);
	json_decref(input);
}

static void
print_row(struct player *p, const struct line *l, const char *verdict,
	const char *why, double ms)
{
	static const struct {
		const char *verdict, *colour;
	} colours[] = {
		{"allow", "32"},
        {"ask",   "33"},
        {"deny",  "31"}
    };
	char title[512];
	bool right = str_eq(str_from(verdict), l->verdict);

	call_title(l, title, sizeof(title));
	printf("%3u  ", p->number);
	print_cell(title, WIDTH_CALL);
	for (size_t i = 0; i < ARRAY_LEN(colours); i++) {
		if (p->colour && strcmp(colours[i].verdict, verdict) == 0)
			printf("\033[%sm", colours[i].colour);
	}
	printf("  %-6s", verdict);
	printf("%s", p->colour ? "\033[0m" : "");
	printf("%6.1f ms  ", ms);
	print_cell(why, WIDTH_WHY);
	printf("%s\n", right ? "" : "   <- expected otherwise");
	p->wrong += !right;
	(void)fflush(stdout);
}

static void
end_hook(struct player *p, const struct line *l, struct hook *h, bool asked,
	double ms)
{
	json_t *answer =
		json_loadb(buf_str(&h->answer).ptr, h->answer.len, 0, NULL);
	const char *decision = member(answer, "permissionDecision");
	const char *why = member(answer, "permissionDecisionReason");
	const char *note = member(answer, "additionalContext");
	char text[1024];

	(void)waitpid(h->pid, NULL, 0);
	(void)close(h->out);
	if (asked) {
		(void)snprintf(text, sizeof(text), "%s: %s",
			*decision ? decision : "no answer", *note ? note : why);
		why = text;
	}
	print_row(p, l, asked ? "ask" : decision, why, ms);
	json_decref(answer);
	buf_done(&h->answer);
}

/* The last card stays open for somebody else, then is answered here. */
static void
leave_open(struct player *p, struct hook *h, const char *id, int seconds)
{
	printf(
		"\nOne card is open: the agent waits for you. In another terminal:\n\n"
		"    %s approve %s %s %s %s\n\n"
		"In %d seconds this command rejects it itself.\n\n",
		p->assent, id, p->flags[0], p->flags[1], p->flags[2], seconds);
	(void)fflush(stdout);
	if (!read_some(h->out, &h->answer, seconds * 1000))
		answer_card(p, id, STR("reject"), STR("nobody came"));
}

static void
play(struct player *p, const struct line *l, int seconds)
{
	struct hook h = {0};
	char *card = NULL;

	p->number++;
	start_hook(p, l, &h);
	bool ended = read_some(h.out, &h.answer, CARD_WAIT_MS);
	double ms = now_ms() - h.started_ms;

	for (int tries = 0; !ended && !card && tries < 40; tries++) {
		card = newest_card(p);
		if (!card)
			ended = read_some(h.out, &h.answer, CARD_WAIT_MS);
	}
	if (card && str_eq(l->reply, STR("open")))
		leave_open(p, &h, card, seconds);
	else if (card)
		answer_card(
			p, card, l->reply.len > 0 ? l->reply : STR("reject"), l->note);
	if (!ended && !read_some(h.out, &h.answer, HOOK_WAIT_MS))
		(void)kill(h.pid, SIGKILL);
	end_hook(p, l, &h, card != NULL, ms);
	free(card);
}

static bool
read_line(json_t *j, struct arena *a, struct line *ret)
{
	*ret = (struct line){
		.tool = wire_json_str(j, "tool"),
		.input = wire_json_print(a, wire_json_object(j, "input")),
		.verdict = wire_json_str(j, "expect"),
		.reply = wire_json_str(j, "reply"),
		.note = wire_json_str(j, "note"),
	};
	return ret->tool.len > 0 && ret->verdict.len > 0;
}

static void
play_file(struct player *p, const char *path, int seconds)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(OUTPUT_MAX_BYTES);
	FILE *f = fopen(path, "re");
	char text[4096];
	struct line l;

	CHECK(f && a);
	printf("\n  #  %-*s  verdict    time  why\n", WIDTH_CALL, "call");
	while (fgets(text, sizeof(text), f)) {
		struct wire_json_error e;
		WIRE_JSON json_t *j = wire_json_parse(str_from(text), &e);

		arena_reset(a);
		CHECK(j && read_line(j, a, &l));
		play(p, &l, seconds);
	}
	(void)fclose(f);
}

int
main(int argc, char **argv)
{
	static const char *const formats[] = {
		"--config=%s/config", "--state=%s/state", "--socket=%s/sock"};
	struct player p = {.colour = isatty(1) != 0};

	if (argc != 6) {
		(void)fprintf(
			stderr, "usage: session ASSENT PLACES SESSION PROJECT SECONDS\n");
		return 2;
	}
	(void)signal(SIGPIPE, SIG_IGN);
	p.assent = argv[1];
	p.project = argv[4];
	for (size_t i = 0; i < ARRAY_LEN(p.flags); i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		(void)snprintf(p.flags[i], sizeof(p.flags[i]), formats[i], argv[2]);
#pragma GCC diagnostic pop
	}
	play_file(&p, argv[3], atoi(argv[5]));
	printf("\n%u calls, %u not as expected\n", p.number, p.wrong);
	return p.wrong == 0 && p.number > 0 ? 0 : 1;
}
