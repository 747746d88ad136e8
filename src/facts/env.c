/*
 * Variables that change what programs do: what runs other programs or loads
 * code is an effect, whatever command stands behind.
 */

#include "facts/facts_priv.h"

/* Shorter ones are switches: USE_TOKEN=yes. */
enum { SECRET_BYTES_MIN = 6 };

enum meaning {
	ENV_COMMAND, /* a command line that is run, or a file that is written */
	ENV_CODE,    /* the value names code that is loaded, or options that may */
	ENV_PATH,    /* where programs are looked for */
	ENV_HOST,    /* traffic goes there */
	ENV_PLACE,   /* where settings are read from */
	ENV_SHELL,   /* changes how the shell reads what follows */
	ENV_AGENT,   /* an agent's settings: its hooks are not found */
};

/* A name that ends in '*' stands for all that begin so. */
static const struct {
	enum meaning meaning;
	const char *names;
} rows[] = {
	{ENV_COMMAND,
     "PAGER GIT_PAGER MANPAGER BAT_PAGER GH_PAGER AWS_PAGER SYSTEMD_PAGER "
		"EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR GH_EDITOR KUBE_EDITOR "
		"SUDO_EDITOR FCEDIT BROWSER GH_BROWSER GIT_SSH GIT_SSH_COMMAND "
		"GIT_PROXY_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS "
		"SUDO_ASKPASS LESSOPEN LESSCLOSE RSYNC_RSH CVS_RSH PROMPT_COMMAND "
		"TAR_OPTIONS RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER GIT_TRACE* LESS "
		"FZF_DEFAULT_COMMAND FZF_DEFAULT_OPTS* PSQL_PAGER PSQL_EDITOR "
		"DELTA_PAGER KUBECTL_EXTERNAL_DIFF SVN_SSH SVN_EDITOR HGEDITOR GH_PATH "
		"CONFIG_SHELL MAKESHELL PARALLEL_SHELL CLOUDSDK_PYTHON* MANROFFOPT "
		"CVSEDITOR DIFFPROG MERGE_TOOL P4DIFF NODE_V8_COVERAGE ACK_PAGER* "
		"RSYNC_CONNECT_PROG SYSTEMD_EDITOR SYSTEMD_LESS PERLDOC_PAGER "
		"RI_PAGER GROFF_* HGMERGE SSLKEYLOGFILE SSH_PKCS11_HELPER "
		"CCACHE_PREFIX* WATCH_COMMAND MAILER MORE"                 },
	{ENV_CODE,
     "LD_* DYLD_* NODE_OPTIONS NODE_PATH PYTHONPATH PYTHONSTARTUP "
		"PYTHONHOME "
		"PYTHONINSPECT PYTHONUSERBASE PYTHONBREAKPOINT PYTHONWARNINGS RUBYOPT "
		"RUBYLIB PERL5LIB PERL5OPT "
		"PERL5DB PERLLIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS "
		"MAVEN_OPTS GRADLE_OPTS CLASSPATH LUA_PATH LUA_CPATH LUA_INIT "
		"GCONV_PATH "
		"BASH_ENV ENV GIT_CONFIG* GIT_EXEC_PATH GIT_TEMPLATE_DIR "
		"GLIBC_TUNABLES "
		"MAKEFLAGS MAKEFILES RUSTC RUSTDOC CARGO_BUILD_RUSTC* "
		"npm_config_* NPM_CONFIG_* PIP_* UV_* "
		"PHPRC PHP_INI_SCAN_DIR GEM_HOME GEM_PATH BUNDLE_GEMFILE GOFLAGS CC "
		"CXX "
		"OPENSSL_CONF OPENSSL_ENGINES VIMINIT EXINIT LESSKEY* TERMINFO "
		"DOCKER_CONFIG KUBECONFIG ZDOTDIR FPATH SHELL INPUTRC "
		"TERMINFO_DIRS BAT_CONFIG_* BAT_OPTS PSQLRC PGSERVICEFILE "
		"CARGO_TARGET_* CARGO_ALIAS_* CARGO_ENCODED_RUSTFLAGS RUSTFLAGS "
		"RUSTDOCFLAGS RUSTUP_TOOLCHAIN RUSTUP_HOME GOROOT GOENV GOTOOLCHAIN "
		"GOPROXY GOPACKAGESDRIVER GOCACHEPROG GCCGO CGO_* AR AS LD CPP "
		"PKG_CONFIG* CFLAGS CXXFLAGS CPPFLAGS LDFLAGS GCC_EXEC_PREFIX "
		"COMPILER_PATH DOTNET_* CORECLR_* COR_* COMPlus_* MYPYPATH PYLINTRC "
		"PYLINTHOME PYTHONPYCACHEPREFIX PYTHONPLATLIBDIR PYTHONEXECUTABLE "
		"VIRTUAL_ENV R_PROFILE* R_ENVIRON* R_LIBS* JULIA_* GUILE_LOAD_* "
		"TCLLIBPATH ERL_* ELIXIR_ERL_OPTIONS OCAMLRUNPARAM CAML_LD_* LUA_* "
		"HELM_* TF_* ANSIBLE_* CLOUDSDK_* AWS_CA_BUNDLE NODE_EXTRA_CA_CERTS "
		"HGRCPATH SVN_CONFIG_DIR PARALLEL GH_CONFIG_DIR JQ_LIBRARY_PATH MAGIC "
		"JAVA_OPTS ANT_OPTS SBT_OPTS GROOVY_* GTK_MODULES GTK_PATH "
		"QT_PLUGIN_PATH GIO_EXTRA_MODULES LOCPATH NLSPATH GREP_OPTIONS "
		"MYSQL_HOME LIBMYSQL_* SQLITE_HISTORY HOSTALIASES GIT_ALLOW_PROTOCOL "
		"GIT_PROTOCOL_FROM_USER GIT_ATTR_SOURCE EXECIGNORE "
		"ZIPOPT ZIP UNZIP UNZIPOPT ZIPINFO ACK_OPTIONS SSH_SK_PROVIDER "
		"SSH_SK_HELPER APT_CONFIG DPKG_* DBUS_* RUSTFMT CARGO_BUILD_* "
		"CARGO_REGISTR* CARGO_HTTP_* YARN_* BUN_* DENO_* COMPOSER BUNDLE_* "
		"PYTEST_ADDOPTS PYTEST_PLUGINS COVERAGE_* TEXTDOMAINDIR VIM "
		"VIMRUNTIME MYVIMRC NVIM_* EMACSLOADPATH EMACSDATA EMACSPATH TERMCAP "
		"JAVA_HOME JAVACMD MAVEN_* M2_HOME GRADLE_* ANT_ARGS GOBIN "
		"GOMODCACHE GOWORK SHELLCHECK_OPTS TMPPREFIX"              },
	{ENV_PATH,    "PATH"										   },
	{ENV_HOST,
     "http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy "
		"ftp_proxy FTP_PROXY DOCKER_HOST AWS_ENDPOINT_URL* GH_HOST"},
	{ENV_PLACE,
     "HOME XDG_CONFIG_HOME XDG_CONFIG_DIRS XDG_DATA_HOME GIT_DIR "
		"GIT_WORK_TREE "
		"GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES "
		"GIT_INDEX_FILE GIT_NAMESPACE "
		"XDG_CACHE_HOME XDG_STATE_HOME XDG_DATA_DIRS COMPOSER_HOME "
		"SSH_AUTH_SOCK PGHOST PGPASSFILE NETRC "
		"CARGO_HOME GNUPGHOME RIPGREP_CONFIG_PATH CURL_HOME WGETRC "
		"AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE"              },
	{ENV_SHELL,
     "IFS SHELLOPTS BASHOPTS PS4 BASH_FUNC_* GLOBIGNORE POSIXLY_CORRECT "
		"BASH_COMPAT CDPATH BASH_LOADABLES_PATH HISTFILE BASH_ALIASES "
		"BASH_CMDS "
		"BASH_XTRACEFD"											},
	{ENV_AGENT,
     "CODEX_HOME COPILOT_HOME KIRO_HOME CLAUDE_CONFIG_DIR GEMINI_CONFIG_DIR "
		"QWEN_HOME PLUGINS OPENCODE_CONFIG* CURSOR_CONFIG_DIR"     },
};

