#include "card/card.h"

/*
 * The card for a terminal. The text of the call is set in by two columns, so
 * that no line of it can look like one of ours.
 */

enum { LINE_BYTES = 4096, TEXT_BYTES = 80 << 20 };

static const char *
style(bool colour, const char *code)
{
	return colour ? code : "";
}

static void
add_label(struct buf *b, bool colour, const char *label)
{
	buf_addf(b, "  %s%-8s%s ", style(colour, "\x1b[2m"), label,
		style(colour, "\x1b[0m"));
}

static void
add_line(struct buf *b, bool colour, const char *label, struct str s)
{
	if (s.len == 0)
		return;
	add_label(b, colour, label);
	card_clean(b, s, false);
	buf_add_char(b, '\n');
}

static void
add_text(struct buf *b, struct str text)
{
	struct str line;

	while (str_line(&text, &line)) {
		buf_add(b, STR("  | "));
		card_clean(b, line, false);
		buf_add_char(b, '\n');
	}
}

/* "4 s", "3 min", "2 h" */
static void
add_span(struct buf *b, int64_t ms)
{
	int64_t s = ms > 0 ? ms / 1000 : 0;

	if (s < 120)
		buf_addf(b, "%lld s", (long long)s);
	else if (s < 7200)
		buf_addf(b, "%lld min", (long long)(s / 60));
	else
		buf_addf(b, "%lld h", (long long)(s / 3600));
}

static void
add_agent(struct buf *b, const struct card *c)
{
	card_clean(b, c->agent, false);
	if (c->role.len > 0) {
		buf_add(b, STR(" ("));
		card_clean(b, c->role, false);
		buf_add_char(b, ')');
	}
}

static void
add_times(struct buf *b, const struct card *c, bool colour, int64_t now_ms)
{
	add_label(b, colour, "since");
	add_span(b, now_ms - c->created_ms);
	if (c->expires_ms > now_ms) {
		buf_add(b, STR(", "));
		add_span(b, c->expires_ms - now_ms);
		buf_add(b, STR(" left"));
	}
	if (!c->held)
		buf_add(b, STR(", no agent waits"));
	buf_add_char(b, '\n');
}

void
card_print(struct buf *b, const struct card *c, bool colour, int64_t now_ms)
{
	buf_addf(b, "%s", style(colour, "\x1b[1m"));
	card_clean(b, c->id, false);
	buf_addf(b, "  ");
	card_clean(b, c->title, false);
	buf_addf(b, "%s\n", style(colour, "\x1b[0m"));
	add_text(b, c->text);
	add_line(b, colour, "why", c->reason);
	if (c->risk != CALL_RISK_NONE)
		add_line(b, colour, "risk", str_from(call_risk_name(c->risk)));
	add_line(b, colour, "it says", c->description);
	if (c->always && !c->hides_always) {
		add_line(b, colour, "always is", c->grant);
		add_line(b, colour, "always as", c->pattern);
	}
	add_label(b, colour, "agent");
	add_agent(b, c);
	buf_add(b, STR(", "));
	card_clean(b, c->tool_name, false);
	buf_add_char(b, '\n');
	add_line(b, colour, "in", c->cwd);
	add_times(b, c, colour, now_ms);
	if (c->person_only)
		add_line(b, colour, "note",
			STR("only a person may allow this, and only once"));
}

/* The columns that a code point takes, roughly: wide ones take two. */
static size_t
width_of(uint32_t code)
{
	return code >= 0x1100
			&& (code <= 0x115f || (code >= 0x2e80 && code <= 0xa4cf)
				|| (code >= 0xac00 && code <= 0xd7a3)
				|| (code >= 0xf900 && code <= 0xfaff)
				|| (code >= 0xfe30 && code <= 0xfe6f)
				|| (code >= 0xff00 && code <= 0xff60)
				|| (code >= 0x1f300 && code <= 0x1faff)
				|| (code >= 0x20000 && code <= 0x3fffd))
		? 2
		: 1;
}

static void
add_cut(struct buf *b, struct str s, size_t columns)
{
	size_t used = 0, at = 0, fits = 0;

	while (at < s.len) {
		uint32_t code = 0;
		size_t n = str_utf8(str_sub(s, at, s.len), &code);

		used += width_of(code);
		at += n ? n : 1;
		if (used + 3 <= columns)
			fits = at;
	}
	if (columns == 0 || used <= columns) {
		buf_add(b, s);
		return;
	}
	buf_add(b, str_sub(s, 0, fits));
	buf_add(b, STR("..."));
}

void
card_print_line(
	struct buf *b, const struct card *c, size_t columns, int64_t now_ms)
{
	CLEANUP(buf_done) struct buf line;

	buf_init(&line, LINE_BYTES);
	card_clean(&line, c->id, false);
	buf_add(&line, STR("  "));
	add_span(&line, now_ms - c->created_ms);
	buf_add(&line, STR("  "));
	add_agent(&line, c);
	buf_add(&line, STR("  "));
	card_clean(&line, c->title, false);
	if (c->reason.len > 0) {
		buf_add(&line, STR("  ["));
		card_clean(&line, str_sub(c->reason, 0, 512), false);
		buf_add(&line, STR("]"));
	}
	if (c->elsewhere)
		buf_add(&line, STR("  (answered in the agent's own card)"));
	add_cut(b, buf_str(&line), columns);
}
