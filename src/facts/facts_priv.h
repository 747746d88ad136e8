#ifndef FACTS_FACTS_PRIV_H
#define FACTS_FACTS_PRIV_H

/*
 * What the files of this room share: the reading of one call (struct facts) and
 * of one command in it (struct facts_run).
 */

#include "call/call.h"
#include "facts/facts.h"
#include "facts/prog.h"
#include "shell/shell.h"

enum {
	FACTS_TEXT_DEPTH_MAX = 8, /* sh -c in sh -c in ... */
	FACTS_CALL_DEPTH_MAX = 4, /* functions in functions */
	FACTS_CWD_MAX = 4,        /* folders a command may run in */
	FACTS_LOOP_ITEMS_MAX = 16,
	FACTS_UNROLL_MAX = 64, /* loop bodies read more than once, in all */
	FACTS_VARS_MAX = 512,  /* assignments followed, in all */
	FACTS_BRACE_MAX = 64,  /* words from one brace expansion */
	FACTS_LINKS_MAX = 40,  /* followed on one path */
	FACTS_WORK_MAX = 9000, /* steps, a tenth of a microsecond each */
};

/* Where text came from; kept on words, variables, files and pipes. */
enum facts_taint {
	FACTS_FROM_NET = 1 << 0,
	FACTS_FROM_SECRET = 1 << 1,  /* the content of a secret file */
	FACTS_FROM_TOKEN = 1 << 2,   /* a variable that is named like a secret */
	FACTS_FROM_DECODER = 1 << 3, /* base64 -d and kin */
	FACTS_FROM_SHELL = 1 << 4,   /* a shell that reads what comes in */
	FACTS_FROM_INPUT = 1 << 5,   /* xargs and kin made an argument of it */
};

enum facts_word_flag {
	FACTS_DYNAMIC = 1 << 0, /* '?' stands for what only running would tell */
	FACTS_GLOB = 1 << 1,    /* "*" and kin, for the shell to expand */
	FACTS_MANY = 1 << 2,    /* may be no word or several */
	FACTS_PIPE = 1 << 3,    /* the name of a process substitution */
	FACTS_BELOW = 1 << 4,   /* names of files at any depth below */
	FACTS_NUMBER = 1 << 5,  /* the unknown part is a number or a plain name */
	FACTS_ITSELF = 1 << 6,  /* a path whose last link is not followed */
	FACTS_NEVER = 1 << 7,   /* the unknown words are none: nothing comes in */
	FACTS_FOREIGN = 1 << 8, /* what a file, an answer or an input said */
};

/* Text that flows through a pipe, out of a substitution or into a command. */
struct facts_flow {
	bool known;     /* text is exactly what flows */
	bool any;       /* something flows at all */
	bool from_pipe; /* not the terminal, /dev/null or a file */
	struct str text;
	unsigned taint;
	struct str file; /* ... the whole content of this one, else absent */
	/* it consists of names of files below these folders */
	bool names;
	struct str below;
	struct str tree; /* ... of this one, absolute; absent: not known */
	bool word;       /* one word, that is no option and has no blanks */
	bool closed;     /* the standard input of the call: nothing is to be read */
};

struct facts_word {
	struct str text;
	struct str source; /* as it was written */
	unsigned flags;
	unsigned taint;
	const struct facts_flow *pipe; /* what a PIPE gives, else NULL */
	struct str tree; /* of GLOB: the folder with the names; absent: see text */
};

struct facts_words {
	struct facts_word *list;
	size_t count, cap;
};

struct facts_var {
	const struct facts_var *next;
	struct str name; /* absent: a wall, nothing behind it is known */
	bool known;
	struct str text;
	unsigned flags; /* enum facts_word_flag of the value */
	unsigned taint;
	struct str tree;
};

struct facts_func {
	struct facts_func *next;
	struct str name;
	struct str source; /* the text its body is a part of */
	const struct shell_node *body;
	bool certain; /* not inside a condition */
	bool called, active;
	struct facts_func *all_next;
};

/* The folders in which a command may run. None and not unknown: it is never
 * reached. */
