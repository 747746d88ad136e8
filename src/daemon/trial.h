#ifndef DAEMON_TRIAL_H
#define DAEMON_TRIAL_H

/*
 * Poison. Before anything is parsed, a digest of it goes into a small mapped
 * file, and out of it afterwards. A digest that is found there at a start was
 * being parsed when the daemon died; found a second time it is quarantined:
 * never parsed again, until a person lifts it.
 */

#include "base/buf.h"
#include "base/fail.h"
#include "store/store.h"

enum { DAEMON_TRIAL_SLOTS = 8 };

struct daemon_trial;

/*
 * Maps folder/trial. What stands there is counted in batch (NULL: nothing is
 * recorded) and taken out; what r knows as quarantined is remembered. Without
 * the file (a folder that is not ours to write) only those are known.
 */
struct daemon_trial *daemon_trial_new(struct str folder, struct store_reader *r,
	struct store_batch *batch, int64_t now_ms) MUST_USE;
void daemon_trial_free(struct daemon_trial *t);

/* What is tried: the tool and its input, found without parsing; all of bytes
 * where they are not found. Hex with a NUL. */
void daemon_trial_digest(struct str bytes, char ret[STORE_DIGEST_HEX + 1]);
bool daemon_trial_is_poison(struct daemon_trial *t, const char *digest);

/* Puts digest into a slot (-1: all are taken, which is rare and harmless). Takes
 * it out again. From any thread. */
int daemon_trial_begin(struct daemon_trial *t, const char *digest);
void daemon_trial_end(struct daemon_trial *t, int slot);

size_t daemon_trial_count(const struct daemon_trial *t); /* quarantined */
const char *daemon_trial_get(const struct daemon_trial *t, size_t i);
/* False when it is not quarantined. */
MUST_USE bool daemon_trial_lift(struct daemon_trial *t, struct str digest);

#endif
