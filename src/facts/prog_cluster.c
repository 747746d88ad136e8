/*
 * What stands around a cluster or a container daemon: its pages are those of each
 * project. What asks the cluster that the user is logged in to is LOCAL.
 */

#include "facts/facts_priv.h"
#include "facts/rows.h"

/* Which cluster, and by whose leave: a configuration may name a program that
 * logs in. */
#define CLUSTER_OPTS                                                      \
	VALUES("-n --namespace --context --kube-context --cluster --timeout " \
		   "--request-timeout -o --output"),                              \
		VALUE("--kubeconfig --config", LOAD), VALUE("-s --server", URL),  \
		VALUE("--auth-token --token", UNKNOWN),                           \
		FLAGS("-h --help --insecure --grpc-web --plaintext -A "           \
			  "--all-namespaces")

/* clang-format off */
const struct facts_prog facts_prog_cluster[] = {
	{.names = "kubectx kubens", .manual = "https://github.com/ahmetb/kubectx",
		.opts = FACTS_OPTS(FLAGS("-c --current -h --help -V --version"), FLAG("-u --unset -d", UNKNOWN, "")),
		.does = {{.role = FACTS_REMOTE, .flags = CALL_EFFECT_LOCAL, .text = "kubernetes", .unless = FACTS_OPERANDS},
			DO_IF(WRITE, "~/.kube/config", FACTS_OPERANDS, 0)},
		.operands = {OP(INERT, ALL)}},
	{.names = "stern kubetail kail", .manual = "https://github.com/stern/stern", READY,
		.opts = FACTS_OPTS(CLUSTER_OPTS, VALUE("--template-file -T", READ)), .does = LOOK("kubernetes")},
	{.names = "k9s", .manual = "https://k9scli.io/topics/commands/", .style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(CLUSTER_OPTS), .subs = FACTS_SUBS(WORDS("version info help completion"))},
	{.names = "argocd", .manual = "https://argo-cd.readthedocs.io/en/stable/user-guide/commands/argocd/",
		.style = FACTS_STOP | FACTS_GLOBAL, .opts = FACTS_OPTS(CLUSTER_OPTS),
		.subs = FACTS_SUBS(
			GROUP("app", {.names = "diff manifests", READY, .opts = FACTS_OPTS(VALUE("--local", UNKNOWN)),
					.does = LOOK("argocd")},
				LOOKS("list get history logs resources wait", "argocd"), CHANGES("create delete sync set unset rollback "
					"edit patch terminate-op actions add-source remove-source patch-resource delete-resource", "argocd")),
			GROUP("appset cluster repo proj project account cert gpg repocreds", LOOKS("list get get-user-info can-i",
				"argocd"), CHANGES("create add delete rm set update edit sync windows role generate-token "
				"update-password delete-token rotate-auth", "argocd")),
			GROUP("context", WORDS("list")), LOOKS("version", "argocd"), WORDS("help completion"),
			CHANGES("login logout relogin admin", "argocd"))},
	{.names = "flux", .manual = "https://fluxcd.io/flux/cmd/", .style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(CLUSTER_OPTS),
		.subs = FACTS_SUBS(LOOKS("get logs check version events tree stats trace list", "kubernetes"),
			{.names = "export", READY, .opts = FACTS_OPTS(FLAG("--with-credentials", SECRET, "flux")),
				.does = LOOK("kubernetes")},
			WORDS("help completion"), CHANGES("create delete suspend resume reconcile install uninstall bootstrap "
				"push pull tag build diff migrate envsubst", "kubernetes"))},
	{.names = "istioctl", .manual = "https://istio.io/latest/docs/reference/commands/istioctl/",
		.style = FACTS_STOP | FACTS_GLOBAL, .opts = FACTS_OPTS(CLUSTER_OPTS),
		.subs = FACTS_SUBS(LOOKS("version proxy-status ps", "kubernetes"),
			{.names = "analyze validate", .style = FACTS_LOOSE, .opts = FACTS_OPTS(VALUE("-f --filename", READ)),
				.does = LOOK("kubernetes"), .operands = {OP(READ_TREE, ALL)}},
			GROUP("proxy-config pc", LOOKS("cluster clusters listener listeners route routes endpoint endpoints all log "
				"bootstrap", "kubernetes"), TELLS("secret secrets", "kubernetes secret")),
			WORDS("help completion"), CHANGES("install uninstall upgrade manifest operator kube-inject dashboard "
				"create-remote-secret tag experimental x waypoint ztunnel-config bug-report admin", "kubernetes"))},
	{.names = "linkerd", .manual = "https://linkerd.io/2/reference/cli/", .style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(CLUSTER_OPTS),
		.subs = FACTS_SUBS(LOOKS("check version", "kubernetes"),
			GROUP("viz multicluster", LOOKS("stat top tap edges routes check gateways", "kubernetes")),
			WORDS("help completion"), CHANGES("install uninstall upgrade inject uninject", "kubernetes"))},
	{.names = "cilium hubble", .manual = "https://docs.cilium.io/en/stable/cheatsheet/", .style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(CLUSTER_OPTS),
		.subs = FACTS_SUBS(LOOKS("status version observe list", "kubernetes"), GROUP("config", LOOKS("view get", "kubernetes"),
			CHANGES("set delete", "kubernetes")), CHANGES("install uninstall upgrade connectivity", "kubernetes"))},
	{.names = "velero", .manual = "https://velero.io/docs/", .style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(CLUSTER_OPTS),
		.subs = FACTS_SUBS(LOOKS("get version describe", "kubernetes"),
			GROUP("backup restore schedule backup-location snapshot-location plugin repo", LOOKS("get describe logs",
				"kubernetes"), CHANGES("create delete download pause unpause set add remove", "kubernetes")),
			CHANGES("create delete install uninstall", "kubernetes"))},
	{.names = "minikube", .manual = "https://minikube.sigs.k8s.io/docs/commands/", .style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(VALUES("-p --profile -o --output -l --layout"), FLAGS("-h --help")),
		.subs = FACTS_SUBS(LOOKS("status ip version logs", "kubernetes"),
			GROUP("profile service addons node image", LOOKS("list ls", "kubernetes"),
				CHANGES("enable disable configure open images add delete start stop load build pull push rm save tag",
					"kubernetes")),
			GROUP("config", WORDS("view get defaults"), CHANGES("set unset", "kubernetes")), WORDS("help options completion"),
			CHANGES("start stop delete pause unpause ssh ssh-key kubectl mount tunnel dashboard cache update-context "
				"docker-env podman-env cp", "kubernetes"))},
	{.names = "kind k3d ctlptl", .manual = "https://kind.sigs.k8s.io/docs/user/quick-start/, https://k3d.io/",
		.style = FACTS_STOP, .opts = FACTS_OPTS(FLAGS("-h --help -q --quiet --verbose"), VALUES("-v --verbosity")),
		.subs = FACTS_SUBS(
			GROUP("get", LOOKS("clusters nodes cluster registries", "kubernetes"), TELLS("kubeconfig", "kubernetes")),
			GROUP("cluster node registry", LOOKS("list ls get", "kubernetes"),
				CHANGES("create delete start stop edit", "kubernetes")),
			GROUP("kubeconfig", TELLS("get", "kubernetes"), CHANGES("merge write", "kubernetes")), WORDS("version help completion"),
			CHANGES("create delete load export build image apply", "kubernetes"))},
	{.names = "eksctl", .manual = "https://eksctl.io/", .style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(VALUES("--region -r --profile -p --cluster --name -o --output -v --verbose"),
			VALUE("-f --config-file", READ), FLAGS("-h --help")),
		.subs = FACTS_SUBS(LOOKS("get version info", "aws"), WORDS("help completion"),
			CHANGES("create delete scale upgrade update utils drain enable unset set associate disassociate register "
				"deregister anywhere", "aws"))},
	{.names = "kubeadm", .manual = "https://kubernetes.io/docs/reference/setup-tools/kubeadm/", .style = FACTS_STOP,
		.subs = FACTS_SUBS(WORDS("version help completion"), GROUP("certs", LOOKS("check-expiration", "kubernetes"),
			CHANGES("renew generate-csr certificate-key", "kubernetes")), GROUP("config", WORDS("print")),
			GROUP("token", TELLS("list", "kubernetes")), CHANGES("init join reset upgrade", "kubernetes"))},
	{.names = "helmfile", .manual = "https://helmfile.readthedocs.io/", .style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(VALUES("-e --environment -l --selector -n --namespace --kube-context"),
			VALUE("-f --file", READ), VALUE("-b --helm-binary", LOAD), FLAGS("-h --help -q --quiet --no-color")),
		.subs = FACTS_SUBS(WORDS("version help"), /* hooks of its file run programs */
			{.names = "list diff template status lint build apply sync destroy test fetch deps repos",
				WORDY, .does = {DO(PROJECT, "helmfile.yaml"), DO(REMOTE, "kubernetes")}})},
	{.names = "crictl", .manual = "https://github.com/kubernetes-sigs/cri-tools/blob/master/docs/crictl.md",
		.style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(VALUE("-c --config", READ), VALUE("-r --runtime-endpoint -i --image-endpoint", UNKNOWN),
			VALUES("-t --timeout"), FLAGS("-D --debug -h --help")),
		.subs = FACTS_SUBS(LOOKS("ps images image img logs inspect inspecti inspectp pods stats statsp info version "
			"imagefsinfo events", "container runtime"),
			CHANGES("run create start stop rm rmi rmp runp stopp exec attach pull port-forward update", "container runtime"))},
	{.names = "ctr", .manual = "ctr(8), containerd", .style = FACTS_STOP,
		.opts = FACTS_OPTS(VALUES("-n --namespace --timeout"), VALUE("-a --address", UNKNOWN)),
		.subs = FACTS_SUBS(LOOKS("version info", "container runtime"),
			GROUP("images image i containers container c namespaces namespace ns tasks task t snapshots snapshot plugins "
				"leases content", LOOKS("ls list info check ps metrics", "container runtime"),
				CHANGES("pull push rm remove delete import export mount unmount tag label create start kill exec "
					"attach pause resume", "container runtime")))},
	{.names = "buildah", .manual = "buildah(1)", .style = FACTS_STOP,
		.subs = FACTS_SUBS(LOOKS("images containers inspect info version ps", "containers"), WORDS("help"),
			CHANGES("from run add copy commit config push pull rm rmi bud build tag mount umount unshare login logout "
				"manifest prune", "containers"))},
	{.names = "skopeo", .manual = "skopeo(1)", .style = FACTS_STOP,
		.subs = FACTS_SUBS(CHANGES("inspect list-tags copy sync delete login logout", "a registry"))},
	{0},
};
/* clang-format on */