/* Values that make any of them harmless. */
static const char harmless[] =
	"cat less more true : false echo 0 1 2 never auto";

static bool
name_matches(const char *names, struct str name)
{
	for (const char *p = names; *p != '\0';) {
		size_t n = 0;

		while (n < name.len && p[n] == name.ptr[n])
			n++;
		if (p[n] == '*' || (n == name.len && (p[n] == ' ' || p[n] == '\0')))
			return true;
		p += n;
		while (*p != '\0' && *p != ' ')
			p++;
		while (*p == ' ')
			p++;
	}
	return false;
}

static void
mark(struct facts *f, size_t command, struct str name, struct facts_word value)
{
	if (command < f->out->command_count)
		f->out->commands[command].assigns = true;
	facts_add_effect(f,
		(struct call_effect){.kind = CALL_EFFECT_EXECUTE,
			.scope = CALL_SCOPE_UNKNOWN,
			.resource = arena_fmt(f->a, "%.*s=%.*s", STR_ARG(name),
				STR_ARG(str_sub(value.text, 0, 200))),
			.by = STR("environment"),
			.command = command});
}

/* An agent that looks for its settings elsewhere finds no hooks there. */
static void
mark_agent(struct facts *f, size_t command, struct str name)
{
	const struct facts_prog *row;

	if (command >= f->out->command_count
		|| !f->out->commands[command].program.ptr)
		return;
	row = facts_prog_find(f->out->commands[command].program);
	if (row && (row->style & FACTS_AGENT))
		facts_add_hazard(f, CALL_HAZARD_HOOK_DODGE, name);
}

