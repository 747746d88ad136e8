/*
 * Programs that talk to other machines.
 */

#include "facts/facts_priv.h"

enum bits {
	B_OUTPUT = 1 << 0, /* what comes in goes to a file */
	B_SENDS = 1 << 1,  /* a body or file goes out */
	B_LISTEN = 1 << 2,
	B_EXEC = 1 << 3,
	B_QUIET = 1 << 4,
	B_UNIX = 1 << 5,
	B_RECURSE = 1 << 6,
	B_SPIDER = 1 << 7,
	B_DELETE = 1 << 8,
	B_DRY = 1 << 14,
	B_CONTENT = 1 << 9, /* ssh-keygen that only shows */
};

/* The value of a data option of curl: @FILE is read and sent. */
static void
send_value(struct facts_run *run, struct str name, const struct facts_word *w)
{
	struct facts_word file = *w;
	size_t at = str_find(w->text, STR("@"), 0);
	size_t equals = str_find(w->text, STR("="), 0);

	if (facts_names_have("-F --form", name)) {
		size_t start = equals + 1;

		if (equals < w->text.len && start < w->text.len
			&& (w->text.ptr[start] == '@' || w->text.ptr[start] == '<')) {
			struct str rest;

			file.text =
				str_cut(str_sub(w->text, start + 1, w->text.len), ';', &rest);
			facts_apply(run, FACTS_SEND_FILE, 0, &file);
			return;
		}
	} else if (!facts_names_have("--data-raw --form-string", name)
		&& (at == 0
			|| (facts_names_have("--data-urlencode", name) && at < equals
				&& at < w->text.len))) {
		file.text = str_sub(w->text, at + 1, w->text.len);
		facts_apply(run, FACTS_SEND_FILE, 0, &file);
		return;
	}
	facts_apply(run, FACTS_SEND_TEXT, 0, w);
}

/* What one option of curl's sends. */
static void
curl_option(struct facts_run *run, const struct facts_given *g)
{
	static const char data[] =
		"-d --data --data-ascii --data-binary --data-raw --data-urlencode -F "
		"--form --form-string --json --url-query";
	static const char headers[] =
		"-H --header -u --user -b --cookie --oauth2-bearer -U --proxy-user";
	static const char methods[] = "GET HEAD OPTIONS get head";
	struct facts_word file = g->value;

	if (facts_names_have(data, g->name)) {
		send_value(run, g->name, &g->value);
	} else if (facts_names_have("-X --request", g->name)) {
		if (!facts_names_have(methods, g->value.text))
			facts_apply(run, FACTS_REMOTE_SEND, 0, &g->value);
	} else if (facts_names_have("-H --header", g->name)
		&& str_starts(g->value.text, STR("@"))) {
		file.text = str_sub(file.text, 1, file.text.len);
		facts_apply(run, FACTS_SEND_FILE, 0, &file);
	} else if (facts_names_have(headers, g->name) && g->value.taint) {
		facts_apply(run, FACTS_SEND_TEXT, 0, &g->value);
	}
}

/* curl -O: the file is named like the address's last part. */
static void
curl_remote_name(struct facts_run *run, const struct facts_word *url)
{
	struct facts_word w = *url;
	struct str query;

	w.text = str_base(str_cut(w.text, '?', &query));
	if (!str_has_char(w.text, '*'))
		w.flags &= ~(unsigned)FACTS_GLOB;
	if (w.text.len > 0)
		facts_apply(run, FACTS_WRITE, 0, &w);
}

static void
hook_curl(struct facts_run *run)
{
	bool remote_name =
		facts_given_find(run, "-O --remote-name --remote-name-all") != NULL;

	for (size_t i = 0; i < run->given_count; i++) {
		if (run->given[i].has_value)
			curl_option(run, &run->given[i]);
	}
	for (size_t i = 0; remote_name && i < run->operand_count; i++)
		curl_remote_name(run, &run->operands[i]);
	if (run->bits & B_OUTPUT)
		run->out->taint |= FACTS_FROM_NET;
}

