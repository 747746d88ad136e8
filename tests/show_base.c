#include "base/buf.h"
#include "tests/test.h"

/* text => the text as a JSON string, escaped as prompts and logs need it */
struct str
show_base(struct arena *a, const struct test_scene *scene, struct str input)
{
	CLEANUP(buf_done) struct buf b;

	(void)scene;
	buf_init(&b, 1 << 16);
	buf_add_json(&b, input);
	return arena_dup(a, buf_str(&b));
}
