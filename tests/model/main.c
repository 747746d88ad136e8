/*
 * build/model FOLDER: serves FOLDER/script on 127.0.0.1, at a port that is then
 * in FOLDER/port. Requests are added to FOLDER/log, a line of JSON each;
 * GET /stats counts them. With FOLDER/cert.pem and FOLDER/key.pem: over TLS.
 */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "io/file.h"
#include "tests/model/model.h"
#include "wire/json.h"

enum {
	PIECE_BYTES = 24,
	HANG_S = 600,
	THREAD_BYTES = 512 << 10,
	CONNECTIONS = 4000,
	ARENA_BYTES = 64 << 20,
	PATH_BYTES = 1024,
	STRAYS = 64,
};

static char folder[PATH_BYTES], script[PATH_BYTES + 16];
static FILE *log_file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long requests, flying, flying_most, connections;

/* A request, from its first byte on. */
struct exchange {
	struct buf body;
	struct arena *arena;
	const struct model_shape *shape;
	struct model_plan plan;
	struct buf out;
	size_t ends[MODEL_CHUNKS]; /* of the chunks in out */
	size_t count, at, sent;
	int fd;
	bool counted;
};

/* Waits; not longer than the client does. */
static void
nap(const struct exchange *x, long ms)
{
	struct pollfd p = {.fd = x->fd, .events = POLLRDHUP};

	(void)poll(&p, 1, (int)ms);
}

/* --- counting --------------------------------------------------------------------------- */

static void
count(struct exchange *x, int by)
{
	(void)pthread_mutex_lock(&lock);
	x->counted = by > 0;
	requests += by > 0;
	flying += by;
	if (flying > flying_most)
		flying_most = flying;
	(void)pthread_mutex_unlock(&lock);
}

static const char *
key_of(struct MHD_Connection *c)
{
	const char *bearer =
		MHD_lookup_connection_value(c, MHD_HEADER_KIND, "authorization");
	const char *key =
		MHD_lookup_connection_value(c, MHD_HEADER_KIND, "x-api-key");

	return bearer ? bearer : key ? key : "";
}

static void
note(const struct exchange *x, const char *path, struct MHD_Connection *c)
{
	CLEANUP(buf_done) struct buf line;

	buf_init(&line, 2 * (size_t)MODEL_BODY_BYTES);
	buf_add(&line, STR("{\"path\":"));
	buf_add_json(&line, str_from(path));
	buf_add(&line, STR(",\"key\":"));
	buf_add_json(&line, str_from(key_of(c)));
	buf_addf(&line, ",\"body\":%.*s}\n",
		STR_ARG(x->body.len > 0 ? buf_str(&x->body) : STR("null")));
	(void)pthread_mutex_lock(&lock);
	(void)fwrite(line.ptr, 1, line.len, log_file);
	(void)fflush(log_file);
	(void)pthread_mutex_unlock(&lock);
}

/* --- answers ------------------------------------------------------------------------------ */

static enum MHD_Result
queue(struct MHD_Connection *c, unsigned status, struct MHD_Response *r)
{
	enum MHD_Result ok = MHD_queue_response(c, status, r);

	MHD_destroy_response(r);
	return ok;
}

static enum MHD_Result
answer(struct MHD_Connection *c, unsigned status, struct str body, int retry_s)
{
	char seconds[16];
	void *copy = malloc(body.len + 1);

	memcpy(copy, body.ptr, body.len);
	struct MHD_Response *r =
		MHD_create_response_from_buffer(body.len, copy, MHD_RESPMEM_MUST_FREE);

	(void)MHD_add_response_header(r, "content-type", "application/json");
	(void)snprintf(seconds, sizeof(seconds), "%d", retry_s);
	if (retry_s > 0)
		(void)MHD_add_response_header(r, "retry-after", seconds);
	return queue(c, status, r);
}

static void
end_chunk(struct exchange *x)
{
	if (x->count < MODEL_CHUNKS && x->out.len > 0)
		x->ends[x->count++] = x->out.len;
}

static void
make_stream(struct exchange *x, struct str model)
{
	const struct model_plan *p = &x->plan;
	bool silent = p->refuse || p->tool;
	struct str said = silent ? STR("") : p->text;
	size_t stop = p->cut || p->length ? said.len / 2 : said.len;

	x->shape->begin(&x->out, p, model);
	end_chunk(x);
	for (size_t i = 0; i < stop; i += PIECE_BYTES) {
		size_t to = i + PIECE_BYTES < stop ? i + PIECE_BYTES : stop;

		x->shape->piece(&x->out, str_sub(said, i, to));
		end_chunk(x);
	}
	if (p->cut || p->tail)
		return;
	x->shape->end(&x->out, p, model);
	end_chunk(x);
}

