/*
 * What secrets look like, as tables: names of values, keys of providers, options
 * of programs. How text is walked is in redact.c.
 */

#include "judge/judge_priv.h"

/* --- names ----------------------------------------------------------------- */

/* Compared with the end of a name in small letters without - _ and dots. */
static const struct {
	struct str end;
	enum judge_name_class class;
	const char *type;
	bool whole_word; /* in the name it must begin a word */
} names[] = {
/* clang-format off */
#define ROW(end, class, type, whole) {{end, sizeof(end) - 1}, JUDGE_NAME_##class, type, whole}
	ROW("proxyauthorization", AUTH, "authorization", true),
	ROW("authorization", AUTH, "authorization", true),
	ROW("setcookie", COOKIE, "cookie", true),
	ROW("cookie", COOKIE, "cookie", true),
	ROW("cookies", COOKIE, "cookie", true),
	ROW("password", STRONG, "password", false),
	ROW("passwords", STRONG, "password", false),
	ROW("passwd", STRONG, "password", false),
	ROW("passphrase", STRONG, "password", false),
	ROW("passcode", STRONG, "password", false),
	ROW("apikey", STRONG, "key", false),
	ROW("apitoken", STRONG, "token", false),
	ROW("secretkey", STRONG, "key", false),
	ROW("secretaccesskey", STRONG, "key", false),
	ROW("accesskey", STRONG, "key", false),
	ROW("accesskeysecret", STRONG, "key", false),
	ROW("accountkey", STRONG, "key", false),
	ROW("sharedaccesskey", STRONG, "key", false),
	ROW("subscriptionkey", STRONG, "key", false),
	ROW("applicationkey", STRONG, "key", false),
	ROW("privatekey", STRONG, "key", false),
	ROW("encryptionkey", STRONG, "key", false),
	ROW("signingkey", STRONG, "key", false),
	ROW("masterkey", STRONG, "key", false),
	ROW("authkey", STRONG, "key", false),
	ROW("secretkeybase", STRONG, "key", false),
	ROW("clientsecret", STRONG, "secret", false),
	ROW("appsecret", STRONG, "secret", false),
	ROW("consumersecret", STRONG, "secret", false),
	ROW("webhooksecret", STRONG, "secret", false),
	ROW("signingsecret", STRONG, "secret", false),
	ROW("sharedsecret", STRONG, "secret", false),
	ROW("jwtsecret", STRONG, "secret", false),
	ROW("sessionsecret", STRONG, "secret", false),
	ROW("accesstoken", STRONG, "token", false),
	ROW("authtoken", STRONG, "token", false),
	ROW("refreshtoken", STRONG, "token", false),
	ROW("bearertoken", STRONG, "token", false),
	ROW("sessiontoken", STRONG, "token", false),
	ROW("securitytoken", STRONG, "token", false),
	ROW("privatetoken", STRONG, "token", false),
	ROW("bottoken", STRONG, "token", false),
	ROW("deploytoken", STRONG, "token", false),
	ROW("jobtoken", STRONG, "token", false),
	ROW("vaulttoken", STRONG, "token", false),
	ROW("idtoken", STRONG, "token", true),
	ROW("token", USUAL, "token", true),
	ROW("secret", USUAL, "secret", true),
	ROW("secrets", WEAK, "secret", true),
	ROW("pass", USUAL, "password", true),
	ROW("pwd", USUAL, "password", true),
	ROW("auth", WEAK, "authorization", true),
	ROW("authn", WEAK, "authorization", true),
	ROW("bearer", WEAK, "authorization", true),
	ROW("jwt", WEAK, "token", true),
	ROW("credential", WEAK, "secret", true),
	ROW("credentials", WEAK, "secret", true),
	ROW("creds", WEAK, "secret", true),
	ROW("session", WEAK, "token", true),
	ROW("sessionid", WEAK, "token", true),
	ROW("sid", WEAK, "token", true),
	ROW("signature", WEAK, "key", true),
	ROW("sig", WEAK, "key", true),
	ROW("connectionstring", WEAK, "secret", true),
#undef ROW
	/* clang-format on */
};

