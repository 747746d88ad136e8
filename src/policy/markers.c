#include "policy/policy_priv.h"

/*
 * The names that may hold a secret (DESIGN 2.6), as tables. sensitive.c says
 * how each is matched. Letter case never counts.
 */

#define N(text)                \
	{                          \
		text, sizeof(text) - 1 \
	}
#define LIST(list)            \
	{                         \
		list, ARRAY_LEN(list) \
	}

/* clang-format off */

/* Components that are a secret wherever they stand, files or folders. */
static const struct str names[] = {
	/* variables */
	N(".env"), N(".envrc"), N(".env.vault"), N("#.env#"), N(".env.keys"), N(".flaskenv"),
	/* logins of programs */
	N(".netrc"), N("_netrc"), N(".git-credentials"), N(".pgpass"),
	N(".my.cnf"), N(".mylogin.cnf"), N(".npmrc"), N(".pypirc"),
	N(".htpasswd"), N(".htdigest"), N(".s3cfg"), N(".boto"),
	N(".databrickscfg"), N(".terraformrc"), N("terraform.rc"),
	N(".vault-token"), N("rclone.conf"), N(".dockercfg"), N(".kaggle"),
	N(".ldaprc"), N(".smbcredentials"), N(".fetchmailrc"), N(".msmtprc"),
	N(".muttrc"), N(".pgadmin"), N(".ftpconfig"), N(".esmtprc"),
	N(".offlineimaprc"), N(".mbsyncrc"), N(".authinfo"), N(".authinfo.gpg"),
	N(".x_auth"), N(".xauthority"), N(".iceauthority"), N("wp-config.php"),
	N("credentials.tfrc.json"), N("application_default_credentials.json"),
	/* folders */
	N(".ssh"), N(".gnupg"), N(".gpg"), N(".aws"), N(".azure"), N(".kube"),
	N(".oci"), N(".aliyun"), N(".bluemix"), N(".password-store"),
	N(".secrets"), N(".secret"), N("secrets"), N("secret"),
	N(".credentials"), N("credentials"), N("credential"), N("private_keys"),
	N("private-keys"), N(".dockerconfigjson"),
	N("local.settings.json"), N("deploy_key"), N("deploy-key"),
	N(".private"), N("keychains"), N("keyrings"),
	N("kwalletd"), N(".electrum"), N(".bitcoin"), N(".ethereum"),
	N(".solana"), N(".monero"), N("wallets"), N(".lastpass"),
	N(".bitwarden"), N(".1password"), N(".op"), N(".vault"), N(".sops"),
	N(".age"), N(".minisign"), N(".putty"),
	/* keys */
	N("id_rsa"), N("id_dsa"), N("id_ecdsa"), N("id_ed25519"),
	N("id_ecdsa_sk"), N("id_ed25519_sk"), N("id_xmss"), N("identity.key"),
	N("master.key"), N("secring.gpg"), N("kubeconfig"), N("keystore"), N("auth.json"),
	/* browsers, wallets */
	N("cookies"), N("cookies.sqlite"), N("cookies.sqlite-wal"),
	N("cookies.db"), N("cookies.txt"), N("cookies.binarycookies"),
	N("login data"), N("login data for account"), N("login data-journal"),
	N("logins.json"), N("logins-backup.json"), N("key3.db"), N("key4.db"),
	N("signons.sqlite"), N("web data"), N("wallet.dat"), N("passwords.csv"),
	/* histories */
	N(".bash_history"), N(".zsh_history"), N(".zhistory"), N(".sh_history"),
	N(".ash_history"), N(".ksh_history"), N(".history"), N(".histfile"),
	N("fish_history"), N(".python_history"), N(".node_repl_history"),
	N(".psql_history"), N(".mysql_history"), N(".sqlite_history"),
	N(".rediscli_history"), N(".irb_history"), N(".pry_history"),
	N(".mongo_history"), N(".mongorc.js"), N(".lesshst"), N(".php_history"),
	N(".r_history"), N(".rhistory"), N(".octave_hist"),
	N("consolehost_history.txt"),
};

/* How a file's name begins. Behind it must come a '.', '-' or '_', unless it
 * ends in one itself. */
