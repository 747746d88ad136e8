#ifndef WIRE_SHA256_H
#define WIRE_SHA256_H

/*
 * SHA-256, by OpenSSL. Only the daemon and its tests link it.
 */

#include "base/str.h"

enum { WIRE_SHA256_BYTES = 32, WIRE_SHA256_HEX = 64 };

/* A digest over several texts; each is preceded by its length, so that no two
 * different lists of texts give the same digest. */
struct wire_sha256 {
	void *state;
};

void wire_sha256_init(struct wire_sha256 *d);
void wire_sha256_add(struct wire_sha256 *d, struct str s);
/* Lower-case hex with a NUL; d is done with. */
void wire_sha256_hex(struct wire_sha256 *d, char ret[WIRE_SHA256_HEX + 1]);

/* The plain SHA-256 of one text (no length in front), as sha256sum prints it. */
void wire_sha256_text(struct str s, char ret[WIRE_SHA256_HEX + 1]);

#endif
