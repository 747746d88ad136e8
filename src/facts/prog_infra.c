/*
 * Infrastructure and hosting: what describes machines, and asks accounts about
 * them. Plans, previews and most dry runs load plugins and code of the project,
 * and so do programs whose settings are a program (Vagrantfile, serverless.ts,
 * terragrunt.hcl): they run code of the project.
 */

#include "facts/facts_priv.h"
#include "facts/rows.h"

enum bits {
	B_DRY = 1 << 0,  /* it only says what would be */
	B_TEXT = 1 << 1, /* it prints what is kept from the eye otherwise */
	B_SENDS = 1 << 2,
};

/* -write=false: the files stay as they are. */
static void
hook_fmt(struct facts_run *run)
{
	const struct facts_given *g = facts_given_find(run, "-write -list");

	for (size_t i = 0; g && i < run->given_count; i++) {
		if (facts_names_have("-write", run->given[i].name)
			&& facts_names_have("false 0", run->given[i].value.text))
			run->bits |= B_DRY;
	}
}

#define FMT_OPTS                                        \
	FACTS_OPTS(SETS("-check -diff -show-diffs", B_DRY), \
		FLAGS("-recursive -no-color"), VALUES("-list -write"))
#define FMT_DOES                                          \
	{                                                     \
		DO_IF(WRITE_TREE, ".", 0, B_DRY | FACTS_OPERANDS) \
	}
#define FMT_OPERANDS                                         \
	{                                                        \
		OP(READ_TREE, ALL), OP_IF(WRITE_TREE, ALL, 0, B_DRY) \
	}

/* auth0 api [METHOD] PATH: a GET, unless something is sent. */
static void
hook_auth0_api(struct facts_run *run)
{
	bool asks = !(run->bits & B_SENDS);

	run->done = true;
	if (run->operand_count == 2)
		asks = asks && str_eq_fold(run->operands[0].text, STR("get"));
	else
		asks = asks && run->operand_count == 1;
	facts_apply_text(run, FACTS_REMOTE, asks ? CALL_EFFECT_LOCAL : 0, "auth0");
}

/* auth0 NOUN... VERB: what stands before the verb must be known. */
static void
hook_auth0(struct facts_run *run)
{
	static const char nouns[] =
		"actions apis apps attack-protection ap protection "
		"breached-password-detection bpd brute-force-protection bfp "
		"bot-detection suspicious-ip-throttling sit domains email emails logs "
		"orgs organizations members invitations invs roles permissions perms "
		"rules scopes streams templates tenants users blocks universal-login "
		"ul customize prompts branding quickstarts qs network-acl provider "
		"events event-streams themes settings ips ip texts token-exchange "
		"session-transfer client-grants connections forms flows triggers "
		"custom-domains refresh-tokens sessions profiles";
	static const char verbs[] =
		"list ls show search search-by-email tail stats "
		"diagnose diff check";
	bool asks = false;

	run->done = true;
	for (size_t i = 0; i < run->operand_count && !asks; i++) {
		struct str w = run->operands[i].text;

		asks = facts_names_have(verbs, w) && !run->operands[i].flags;
		if (!asks && !facts_names_have(nouns, w))
			break;
	}
	if (run->operand_count > 0)
		facts_apply_text(
			run, FACTS_REMOTE, asks ? CALL_EFFECT_LOCAL : 0, "auth0");
}

#define AUTH0_OPTS                                                           \
	VALUES("-t --tenant -n --number -p --page --per-page -f --filter -q "    \
		   "--query -s --sort"),                                             \
		FLAGS("--debug --no-color --no-input -h --help -v --version --json " \
			  "--csv --json-compact --force"),                               \
		FLAG("-r --reveal-secrets", SECRET, "auth0")

/* clang-format off */
#define VAULT_OPTS .opts = FACTS_OPTS(VALUE("-address -agent-address", URL), VALUES("-format -namespace -ns -mount -field"))
#define CONSUL_OPTS .style = FACTS_LOOSE | FACTS_ONE_DASH, .opts = FACTS_OPTS(VALUE("-http-addr", URL), \
	VALUES("-datacenter -namespace -token -wan")), .does = LOOK("consul"), .operands = {OP(INERT, ALL)}
