#include "llm/price.h"

enum { PRICES = 3 };

struct row {
	struct str model;
	int64_t of[PRICES]; /* input, cached, output; millionths a million */
};

/* False behind the last, and at one that is not complete. */
static bool
next_row(struct str *rest, struct row *ret)
{
	*rest = str_trim(*rest);
	if (rest->len == 0)
		return false;
	ret->model = str_cut(*rest, ' ', rest);
	for (size_t i = 0; i < PRICES; i++) {
		*rest = str_trim(*rest);
		if (!str_amount(str_cut(*rest, ' ', rest), &ret->of[i]))
			return false;
	}
	return true;
}

/* How well a row's name fits: its length, more when it is all of it. */
static size_t
fit(struct str row, struct str model)
{
	if (str_eq(row, model))
		return row.len + 1;
	if (row.len > 0 && str_starts(model, row)
		&& (model.ptr[row.len] == '-' || model.ptr[row.len] == '@'
			|| model.ptr[row.len] == ':'))
		return row.len;
	return 0;
}

/* n tokens, at a price in millionths a million. */
static int64_t
cost(int64_t n, int64_t price)
{
	if (n <= 0)
		return 0;
	if (n > INT32_MAX)
		n = INT32_MAX;
	return n * (price / 1000) + n * (price % 1000) / 1000;
}

int64_t
llm_price_of(struct str prices, struct str model, const struct llm_usage *u)
{
	struct row row, best = {0};
	size_t best_fit = 0;

	while (next_row(&prices, &row)) {
		size_t f = fit(row.model, model);

		if (f > best_fit) {
			best = row;
			best_fit = f;
		}
	}
	if (best_fit == 0)
		return -1;
	return cost(u->input_tokens - u->cached_tokens, best.of[0])
		+ cost(u->cached_tokens, best.of[1])
		+ cost(u->output_tokens, best.of[2]);
}
