/*
 * The script: "PATTERN => ACTION ACTION ... say TEXT", a line each.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "tests/model/model.h"

enum { SCRIPT_BYTES = 4 << 20, LINES = 4096, TEXT_BYTES = 1 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int used[LINES]; /* of the script in seen */
static struct buf seen;

/* "deny high the reason" as the model is to say it. */
static struct str
verdict(struct arena *a, struct str decision, struct str rest)
{
	struct str reason, risk = str_cut(rest, ' ', &reason);
	struct buf b;

	buf_init(&b, TEXT_BYTES);
	buf_add(&b, STR("{\"decision\":"));
	buf_add_json(&b, decision);
	buf_add(&b, STR(",\"risk_level\":"));
	buf_add_json(&b, risk.len > 0 ? risk : STR("low"));
	buf_add(&b, STR(",\"reason\":"));
	buf_add_json(&b, reason.len > 0 ? reason : STR("as scripted"));
	buf_add_char(&b, '}');
	struct str text = arena_dup(a, buf_str(&b));

	buf_done(&b);
	return text;
}

/* \n in a script's text is a line feed. */
static struct str
unescape(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, s.len + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++) {
		bool feed = s.ptr[i] == '\\' && i + 1 < s.len && s.ptr[i + 1] == 'n';

		out[n++] = feed ? '\n' : s.ptr[i];
		i += feed;
	}
	return (struct str){out, n};
}

static int64_t
number(struct str *rest)
{
	int64_t n = 0;
	struct str word = str_cut(*rest, ' ', rest);

	return str_number(word, &n) ? n : 0;
}

/* Words that stand alone, and what they set. */
static const struct {
	const char *word;
	size_t at;
} flags[] = {
	{"hang",    offsetof(struct model_plan, hang)   },
	{"close",   offsetof(struct model_plan, close)  },
	{"cut",     offsetof(struct model_plan, cut)    },
	{"tail",    offsetof(struct model_plan, tail)   },
	{"echo",    offsetof(struct model_plan, echo)   },
	{"garbage", offsetof(struct model_plan, garbage)},
	{"refuse",  offsetof(struct model_plan, refuse) },
	{"tool",    offsetof(struct model_plan, tool)   },
	{"length",  offsetof(struct model_plan, length) },
	{"whole",   offsetof(struct model_plan, whole)  },
};

static bool
is_flag(struct model_plan *p, struct str word)
{
	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		if (str_eq(word, str_from(flags[i].word))) {
			*(bool *)(void *)((char *)p + flags[i].at) = true;
			return true;
		}
	}
	return false;
}

/* An action; what takes the rest of the line leaves none. */
static struct str
act(struct arena *a, struct model_plan *p, struct str word, struct str rest)
{
	const struct str none = {0};

	if (is_flag(p, word))
		return rest;
	if (str_eq(word, STR("wait")))
		p->wait_ms = (long)number(&rest);
	else if (str_eq(word, STR("drip")))
		p->drip_ms = (long)number(&rest);
	else if (str_eq(word, STR("status")))
		p->status = (int)number(&rest);
	else if (str_eq(word, STR("retry")))
		p->retry_s = (int)number(&rest);
	else if (str_eq(word, STR("think")))
		p->think = str_cut(rest, ' ', &rest);
	else if (str_eq(word, STR("tokens"))) {
		p->input = number(&rest);
		p->cached = number(&rest);
		p->output = number(&rest);
	} else if (str_eq(word, STR("say"))) {
		p->text = unescape(a, rest);
		return none;
	} else if (word.len > 0) {
		p->text = verdict(a, word, rest);
		return none;
	}
	return rest;
}

/* Takes "2x " off a line: how often it may be used, 0: always. */
static int64_t
times_of(struct str *line)
{
	struct str rest, first = str_cut(*line, ' ', &rest);
	int64_t n = 0;

	if (first.len < 2 || first.ptr[first.len - 1] != 'x'
		|| !str_number(str_sub(first, 0, first.len - 1), &n))
		return 0;
	*line = rest;
	return n;
}

static bool
fits(struct str line, size_t at, struct str prompt, struct str *ret_actions)
{
	int64_t times = times_of(&line);
	size_t arrow = str_find(line, STR(" => "), 0);
	struct str pattern = str_trim(str_sub(line, 0, arrow));

	if (line.len == 0 || line.ptr[0] == '#' || arrow == line.len
		|| (!str_eq(pattern, STR("*")) && !str_has(prompt, pattern))
		|| (times > 0 && used[at] >= times))
		return false;
	used[at]++;
	*ret_actions = str_sub(line, arrow + 4, line.len);
	return true;
}

/* Another script begins to count anew. */
static void
look_at(struct str text)
{
	if (str_eq(text, buf_str(&seen)))
		return;
	memset(used, 0, sizeof(used));
	buf_done(&seen);
	buf_init(&seen, SCRIPT_BYTES);
	buf_add(&seen, text);
}

struct model_plan
model_script(struct arena *a, const char *file, struct str prompt)
{
	struct model_plan p = {
		.status = 200,
		.input = 1000,
		.cached = 800,
		.output = 20,
		.text = verdict(a, STR("allow"), STR("low as scripted")),
	};
	CLEANUP(buf_done) struct buf text;
	struct str rest, line, actions = {0};

	buf_init(&text, SCRIPT_BYTES);
	(void)pthread_mutex_lock(&lock);
	if (io_file_read(file, &text) == 0) {
		look_at(buf_str(&text));
		rest = arena_dup(a, buf_str(&text));
		for (size_t i = 0; i < LINES && str_line(&rest, &line); i++) {
			if (fits(line, i, prompt, &actions))
				break;
		}
	}
	(void)pthread_mutex_unlock(&lock);
	while (actions.ptr && actions.len > 0) {
		struct str word = str_cut(actions, ' ', &actions);

		actions = act(a, &p, word, actions);
	}
	return p;
}