#define NOMAD_OPTS .style = FACTS_LOOSE | FACTS_ONE_DASH, .opts = FACTS_OPTS(VALUE("-address", URL), \
	VALUES("-region -namespace -token -filter -t")), .does = LOOK("nomad"), .operands = {OP(INERT, ALL)}
const struct facts_prog facts_prog_infra[] = {
	{.names = "terraform tofu", .manual = "https://developer.hashicorp.com/terraform/cli/commands",
		.style = FACTS_STOP | FACTS_ONE_DASH,
		.opts = FACTS_OPTS(VALUE("-chdir", CHDIR), FLAGS("-help -version")),
		.subs = FACTS_SUBS(
			WORDS("version help metadata"),
			{.names = "fmt", .style = FACTS_ONE_DASH, .opts = FMT_OPTS, .does = FMT_DOES, .operands = FMT_OPERANDS,
				.hook = hook_fmt},
			{.names = "validate graph providers modules", WORDY, .does = {DO(READ_TREE, ".")}},
			/* all of them: what is sensitive is not shown */
			{.names = "output", .style = FACTS_ONE_DASH, .opts = FACTS_OPTS(SETS("-json -raw", B_TEXT),
				FLAGS("-no-color"), VALUE("-state", READ), VALUE("-var", INERT)),
				.does = {DO_FLAGS(REMOTE, CALL_EFFECT_LOCAL, "terraform state"),
					DO_IF(SECRET, "terraform state", B_TEXT, 0),
					DO_IF(SECRET, "terraform state", FACTS_OPERANDS, B_TEXT)},
				.operands = {OP(INERT, ALL)}},
			TELLS("show", "terraform state"),
			GROUP("state", LOOKS("list", "terraform state"), TELLS("show pull", "terraform state"),
				CHANGES("mv rm push replace-provider", "terraform state")),
			GROUP("workspace", LOOKS("list show", "terraform state"), CHANGES("new select delete", "terraform state")),
			CHANGES("init plan apply destroy import refresh taint untaint console login logout get test "
				"force-unlock", "terraform"))},
	{.names = "terragrunt", .manual = "https://terragrunt.gruntwork.io/docs/reference/cli/",
		.style = FACTS_STOP | FACTS_ONE_DASH, .opts = FACTS_OPTS(FLAGS("-h -help -v -version")),
		.subs = FACTS_SUBS(WORDS("help"),
			{.names = "hclfmt fmt hcl", .style = FACTS_ONE_DASH, .opts = FACTS_OPTS(SETS("-check -diff "
				"-terragrunt-check -terragrunt-diff", B_DRY)),
				.subs = FACTS_SUBS({.names = "fmt format", .style = FACTS_ONE_DASH,
					.opts = FACTS_OPTS(SETS("-check -diff", B_DRY)), .does = FMT_DOES}),
				.does = FMT_DOES},
			{.names = "plan apply destroy output validate show state init run run-all graph graph-dependencies "
				"validate-inputs hclvalidate render-json terragrunt-info info import refresh console get test stack exec "
				"dag find list providers workspace force-unlock taint untaint aws-provider-patch catalog scaffold backend",
				WORDY, .does = {DO(PROJECT, "terragrunt.hcl"), DO(REMOTE, "terraform")}})},
	{.names = "terraform-docs", .manual = "https://terraform-docs.io/reference/terraform-docs/", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUE("-c --config", READ), VALUE("--output-file", WRITE), VALUES("--output-mode "
			"--header-from --footer-from --sort-by --show --hide"), FLAGS("-h --help -v")),
		.operands = {OP(READ_TREE, ALL)}},
	{.names = "packer", .manual = "https://developer.hashicorp.com/packer/docs/commands",
		.style = FACTS_STOP | FACTS_ONE_DASH, .opts = FACTS_OPTS(FLAGS("-help -version -machine-readable")),
		.subs = FACTS_SUBS(
			WORDS("version"),
			{.names = "validate inspect", .style = FACTS_ONE_DASH,
				.opts = FACTS_OPTS(FLAGS("-syntax-only -machine-readable -evaluate-datasources -no-warn-undeclared-var"),
					VALUES("-var -except -only"), VALUE("-var-file", READ)),
				.operands = {OP(READ_TREE, ALL)}},
			{.names = "fmt", .style = FACTS_ONE_DASH, .opts = FMT_OPTS, .does = FMT_DOES, .operands = FMT_OPERANDS,
				.hook = hook_fmt},
			GROUP("plugins", WORDS("installed required"), CHANGES("install remove", "infrastructure")),
			CHANGES("build init console hcl2_upgrade", "infrastructure"))},
	{.names = "ansible-doc ansible-config ansible-lint-rules ansible-community", .manual = "ansible-doc(1)", WORDY,
		.opts = FACTS_OPTS(VALUE("-M --module-path --playbook-dir", LOAD), FLAGS("-l --list -F --list_files -j --json -s --snippet"))},
	{.names = "ansible-galaxy", .manual = "ansible-galaxy(1)", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h --help -v"), FLAGS("--version")),
		.subs = FACTS_SUBS(
			GROUP("collection role", {.names = "list", READY}, CHANGES("install init build publish download verify "
				"search info import remove delete setup", "galaxy")),
			{.names = "list", READY}, CHANGES("install init search info import remove delete setup login", "galaxy"))},
	{.names = "ansible-vault", .manual = "ansible-vault(1)", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h --help"), FLAGS("--version")),
		.subs = FACTS_SUBS(TELLS("view decrypt", "vault"), CHANGES("create edit encrypt encrypt_string rekey", "vault"))},
	{.names = "molecule", .manual = "https://ansible.readthedocs.io/projects/molecule/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-v --debug"), VALUE("-c --base-config -e --env-file", READ)),
		.subs = FACTS_SUBS({.names = "list matrix", READY, .does = {DO(READ_TREE, ".")}}, WORDS("drivers"),
			{.names = "check cleanup converge create dependency destroy idempotence init login prepare reset side-effect "
				"syntax test verify", WORDY, .does = {DO(PROJECT, "molecule")}})},
	{.names = "auth0", .manual = "https://auth0.github.io/auth0-cli/", .opts = FACTS_OPTS(AUTH0_OPTS),
		.subs = FACTS_SUBS(
			{.names = "api", .opts = FACTS_OPTS({.names = "-d --data", .arg = FACTS_VALUE, .set = B_SENDS}, AUTH0_OPTS),
				.hook = hook_auth0_api},
			WORDS("completion help"),
			CHANGES("login logout terraform test", "auth0")),
		.operands = {OP(INERT, ALL)}, .hook = hook_auth0},
	{.names = "cdk", .manual = "https://docs.aws.amazon.com/cdk/v2/guide/ref-cli-cmd.html", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h --help -v --verbose --no-color"), FLAGS("--version"), VALUE("-a --app", SHELL),
			VALUES("--profile --region")),
		.subs = FACTS_SUBS(WORDS("version doctor help"),
			{.names = "context", .opts = FACTS_OPTS(FLAGS("-j --json"), VALUE("-e --reset", UNKNOWN),
				FLAG("--clear --force", UNKNOWN, "")), .does = {DO(READ, "cdk.context.json")}},
			{.names = "list ls synth synthesize diff deploy destroy bootstrap metadata import migrate watch gc rollback "
				"refactor drift", WORDY, .opts = FACTS_OPTS(VALUE("-a --app", SHELL)),
				.does = {DO(PROJECT, "cdk.json"), DO(REMOTE, "infrastructure")}},
			CHANGES("docs notices acknowledge ack init flags", "infrastructure"))},
	{.names = "pulumi", .manual = "https://www.pulumi.com/docs/iac/cli/", .style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(FLAGS("-h --help --non-interactive -j --json -e --emoji"), FLAGS("--version"), VALUE("-C --cwd", CHDIR),
			VALUES("-s --stack --color"), FLAG("--show-secrets", SECRET, "pulumi")),
		.subs = FACTS_SUBS(
			{.names = "stack", .style = FACTS_STOP, .opts = FACTS_OPTS(FLAGS("-i --show-ids -u --show-urls -n --show-name")),
				.subs = FACTS_SUBS(LOOKS("ls output history", "pulumi"), GROUP("tag", LOOKS("ls get", "pulumi"),
					CHANGES("set rm", "pulumi")), TELLS("export", "pulumi"), {.names = "graph", .does = LOOK("pulumi"),
					.operands = {OP(WRITE, FIRST)}}, CHANGES("init rm select rename import change-secrets-provider "
					"unselect", "pulumi")), .does = LOOK("pulumi")},
			GROUP("plugin org project policy env template", LOOKS("ls list get-default", "pulumi"),
				CHANGES("install rm set-default new publish enable disable validate-config init edit open run set", "pulumi")),
			{.names = "config", .subs = FACTS_SUBS(TELLS("get env", "pulumi"), CHANGES("set rm set-all rm-all cp refresh",
				"pulumi")), .does = LOOK("pulumi")},
			LOOKS("whoami version about logs", "pulumi"), WORDS("help gen-completion"),
			{.names = "schema", .style = FACTS_STOP, .subs = FACTS_SUBS({.names = "check", .operands = {OP(READ, ALL)}})},
			{.names = "up update preview destroy refresh watch import convert new install package cancel login logout "
				"state console deployment ai do", WORDY,
				.does = {DO(PROJECT, "Pulumi.yaml"), DO(REMOTE, "infrastructure")}})},
	{.names = "sam", .manual = "https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/serverless-sam-cli-command-reference.html",
		.style = FACTS_STOP, .opts = FACTS_OPTS(FLAGS("-h --help"), FLAGS("--version --info")),
		.subs = FACTS_SUBS(
			{.names = "validate", .style = FACTS_LOOSE, .opts = FACTS_OPTS(VALUE("-t --template --template-file "
				"--config-file", READ), VALUES("--region --profile --config-env")), .does = {DO(READ_TREE, "."),
				DO_FLAGS(REMOTE, CALL_EFFECT_LOCAL, "aws")}},
			GROUP("list", LOOKS("resources endpoints stack-outputs", "aws")), LOOKS("logs traces", "aws"),
			{.names = "build deploy delete init local package pipeline publish remote sync docs", WORDY,
				.does = {DO(PROJECT, "template.yaml"), DO(REMOTE, "aws")}})},
	{.names = "vagrant", .manual = "https://developer.hashicorp.com/vagrant/docs/cli", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h --help -v"), FLAGS("--version --machine-readable --no-color")),
		.subs = FACTS_SUBS(WORDS("version help global-status"), GROUP("box plugin", WORDS("list"),
				CHANGES("add outdated prune remove repackage update install uninstall license repair expunge", "vagrant")),
			/* its Vagrantfile is a program */
			{.names = "status up halt destroy ssh ssh-config port provision reload resume suspend snapshot validate init "
				"cloud package powershell push rdp upload share winrm winrm-config autocomplete login",
				WORDY, .does = {DO(PROJECT, "Vagrantfile")}})},
	{.names = "vault bao", .manual = "https://developer.hashicorp.com/vault/docs/commands", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h -help -v -version"), FLAGS("--help --version")),
		.subs = FACTS_SUBS(
			{.names = "status version list path-help", .style = FACTS_LOOSE | FACTS_ONE_DASH, VAULT_OPTS, .does = LOOK("vault"),
				.operands = {OP(INERT, ALL)}},
			GROUP("secrets auth audit plugin namespace lease", {.names = "list lookup", .style = FACTS_LOOSE | FACTS_ONE_DASH,
				VAULT_OPTS, .does = LOOK("vault"), .operands = {OP(INERT, ALL)}}, CHANGES("enable disable tune move "
				"register deregister create delete revoke renew info", "vault")),
			GROUP("policy", LOOKS("list read", "vault"), {.names = "fmt", .operands = {OP(WRITE, ALL)}}, CHANGES("write delete", "vault")),
			GROUP("kv", LOOKS("list", "vault"), GROUP("metadata", LOOKS("get", "vault"), CHANGES("put patch delete", "vault")),
				TELLS("get", "vault"), CHANGES("put patch delete destroy undelete rollback enable-versioning", "vault")),
			GROUP("operator", GROUP("raft", LOOKS("list-peers", "vault"), CHANGES("join remove-peer snapshot autopilot", "vault")),
				LOOKS("members usage key-status", "vault"), CHANGES("init unseal seal rekey rotate step-down generate-root "
				"migrate diagnose", "vault")),
			TELLS("read unwrap", "vault"), GROUP("token", TELLS("lookup create capabilities", "vault"),
				CHANGES("renew revoke", "vault")),
			CHANGES("write patch delete login agent server proxy ssh transit transform pki debug monitor print", "vault"))},
	{.names = "consul", .manual = "https://developer.hashicorp.com/consul/commands", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h -help -v -version"), FLAGS("--help --version")),
		.subs = FACTS_SUBS(
			{.names = "members version info rtt", CONSUL_OPTS},
			GROUP("catalog", {.names = "services nodes datacenters", CONSUL_OPTS}),
			GROUP("operator", GROUP("raft", {.names = "list-peers", CONSUL_OPTS}, CHANGES("remove-peer", "consul")),
				CHANGES("autopilot area usage utilization", "consul")),
			CHANGES("kv acl agent config connect debug event exec force-leave intention join keygen keyring leave lock "
				"login logout maint monitor partition peering reload services snapshot tls watch namespace", "consul"))},
	{.names = "nomad", .manual = "https://developer.hashicorp.com/nomad/commands", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h -help -v -version"), FLAGS("--help --version")),
		.subs = FACTS_SUBS(
			{.names = "status version inspect", NOMAD_OPTS},
			GROUP("job node alloc deployment namespace server service volume eval evaluation plugin quota",
				{.names = "status list history inspect logs members info allocs deployments scaling-events", NOMAD_OPTS},
				CHANGES("run stop dispatch eval periodic plan promote revert scale init tag action start restart exec fs "
					"signal checks pause drain eligibility config meta purge apply delete fail resume unblock join "
					"force-leave register deregister create detach snapshot validate", "nomad")),
			{.names = "fmt", .style = FACTS_ONE_DASH, .opts = FMT_OPTS, .does = FMT_DOES, .operands = FMT_OPERANDS,
				.hook = hook_fmt},
			CHANGES("run stop plan validate agent acl alloc-logs config exec fs logs login monitor operator recommendation "
				"scaling sentinel setup system tls tui ui var", "nomad"))},
	{.names = "puppet", .manual = "puppet(8)", .style = FACTS_STOP, .opts = FACTS_OPTS(FLAGS("-h --help -V"), FLAGS("--version")),
		.subs = FACTS_SUBS({.names = "parser", .style = FACTS_STOP, .subs = FACTS_SUBS(
				{.names = "validate dump", .operands = {OP(READ, ALL)}})}, WORDS("help doc describe"),
			CHANGES("apply agent module resource config lookup cert ca node device facts generate ssl", "infrastructure"))},
	{.names = "puppet-lint", .manual = "https://puppet-lint.com/", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(FLAG("-f --fix", WRITE_TREE, "."), VALUE("-c --config", READ), VALUE("-l --load", LOAD),
			VALUE("--load-from-puppet", LOAD), VALUE("--ignore-paths", INERT), FLAGS("-h --help")),
		.operands = {OP(READ_TREE, ALL)}},
	{.names = "cdktf serverless sls ansible ansible-playbook "
			"ansible-pull ansible-console ansible-inventory ansible-test chef salt salt-call knife",
		.manual = "https://www.serverless.com/framework/docs/", WORDY, .opts = FACTS_OPTS(FLAGS("-h --help"), FLAGS("--version")), .does = CHANGE("infrastructure")},

	/* --- hosting accounts */
	{.names = "vercel now", .manual = "https://vercel.com/docs/cli", .style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(FLAGS("-h --help -v --version -d --debug --no-color"), VALUE("--cwd", CHDIR),
			VALUES("-t --token -S --scope -T --team"), VALUE("-A --local-config", READ), VALUE("-Q --global-config", UNKNOWN)),
		.subs = FACTS_SUBS(LOOKS("ls list inspect logs whoami", "vercel"),
			GROUP("env project projects domains dns alias aliases teams team certs secrets secret integration redirects",
				LOOKS("ls list inspect", "vercel"),
				CHANGES("add rm remove pull import move transfer-in buy switch invite issue set rename update", "vercel")),
			WORDS("help telemetry"),
			CHANGES("deploy build dev pull link login logout promote rollback redeploy remove rm init git blob bisect open "
				"install api", "vercel"))},
	{.names = "heroku", .manual = "https://devcenter.heroku.com/articles/heroku-cli-commands", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h --help -v"), FLAGS("--version")),
		.subs = FACTS_SUBS(LOOKS("apps apps:info info logs ps releases releases:info status auth:whoami whoami addons "
			"addons:info addons:plans addons:services domains buildpacks regions stack features labs certs certs:info "
			"pipelines pipelines:info access drains orgs teams spaces keys pg:info pg:ps pg:locks pg:bloat "
			"pg:index-usage pg:table-size redis:info ci:info notifications reviewapps", "heroku"),
			WORDS("help version commands plugins"),
			TELLS("config config:get pg:credentials pg:credentials:url redis:credentials auth:token", "heroku"),
			CHANGES("run run:detached create apps:create apps:destroy config:set config:unset ps:scale ps:restart ps:stop "
				"ps:exec pg:psql pg:reset pg:push pg:pull pg:backups addons:create addons:destroy domains:add "
				"domains:remove releases:rollback rollback maintenance:on maintenance:off login logout git:remote "
				"container:push container:release container:login local builds:create", "heroku"))},
	{.names = "fly flyctl", .manual = "https://fly.io/docs/flyctl/", .style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(FLAGS("-h --help --verbose --debug -j --json"), VALUES("-a --app -o --org"),
			VALUE("-c --config", READ), VALUE("-t --access-token", UNKNOWN)),
		.subs = FACTS_SUBS(LOOKS("status logs releases doctor dig", "fly"), WORDS("version help docs"),
			GROUP("apps app machines machine m regions volumes volume vol ips certs checks orgs secrets postgres pg scale image "
				"platform services redis extensions", LOOKS("list ls show status check releases regions vm-sizes", "fly"),
				CHANGES("create destroy open restart move start stop run update clone kill remove exec extend snapshots "
					"fork delete add allocate-v4 allocate-v6 release private set unset import deploy count memory vm "
					"attach detach connect failover invite revoke", "fly")),
			GROUP("config", LOOKS("show validate", "fly"), TELLS("env", "fly"), CHANGES("save", "fly")),
			GROUP("auth", LOOKS("whoami", "fly"), TELLS("token", "fly"), CHANGES("login logout signup docker", "fly")),
			CHANGES("deploy launch ssh proxy console open suspend resume restart destroy create agent wireguard sftp tokens "
				"jobs monitor dashboard", "fly"))},
	{.names = "netlify ntl", .manual = "https://cli.netlify.com/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h --help"), FLAGS("--version")),
		.subs = FACTS_SUBS(LOOKS("status sites:list functions:list blobs:list teams:list", "netlify"), WORDS("help"),
			TELLS("env:list env:get", "netlify"), CHANGES("api build deploy dev link unlink login logout init open watch "
				"serve env:set env:unset env:import sites:create sites:delete functions:invoke functions:build addons:create "
				"logs:function logs:deploy recipes switch blobs:set blobs:delete blobs:get", "netlify"))},
	{.names = "firebase", .manual = "https://firebase.google.com/docs/cli", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h --help -V --debug -j --json --non-interactive"), FLAGS("--version"),
			VALUES("-P --project --account"), VALUE("-c --config", READ), VALUE("--token", UNKNOWN)),
		.subs = FACTS_SUBS(LOOKS("projects:list apps:list functions:list functions:log hosting:sites:list "
			"hosting:channel:list firestore:databases:list firestore:indexes remoteconfig:get database:instances:list "
			"appdistribution:testers:list ext:list login:list", "firebase"), WORDS("help"),
			{.names = "use", .does = {{.role = FACTS_REMOTE, .flags = CALL_EFFECT_LOCAL, .text = "firebase",
				.unless = FACTS_OPERANDS}, DO_IF(WRITE, ".firebaserc", FACTS_OPERANDS, 0)}, .operands = {OP(INERT, ALL)}},
			TELLS("functions:config:get functions:secrets:access apps:sdkconfig login:ci auth:export", "firebase"),
			CHANGES("deploy serve emulators:start emulators:exec init login logout functions:delete hosting:disable "
				"database:get database:set database:remove firestore:delete functions:shell functions:secrets:set open", "firebase"))},
	{.names = "wrangler", .manual = "https://developers.cloudflare.com/workers/wrangler/commands/", .style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(FLAGS("-h --help -v --version --remote --local --json"), VALUE("-c --config --env-file", READ),
			VALUES("-e --env --name --binding --namespace-id"), VALUE("--cwd", CHDIR)),
		.subs = FACTS_SUBS(LOOKS("whoami tail", "cloudflare"),
			GROUP("deployments versions d1 queues workflows vectorize hyperdrive secret secrets-store",
				LOOKS("list status view info describe", "cloudflare"), CHANGES("create delete execute export import "
					"migrations put bulk upload deploy rollback time-travel consumer send update insert query trigger", "cloudflare")),
			GROUP("kv", GROUP("namespace", LOOKS("list", "cloudflare"), CHANGES("create delete rename", "cloudflare")),
				GROUP("key", LOOKS("list", "cloudflare"), CHANGES("get put delete", "cloudflare")), CHANGES("bulk", "cloudflare")),
			GROUP("r2", GROUP("bucket", LOOKS("list info", "cloudflare"), CHANGES("create delete update domain cors lifecycle "
				"notification sippy catalog", "cloudflare")), CHANGES("object sql", "cloudflare")),
			GROUP("pages", GROUP("project deployment", LOOKS("list", "cloudflare"), CHANGES("create delete tail", "cloudflare")),
				CHANGES("dev deploy functions download secret", "cloudflare")), WORDS("docs"),
			CHANGES("deploy publish dev init login logout types delete rollback triggers check containers dispatch-namespace "
				"ai pipelines cert mtls-certificate", "cloudflare"))},
	{.names = "railway", .manual = "https://docs.railway.com/reference/cli-api", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h --help -V"), FLAGS("--version")),
		.subs = FACTS_SUBS(LOOKS("status list logs whoami", "railway"), TELLS("variables", "railway"), WORDS("help docs"),
			CHANGES("up down deploy run shell link unlink login logout init add connect environment service domain open "
				"redeploy ssh volume", "railway"))},
	{.names = "supabase", .manual = "https://supabase.com/docs/reference/cli/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h --help -v --debug --experimental"), FLAGS("--version"), VALUE("--workdir", CHDIR)),
		.subs = FACTS_SUBS(GROUP("projects migration migrations functions secrets branches orgs domains sso storage snippets",
				LOOKS("list ls get", "supabase"), CHANGES("create delete deploy new up down repair squash fetch serve download "
					"set unset cp rm mv update add remove api-keys", "supabase")),
			GROUP("inspect", GROUP("db", LOOKS("bloat blocking cache-hit calls index-sizes index-usage locks long-running-queries "
				"outliers replication-slots role-configs role-stats seq-scans table-index-sizes table-record-counts "
				"table-sizes total-index-size total-table-sizes unused-indexes vacuum-stats db-stats index-stats table-stats "
				"traffic-profile", "supabase"))),
			TELLS("status", "supabase"), WORDS("help completion services"),
			CHANGES("start stop init login logout link unlink db gen test bootstrap seed", "supabase"))},
	{.names = "render surge amplify eb cf dokku",
		.manual = "https://render.com/docs/cli", WORDY, .opts = FACTS_OPTS(FLAGS("-h --help"), FLAGS("--version")),
		.does = CHANGE("hosting account")},
	{0},
};
/* clang-format on */