enum { NAME_BYTES = 64 };

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_small(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool
is_capital(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool
is_letter(char c)
{
	return is_small(c) || is_capital(c);
}

/* A name's letters and digits, small; where a word begins is kept beside. */
struct squeezed {
	char text[NAME_BYTES];
	bool begins[NAME_BYTES];
	size_t len;
};

static void
squeeze(struct str name, struct squeezed *s)
{
	char before = '_';

	name = str_sub(
		name, name.len > NAME_BYTES ? name.len - NAME_BYTES : 0, name.len);
	s->len = 0;
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];

		if (is_letter(c) || is_digit(c)) {
			s->begins[s->len] = !(is_letter(before) || is_digit(before))
				|| (is_capital(c) && !is_capital(before));
			s->text[s->len++] = is_capital(c) ? (char)(c - 'A' + 'a') : c;
		}
		before = c;
	}
}

struct judge_name
judge_name_of(struct str name)
{
	struct judge_name best = {0};
	size_t best_len = 0;
	struct squeezed s;

	if (str_ends(name, STR("PWD")) && name.len <= 6)
		return best; /* PWD and OLDPWD are folders */
	squeeze(name, &s);
	for (size_t i = 0; i < ARRAY_LEN(names) && s.len > 0; i++) {
		struct str end = names[i].end, all = {s.text, s.len};

		/* most words are no name of a secret: by their last letter */
		if (end.ptr[end.len - 1] != s.text[s.len - 1] || end.len <= best_len
			|| !str_ends(all, end)
			|| (names[i].whole_word && !s.begins[s.len - end.len]))
			continue;
		best = (struct judge_name){names[i].class, names[i].type};
		best_len = end.len;
	}
	return best;
}

/* --- keys of providers ----------------------------------------------------- */

enum chars {
	ALNUM,  /* letters and digits */
	WORD,   /* and - _ */
	DOTTED, /* and dots */
	PATHED, /* WORD and / */
	HEX,
	CRYPT, /* what crypt(3) writes */
	UPPER, /* capitals and digits */
};

static bool
is_of(enum chars set, char c)
{
	bool alnum = is_letter(c) || is_digit(c);

	switch (set) {
	case ALNUM:
		return alnum;
	case WORD:
		return alnum || c == '-' || c == '_';
	case DOTTED:
		return alnum || c == '-' || c == '_' || c == '.';
	case PATHED:
		return alnum || c == '-' || c == '_' || c == '/';
	case HEX:
		return is_digit(c) || (c >= 'a' && c <= 'f');
	case CRYPT:
		return alnum || c == '.' || c == '/' || c == '$' || c == '=' || c == ','
			|| c == '+';
	case UPPER:
		return is_capital(c) || is_digit(c);
	}
	return false;
}

