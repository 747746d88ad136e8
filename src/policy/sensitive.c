#include <string.h>

#include "policy/policy_priv.h"

/*
 * What may hold a secret (DESIGN 2.6), by the components of its path. Letter
 * case never counts. A marker is a whole component, the begin or end of one,
 * or two that follow each other; it is never a part of an ordinary word:
 * tokenizer.rs and cookies.md are not secrets.
 */

#define N(text)                \
	{                          \
		text, sizeof(text) - 1 \
	}

/* Components that are a secret wherever they stand, files or folders. */
static const struct str names[] = {
	/* variables */
	N(".env"),
	N(".envrc"),
	N(".env.vault"),
	N(".env.keys"),
	N(".flaskenv"),
	/* logins of programs */
	N(".netrc"),
	N("_netrc"),
	N(".git-credentials"),
	N(".pgpass"),
	N(".my.cnf"),
	N(".mylogin.cnf"),
	N(".npmrc"),
	N(".pypirc"),
	N(".htpasswd"),
	N(".htdigest"),
	N(".s3cfg"),
	N(".boto"),
	N(".databrickscfg"),
	N(".terraformrc"),
	N("terraform.rc"),
	N(".vault-token"),
	N("rclone.conf"),
	N(".dockercfg"),
	N(".kaggle"),
	N(".ldaprc"),
	N(".smbcredentials"),
	N(".fetchmailrc"),
	N(".msmtprc"),
	N(".muttrc"),
	N(".pgadmin"),
	N(".ftpconfig"),
	N(".esmtprc"),
	N(".offlineimaprc"),
	N(".mbsyncrc"),
	N(".authinfo"),
	N(".authinfo.gpg"),
	N(".x_auth"),
	N(".xauthority"),
	N(".iceauthority"),
	N("wp-config.php"),
	N("credentials.tfrc.json"),
	N("application_default_credentials.json"),
	/* folders */
	N(".ssh"),
	N(".gnupg"),
	N(".gpg"),
	N(".aws"),
	N(".azure"),
	N(".kube"),
	N(".oci"),
	N(".aliyun"),
	N(".bluemix"),
	N(".password-store"),
	N(".secrets"),
	N(".secret"),
	N("secrets"),
	N("secret"),
	N(".credentials"),
	N("credentials"),
	N("credential"),
	N("private_keys"),
	N("private-keys"),
	N(".private"),
	N("keychains"),
	N("keyrings"),
	N("kwalletd"),
	N(".electrum"),
	N(".bitcoin"),
	N(".ethereum"),
	N(".solana"),
	N(".monero"),
	N("wallets"),
	N(".lastpass"),
	N(".bitwarden"),
	N(".1password"),
	N(".op"),
	N(".vault"),
	N(".sops"),
	N(".age"),
	N(".minisign"),
	N(".putty"),
	/* keys */
	N("id_rsa"),
	N("id_dsa"),
	N("id_ecdsa"),
	N("id_ed25519"),
	N("id_ecdsa_sk"),
	N("id_ed25519_sk"),
	N("id_xmss"),
	N("identity.key"),
	N("master.key"),
	N("secring.gpg"),
	N("kubeconfig"),
	N("keystore"),
	/* browsers, wallets */
	N("cookies"),
	N("cookies.sqlite"),
	N("cookies.sqlite-wal"),
	N("cookies.db"),
	N("cookies.txt"),
	N("cookies.binarycookies"),
	N("login data"),
	N("login data for account"),
	N("login data-journal"),
	N("logins.json"),
	N("logins-backup.json"),
	N("key3.db"),
	N("key4.db"),
	N("signons.sqlite"),
	N("web data"),
	N("wallet.dat"),
	N("passwords.csv"),
	/* histories */
	N(".bash_history"),
	N(".zsh_history"),
	N(".zhistory"),
	N(".sh_history"),
	N(".ash_history"),
	N(".ksh_history"),
	N(".history"),
	N(".histfile"),
	N("fish_history"),
	N(".python_history"),
	N(".node_repl_history"),
	N(".psql_history"),
	N(".mysql_history"),
	N(".sqlite_history"),
	N(".rediscli_history"),
	N(".irb_history"),
	N(".pry_history"),
	N(".mongo_history"),
	N(".mongorc.js"),
	N(".lesshst"),
	N(".php_history"),
	N(".r_history"),
	N(".rhistory"),
	N(".octave_hist"),
	N("consolehost_history.txt"),
};

