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
	CARD_WAIT_MS = 40,    /* a call that is not answered by then is held */
	HOOK_WAIT_MS = 20000, /* after the reply */
	WIDTH_CALL = 46,
	WIDTH_BY = 11,
	WIDTH_WHY = 64,
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
start(struct player *p, const char *const *args, int *ret_in, int *ret_out)
{
	char *const *argv;
	int in[2], out[2];

	/* execv's type is older than const */
	memcpy(&argv, &args, sizeof(argv));
	CHECK(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0);
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid == 0) {
		if (dup2(in[0], 0) >= 0 && dup2(out[1], 1) >= 0
			&& chdir(p->project) == 0)
			(void)execv(p->assent, argv);
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
	const char *args[16] = {p->assent};
	size_t n = 1;
	int in = -1, out = -1, status = 0;

	for (; *words; words++)
		args[n++] = *words;
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
	const char *const args[] = {p->assent, "hook", "claude-code", "PreToolUse",
		p->flags[0], p->flags[1], p->flags[2], "--deadline=600", NULL};
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

/* The newest row of the record that is a decision or a card: by whom, and why.
 * Released by the caller. */
static json_t *
newest_row(struct player *p)
{
	CLEANUP(buf_done) struct buf b = {0};
	const char *words[] = {"audit", "list", "--json", "--limit", "1", NULL};
	struct wire_json_error e;

	buf_init(&b, OUTPUT_MAX_BYTES);
	if (run(p, words, &b) != 0)
		return NULL;
	WIRE_JSON json_t *all = wire_json_parse(buf_str(&b), &e);

	return json_incref(json_array_get(wire_json_array(all, "rows"), 0));
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
print_verdict(struct player *p, const char *verdict)
{
	static const struct {
		const char *verdict, *colour;
	} colours[] = {
		{"allow", "32"},
        {"ask",   "33"},
        {"deny",  "31"}
    };

	for (size_t i = 0; i < ARRAY_LEN(colours); i++) {
		if (p->colour && strcmp(colours[i].verdict, verdict) == 0)
			printf("\033[%sm", colours[i].colour);
	}
	printf("  %-6s%s", verdict, p->colour ? "\033[0m" : "");
}

/* One line of the table: what the record says of the call. */
static void
print_row(struct player *p, const struct line *l, double ms)
{
	WIRE_JSON json_t *row = newest_row(p);
	struct str verdict = wire_json_str(row, "verdict");
	struct str by = wire_json_str(row, "by");
	struct str why = wire_json_str(row, "reason");
	char text[512];

	call_title(l, text, sizeof(text));
	printf("%3u  ", p->number);
	print_cell(text, WIDTH_CALL);
	(void)snprintf(text, sizeof(text), "%.*s", STR_ARG(verdict));
	print_verdict(p, text);
	(void)snprintf(text, sizeof(text), "%.*s", STR_ARG(by));
	printf("  ");
	print_cell(text, WIDTH_BY);
	if (ms < 0)
		printf("   waits    ");
	else
		printf("%7.1f ms  ", ms);
	(void)snprintf(text, sizeof(text), "%.*s", STR_ARG(why));
	print_cell(text, WIDTH_WHY);
	p->wrong += !str_eq(verdict, l->verdict);
	printf(
		"%s\n", str_eq(verdict, l->verdict) ? "" : "   <- expected otherwise");
	(void)fflush(stdout);
}

/* What the agent was told in the end, of a call that waited. */
static void
print_told(const struct hook *h)
{
	struct wire_json_error e;
	WIRE_JSON json_t *answer = wire_json_parse(buf_str(&h->answer), &e);
	json_t *o = wire_json_object(answer, "hookSpecificOutput");
	struct str decision = wire_json_str(o, "permissionDecision");
	struct str told = wire_json_str(o, "additionalContext");

	if (told.len == 0)
		told = wire_json_str(o, "permissionDecisionReason");
	printf("     └ %.*s%s%.*s\n", STR_ARG(decision), told.len ? ": " : "",
		(int)told.len, told.ptr ? told.ptr : "");
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

	for (int tries = 0; !ended && !card && tries < 250; tries++) {
		card = newest_card(p);
		if (!card)
			ended = read_some(h.out, &h.answer, CARD_WAIT_MS);
	}
	print_row(p, l, card ? -1 : ms);
	if (card && str_eq(l->reply, STR("open")))
		leave_open(p, &h, card, seconds);
	else if (card)
		answer_card(
			p, card, l->reply.len > 0 ? l->reply : STR("reject"), l->note);
	if (!ended && !read_some(h.out, &h.answer, HOOK_WAIT_MS))
		(void)kill(h.pid, SIGKILL);
	if (card)
		print_told(&h);
	(void)waitpid(h.pid, NULL, 0);
	(void)close(h.out);
	buf_done(&h.answer);
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
	printf(
		"\n  #  %-*s  verdict by whom        time   why\n", WIDTH_CALL, "call");
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
	int64_t seconds = 0;

	if (!str_number(str_from(argv[5]), &seconds))
		return 2;
	play_file(&p, argv[3], (int)seconds);
	printf("\n%u calls, %u not as expected\n", p.number, p.wrong);
	return p.wrong == 0 && p.number > 0 ? 0 : 1;
}
