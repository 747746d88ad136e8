/*
 * Clients of services: containers, clusters, clouds, forges. Asking a
 * daemon or an account that the user is logged in to is LOCAL; what changes
 * something there is not; what shows a credential is SECRET.
 */

#include "facts/facts_priv.h"
#include "facts/rows.h"

enum bits {
	B_TEXT = 1 << 0, /* it only lists, or says what it would do */
};

/* gh api graphql -f query='...': a query reads, a mutation changes. */
static bool
asks_graphql(const struct facts_run *run)
{
	size_t queries = 0;

	if (run->operand_count != 1
		|| !str_eq(run->operands[0].text, STR("graphql")))
		return false;
	for (size_t i = 0; i < run->given_count; i++) {
		const struct facts_given *g = &run->given[i];
		struct str text = g->value.text;

		if (facts_names_have("--input --form", g->name))
			return false;
		if (!facts_names_have("-f -F --field --raw-field", g->name)
			|| !str_starts(text, STR("query=")))
			continue;
		text = str_trim(str_sub(text, 6, text.len));
		if (g->value.flags
			|| !(str_starts(text, STR("{")) || str_starts(text, STR("query")))
			|| str_has(text, STR("mutation"))
			|| str_has(text, STR("subscription")))
			return false;
		queries++;
	}
	return queries == 1;
}

/* gh api, glab api: a plain request only reads. */
static void
hook_api(struct facts_run *run)
{
	bool reads = facts_given_find(run, "-X --method")
		|| !facts_given_find(run, "-f -F --field --raw-field --input --form")
		|| asks_graphql(run);

	/* the last one counts; a field may be a file's text: key=@FILE */
	for (size_t i = 0; i < run->given_count; i++) {
		const struct facts_given *g = &run->given[i];
		struct facts_word file = g->value;

		if (facts_names_have("-X --method", g->name)
			&& !(str_eq_fold(g->value.text, STR("GET"))
				|| str_eq_fold(g->value.text, STR("HEAD"))))
			reads = false;
		if (facts_names_have("--hostname", g->name))
			reads = false;
		if (!facts_names_have("-F --field --form", g->name))
			continue;
		(void)str_cut(g->value.text, '=', &file.text);
		if (file.text.len > 1 && file.text.ptr[0] == '@') {
			file.text = str_sub(file.text, 1, file.text.len);
			facts_apply(run, FACTS_SEND_FILE, 0, &file);
		}
	}
	facts_apply_text(run, FACTS_REMOTE, reads ? CALL_EFFECT_LOCAL : 0, "api");
	facts_hook_looks(run);
}

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
		|| (c >= '0' && c <= '9') || c == '_';
}

/* What is sent is printed, with the key that proves who sends it. */
static bool
shows_requests(const struct facts_run *run)
{
	return facts_names_have("aws az gh glab", run->name);
}

/* Addresses of the service itself, by which its things are named. */
static bool
is_own_host(struct str host)
{
	static const char *const own[] = {"github.com", "gitlab.com",
		".amazonaws.com", ".googleapis.com", ".google.com", ".azure.com",
		".azure.net", ".windows.net", "docker.io", "docker.com"};

	for (size_t i = 0; i < ARRAY_LEN(own); i++) {
		if (str_ends(host, str_from(own[i]))
			&& (own[i][0] == '.' || host.len == str_from(own[i]).len))
			return true;
	}
	return false;
}

/* An address among the words: a file whose text is sent, or another place that is
 * asked. */
static void
check_address(struct facts_run *run, const struct facts_word *w, size_t at)
{
	struct facts_word file = *w;
	struct facts_url url;
	size_t start = at;

	while (start > 0 && is_name_char(w->text.ptr[start - 1]))
		start--;
	struct str scheme = str_sub(w->text, start, at);

	if (facts_names_have("file fileb", scheme)) {
		file.text = str_sub(w->text, at + 3, w->text.len);
		facts_apply(run, FACTS_SEND_FILE, 0, &file);
		return;
	}
	if (facts_names_have("s3 gs arn docker", scheme))
		return;
	file.text = str_sub(w->text, start, w->text.len);
	if (!facts_url_parse(run->f->a, file.text, &url) || url.userinfo.len > 0
		|| !is_own_host(url.host))
		facts_apply(run, FACTS_URL, 0, &file);
}

/* Has the row said what this text is? */
static bool
is_said(const struct facts_run *run, struct str text)
{
	for (size_t i = 0; i < run->given_count; i++) {
		const struct facts_given *g = &run->given[i];

		if (g->has_value && g->opt->role != FACTS_NONE
			&& g->opt->role != FACTS_INERT && g->value.text.len > 0
			&& str_ends(text, g->value.text))
			return true;
	}
	return false;
}

