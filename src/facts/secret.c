/*
 * Files whose content must not leave the machine. Narrower than the sensitive
 * places of policy: this list alone decides that sending is refused.
 */

#include "facts/facts_priv.h"

static const char *const folders[] = {".ssh", ".gnupg", ".aws", ".azure",
	".password-store", "gcloud", ".kube", "keychains", "keyrings"};

/* Not secret although they stand in such a folder. */
static const char public_names[] =
	"known_hosts config authorized_keys known_hosts.old";

static const char *const names[] = {".env", ".netrc", ".pgpass",
	".git-credentials", ".npmrc", ".pypirc", "id_rsa", "id_dsa", "id_ecdsa",
	"id_ed25519", "credentials", "credentials.json", ".htpasswd", "shadow",
	"gshadow", "shadow-", ".bash_history", ".zsh_history", "cookies.sqlite",
	"login data", "logins.json", "key4.db", "wallet.dat", ".vault-token",
	"secrets.yml", "secrets.yaml", "secrets.json", "service-account.json",
	".dockercfg", "master.key", "environ", "cookies", "hosts.yml"};

static const char *const suffixes[] = {".pem", ".key", ".p12", ".pfx",
	".keystore", ".jks", ".kdbx", ".tfstate", ".ppk", ".asc"};

static bool
is_env_file(struct str base)
{
	static const char *const templates[] = {
		"example", "sample", "template", "dist", "defaults"};

	if (!str_starts(base, STR(".env.")))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(templates); i++) {
		if (str_ends(base, str_from(templates[i])))
			return false;
	}
	return true;
}

static bool
is_in_folder(struct str path, struct str base)
{
	struct str rest = path;

	while (rest.len > 0) {
		struct str part = str_cut(rest, '/', &rest);

		for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
			if (str_eq_fold(part, str_from(folders[i])))
				return !str_ends(base, STR(".pub"))
					&& (!facts_names_have(public_names, base)
						|| str_eq_fold(part, STR(".kube")));
		}
	}
	return false;
}

/* Names that mean something only there. */
static bool
is_meant(struct str path, struct str base)
{
	static const struct {
		const char *base, *folder;
	} rows[] = {
		{"environ",   "/proc/"     },
		{"shadow",    "/etc/"      },
		{"gshadow",   "/etc/"      },
		{"cookies",   "/."         },
		{"hosts.yml", "/.config/gh"},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (str_eq_fold(base, str_from(rows[i].base)))
			return str_has(path, str_from(rows[i].folder));
	}
	return true;
}

bool
facts_path_is_secret(const struct facts *f, struct str path)
{
	struct str base = str_base(path);

	(void)f;
	if (is_env_file(base) || is_in_folder(path, base))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (str_eq_fold(base, str_from(names[i])))
			return is_meant(path, base);
	}
	for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
		struct str s = str_from(suffixes[i]);

		if (base.len > s.len
			&& str_eq_fold(str_sub(base, base.len - s.len, base.len), s))
			return true;
	}
	return false;
}
