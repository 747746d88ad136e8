#ifndef FACTS_LANG_H
#define FACTS_LANG_H

/*
 * Little languages that programs are given on their command lines. Unlike other
 * inline programs these are read whole: what reaches outside is an effect, and
 * where nothing does, nothing is.
 */

#include "facts/facts_priv.h"

void facts_lang_sed(struct facts_run *run, const struct facts_word *script);
void facts_lang_awk(struct facts_run *run, const struct facts_word *program);

#endif