/* What asking commands of services take beside names: a filter of jq's, files,
 * other addresses, places for what they found. */
void
facts_hook_looks(struct facts_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		struct facts_word w = run->words[i];
		struct str value, name = str_cut(w.text, '=', &value);
		size_t at = str_find(w.text, STR("://"), 0);

		if (is_said(run, w.text))
			continue;
		if (at < w.text.len)
			check_address(run, &w, at);
		if (!value.ptr && i + 1 < run->count)
			w = run->words[i + 1];
		else
			w.text = value;
		if (is_said(run, w.text))
			continue;
		if (facts_names_have("--jq -q", name))
			facts_check_jq(run, &w);
		else if (facts_names_have(
					 "--output-directory --profile-output --log-file "
					 "--log-dir --cache-dir --output-file",
					 name))
			facts_apply(run, FACTS_WRITE_TREE, 0, &w);
		else if (facts_names_have(
					 "--filename --access-token-file --flags-file", name)
			|| (str_eq(name, STR("-f"))
				&& facts_names_have("kubectl oc helm", run->name)))
			facts_apply(run, FACTS_READ, 0, &w);
		else if (str_eq(name, STR("--debug")) && shows_requests(run))
			facts_apply_text(run, FACTS_SECRET, 0, "requests");
	}
}

/* A table, or names: what is in a secret is not shown. */
static bool
shows_names_only(const struct facts_run *run)
{
	for (size_t i = 0; i < run->given_count; i++) {
		const struct facts_given *g = &run->given[i];

		if (facts_names_have("--template --raw -f --filename", g->name)
			|| (facts_names_have("-o --output", g->name)
				&& !facts_names_have("name wide", g->value.text)))
			return false;
	}
	return !run->guessed;
}

/* kubectl get secret: the listing names them, -o prints what is in them. */
static void
hook_kubectl_get(struct facts_run *run)
{
	bool names = shows_names_only(run);

	for (size_t i = 0; i < run->operand_count; i++) {
		struct str rest, word, all = run->operands[i].text;

		for (word = str_cut(all, ',', &rest); word.len > 0;
			 word = str_cut(rest, ',', &rest)) {
			struct str name, group, kind = str_cut(word, '/', &name);

			/* secrets.v1.core/NAME */
			kind = str_cut(kind, '.', &group);
			if (!names
				&& (str_eq_fold(kind, STR("secret"))
					|| str_eq_fold(kind, STR("secrets"))))
				facts_apply_text(run, FACTS_SECRET, 0, "kubernetes secret");
		}
	}
	/* -o jsonpath-file=FILE: a text that faults show */
	for (size_t i = 0; i < run->given_count; i++) {
		struct facts_word file = run->given[i].value;

		if (!facts_names_have("-o --output", run->given[i].name)
			|| !str_has(file.text, STR("-file=")))
			continue;
		(void)str_cut(file.text, '=', &file.text);
		facts_apply(run, FACTS_READ, 0, &file);
	}
	facts_apply_text(run, FACTS_REMOTE, CALL_EFFECT_LOCAL, "kubernetes");
	facts_hook_looks(run);
}

/* kubectl apply --dry-run=client|server: what would be, and nothing changes. */
static void
hook_dry_run(struct facts_run *run)
{
	bool dry = false;

	for (size_t i = 0; i < run->given_count; i++) {
		const struct facts_given *g = &run->given[i];

		if (facts_names_have("--dry-run", g->name))
			dry = facts_names_have("client server", g->value.text)
				&& !g->value.flags;
	}
	facts_apply_text(
		run, FACTS_REMOTE, dry ? CALL_EFFECT_LOCAL : 0, "kubernetes");
}

/* helm install NAME CHART --dry-run: asks, where the chart is a folder here. */
static void
hook_helm_install(struct facts_run *run)
{
	const struct facts_given *dry = facts_given_find(run, "--dry-run");
	bool is_dry = dry
		&& (!dry->has_value
			|| facts_names_have("client server true", dry->value.text));

	for (size_t i = 0; is_dry && i < run->operand_count; i++) {
		struct facts_word w = run->operands[i];

		if (i == 0)
			continue;
		is_dry = str_starts(w.text, STR("./")) || str_eq(w.text, STR("."));
		facts_apply(run, FACTS_READ_TREE, 0, &w);
	}
	facts_apply_text(run, FACTS_REMOTE,
		is_dry && run->operand_count == 2 ? CALL_EFFECT_LOCAL : 0,
		"kubernetes");
}

