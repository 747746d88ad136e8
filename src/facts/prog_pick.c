/*
 * Choosers: they read a list, let a person choose, and print the choice. What
 * they run while they do is text for a shell, or hidden in the binding of a key.
 */

#include "facts/facts_priv.h"

/* Actions of a key that run text: --bind 'enter:execute(vim {})'. */
static const char *const running[] = {
	"execute", "become", "reload", "transform", "preview", "bg-"};

/* What stands behind an action that has an argument. */
static bool
has_argument(struct str text, size_t end)
{
	static const struct str opening = {"([{<~!@#$%^&*;/|:", 17};

	return end < text.len && str_has_char(opening, text.ptr[end]);
}

/* Where a binding names no such action it only moves about; preview-up and
 * toggle-preview do. */
static bool
runs_something(struct str text)
{
	for (size_t i = 0; i < ARRAY_LEN(running); i++) {
		struct str what = str_from(running[i]);
		size_t at = str_find(text, what, 0);

		for (; at < text.len; at = str_find(text, what, at + 1)) {
			if (!str_eq(what, STR("preview"))
				|| has_argument(text, at + what.len))
				return true;
		}
	}
	return false;
}

static void
hook_fzf(struct facts_run *run)
{
	for (size_t i = 0; i < run->given_count; i++) {
		const struct facts_given *g = &run->given[i];

		if (!str_eq(g->name, STR("--bind")))
			continue;
		if (g->value.flags & (FACTS_DYNAMIC | FACTS_MANY))
			facts_run_ignore(run, CALL_DYNAMIC,
				"a key that only running would tell", g->value.source);
		else if (runs_something(g->value.text))
			facts_run_ignore(run, CALL_UNKNOWN, "a key that runs something",
				g->value.source);
	}
}

// clang-format off
const struct facts_prog facts_prog_pick[] = {
	{.names = "fzf sk", .manual = "fzf(1)", .style = FACTS_DIGITS,
		.opts = FACTS_OPTS(
			FLAGS("-x --extended -e --exact +x --no-extended -i --ignore-case +i --no-ignore-case "
				"--smart-case --literal -s +s --no-sort --track --tac --disabled --no-mouse "
				"--cycle --keep-right --no-hscroll --filepath-word --reverse --inline-info --no-info "
				"--no-separator --no-scrollbar --ansi --no-color --no-bold --black --no-unicode "
				"--no-clear --read0 --print0 --print-query --sync --select-1 -1 --exit-0 -0 "
				"--no-multi +m --no-border --no-margin --no-padding --version --help -h --man "
				"--highlight-line --wrap --multi-line --no-multi-line --raw --tail --no-input "
				"--no-tty-default --force-tty-in --ambidouble --bash --zsh --fish --enabled "
				"--header-first --no-height --no-tmux --walker-no-skip --async --print-score "
				"--header-border --input-border --list-border --footer-border --no-gap-line "
				"--no-hidden --hscroll --no-list-border --no-input-border --no-header-border"),
			MAYBES("-m --multi --tmux --popup --border --scrollbar --separator --color --gap "
				"--gap-line --track --style --preview-border --list-border --input-border "
				"--header-border --footer-border --hscroll --expect --info --wrap-sign --sort"),
			VALUES("--scheme --algo -n --nth --with-nth --accept-nth -d --delimiter --tiebreak "
				"--scroll-off --hscroll-off --jump-labels --gutter --tabstop --ellipsis --query -q "
				"-f --filter --height --min-height --layout --border-label --border-label-pos "
				"--margin --padding --prompt --pointer --marker --marker-multi-line --header "
				"--header-lines --preview-window --preview-label --preview-label-pos --history-size "
				"--list-label --list-label-pos --input-label --input-label-pos --header-label "
				"--header-label-pos --ghost --footer --footer-label --footer-label-pos "
				"--walker --walker-skip --tail --threads --freeze-left --freeze-right "
				"--gutter-raw --id-nth --toggle-sort --cmd-prompt"),
			VALUES("--bind"), VALUE("--preview", SHELL), VALUE("--history", WRITE),
			VALUE("--walker-root", LIST_TREE), VALUE("-c --cmd --interactive", SHELL),
			MAYBE("--listen --listen-unsafe", UNKNOWN), VALUE("--with-shell", UNKNOWN),
			VALUE("--proxy-script", UNKNOWN), VALUE("--profile-cpu --profile-mem", UNKNOWN)),
		.hook = hook_fzf},
	{.names = "eza exa lsd", .manual = "https://github.com/eza-community/eza/blob/main/man/eza.1.md",
		.style = FACTS_LOOSE,
		.does = {DO_IF(LIST_TREE, ".", 0, FACTS_OPERANDS)},
		.operands = {OP(LIST_TREE, ALL)}},
	{0},
};
// clang-format on
