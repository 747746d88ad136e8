/*
 * Command lines of clouds: nouns, then the verb, then arguments. Only a verb
 * behind nouns that are all known is believed: `instances delete list` deletes.
 */

#include "facts/facts_priv.h"

// clang-format off
/* gcloud */
static const char google[] =
	"accelerator-types access-approval access-context-manager accounts "
	"active-directory addresses ai ai-platform alloydb alpha anthos "
	"api-gateway api-keys apigee app apps artifacts asset assets "
	"attachments attestors audit-manager auth authorization-policies "
	"authorized-orgs authorized-views autoscalers backend-buckets "
	"backend-services backup-restore backups beta big-query bigtable "
	"billing binauthz branches buckets budgets builds bulk ca-certs "
	"certificate-authorities certificate-manager certificates certs "
	"channels client-certs client-tls-policies clusters commitments "
	"composer compute config configs configurations connections "
	"connectivity-tests connectors container containers cx data-catalog "
	"data-fusion database-migration databases dataflow dataplex dataproc "
	"datasets datastore datastream deployment-manager deployments "
	"dialogflow disk-types disks dlp dns dns-authorizations dns-keys "
	"docker documents domain-mappings domains edge-cache edge-container "
	"endpoints entries environments essential-contacts eventarc events "
	"executions external-vpn-gateways filestore findings firebase "
	"firestore firewall-policies firewall-rules flags fleet folders "
	"forwarding-rules functions future-reservations "
	"gateway-security-policies gateways gkeonprem groups grpc-routes "
	"health-checks healthcare hmac-keys http-health-checks http-routes "
	"https-health-checks hub hubs iam iap identity ids images "
	"immersive-stream importjobs indexes infra-manager insights "
	"instance-configs instance-groups instance-templates instances "
	"instant-snapshots integrations interconnects invoices iot "
	"issuance-configs jobs keyrings keys kms lake lakes language levels "
	"lien liens locations logging logs looker machine-images "
	"machine-types managed managed-zones maps memberships memcache meshes "
	"metastore metrics migration ml ml-engine models monitoring "
	"multicloud netapp network-attachments network-connectivity "
	"network-endpoint-groups network-firewall-policies network-management "
	"network-security network-services networks node-groups node-pools "
	"node-templates node-types notebooks notifications objects on-prem "
	"operations org-policies org-security-policies organizations "
	"os-config packages packet-mirrorings parameter-manager patch-jobs "
	"peerings perimeters platforms policies policy-intelligence "
	"policy-troubleshoot pools ports private-connections privateca "
	"products profiles project-info projects providers "
	"public-advertised-prefixes public-delegated-prefixes publicca pubsub "
	"queues recaptcha recommendations recommender record-sets redis "
	"regions registrations release releases repositories reservations "
	"resource-manager resource-policies response-policies revisions roles "
	"rollouts roots routers routes rules runtime-config runtimes scc "
	"scheduler schemas security-policies server-ca-certs "
	"server-tls-policies service-accounts service-attachments "
	"service-directory service-management service-perimeters services "
	"sessions settings shared-vpc sinks snapshots sole-tenancy source "
	"source-manager spanner speech spokes sql ssl ssl-certificates "
	"ssl-certs ssl-policies stack-types storage storage-pools streams "
	"subnets subscriptions tables tags target-grpc-proxies "
	"target-http-proxies target-https-proxies target-instances "
	"target-pools target-ssl-proxies target-tcp-proxies "
	"target-vpn-gateways targets tasks tcp tensorboards tiers "
	"tls-inspection-policies topics tpus trace transcoder transfer "
	"triggers trust-configs types unmanaged url-lists url-maps users "
	"values versions views vision vmware volumes vpn-gateways vpn-tunnels "
	"web workbench worker-pools workflows workload-identity-pools "
	"workspaces workstations zones ";

