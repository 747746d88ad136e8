/*
 * case.
 */

#include "shell/shell_priv.h"

/* Longer ones first. */
static const char *const ends[] = {";;&", ";;", ";&"};

static void
read_patterns(struct shell_reader *r, struct shell_node *item)
{
	enum { MARKS = SHELL_MARK_TILDE | SHELL_MARK_GLOB };

	do {
		shell_blanks(r);
		if (shell_ends_word(r) && shell_peek(r) != '(') {
			(void)shell_fault(r, item, r->pos, "case without a pattern");
			break;
		}
		struct shell_node *word = shell_word_read(r, SHELL_SPAN_PATTERN, MARKS);

		word->role = SHELL_ROLE_PATTERN;
		shell_node_add(item, word);
		shell_blanks(r);
	} while (!shell_sees(r, "||") && shell_accept(r, "|"));
	if (!shell_accept(r, ")"))
		(void)shell_fault(r, item, r->pos, "case pattern without )");
}

static struct shell_node *
read_item(struct shell_reader *r)
{
	struct shell_node *n = shell_node_new(r, SHELL_CASEITEM, r->pos), *body;

	(void)shell_accept(r, "(");
	read_patterns(r, n);
	body = shell_script_read(r);
	body->role = SHELL_ROLE_BODY;
	shell_node_add(n, body);
	for (size_t i = 0; i < ARRAY_LEN(ends) && n->text.len == 0; i++) {
		if (shell_accept(r, ends[i]))
			n->text = str_from(ends[i]);
	}
	shell_node_end(r, n);
	return n;
}

struct shell_node *
shell_case_read(struct shell_reader *r)
{
	struct shell_node *n = shell_node_new(r, SHELL_CASE, r->pos), *word;

	(void)shell_reserved_accept(r, SHELL_RW_CASE);
	shell_blanks(r);
	if (shell_ends_word(r)) {
		(void)shell_fault(r, n, r->pos, "case without a word");
		return n;
	}
	word = shell_word_read(r, SHELL_SPAN_WORD, SHELL_MARK_TILDE);
	word->role = SHELL_ROLE_SUBJECT;
	shell_node_add(n, word);
	shell_newlines(r);
	shell_reserved_expect(r, n, SHELL_RW_IN, "case without in");
	for (;;) {
		shell_newlines(r);
		if (shell_peek(r) < 0 || shell_reserved_accept(r, SHELL_RW_ESAC))
			break;
		size_t before = r->pos;
		struct shell_node *item = read_item(r);

		shell_node_add(n, item);
		if (item->text.len > 0)
			continue;
		if (shell_reserved_accept(r, SHELL_RW_ESAC))
			return n;
		(void)shell_fault(r, n, r->pos, "case without esac");
		if (r->pos == before || shell_peek(r) < 0)
			return n;
	}
	if (shell_peek(r) < 0
		&& (r->pos < 4 || !str_ends(shell_source(r, 0, r->pos), STR("esac"))))
		(void)shell_fault(r, n, r->pos, "case without esac");
	return n;
}
