#include "llm/provider.h"

static const struct llm_row rows[] = {
	{
     .kind = LLM_KIND_ANTHROPIC,
     .server = "https://api.anthropic.com",
     .root = "/v1",
     .tail = "/messages",
     .auth = LLM_AUTH_X_API_KEY,
     .header = "anthropic-version: 2023-06-01",
     .models = "claude",
     .write = llm_messages_write,
     .read = llm_messages_read,
	 },
	{
     .kind = LLM_KIND_OPENAI,
     .server = "https://api.openai.com",
     .root = "/v1",
     .tail = "/chat/completions",
     .auth = LLM_AUTH_BEARER,
     .models = "gpt o1 o3 o4 chatgpt codex",
     .write = llm_chat_write,
     .read = llm_chat_read,
	 },
	{
     .kind = LLM_KIND_OPENAI_RESPONSES,
     .server = "https://api.openai.com",
     .root = "/v1",
     .tail = "/responses",
     .auth = LLM_AUTH_BEARER,
     .models = "gpt o1 o3 o4 chatgpt codex",
     .write = llm_responses_write,
     .read = llm_responses_read,
	 },
	{
     .kind = LLM_KIND_OLLAMA,
     .server = "http://127.0.0.1:11434",
     .root = "/api",
     .tail = "/chat",
     .write = llm_ollama_write,
     .read = llm_ollama_read,
	 },
	{
     .kind = LLM_KIND_LLAMACPP,
     .server = "http://127.0.0.1:8080",
     .root = "/v1",
     .tail = "/chat/completions",
     .write = llm_chat_write,
     .read = llm_chat_read,
	 },
	{
     .kind = LLM_KIND_VLLM,
     .server = "http://127.0.0.1:8000",
     .root = "/v1",
     .tail = "/chat/completions",
     .write = llm_chat_write,
     .read = llm_chat_read,
	 },
};

const struct llm_row *
llm_row_of(enum llm_kind kind)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (rows[i].kind == kind)
			return &rows[i];
	}
	return NULL;
}

/* Behind "https://host:port". */
static struct str
path_of(struct str url)
{
	size_t at = str_find(url, STR("://"), 0);

	at = at < url.len ? str_find(url, STR("/"), at + 3) : url.len;
	return str_sub(url, at, url.len);
}

struct str
llm_row_url(struct arena *a, const struct llm_row *row, struct str url)
{
	if (!url.ptr || url.len == 0)
		url = str_from(row->server);
	while (url.len > 0 && url.ptr[url.len - 1] == '/')
		url.len--;
	if (str_ends(url, str_from(row->tail)) && path_of(url).len > 0)
		return arena_dup(a, url);
	if (path_of(url).len > 0)
		return arena_fmt(a, "%.*s%s", STR_ARG(url), row->tail);
	return arena_fmt(a, "%.*s%s%s", STR_ARG(url), row->root, row->tail);
}

bool
llm_row_serves(const struct llm_row *row, struct str model)
{
	struct str rest = str_from(row->models);

	if (!rest.ptr)
		return true;
	while (rest.ptr) {
		if (str_starts(model, str_cut(rest, ' ', &rest)))
			return true;
	}
	return false;
}

bool
llm_url_is_safe(struct str url)
{
	static const char *const here[] = {
		"http://127.0.0.1", "http://localhost", "http://[::1]"};

	if (str_starts(url, STR("https://")))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(here); i++) {
		struct str h = str_from(here[i]);

		if (str_starts(url, h)
			&& (url.len == h.len || url.ptr[h.len] == ':'
				|| url.ptr[h.len] == '/'))
			return true;
	}
	return false;
}