/* One setting by its name: what is named like a secret is one. */
static void
hook_config_get(struct facts_run *run)
{
	for (size_t i = 0; i < run->operand_count; i++) {
		if (facts_var_is_secret(run->operands[i].text)
			|| str_has_fold(run->operands[i].text, STR("auth"))
			|| (run->operands[i].flags & FACTS_DYNAMIC))
			facts_apply_text(run, FACTS_SECRET, 0, "settings");
	}
}

/* aws configure: shown masked, or one setting by its name. */
static void
aws_configure(struct facts_run *run, struct str verb)
{
	if (facts_names_have("list list-profiles", verb))
		return;
	if (!str_eq(verb, STR("get")) || run->operand_count != 3) {
		facts_apply_text(run,
			facts_names_have("get export-credentials", verb) ? FACTS_SECRET
															 : FACTS_REMOTE,
			0, "aws");
		return;
	}
	struct facts_word name = run->operands[2];

	if (name.flags || facts_var_is_secret(name.text)
		|| str_has_fold(name.text, STR("key")))
		facts_apply_text(run, FACTS_SECRET, 0, "aws");
}

/* A query that an account runs for the user: as what it says does. */
static void
aws_statement(struct facts_run *run)
{
	size_t given = 0;

	for (size_t i = 0; i < run->given_count; i++) {
		if (!facts_names_have(
				"--query-string --sql --statement", run->given[i].name))
			continue;
		facts_sql(run, &run->given[i].value);
		given++;
	}
	if (given != 1)
		facts_apply_text(run, FACTS_REMOTE, 0, "aws");
}

/* aws SERVICE OPERATION: the verb tells. */
static void
hook_aws(struct facts_run *run)
{
	static const char *const reading[] = {"describe-", "list-", "get-", "head-",
		"batch-get-", "search-", "lookup-", "scan", "query", "ls", "wait",
		"help", "filter-", "view-", "estimate-", "tail", "preview-",
		"admin-get-", "admin-list-", "transact-get-", "validate-template",
		"simulate-", "test-dns-answer", "check-if-", "decode-authorization-",
		"count-", "select-resource-config", "download-db-log-file-portion"};
	static const char secrets[] =
		"get-secret-value get-parameter get-parameters get-parameters-by-path "
		"get-parameter-history get-cluster-credentials get-role-credentials "
		"get-temporary-gateway-group-credentials admin-get-device "
		"get-api-key get-api-keys get-key-pair get-open-id-token "
		"get-relational-database-master-user-password "
		"get-instance-access-details "
		"get-session-token get-federation-token assume-role get-login-password "
		"get-authorization-token get-password-data get-random-password "
		"get-credentials-for-identity get-access-key get-object "
		"batch-get-secret-value export-credentials get-token";
	bool reads = false;

	run->done = true;
	if (run->count == 2 && str_eq(run->words[1].text, STR("help")))
		return;
	if (run->operand_count < 2) {
		facts_run_ignore(run, CALL_UNKNOWN, "an operation that is not known",
			facts_run_text(run));
		return;
	}
	struct str verb = run->operands[1].text;

	if (str_eq(run->operands[0].text, STR("configure"))) {
		aws_configure(run, verb);
		return;
	}
	if (facts_names_have("start-query-execution execute-statement", verb)) {
		aws_statement(run);
		return;
	}
	/* EC2 only checks the leave; s3 only prints what it would do */
	reads = facts_given_find(run, "--dry-run --dryrun") != NULL
		&& facts_names_have("ec2 s3", run->operands[0].text);
	reads |= facts_names_have("start-query stop-query", verb);
	for (size_t i = 0; i < ARRAY_LEN(reading); i++)
		reads |= str_starts(verb, str_from(reading[i]));
	if (facts_names_have(secrets, verb))
		facts_apply_text(run, FACTS_SECRET, 0, "aws");
	facts_apply_text(run, FACTS_REMOTE, reads ? CALL_EFFECT_LOCAL : 0, "aws");
	facts_hook_looks(run);
}