/* How a file's name begins. Behind it must come a '.', '-' or '_', unless it
 * ends in one itself. */
static const struct str begins[] = {
	N(".env."),
	N(".env-"),
	N(".env_"),
	N(".envrc."),
	N("id_rsa"),
	N("id_dsa"),
	N("id_ecdsa"),
	N("id_ed25519"),
	N("ssh_host_rsa_key"),
	N("ssh_host_dsa_key"),
	N("ssh_host_ecdsa_key"),
	N("ssh_host_ed25519_key"),
	N(".npmrc"),
	N(".netrc"),
	N(".bash_history"),
	N(".zsh_history"),
	N(".git-credentials"),
};

/* How a file's name ends. */
static const struct str ends[] = {
	N(".env"),
	N(".pem"),
	N(".key"),
	N(".p12"),
	N(".pfx"),
	N(".p8"),
	N(".pk8"),
	N(".jks"),
	N(".jceks"),
	N(".keystore"),
	N(".bks"),
	N(".ppk"),
	N(".kdbx"),
	N(".kdb"),
	N(".psafe3"),
	N(".agilekeychain"),
	N(".opvault"),
	N(".keychain"),
	N(".keychain-db"),
	N(".keytab"),
	N(".ovpn"),
	N(".agekey"),
	N(".tfstate"),
	N(".tfstate.backup"),
	N(".tfvars"),
	N(".tfvars.json"),
	N(".secret"),
	N(".secrets"),
	N(".credentials"),
	N(".passwd"),
	N(".password"),
	N(".token"),
	N(".wallet"),
	N(".mobileprovision"),
	N(".rdp"),
	N(".kwallet"),
	N(".gpgkey"),
	N(".skr"),
};

/* Exact ends of paths, from a '/' on. */
static const struct str tails[] = {
	N("/.docker/config.json"),
	N("/.config/containers/auth.json"),
	N("/containers/auth.json"),
	N("/.config/gcloud"),
	N("/.config/gh/hosts.yml"),
	N("/.config/hub"),
	N("/.config/glab-cli"),
	N("/.config/doctl"),
	N("/.config/hcloud"),
	N("/.config/op"),
	N("/.config/1password"),
	N("/.config/bitwarden cli"),
	N("/.config/rclone"),
	N("/.config/netlify"),
	N("/.config/github-copilot"),
	N("/.config/configstore"),
	N("/.config/pypoetry/auth.toml"),
	N("/.config/heroku"),
	N("/.config/flyctl"),
	N("/.fly/config.yml"),
	N("/.config/ngrok"),
	N("/.ngrok2"),
	N("/.config/sops"),
	N("/.config/age"),
	N("/.config/weechat"),
	N("/.config/borg/keys"),
	N("/.config/restic"),
	N("/.cargo/credentials"),
	N("/.cargo/credentials.toml"),
	N("/.gem/credentials"),
	N("/.m2/settings.xml"),
	N("/.m2/settings-security.xml"),
	N("/.gradle/gradle.properties"),
	N("/.composer/auth.json"),
	N("/.config/composer/auth.json"),
	N("/.bundle/config"),
	N("/.nuget/nuget.config"),
	N("/.codex/auth.json"),
	N("/.gemini/oauth_creds.json"),
	N("/.qwen/oauth_creds.json"),
	N("/.claude/.credentials.json"),
	N("/.local/share/opencode/auth.json"),
	N("/.claude.json"),
	N("/.config/anthropic"),
	N("/.config/openai"),
	N("/.huggingface/token"),
	N("/.cache/huggingface/token"),
	N("/.config/wandb"),
	N("/.terraform.d/credentials.tfrc.json"),
	N("/.config/filezilla"),
	N("/.config/remmina"),
	N("/.config/evolution"),
	N("/.config/kwalletrc"),
	N("/.rustup/credentials"),
	N("/.vercel/auth.json"),
	N("/.config/stripe"),
	N("/.config/snowflake"),
	N("/.snowflake"),
	N("/.config/linode-cli"),
	N("/.config/vultr-cli.yaml"),
	N("/.config/scw"),
	N("/.config/atuin"),
	N("/.local/share/atuin"),
	N("/.local/share/keyrings"),
	N("/.local/share/fish/fish_history"),
	N("/.git/credentials"),
	N("/etc/shadow"),
	N("/etc/shadow-"),
	N("/etc/gshadow"),
	N("/etc/gshadow-"),
	N("/etc/sudoers"),
	N("/etc/sudoers.d"),
	N("/etc/master.passwd"),
	N("/etc/security/opasswd"),
	N("/etc/krb5.keytab"),
	N("/etc/ssl/private"),
	N("/etc/pki/tls/private"),
	N("/etc/letsencrypt"),
	N("/etc/wireguard"),
	N("/etc/openvpn"),
	N("/etc/ipsec.secrets"),
	N("/etc/ppp/chap-secrets"),
	N("/etc/ppp/pap-secrets"),
	N("/etc/networkmanager/system-connections"),
	N("/etc/wpa_supplicant"),
	N("/etc/docker/key.json"),
	N("/etc/kubernetes/admin.conf"),
	N("/etc/rancher/k3s/k3s.yaml"),
	N("/etc/mysql/debian.cnf"),
	N("/etc/exim4/passwd.client"),
	N("/etc/postfix/sasl_passwd"),
	N("/proc/kcore"),
	N("/proc/kmem"),
	N("/var/run/secrets"),
	N("/run/secrets"),
	N("/var/lib/sss/secrets"),
};

