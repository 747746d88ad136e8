#include "proxy/headers.h"

static const char *const between_neighbours[] = {
	"Connection",
	"Keep-Alive",
	"Proxy-Authenticate",
	"Proxy-Authorization",
	"Proxy-Connection",
	"TE",
	"Trailer",
	"Transfer-Encoding",
	"Upgrade",
	"Expect",
	"Host",
	"Content-Length",
};

void
proxy_headers_init(struct proxy_headers *h)
{
	*h = (struct proxy_headers){0};
	buf_init(&h->text, PROXY_HEADERS_BYTES);
}

void
proxy_headers_done(struct proxy_headers *h)
{
	buf_done(&h->text);
	*h = (struct proxy_headers){0};
}

static bool
is_ours(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(between_neighbours); i++) {
		if (str_eq_fold(name, str_from(between_neighbours[i])))
			return true;
	}
	return false;
}

static void
add_line(struct proxy_headers *h, struct str line)
{
	buf_add(&h->text, line);
	buf_add_char(&h->text, '\0');
	h->count++;
	h->full = h->full || h->text.full || h->count > PROXY_HEADERS_MAX;
}

void
proxy_headers_add(struct proxy_headers *h, struct str name, struct str value)
{
	if (is_ours(name))
		return;
	buf_add(&h->text, name);
	buf_add(&h->text, value.len > 0 ? STR(": ") : STR(";"));
	add_line(h, value);
}

bool
proxy_headers_next(
	const struct proxy_headers *h, size_t *at, struct str *ret_line)
{
	struct str rest = str_sub(buf_str(&h->text), *at, h->text.len);

	if (rest.len == 0)
		return false;
	*ret_line = str_cut(rest, '\0', &rest);
	*at += ret_line->len + 1;
	return true;
}

/* The name of a line; *ret_value is what stands behind it. */
static struct str
split(struct str line, struct str *ret_value)
{
	struct str name = str_cut(line, ':', ret_value);

	if (!ret_value->ptr) { /* without a value */
		name = str_cut(line, ';', ret_value);
		*ret_value = STR("");
	}
	*ret_value = str_trim(*ret_value);
	return name;
}

struct str
proxy_headers_find(const struct proxy_headers *h, struct str name)
{
	struct str line, value;
	size_t at = 0;

	while (proxy_headers_next(h, &at, &line)) {
		if (str_eq_fold(split(line, &value), name))
			return value;
	}
	return (struct str){0};
}

void
proxy_headers_remove(struct proxy_headers *h, struct str name)
{
	struct proxy_headers kept;
	struct str line, value;
	size_t at = 0;

	proxy_headers_init(&kept);
	while (proxy_headers_next(h, &at, &line)) {
		if (!str_eq_fold(split(line, &value), name))
			add_line(&kept, line);
	}
	kept.full = kept.full || h->full;
	proxy_headers_done(h);
	*h = kept;
}

void
proxy_headers_copy(struct proxy_headers *to, const struct proxy_headers *from)
{
	proxy_headers_init(to);
	buf_add(&to->text, buf_str(&from->text));
	to->count = from->count;
	to->full = from->full || to->text.full;
}