/* The next bytes of a stream; this thread is the connection's own. */
static ssize_t
on_more(void *data, uint64_t at, char *to, size_t room)
{
	struct exchange *x = data;

	(void)at;
	if (x->at == x->count) {
		if (x->plan.tail)
			nap(x, HANG_S * 1000L);
		return x->plan.cut || x->plan.tail ? MHD_CONTENT_READER_END_WITH_ERROR
										   : MHD_CONTENT_READER_END_OF_STREAM;
	}
	size_t left = x->ends[x->at] - x->sent;
	size_t n = left < room ? left : room;

	if (x->plan.drip_ms > 0)
		nap(x, x->plan.drip_ms);
	memcpy(to, x->out.ptr + x->sent, n);
	x->sent += n;
	if (x->sent == x->ends[x->at])
		x->at++;
	return (ssize_t)n;
}

static enum MHD_Result
stream(struct MHD_Connection *c, struct exchange *x, struct str model)
{
	struct MHD_Response *r = MHD_create_response_from_callback(
		MHD_SIZE_UNKNOWN, 16 << 10, on_more, x, NULL);

	make_stream(x, model);
	(void)MHD_add_response_header(r, "content-type", x->shape->type);
	return queue(c, 200, r);
}

static enum MHD_Result
fail(struct MHD_Connection *c, struct exchange *x)
{
	buf_addf(&x->out,
		"{\"type\":\"error\",\"error\":{\"type\":\"scripted\",\"message\":"
		"\"scripted trouble%s%.12s\"}}",
		x->plan.echo ? " with " : "", x->plan.echo ? key_of(c) : "");
	return answer(
		c, (unsigned)x->plan.status, buf_str(&x->out), x->plan.retry_s);
}

static enum MHD_Result
respond(struct MHD_Connection *c, struct exchange *x, const json_t *body)
{
	const struct model_plan *p = &x->plan;
	struct str model = wire_json_str(body, "model");

	if (p->wait_ms > 0)
		nap(x, p->wait_ms);
	if (p->hang)
		nap(x, HANG_S * 1000L);
	if (p->hang || p->close)
		return MHD_NO;
	if (p->status != 200)
		return fail(c, x);
	if (p->garbage)
		return answer(c, 200, STR("<html>not what you want</html>"), 0);
	if (wire_json_bool(body, "stream") && !p->whole)
		return stream(c, x, model);
	x->shape->whole(&x->out, p, model);
	return answer(c, 200, buf_str(&x->out), 0);
}

/* What programs that look for a server ask. */
static const struct {
	const char *path, *body;
} strays[] = {
	{"/health",      "{\"status\":\"ok\"}"                                   },
	{"/api/version", "{\"version\":\"0.0.0\"}"                               },
	{"/api/tags",    "{\"models\":[{\"name\":\"scripted\"}]}"                },
	{"/v1/models",   "{\"object\":\"list\",\"data\":[{\"id\":\"scripted\"}]}"},
};

static enum MHD_Result
stray(struct MHD_Connection *c, const char *path)
{
	char text[160];

	if (strcmp(path, "/stats") == 0) {
		(void)pthread_mutex_lock(&lock);
		(void)snprintf(text, sizeof(text),
			"{\"requests\":%ld,\"flying\":%ld,\"most\":%ld,"
			"\"connections\":%ld}\n",
			requests, flying, flying_most, connections);
		(void)pthread_mutex_unlock(&lock);
		return answer(c, 200, str_from(text), 0);
	}
	for (size_t i = 0; i < ARRAY_LEN(strays); i++) {
		if (strcmp(path, strays[i].path) == 0)
			return answer(c, 200, str_from(strays[i].body), 0);
	}
	return answer(c, 404, STR("{\"error\":{\"message\":\"no such path\"}}"), 0);
}

/* --- requests --------------------------------------------------------------------------------- */

/* Of a request that is here whole. */
static enum MHD_Result
take(struct exchange *x, struct MHD_Connection *c, const char *path)
{
	struct wire_json_error e;
	WIRE_JSON json_t *body = wire_json_parse(buf_str(&x->body), &e);

	count(x, 1);
	note(x, path, c);
	CHECK(ARENA_TRY(x->arena));
	x->plan = model_script(x->arena, script, x->shape->prompt(x->arena, body));
	return respond(c, x, body);
}