static void
hook_wget(struct facts_run *run)
{
	if (run->bits & (B_OUTPUT | B_SPIDER))
		return;
	for (size_t i = 0; i < run->operand_count; i++) {
		struct facts_word w = run->operands[i];
		struct facts_url u;
		struct str rest;

		w.text = str_base(str_cut(w.text, '?', &rest));
		if (w.text.len == 0
			|| !facts_url_parse(run->f->a, run->operands[i].text, &u)
			|| u.path.len <= 1)
			w = facts_word_from(STR("index.html"));
		facts_apply(run, run->bits & B_RECURSE ? FACTS_WRITE_TREE : FACTS_WRITE,
			0, run->bits & B_RECURSE ? &run->operands[i] : &w);
	}
}

/* ssh HOST [COMMAND...]: the words are joined for the other side's shell; what
 * it does is not done here, but the same danger is seen in it. */
static void
hook_ssh(struct facts_run *run)
{
	struct facts *f = run->f;
	struct facts_word text;
	size_t first;

	if (run->operand_count < 2)
		return;
	text = facts_operands_join(run, 1);
	facts_apply(run, FACTS_REMOTE_SEND, 0, &run->operands[0]);
	first = f->out->effect_count;
	facts_run_shell(run, &text);
	/* over there, nothing is this workspace's */
	for (size_t i = first; i < f->out->effect_count; i++) {
		struct call_effect *e = &f->out->effects[i];

		if (e->scope == CALL_SCOPE_WORKSPACE || e->scope == CALL_SCOPE_SCRATCH)
			e->scope = CALL_SCOPE_UNKNOWN;
	}
}

static bool
is_remote(struct str s)
{
	size_t colon = str_find(s, STR(":"), 0), slash = str_find(s, STR("/"), 0);

	return str_has(s, STR("://")) || (colon < s.len && colon < slash);
}

/* scp, rsync: sources to the last operand; what goes to a host is sent. */
static void
hook_copy(struct facts_run *run)
{
	size_t n = run->operand_count;
	bool away = n > 1 && is_remote(run->operands[n - 1].text);
	bool dry = (run->bits & B_DRY) && !away;

	run->done = true;
	for (size_t i = 0; i < n; i++) {
		const struct facts_word *w = &run->operands[i];
		bool target = i > 0 && i + 1 == n;

		if (target && dry)
			facts_apply(run, FACTS_LIST_TREE, 0, w);
		else if (target)
			facts_apply(run, FACTS_HOST_WRITE, CALL_EFFECT_TREE, w);
		else if (away && !is_remote(w->text))
			facts_apply(run, FACTS_SEND_FILE, CALL_EFFECT_TREE, w);
		else
			facts_apply(run, FACTS_HOST_READ, CALL_EFFECT_TREE, w);
	}
	if ((run->bits & B_DELETE) && n > 1 && !away && !dry)
		facts_apply(run, FACTS_DELETE_TREE, 0, &run->operands[n - 1]);
}

/* nc -e PROGRAM, nc -c TEXT: the program talks to the other side. */
static void
hook_nc(struct facts_run *run)
{
	if (run->bits & B_EXEC)
		facts_apply_text(run, FACTS_BACKDOOR, 0, "");
	run->done = true;
	if (run->operand_count == 0)
		return;
	if (run->bits & B_UNIX)
		facts_apply(run, FACTS_WRITE, 0, &run->operands[0]);
	else if (run->bits & B_LISTEN)
		facts_apply_text(run, FACTS_REMOTE, CALL_EFFECT_LISTEN, "listens");
	else
		facts_apply(run, FACTS_HOST, 0, &run->operands[0]);
	run->out->taint |= FACTS_FROM_NET;
}

static struct str
upper(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.len + 1);

	for (size_t i = 0; i < s.len; i++) {
		p[i] = s.ptr[i];
		if (p[i] >= 'a' && p[i] <= 'z')
			p[i] = (char)(p[i] - 'a' + 'A');
	}
	return (struct str){p, s.len};
}

