#ifndef IO_PLACE_H
#define IO_PLACE_H

/*
 * Where things are (DESIGN 11), for one user.
 */

#include "base/arena.h"
#include "base/fail.h"

struct io_place {
	struct str home; /* from the password file, or --home */
	bool other_home; /* ...which is not the one of the password file */
	struct str user;
	struct str shell; /* the login shell's file, absent if not said */
	int64_t uid;
	struct str config;     /* ~/.config/assent */
	struct str state;      /* ~/.local/state/assent */
	struct str socket;     /* /run/user/UID/assent/sock, else <state>/sock */
	struct str admin;      /* /etc/assent/assent.conf */
	struct str exe_folder; /* where this program is */
};

/* What --config, --state, --socket and --home gave; absent = not given. */
struct io_place_flags {
	struct str config, state, socket, home;
};

/*
 * Fills ret. believe_environment: XDG_CONFIG_HOME, XDG_STATE_HOME,
 * XDG_RUNTIME_DIR and HOME count (people's commands); hooks pass false and
 * believe flags and /etc/passwd only. Reads /etc/passwd itself: the C library's
 * lookup would load libraries into a static program.
 */
MUST_USE int io_place_find(struct arena *a, const struct io_place_flags *flags,
	bool believe_environment, struct io_place *ret);

#endif
