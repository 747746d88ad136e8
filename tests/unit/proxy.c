/*
 * The pure parts of the filter for Cursor: envelopes at every boundary, fields
 * changed in place byte for byte, the gate against thousands of interleavings.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proxy/cursor_read.h"
#include "proxy/cursor_state.h"
#include "proxy/field.h"
#include "proxy/frame.h"
#include "proxy/gate.h"
#include "tests/cursor/say.h"
#include "tests/unit/unit.h"

enum { BYTES_MAX = 1 << 20 };

static struct str
from_hex(const char *hex, char *room)
{
	size_t n = strlen(hex) / 2;

	for (size_t i = 0; i < n; i++) {
		const char two[3] = {hex[2 * i], hex[2 * i + 1], 0};

		room[i] = (char)strtoul(two, NULL, 16);
	}
	return (struct str){room, n};
}

static void
assert_str(struct str a, struct str b)
{
	assert_int_equal(a.len, b.len);
	assert_memory_equal(a.ptr, b.ptr, a.len);
}

/* --- dice, and what is told beside the gate --------------------------------------- */

enum { SEEDS = 6000, STEPS = 80, TICKETS = 256 };

/* What must be true of a frame, told beside the gate. */
struct told {
	uint64_t ticket;
	uint32_t id;
	enum proxy_gate_kind kind;
	bool gone; /* dropped, or let go */
};

static struct {
	struct proxy_gate gate;
	struct told told[TICKETS];
	size_t count;
	bool over;
	unsigned long long let_go, dropped;
	uint64_t random;
} w;

static uint64_t
roll(uint64_t below)
{
	uint64_t z = (w.random += 0x9e3779b97f4a7c15u); /* splitmix64 */

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (z ^ (z >> 31)) % below;
}

/* --- frames ---------------------------------------------------------------------- */

static const struct str payloads[] = {
	{"",        0},
    {"abcdefg", 7},
    {"\0\1\2",  3}
};

/* The frames come as three parts: up to a, up to b, the rest. */
static void
read_cut(struct str all, size_t a, size_t b)
{
	const size_t cuts[] = {0, a, b, all.len};
	struct proxy_frames f;
	struct proxy_frame one;
	size_t seen = 0;

	proxy_frames_init(&f);
	for (size_t k = 0; k + 1 < ARRAY_LEN(cuts); k++) {
		proxy_frames_add(&f, str_sub(all, cuts[k], cuts[k + 1]));
		while (proxy_frames_next(&f, &one)) {
			assert_true(seen < ARRAY_LEN(payloads));
			assert_int_equal(one.flags, seen);
			assert_str(one.payload, payloads[seen]);
			assert_int_equal(one.whole.len, one.payload.len + PROXY_FRAME_HEAD);
			seen++;
		}
	}
	assert_int_equal(seen, ARRAY_LEN(payloads));
	assert_int_equal(proxy_frames_left(&f), 0);
	assert_false(f.broken);
	proxy_frames_done(&f);
}

static void
frames_at_every_boundary(void **state)
{
	CLEANUP(buf_done) struct buf all;

	(void)state;
	buf_init(&all, BYTES_MAX);
	for (unsigned i = 0; i < ARRAY_LEN(payloads); i++)
		proxy_frame_print(&all, i, payloads[i]);
	for (size_t a = 0; a <= all.len; a++) {
		for (size_t b = a; b <= all.len; b++)
			read_cut(buf_str(&all), a, b);
	}
}

static void
frames_one_byte_at_a_time(void **state)
{
	CLEANUP(buf_done) struct buf all;
	struct proxy_frames f;
	struct proxy_frame one;
	size_t seen = 0;

	(void)state;
	buf_init(&all, BYTES_MAX);
	for (unsigned i = 0; i < 50; i++)
		proxy_frame_print(&all, 0, str_sub(STR("0123456789"), 0, i % 11));
	proxy_frames_init(&f);
	for (size_t i = 0; i < all.len; i++) {
		proxy_frames_add(&f, str_sub(buf_str(&all), i, i + 1));
		while (proxy_frames_next(&f, &one))
			assert_int_equal(one.payload.len, seen++ % 11);
	}
	assert_int_equal(seen, 50);
	proxy_frames_done(&f);
}