/* One address of socat's: KIND:REST,OPTIONS. What it is: a program, a host, or
 * a file. */
static enum facts_role
socat_address(struct facts_run *run, struct facts_word w)
{
	static const struct {
		enum facts_role role;
		const char *names;
	} kinds[] = {
		{FACTS_HOST,
         "TCP TCP4 TCP6 UDP UDP4 UDP6 OPENSSL SSL SCTP TCP-CONNECT "
			"OPENSSL-CONNECT UDP-CONNECT SOCKS4 PROXY"},
		{FACTS_WRITE,
         "OPEN FILE GOPEN UNIX UNIX-CONNECT CREATE UNIX-CLIENT PIPE "
			"UNIX-SENDTO ABSTRACT-CONNECT UNIX-LISTEN"},
		{FACTS_REMOTE,
         "TCP-LISTEN TCP4-LISTEN TCP6-LISTEN UDP-LISTEN OPENSSL-LISTEN "
			"SSL-L TCP-L UDP-RECV UDP-RECVFROM UDP-L" },
	};
	struct str rest, kind = upper(run->f->a, str_cut(w.text, ':', &rest));

	w.text = rest.ptr ? str_cut(rest, ',', &rest) : STR("");
	if (facts_names_have("EXEC SYSTEM SHELL", kind))
		return FACTS_SHELL;
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		if (!facts_names_have(kinds[k].names, kind))
			continue;
		facts_apply(run, kinds[k].role,
			kinds[k].role == FACTS_REMOTE ? CALL_EFFECT_LISTEN : 0, &w);
		return kinds[k].role;
	}
	if (!facts_names_have("- STDIO STDIN STDOUT READLINE", kind))
		facts_run_ignore(
			run, CALL_UNKNOWN, "an address that is not known", w.source);
	return FACTS_INERT;
}

/* socat ADDRESS ADDRESS */
static void
hook_socat(struct facts_run *run)
{
	bool program = false, net = false;

	run->done = true;
	for (size_t i = 0; i < run->operand_count; i++) {
		enum facts_role role = socat_address(run, run->operands[i]);

		program = program || role == FACTS_SHELL;
		net = net || role == FACTS_HOST || role == FACTS_REMOTE;
	}
	if (program && net)
		facts_apply_text(run, FACTS_BACKDOOR, 0, "");
	else if (program)
		facts_run_ignore(run, CALL_UNKNOWN, "socat runs a program", run->name);
}

#define SSH_OPTS                                                              \
	FLAGS("-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -tt -V -v -vv " \
		  "-vvv -X -x -Y -y"),                                                \
		VALUES("-b -c -e -I -l -m -O -p -Q -S -W -w -B -E"),                  \
		VALUE("-i -F", READ), VALUE("-J", HOST)