static const struct str begins[] = {
	N(".env."), N(".env~"), N(".env-"), N(".env_"), N(".envrc."), N("id_rsa"),
	N("id_dsa"), N("id_ecdsa"), N("id_ed25519"), N("ssh_host_rsa_key"),
	N("ssh_host_dsa_key"), N("ssh_host_ecdsa_key"),
	N("ssh_host_ed25519_key"), N(".npmrc"), N(".netrc"), N(".bash_history"),
	N(".zsh_history"), N(".git-credentials"),
};

/* How a file's name ends. */
static const struct str ends[] = {
	N(".env"), N(".pem"), N(".key"), N(".p12"), N(".pfx"), N(".p8"),
	N(".pk8"), N(".jks"), N(".jceks"), N(".keystore"), N(".bks"), N(".ppk"),
	N(".kdbx"), N(".kdb"), N(".psafe3"), N(".agilekeychain"), N(".opvault"),
	N(".keychain"), N(".keychain-db"), N(".keytab"), N(".ovpn"),
	N(".agekey"), N(".tfstate"), N(".tfstate.backup"), N(".tfvars"),
	N(".tfvars.json"), N(".secret"), N(".secrets"), N(".credentials"),
	N(".passwd"), N(".password"), N(".token"), N(".wallet"),
	N(".mobileprovision"), N(".rdp"), N(".kwallet"), N(".gpgkey"),
	N(".skr"), N("_key"), N("-key"),
};

/* Exact ends of paths, from a '/' on. */
static const struct str tails[] = {
	N("/.docker/config.json"), N("/.config/containers/auth.json"),
	N("/containers/auth.json"), N("/.config/gcloud"),
	N("/.config/gh/hosts.yml"), N("/.config/hub"), N("/.config/glab-cli"),
	N("/.config/doctl"), N("/.config/hcloud"), N("/.config/op"),
	N("/.config/1password"), N("/.config/bitwarden cli"),
	N("/.config/rclone"), N("/.config/netlify"),
	N("/.config/github-copilot"), N("/.config/configstore"),
	N("/.config/pypoetry/auth.toml"), N("/.config/heroku"),
	N("/.config/flyctl"), N("/.fly/config.yml"), N("/.config/ngrok"),
	N("/.ngrok2"), N("/.config/sops"), N("/.config/age"),
	N("/.config/weechat"), N("/.config/borg/keys"), N("/.config/restic"),
	N("/.cargo/credentials"), N("/.cargo/credentials.toml"),
	N("/.gem/credentials"), N("/.m2/settings.xml"),
	N("/.m2/settings-security.xml"), N("/.gradle/gradle.properties"),
	N("/.composer/auth.json"), N("/.config/composer/auth.json"),
	N("/.bundle/config"), N("/.nuget/nuget.config"), N("/.codex/auth.json"),
	N("/.gemini/oauth_creds.json"), N("/.qwen/oauth_creds.json"),
	N("/.claude/.credentials.json"), N("/.local/share/opencode/auth.json"),
	N("/.claude.json"), N("/.config/anthropic"), N("/.config/openai"),
	N("/.huggingface/token"), N("/.cache/huggingface/token"),
	N("/.config/wandb"), N("/.terraform.d/credentials.tfrc.json"),
	N("/.config/filezilla"), N("/.config/remmina"), N("/.config/evolution"),
	N("/.config/kwalletrc"), N("/.rustup/credentials"),
	N("/.vercel/auth.json"), N("/.config/stripe"), N("/.config/snowflake"),
	N("/.snowflake"), N("/.config/linode-cli"),
	N("/.config/vultr-cli.yaml"), N("/.config/scw"), N("/.config/atuin"),
	N("/.local/share/atuin"), N("/.local/share/keyrings"),
	N("/.local/share/fish/fish_history"), N("/.git/credentials"),
	N("/etc/shadow"), N("/etc/shadow-"), N("/etc/gshadow"),
	N("/etc/gshadow-"), N("/etc/sudoers"), N("/etc/sudoers.d"),
	N("/etc/master.passwd"), N("/etc/security/opasswd"),
	N("/etc/krb5.keytab"), N("/etc/ssl/private"), N("/etc/pki/tls/private"),
	N("/etc/letsencrypt"), N("/etc/wireguard"), N("/etc/openvpn"),
	N("/etc/ipsec.secrets"), N("/etc/ppp/chap-secrets"),
	N("/etc/ppp/pap-secrets"), N("/etc/networkmanager/system-connections"),
	N("/etc/wpa_supplicant"), N("/etc/docker/key.json"),
	N("/etc/kubernetes/admin.conf"), N("/etc/rancher/k3s/k3s.yaml"),
	N("/etc/mysql/debian.cnf"), N("/etc/exim4/passwd.client"),
	N("/etc/postfix/sasl_passwd"), N("/proc/kcore"), N("/proc/kmem"),
	N("/var/run/secrets"), N("/run/secrets"), N("/var/lib/sss/secrets"),
};