struct facts_cwd {
	struct str paths[FACTS_CWD_MAX];
	size_t count;
	bool unknown;
};

/* What changes as commands run one after the other. */
struct facts_state {
	struct facts_cwd cwd;    /* after the last command, if it succeeded */
	struct facts_cwd failed; /* ... if it failed */
	const struct facts_var *vars;
	struct facts_func *funcs;
	const struct facts_word *args; /* "$@" */
	size_t arg_count;
	bool args_known;
	unsigned args_taint;
};

/* A file that this call writes, and where its content came from. */
struct facts_file {
	struct facts_file *next;
	struct str path;
	unsigned taint;
	bool known;
	struct str text;
};

struct facts {
	struct arena *a;
	const struct call *call;
	const struct call_world *world;
	struct call_facts *out;
	size_t effect_cap, command_cap, hazard_cap, host_cap, need_cap, script_cap;

	struct facts_state s;
	enum shell_dialect dialect;
	bool zsh;        /* ... as zsh reads it, where that differs from bash */
	struct str text; /* the shell text that the nodes at hand point into */
	struct facts_file *files;
	struct facts_func *all_funcs;
	unsigned text_depth, call_depth, node_depth;
	unsigned condition_depth; /* > 0: what is read may not run */
	unsigned privilege_depth; /* > 0: runs as root */
	size_t unrolled, var_count, work;
	size_t wrapper;   /* the command whose words are being read */
	bool input_moved; /* exec has given the shell another standard input */
	bool ifs_changed; /* words are not parted at blanks any more */
	bool has_dev_tcp; /* exec has opened a connection of bash's own */
	size_t dev_tcp;   /* the command that did */
};

/* An option as it was given. */
struct facts_given {
	const struct facts_opt *opt;
	struct str name;
	struct facts_word value;
	bool has_value;
};

struct facts_run {
	struct facts *f;
	const struct facts_prog *prog;  /* the row, or the sub-command's */
	const struct facts_prog *top;   /* the program's row */
	const struct facts_word *words; /* the first is the program */
	size_t count;
	size_t index;    /* of the command in the facts */
	struct str name; /* "git" */
	struct str sub;  /* "log", absent without */

	struct facts_given *given;
	size_t given_count;
	const struct facts_word *operands;
	size_t operand_count;
	unsigned bits;        /* what options have set */
	const char *language; /* of the text at hand */
	bool done;            /* a hook has read the operands itself */
	bool guessed;         /* an option without a row was taken as harmless */
	struct facts_cwd cwd; /* where it runs: the state's, or behind -C */

	const struct facts_flow *in;
	struct facts_flow *out;
};

/* --- out.c: what is found ------------------------------------------------- */

size_t facts_add_command(struct facts *f, const struct facts_word *words,
	size_t count, struct str program);
void facts_add_effect(struct facts *f, struct call_effect e);
void facts_add_hazard(
	struct facts *f, enum call_hazard_kind kind, struct str what);
/* The call's text is a program of its own: it defines functions, or begins as a
 * script does. */
void facts_add_program_text(struct facts *f, struct str what);
void facts_add_host(struct facts *f, struct str host);
void facts_add_need(struct facts *f, enum call_need_kind kind, struct str name);
/* A file of the workspace whose text is run; see struct call_script. */
void facts_add_script(
	struct facts *f, struct str path, struct str entry, bool or_else);
/* Adds steps of work; false, and the call is cut, when it is more than one call
 * may have. */
bool facts_work(struct facts *f, size_t steps);
/* The call is past a bound: the rest of it is not looked at. */
void facts_cut(struct facts *f);
/* Marks the call, and the command if there is one, as not understood. why is
 * in words for people: the first is kept. */
void facts_ignore(struct facts *f, size_t command, unsigned kind,
	const char *why, struct str what);

/* --- path.c --------------------------------------------------------------- */

/* An absolute, clean path with the world's links followed. False when the
 * world did not say and was asked. */
