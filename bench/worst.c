/*
 * The nastiest texts of full length, each decided once a round: the slowest must
 * stay within what is promised (DESIGN 8), whatever grows with the square of
 * something.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/limits.h"
#include "check/check.h"

enum { TEXT_BYTES = 64 << 10, ROUNDS = 5, PROMISED_NS = 5000000 };

/* begin, then part again and again, then end. */
static const struct {
	const char *name, *begin, *part, *end;
} texts[] = {
	{"git settings",           "git ",        "-c a.b=c ",          "status"},
	{"assignments",            "",            "a=1;",               ""      },
	{"variables",              "",            "a=$a;",              ""      },
	{"growing variables",      "",            "a=x$a;",             ""      },
	{"exports",				"",            "export A=1;",        ""      },
	{"sudo of sudo",           "",            "sudo ",              "ls"    },
	{"env of env",             "",            "env ",               "ls"    },
	{"xargs of xargs",         "",            "xargs ",             "ls"    },
	{"eval of eval",           "",            "eval ",              "ls"    },
	{"substitutions",          "",            "$(",                 ""      },
	{"quoted substitutions",   "",            "\"$(",               ""      },
	{"backquotes",             "",            "`",                  ""      },
	{"parameters",             "",            "${a:-",              ""      },
	{"arithmetic",             "",            "$((",                ""      },
	{"subshells",              "",            "( ",                 ""      },
	{"groups",				 "",            "{ ",                 ""      },
	{"braces",				 "",            "{a,b}",              ""      },
	{"conditions",             "",            "if a; then ",        ""      },
	{"finished conditions",    "",            "if a; then x=1;fi;", ""      },
	{"tests",				  "",            "[[ -z a && ",        ""      },
	{"loops",				  "",            "for i in a b; do ",  ""      },
	{"cases",				  "",            "case a in a) ",      ""      },
	{"functions",              "",            "f(){ f;}; ",         ""      },
	{"calls",				  "f(){ ls; };", "f;",                 ""      },
	{"here-documents",         "",            "cat <<a\n",          ""      },
	{"here-documents, a line", "",            "<<a ",               ""      },
	{"redirections",           "ls ",         ">b ",                ""      },
	{"pipes",				  "",            "ls|",                "ls"    },
	{"lists",				  "",            "ls&&",               "ls"    },
	{"commands",               "",            "cat a b c d>f;",     ""      },
	{"folders",				"",            "cd a;",              ""      },
	{"folders, or",            "",            "cd a||cd b;",        ""      },
	{"words",				  "rm ",         "a/b ",               ""      },
	{"globs",				  "ls ",         "*",                  ""      },
	{"a long path",            "cat ",        "../",                ""      },
	{"expressions of find",    "find . ",     "-o -name a ",        ""      },
	{"commands of find",       "find . ",     "-exec ls {} \\; ",   ""      },
	{"shells in shells",       "",            "sh -c '",            ""      },
	{"sed",					"sed '",       "s/a/b/;",            "'"     },
	{"awk",					"awk '",       "{print a} ",         "'"     },
};

static int64_t
now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static struct str
text_of(char *room, size_t i)
{
	size_t len = strlen(texts[i].begin), part = strlen(texts[i].part);
	size_t end = strlen(texts[i].end);

	memcpy(room, texts[i].begin, len);
	for (; len + part + end <= TEXT_BYTES; len += part)
		memcpy(room + len, texts[i].part, part);
	memcpy(room + len, texts[i].end, end);
	return (struct str){room, len + end};
}

static int64_t
time_decide(struct arena *a, const struct policy *p, struct str text)
{
	struct check_request request;
	struct order_result result;
	int64_t start = now_ns();

	arena_reset(a);
	if (!ARENA_TRY(a))
		return now_ns() - start; /* past a limit: the daemon asks */
	check_request_init(a, &request);
	request.call.tool = CALL_TOOL_SHELL;
	request.call.command = text;
	check_decide(a, p, &request, &result);
	return now_ns() - start;
}

int
main(void)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(LIMIT_ARENA_BYTES);
	CLEANUP(policy_unrefp) struct policy *p = policy_new();
	static char room[TEXT_BYTES + 1];
	int64_t worst = 0;

	CHECK(a && p);
	(void)printf(
		"deciding %d KiB of the worst, milliseconds\n", TEXT_BYTES >> 10);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct str text = text_of(room, i);
		int64_t best = INT64_MAX;

		for (int round = 0; round < ROUNDS; round++) {
			int64_t t = time_decide(a, p, text);

			best = t < best ? t : best;
		}
		worst = best > worst ? best : worst;
		if (best > PROMISED_NS / 2)
			(void)printf("  %-28s %8.2f\n", texts[i].name, (double)best / 1e6);
	}
	(void)printf("  slowest %.2f, promised %.0f (%s)\n", (double)worst / 1e6,
		PROMISED_NS / 1e6, worst <= PROMISED_NS ? "kept" : "NOT kept");
	return EXIT_SUCCESS;
}
