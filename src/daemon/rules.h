#ifndef DAEMON_RULES_H
#define DAEMON_RULES_H

/*
 * The rules files, read again when they change. A file with a fault changes
 * nothing: the last good rules stay, and the fault is shown. When there are no
 * good ones yet (the daemon has just started), everything is asked for.
 */

#include "io/place.h"
#include "policy/policy.h"

struct daemon_rules;

struct daemon_rules *daemon_rules_new(const struct io_place *place) MUST_USE;
void daemon_rules_free(struct daemon_rules *g);

/* The digest (hex) of the workspace's file that the person trusts in the project
 * of this root, or absent. Without one no workspace's file is trusted. */
typedef struct str (*daemon_rules_trust_fn)(void *data, struct str root);
void daemon_rules_set_trust(
	struct daemon_rules *g, daemon_rules_trust_fn trust, void *data);

/* What holds for a project now. */
struct daemon_rules_now {
	struct policy *policy; /* borrowed until the next call */
	/* Set: a file was faulty from the start; whatever would be allowed has to
	 * be asked for, with this reason. */
	struct str fault;
};

/* root absent: no project. Looks at the files' times, reads what changed. */
struct daemon_rules_now daemon_rules_get(
	struct daemon_rules *g, struct str root);

/* The project's file on the user's side, in a; it need not be there. False when
 * the root cannot be one. */
MUST_USE bool daemon_rules_project_path(
	struct daemon_rules *g, struct arena *a, struct str root, const char **ret);

/* `set authority` of the user's or the administrator's file: "tty",
 * "passphrase" or "none". Anything unreadable is "tty". */
struct str daemon_rules_authority(struct daemon_rules *g);

/* One file, for /v1/status. */
struct daemon_rules_file {
	struct str path;
	enum policy_layer layer;
	bool absent;
	struct str fault; /* "assent.conf:3:7: ...", absent when it is good */
};
/* All that are known: the user's, the administrator's, those of projects that
 * were seen. False behind the last. Texts are borrowed until the next get. */
MUST_USE bool daemon_rules_file(
	const struct daemon_rules *g, size_t i, struct daemon_rules_file *ret);

#endif