static void
frames_over_the_limit(void **state)
{
	static const struct str head = {"\0\xff\xff\xff\xff", 5};
	struct proxy_frames f;
	struct proxy_frame one;

	(void)state;
	for (size_t cut = 0; cut <= head.len; cut++) {
		proxy_frames_init(&f);
		proxy_frames_add(&f, str_sub(head, 0, cut));
		assert_false(proxy_frames_next(&f, &one));
		if (cut < head.len)
			proxy_frames_add(&f, str_sub(head, cut, head.len));
		assert_false(proxy_frames_next(&f, &one));
		assert_true(f.broken);
		proxy_frames_done(&f);
	}
}

/* --- fields ----------------------------------------------------------------------- */

static void
fields_are_read(void **state)
{
	char room[64];
	struct proxy_field f;
	bool broken = false;
	size_t at = 0;
	struct str m = from_hex("0807120161190102030405060708a5060a0b0c0d", room);

	(void)state;
	assert_true(proxy_field_next(m, &at, &f, &broken));
	assert_int_equal(f.number, 1);
	assert_int_equal(f.value, 7);
	assert_true(proxy_field_next(m, &at, &f, &broken));
	assert_str(f.bytes, STR("a"));
	assert_true(proxy_field_next(m, &at, &f, &broken));
	assert_true(f.value == 0x0807060504030201u);
	assert_true(proxy_field_next(m, &at, &f, &broken));
	assert_int_equal(f.number, 100);
	assert_int_equal(f.value, 0x0d0c0b0a);
	assert_false(proxy_field_next(m, &at, &f, &broken));
	assert_false(broken);
}

static void
broken_fields(void **state)
{
	static const char *const rows[] = {"08", "0880", "1202", "120261", "00",
		"0b", "0c", "0f", "08ffffffffffffffffff02", "19010203", "a50601",
		"12ffffffffffffffffff01", "fa"};
	char room[64];
	struct proxy_field f;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct str m = from_hex(rows[i], room);

		if (strcmp(rows[i], "1202") == 0)
			m = from_hex("120361", room);
		assert_false(proxy_field_is_message(m));
		assert_int_equal(proxy_field_find(m, 1, &f), 0);
	}
}

/* Whatever stands before, between and behind keeps its bytes. */
static void
appended_in_place(void **state)
{
	static const uint32_t numbers[] = {2, 14};
	const struct proxy_path path = {numbers, 2};
	CLEANUP(buf_done) struct buf out;
	char room[64], want[64];
	/* 9: 7, 2: {15: "y", 14: {1: "x", 99: 5}, 19: ""}, 77: unknown */
	struct str m =
		from_hex("4807120e7a017972060a01789806059a0100ea0401ff", room);
	struct str inner;

	(void)state;
	buf_init(&out, BYTES_MAX);
	assert_true(proxy_field_reach(m, path, &inner));
	assert_int_equal(inner.len, 6);
	proxy_field_append(&out, m, path, STR("\x60\x01"));
	assert_str(buf_str(&out),
		from_hex("480712107a017972080a017898060560019a0100ea0401ff", want));
}

static void
append_makes_lengths_longer(void **state)
{
	static const uint32_t numbers[] = {2, 3};
	const struct proxy_path path = {numbers, 2};

	(void)state;
	for (size_t n = 100; n < 140; n++) {
		CLEANUP(buf_done) struct buf inner, middle, outer, out;
		struct str found;
		char filler[256];

		memset(filler, 'a', sizeof(filler));
		buf_init(&inner, BYTES_MAX);
		buf_init(&middle, BYTES_MAX);
		buf_init(&outer, BYTES_MAX);
		buf_init(&out, BYTES_MAX);
		proxy_field_add_bytes(&inner, 1, (struct str){filler, n});
		proxy_field_add_bytes(&middle, 3, buf_str(&inner));
		proxy_field_add_bytes(&outer, 2, buf_str(&middle));
		proxy_field_append(&out, buf_str(&outer), path, STR("\x60\x01"));
		assert_true(proxy_field_reach(buf_str(&out), path, &found));
		assert_int_equal(found.len, inner.len + 2);
		assert_memory_equal(found.ptr, inner.ptr, inner.len);
	}
}

