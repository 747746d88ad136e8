#include <string.h>

#include "policy/policy_priv.h"

bool
policy_path_below(struct str path, struct str folder, struct str *ret_rest)
{
	size_t n = folder.len;
	bool is_top = n == 1 && folder.ptr[0] == '/';

	if (n > 1 && folder.ptr[n - 1] == '/')
		n--;
	/* what stands behind the folder differs for nearly all others */
	if (n == 0 || path.len < n
		|| (path.len > n && path.ptr[n] != '/' && !is_top)
		|| memcmp(path.ptr, folder.ptr, n) != 0)
		return false;
	*ret_rest = str_sub(path, path.len == n || is_top ? n : n + 1, path.len);
	return true;
}

bool
policy_root(struct policy_subject s, size_t n, struct str *ret)
{
	if (n < s.call->root_count) {
		*ret = s.call->roots[n];
		return true;
	}
	if (n > 0 || s.call->root_count > 0 || !s.call->cwd.ptr)
		return false;
	*ret = s.call->cwd; /* no workspace is known: where the call runs */
	return true;
}

struct str
policy_host_of(struct str resource)
{
	size_t at = str_find(resource, STR("://"), 0);
	struct str host =
		at == resource.len ? resource : str_sub(resource, at + 3, resource.len);
	struct str rest;

	for (size_t i = 0; i < host.len; i++) {
		if (host.ptr[i] == '/' || host.ptr[i] == '?' || host.ptr[i] == '#') {
			host = str_sub(host, 0, i);
			break;
		}
	}
	for (size_t i = host.len; i > 0; i--) {
		if (host.ptr[i - 1] == '@') { /* behind the userinfo */
			host = str_sub(host, i, host.len);
			break;
		}
	}
	if (str_starts(host, STR("["))) {
		host = str_cut(str_sub(host, 1, host.len), ']', &rest);
		return host;
	}
	return str_cut(host, ':', &rest);
}

bool
policy_has_glob(struct str s)
{
	return str_has_char(s, '*') || str_has_char(s, '?') || str_has_char(s, '[');
}
