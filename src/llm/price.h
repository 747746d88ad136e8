#ifndef LLM_PRICE_H
#define LLM_PRICE_H

/*
 * What tokens cost. The table is a setting: model, and the prices of a million
 * input, cached and output tokens, and so on: "claude-haiku-4-5 1 0.1 5".
 */

#include "llm/llm.h"

/* In thousand-millionths of the table's currency; -1: the model is not in it. A
 * row also stands for dated names of its model (NAME-...). */
int64_t llm_price_of(
	struct str prices, struct str model, const struct llm_usage *u);

#endif
