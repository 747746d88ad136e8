#ifndef LLM_LLM_H
#define LLM_LLM_H

/*
 * A model asked in a child process, `assentd: llm` (DESIGN 5a): it holds the
 * keys and nothing else. This is the daemon's end, on the daemon's loop.
 *
 *	llm_new(&hooks, &l)
 *	llm_configure(l, &settings)      at start, and when the rules files change
 *	llm_ask(l, &ask)                 one question
 *	hooks.answered(...)              exactly once for each, unless cancelled
 *	llm_cancel(l, id)                the call was withdrawn
 *
 * Queueing, fairness between sessions, the retry, the circuit breaker, the
 * fallback and the second opinion are the child's. A child that dies fails what
 * was asked of it, and is started again.
 */

#include "judge/judge.h"

struct llm;

enum {
	LLM_PROMPT_BYTES = 2 << 20, /* of system and user together */
	LLM_OPEN_MAX = 16384,       /* questions at a time */
};

#define LLM_KINDS(X)                        \
	X(NONE, "none")                         \
	X(ANTHROPIC, "anthropic")               \
	X(OPENAI, "openai")                     \
	X(OPENAI_RESPONSES, "openai_responses") \
	X(OLLAMA, "ollama")                     \
	X(LLAMACPP, "llamacpp")                 \
	X(VLLM, "vllm")                         \
	X(COMMAND, "command")

#define X(name, text) LLM_KIND_##name,
enum llm_kind { LLM_KINDS(X) LLM_KIND_COUNT };
#undef X

/* What went wrong when a question has no verdict; each has its own words for
 * the card. */
#define LLM_TROUBLES(X)                                      \
	X(NONE, "none")                                          \
	X(NO_PROVIDER, "no_provider")                            \
	X(NO_KEY, "no_key")                                      \
	X(CONNECT, "connect")                                    \
	X(TLS, "tls")                                            \
	X(TIMEOUT, "timeout")                                    \
	X(QUEUE, "queue")                                        \
	X(REFUSED, "refused") /* the key, or the request: 4xx */ \
	X(LIMITED, "limited") /* 429 */                          \
	X(SERVER, "server")   /* 5xx */                          \
	X(BREAKER, "breaker")                                    \
	X(UNREADABLE, "unreadable")                              \
	X(TRUNCATED, "truncated")                                \
	X(DECLINED, "declined") /* the model would not answer */ \
	X(TOO_LARGE, "too_large")                                \
	X(COMMAND, "command")                                    \
	X(CHILD, "child") /* our own process died */

#define X(name, text) LLM_TROUBLE_##name,
enum llm_trouble { LLM_TROUBLES(X) LLM_TROUBLE_COUNT };
#undef X

/* Who is asked: the first; instead of it, when it could not say; and, more
 * careful, about what these would not allow. */
#define LLM_ROLES(X)        \
	X(FIRST, "judge")       \
	X(FALLBACK, "fallback") \
	X(SECOND, "second")

#define X(name, text) LLM_ROLE_##name,
enum llm_role { LLM_ROLES(X) LLM_ROLE_COUNT };
#undef X

/* How one of them is reached. Absent texts: not set. */
struct llm_provider {
	enum llm_kind kind;     /* NONE: there is none */
	struct str model;       /* "run": the one that the run itself uses */
	struct str url;         /* absent: the usual address of this kind */
	struct str key_file;    /* an absolute path, mode 0600 */
	struct str key_command; /* words, parted by blanks */
	struct str command;     /* likewise: of kind COMMAND */
};

struct llm_settings {
	struct llm_provider providers[LLM_ROLE_COUNT];
	struct str proxy;      /* the only way that a proxy is ever used */
	struct str ca;         /* a file of certificates, instead of the system's */
	struct str prices;     /* model, input, cached, output; and so on */
	struct str home, user; /* for the commands' environment */
	int64_t parallel;      /* attempts at once, over all */
};

struct llm_ask {
	uint64_t id;        /* the daemon's own, never 0, never used again */
	struct str session; /* for fairness */
	struct str system, user;
	size_t stable;        /* bytes of user that the turn's calls begin with */
	struct str model;     /* instead of the setting, or absent */
	struct str second;    /* instead of the second's setting, or absent */
	struct str run_model; /* what the run itself uses, or absent */
	int64_t left_ms;      /* for everything */
};

/* What one judgement used. cost_nano: thousand-millionths of the price table's
 * currency; -1: no price is known. */
struct llm_usage {
	int64_t input_tokens; /* all of them, the cached ones too */
	int64_t cached_tokens, output_tokens;
	int64_t cost_nano;
	int64_t latency_ms; /* all of it, from llm_ask to the answer */
	int64_t attempts;
	bool shared; /* another call's identical question was answered: it, and
				  * not this one, says what was used */
};

struct llm_answer {
	uint64_t id;
	struct judge_verdict verdict; /* FAILURE with trouble */
	enum llm_trouble trouble;
	struct str reason;          /* for the card, when there is no verdict */
	struct str provider, model; /* who answered, or was asked last */
	struct llm_usage usage;
};

const char *llm_kind_name(enum llm_kind k);
/* NONE for a name that is not known. */
enum llm_kind llm_kind_from(struct str s);
const char *llm_trouble_name(enum llm_trouble t);
/* "the model's provider could not be reached": follows "could not judge: " */
const char *llm_trouble_says(enum llm_trouble t);

/* --- the daemon's end ----------------------------------------------------- */

struct uv_loop_s;

struct llm_hooks {
	void *data;
	/* On the loop, never from within llm_ask. Texts are borrowed until it
	 * returns. */
	void (*answered)(void *data, const struct llm_answer *answer);
	/* A line for the journal. It holds no key and nothing of a prompt. */
	void (*said)(void *data, const char *line);
};

/* Nothing runs before the first llm_configure that names a provider. */
MUST_USE int llm_new(
	struct uv_loop_s *loop, const struct llm_hooks *hooks, struct llm **ret);
/* Everything is copied. The same settings again: nothing happens. What is being
 * asked goes on. */
void llm_configure(struct llm *l, const struct llm_settings *s);
/* Everything is copied. Answered also when nothing is configured. */
void llm_ask(struct llm *l, const struct llm_ask *ask);
/* It is not answered any more. An id that is not open is ignored. */
void llm_cancel(struct llm *l, uint64_t id);
size_t llm_open(const struct llm *l); /* questions not yet answered */
/* The child, or 0; and whether this is a process group of a command that it
 * runs: who descends from them may not ask for judgements (DESIGN 5). */
int64_t llm_child_pid(const struct llm *l);
bool llm_runs_group(const struct llm *l, int64_t group);
/* Ends the child. Open questions are not answered. The loop must run until the
 * handles are closed. NULL is fine. */
void llm_free(struct llm *l);

/* --- the child's ---------------------------------------------------------- */

/* "--llm" as the daemon's only argument: it is the child, and runs until the
 * daemon is gone. Returns its exit status. */
#define LLM_CHILD_FLAG "--llm"
int llm_child_main(void);

#endif
