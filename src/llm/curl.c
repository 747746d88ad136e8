#include "llm/curl.h"

#include <dlfcn.h>
#include <string.h>

static const struct {
	const char *name;
	size_t at;
} calls[] = {
#define X(name) {"curl_" #name, offsetof(struct llm_curl, name)},
	LLM_CURL_CALLS(X)
#undef X
};

int
llm_curl_load(struct llm_curl *ret)
{
	void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return fail_here(FAIL_ABSENT, "libcurl cannot be loaded");
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		void *found = dlsym(library, calls[i].name);

		if (!found)
			return fail_here(FAIL_ABSENT, "libcurl has no %s", calls[i].name);
		memcpy((char *)ret + calls[i].at, &found, sizeof(found));
	}
	if (ret->global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return fail_here(FAIL_ABSENT, "libcurl cannot start");
	const curl_version_info_data *v = ret->version_info(CURLVERSION_NOW);

	/* a lookup that hangs may not hold up the others */
	if ((v->features & CURL_VERSION_ASYNCHDNS) == 0)
		return fail_here(FAIL_ABSENT, "libcurl's name lookups block");
	return 0;
}
