/*
 * URLs and hosts, read as a browser reads them: what a text really names.
 */

#include <arpa/inet.h>
#include <string.h>

#include "facts/facts_priv.h"

static bool
is_scheme(struct str s)
{
	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

		if (!letter
			&& (i == 0
				|| !((c >= '0' && c <= '9') || c == '+' || c == '-'
					|| c == '.')))
			return false;
	}
	return s.len > 0;
}

static struct str
lower(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.len + 1);

	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];

		p[i] = c;
		if (c >= 'A' && c <= 'Z')
			p[i] = (char)(c - 'A' + 'a');
	}
	return (struct str){p, s.len};
}

static unsigned
digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A') + 10;
	return 16;
}

/* The base that a number's first characters say; *ret_start is behind them. */
static unsigned
base_of(struct str s, size_t *ret_start)
{
	bool zero = s.len > 1 && s.ptr[0] == '0';

	*ret_start = 0;
	if (zero && s.len > 2 && (s.ptr[1] == 'x' || s.ptr[1] == 'X')) {
		*ret_start = 2;
		return 16;
	}
	if (zero)
		*ret_start = 1;
	return zero ? 8 : 10;
}

/* One number of an IPv4 address in decimal, octal or hex. */
static bool
read_number(struct str s, uint64_t *ret, bool *ret_odd)
{
	uint64_t n = 0;
	size_t start;
	unsigned base = base_of(s, &start);

	*ret_odd = *ret_odd || base != 10;
	if (s.len == 0 || s.len > 16)
		return false;
	for (size_t i = start; i < s.len; i++) {
		unsigned d = digit(s.ptr[i]);

		if (d >= base)
			return false;
		n = n * base + d;
	}
	*ret = n;
	return true;
}

/* An IPv4 address in any of the forms that programs accept. */
static bool
read_ipv4(struct str host, uint32_t *ret, bool *ret_odd)
{
	uint64_t parts[4] = {0}, ip = 0;
	struct str rest = host;
	size_t n = 0;

	while (rest.ptr && n < 4) {
		struct str part = str_cut(rest, '.', &rest);

		if (!read_number(part, &parts[n++], ret_odd))
			return false;
	}
	if (rest.ptr || n == 0)
		return false;
	*ret_odd = *ret_odd || n != 4;
	for (size_t i = 0; i + 1 < n; i++) {
		if (parts[i] > 255)
			return false;
		ip |= parts[i] << (24 - 8 * i);
	}
	if (parts[n - 1] >= (uint64_t)1 << (8 * (5 - n)))
		return false;
	*ret = (uint32_t)(ip | parts[n - 1]);
	return true;
}

static void
judge_ipv4(struct facts_url *u, uint32_t ip)
{
	static const struct {
		uint32_t net, mask;
		int what; /* 0 private, 1 loopback, 2 metadata */
	} nets[] = {
		{0x7f000000, 0xff000000, 1},
		{0x00000000, 0xffffffff, 1},
		{0xa9fea9fe, 0xffffffff, 2},
		{0xa9fe0000, 0xffff0000, 0},
		{0x0a000000, 0xff000000, 0},
		{0xac100000, 0xfff00000, 0},
		{0xc0a80000, 0xffff0000, 0},
		{0x64400000, 0xffc00000, 0},
	};

	for (size_t i = 0; i < ARRAY_LEN(nets); i++) {
		if ((ip & nets[i].mask) != nets[i].net)
			continue;
		u->loopback = u->loopback || nets[i].what == 1;
		u->metadata = u->metadata || nets[i].what == 2;
		u->private_net = u->private_net || nets[i].what == 0;
		return;
	}
}

/* An IPv6 address, with its zone: which network it is in, and the IPv4 address
 * that it may stand for. The host is written the one way that RFC 5952 says. */
static void
judge_ipv6(struct arena *a, struct facts_url *u, bool *ret_ok)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
	static const uint8_t translated[12] = {0, 0x64, 0xff, 0x9b};
	static const uint8_t compatible[12] = {0};
	struct str zone, address = str_cut(u->host, '%', &zone);
	char text[INET6_ADDRSTRLEN];
	struct in6_addr ip;

	*ret_ok = address.len < sizeof(text)
		&& inet_pton(AF_INET6, arena_cstr(a, address), &ip) == 1;
	if (!*ret_ok)
		return;
	CHECK(inet_ntop(AF_INET6, &ip, text, sizeof(text)));
	u->host = arena_dup(a, str_from(text));
	u->odd = u->odd || zone.ptr;
	if ((ip.s6_addr[0] & 0xfe) == 0xfc
		|| (ip.s6_addr[0] == 0xfe && (ip.s6_addr[1] & 0xc0) == 0x80))
		u->private_net = true;
	if (memcmp(ip.s6_addr, mapped, 12) != 0
		&& memcmp(ip.s6_addr, translated, 12) != 0
		&& (memcmp(ip.s6_addr, compatible, 12) != 0 || ip.s6_addr[12] == 0))
		return;
	u->odd = true;
	u->host = arena_fmt(a, "%u.%u.%u.%u", ip.s6_addr[12], ip.s6_addr[13],
		ip.s6_addr[14], ip.s6_addr[15]);
}

