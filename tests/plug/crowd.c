/*
 * Takes room: COUNT connections that send BYTES of a hearing's body and then
 * nothing, until standard input ends. Prints "there" when all is sent.
 *
 *     crowd SOCKET COUNT BYTES
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { PART_BYTES = 1 << 16 };

static void
put(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t sent = send(fd, bytes, n, MSG_NOSIGNAL);

		if (sent <= 0)
			return; /* turned away, which is as good */
		bytes += sent;
		n -= (size_t)sent;
	}
}

static void
take_room(const char *path, size_t bytes)
{
	static char part[PART_BYTES];
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	char head[256];
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	(void)snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", path);
	if (fd < 0 || connect(fd, (struct sockaddr *)&addr, sizeof(addr)) != 0)
		return;
	memset(part, ' ', sizeof(part));
	int n = snprintf(head, sizeof(head),
		"POST /v1/hearings HTTP/1.1\r\nHost: x\r\nContent-Length: %zu\r\n\r\n",
		bytes + 1);

	put(fd, head, (size_t)n);
	for (size_t left = bytes; left > 0;) {
		size_t some = left < sizeof(part) ? left : sizeof(part);

		put(fd, part, some);
		left -= some;
	}
}

int
main(int argc, char **argv)
{
	char line[16];

	if (argc != 4)
		return 2;
	for (unsigned long i = strtoul(argv[2], NULL, 10); i > 0; i--)
		take_room(argv[1], strtoul(argv[3], NULL, 10));
	(void)puts("there");
	(void)fflush(stdout);
	return fgets(line, sizeof(line), stdin) ? 0 : 1;
}
