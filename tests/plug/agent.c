/*
 * A stand-in for an agent: runs its arguments as a child and waits. Under an
 * agent's name ("claude") it is what the daemon finds among the ancestors of a
 * hook.
 */

#include <sys/wait.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	int status = 0;
	pid_t child = argc > 1 ? fork() : -1;

	if (child == 0) {
		(void)execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 126;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
