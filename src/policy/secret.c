#include "policy/policy_priv.h"

/*
 * Does a text show a secret by its shape? For queries that leave the machine;
 * what is shown to a model is redacted elsewhere.
 */

/* Begin of a token, and how many characters of the kind must follow. */
static const struct {
	const char *begin;
	size_t more;
} tokens[] = {
	{"sk-",         16},
	{"sk_live_",    8 },
	{"sk_test_",    8 },
	{"rk_live_",    8 },
	{"ghp_",        16},
	{"gho_",        16},
	{"ghu_",        16},
	{"ghs_",        16},
	{"ghr_",        16},
	{"github_pat_", 16},
	{"glpat-",      16},
	{"xoxb-",       8 },
	{"xoxp-",       8 },
	{"xoxa-",       8 },
	{"xapp-",       8 },
	{"AKIA",        12},
	{"ASIA",        12},
	{"AIza",        20},
	{"ya29.",       16},
	{"npm_",        20},
	{"pypi-",       20},
	{"dop_v1_",     16},
	{"hf_",         20},
	{"SG.",         20},
	{"eyJ",         20},
	{"AGE-SECRET-", 8 },
	{"-----BEGIN ", 8 },
	{"shpat_",      16},
	{"hvs.",        16},
	{"sntrys_",     16},
};

/* Names of values that are secrets: name=value. */
static const char *const value_names[] = {
	"password",
	"passwd",
	"pwd",
	"secret",
	"token",
	"api_key",
	"apikey",
	"api-key",
	"access_key",
	"access-key",
	"auth",
	"authorization",
	"client_secret",
	"private_key",
	"signature",
	"sig",
	"session",
	"sessionid",
	"credential",
	"x-amz-signature",
	"jwt",
	"bearer",
};

static bool
is_token_char(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
		|| (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.'
		|| c == ' ';
}

static bool
token_at(struct str text, size_t at)
{
	struct str rest = str_sub(text, at, text.len);

	for (size_t i = 0; i < ARRAY_LEN(tokens); i++) {
		struct str begin = str_from(tokens[i].begin);
		size_t n = 0;

		if (!str_starts(rest, begin))
			continue;
		while (
			begin.len + n < rest.len && is_token_char(rest.ptr[begin.len + n]))
			n++;
		if (n >= tokens[i].more)
			return true;
	}
	return false;
}

static bool
is_word_char(char c)
{
	return is_token_char(c) && c != ' ' && c != '.';
}

/* The name before an '=' at text[at]: is it a secret's, with a value? */
static bool
value_at(struct str text, size_t at)
{
	size_t start = at;

	if (at + 1 >= text.len || text.ptr[at + 1] == '&'
		|| text.ptr[at + 1] == ' ')
		return false;
	while (start > 0 && is_word_char(text.ptr[start - 1]))
		start--;
	for (size_t i = 0; i < ARRAY_LEN(value_names); i++) {
		struct str name = str_from(value_names[i]);
		struct str word = str_sub(text, start, at);

		if (word.len >= name.len
			&& str_eq_fold(str_sub(word, word.len - name.len, word.len), name)
			&& (word.len == name.len || word.ptr[word.len - name.len - 1] == '_'
				|| word.ptr[word.len - name.len - 1] == '-'))
			return true;
	}
	return false;
}

bool
policy_text_has_secret(struct str text)
{
	for (size_t i = 0; i < text.len; i++) {
		bool starts = i == 0 || !is_word_char(text.ptr[i - 1]);

		if (starts && token_at(text, i))
			return true;
		if (text.ptr[i] == '=' && value_at(text, i))
			return true;
	}
	return false;
}
