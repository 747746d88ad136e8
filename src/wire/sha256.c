#include "wire/sha256.h"

#include <openssl/evp.h>
#include <stdatomic.h>

/* The last one that was done with: making one costs as much as hashing 1 kB. */
static _Atomic(EVP_MD_CTX *) spare;

static EVP_MD_CTX *
start(void)
{
	static EVP_MD
		*sha; /* fetched once: looking it up costs more than hashing */
	EVP_MD_CTX *ctx = atomic_exchange(&spare, NULL);

	if (!ctx)
		ctx = EVP_MD_CTX_new();
	if (!sha)
		sha = EVP_MD_fetch(NULL, "SHA256", NULL);
	CHECK(ctx && sha && EVP_DigestInit_ex2(ctx, sha, NULL) == 1);
	return ctx;
}

static void
finish(EVP_MD_CTX *ctx, char ret[WIRE_SHA256_HEX + 1])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char bytes[EVP_MAX_MD_SIZE];
	unsigned n = 0;

	CHECK(EVP_DigestFinal_ex(ctx, bytes, &n) == 1 && n == WIRE_SHA256_BYTES);
	EVP_MD_CTX_free(atomic_exchange(&spare, ctx));
	for (size_t i = 0; i < n; i++) {
		ret[2 * i] = digits[bytes[i] >> 4];
		ret[2 * i + 1] = digits[bytes[i] & 15];
	}
	ret[WIRE_SHA256_HEX] = '\0';
}

void
wire_sha256_init(struct wire_sha256 *d)
{
	d->state = start();
}

void
wire_sha256_add(struct wire_sha256 *d, struct str s)
{
	unsigned char size[8];

	for (size_t i = 0; i < sizeof(size); i++)
		size[i] = (unsigned char)((uint64_t)s.len >> (8 * i));
	CHECK(EVP_DigestUpdate(d->state, size, sizeof(size)) == 1);
	CHECK(s.len == 0 || EVP_DigestUpdate(d->state, s.ptr, s.len) == 1);
}

void
wire_sha256_hex(struct wire_sha256 *d, char ret[WIRE_SHA256_HEX + 1])
{
	finish(d->state, ret);
	d->state = NULL;
}

void
wire_sha256_text(struct str s, char ret[WIRE_SHA256_HEX + 1])
{
	EVP_MD_CTX *ctx = start();

	CHECK(s.len == 0 || EVP_DigestUpdate(ctx, s.ptr, s.len) == 1);
	finish(ctx, ret);
}
