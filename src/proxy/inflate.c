#include <zlib.h>

#include "proxy/cursor_priv.h"

enum { GZIP_OR_ZLIB = 32, STEP = 16 << 10 };

static bool
inflate_all(z_stream *z, size_t max, struct buf *out)
{
	unsigned char part[STEP];
	int r = Z_OK;

	while (r == Z_OK) {
		z->next_out = part;
		z->avail_out = sizeof(part);
		r = inflate(z, Z_NO_FLUSH);
		size_t n = sizeof(part) - z->avail_out;

		if (out->len + n > max)
			return false;
		buf_add(out, (struct str){(const char *)part, n});
		if (r == Z_OK && n == 0 && z->avail_in == 0)
			return false; /* cut */
	}
	return r == Z_STREAM_END && z->avail_in == 0 && !out->full;
}

bool
proxy_inflate(struct str bytes, size_t max, struct buf *out)
{
	ProtobufCBinaryData in = proxy_data(bytes);
	z_stream z = {.next_in = in.data, .avail_in = (unsigned)in.len};

	buf_init(out, max + 1);
	if (inflateInit2(&z, MAX_WBITS + GZIP_OR_ZLIB) != Z_OK)
		return false;
	bool fine = inflate_all(&z, max, out);

	(void)inflateEnd(&z);
	return fine;
}
