#include "proxy/gate.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_FIRST = 4 };

void
proxy_gate_done(struct proxy_gate *g)
{
	free(g->entries);
	*g = (struct proxy_gate){.over = true};
}

static struct proxy_gate_entry *
find_ticket(const struct proxy_gate *g, uint64_t ticket)
{
	for (size_t i = 0; ticket != 0 && i < g->room; i++) {
		if (g->entries[i].ticket == ticket)
			return &g->entries[i];
	}
	return NULL;
}

static struct proxy_gate_entry *
find_free(struct proxy_gate *g)
{
	for (size_t i = 0; i < g->room; i++) {
		if (g->entries[i].ticket == 0)
			return &g->entries[i];
	}
	size_t room = g->room > 0 ? g->room * 2 : ROOM_FIRST;
	struct proxy_gate_entry *more =
		room > PROXY_GATE_MAX ? NULL : calloc(room, sizeof(*more));

	if (!more)
		return NULL;
	size_t first = g->room;

	if (first > 0)
		memcpy(more, g->entries, first * sizeof(*more));
	free(g->entries);
	g->entries = more;
	g->room = room;
	return &g->entries[first];
}

uint64_t
proxy_gate_hold(struct proxy_gate *g, enum proxy_gate_kind kind, uint32_t id)
{
	struct proxy_gate_entry *e = g->over ? NULL : find_free(g);

	if (!e)
		return 0;
	*e = (struct proxy_gate_entry){
		.ticket = ++g->tickets,
		.id = id,
		.kind = kind,
	};
	g->held++;
	return e->ticket;
}

bool
proxy_gate_release(struct proxy_gate *g, uint64_t ticket)
{
	struct proxy_gate_entry *e = g->over ? NULL : find_ticket(g, ticket);

	if (!e)
		return false;
	e->ticket = 0;
	g->held--;
	return true;
}

bool
proxy_gate_is_held(const struct proxy_gate *g, uint64_t ticket)
{
	return !g->over && find_ticket(g, ticket) != NULL;
}

/* Ids are of one counter for execs and queries, but an abort is of an exec. */
static bool
takes_away(
	const struct proxy_gate_entry *e, enum proxy_gate_event event, uint32_t id)
{
	switch (event) {
	case PROXY_GATE_ABORT:
		return e->kind == PROXY_GATE_EXEC && e->id == id;
	case PROXY_GATE_CANCEL:
	case PROXY_GATE_MESSAGE:
	case PROXY_GATE_RUN:
	case PROXY_GATE_END:
		return true;
	}
	return true;
}

void
proxy_gate_tell(struct proxy_gate *g, enum proxy_gate_event event, uint32_t id,
	proxy_gate_fn dropped, void *data)
{
	for (size_t i = 0; i < g->room; i++) {
		struct proxy_gate_entry *e = &g->entries[i];
		uint64_t ticket = e->ticket;

		if (ticket == 0 || !takes_away(e, event, id))
			continue;
		e->ticket = 0;
		g->held--;
		dropped(data, ticket);
	}
	g->over = g->over || event == PROXY_GATE_END;
}