/* What a container is given of the machine stands in container.c. */
#define CONTAINER_RUN(n)                                                      \
	.names = (n), .style = FACTS_STOP | FACTS_WRAPPER,                        \
	.opts = FACTS_OPTS(                                                       \
		FLAGS(                                                                \
			"-i --interactive -t --tty -d --detach --rm --init "              \
			"--no-healthcheck "                                               \
			"-P --publish-all --read-only --sig-proxy --oom-kill-disable -q " \
			"--quiet -it -ti --help --replace"),                              \
		VALUES(                                                               \
			"--name -e --env -w --workdir -u --user -p --publish --expose "   \
			"--entrypoint -h --hostname -l --label -m --memory --cpus "       \
			"--cpuset-cpus -c --cpu-shares --memory-swap --shm-size "         \
			"--platform --pull --restart --stop-signal --stop-timeout "       \
			"--tmpfs --ulimit --gpus --dns --add-host --network-alias --ip "  \
			"--log-driver --log-opt --health-cmd --isolation --runtime "      \
			"--pids-limit --group-add --cap-drop --sysctl -a --attach "       \
			"--detach-keys --domainname --link --mac-address --userns "       \
			"--network --net --pid --ipc --uts --cgroupns -v --volume "       \
			"--mount --security-opt --cap-add --device --volumes-from"),      \
		VALUE("--env-file --label-file", READ),                               \
		VALUE("--cidfile --iidfile", WRITE),                                  \
		FLAG("--privileged", PRIVILEGE, "container")),                        \
	.does = CHANGE("docker"), .hook = facts_hook_container