/* az */
static const char azure[] =
	"account acr acs action-group activity-log ad addon address-pool "
	"advisor agent aks alert api apim app app-insights appconfig "
	"application application-gateway appservice appsettings area "
	"artifacts assessment assignment authorization-rule autoscale "
	"bicep build model ml runs state quantum queue page a aaaa cname mx ns txt "
	"bastion batch blob boards bot builds caa cdn certificate "
	"circuit cluster cognitiveservices collection component config "
	"connection connection-string consumer-group container containerapp "
	"content cors cosmosdb credential custom-domain customlocation "
	"data-collection databricks datafactory dataset db ddos-protection "
	"definition deployment device-identity devops diagnostic-settings "
	"directory disk disk-access dns dps elastic-pool endpoint entity env "
	"environment event event-subscription eventgrid eventhub eventhubs "
	"express-route extension failover-group feature file filter firewall "
	"firewall-rule flexible-server folder front-door function functionapp "
	"gallery gremlin group hdinsight helm host hostname hub "
	"hybrid-connection identity image image-definition image-version "
	"inbound-nat-rule incident insights iot ip-config ip-group item "
	"iteration job keyvault kv lb listener local-gateway location "
	"log log-analytics log-profiles logic logicapp managed-cassandra "
	"managedapp management-group manifest maps mariadb member metadata "
	"metrics mg mi mongodb monitor mysql namespace nat nat-gateway "
	"netappfiles network network-rule nic nodepool nsg nw operation "
	"origin origin-group owner partition peering permission pipeline "
	"pipelines plan policy pool ppg pr prefix private-dns "
	"private-endpoint private-endpoint-connection private-link-resource "
	"private-link-service private-zone probe profile project "
	"prometheus-rule-group provider proximity-placement-group public-ip "
	"pull-request quota recommendation record-set redis ref relay "
	"remediation replica repo repos repository reservations "
	"resource revision role route route-filter route-table rule rule-set "
	"scope-map search security security-partner-provider "
	"security-pricing server service service-endpoint service-fabric "
	"service-principal servicebus set-definition setting share sig "
	"signalr signed-in-user site slot snapshot sp spring spring-cloud sql "
	"ssh sshkey staticwebapp storage store sub subnet subscription "
	"support synapse system-topic table tag task team tenant term ticket "
	"topic traffic-manager trigger universal user variable variable-group "
	"vault vhub virtual-appliance virtual-machine virtual-network-gateway "
	"virtual-wan vm vmss vnet vnet-gateway volume vpn-connection "
	"vpn-gateway vwan watcher webapp webhook wiki work-item workspace "
	"workspaces zone ";

static const char azure_more[] =
	"aosm arcappliance arcdata attestation automanage automation "
	"billing blueprint budget capacity change-analysis cloud "
	"communication confcom confidentialledger connectedk8s "
	"connectedmachine connectedvmware consumption costmanagement "
	"custom-providers customprovider dataprotection dedicated-hsm "
	"deployment-scripts desktopvirtualization devcenter dynatrace "
	"elastic elastic-san fluid-relay grafana graph guestconfig "
	"healthcareapis hpc-cache import-export k8s-configuration "
	"k8s-extension kusto lab load maintenance managedservices "
	"mobile-network network-function nginx notification-hub portal "
	"powerbi provider-hub purview quotas redisenterprise "
	"resource-mover scenario scheduled-query self-help sentinel "
	"serial-console site-recovery stack stack-hci storage-mover "
	"storagesync stream-analytics usage webpubsub workloads "
	"recoverypoint recovery-point protectable-item protection "
	"backup-instance backup-policy backup-vault protected-item budget "
	"export view metric-alert metric baseline time-series command "
	"script extension-image instance-view inventory identity-provider "
	"nodepool-snapshot operations maintenanceconfiguration addon "
	"trusted-access mesh draft machine api-version product "
	"subscription-key named-value diagnostic logger schema release "
	"versionset apis hostname-binding auth auth-classic "
	"access-restriction traffic-routing vnet-integration "
	"hybrid-connection configuration-store snapshot-policy "
	"kubernetes-version dapr-component storage-account "
	"immutability-policy management-policy or-policy "
	"blob-service-properties file-service-properties share-rm "
	"local-user encryption-scope table-service queue-service "
	"long-term-retention short-term-retention ltr-backup ltr-policy "
	"tde threat-policy audit-policy classification advisor dw midb "
	"instance-pool vnet-rule outbound-firewall-rule dns-alias "
	"ad-admin conn-policy sql-container sql-database database-account "
	"throughput stored-procedure keyspace collection secret key ";

/* doctl, hcloud, linode-cli, scw and kin */
static const char others[] =
	"1-click balance block block-storage bucket buckets bv ce ci "
	"compute-image database datacenter db domains droplet droplet-action "
	"droplets firewall firewalls floating-ip floating-ips instance iso "
	"kubernetes lbaas linodes load-balancer load-balancers node-pool "
	"nodebalancers ns object options os placement-group primary-ip region "
	"regions registry server server-type servers size sizes ssh-key "
	"ssh-keys volume vpc vpcs ";

// clang-format on

/* Verbs that only ask... */
static const char asking[] =
	"list describe show read exists get "
	"get-value get-iam-policy get-instance-view get-versions get-upgrades "
	"get-server-config get-health get-named-ports get-serial-port-output "
	"get-status check-health check-name summarize query what-if validate "
	"describe-ancestors list-tags ls du stat test-iam-permissions wait "
	"search-all-resources search-all-iam-policies query-activity lookup "
	"check-upgrade-options log preview-changes ";

/* ... and those that are also names of groups: only as the last word. */
static const char asking_last[] =
	"info version help search tail topic logs docs cheat-sheet";