/* Words that a data file's name may not hold: prod-secrets.yaml. */
static const struct str words[] = {
	N("secret"),
	N("secrets"),
	N("credential"),
	N("credentials"),
	N("creds"),
	N("password"),
	N("passwords"),
	N("passwd"),
	N("passphrase"),
	N("apikey"),
	N("apikeys"),
	N("privatekey"),
};

/* The same, as the last word of the name: auth-token.txt. */
static const struct str last_words[] = {
	N("token"),
	N("tokens"),
	N("wallet"),
	N("cookies"),
	N("keystore"),
	N("api_key"),
	N("api-key"),
	N("api_keys"),
	N("private_key"),
	N("private-key"),
	N("access_key"),
	N("access-key"),
	N("service_account"),
	N("service-account"),
	N("serviceaccount"),
	N("oauth_creds"),
};

/* Endings of files that hold data; source code and prose are no secrets. */
static const struct str data_endings[] = {
	N(""),
	N("json"),
	N("jsonc"),
	N("json5"),
	N("yaml"),
	N("yml"),
	N("toml"),
	N("ini"),
	N("cfg"),
	N("conf"),
	N("config"),
	N("txt"),
	N("text"),
	N("env"),
	N("xml"),
	N("properties"),
	N("csv"),
	N("tsv"),
	N("db"),
	N("sqlite"),
	N("sqlite3"),
	N("dat"),
	N("data"),
	N("bin"),
	N("enc"),
	N("gpg"),
	N("asc"),
	N("age"),
	N("bak"),
	N("old"),
	N("orig"),
	N("backup"),
	N("plist"),
	N("ps1xml"),
	N("log"),
	N("sql"),
	N("dump"),
	N("tar"),
	N("gz"),
	N("tgz"),
	N("zip"),
	N("7z"),
	N("kdbx"),
	N("docx"),
	N("xlsx"),
	N("pdf"),
	N("local"),
	N("dev"),
	N("prod"),
	N("production"),
	N("staging"),
	N("test"),
	N("b64"),
	N("hex"),
	N("auto"),
};

/* Templates, by how they end: .env.example and kin. */
static const struct str template_ends[] = {
	N(".example"),
	N(".sample"),
	N(".template"),
	N(".tmpl"),
	N(".dist"),
	N(".defaults"),
	N(".default"),
	N(".schema"),
};

static bool
is_one_of(struct str s, const struct str *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (str_eq_fold(s, list[i]))
			return true;
	}
	return false;
}

static bool
starts_fold(struct str s, struct str prefix)
{
	return str_eq_fold(str_sub(s, 0, prefix.len), prefix);
}

static bool
ends_fold(struct str s, struct str suffix)
{
	return s.len >= suffix.len
		&& str_eq_fold(str_sub(s, s.len - suffix.len, s.len), suffix);
}

static bool
is_boundary(char c)
{
	return c == '.' || c == '-' || c == '_' || c == ' ' || c == '~';
}

/* --- one component ----------------------------------------------------------------- */

/* .env.example and kin: shown to everybody, whatever markers say. */
static bool
is_template(struct str base)
{
	if (!starts_fold(base, STR(".env")) && !starts_fold(base, STR("env.")))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(template_ends); i++) {
		if (ends_fold(base, template_ends[i]))
			return true;
	}
	return false;
}