static void
paths_must_be_single(void **state)
{
	static const uint32_t numbers[] = {2, 3};
	static const char *const rows[] = {"", "1a00", "12021a001200",
		"12041a001a00", "1802", "12021802", "12031a0108"};
	char room[64];
	struct str inner;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_false(proxy_field_reach(
			from_hex(rows[i], room), (struct proxy_path){numbers, 2}, &inner));
}

static void
varint_is_replaced(void **state)
{
	static const char *const rows[][2] = {
		{"0a0161120162180a220163",
         "0a01611201621880012201"
			"63"								 },
		{"0a0161",                 "0a0161188001"},
		{"18031804",               "188001"      },
		{"",					   "188001"      },
	};
	char room[64], want[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		CLEANUP(buf_done) struct buf out;

		buf_init(&out, BYTES_MAX);
		proxy_field_set_varint(&out, from_hex(rows[i][0], room), 3, 128);
		assert_str(buf_str(&out), from_hex(rows[i][1], want));
	}
}

static void
values_as_json(void **state)
{
	static const struct {
		const char *hex, *json;
	} rows[] = {
		{"0800",					   "null"                      },
		{"11000000000000f83f",         "1.5"                       },
		{"110000000000001440",         "5"                         },
		{"1a026869",                   "\"hi\""                    },
		{"2001",					   "true"                      },
		{"2a0b0a090a016112041a023c3e", "{\"a\":\"\\u003c\\u003e\"}"},
		{"32080a0208000a022000",       "[null,false]"              },
		{"2a00",					   "{}"						},
		{"3200",					   "[]"						},
		{"",						   NULL						},
		{"0800"
		 "2001",			  NULL /* two at once */      },
		{"1a02c328",                   NULL /* not UTF-8 */        },
		{"1a0100",					 NULL /* NUL */              },
		{"11000000000000f07f",         NULL /* infinite */         },
		{"2a030a0109",                 NULL                        },
		{"4801",					   NULL						},
	};
	char room[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		CLEANUP(buf_done) struct buf out;

		buf_init(&out, BYTES_MAX);
		bool fine = proxy_field_print_value(&out, from_hex(rows[i].hex, room));

		assert_int_equal(fine, rows[i].json != NULL);
		if (fine)
			assert_str(buf_str(&out), str_from(rows[i].json));
	}
}

static void
deep_values_are_refused(void **state)
{
	CLEANUP(buf_done) struct buf value, out;

	(void)state;
	buf_init(&value, BYTES_MAX);
	buf_init(&out, BYTES_MAX);
	for (int i = 0; i < 20000; i++) {
		CLEANUP(buf_done) struct buf list, outer;

		if (i > 200)
			break;
		buf_init(&list, BYTES_MAX);
		buf_init(&outer, BYTES_MAX);
		if (i > 0)
			proxy_field_add_bytes(&list, 1, buf_str(&value));
		proxy_field_add_bytes(&outer, 6, buf_str(&list));
		buf_clear(&value);
		buf_clear(&out);
		buf_add(&value, buf_str(&outer));
		assert_int_equal(
			proxy_field_print_value(&out, buf_str(&value)), i < 64);
	}
}

/* --- what a frame would do -------------------------------------------------------- */

/* A whole frame, read, changed, and framed again. */
static struct str
change(struct str frame, const char *how, struct buf *out)
{
	struct proxy_frames f;
	struct proxy_frame one;
	struct proxy_action a;
	struct str inner;
	CLEANUP(buf_done) struct buf payload;

	buf_init(&payload, BYTES_MAX);
	proxy_frames_init(&f);
	proxy_frames_add(&f, frame);
	assert_true(proxy_frames_next(&f, &one));
	enum proxy_action_kind kind = proxy_action_read(
		one.payload, proxy_server_read(one.payload, &inner), &a);

	assert_true(kind == PROXY_ACTION_SHELL || kind == PROXY_ACTION_FETCH);
	if (how)
		assert_true(proxy_action_ask(&a, one.payload, str_from(how), &payload));
	else
		assert_true(proxy_action_allow(&a, one.payload, &payload));
	proxy_action_done(&a);
	proxy_frame_print(out, 0, buf_str(&payload));
	proxy_frames_done(&f);
	return buf_str(out);
}