/* Words that say that a credential is shown. */
static const char telling[] =
	"print-access-token print-identity-token get-access-token access "
	"get-credentials keys secret secrets credential credentials key "
	"connection-string authorization-rule appsettings auth/access_token";
static const char *const telling_parts[] = {"key", "credential", "secret",
	"token", "password", "connection-string", "-sas", "publishing"};

/* Groups that are named like a verb: only where a group stands first. */
static const char groups[] = "deploy run backup lock build source alpha beta";

/* Several of a kind: no verb is written so. */
static bool
is_plural(struct str word)
{
	return word.len > 4 && str_ends(word, STR("s"))
		&& !str_ends(word, STR("ss")) && !str_has_char(word, ':')
		&& !str_has_char(word, '/');
}

static bool
is_known(struct str word)
{
	return facts_names_have(google, word) || facts_names_have(azure, word)
		|| facts_names_have(azure_more, word) || facts_names_have(others, word);
}

static bool
is_noun(struct str word, bool is_first)
{
	return is_plural(word) || is_known(word)
		|| (is_first && facts_names_have(groups, word));
}

/* list-usages and show-tags ask as list and show do. */
static bool
is_asking(struct str word, bool is_last)
{
	return facts_names_have(asking, word) || str_starts(word, STR("get-"))
		|| str_starts(word, STR("describe-"))
		|| (is_last && facts_names_have(asking_last, word))
		|| str_starts(word, STR("list-")) || str_starts(word, STR("show-"));
}

static bool
is_telling(struct str word)
{
	if (facts_names_have(telling, word))
		return true;
	if (!str_has_char(word, '-') || is_known(word))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(telling_parts); i++) {
		if (str_has(word, str_from(telling_parts[i])))
			return true;
	}
	return false;
}

static bool
is_given(const struct facts_run *run, struct str name)
{
	for (size_t i = 0; i < run->given_count; i++) {
		if (str_eq(run->given[i].name, name))
			return true;
	}
	return false;
}

/* Before the verb every option must be one that is known: the value of another
 * could be taken for the verb. */
static bool
has_odd_option(struct facts_run *run, const struct facts_word *verb)
{
	for (size_t i = 1; i < run->count; i++) {
		struct str rest, word = run->words[i].text;

		if (word.ptr == verb->text.ptr)
			return false;
		if (str_starts(word, STR("-"))
			&& !is_given(run, str_cut(word, '=', &rest)))
			return true;
	}
	return false;
}

/* Names and states of secrets and keys, up to the verb: not what they are. */
static bool
shows_names(struct facts_run *run, size_t count)
{
	static const char *const paths[] = {"secrets list", "secrets describe",
		"secrets versions list", "secrets versions describe",
		"secrets locations list", "kms keys list", "kms keys describe",
		"kms keys versions list", "kms keys versions describe",
		"kms keys get-iam-policy", "secrets get-iam-policy",
		"iam service-accounts keys list", "keyvault secret list",
		"keyvault secret list-versions", "keyvault secret get-versions",
		"keyvault secret list-deleted", "keyvault key list",
		"keyvault key show", "keyvault key list-versions",
		"keyvault key get-versions", "keyvault key list-deleted",
		"compute project-info describe", "compute os-login ssh-keys list",
		"sshkey list", "ssh-key list"};
	struct facts_word text;
	size_t all = run->operand_count;

	run->operand_count = count;
	text = facts_operands_join(run, 0);
	run->operand_count = all;
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		if (str_eq(text.text, str_from(paths[i])))
			return true;
	}
	return false;
}

/* gcloud help, gcloud topic: text. */
static bool
is_manual(const struct facts_run *run)
{
	return run->operand_count > 0
		&& facts_names_have("help topic cheat-sheet", run->operands[0].text);
}

void
facts_hook_cloud(struct facts_run *run)
{
	bool asks = false, tells = false, first = true;

	run->done = true;
	if (is_manual(run))
		return;
	for (size_t i = 0; i < run->operand_count && !asks; i++) {
		const struct facts_word *w = &run->operands[i];

		if (w->flags & (FACTS_DYNAMIC | FACTS_MANY))
			break;
		tells |= is_telling(w->text);
		asks = is_asking(w->text, i + 1 == run->operand_count)
			&& !has_odd_option(run, w);
		if (asks && tells && shows_names(run, i + 1))
			tells = false;
		if (!asks && !is_noun(w->text, first))
			break;
		first &= str_eq(w->text, STR("alpha")) || str_eq(w->text, STR("beta"));
	}
	if (run->operand_count == 0)
		return;
	if (tells)
		facts_apply_text(run, FACTS_SECRET, 0, "cloud account");
	facts_apply_text(
		run, FACTS_REMOTE, asks ? CALL_EFFECT_LOCAL : 0, "cloud account");
	facts_hook_looks(run);
}