static bool
is_public_key(struct str base)
{
	return ends_fold(base, STR(".pub"));
}

/* In a data file's name: a word that says what it holds. */
static const char *
word_of(struct str base)
{
	struct str stem = base, ending = STR("");
	size_t start = 0;

	for (size_t i = base.len; i > 1; i--) {
		if (base.ptr[i - 1] == '.') {
			stem = str_sub(base, 0, i - 1);
			ending = str_sub(base, i, base.len);
			break;
		}
	}
	if (!is_one_of(ending, data_endings, ARRAY_LEN(data_endings)))
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(last_words); i++) {
		struct str w = last_words[i];

		if (ends_fold(stem, w)
			&& (stem.len == w.len
				|| is_boundary(stem.ptr[stem.len - w.len - 1])))
			return last_words[i].ptr;
	}
	for (size_t i = 0; i <= stem.len; i++) {
		if (i < stem.len && !is_boundary(stem.ptr[i]))
			continue;
		for (size_t k = 0; k < ARRAY_LEN(words); k++) {
			if (str_eq_fold(str_sub(stem, start, i), words[k]))
				return words[k].ptr;
		}
		start = i + 1;
	}
	return NULL;
}

static bool
begins_with(struct str base, struct str prefix)
{
	if (!starts_fold(base, prefix))
		return false;
	return base.len == prefix.len || is_boundary(base.ptr[prefix.len])
		|| is_boundary(prefix.ptr[prefix.len - 1]);
}

/* The marker that a file's own name hits, or NULL. */
static const char *
base_marker(struct str base)
{
	if (is_template(base) || is_public_key(base))
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(begins); i++) {
		if (begins_with(base, begins[i]))
			return begins[i].ptr;
	}
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		if (ends_fold(base, ends[i]))
			return ends[i].ptr;
	}
	return word_of(base);
}

static const char *
name_marker(struct str component)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		/* the length first: nearly all of them differ there */
		if (names[i].len == component.len && str_eq_fold(component, names[i]))
			return names[i].ptr;
	}
	return NULL;
}

/* --- names with a glob in them ------------------------------------------------------ */

/* `*` and `*.c`: whatever is there, and nothing in particular. */
static bool
means_anything(struct str component)
{
	size_t i = 0;

	while (i < component.len && component.ptr[i] == '*')
		i++;
	if (i == component.len)
		return i > 0;
	return i > 0 && component.ptr[i] == '.'
		&& !policy_has_glob(str_sub(component, i, component.len));
}

static bool
overlaps(const struct policy_glob *g, struct str name)
{
	uint16_t room[POLICY_GLOB_MAX];
	struct policy_glob other;

	return policy_glob_read(room, POLICY_GLOB_SHELL, name, &other)
		&& policy_glob_overlaps(g, &other, true);
}

static const char *
overlapping_name(const struct policy_glob *g)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (overlaps(g, names[i]))
			return names[i].ptr;
	}
	if (overlaps(g, STR(".env.local")))
		return ".env.";
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (overlaps(g, words[i]))
			return words[i].ptr;
	}
	return NULL;
}

/* A component with a glob: could it be a marker's name? */
static const char *
glob_marker(struct str component)
{
	uint16_t room[POLICY_GLOB_MAX];
	struct policy_glob g;

	if (means_anything(component))
		return NULL;
	if (!policy_glob_read(room, POLICY_GLOB_SHELL, component, &g))
		return "a pattern too long to read";
	/* a shell's star and question mark do not match a leading dot */
	if (component.ptr[0] == '*' || component.ptr[0] == '?') {
		struct str rest = str_sub(component, 1, component.len);

		return policy_has_glob(rest) || rest.len > 2 ? overlapping_name(&g)
													 : NULL;
	}
	return overlapping_name(&g);
}

/* --- a path --------------------------------------------------------------------------- */

/* Does tail stand in the path, up to a component's end? */
static bool
has_tail(struct str path, struct str tail)
{
	unsigned char first = policy_lower(tail.ptr[1]); /* behind its slash */

	for (size_t i = 0; i + tail.len <= path.len; i++) {
		if (path.ptr[i] == '/' && policy_lower(path.ptr[i + 1]) == first
			&& str_eq_fold(str_sub(path, i, i + tail.len), tail)
			&& (i + tail.len == path.len || path.ptr[i + tail.len] == '/'))
			return true;
	}
	return false;
}

