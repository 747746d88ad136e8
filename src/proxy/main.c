/*
 * assent-proxy: stands between an agent and its server. `assent proxy` runs it;
 * it is a program of its own so that the client links no HTTP library.
 */

#include <arpa/inet.h>
#include <getopt.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "base/version.h"
#include "proxy/cursor.h"

enum { EXIT_MISUSED = 2, CLIENT_WORDS = 12 };

struct flags {
	const char *listen, *upstream, *client, *port_file;
	const char *config, *state, *socket, *home;
	bool strict;
};

struct program {
	uv_loop_t loop;
	uv_signal_t signals[2];
	struct proxy_cursor *cursor;
	bool stopping;
};

/* --- flags ------------------------------------------------------------------- */

static int
misused(const char *what)
{
	(void)fprintf(stderr, "assent-proxy: %s\n", what);
	return EXIT_MISUSED;
}

static bool
read_flags(int argc, char **argv, struct flags *f)
{
	static const struct option rows[] = {
		{"listen",    required_argument, NULL, 'l'},
		{"upstream",  required_argument, NULL, 'u'},
		{"client",    required_argument, NULL, 'c'},
		{"port-file", required_argument, NULL, 'p'},
		{"config",    required_argument, NULL, 'C'},
		{"state",     required_argument, NULL, 'S'},
		{"socket",    required_argument, NULL, 'K'},
		{"home",      required_argument, NULL, 'H'},
		{"strict",    no_argument,       NULL, 's'},
		{NULL,        0,                 NULL, 0  },
	};
	int c;

	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
	while ((c = getopt_long(argc, argv, "", rows, NULL)) >= 0) {
		switch (c) {
		case 'l':
			f->listen = optarg;
			break;
		case 'u':
			f->upstream = optarg;
			break;
		case 'c':
			f->client = optarg;
			break;
		case 'p':
			f->port_file = optarg;
			break;
		case 'C':
			f->config = optarg;
			break;
		case 'S':
			f->state = optarg;
			break;
		case 'K':
			f->socket = optarg;
			break;
		case 'H':
			f->home = optarg;
			break;
		case 's':
			f->strict = true;
			break;
		default:
			return false;
		}
	}
	return optind == argc;
}

union address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

/* "127.0.0.1:3000", "localhost:3000" or "[::1]:3000": nobody else can hear. */
static bool
read_address(struct str text, union address *ret)
{
	static const struct str v4[] = {
		{"127.0.0.1:", 10},
        {"localhost:", 10}
    };
	static const struct str v6 = {"[::1]:", 6};
	int64_t port;

	*ret = (union address){0};
	for (size_t i = 0; i < ARRAY_LEN(v4); i++) {
		if (!str_starts(text, v4[i]))
			continue;
		ret->in.sin_family = AF_INET;
		ret->in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		if (!str_number(str_sub(text, v4[i].len, text.len), &port)
			|| port > UINT16_MAX)
			return false;
		ret->in.sin_port = htons((uint16_t)port);
		return true;
	}
	if (!str_starts(text, v6)
		|| !str_number(str_sub(text, v6.len, text.len), &port)
		|| port > UINT16_MAX)
		return false;
	ret->in6.sin6_family = AF_INET6;
	ret->in6.sin6_addr = in6addr_loopback;
	ret->in6.sin6_port = htons((uint16_t)port);
	return true;
}

/* "http://127.0.0.1:3000", perhaps with one '/' at its end, which is cut. */
static bool
is_upstream(char *text)
{
	static const struct str scheme = {"http://", 7};
	struct str s = str_from(text);
	union address ignored;

	if (str_ends(s, STR("/"))) {
		s.len--;
		text[s.len] = '\0';
	}
	return str_starts(s, scheme)
		&& read_address(str_sub(s, scheme.len, s.len), &ignored);
}

