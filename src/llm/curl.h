#ifndef LLM_CURL_H
#define LLM_CURL_H

/*
 * libcurl, loaded by the child alone: linked to the daemon it would cost every
 * start of it 13 ms and 30 libraries.
 */

#include <curl/curl.h>

#include "base/fail.h"

#define LLM_CURL_CALLS(X)  \
	X(global_init)         \
	X(version_info)        \
	X(easy_init)           \
	X(easy_setopt)         \
	X(easy_perform)        \
	X(easy_getinfo)        \
	X(easy_cleanup)        \
	X(slist_append)        \
	X(slist_free_all)      \
	X(multi_init)          \
	X(multi_cleanup)       \
	X(multi_setopt)        \
	X(multi_assign)        \
	X(multi_add_handle)    \
	X(multi_remove_handle) \
	X(multi_socket_action) \
	X(multi_info_read)

/* easy_setopt is a macro of three arguments when called by its own name. */
struct llm_curl {
#define X(name) __typeof__(curl_##name) *name;
	LLM_CURL_CALLS(X)
#undef X
};

/* FAIL_ABSENT without the library, or with one whose name lookups block. */
MUST_USE int llm_curl_load(struct llm_curl *ret);

#endif