// clang-format off
const struct facts_prog facts_prog_service[] = {
	/* --- containers */
	{.names = "docker podman nerdctl", .manual = "https://docs.docker.com/reference/cli/docker/",
		.style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-D --debug --tls --tlsverify -v --version --help"),
			VALUE("-H --host", REMOTE), VALUE("--config", LOAD), VALUES("-c --context -l --log-level --log-driver"),
			VALUE("--tlscacert --tlscert --tlskey", READ)),
		.subs = FACTS_SUBS(
			LOOKS("ps images info version inspect logs top stats port diff history search events wait", "docker"),
			WORDS("help"),
			{.names = "exec", .style = FACTS_STOP | FACTS_WRAPPER,
				.opts = FACTS_OPTS(FLAGS("-i --interactive -t --tty -d --detach --privileged -it -ti"),
					VALUES("-u --user -w --workdir -e --env --env-file --detach-keys")),
				.does = LOOK("docker"), .operands = {OP(INERT, FIRST), OP(COMMAND, REST)}, .hook = facts_hook_inside},
			{.names = "container image volume network system context plugin node service stack swarm "
					"manifest buildx builder config secret trust checkpoint machine pod model sbom mcp",
				.style = FACTS_STOP,
				.subs = FACTS_SUBS(
					LOOKS("ls list ps inspect logs top stats port diff history df info show events version du services "
						"tree exists config status", "docker"),
					{.names = "save export", READY, .opts = FACTS_OPTS(VALUE("-o --output", WRITE)),
						.does = LOOK("docker")},
					GROUP("connection", LOOKS("list ls", "docker"), CHANGES("add remove rm rename default", "docker")),
					{.names = "bake", WORDY, .opts = FACTS_OPTS(SETS("--print --list --check", B_TEXT)),
						.does = DRY_OR_CHANGE("docker", B_TEXT)},
					{.names = "imagetools", .style = FACTS_STOP, .subs = FACTS_SUBS(LOOKS("inspect", "docker"),
						CHANGES("create", "docker"))},
					{.names = "exec", .style = FACTS_STOP | FACTS_WRAPPER,
						.opts = FACTS_OPTS(FLAGS("-i --interactive -t --tty -d --detach --privileged -it -ti"),
							VALUES("-u --user -w --workdir -e --env --env-file --detach-keys")),
						.does = LOOK("docker"), .operands = {OP(INERT, FIRST), OP(COMMAND, REST)}, .hook = facts_hook_inside},
					{CONTAINER_RUN("run")},
					CHANGES("create start stop restart rm remove prune kill pause unpause rename "
						"update build pull push tag load import commit cp connect "
						"disconnect use init deploy scale rollback join leave promote demote "
						"enable disable install set upgrade attach wait annotate sign revoke", "docker"))},
			{.names = "compose", .style = FACTS_STOP,
				.opts = FACTS_OPTS(VALUE("-f --file --env-file", READ),
					VALUES("-p --project-name --profile --project-directory --ansi --progress --parallel"),
					FLAGS("--compatibility --all-resources -v --version --help"), SETS("--dry-run", B_TEXT)),
				.subs = FACTS_SUBS(
					LOOKS("ps ls logs top images port events version config convert stats volumes", "docker"),
					{.names = "exec", .style = FACTS_STOP | FACTS_WRAPPER,
						.opts = FACTS_OPTS(FLAGS("-d --detach -T --no-tty --no-TTY --privileged -i --interactive -t --tty"),
							VALUES("-u --user -w --workdir -e --env --index")),
						.does = LOOK("docker"), .operands = {OP(INERT, FIRST), OP(COMMAND, REST)}, .hook = facts_hook_inside},
					{.names = "up down start stop restart build pull push create rm kill pause unpause scale cp",
						WORDY, .opts = FACTS_OPTS(SETS("--dry-run", B_TEXT)), .does = DRY_OR_CHANGE("docker", B_TEXT)},
					CHANGES("run watch attach commit export publish wait", "docker"))},
			{.names = "save export", READY, .opts = FACTS_OPTS(VALUE("-o --output", WRITE)), .does = LOOK("docker")},
			{.names = "auto-update", WORDY, .opts = FACTS_OPTS(SETS("--dry-run", B_TEXT)),
				.does = DRY_OR_CHANGE("docker", B_TEXT)},
			{CONTAINER_RUN("run create")},
			{.names = "build buildx pull push tag load import commit cp rm rmi "
					"start stop restart kill pause unpause rename update attach login logout init "
					"deploy generate play machine unshare mount umount farm healthcheck kube",
				WORDY, .does = CHANGE("docker")})},
	{.names = "docker-compose podman-compose", .manual = "https://docs.docker.com/reference/cli/docker/compose/",
		.style = FACTS_STOP,
		.opts = FACTS_OPTS(VALUE("-f --file --env-file", READ),
			VALUES("-p --project-name --profile --project-directory --ansi"), FLAGS("-v --version --help --verbose")),
		.subs = FACTS_SUBS(
			LOOKS("ps ls logs top images port events version config", "docker"),
			{.names = "exec", .style = FACTS_STOP | FACTS_WRAPPER,
				.opts = FACTS_OPTS(FLAGS("-d -T --privileged"), VALUES("-u --user -w --workdir -e --env --index")),
				.does = LOOK("docker"), .operands = {OP(INERT, FIRST), OP(COMMAND, REST)}, .hook = facts_hook_inside},
			CHANGES("up down start stop restart build pull push create rm kill pause unpause run scale cp", "docker"))},

	/* --- clusters */
	{.names = "kubectl oc k3s-kubectl", .manual = "https://kubernetes.io/docs/reference/kubectl/",
		.style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(
			VALUES("-n --namespace --context --cluster --user --token --as --as-group "
				"--request-timeout -v --v --profile --tls-server-name"),
			VALUE("--cache-dir --profile-output --log-file --log-dir", WRITE_TREE),
			VALUE("-s --server", URL), VALUE("--kubeconfig", LOAD),
			VALUE("--certificate-authority --client-certificate --client-key", READ),
			FLAGS("--insecure-skip-tls-verify --match-server-version --warnings-as-errors -h --help")),
		.subs = FACTS_SUBS(
			{.names = "get describe", READY,
				.opts = FACTS_OPTS(VALUE("-f --filename -k --kustomize", READ), VALUE("--raw", REMOTE),
					VALUES("-o --output -l --selector --field-selector --sort-by -L --label-columns --template "
						"--chunk-size --subresource --types --for"),
					FLAGS("-A --all-namespaces -w --watch --watch-only -R --recursive --no-headers --show-labels "
						"--show-kind --show-managed-fields --ignore-not-found --server-print --output-watch-events "
						"--show-events")),
				.hook = hook_kubectl_get},
			{.names = "version", .opts = FACTS_OPTS(FLAGS("--client --short"), VALUES("-o --output")),
				.does = LOOK("kubernetes")},
			LOOKS("logs top explain api-resources api-versions cluster-info events diff wait "
				"completion", "kubernetes"),
			WORDS("help options"),
			LOOKS("projects", "openshift"),
			{.names = "status", READY, .does = LOOK("openshift")},
			{.names = "whoami", READY, .opts = FACTS_OPTS(FLAG("-t --show-token", SECRET, "openshift")),
				.does = LOOK("openshift")},
			{.names = "project", READY, .does = {{.role = FACTS_REMOTE, .flags = CALL_EFFECT_LOCAL,
				.text = "openshift", .unless = FACTS_OPERANDS}, DO_IF(REMOTE, "openshift", FACTS_OPERANDS, 0)}},
			GROUP("adm", LOOKS("top", "openshift"), CHANGES("policy drain cordon uncordon taint prune must-gather "
				"upgrade new-project node-logs release certificate", "openshift")),
			GROUP("alpha", LOOKS("events", "kubernetes")),
			{.names = "apply create delete patch replace run expose set scale autoscale label annotate taint cordon "
				"uncordon drain",
				WORDY, .opts = FACTS_OPTS(MAYBES("--dry-run"), VALUE("-f --filename -k --kustomize", HOST_READ),
					VALUE("--from-file --from-env-file --patch-file --cert --key", READ), VALUES("-o --output -p --patch "
					"--image --from-literal --replicas -l --selector --type --port --overrides --limits --requests --env "
					"--labels --verb --resource --clusterrole --role --serviceaccount --group --rule --field-manager")),
				.hook = hook_dry_run},
			{.names = "plugin", .style = FACTS_STOP, .subs = FACTS_SUBS(WORDS("list"))},
			{.names = "auth", .style = FACTS_STOP, .subs = FACTS_SUBS(LOOKS("can-i whoami", "kubernetes"),
				CHANGES("reconcile", "kubernetes"))},
			{.names = "rollout", .style = FACTS_STOP, .subs = FACTS_SUBS(LOOKS("status history", "kubernetes"),
				CHANGES("restart undo pause resume", "kubernetes"))},
			{.names = "config", .style = FACTS_STOP, .subs = FACTS_SUBS(
				{.names = "view", READY, .opts = FACTS_OPTS(FLAG("--raw", SECRET, "kubeconfig"))},
				WORDS("current-context get-contexts get-clusters get-users"),
				{.names = "use-context set set-context set-cluster set-credentials unset rename-context "
					"delete-context delete-cluster delete-user use", WORDY,
					.does = {DO(WRITE, "~/.kube/config")}})},
			/* its options go on behind the pod, up to a -- */
			{.names = "exec", .style = FACTS_WRAPPER,
				.opts = FACTS_OPTS(FLAGS("-i --stdin -t --tty -q --quiet -it -ti"),
					VALUES("-c --container -n --namespace --pod-running-timeout"), VALUE("-f --filename", READ)),
				.does = LOOK("kubernetes"), .operands = {OP(INERT, FIRST), OP(COMMAND, REST)}, .hook = facts_hook_inside},
			CHANGES("edit attach cp port-forward proxy debug certificate kustomize "
				"new-app new-project login policy start-build logout import-image tag rsh rsync", "kubernetes"))},
	{.names = "helm", .manual = "https://helm.sh/docs/helm/", .style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(VALUES("-n --namespace --kube-context --kube-token"), VALUE("--kubeconfig", LOAD),
			VALUE("--kube-apiserver", URL),
			FLAGS("--debug -h --help")),
		.subs = FACTS_SUBS(
			LOOKS("list ls status history version env search show inspect", "kubernetes"),
			WORDS("help completion"),
			{.names = "verify", .opts = FACTS_OPTS(VALUE("--keyring", READ)), .operands = {OP(READ, ALL)}},
			{.names = "get", .style = FACTS_STOP, .subs = FACTS_SUBS(LOOKS("notes hooks metadata", "kubernetes"),
				TELLS("values manifest all", "kubernetes"))},
			{.names = "template lint", WORDY, .does = {DO(READ_TREE, ".")},
				.opts = FACTS_OPTS(VALUE("--output-dir", WRITE_TREE), VALUE("--post-renderer", UNKNOWN),
					VALUE("--repo", URL), VALUE("-f --values --set-file --ca-file --cert-file --key-file", READ),
					VALUES("--set --set-string --set-json --set-literal --version --api-versions -a --kube-version -s --show-only "
						"--name-template --timeout --description")),
				.hook = facts_hook_looks},
			{.names = "repo", .style = FACTS_STOP, .subs = FACTS_SUBS(WORDS("list ls"),
				CHANGES("add remove rm update index", "kubernetes"))},
			{.names = "dependency dep", .style = FACTS_STOP, .subs = FACTS_SUBS(
				{.names = "list ls", READY, .does = {DO(READ_TREE, ".")}}, CHANGES("build update", "kubernetes"))},
			{.names = "plugin", .style = FACTS_STOP, .subs = FACTS_SUBS(WORDS("list ls verify"),
				CHANGES("install uninstall update package", "kubernetes"))},
			/* no chart is fetched for these */
			{.names = "rollback uninstall delete del un", WORDY, .opts = FACTS_OPTS(SETS("--dry-run", B_TEXT)),
				.does = DRY_OR_CHANGE("kubernetes", B_TEXT)},
			{.names = "install upgrade", WORDY, .opts = FACTS_OPTS(MAYBES("--dry-run"),
				VALUE("-f --values --set-file", HOST_READ), VALUE("--post-renderer", UNKNOWN), VALUE("--repo", URL),
				VALUES("--set --set-string --set-json --version --timeout --description")),
				.hook = hook_helm_install},
			CHANGES("test package pull push create registry",
				"kubernetes"))},
	{.names = "kustomize skaffold tilt k3s",
		.manual = "https://kubernetes.io/docs/tasks/tools/", WORDY, .does = CHANGE("kubernetes")},

	/* --- clouds */
	{.names = "aws", .manual = "https://docs.aws.amazon.com/cli/latest/reference/",
		.style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUE("--endpoint-url", URL), VALUES("--region --profile --output --query --ca-bundle --color "
			"--cli-read-timeout --cli-connect-timeout --max-items --page-size --starting-token "
			"--filters --filter --instance-ids --bucket --key --prefix --stack-name --name --names"),
			FLAGS("--no-cli-pager --no-paginate --debug --no-verify-ssl --no-sign-request --version --recursive "
			"--dry-run --dryrun"),
			VALUES("--query-string --sql --statement"),
			VALUE("--cli-input-json --cli-input-yaml --result-configuration", UNKNOWN)),
		.hook = hook_aws},
	{.names = "gsutil", .manual = "https://cloud.google.com/storage/docs/gsutil", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-D -DD -m -q"), VALUES("-h -i -u"), VALUE("-o", UNKNOWN)),
		.subs = FACTS_SUBS(LOOKS("ls du stat version help", "cloud account"), {.names = "hash", .operands = {OP(READ, ALL)},
				.opts = FACTS_OPTS(FLAGS("-c -h -m"))},
			GROUP("acl autoclass bucketpolicyonly cors defacl defstorageclass iam kms label lifecycle logging "
				"notification pap requesterpays retention rpo ubla versioning web", LOOKS("get list", "cloud account"),
				CHANGES("set ch create delete authorize encryption clear event lock release", "cloud account")),
			CHANGES("cat compose config cp hmac mb mv perfdiag rb rewrite rm rsync setmeta signurl test update", "cloud account"))},
	{.names = "bq", .manual = "https://cloud.google.com/bigquery/docs/reference/bq-cli-reference", .style = FACTS_STOP,
		.opts = FACTS_OPTS(VALUES("--project_id --location --format --dataset_id --max_rows"), VALUE("--api", URL),
			FLAGS("--headless --quiet -q --help --version"), VALUE("--bigqueryrc --flagfile --credential_file", UNKNOWN)),
		.subs = FACTS_SUBS(LOOKS("ls show head version help info get-iam-policy wait", "cloud account"),
			{.names = "query", WORDY, .opts = FACTS_OPTS(SETS("--dry_run -dry_run", B_TEXT)),
				.does = DRY_OR_CHANGE("cloud account", B_TEXT)},
			CHANGES("add-iam-policy-binding cancel cp extract init insert load mk mkdef partition remove-iam-policy-binding "
				"rm set-iam-policy shell truncate undelete update", "cloud account"))},
	{.names = "gcloud az doctl oci ibmcloud linode-cli hcloud scw aliyun tccli s3cmd rclone-cloud mc",
		.manual = "https://cloud.google.com/sdk/gcloud/reference, https://learn.microsoft.com/cli/azure/",
		.style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUES("--project --zone --region --format --filter --account --configuration -g "
			"--resource-group -n --name --subscription -o --output --query --limit")),
		.hook = facts_hook_cloud},
	/* --- forges */
	{.names = "gh", .manual = "https://cli.github.com/manual/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("--version -h --help"), VALUES("-R --repo")),
		.subs = FACTS_SUBS(
			{.names = "pr", .style = FACTS_STOP, .opts = FACTS_OPTS(VALUES("-R --repo")), .subs = FACTS_SUBS(
				LOOKS("view list status diff checks", "github"),
				CHANGES("create close comment edit lock unlock merge ready reopen review revert update-branch checkout", "github"))},
			{.names = "issue", .style = FACTS_STOP, .opts = FACTS_OPTS(VALUES("-R --repo")), .subs = FACTS_SUBS(
				LOOKS("view list status", "github"),
				{.names = "develop", WORDY, .opts = FACTS_OPTS(SETS("-l --list", B_TEXT)),
					.does = DRY_OR_CHANGE("github", B_TEXT)},
				CHANGES("create close comment delete edit lock pin reopen transfer unlock unpin", "github"))},
			{.names = "repo", .style = FACTS_STOP, .subs = FACTS_SUBS(LOOKS("view list", "github"),
				{.names = "set-default", WORDY, .opts = FACTS_OPTS(SETS("-v --view", B_TEXT)),
					.does = DRY_OR_CHANGE("github", B_TEXT)},
				GROUP("deploy-key autolink gitignore license", LOOKS("list view ls", "github"),
					CHANGES("add delete create", "github")),
				CHANGES("clone create fork delete edit rename archive unarchive sync", "github"))},
			{.names = "run workflow release cache ruleset rs label project gist org agent-task milestone", .style = FACTS_STOP,
				.opts = FACTS_OPTS(VALUES("-R --repo")), .subs = FACTS_SUBS(
				LOOKS("view list watch check field-list item-list verify verify-asset", "github"),
				CHANGES("create delete edit cancel rerun run enable disable upload download clone rename close copy "
					"delete-asset item-add item-edit item-delete item-archive field-create "
					"field-delete link unlink mark-template", "github"))},
			{.names = "secret variable ssh-key gpg-key", .style = FACTS_STOP, .subs = FACTS_SUBS(
				LOOKS("list get", "github"), CHANGES("set delete remove add", "github"))},
			{.names = "search", READY, .does = LOOK("github")},
			{.names = "api", .style = FACTS_LOOSE, .opts = FACTS_OPTS(VALUES("-X --method -H --header -q --jq -t "
				"--template --hostname -p --preview --cache -f --raw-field -F --field"), VALUE("--input", SEND_FILE),
				FLAGS("-i --include --paginate --silent --slurp --verbose")), .operands = {OP(INERT, ALL)}, .hook = hook_api},
			{.names = "auth", .style = FACTS_STOP, .subs = FACTS_SUBS(
				{.names = "status", READY, .opts = FACTS_OPTS(FLAG("-t --show-token", SECRET, "github")), .does = LOOK("github")},
				TELLS("token", "github"), CHANGES("login logout refresh setup-git switch", "github"))},
			LOOKS("status", "github"), WORDS("version help completion"),
			{.names = "config", .style = FACTS_STOP, .subs = FACTS_SUBS(
				{.names = "get", .opts = FACTS_OPTS(VALUES("-h --host")), .operands = {OP(INERT, ALL)},
					.hook = hook_config_get}, WORDS("list ls"),
				CHANGES("set clear-cache", "gh settings"))},
			{.names = "alias", .style = FACTS_STOP, .subs = FACTS_SUBS(WORDS("list"), CHANGES("set import delete", "gh settings"))},
			{.names = "codespace cs", .style = FACTS_STOP, .subs = FACTS_SUBS(LOOKS("list ls view logs ports", "github"),
				CHANGES("create delete edit rebuild stop ssh cp code jupyter", "github"))},
			{.names = "extension extensions ext", .style = FACTS_STOP, .subs = FACTS_SUBS(LOOKS("list ls search browse", "github"),
				CHANGES("install remove upgrade create exec", "github"))},
			{.names = "attestation at", .style = FACTS_STOP, .subs = FACTS_SUBS(
				{.names = "verify trusted-root", READY, .does = LOOK("github")}, CHANGES("download", "github"))},
			{.names = "browse", READY, .does = LOOK("github")},
			CHANGES("copilot preview", "github"))},
	{.names = "glab tea", .manual = "https://gitlab.com/gitlab-org/cli", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h --help --version"), VALUES("-R --repo")),
		.subs = FACTS_SUBS(
			{.names = "mr issue repo ci pipeline release label milestone snippet job schedule incident pr issues",
				.style = FACTS_STOP, .opts = FACTS_OPTS(VALUES("-R --repo")), .subs = FACTS_SUBS(
				LOOKS("view list status diff show get trace lint search ls issues approvers events contributors", "gitlab"),
				CHANGES("create close comment note edit update merge approve revoke reopen rebase delete checkout "
					"clone fork run retry cancel upload download transfer mirror subscribe unsubscribe todo for "
					"trigger artifact archive", "gitlab"))},
			GROUP("user runner cluster iteration changelog", LOOKS("events list ls get view", "gitlab"),
				CHANGES("create delete edit update generate agent", "gitlab")),
			GROUP("variable", LOOKS("list ls", "gitlab"), TELLS("get export", "gitlab"),
				CHANGES("set update delete", "gitlab")),
			GROUP("ssh-key deploy-key gpg-key", LOOKS("list ls get", "gitlab"), CHANGES("add delete", "gitlab")),
			GROUP("config", {.names = "get", .opts = FACTS_OPTS(VALUES("-h --host"), FLAGS("-g --global")),
				.operands = {OP(INERT, ALL)}, .hook = hook_config_get}, CHANGES("set edit init", "gitlab settings")),
			{.names = "api", .style = FACTS_LOOSE, .opts = FACTS_OPTS(VALUES("-X --method -H --header --hostname "
				"-f --raw-field -F --field"), VALUE("--input", SEND_FILE), FLAGS("-i --include --paginate --silent")),
				.operands = {OP(INERT, ALL)}, .hook = hook_api},
			{.names = "auth", .style = FACTS_STOP, .subs = FACTS_SUBS(
				{.names = "status", READY, .opts = FACTS_OPTS(FLAG("-t --show-token", SECRET, "gitlab")), .does = LOOK("gitlab")},
				CHANGES("login logout", "gitlab"))},
			WORDS("version help check-update"), CHANGES("alias token", "gitlab"))},
	{0},
};
