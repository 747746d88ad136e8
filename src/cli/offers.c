/*
 * What could judge on this machine. Tables: the variables that hold keys, the
 * ports where model servers listen, the agents that answer a prompt.
 */

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/setup.h"

/* Each variable is named by the provider's own documentation of its SDK. */
static const struct {
	const char *variable, *who, *provider, *model, *url;
} keys[] = {
	{"ANTHROPIC_API_KEY",  "Anthropic",  "anthropic",        "claude-haiku-4-5",           NULL},
	{"OPENAI_API_KEY",     "OpenAI",     "openai_responses", "gpt-5-mini",                 NULL},
	{"GEMINI_API_KEY",     "Google",     "openai",           "gemini-2.5-flash",
     "https://generativelanguage.googleapis.com/v1beta/openai"                                 },
	{"OPENROUTER_API_KEY", "OpenRouter", "openai",           "anthropic/claude-haiku-4.5",
     "https://openrouter.ai/api/v1"															},
	{"MISTRAL_API_KEY",    "Mistral",    "openai",           "mistral-small-latest",
     "https://api.mistral.ai/v1"															   },
	{"GROQ_API_KEY",       "Groq",       "openai",           "openai/gpt-oss-120b",
     "https://api.groq.com/openai/v1"														  },
	{"DEEPSEEK_API_KEY",   "DeepSeek",   "openai",           "deepseek-chat",
     "https://api.deepseek.com/v1"															 },
};

static const struct {
	uint16_t port;
	const char *who, *provider, *model;
} servers[] = {
	{11434, "Ollama on this machine",             "ollama",   "qwen3:8b"},
	{8080,  "llama.cpp's server on this machine", "llamacpp", "default" },
	{8000,  "vLLM on this machine",               "vllm",     "default" },
};

static const struct {
	const char *program, *who, *command;
} agents[] = {
	{"claude", "Claude Code, with its subscription", "claude -p" },
	{"codex",  "Codex, with its subscription",       "codex exec"},
	{"gemini", "Gemini CLI, with its account",       "gemini"    },
};

/* Somebody listens there; nothing is sent. */
static bool
listens(uint16_t port)
{
	struct sockaddr_in at = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool yes =
		fd >= 0 && connect(fd, (const struct sockaddr *)&at, sizeof(at)) == 0;

	if (fd >= 0)
		(void)close(fd);
	return yes;
}

static struct str
in_path(const struct cli *c, const char *program)
{
	// NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
	struct str rest = str_from(getenv("PATH"));

	while (rest.ptr) {
		struct str folder = str_cut(rest, ':', &rest);
		struct str path =
			arena_fmt(c->arena, "%.*s/%s", STR_ARG(folder), program);

		if (folder.len > 0 && folder.ptr[0] == '/'
			&& access(path.ptr, X_OK) == 0)
			return path;
	}
	return (struct str){0};
}

static void
add_keys(const struct cli *c, struct cli_offer *ret, size_t *n)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		// NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
		struct str value = str_trim(str_from(getenv(keys[i].variable)));

		if (value.len == 0)
			continue;
		ret[(*n)++] = (struct cli_offer){
			.what = arena_fmt(
				c->arena, "%s, the key in %s", keys[i].who, keys[i].variable),
			.provider = str_from(keys[i].provider),
			.model = str_from(keys[i].model),
			.url = str_from(keys[i].url),
			.key = value,
			.key_name = str_from(keys[i].who),
		};
	}
}

size_t
cli_offers_find(const struct cli *c, const struct io_place *p,
	struct cli_offer ret[CLI_OFFERS_MAX])
{
	size_t n = 0;

	(void)p;
	add_keys(c, ret, &n);
	for (size_t i = 0; i < ARRAY_LEN(servers); i++) {
		if (listens(servers[i].port))
			ret[n++] = (struct cli_offer){
				.what = str_from(servers[i].who),
				.provider = str_from(servers[i].provider),
				.model = str_from(servers[i].model),
			};
	}
	for (size_t i = 0; i < ARRAY_LEN(agents); i++) {
		struct str path = in_path(c, agents[i].program);
		struct str rest;

		if (!path.ptr)
			continue;
		(void)str_cut(str_from(agents[i].command), ' ', &rest);
		ret[n++] = (struct cli_offer){
			.what = str_from(agents[i].who),
			.provider = STR("command"),
			.command = rest.ptr
				? arena_fmt(
					c->arena, "\"%.*s\" %.*s", STR_ARG(path), STR_ARG(rest))
				: arena_fmt(c->arena, "\"%.*s\"", STR_ARG(path)),
		};
	}
	return n;
}