/* PATH of the system's own folders alone. */
static bool
is_system_path(struct facts_word value)
{
	static const char folders[] =
		"/bin /usr/bin /usr/local/bin /sbin /usr/sbin /usr/local/sbin "
		"/opt/homebrew/bin";
	struct str rest = value.text;

	if (value.flags & FACTS_DYNAMIC || rest.len == 0)
		return false;
	while (rest.ptr) {
		struct str one = str_cut(rest, ':', &rest);

		if (!facts_names_have(folders, one))
			return false;
	}
	return true;
}

/* A shell that splits words in another way cannot be followed any further. */
static bool
is_plain_ifs(struct str value)
{
	for (size_t i = 0; i < value.len; i++) {
		if (!str_has_char(STR(" \t\n,:;|"), value.ptr[i]))
			return false;
	}
	return true;
}

/* Settings of the shell: only IFS as `read` needs it is harmless. */
static void
set_shell(
	struct facts *f, size_t command, struct str name, struct facts_word value)
{
	bool for_read = command < f->out->command_count
		&& facts_names_have(
			"read mapfile readarray", f->out->commands[command].program);

	if (str_eq(name, STR("IFS")) && is_plain_ifs(value.text)
		&& !(value.flags & FACTS_DYNAMIC)) {
		if (!for_read && command == CALL_NO_COMMAND)
			f->ifs_changed = true;
		return;
	}
	mark(f, command, name, value);
}

void
facts_env(
	struct facts *f, size_t command, struct str name, struct facts_word value)
{
	size_t i = 0;

	if (!facts_work(f, 12))
		return;
	/* a function in a variable, as some shells would read it */
	if (str_starts(value.text, STR("() {")))
		mark(f, command, name, value);
	while (i < ARRAY_LEN(rows) && !name_matches(rows[i].names, name))
		i++;
	if (i == ARRAY_LEN(rows)
		|| (rows[i].meaning == ENV_PATH && is_system_path(value)))
		return;
	switch (rows[i].meaning) {
	case ENV_COMMAND:
		if (!(value.flags & FACTS_DYNAMIC)
			&& (value.text.len == 0 || facts_names_have(harmless, value.text)))
			return;
		mark(f, command, name, value);
		return;
	case ENV_AGENT:
		mark_agent(f, command, name);
		return;
	case ENV_SHELL:
		set_shell(f, command, name, value);
		return;
	case ENV_CODE:
	case ENV_PATH:
	case ENV_HOST:
	case ENV_PLACE:
		mark_agent(f, command, name);
		if (value.text.len == 0 && !(value.flags & FACTS_DYNAMIC)
			&& rows[i].meaning != ENV_PATH)
			return;
		mark(f, command, name, value);
		return;
	}
}

void
facts_env_secret(
	struct facts *f, size_t command, struct str name, struct facts_word value)
{
	if (value.flags || value.text.len < SECRET_BYTES_MIN
		|| !facts_var_is_secret(name))
		return;
	facts_add_effect(f,
		(struct call_effect){.kind = CALL_EFFECT_READ,
			.scope = CALL_SCOPE_SYSTEM,
			.flags = CALL_EFFECT_SECRET,
			.resource = name,
			.by = STR("shell"),
			.command = command});
}
