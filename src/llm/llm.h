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

struct llm_ask {
	uint64_t id;        /* the daemon's own, never 0, never used again */
	struct str session; /* for fairness */
	struct str system, user;
	struct str run_model; /* what the run itself uses, or absent */
	int64_t left_ms;      /* for everything */
};

/* What one judgement used. cost_nano: thousand-millionths of the price table's
 * currency; -1: no price is known. */
struct llm_usage {
	int64_t input_tokens, cached_tokens, output_tokens;
	int64_t cost_nano;
	int64_t latency_ms; /* all of it, from llm_ask to the answer */
	int attempts;
	bool shared; /* another call's identical question was answered */
};

struct llm_answer {
	uint64_t id;
	struct judge_verdict verdict; /* FAILURE with trouble */
	enum llm_trouble trouble;
	struct str reason;          /* for the card, when there is no verdict */
	struct str provider, model; /* who answered, or was asked last */
	struct llm_usage usage;
};

#endif