static const char *
process_marker(struct str path)
{
	static const struct str files[] = {N("environ"), N("mem")};
	struct str rest;

	if (!policy_path_below(path, STR("/proc"), &rest))
		return NULL;
	return is_one_of(str_base(path), files, ARRAY_LEN(files))
		? "a process's environment"
		: NULL;
}

/* ~/.ssh holds a few files that are no secrets. */
static bool
is_plain_ssh_file(struct str path)
{
	static const struct str plain[] = {N("known_hosts"), N("known_hosts.old"),
		N("config"), N("authorized_keys")};
	struct str base = str_base(path);

	return has_tail(path, STR("/.ssh"))
		&& (is_one_of(base, plain, ARRAY_LEN(plain)) || is_public_key(base));
}

static const char *
components_marker(struct str path)
{
	struct str rest = path;
	bool skip_ssh = is_plain_ssh_file(path);

	while (rest.ptr) {
		struct str one = str_cut(rest, '/', &rest);
		const char *m = NULL;

		if (one.len == 0 || (skip_ssh && str_eq_fold(one, STR(".ssh"))))
			continue;
		m = name_marker(one);
		/* of files only the exact name: src/cookies/index.ts is none */
		if (m && rest.ptr && starts_fold(one, STR("cookies")))
			m = NULL;
		if (!m && !rest.ptr)
			m = base_marker(one);
		if (!m && policy_has_glob(one))
			m = glob_marker(one);
		if (m)
			return m;
	}
	return NULL;
}

static const char *
builtin_marker(struct str path)
{
	const char *m = components_marker(path);

	for (size_t i = 0; i < ARRAY_LEN(tails) && !m; i++) {
		if (has_tail(path, tails[i]))
			m = tails[i].ptr;
	}
	return m ? m : process_marker(path);
}

/* A person's own marker: a part of the path, or a pattern. */
static bool
own_marker_hit(const struct policy_marker *m, struct policy_subject s,
	const struct call_effect *e)
{
	if (m->path.anchor == POLICY_ANCHOR_NONE)
		return str_has_fold(e->resource, m->text);
	return policy_path_tightens(&m->path, s, e);
}

struct str
policy_marker_of(const struct policy *p, struct policy_subject s,
	const struct call_effect *e)
{
	bool is_network = e->kind == CALL_EFFECT_CONNECT
		|| e->kind == CALL_EFFECT_SEND || e->scope == CALL_SCOPE_NETWORK;

	for (size_t i = 0; i < p->marker_count; i++) {
		if (own_marker_hit(&p->markers[i], s, e))
			return p->markers[i].text;
	}
	if (is_network)
		return (struct str){NULL, 0};
	return str_from(builtin_marker(e->resource));
}

/* --- a call ---------------------------------------------------------------------------- */

static bool
reads(const struct call_effect *e)
{
	if ((e->flags & CALL_EFFECT_SECRET) != 0)
		return true;
	if (e->kind == CALL_EFFECT_CONNECT)
		return true;
	return e->kind == CALL_EFFECT_READ && (e->flags & CALL_EFFECT_NAMES) == 0;
}

static bool
writes(const struct call_effect *e)
{
	return e->kind == CALL_EFFECT_WRITE || e->kind == CALL_EFFECT_CREATE
		|| e->kind == CALL_EFFECT_DELETE;
}

struct policy_sensitive
policy_sensitive(
	const struct policy *p, struct arena *a, struct policy_subject s)
{
	struct policy_sensitive found = {.all_inside_workspace = true};

	(void)a;
	for (size_t i = 0; i < s.facts->effect_count; i++) {
		const struct call_effect *e = &s.facts->effects[i];
		struct str marker = {NULL, 0};

		if (!reads(e) && !writes(e))
			continue;
		marker = policy_marker_of(p, s, e);
		if (!marker.ptr && (e->flags & CALL_EFFECT_SECRET) != 0)
			marker = STR("shows a secret");
		if (!marker.ptr)
			continue;
		if (!found.resource.ptr) {
			found.resource = e->resource;
			found.marker = marker;
		}
		found.read |= reads(e);
		found.write |= writes(e);
		found.all_inside_workspace &= e->scope == CALL_SCOPE_WORKSPACE
			&& (e->flags & CALL_EFFECT_SECRET) == 0;
	}
	found.all_inside_workspace &= found.read || found.write;
	return found;
}