/* The layout of rows is by hand: the tool cannot do uneven ones. */
// clang-format off
const struct facts_prog facts_prog_net[] = {
	{.names = "curl",
		.manual = "curl(1)",
		.opts = FACTS_OPTS(
			FLAGS("-h --help"),
			FLAGS("-s --silent -S --show-error -f --fail --fail-with-body "
				"--fail-early -L --location --location-trusted -i --include "
				"--show-headers -I --head -v --verbose -k --insecure -g "
				"--globoff -G --get -N --no-buffer -# --progress-bar "
				"--no-progress-meter -4 --ipv4 -6 --ipv6 --http1.0 -0 --http1.1 "
				"--http2 --http2-prior-knowledge --http3 --compressed "
				"--compressed-ssh -a --append -B --use-ascii -j "
				"--junk-session-cookies -l --list-only -M --manual -n "
				"--netrc-optional -p --proxytunnel -q --disable -R "
				"--remote-time --tcp-nodelay --tcp-fastopen --no-keepalive "
				"--path-as-is --raw --tr-encoding --ssl --ssl-reqd --tlsv1.2 "
				"--tlsv1.3 -1 --tlsv1 --anyauth --basic --digest --negotiate "
				"--ntlm --create-dirs --no-clobber --retry-all-errors "
				"--retry-connrefused -Z --parallel --styled-output "
				"--post301 --post302 --post303 --no-sessionid -V --xattr "
				"--remove-on-error --skip-existing"),
			FLAG("--netrc", SECRET, "netrc"),
			SETS("-O --remote-name --remote-name-all -J --remote-header-name",
				B_OUTPUT),
			VALUE_SETS("-o --output", WRITE, B_OUTPUT),
			VALUE("--output-dir", CHDIR),
			VALUE("-D --dump-header -c --cookie-jar --trace --trace-ascii "
				"--stderr --etag-save --hsts --alt-svc --libcurl", WRITE),
			VALUE_SETS("-T --upload-file", SEND_FILE, B_SENDS),
			VALUE_SETS("-d --data --data-ascii --data-binary --data-raw "
				"--data-urlencode -F --form --form-string --json --url-query",
				INERT, B_SENDS),
			VALUES("-X --request -H --header -A --user-agent -e --referer -u "
				"--user -U --proxy-user -b --cookie --oauth2-bearer -m "
				"--max-time --connect-timeout --retry --retry-delay "
				"--retry-max-time --max-redirs --max-filesize -w --write-out "
				"--limit-rate -r --range -y --speed-time -Y --speed-limit -z "
				"--time-cond -C --continue-at --interface --local-port "
				"--keepalive-time --ciphers --tls-max --tls13-ciphers "
				"--request-target --parallel-max --noproxy --expect100-timeout "
				"--aws-sigv4 --dns-servers --proto --proto-default "
				"--proto-redir --happy-eyeballs-timeout-ms -Q --quote -P "
				"--ftp-port --rate --variable --cert-type --key-type"),
			VALUE("-K --config", UNKNOWN),
			VALUE("--netrc-file --cacert --capath -E --cert --key "
				"--crlfile --etag-compare --pinnedpubkey", READ),
			VALUE("--url", URL), VALUE("-x --proxy --preproxy --socks4 "
				"--socks4a --socks5 --socks5-hostname", HOST),
			VALUE("--connect-to --resolve --doh-url", UNKNOWN),
			VALUE("--unix-socket --abstract-unix-socket", WRITE)),
		.operands = {OP(URL, ALL)},
		.hook = hook_curl},
	{.names = "wget wget2",
		.manual = "wget(1)",
		.opts = FACTS_OPTS(
			FLAGS("-q --quiet -v --verbose -nv --no-verbose -c --continue -N "
				"--timestamping -S --server-response -nc --no-clobber -4 "
				"--inet4-only -6 --inet6-only --no-check-certificate -x "
				"--force-directories -nd --no-directories -nH "
				"--no-host-directories --no-cache --no-cookies "
				"--content-disposition --content-on-error --https-only "
				"--no-hsts --no-glob --show-progress --no-proxy "
				"--no-dns-cache --trust-server-names -b --background -d "
				"--debug -F --force-html --no-config -V --random-wait "
				"--no-if-modified-since -h -k --convert-links -E "
				"--adjust-extension -np --no-parent -H --span-hosts -L "
				"--relative --keep-session-cookies --save-headers"),
			SETS("--spider", B_SPIDER),
			SETS("-r --recursive -m --mirror -p --page-requisites", B_RECURSE),
			VALUE_SETS("-O --output-document", WRITE, B_OUTPUT),
			VALUE("-P --directory-prefix", CHDIR),
			VALUE("-o --output-file -a --append-output --save-cookies "
				"--rejected-log --warc-file --hsts-file", WRITE),
			VALUE("-i --input-file", UNKNOWN),
			VALUE("--load-cookies --config --ca-certificate "
				"--certificate --private-key", READ),
			VALUE("--post-file --body-file", SEND_FILE),
			VALUE("--post-data --body-data", SEND_TEXT),
			VALUES("-t --tries -T --timeout --dns-timeout --connect-timeout "
				"--read-timeout -w --wait --waitretry --limit-rate -U "
				"--user-agent --header --referer --user --password "
				"--http-user --http-password --method -l --level -A --accept "
				"-R --reject -D --domains --exclude-domains -I "
				"--include-directories -X --exclude-directories --cut-dirs "
				"--progress --max-redirect --restrict-file-names -Q --quota "
				"--compression --secure-protocol --retry-on-http-error "
				"--accept-regex --reject-regex -B --base --start-pos"),
			VALUE("-e --execute", UNKNOWN),
			VALUE("--use-askpass", SHELL)),
		.operands = {OP(URL, ALL)},
		.hook = hook_wget},
	{.names = "http https xh httpie",
		.manual = "https://httpie.io/docs/cli",
		.opts = FACTS_OPTS(
			FLAGS("-j --json -f --form --multipart -v --verbose -h --headers -b "
				"--body -m --meta -q --quiet -S --stream -F --follow -I "
				"--ignore-stdin --check-status --all -p"),
			SETS("-d --download", B_OUTPUT),
			VALUES("-a --auth -A --auth-type --timeout --verify --pretty -s "
				"--style --print --proxy --max-redirects"),
			VALUE("-o --output --session", WRITE)),
		.does = {DO(REMOTE_SEND, "request")},
		.operands = {OP(URL, ALL)}},
	{.names = "aria2c axel lftp ftp tftp sftp",
		.manual = "aria2c(1), axel(1), lftp(1), sftp(1)",
		.style = FACTS_STDIN_SENT,
		.opts = FACTS_OPTS(SSH_OPTS, VALUE("-o", WRITE), VALUE("-d", CHDIR)),
		.does = {DO(WRITE_TREE, ".")},
		.operands = {OP(HOST, ALL)}},
	/* --- remote shells and copies --- */
	{.names = "ssh autossh mosh",
		.manual = "ssh(1)",
		.style = FACTS_STOP | FACTS_WRAPPER | FACTS_STDIN_SENT,
		.opts = FACTS_OPTS(SSH_OPTS,
			VALUE("-o", UNKNOWN), VALUES("-D -L -R")),
		.operands = {OP(HOST, FIRST), OP(INERT, REST)},
		.hook = hook_ssh},
	{.names = "scp",
		.manual = "scp(1)",
		.opts = FACTS_OPTS(
			FLAGS("-3 -4 -6 -A -B -C -O -p -q -R -r -s -T -v"),
			VALUES("-c -l -P -X -D"), VALUE("-i -F", READ), VALUE("-J", HOST),
			VALUE("-o", UNKNOWN), VALUE("-S", SHELL)),
		.hook = hook_copy},
	{.names = "rsync",
		.manual = "rsync(1)",
		.opts = FACTS_OPTS(
			FLAGS("-v --verbose -q --quiet -c --checksum -a --archive -r "
				"--recursive -R --relative -b --backup -u --update --inplace "
				"--append --append-verify -d --dirs -l --links -L --copy-links "
				"--copy-unsafe-links --safe-links -k --copy-dirlinks -K "
				"--keep-dirlinks -H --hard-links -p --perms -E --executability "
				"-A --acls -X --xattrs -o --owner -g --group -D --devices "
				"--specials -t --times -O --omit-dir-times -S --sparse "
				"-W --whole-file -x --one-file-system --existing "
				"--ignore-existing --ignore-errors --force --partial -P -m "
				"--prune-empty-dirs --numeric-ids -I --ignore-times "
				"--size-only -y --fuzzy -z --compress -C --cvs-exclude -F -0 "
				"--from0 -s --protect-args --secluded-args --stats -8 "
				"--8-bit-output -h --human-readable --progress -i "
				"--itemize-changes --list-only -4 --ipv4 -6 --ipv6 "
				"--delay-updates --no-owner --no-group --no-perms --no-times "
				"--mkpath --open-noatime -N --crtimes -U --atimes"),
			SETS("-n --dry-run", B_DRY),
			SETS("--delete --del --delete-before --delete-during "
				"--delete-delay --delete-after --delete-excluded "
				"--remove-source-files --delete-missing-args", B_DELETE),
			VALUES("--chmod --max-delete --max-size --min-size --timeout "
				"--contimeout --modify-window --suffix -f --filter --exclude "
				"--include --info --debug --out-format --bwlimit --port "
				"--chown --compress-level --skip-compress -B --block-size "
				"--address --protocol --iconv --usermap --groupmap -@"),
			VALUE("--exclude-from --include-from --files-from "
				"--password-file --compare-dest --copy-dest --link-dest", READ),
			VALUE("--backup-dir --partial-dir -T --temp-dir --log-file "
				"--write-batch --only-write-batch", WRITE),
			VALUE("-e --rsh --rsync-path", SHELL)),
		.hook = hook_copy},
	{.names = "ssh-copy-id ssh-add",
		.manual = "ssh-copy-id(1), ssh-add(1)",
		.opts = FACTS_OPTS(SETS("-l -L", B_QUIET), VALUE("-i", READ)),
		.does = {DO_IF(UNKNOWN, "keys", 0, B_QUIET)},
		.operands = {OP(INERT, ALL)}},
	{.names = "ssh-keyscan",
		.manual = "ssh-keyscan(1)",
		.opts = FACTS_OPTS(FLAGS("-4 -6 -c -D -H -v"), VALUES("-p -T -t"),
			VALUE("-f", READ)),
		.operands = {OP(HOST, ALL)}},
	/* --- bare connections --- */
	{.names = "nc ncat netcat nc.traditional nc.openbsd",
		.manual = "nc(1), ncat(1)",
		.style = FACTS_STDIN_SENT,
		.opts = FACTS_OPTS(
			FLAGS("-4 -6 -D -d -h -k -n -N -r -S -t -u -v -vv -z -C -b --ssl "
				"--send-only --recv-only"),
			SETS("-l --listen", B_LISTEN), SETS("-U --unixsock", B_UNIX),
			VALUES("-i -I -M -m -O -o -P -p -q -s -T -V -w -W -X -x"),
			VALUE_SETS("-e -c --exec --sh-exec --lua-exec", INERT, B_EXEC)),
		.hook = hook_nc},
	{.names = "socat",
		.manual = "socat(1)",
		.style = FACTS_STDIN_SENT,
		.opts = FACTS_OPTS(FLAGS("-d -dd -v -x -u -U -s -t -T -4 -6 -h")),
		.hook = hook_socat},
	{.names = "telnet",
		.manual = "telnet(1)",
		.style = FACTS_STDIN_SENT,
		.opts = FACTS_OPTS(FLAGS("-4 -6 -8 -a -E -K -L -d"), VALUES("-l -e -n")),
		.operands = {OP(HOST, FIRST), OP(INERT, REST)}},
	/* --- looking --- */
	{.names = "ping ping6 traceroute tracepath mtr",
		.manual = "ping(8), traceroute(8), mtr(8)",
		.opts = FACTS_OPTS(
			FLAGS("-4 -6 -a -A -b -B -D -d -f -h -L -n -O -q -r -U -v -V -R -I -T "
				"-F"),
			VALUES("-c -i -l -m -M -p -Q -s -S -t -w -W -N")),
		.operands = {OP(HOST, FIRST), OP(INERT, REST)}},
	{.names = "dig host nslookup whois drill",
		.manual = "dig(1), host(1), nslookup(1), whois(1), getent(1)",
		.style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUE("-f -k", READ)),
		.does = {DO(REMOTE, "name servers")},
		.operands = {OP(INERT, ALL)}},
	{.names = "nmap masscan tcpdump tshark wireshark",
		.manual = "nmap(1), tcpdump(8), tshark(1)",
		.does = {DO(REMOTE, "network"), DO(UNKNOWN, "network")},
		.operands = {OP(HOST, ALL)}},
	{.names = NULL},
};
// clang-format on