static struct exchange *
new_exchange(struct MHD_Connection *c)
{
	struct exchange *x = calloc(1, sizeof(*x));

	CHECK(x);
	buf_init(&x->body, MODEL_BODY_BYTES);
	buf_init(&x->out, MODEL_BODY_BYTES);
	x->arena = arena_new(ARENA_BYTES);
	CHECK(x->arena);
	x->fd = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)
				->connect_fd;
	return x;
}

static enum MHD_Result
// NOLINTNEXTLINE(readability-function-size): the library's signature
on_request(void *cls, struct MHD_Connection *c, const char *path,
	const char *method, const char *version, const char *bytes, size_t *n,
	void **request)
{
	struct exchange *x = *request;

	(void)cls;
	(void)version;
	if (!x) {
		*request = new_exchange(c);
		return MHD_YES;
	}
	if (*n > 0) {
		buf_add(&x->body, (struct str){bytes, *n});
		*n = 0;
		return MHD_YES;
	}
	x->shape = strcmp(method, "POST") == 0 ? model_shape_of(path) : NULL;
	return x->shape ? take(x, c, path) : stray(c, path);
}

static void
on_completed(void *cls, struct MHD_Connection *c, void **request,
	enum MHD_RequestTerminationCode how)
{
	struct exchange *x = *request;

	(void)cls;
	(void)c;
	(void)how;
	if (!x)
		return;
	if (x->counted)
		count(x, -1);
	buf_done(&x->body);
	buf_done(&x->out);
	arena_free(x->arena);
	free(x);
	*request = NULL;
}

static void
on_connection(void *cls, struct MHD_Connection *c, void **data,
	enum MHD_ConnectionNotificationCode how)
{
	(void)cls;
	(void)c;
	(void)data;
	(void)pthread_mutex_lock(&lock);
	connections += how == MHD_CONNECTION_NOTIFY_STARTED;
	(void)pthread_mutex_unlock(&lock);
}

static char *
read_text(const char *name)
{
	char path[PATH_BYTES + 16];
	struct buf text;

	buf_init(&text, 1 << 20);
	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	return io_file_read(path, &text) == 0 ? text.ptr : NULL;
}

static void
write_port(const struct MHD_Daemon *d)
{
	/* the library does not promise to leave it alone */
	union {
		const struct MHD_Daemon *given;
		struct MHD_Daemon *wanted;
	} daemon = {.given = d};
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(daemon.wanted, MHD_DAEMON_INFO_BIND_PORT);
	char path[PATH_BYTES + 16], text[16];

	(void)snprintf(path, sizeof(path), "%s/port", folder);
	(void)snprintf(text, sizeof(text), "%u\n", (unsigned)info->port);
	CHECK(io_file_replace(path, str_from(text), 0600) == 0);
}

int
main(int argc, char **argv)
{
	struct sockaddr_in here = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	char path[PATH_BYTES + 16];

	if (argc != 2) {
		(void)fputs("usage: model FOLDER\n", stderr);
		return 2;
	}
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)snprintf(folder, sizeof(folder), "%s", argv[1]);
	(void)snprintf(script, sizeof(script), "%s/script", folder);
	(void)snprintf(path, sizeof(path), "%s/log", folder);
	log_file = fopen(path, "ae");
	CHECK(log_file);
	char *cert = read_text("cert.pem"), *key = read_text("key.pem");
	unsigned flags = MHD_USE_THREAD_PER_CONNECTION
		| MHD_USE_INTERNAL_POLLING_THREAD | (cert ? MHD_USE_TLS : 0U);
	struct MHD_OptionItem tls[] = {
		{MHD_OPTION_HTTPS_MEM_CERT, 0, cert},
		{MHD_OPTION_HTTPS_MEM_KEY,  0, key },
		{MHD_OPTION_END,            0, NULL},
	};
	struct MHD_OptionItem plain[] = {
		{MHD_OPTION_END, 0, NULL},
	};
	struct MHD_Daemon *d = MHD_start_daemon(flags, 0, NULL, NULL, on_request,
		NULL, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&here,
		MHD_OPTION_NOTIFY_COMPLETED, on_completed, NULL,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, NULL,
		MHD_OPTION_THREAD_STACK_SIZE, (size_t)THREAD_BYTES,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_ARRAY,
		cert ? tls : plain, MHD_OPTION_END);

	CHECK(d);
	write_port(d);
	(void)pause();
	return 0;
}
