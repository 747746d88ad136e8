#ifndef ADAPTER_TRANSCRIPT_PRIV_H
#define ADAPTER_TRANSCRIPT_PRIV_H

/*
 * What the readers of transcripts share. A reader gets one line, parsed, and
 * copies what it keeps into the reader's room.
 */

#include "adapter/adapter_priv.h"
#include "adapter/transcript.h"

/* A file while it is read. */
struct adapter_telling {
	struct adapter_reader r;
	bool not_user;    /* another agent stands in the user's place here */
	struct str model; /* that the run uses */
};

struct adapter_transcript {
	const char *agent;
	const char *folder; /* below the home folder */
	const char *ends;   /* of the file's name */
	/* False for a line that is no message. */
	bool (*read)(struct adapter_telling *t, const json_t *line,
		struct adapter_said *ret);
};

/* How the parts of a message are told apart. */
struct adapter_parts {
	const char *kind; /* the member that says what a part is; NULL: by text */
	const char *text; /* the value that it has for text, letter case folded */
};

/*
 * The text of content, a text or a list of parts, in the room: parts of text
 * with line feeds between, without what an agent inserts between marks of its
 * own. *ret_result: the result of a tool is among them.
 */
struct str adapter_said_text(struct adapter_telling *t, const json_t *content,
	const struct adapter_parts *parts, bool *ret_result);
/* A copy in the room of what of s are the speaker's own words (own.c). */
struct str adapter_said_keep(struct adapter_reader *r, struct str s);
/* Without the files that a message only names. */
struct str adapter_said_before_files(struct str s);
/* "2026-12-01T10:33:13.242Z" as milliseconds, or 0. */
int64_t adapter_said_time(struct str s);
/* The run's model, when name is one. */
void adapter_said_model(struct adapter_telling *t, struct str name);
/* Finishes a message of the user: false when nothing is left of it. */
bool adapter_said_by_user(struct adapter_telling *t, struct str text,
	bool injected, struct adapter_said *ret);
bool adapter_said_by_agent(struct str text, struct adapter_said *ret);

bool adapter_transcript_claude(
	struct adapter_telling *t, const json_t *line, struct adapter_said *ret);
bool adapter_transcript_codex(
	struct adapter_telling *t, const json_t *line, struct adapter_said *ret);
bool adapter_transcript_gemini(
	struct adapter_telling *t, const json_t *line, struct adapter_said *ret);
bool adapter_transcript_qwen(
	struct adapter_telling *t, const json_t *line, struct adapter_said *ret);
bool adapter_transcript_copilot(
	struct adapter_telling *t, const json_t *line, struct adapter_said *ret);
bool adapter_transcript_droid(
	struct adapter_telling *t, const json_t *line, struct adapter_said *ret);

#endif
