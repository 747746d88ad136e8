#ifndef BASE_STR_H
#define BASE_STR_H

/*
 * A borrowed run of bytes. It owns nothing, and it may hold NULs: what an
 * agent sends is never trusted to be a C string. {NULL, 0} is "absent"; an
 * empty text that is there has a pointer.
 */

#include "base/base.h"

struct str {
	const char *ptr;
	size_t len;
};

#define STR(literal) ((struct str){(literal), sizeof(literal) - 1})
#define STR_ARG(s)   (int)(s).len, (s).ptr /* for "%.*s" */

struct str str_from(const char *c); /* NULL gives the absent text */
bool str_eq(struct str a, struct str b);
bool str_eq_fold(struct str a, struct str b); /* ASCII letter case folded */
int str_cmp(struct str a, struct str b);      /* as strcmp, by bytes */
bool str_starts(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);
bool str_has(struct str s, struct str part); /* an empty part: always */
bool str_has_fold(struct str s, struct str part);
bool str_has_char(struct str s, char c);
/* The place of the first part in s from byte from on, or s.len. */
size_t str_find(struct str s, struct str part, size_t from);

struct str str_trim(struct str s); /* blanks, tabs, CR and LF at both ends */
/* The part of s from byte start to before byte end, both cut to its length. */
struct str str_sub(struct str s, size_t start, size_t end);
/* Cuts s at the first c: the part before is returned, *ret_rest is after it
 * (absent when there is no c). */
struct str str_cut(struct str s, char c, struct str *ret_rest);
/* The next line of *rest without its line feed; false when rest is used up. */
MUST_USE bool str_line(struct str *rest, struct str *ret_line);
/* True and the value if s is a plain decimal number below 2^63. */
MUST_USE bool str_number(struct str s, int64_t *ret);
/* True and the value in millionths if s is a plain decimal number with up to six
 * decimals: "0.25" is 250,000. */
MUST_USE bool str_amount(struct str s, int64_t *ret_millionths);
/* What stands behind the last '/' (all of s when there is none). */
struct str str_base(struct str path);

/*
 * How many single-character edits part a from b, up to the limit; for
 * suggestions in error messages. Words over 32 bytes are limit apart.
 */
size_t str_distance(struct str a, struct str b, size_t limit);

/* Length of the valid UTF-8 sequence at the start of s, or 0. *ret_code is its
 * code point. Overlong forms, surrogates and values over 10FFFF are invalid. */
size_t str_utf8(struct str s, uint32_t *ret_code);
/* A character that is not seen, or turns or breaks what stands around it: format
 * characters, separators of lines, fillers, variation selectors, tags. Control
 * characters (below 0x20, 0x7f to 0x9f) are not among them. */
bool str_code_is_hidden(uint32_t code);

#endif
