#include <stdio.h>
#include <string.h>

#include "tests/test.h"

/* A new behaviour is a new line in a file of one of these folders. */
static const struct {
	const char *folder;
	test_fn fn;
} folders[] = {
#define X(name) {"tests/cases/" #name, show_##name},
	TEST_SHOWS(X)
#undef X
};

/* cases [--bless] [FOLDER]: all folders, or the one whose name ends so. */
int
main(int argc, char **argv)
{
	bool bless = argc > 1 && strcmp(argv[1], "--bless") == 0;
	const char *only = argc > 1 + bless ? argv[1 + bless] : "";

	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		if (str_ends(str_from(folders[i].folder), str_from(only)))
			test_folder(folders[i].folder, folders[i].fn, bless);
	}
	return test_finish();
}