static void
judge_host(struct arena *a, struct facts_url *u)
{
	static const char local[] = "localhost ip6-localhost ::1 ::";
	static const char metadata[] =
		"metadata metadata.google.internal 100.100.100.200 fd00:ec2::254 "
		"metadata.azure.internal";
	uint32_t ip;
	bool odd = false, is_ipv6 = false;

	u->host = lower(a, u->host);
	if (str_has_char(u->host, ':'))
		judge_ipv6(a, u, &is_ipv6);
	while (u->host.len > 1 && str_ends(u->host, STR(".")))
		u->host.len--;
	if (facts_names_have(local, u->host)
		|| str_ends(u->host, STR(".localhost")))
		u->loopback = true;
	if (facts_names_have(metadata, u->host))
		u->metadata = true;
	if (str_has_char(u->host, ':') && !is_ipv6)
		u->odd = true;
	if (read_ipv4(u->host, &ip, &odd)) {
		judge_ipv4(u, ip);
		u->odd = u->odd || odd;
		u->host = arena_fmt(a, "%u.%u.%u.%u", ip >> 24, ip >> 16 & 255,
			ip >> 8 & 255, ip & 255);
	}
	if (str_has_char(u->host, '%') || str_has_char(u->host, '\\'))
		u->odd = true;
	for (size_t i = 0; i < u->host.len; i++) {
		unsigned char c = (unsigned char)u->host.ptr[i];

		/* no host has them; readers differ in what they make of it */
		if (c >= 0x80 || c <= ' ' || str_has_char(STR("<>^|`{}\"'"), (char)c))
			u->odd = true;
	}
	if (str_has(u->host, STR("xn--")))
		u->odd = true;
}

/* As a browser cleans it: nothing below a blank at the ends, no tabs and line
 * ends anywhere. */
static struct str
cleaned(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.len + 1);
	size_t start = 0, end = s.len, n = 0;

	while (start < end && (unsigned char)s.ptr[start] <= ' ')
		start++;
	while (end > start && (unsigned char)s.ptr[end - 1] <= ' ')
		end--;
	for (size_t i = start; i < end; i++) {
		if (s.ptr[i] != '\t' && s.ptr[i] != '\n' && s.ptr[i] != '\r')
			p[n++] = s.ptr[i];
	}
	p[n] = '\0';
	return (struct str){p, n};
}

/* What stands behind the scheme. Those that browsers know need no slashes, and
 * take any number of them, leaning either way. */
static struct str
cut_scheme(struct arena *a, struct str text, struct str *ret_scheme)
{
	static const char special[] = "http https ws wss ftp";
	size_t colon = str_find(text, STR(":"), 0), i = colon + 1;
	struct str scheme;

	if (colon >= text.len || !is_scheme(str_sub(text, 0, colon)))
		return text;
	scheme = lower(a, str_sub(text, 0, colon));
	if (facts_names_have(special, scheme)) {
		while (i < text.len && (text.ptr[i] == '/' || text.ptr[i] == '\\'))
			i++;
	} else if (str_starts(str_sub(text, i, text.len), STR("//"))) {
		i += 2;
	} else if (str_eq(scheme, STR("file"))) {
		*ret_scheme = scheme;
		return arena_fmt(a, "/%.*s", STR_ARG(str_sub(text, i, text.len)));
	} else {
		return text;
	}
	*ret_scheme = scheme;
	return str_sub(text, i, text.len);
}

/* A path without its %XX. */
static struct str
unescaped(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.len + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++) {
		unsigned high = i + 2 < s.len ? digit(s.ptr[i + 1]) : 16;
		unsigned low = i + 2 < s.len ? digit(s.ptr[i + 2]) : 16;

		if (s.ptr[i] == '%' && high < 16 && low < 16) {
			p[n++] = (char)(high * 16 + low);
			i += 2;
		} else {
			p[n++] = s.ptr[i];
		}
	}
	p[n] = '\0';
	return (struct str){p, n};
}

bool
facts_url_parse(struct arena *a, struct str text, struct facts_url *ret)
{
	struct facts_url u = {.odd = false};
	struct str rest = cut_scheme(a, cleaned(a, text), &u.scheme), host;
	size_t end;

	for (end = 0; end < rest.len; end++) {
		if (rest.ptr[end] == '/' || rest.ptr[end] == '?' || rest.ptr[end] == '#'
			|| rest.ptr[end] == '\\')
			break;
	}
	host = str_sub(rest, 0, end);
	u.path = str_cut(str_sub(rest, end, rest.len), '?', &u.query);
	for (size_t at; (at = str_find(host, STR("@"), 0)) < host.len;) {
		u.userinfo = STR("yes");
		host = str_sub(host, at + 1, host.len);
	}
	if (str_starts(host, STR("[")))
		u.host = str_cut(str_sub(host, 1, host.len), ']', &u.port);
	else if (str_find(host, STR(":"), str_find(host, STR(":"), 0) + 1)
		< host.len)
		u.host = host; /* an IPv6 address without its brackets */
	else
		u.host = str_cut(host, ':', &u.port);
	judge_host(a, &u);
	if (str_eq(u.scheme, STR("file")))
		u.path = unescaped(a, u.path);
	*ret = u;
	return u.host.len > 0 || str_eq(u.scheme, STR("file"));
}

void
facts_connect(struct facts *f, size_t command, struct str by, struct str host,
	struct str text)
{
	struct facts_url u;
	struct str name = host.len > 0 ? host : STR("?");
	unsigned flags = 0;

	if (facts_url_parse(f->a, name, &u)) {
		name = u.host;
		flags = u.loopback ? CALL_EFFECT_LOOPBACK : 0;
	}
	if (command != CALL_NO_COMMAND && (u.odd || str_has_char(host, '\\')))
		facts_scan_hidden(f, text, false);
	facts_add_host(f, name);
	facts_add_effect(f,
		(struct call_effect){.kind = CALL_EFFECT_CONNECT,
			.scope = CALL_SCOPE_NETWORK,
			.flags = flags,
			.resource = text.len > 0 ? text : name,
			.by = by,
			.command = command});
}