struct str facts_path_follow(struct facts *f, struct str path, bool *ret_sure);
enum call_scope facts_path_scope(const struct facts *f, struct str path);
/* Whether text, where a file is named, is standard input. */
bool facts_path_is_input(struct str text);
/* /dev/null and kin: reading or writing them is nothing. */
bool facts_path_is_nothing(struct str path);
bool facts_path_below(struct str path, struct str folder);
/* Content that must not leave the machine: keys, credentials, .env. */
bool facts_path_is_secret(const struct facts *f, struct str path);
/* Each absolute path that the word may be, against cwd. At most FACTS_CWD_MAX;
 * returns how many. *ret_sure is false if it is not fully known. */
size_t facts_path_of(struct facts *f, const struct facts_cwd *cwd,
	const struct facts_word *w, struct str ret[FACTS_CWD_MAX], bool *ret_sure);
/* A name that says elsewhere what it does not say here: "...", a stream behind a
 * file's name, or an option of whoever is given a star. */
bool facts_path_hides(struct str path);
/* Whether a word is written as a path with a drive: C:\\x, C:/x. */
bool facts_path_is_foreign(struct str source);
void facts_cwd_join(struct facts_cwd *into, const struct facts_cwd *other);

/* --- word.c, vars.c ------------------------------------------------------- */

struct facts_word facts_word_from(struct str text);
void facts_words_add(
	struct facts *f, struct facts_words *list, struct facts_word w);
/* Adds the words that a WORD node becomes; what stands in substitutions is
 * walked. */
void facts_word_expand(
	struct facts *f, const struct shell_node *word, struct facts_words *list);
/* The same for a place where it stays one word (assignments, redirections). */
struct facts_word facts_word_one(
	struct facts *f, const struct shell_node *word);
/* The same for the value of a variable, which may stand for names of files. */
struct facts_word facts_word_value(
	struct facts *f, const struct shell_node *word);

/* Text that runs a command when the shell counts with it, or uses it as a name:
 * a[$(id)]. Marks the call. */
void facts_var_counts(struct facts *f, size_t command, struct str text);
/* The shell counts with what stands in node (arithmetic, a subscript): what is
 * foreign there may run a command. Marks the call. */
void facts_var_counts_with(struct facts *f, const struct shell_node *node);
/* The same for the names in a text. */
void facts_var_counts_names(struct facts *f, struct str text);
/* Whether the last command of a substitution prints numbers alone. */
bool facts_var_is_number_out(const struct shell_node *cmdsub);
/* A name as secrets have: GITHUB_TOKEN. */
bool facts_var_is_secret(struct str name);
void facts_var_set(struct facts *f, struct str name, struct facts_word value);
void facts_var_forget(struct facts *f, struct str name); /* absent: all */
/* A variable is set to what is not known, other than by an assignment (read, for,
 * ${x:=y}): word is its name, or begins with it. */
void facts_var_lose(
	struct facts *f, size_t command, const struct facts_word *word);
/* The names in an arithmetic text: any of them may be set there. */
void facts_vars_count(struct facts *f, const struct shell_node *arith);
struct facts_word facts_var_get(struct facts *f, struct str name);
/* Both may have happened: what differs is unknown. base is what both began
 * with. */
void facts_state_join(struct facts *f, const struct facts_state *base,
	const struct facts_state *other);
/* Variables that commands below node set become unknown. */
void facts_vars_forget_below(struct facts *f, const struct shell_node *node);
/* What setting this variable means for programs; index as in effects. */
void facts_env(
	struct facts *f, size_t command, struct str name, struct facts_word value);

/* A literal secret that the call gives to a variable and its children. */
void facts_env_secret(
	struct facts *f, size_t command, struct str name, struct facts_word value);

/* --- walk.c --------------------------------------------------------------- */

void facts_walk(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out);
/* A simple command. */
void facts_walk_command(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out);
/* Every substitution inside a node of words. */
void facts_walk_inside(struct facts *f, const struct shell_node *node);
/* Reads text as a shell script that the command at hand runs. */
void facts_walk_text(struct facts *f, struct str text,
	const struct facts_flow *in, struct facts_flow *out);