/* Each must hold a digit behind its begin, which words do not. */
static const struct {
	const char *begin;
	enum chars chars;
	size_t more;      /* of them, at least */
	bool keeps_begin; /* it is an address, not the key itself */
	const char *type;
} keys[] = {
	{"sk-",						 WORD,   20, false, "key"    },
	{"sk_live_",					ALNUM,  10, false, "key"    },
	{"sk_test_",					ALNUM,  10, false, "key"    },
	{"rk_live_",					ALNUM,  10, false, "key"    },
	{"rk_test_",					ALNUM,  10, false, "key"    },
	{"whsec_",					  ALNUM,  16, false, "key"    },
	{"ghp_",						ALNUM,  16, false, "token"  },
	{"gho_",						ALNUM,  16, false, "token"  },
	{"ghu_",						ALNUM,  16, false, "token"  },
	{"ghs_",						ALNUM,  16, false, "token"  },
	{"ghr_",						ALNUM,  16, false, "token"  },
	{"github_pat_",                 WORD,   20, false, "token"  },
	{"glpat-",					  DOTTED, 16, false, "token"  },
	{"gldt-",					   WORD,   16, false, "token"  },
	{"glrt-",					   WORD,   16, false, "token"  },
	{"glcbt-",					  WORD,   16, false, "token"  },
	{"xoxb-",					   WORD,   10, false, "token"  },
	{"xoxp-",					   WORD,   10, false, "token"  },
	{"xoxa-",					   WORD,   10, false, "token"  },
	{"xoxr-",					   WORD,   10, false, "token"  },
	{"xoxs-",					   WORD,   10, false, "token"  },
	{"xoxe-",					   WORD,   10, false, "token"  },
	{"xoxe.",					   DOTTED, 10, false, "token"  },
	{"xapp-",					   WORD,   10, false, "token"  },
	{"AKIA",						UPPER,  12, false, "key"    },
	{"ASIA",						UPPER,  12, false, "key"    },
	{"AIza",						WORD,   20, false, "key"    },
	{"ya29.",					   WORD,   16, false, "token"  },
	{"GOCSPX-",					 WORD,   16, false, "key"    },
	{"npm_",						ALNUM,  20, false, "token"  },
	{"pypi-AgE",					WORD,   16, false, "token"  },
	{"rubygems_",				   HEX,    20, false, "token"  },
	{"dop_v1_",					 HEX,    16, false, "token"  },
	{"doo_v1_",					 HEX,    16, false, "token"  },
	{"hf_",						 ALNUM,  20, false, "token"  },
	{"r8_",						 ALNUM,  20, false, "token"  },
	{"gsk_",						ALNUM,  20, false, "key"    },
	{"xai-",						ALNUM,  20, false, "key"    },
	{"pplx-",					   ALNUM,  20, false, "key"    },
	{"nvapi-",					  WORD,   20, false, "key"    },
	{"SG.",						 DOTTED, 20, false, "key"    },
	{"shpat_",					  HEX,    16, false, "token"  },
	{"shpss_",					  HEX,    16, false, "token"  },
	{"shpca_",					  HEX,    16, false, "token"  },
	{"hvs.",						WORD,   16, false, "token"  },
	{"hvb.",						WORD,   16, false, "token"  },
	{"sntrys_",					 CRYPT,  16, false, "token"  },
	{"sntryu_",					 ALNUM,  16, false, "token"  },
	{"dckr_pat_",				   WORD,   16, false, "token"  },
	{"lin_api_",					ALNUM,  16, false, "key"    },
	{"ntn_",						ALNUM,  20, false, "token"  },
	{"secret_",					 ALNUM,  32, false, "token"  },
	{"figd_",					   WORD,   20, false, "token"  },
	{"dapi",						HEX,    32, false, "token"  },
	{"glsa_",					   WORD,   20, false, "token"  },
	{"NRAK-",					   UPPER,  16, false, "key"    },
	{"PMAK-",					   WORD,   20, false, "key"    },
	{"tskey-",					  WORD,   16, false, "key"    },
	{"sbp_",						HEX,    20, false, "token"  },
	{"CCIPAT_",					 WORD,   20, false, "token"  },
	{"ATATT3",					  CRYPT,  20, false, "token"  },
	{"ops_eyJ",					 ALNUM,  20, false, "token"  },
	{"AGE-SECRET-KEY-1",            UPPER,  20, false, "key"    },
	{"EAACEdEose0cBA",              ALNUM,  16, false, "token"  },
	{"eyJ",						 DOTTED, 24, false, "token"  },
	{"$2a$",						CRYPT,  20, false, "hash"   },
	{"$2b$",						CRYPT,  20, false, "hash"   },
	{"$2y$",						CRYPT,  20, false, "hash"   },
	{"$5$",						 CRYPT,  20, false, "hash"   },
	{"$6$",						 CRYPT,  20, false, "hash"   },
	{"$y$",						 CRYPT,  20, false, "hash"   },
	{"$argon2id$",                  CRYPT,  20, false, "hash"   },
	{"hooks.slack.com/services/",   PATHED, 16, true,  "webhook"},
	{"hooks.slack.com/workflows/",  PATHED, 16, true,  "webhook"},
	{"discord.com/api/webhooks/",   PATHED, 16, true,  "webhook"},
	{"api.telegram.org/bot",        WORD,   6,  true,  "token"  },
	{"outlook.office.com/webhook/", PATHED, 16, true,  "webhook"},
};

