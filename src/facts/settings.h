#ifndef FACTS_SETTINGS_H
#define FACTS_SETTINGS_H

/*
 * Formatters, linters and kin that believe the workspace's settings: which files
 * those are, and whether one names code that the tool would load. The client
 * asks about each that it finds; here nothing is looked for.
 */

#include "base/str.h"

enum facts_settings {
	FACTS_SETTINGS_NONE, /* not this tool's */
	FACTS_SETTINGS_CODE, /* a program */
	FACTS_SETTINGS_DATA, /* see facts_settings_is_plain */
};

/* What a file of this name is to the tool, as a need names it. */
enum facts_settings facts_settings_of(struct str tool, struct str name);
/* True when the text of such a file names nothing that is loaded or run. */
MUST_USE bool facts_settings_is_plain(
	struct str tool, struct str name, struct str text);

#endif
