#include "daemon/upkeep.h"

#include <stdio.h>

enum { EVERY_MS = 60000, PATH_BYTES = 4096 };

void
daemon_upkeep_look(struct daemon *d)
{
	struct daemon_rules_now now = daemon_rules_get(d->rules, (struct str){0});
	struct str path = policy_setting(now.policy, "audit.heads");
	char heads[PATH_BYTES] = "";

	if (!d->writer)
		return;
	if (str_starts(path, STR("~/")))
		(void)snprintf(heads, sizeof(heads), "%.*s%.*s", STR_ARG(d->place.home),
			STR_ARG(str_sub(path, 1, path.len)));
	else if (path.len > 0)
		(void)snprintf(heads, sizeof(heads), "%.*s", STR_ARG(path));
	daemon_writer_keep(
		d->writer, heads, policy_setting_number(now.policy, "audit.days"));
}

static void
on_time(uv_timer_t *timer)
{
	daemon_upkeep_look(timer->data);
}

void
daemon_upkeep_start(struct daemon *d)
{
	CHECK(uv_timer_init(&d->loop, &d->upkeep) == 0);
	d->upkeep.data = d;
	daemon_upkeep_look(d);
	CHECK(uv_timer_start(&d->upkeep, on_time, EVERY_MS, EVERY_MS) == 0);
}

void
daemon_upkeep_close(struct daemon *d)
{
	uv_close((uv_handle_t *)&d->upkeep, NULL);
}