/* What a held call is put before the daemon with. */
static void
make_client(const struct flags *f, const char *words[CLIENT_WORDS])
{
	const struct {
		const char *name, *value;
	} rows[] = {
		{"--config", f->config},
		{"--state",  f->state },
		{"--socket", f->socket},
		{"--home",   f->home  },
	};
	size_t n = 0;

	words[n++] = f->client;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (!rows[i].value)
			continue;
		words[n++] = rows[i].name;
		words[n++] = rows[i].value;
	}
	words[n] = NULL;
}

/* --- running -------------------------------------------------------------------- */

static void
on_signal(uv_signal_t *handle, int number)
{
	struct program *p = handle->data;

	(void)number;
	if (p->stopping)
		return;
	p->stopping = true;
	uv_stop(&p->loop);
}

static void
watch_signals(struct program *p)
{
	static const int numbers[] = {SIGTERM, SIGINT};

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		CHECK(uv_signal_init(&p->loop, &p->signals[i]) == 0);
		p->signals[i].data = p;
		CHECK(uv_signal_start(&p->signals[i], on_signal, numbers[i]) == 0);
	}
	// NOLINTNEXTLINE(cert-err33-c): it cannot fail
	(void)signal(SIGPIPE, SIG_IGN);
}

static bool
write_port(const char *path, int port)
{
	FILE *f = fopen(path, "we");

	if (!f)
		return false;
	bool ok = fprintf(f, "%d\n", port) > 0;

	return fclose(f) == 0 && ok;
}

static void
close_all(struct program *p)
{
	for (size_t i = 0; i < ARRAY_LEN(p->signals); i++)
		uv_close((uv_handle_t *)&p->signals[i], NULL);
	(void)uv_run(&p->loop, UV_RUN_DEFAULT);
	(void)uv_loop_close(&p->loop);
}

static int
serve(const struct flags *f, const struct proxy_cursor_settings *s)
{
	struct program p = {0};
	int code = EXIT_SUCCESS;

	CHECK(uv_loop_init(&p.loop) == 0);
	watch_signals(&p);
	if (proxy_cursor_new(&p.loop, s, &p.cursor) != 0) {
		(void)fprintf(stderr, "assent-proxy: %s\n", fail_text());
		code = EXIT_FAILURE;
	} else {
		int port = proxy_cursor_port(p.cursor);

		if (f->port_file && !write_port(f->port_file, port)) {
			(void)fprintf(
				stderr, "assent-proxy: %s cannot be written\n", f->port_file);
			code = EXIT_FAILURE;
		} else {
			(void)printf(
				"assent: on port %d, in front of %s\n", port, s->upstream);
			(void)fflush(stdout);
			(void)uv_run(&p.loop, UV_RUN_DEFAULT);
		}
		proxy_cursor_free(p.cursor);
	}
	close_all(&p);
	return code;
}

static int
run_cursor(int argc, char **argv)
{
	const char *client[CLIENT_WORDS];
	struct flags f = {0};
	union address address;
	char upstream[256];

	if (!read_flags(argc, argv, &f))
		return misused("unknown option (assent proxy cursor --help)");
	if (!f.listen || !read_address(str_from(f.listen), &address))
		return misused("--listen takes a loopback address: 127.0.0.1:PORT");
	if (!f.upstream || strlen(f.upstream) >= sizeof(upstream))
		return misused("--upstream takes http://127.0.0.1:PORT");
	memcpy(upstream, f.upstream, strlen(f.upstream) + 1);
	if (!is_upstream(upstream))
		return misused("--upstream takes http://127.0.0.1:PORT");
	if (!f.client)
		return misused("--client is missing; assent proxy cursor sets it");
	make_client(&f, client);
	return serve(&f,
		&(struct proxy_cursor_settings){
			.listen = &address.any,
			.upstream = upstream,
			.strict = f.strict,
			.client = client,
		});
}

int
main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--version") == 0) {
		(void)printf("assent-proxy %s\n", BASE_VERSION);
		return EXIT_SUCCESS;
	}
	if (argc < 2 || strcmp(argv[1], "cursor") != 0)
		return misused("say what to stand in front of: cursor");
	return run_cursor(argc - 1, argv + 1);
}