/* --- flow.c --------------------------------------------------------------- */

/* What flows when both do, one after the other. */
void facts_flow_join(struct facts_flow *into, const struct facts_flow *other);
/* A file that this call has written before, or NULL. */
struct facts_file *facts_file_find(struct facts *f, struct str path);
void facts_file_add(
	struct facts *f, struct str path, const struct facts_flow *flow);
/* A function of the text that was read at its end without being called. */
void facts_walk_uncalled(struct facts *f);

/* --- names.c -------------------------------------------------------------- */

enum facts_names {
	FACTS_NAMES_ANY,
	FACTS_NAMES_ORDINARY, /* stay whole where blanks part words */
	FACTS_NAMES_PLAIN,    /* ... and where a shell reads them */
};

/* The folder that holds the names a glob may become; absent: not known. */
struct str facts_names_tree(
	struct facts *f, const struct facts_cwd *cwd, const struct facts_word *w);
/* Whether the names below tree are at least so, as far as the world said. What
 * it did not say is asked for. */
bool facts_names_are(struct facts *f, struct str tree, enum facts_names least);
/* Whether a name that stands in a shell's text may be a command there. */
bool facts_names_are_code(struct facts *f, const struct facts_word *text);
/* What comes in and is printed consists of names below w, against cwd. */
void facts_names_flow(struct facts *f, const struct facts_cwd *cwd,
	const struct facts_word *w, struct facts_flow *out);
/* Whether run prints one word that is no option and has no blanks in it: a
 * number, a date, a user, a commit. */
bool facts_names_word_out(const struct facts_run *run);
/* which NAME, command -v NAME: the file of a program, as the world says. */
void facts_names_program(struct facts_run *run);
/* Whether the operands from first on are names of no secret, below the folder. */
bool facts_names_stay(const struct facts_run *run, size_t first);
/* What one line of the flow names, if it is names of files and stays one word:
 * where lines are taken apart, whole is false and the names must be ordinary.
 * Else otherwise. */
struct facts_word facts_names_word(struct facts *f,
	const struct facts_flow *flow, bool whole, struct facts_word otherwise);

/* --- run.c, args.c, role.c ------------------------------------------------ */

/* Reads one command, given as words, also for wrappers. */
void facts_run(struct facts *f, const struct facts_word *words, size_t count,
	const struct facts_flow *in, struct facts_flow *out);
/* The same for the command that run wraps. */
void facts_run_inner(
	struct facts_run *run, const struct facts_word *words, size_t count);
/* Runs text in a shell on behalf of run. */
void facts_run_shell(struct facts_run *run, const struct facts_word *text);
void facts_args_read(struct facts_run *run);
/* The first given option that has one of the blank-separated names, or NULL. A
 * row puts options of one meaning together, so every synonym is named here. */
const struct facts_given *facts_given_find(
	const struct facts_run *run, const char *names);
/* The operands from first on as one text with blanks between, for a shell. */
struct facts_word facts_operands_join(
	const struct facts_run *run, size_t first);
void facts_apply(struct facts_run *run, enum facts_role role, unsigned flags,
	const struct facts_word *w);
/* The same with a plain text. */
void facts_apply_text(struct facts_run *run, enum facts_role role,
	unsigned flags, const char *text);
void facts_run_ignore(
	struct facts_run *run, unsigned kind, const char *why, struct str what);
/* What comes in is run as text of the language. */
void facts_run_input(
	struct facts_run *run, const struct facts_flow *in, const char *language);
/* An option of bash's set -o or shopt that is turned on: one that changes how the
 * rest is read is marked. */
void facts_shell_option(
	struct facts_run *run, const struct facts_word *name, bool is_shopt);
/* Literal program text in a language that is not the shell. */
void facts_run_code(
	struct facts_run *run, const char *language, const struct facts_word *code);
void facts_run_script(struct facts_run *run, const struct facts_word *file);
/* The same for a file that is run by its own path: its first line names the
 * language. The run is that of a shell. */