/* Words that a data file's name may not hold: prod-secrets.yaml. */
static const struct str words[] = {
	N("secret"), N("secrets"), N("credential"), N("credentials"),
	N("creds"), N("password"), N("passwords"), N("passwd"), N("passphrase"),
	N("apikey"), N("apikeys"), N("privatekey"), N("adminsdk"),
};

/* The same, as the last word of the name: auth-token.txt. */
static const struct str last_words[] = {
	N("token"), N("tokens"), N("wallet"), N("cookies"), N("keystore"),
	N("api_key"), N("api-key"), N("api_keys"), N("private_key"),
	N("private-key"), N("access_key"), N("access-key"),
	N("service_account"), N("service-account"), N("serviceaccount"),
	N("oauth_creds"),
};

/* Endings of files that hold data; source code and prose are no secrets. */
static const struct str data_endings[] = {
	N(""), N("json"), N("jsonc"), N("json5"), N("yaml"), N("yml"),
	N("toml"), N("ini"), N("cfg"), N("conf"), N("config"), N("txt"),
	N("text"), N("env"), N("xml"), N("properties"), N("csv"), N("tsv"),
	N("db"), N("sqlite"), N("sqlite3"), N("dat"), N("data"), N("bin"),
	N("enc"), N("gpg"), N("asc"), N("age"), N("bak"), N("old"), N("orig"),
	N("backup"), N("plist"), N("ps1xml"), N("log"), N("sql"), N("dump"),
	N("tar"), N("gz"), N("tgz"), N("zip"), N("7z"), N("kdbx"), N("docx"),
	N("xlsx"), N("pdf"), N("local"), N("dev"), N("prod"), N("production"),
	N("staging"), N("test"), N("b64"), N("hex"), N("auto"),
};

/* Templates, by how they end: .env.example and kin. */
static const struct str template_ends[] = {
	N(".example"), N(".sample"), N(".template"), N(".tmpl"), N(".dist"),
	N(".defaults"), N(".default"), N(".schema"),
};

/* Certificates and public keys, which everybody may see; as the last word of
 * the name. */
static const struct str public_ends[] = {
	N("cert.pem"), N("certs.pem"), N("certificate.pem"), N("crt.pem"),
	N("chain.pem"), N("fullchain.pem"), N("bundle.pem"), N("ca.pem"),
	N("cacert.pem"), N("cacerts.pem"), N("root.pem"), N("public.pem"),
	N("pub.pem"), N("pubkey.pem"), N("public.key"), N("public_key.pem"),
	N("csr.pem"), N("dhparam.pem"), N("dhparams.pem"), N("public_key"),
	N("public-key"), N("pub_key"), N("pub-key"), N("primary_key"),
	N("primary-key"), N("foreign_key"), N("foreign-key"), N("sort_key"),
	N("cache_key"), N("cache-key"), N("hot-key"), N("hot_key"),
};

/* Files of ~/.ssh that are no secrets. */
static const struct str plain_ssh[] = {
	N("known_hosts"), N("known_hosts.old"), N("config"), N("authorized_keys"),
};

static const struct str ssh[] = {N("/.ssh")};

/* clang-format on */

const struct policy_markers policy_markers = {
	.names = LIST(names),
	.begins = LIST(begins),
	.ends = LIST(ends),
	.tails = LIST(tails),
	.words = LIST(words),
	.last_words = LIST(last_words),
	.data_endings = LIST(data_endings),
	.template_ends = LIST(template_ends),
	.public_ends = LIST(public_ends),
	.plain_ssh = LIST(plain_ssh),
	.ssh = LIST(ssh),
};
