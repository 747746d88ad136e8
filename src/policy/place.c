#include "policy/policy_priv.h"

bool
policy_path_below(struct str path, struct str folder, struct str *ret_rest)
{
	if (folder.len > 1 && str_ends(folder, STR("/")))
		folder = str_sub(folder, 0, folder.len - 1);
	if (folder.len == 0 || !str_starts(path, folder))
		return false;
	if (path.len == folder.len) {
		*ret_rest = STR("");
		return true;
	}
	if (folder.len == 1 && folder.ptr[0] == '/') {
		*ret_rest = str_sub(path, 1, path.len);
		return true;
	}
	if (path.ptr[folder.len] != '/')
		return false;
	*ret_rest = str_sub(path, folder.len + 1, path.len);
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
