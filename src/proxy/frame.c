#include "proxy/frame.h"

enum { KEPT_BYTES = 8 << 10 };

void
proxy_frames_init(struct proxy_frames *f)
{
	*f = (struct proxy_frames){0};
	buf_init(&f->pending, PROXY_FRAME_HEAD + PROXY_FRAME_BYTES_MAX);
}

void
proxy_frames_done(struct proxy_frames *f)
{
	buf_done(&f->pending);
	f->fresh = (struct str){0};
}

static size_t
length_of(const char *head)
{
	const unsigned char *b = (const unsigned char *)head;

	return (size_t)b[1] << 24 | (size_t)b[2] << 16 | (size_t)b[3] << 8 | b[4];
}

/* Bytes that a whole frame at the beginning of s has; 0: not yet known. */
static size_t
whole_of(struct str s)
{
	return s.len < PROXY_FRAME_HEAD ? 0 : PROXY_FRAME_HEAD + length_of(s.ptr);
}

void
proxy_frames_add(struct proxy_frames *f, struct str bytes)
{
	if (f->broken)
		return;
	CHECK(f->fresh.len == 0);
	f->fresh = bytes;
}

static bool
is_too_long(struct proxy_frames *f, size_t whole)
{
	if (whole > PROXY_FRAME_HEAD + (size_t)PROXY_FRAME_BYTES_MAX)
		f->broken = true;
	return f->broken;
}

static void
take(struct str whole, struct proxy_frame *ret)
{
	*ret = (struct proxy_frame){
		.flags = (unsigned char)whole.ptr[0],
		.payload = str_sub(whole, PROXY_FRAME_HEAD, whole.len),
		.whole = whole,
	};
}

/* Moves n bytes, or all there are, from fresh to pending. */
static void
gather(struct proxy_frames *f, size_t n)
{
	buf_add(&f->pending, str_sub(f->fresh, 0, n));
	f->fresh = str_sub(f->fresh, n, f->fresh.len);
	f->broken = f->broken || f->pending.full;
}

/* A frame that began earlier: its head first, then what the head says. */
static bool
finish_pending(struct proxy_frames *f, struct proxy_frame *ret)
{
	if (f->pending.len < PROXY_FRAME_HEAD)
		gather(f, PROXY_FRAME_HEAD - f->pending.len);
	size_t whole = whole_of(buf_str(&f->pending));

	if (f->broken || whole == 0 || is_too_long(f, whole))
		return false;
	gather(f, whole - f->pending.len);
	if (f->broken || f->pending.len < whole)
		return false;
	take(buf_str(&f->pending), ret);
	f->at = whole; /* forgotten when the next one is asked for */
	return true;
}

/* A stream of small frames does not keep what one large frame took. */
static void
forget_pending(struct proxy_frames *f)
{
	size_t max = f->pending.max;

	if (f->pending.cap > KEPT_BYTES) {
		buf_done(&f->pending);
		buf_init(&f->pending, max);
	}
	buf_clear(&f->pending);
}

bool
proxy_frames_next(struct proxy_frames *f, struct proxy_frame *ret)
{
	if (f->at > 0) {
		forget_pending(f);
		f->at = 0;
	}
	if (f->broken)
		return false;
	if (f->pending.len > 0)
		return finish_pending(f, ret);
	size_t whole = whole_of(f->fresh);

	if (whole > 0 && is_too_long(f, whole))
		return false;
	if (whole == 0 || f->fresh.len < whole) {
		gather(f, f->fresh.len);
		return false;
	}
	take(str_sub(f->fresh, 0, whole), ret);
	f->fresh = str_sub(f->fresh, whole, f->fresh.len);
	return true;
}

size_t
proxy_frames_left(const struct proxy_frames *f)
{
	return f->at > 0 ? 0 : f->pending.len;
}

void
proxy_frame_print(struct buf *out, unsigned flags, struct str payload)
{
	size_t n = payload.len;
	const char head[PROXY_FRAME_HEAD] = {(char)flags, (char)(n >> 24 & 255),
		(char)(n >> 16 & 255), (char)(n >> 8 & 255), (char)(n & 255)};

	CHECK(n <= PROXY_FRAME_BYTES_MAX + (size_t)4096);
	buf_add(out, (struct str){head, sizeof(head)});
	buf_add(out, payload);
}
