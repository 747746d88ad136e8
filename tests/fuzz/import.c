/*
 * Any bytes as another agent's list: what is printed is read by our own reader
 * without a fault, and a file that cannot be read gives nothing.
 */

#include "import/import.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "policy/policy.h"

enum { OUT_BYTES = 8 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_rules(struct arena *a, const struct import *im)
{
	CLEANUP(buf_done) struct buf b;
	CLEANUP(policy_unrefp) struct policy *p = policy_new();
	struct policy_faults faults = {0};

	buf_init(&b, OUT_BYTES);
	import_print(&b, im);
	CHECK(p && !b.full);
	CHECK(policy_add(
		p, POLICY_LAYER_USER, STR("printed"), buf_str(&b), a, &faults));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new(LIMIT_ARENA_BYTES);
	enum import_agent agent = size > 0
		? (enum import_agent)(data[0] % IMPORT_AGENT_COUNT)
		: IMPORT_CLAUDE;
	struct import im = {.a = a, .of_project = size > 1 && data[1] % 2 == 1};

	CHECK(a);
	if (size > 2 && ARENA_TRY(a)) {
		struct str text = {(const char *)data + 2, size - 2};

		if (import_read(&im, agent, text))
			check_rules(a, &im);
		else
			CHECK(im.fault.len > 0 && im.rule_count == 0);
	}
	arena_free(a);
	return 0;
}
