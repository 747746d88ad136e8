#ifndef ADAPTER_ADAPTER_PRIV_H
#define ADAPTER_ADAPTER_PRIV_H

/*
 * What a codec is, and how codecs read JSON without holding it across an
 * allocation: an arena may jump, and the JSON library's memory would leak. So
 * room for all texts of a message is taken before it is parsed.
 */

#include <jansson.h>

#include "adapter/adapter.h"

struct adapter_reader {
	char *room; /* where the next text is copied to */
	size_t left;
	bool bad;     /* a member was missing or of the wrong type */
	char why[96]; /* "command is not a text" */
};

struct adapter_codec {
	/* Fills call and the fields of ret from the message's top object; the
	 * event's row and the name are set. */
	void (*decode)(struct adapter_reader *r, const json_t *top,
		struct adapter_message *ret);
	/* Fills the arguments of call from the tool's input (an object). */
	void (*decode_input)(
		struct adapter_reader *r, const json_t *input, struct call *call);
	void (*encode)(struct arena *a, const struct adapter_event *event,
		const struct adapter_reply *reply, struct adapter_answer *ret);
	const char *event_member; /* "hook_event_name" */
	const char *input_member; /* "tool_input" */
	/* members that only messages about a call have; ends in NULL */
	const char *const *call_members;
};

/* A copy of s in the room; the absent text stays absent. */
struct str adapter_keep(struct adapter_reader *r, struct str s);
/*
 * The text of a member, kept. Absent when there is none (or null); anything
 * else that is no text is bad, and so is absence when it is needed.
 */
struct str adapter_text(
	struct adapter_reader *r, const json_t *obj, const char *key, bool needed);
/* a, c, b as one text in the room. */
struct str adapter_join(
	struct adapter_reader *r, struct str a, char c, struct str b);
/* Marks the message as bad, the first time with a reason. */
void adapter_bad(struct adapter_reader *r, const char *key, const char *what);

/* The source text of the index-th member's value of the object that is all of
 * text; absent when there is none. text was accepted by the parser. */
struct str adapter_member_source(struct str text, size_t index);

/*
 * JSON text that was accepted by the parser, with every character written as
 * itself that can be: "\u002fetc" becomes "/etc", so that whoever looks for a
 * path in it finds it. Never longer than text.
 */
struct str adapter_plain_json(struct arena *a, struct str text);

/* A member of an object that is written. */
struct adapter_pair {
	const char *key;
	struct str text;
	bool raw; /* text is JSON already */
};
/* One object on one line. Pairs with an absent text are left out. */
struct str adapter_object(
	struct arena *a, const struct adapter_pair *pairs, size_t count);

/* True for events that carry a tool and its input. */
bool adapter_is_about_call(enum adapter_meaning m);
/* What a machine's refusal says: the reason, and for an ask that nobody can
 * answer that it needs a person. */
struct str adapter_reason(struct arena *a, const struct adapter_reply *reply);

extern const struct adapter_agent adapter_claude_code, adapter_cursor;
void adapter_claude_encode(struct arena *a, const struct adapter_event *event,
	const struct adapter_reply *reply, struct adapter_answer *ret);

#endif