/* As two other programs write them: to the byte. */
static void
vectors(void **state)
{
	static const struct {
		const char *from, *reason, *to;
	} rows[] = {
		{"000000002f122d08077a0663616c6c2d3172210a0c726d202d7266206275696c6412"
		 "052f70726f6a18b0ea01220663616c6c2d31", NULL,
         "0000000031122f08077a0663616c6c2d3172230a0c726d202d7266206275696c64"
			"12052f70726f6a18b0ea01220663616c6c2d316001"},
		{"000000002f122d08077a0663616c6c2d3172210a0c726d202d7266206275696c6412"
		 "052f70726f6a18b0ea01220663616c6c2d31", "deletes files",
         "0000000049124708077a0663616c6c2d31723b0a0c726d202d7266206275696c64"
			"12052f70726f6a18b0ea01220663616c6c2d319a01170a0663616c6c2d31120d64"
			"656c657465732066696c6573"                  },
		{"00000000263a2408084a200a1e0a1468747470733a2f2f6578616d706c652e636f6d"
		 "2f120663616c6c2d32",				   NULL,
         "00000000283a2608084a220a1e0a1468747470733a2f2f6578616d706c652e636f"
			"6d2f120663616c6c2d321001"                  },
	};
	char from[256], to[256];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		CLEANUP(buf_done) struct buf out;

		buf_init(&out, BYTES_MAX);
		assert_str(change(from_hex(rows[i].from, from), rows[i].reason, &out),
			from_hex(rows[i].to, to));
	}
}

static void
vectors_that_pass(void **state)
{
	char room[64];
	struct str inner;
	struct str abort = from_hex("2a040a020807", room);

	(void)state;
	assert_int_equal(proxy_server_read(abort, &inner), PROXY_SERVER_CONTROL);
	Proxy__Cursor__ExecServerControl *m =
		proxy__cursor__exec_server_control__unpack(
			NULL, inner.len, proxy_data(inner).data);

	assert_int_equal(m->abort->id, 7);
	proxy__cursor__exec_server_control__free_unpacked(m, NULL);
	assert_int_equal(proxy_server_read(from_hex("0a026a00", room), &inner),
		PROXY_SERVER_UPDATE);
}

/* Bytes of all kinds: what is read as a call and allowed is that call, allowed. */
static void
mutants(void **state)
{
	enum { MUTANTS = 60000 };
	static const char *const seeds[] = {
		"122d08077a0663616c6c2d3172210a0c726d202d7266206275696c6412052f70726f6a"
		"18b0ea01220663616c6c2d31",
		"3a2408084a200a1e0a1468747470733a2f2f6578616d706c652e636f6d2f120663616c"
		"6c2d32",
	};
	size_t read = 0, doubled = 0;

	(void)state;
	w.random = 7;
	for (int i = 0; i < MUTANTS; i++) {
		CLEANUP(buf_done) struct buf out, again_out;
		struct proxy_action a, again;
		char room[256];
		struct str inner, m = from_hex(seeds[roll(2)], room);

		buf_init(&out, BYTES_MAX);
		buf_init(&again_out, BYTES_MAX);
		for (uint64_t n = roll(4); n > 0; n--)
			room[roll(m.len)] = (char)roll(256);
		m.len -= roll(20) == 0 ? roll(m.len) : 0;
		enum proxy_server_kind kind = proxy_server_read(m, &inner);

		if (kind != PROXY_SERVER_EXEC && kind != PROXY_SERVER_QUERY)
			continue;
		enum proxy_action_kind what = proxy_action_read(m, kind, &a);

		if (what != PROXY_ACTION_SHELL && what != PROXY_ACTION_FETCH) {
			proxy_action_done(&a);
			continue;
		}
		read++;
		assert_true(proxy_action_allow(&a, m, &out));
		kind = proxy_server_read(buf_str(&out), &inner);
		if (proxy_action_read(buf_str(&out), kind, &again)
			== PROXY_ACTION_BROKEN) {
			doubled++; /* it said "not approved" itself */
			proxy_action_done(&a);
			proxy_action_done(&again);
			continue;
		}
		assert_int_equal(again.unchanged, PROXY_UNCHANGED_APPROVED);
		assert_int_equal(again.id, a.id);
		assert_str(again.command, a.command);
		assert_str(again.url, a.url);
		proxy_action_refuse(&a, STR("no"), &again_out);
		assert_true(again_out.len > 0);
		proxy_action_done(&a);
		proxy_action_done(&again);
	}
	assert_true(read > MUTANTS / 10 && doubled < MUTANTS / 100);
}