size_t
judge_key_at(struct str s, size_t *ret_keep, const char **ret_type)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		if (s.len == 0 || s.ptr[0] != keys[i].begin[0])
			continue;
		struct str begin = str_from(keys[i].begin);
		size_t n = begin.len;
		bool digit = false;

		if (s.len <= n || !str_starts(s, begin))
			continue;
		while (n < s.len && is_of(keys[i].chars, s.ptr[n]))
			digit |= is_digit(s.ptr[n++]);
		while (n > begin.len && s.ptr[n - 1] == '.')
			n--; /* the end of a sentence */
		if (n - begin.len < keys[i].more || !digit)
			continue;
		*ret_keep = keys[i].keeps_begin ? begin.len : 0;
		*ret_type = keys[i].type;
		return n;
	}
	return 0;
}

/* --- values ----------------------------------------------------------------- */

bool
judge_looks_random(struct str value)
{
	size_t digits = 0, small = 0, capital = 0;

	for (size_t i = 0; i < value.len; i++) {
		digits += is_digit(value.ptr[i]);
		small += is_small(value.ptr[i]);
		capital += is_capital(value.ptr[i]);
	}
	if (value.len >= 8 && digits > 0 && small + capital > 0)
		return true;
	return value.len >= 24 && small > 0 && capital > 2
		&& !str_has_char(value, '.') && !str_has_char(value, '_');
}

static bool
is_one_of(struct str s, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (str_eq_fold(s, str_from(list[i])))
			return true;
	}
	return false;
}

bool
judge_is_auth_scheme(struct str word)
{
	static const char *const schemes[] = {"bearer", "basic", "token", "digest",
		"negotiate", "apikey", "api-key", "key", "bot", "oauth", "ssws",
		"splunk", "geniekey", "hmac", "aws4-hmac-sha256"};

	return is_one_of(word, schemes, ARRAY_LEN(schemes));
}

/* xxxx, ****, ...: one character again and again. */
static bool
is_one_character(struct str value)
{
	for (size_t i = 1; i < value.len; i++) {
		if (value.ptr[i] != value.ptr[0])
			return false;
	}
	return value.len > 1 && !is_digit(value.ptr[0]);
}

bool
judge_is_stand_in(struct str value)
{
	static const char *const words[] = {"null", "nil", "none", "undefined",
		"true", "false", "yes", "no", "string", "str", "int", "bool", "boolean",
		"number", "object", "bytes", "any", "required", "optional", "token",
		"secret", "password", "passwd", "changeme", "redacted", "masked",
		"example", "placeholder", "basic", "bearer", "digest", "ntlm", "oauth",
		"empty", "prompt", "stdin", "env", "default", "self"};

	if (value.len == 0 || value.ptr[0] == '$' || value.ptr[0] == '<')
		return true;
	if ((value.ptr[0] == '{' && value.ptr[value.len - 1] == '}')
		|| (value.ptr[0] == '%' && value.ptr[value.len - 1] == '%'))
		return true;
	return is_one_character(value) || is_one_of(value, words, ARRAY_LEN(words));
}

bool
judge_is_plain_path(struct str value)
{
	if (value.len > 1 && value.ptr[0] == '@')
		value = str_sub(value, 1, value.len);
	if (!str_starts(value, STR("/")) && !str_starts(value, STR("./"))
		&& !str_starts(value, STR("../")) && !str_starts(value, STR("~/")))
		return false;
	for (size_t i = 0; i < value.len; i++) {
		char c = value.ptr[i];

		if (!is_small(c) && c != '/' && c != '.' && c != '-' && c != '_'
			&& c != '~')
			return false;
	}
	return true;
}