void facts_run_itself(struct facts_run *run, struct str path);

/* Whether the command runs code by what was found of it from this effect on. */
bool facts_run_executes(const struct facts_run *run, size_t first_effect);
/* Whether the workspace's settings for this program name code (settings.c). */
void facts_run_settings(struct facts_run *run);
/* The makefile, manifest or kin that says what this command runs (script.c); its
 * effects begin at first_effect. */
void facts_run_manifest(struct facts_run *run, size_t first_effect);

/* The words of the command with blanks between, for people. */
struct str facts_run_text(const struct facts_run *run);
/* Text that came off the network is run as a program. */
void facts_download_run(struct facts *f, struct str what);
/* The same for text by its taint; the effect is added for run. */
void facts_text_run(struct facts_run *run, unsigned taint, struct str what);

/* --- url.c ---------------------------------------------------------------- */

struct facts_url {
	struct str scheme, userinfo, host, port, path, query;
	bool odd; /* the host is written so that its meaning is hidden */
	bool loopback, private_net, metadata;
};
/* Adds the effect and the host. text is what was written. */
void facts_connect(struct facts *f, size_t command, struct str by,
	struct str host, struct str text);
MUST_USE bool facts_url_parse(
	struct arena *a, struct str text, struct facts_url *ret);

/* --- names.c -------------------------------------------------------------- */

/* The files that may be secret below the folder of path, a line each; *ret_known is
 * false when the world should have said and did not. */
struct str facts_secrets_below(
	struct facts *f, struct str path, bool *ret_known);
/* A read of one of them. */
void facts_secret_add(struct facts *f, struct str folder, struct str name,
	struct str by, size_t command);
/* Reads of those that run meets when it goes through path. */
void facts_secrets_met(struct facts_run *run, unsigned flags, struct str path);

/* --- hazard.c, tool.c ----------------------------------------------------- */

/* Characters that hide or reorder text. content: a file's text, where only
 * reordering counts. */
void facts_scan_hidden(struct facts *f, struct str text, bool content);
/* Letters in $'...' that are written as numbers: nobody needs to. */
void facts_scan_escapes(struct facts *f, struct str text);
void facts_hazards(struct facts *f); /* by the whole of what was found */
void facts_hazard_words(struct facts_run *run);
void facts_tool(struct facts *f);

/* --- filter.c -------------------------------------------------------------- */

/* The names that a filter asks for, as a read of them. */
void facts_filter(struct facts_run *run, const struct facts_word *w);
/* An expression as a glob that matches at least as much. is_whole: it must match
 * all of a name. Absent: no glob says as much. */
struct str facts_filter_glob(struct arena *a, struct str regex, bool is_whole);

/* --- patch.c --------------------------------------------------------------- */

/* The files that the text of a patch names, as run touches them. */
void facts_patch(struct facts_run *run, struct str text);
/* The same for a tool that is given a patch. */
void facts_patch_tool(struct facts *f, struct str text);
/* The files that a unified diff names, without their first strip components. False,
 * and nothing is done, where it is not understood. */
bool facts_diff(
	struct facts_run *run, struct str text, size_t strip, bool is_dry);

/* --- cloud.c --------------------------------------------------------------- */

/* A statement, asked of a database that the user is logged in to. */
void facts_sql(struct facts_run *run, const struct facts_word *w);

/* gcloud, az and kin: asks, changes, or shows a credential, by noun and verb. */
void facts_hook_cloud(struct facts_run *run);

/* --- container.c ------------------------------------------------------------ */

/* docker exec CONTAINER COMMAND: without a command it is not complete. */
void facts_hook_inside(struct facts_run *run);
/* docker run IMAGE COMMAND: what of the machine is given to it. */
void facts_hook_container(struct facts_run *run);

/* --- prog_service.c, prog_text.c ------------------------------------------- */

/* A command that asks a service: what stands beside the names. */
void facts_hook_looks(struct facts_run *run);
/* A filter in jq's language: what it reads that is no input. */
void facts_check_jq(struct facts_run *run, const struct facts_word *w);

#endif