/* --- what is known ------------------------------------------------------------------ */

static void
conversations_are_bounded(void **state)
{
	CLEANUP(buf_done) struct buf b;
	const struct say_context on = {0};
	struct proxy_state *s = proxy_state_new();
	struct proxy_run_state *first, *r;
	char id[32];

	(void)state;
	buf_init(&b, BYTES_MAX);
	for (int i = 0; i < PROXY_TALKS_MAX + 100; i++) {
		(void)snprintf(id, sizeof(id), "talk-%d", i);
		r = proxy_run_state_new(s, str_from(id));
		proxy_run_state_client(r, 0, say_run(&b, id, "m", "hello", &on));
		assert_true(proxy_run_state_is_on(r));
		proxy_run_state_free(r);
	}
	assert_int_equal(proxy_state_count(s), PROXY_TALKS_MAX);
	/* the first is forgotten: it has the client's own approvals */
	first = proxy_run_state_new(s, STR("r"));
	proxy_run_state_client(first, 0, say_resume(&b, "talk-0", "m"));
	assert_false(proxy_run_state_is_on(first));
	/* the last is not */
	r = proxy_run_state_new(s, STR("r2"));
	proxy_run_state_client(r, 0, say_resume(&b, id, "m"));
	assert_true(proxy_run_state_is_on(r));
	proxy_run_state_free(first);
	proxy_run_state_free(r);
	proxy_state_free(s);
}

/* Appends in any order, some twice: the same is known. */
static void
appends_in_any_order(void **state)
{
	CLEANUP(buf_done) struct buf b;
	const struct say_context on = {0}, off = {.off = true};

	(void)state;
	buf_init(&b, BYTES_MAX);
	w.random = 3;
	for (int round = 0; round < 500; round++) {
		struct proxy_state *s = proxy_state_new();
		struct proxy_run_state *r = proxy_run_state_new(s, STR("r"));
		int order[8] = {0};

		for (int i = 0; i < 8; i++) {
			uint64_t at = roll((uint64_t)i + 1);

			order[i] = order[at];
			order[at] = i;
		}
		for (int i = 0; i < 8; i++) {
			int n = order[i];

			proxy_run_state_client(r, n,
				n == 0 ? say_run(&b, "c", "m", "0", &off)
					   : say_message(&b, "x", n == 7 ? &on : &off));
			if (roll(4) == 0 && n > 0)
				proxy_run_state_client(r, n, say_message(&b, "x", &off));
		}
		/* only the last one turned it on */
		assert_true(proxy_run_state_is_on(r));
		proxy_run_state_free(r);
		proxy_state_free(s);
	}
}

/* --- the gate --------------------------------------------------------------------- */

static struct told *
find_told(uint64_t ticket)
{
	for (size_t i = 0; i < w.count; i++) {
		if (w.told[i].ticket == ticket)
			return &w.told[i];
	}
	fail_msg("an unknown ticket");
	return &w.told[0];
}

static void
on_dropped(void *data, uint64_t ticket)
{
	struct told *t = find_told(ticket);

	(void)data;
	assert_false(t->gone); /* neither dropped nor let go before */
	t->gone = true;
	w.dropped++;
}