/* --- options of programs ------------------------------------------------------ */

#define OPTION_ROWS(X)                  \
	X("curl", "", "-u", PAIR)           \
	X("curl", "", "--user", PAIR)       \
	X("curl", "", "-U", PAIR)           \
	X("curl", "", "--proxy-user", PAIR) \
	X("curl", "", "-b", COOKIE)         \
	X("http", "", "-a", PAIR)           \
	X("https", "", "-a", PAIR)          \
	X("http", "", "--auth", PAIR)       \
	X("https", "", "--auth", PAIR)      \
	X("xh", "", "-a", PAIR)             \
	X("sshpass", "", "-p", WORD)        \
	X("mysql", "", "-p", GLUED)         \
	X("mysqldump", "", "-p", GLUED)     \
	X("mysqladmin", "", "-p", GLUED)    \
	X("mysqlimport", "", "-p", GLUED)   \
	X("mariadb", "", "-p", GLUED)       \
	X("mariadb-dump", "", "-p", GLUED)  \
	X("redis-cli", "", "-a", WORD)      \
	X("docker", "login", "-p", WORD)    \
	X("podman", "login", "-p", WORD)    \
	X("buildah", "login", "-p", WORD)   \
	X("skopeo", "login", "-p", WORD)    \
	X("helm", "login", "-p", WORD)      \
	X("oc", "login", "-p", WORD)        \
	X("az", "login", "-p", WORD)        \
	X("mongo", "", "-p", WORD)          \
	X("mongosh", "", "-p", WORD)        \
	X("mongodump", "", "-p", WORD)      \
	X("mongorestore", "", "-p", WORD)   \
	X("zip", "", "-P", WORD)            \
	X("unzip", "", "-P", WORD)          \
	X("7z", "", "-p", GLUED)            \
	X("unrar", "", "-p", GLUED)         \
	X("rar", "", "-p", GLUED)           \
	X("ldapsearch", "", "-w", WORD)     \
	X("ldapmodify", "", "-w", WORD)     \
	X("ldapadd", "", "-w", WORD)        \
	X("smbclient", "", "-U", PAIR)      \
	X("openssl", "", "-passin", PAIR)   \
	X("openssl", "", "-passout", PAIR)  \
	X("openssl", "", "-pass", PAIR)     \
	X("openssl", "enc", "-k", WORD)     \
	X("gh", "secret", "-b", WORD)       \
	X("gh", "secret", "--body", WORD)

static const struct {
	const char *program, *with; /* a word that must stand there, too */
	const char *option;
	enum judge_option_form form;
} options[] = {
#define X(program, with, option, form) \
	{program, with, option, JUDGE_OPTION_##form},
	OPTION_ROWS(X)
#undef X
};

_Static_assert(ARRAY_LEN(options) <= 64, "a bit for every row");

static bool
is_text(struct str word, const char *text)
{
	return word.ptr[0] == text[0] && str_eq(word, str_from(text));
}

void
judge_option_see(struct judge_options_seen *seen, struct str word)
{
	for (size_t i = 0; i < ARRAY_LEN(options) && word.len > 0; i++) {
		uint64_t bit = (uint64_t)1 << i;

		if (is_text(word, options[i].program))
			seen->programs |= bit;
		if (is_text(word, options[i].with))
			seen->words |= bit;
	}
}

struct judge_option
judge_option_of(const struct judge_options_seen *seen, struct str word)
{
	for (size_t i = 0; i < ARRAY_LEN(options) && seen->programs != 0; i++) {
		struct str option = str_from(options[i].option);
		uint64_t bit = (uint64_t)1 << i;
		bool is_long = option.len > 2;

		if (!(seen->programs & bit) || !str_starts(word, option)
			|| (options[i].with[0] != '\0' && !(seen->words & bit))
			|| (is_long && word.len > option.len
				&& word.ptr[option.len] != '='))
			continue;
		return (struct judge_option){options[i].form, option.len};
	}
	return (struct judge_option){0};
}