static void
hold_one(void)
{
	enum proxy_gate_kind kind = roll(2) ? PROXY_GATE_EXEC : PROXY_GATE_QUERY;
	uint32_t id = (uint32_t)roll(6);
	uint64_t ticket;

	if (w.count == TICKETS)
		return;
	ticket = proxy_gate_hold(&w.gate, kind, id);
	if (w.over) {
		assert_int_equal(ticket, 0);
		return;
	}
	assert_int_not_equal(ticket, 0);
	w.told[w.count++] = (struct told){ticket, id, kind, false};
}

/* A verdict comes, early, late, or twice. */
static void
verdict(void)
{
	struct told *t = w.count > 0 ? &w.told[roll(w.count)] : NULL;

	if (!t)
		return;
	bool pending = !t->gone && !w.over;

	assert_int_equal(proxy_gate_is_held(&w.gate, t->ticket), pending);
	assert_int_equal(proxy_gate_release(&w.gate, t->ticket), pending);
	w.let_go += pending;
	t->gone = true;
	assert_false(proxy_gate_release(&w.gate, t->ticket));
}

static void
event(void)
{
	enum proxy_gate_event e = roll(12) == 0
		? PROXY_GATE_END
		: (enum proxy_gate_event)roll(PROXY_GATE_END);
	uint32_t id = (uint32_t)roll(6);

	proxy_gate_tell(&w.gate, e, id, on_dropped, NULL);
	w.over = w.over || e == PROXY_GATE_END;
	for (size_t i = 0; i < w.count; i++) {
		const struct told *t = &w.told[i];
		bool taken = e != PROXY_GATE_ABORT
			|| (t->kind == PROXY_GATE_EXEC && t->id == id);

		if (taken)
			assert_true(t->gone);
		assert_int_equal(proxy_gate_is_held(&w.gate, t->ticket), !t->gone);
	}
}

static void
gate_race(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		w.gate = (struct proxy_gate){0};
		w.count = 0;
		w.over = false;
		w.random = seed;
		for (int i = 0; i < STEPS; i++) {
			switch (roll(8)) {
			case 0:
				event();
				break;
			case 1:
			case 2:
			case 3:
			case 4:
				hold_one();
				break;
			default:
				verdict();
				break;
			}
		}
		size_t held = 0;

		for (size_t i = 0; i < w.count; i++)
			held += !w.told[i].gone;
		assert_int_equal(w.gate.held, held);
		proxy_gate_done(&w.gate);
	}
	assert_true(w.let_go > SEEDS && w.dropped > SEEDS);
}

static void
gate_is_bounded(void **state)
{
	struct proxy_gate g = {0};
	size_t n = 0;

	(void)state;
	while (proxy_gate_hold(&g, PROXY_GATE_EXEC, (uint32_t)n) != 0)
		n++;
	assert_int_equal(n, PROXY_GATE_MAX);
	assert_true(proxy_gate_release(&g, 1));
	assert_int_not_equal(proxy_gate_hold(&g, PROXY_GATE_EXEC, 0), 0);
	proxy_gate_done(&g);
	assert_int_equal(proxy_gate_hold(&g, PROXY_GATE_EXEC, 0), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_at_every_boundary),
		cmocka_unit_test(frames_one_byte_at_a_time),
		cmocka_unit_test(frames_over_the_limit),
		cmocka_unit_test(fields_are_read),
		cmocka_unit_test(broken_fields),
		cmocka_unit_test(appended_in_place),
		cmocka_unit_test(append_makes_lengths_longer),
		cmocka_unit_test(paths_must_be_single),
		cmocka_unit_test(varint_is_replaced),
		cmocka_unit_test(values_as_json),
		cmocka_unit_test(deep_values_are_refused),
		cmocka_unit_test(vectors),
		cmocka_unit_test(vectors_that_pass),
		cmocka_unit_test(mutants),
		cmocka_unit_test(conversations_are_bounded),
		cmocka_unit_test(appends_in_any_order),
		cmocka_unit_test(gate_race),
		cmocka_unit_test(gate_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
