/*
 * Programs that only look: at the machine, at data, at documents and archives.
 * What they could write or run beside it is a row of its own; each name's manual
 * page is the source.
 */

#include "facts/facts_priv.h"
#include "facts/rows.h"

/* Says something of the machine, whatever its options are. */
#define SAYS(n, m)                         \
	{                                      \
		.names = (n), .manual = (m), READY \
	}
/* Reads the files that are named. */
#define READS(n, m)                                                            \
	{                                                                          \
		.names = (n), .manual = (m), .style = FACTS_LOOSE,                     \
		.opts =                                                                \
			FACTS_OPTS(VALUE("-o --output --out --LogFile --logfile", WRITE)), \
		.operands = {                                                          \
			OP(READ, ALL)                                                      \
		}                                                                      \
	}
/* A sub-command that says something, and needs no other words to be known. */
#define ASKS(n)                                                            \
	{                                                                      \
		.names = (n), .style = FACTS_LOOSE, .operands = { OP(INERT, ALL) } \
	}
/* ... or that changes the machine. */
#define TURNS(n)                                                               \
	{                                                                          \
		.names = (n), WORDY, .does = { DO(SYSTEM, "settings of the machine") } \
	}

/* jar tf FILE: the first letters say what is done, as with tar. */
static void
hook_jar(struct facts_run *run)
{
	struct str mode = run->operand_count > 0 ? run->operands[0].text : STR("");
	bool lists = (str_has_char(mode, 't') || str_starts(mode, STR("--list")))
		&& !str_has_char(mode, 'c') && !str_has_char(mode, 'x')
		&& !str_has_char(mode, 'u');

	run->done = true;
	if (run->count == 2 && facts_names_have("--version --help", mode))
		return;
	if (!lists) {
		facts_run_ignore(run, CALL_UNKNOWN, "not known what it does", mode);
		return;
	}
	for (size_t i = 1; i < run->operand_count; i++)
		facts_apply(run, FACTS_READ, 0, &run->operands[i]);
}

/* exiftool: a word with '=' writes a tag. */
static void
hook_exiftool(struct facts_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		if (str_has_char(run->words[i].text, '=')
			|| str_has_char(run->words[i].text, '<'))
			facts_run_ignore(run, CALL_UNKNOWN, "a tag that is written",
				run->words[i].source);
	}
}

/* A filter in jq's language, then files. */
static void
hook_filter(struct facts_run *run)
{
	if (run->operand_count > 0)
		facts_check_jq(run, &run->operands[0]);
}

/* mlr: its verbs and expressions may write files and run programs. */
static void
hook_mlr(struct facts_run *run)
{
	static const char *const never[] = {
		"system", "exec", "tee", "split", ">", "|"};

	for (size_t i = 0; i < run->operand_count; i++) {
		for (size_t k = 0; k < ARRAY_LEN(never); k++) {
			if (str_has(run->operands[i].text, str_from(never[k])))
				facts_run_ignore(run, CALL_UNKNOWN, "not known what it does",
					run->operands[i].source);
		}
	}
}

/* getent DATABASE [KEY]: files of the machine, or names that are asked for. */
static void
hook_getent(struct facts_run *run)
{
	static const char local[] =
		"passwd group services protocols rpc networks ethers aliases gshadow "
		"initgroups netgroup";
	struct str db = run->operand_count > 0 ? run->operands[0].text : STR("");

	run->done = true;
	if (facts_names_have("shadow gshadow", db))
		facts_apply_text(run, FACTS_SECRET, 0, "passwords");
	else if (!facts_names_have(local, db))
		facts_apply_text(run, FACTS_REMOTE, 0, "name servers");
}

/* service NAME status, service --status-all */
static void
hook_service(struct facts_run *run)
{
	const struct facts_word *last =
		run->operand_count > 0 ? &run->operands[run->operand_count - 1] : NULL;
	/* sv and rc-service say it the other way round */
	bool asks = (last && run->operand_count == 2
					&& (facts_names_have("status", last->text)
						|| facts_names_have("status", run->operands[0].text)))
		|| (run->operand_count == 0 && run->bits);

	run->done = true;
	if (asks)
		return;
	facts_apply_text(run, FACTS_PERSIST, 0, "services");
	for (size_t i = 0; i < run->operand_count; i++)
		facts_apply(run, FACTS_SIGNAL, 0, &run->operands[i]);
}

/* clang-format off */
/* rclone ls :sftp,ssh="x":y: settings in a name may start programs. */
static void
hook_remotes(struct facts_run *run)
{
	for (size_t i = 0; i < run->operand_count; i++) {
		struct str rest, name = str_cut(run->operands[i].text, ':', &rest);

		if (str_has_char(name, ',') || (rest.ptr && name.len == 0))
			facts_run_ignore(run, CALL_UNKNOWN, "settings in a remote's name",
				run->operands[i].source);
	}
	facts_hook_looks(run);
}

const struct facts_prog facts_prog_look[] = {
	/* --- the machine */
	SAYS("lsipc lslocks lslogins systemd-cgls systemd-cgtop systemd-detect-virt systemd-path systemd-escape atq "
		"getenforce selinuxenabled sestatus vainfo glxinfo clinfo xdpyinfo acpi lvs vgs pvs lvdisplay "
		"vgdisplay pvdisplay uuidgen jot jps rc-status xdg-user-dir numastat tabs reset tset", "lsipc(1), systemd-detect-virt(1), sensors(1), lvs(8), uuidgen(1)"),
	/* their options name settings that run programs, or files */
	{.names = "neofetch fastfetch screenfetch onefetch hwinfo inxi lstopo dmidecode", .manual = "neofetch(1), hwinfo(8)",
		.operands = {OP(UNKNOWN, ALL)}},
	{.names = "sensors figlet units cowsay", .manual = "sensors(1), figlet(6), units(1), cowsay(1)",
		.opts = FACTS_OPTS(FLAGS("-A -u -j -h -v -t -b -d -g -p -y -n -l -c"), VALUES("-w -T -W -e")), .operands = {OP(INERT, ALL)}},
	{.names = "systemd-analyze", .manual = "systemd-analyze(1)", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUE("-H --host -M --machine --root --image", UNKNOWN)),
		.subs = FACTS_SUBS(ASKS("time blame critical-chain plot dot security condition calendar timespan timestamp "
				"syscall-filter filesystems unit-paths unit-files exit-status capability cat-config dump fdstore pcrs srk "
				"architectures inspect-elf unit-gdb-version smbios11 has-tpm2"),
			{.names = "verify", .style = FACTS_LOOSE, .operands = {OP(READ, ALL)}},
			TURNS("log-level log-target service-watchdogs set-log-level set-log-target malloc edit unit-shell"))},
	{.names = "hostnamectl timedatectl localectl", .manual = "hostnamectl(1), timedatectl(1), localectl(1)",
		.style = FACTS_LOOSE, .opts = FACTS_OPTS(VALUE("-H --host -M --machine", UNKNOWN)),
		.subs = FACTS_SUBS(ASKS("status show list-timezones timesync-status show-timesync list-locales list-keymaps "
				"list-x11-keymap-models list-x11-keymap-layouts list-x11-keymap-variants list-x11-keymap-options"),
			/* alone they say what is set */
			{.names = "hostname icon-name chassis deployment location", WORDY,
				.does = {DO_IF(PRIVILEGE, "settings of the machine", FACTS_OPERANDS, 0)}},
			{.names = "set-hostname set-icon-name set-chassis set-deployment set-location set-time set-timezone set-local-rtc "
				"set-ntp set-locale set-keymap set-x11-keymap ntp-servers revert", WORDY,
				.does = {DO(PRIVILEGE, "settings of the machine")}})},
	{.names = "loginctl", .manual = "loginctl(1)", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUE("-H --host -M --machine", UNKNOWN)),
		.subs = FACTS_SUBS(ASKS("list-sessions list-users list-seats session-status user-status seat-status show-session "
				"show-user show-seat"),
			{.names = "activate lock-session unlock-session lock-sessions unlock-sessions terminate-session kill-session "
				"enable-linger disable-linger terminate-user kill-user attach flush-devices terminate-seat",
				.style = FACTS_LOOSE, .does = {DO(PERSIST, "services")}, .operands = {OP(SIGNAL, ALL)}})},
	{.names = "networkctl", .manual = "networkctl(1)", .style = FACTS_LOOSE,
		.subs = FACTS_SUBS(ASKS("list status lldp label cat"), TURNS("delete up down renew forcerenew reconfigure reload edit "
			"mask unmask persistent-storage"))},
	{.names = "bootctl coredumpctl busctl", .manual = "bootctl(1), coredumpctl(1), busctl(1)", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUE("-H --host -M --machine --address -o --output", UNKNOWN)),
		.subs = FACTS_SUBS(ASKS("status list info tree introspect is-installed kernel-identify kernel-inspect get-property"),
			TURNS("install update remove set-default set-oneshot random-seed cleanup unlink dump debug gdb call set-property "
			"emit monitor capture"))},
	{.names = "service rc-service sv", .manual = "service(8), sv(8)", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS({.names = "--status-all -l --list", .set = 1}), .hook = hook_service},
	{.names = "supervisorctl", .manual = "https://supervisord.org/running.html", .style = FACTS_STOP,
		.opts = FACTS_OPTS(VALUE("-c --configuration", READ), VALUE("-s --serverurl", UNKNOWN), VALUES("-u -p")),
		.subs = FACTS_SUBS(ASKS("status avail pid version help"), {.names = "start stop restart signal reload reread update "
			"add remove clear shutdown fg tail maintail", WORDY, .does = {DO(PERSIST, "services")}})},
	{.names = "getent", .manual = "getent(1)", .opts = FACTS_OPTS(FLAGS("-i --no-idn -A --no-addrconfig"),
		VALUES("-s --service")), .hook = hook_getent},
	{.names = "nmcli", .manual = "nmcli(1)", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-t --terse -p --pretty -o --overview -v --version -h --help"), VALUES("-f --fields -g "
			"--get-values -m --mode -c --colors -e --escape -w --wait"), FLAG("-s --show-secrets -a --ask", UNKNOWN, "")),
		.subs = FACTS_SUBS(
			{.names = "general g gen", .subs = FACTS_SUBS(ASKS("status permissions logging"), TURNS("hostname reload"))},
			{.names = "device d dev", .subs = FACTS_SUBS(ASKS("status show lldp"), {.names = "wifi", .subs = FACTS_SUBS(
				ASKS("list"), TURNS("connect hotspot rescan show-password"))}, TURNS("set connect reapply modify disconnect "
				"delete monitor up down checkpoint"))},
			{.names = "connection c con", .subs = FACTS_SUBS({.names = "show", .style = FACTS_LOOSE, .opts = FACTS_OPTS(
				FLAG("-s --show-secrets", SECRET, "networks")), .operands = {OP(INERT, ALL)}}, TURNS("up down add modify edit "
				"delete monitor reload load import export clone migrate"))},
			TURNS("networking n radio r monitor m agent a"))},
	{.names = "resolvectl", .manual = "resolvectl(1)", .style = FACTS_LOOSE,
		.subs = FACTS_SUBS(ASKS("status statistics show-cache show-server-state"), {.names = "query service openpgp tlsa", READY,
			.does = {DO(REMOTE, "name servers")}}, TURNS("dns domain default-route llmnr mdns dnsovertls dnssec nta revert "
			"flush-caches reset-statistics reset-server-features log-level monitor"))},
	{.names = "zpool zfs", .manual = "zpool(8), zfs(8)", .style = FACTS_STOP,
		.subs = FACTS_SUBS(ASKS("list status get iostat history events version diff holds userspace groupspace help"),
			{.names = "create destroy add remove attach detach replace import export scrub resilver trim clear online offline "
				"split set upgrade initialize labelclear reguid reopen sync wait checkpoint snapshot rollback clone promote "
				"rename inherit mount unmount share unshare send receive recv bookmark hold release allow unallow program "
				"load-key unload-key change-key jail unjail", WORDY, .does = {DO(PRIVILEGE, "settings of the machine")}})},
	{.names = "btrfs", .manual = "btrfs(8)", .style = FACTS_STOP,
		.subs = FACTS_SUBS(GROUP("filesystem fi subvolume su device dev scrub balance qgroup quota property inspect-internal",
				ASKS("show list usage df du stats status get rootid inode-resolve get-default"), TURNS("create delete snapshot "
				"defragment defrag resize label sync set-default add remove ready scan start cancel resume pause enable disable "
				"rescan set limit assign destroy replace")), ASKS("version help"), TURNS("check rescue restore receive send replace"))},
	{.names = "nvidia-smi", .manual = "nvidia-smi(1)", .opts = FACTS_OPTS(FLAGS("-L --list-gpus -q --query -x --xml-format -h --help "
			"-B --list-excluded-gpus --version"), VALUES("-i --id -d --display -l --loop -lms --loop-ms --query-gpu "
			"--query-compute-apps --query-accounted-apps --format --query-supported-clocks"), VALUE("-f --filename", WRITE)),
		.subs = FACTS_SUBS(ASKS("topo pmon dmon nvlink pci"))},
	{.names = "virsh", .manual = "virsh(1)", .style = FACTS_STOP, .opts = FACTS_OPTS(FLAGS("-q --quiet -r --readonly -v --version "
			"-V -h --help"), VALUE("-c --connect", REMOTE)),
		.subs = FACTS_SUBS(LOOKS("list dominfo domstate domblklist domiflist domifaddr domstats dommemstat nodeinfo version net-list "
			"net-info net-dhcp-leases pool-list pool-info vol-list vol-info snapshot-list capabilities hostname uri sysinfo "
			"iface-list nwfilter-list help domid domname domuuid vcpuinfo", "virtual machines"),
			CHANGES("start shutdown reboot destroy undefine define create edit attach-device detach-device suspend resume save "
			"restore migrate console net-start net-destroy pool-start pool-destroy vol-create vol-delete snapshot-create "
			"snapshot-revert snapshot-delete autostart setmem setvcpus qemu-monitor-command dumpxml dump reset", "virtual machines"))},
	{.names = "qemu-img", .manual = "qemu-img(1)", .style = FACTS_STOP,
		.subs = FACTS_SUBS({.names = "info check map measure compare", .opts = FACTS_OPTS(VALUES("-f -F --output --object --size -O -l"),
			FLAGS("-U --force-share --backing-chain -q -p -s"), VALUE("-r", UNKNOWN), VALUE("--image-opts", UNKNOWN)),
			.operands = {OP(READ, ALL)}})},
	{.names = "VBoxManage vboxmanage", .manual = "https://www.virtualbox.org/manual/", .style = FACTS_STOP,
		.subs = FACTS_SUBS(LOOKS("list showvminfo showmediuminfo getextradata metrics", "virtual machines"))},
	{.names = "lxc incus multipass limactl colima orb orbctl tart vmrun", .manual = "https://documentation.ubuntu.com/lxd/", .style = FACTS_STOP,
		.subs = FACTS_SUBS(LOOKS("list ls info version status networks find help", "virtual machines"),
			GROUP("image network profile storage remote alias", LOOKS("list ls info show", "virtual machines")),
			CHANGES("start stop restart launch delete shell exec create run mount umount transfer copy move publish init snapshot "
			"restore purge recover suspend set get edit prune sudoshell validate template", "virtual machines"))},
	{.names = "adb", .manual = "https://developer.android.com/tools/adb", .style = FACTS_STOP, .opts = FACTS_OPTS(VALUES("-s -t"),
			FLAGS("-d -e -a"), VALUE("-H -P -L", UNKNOWN)),
		.subs = FACTS_SUBS(LOOKS("devices version get-state get-serialno get-devpath logcat help host-features", "a device"),
			CHANGES("shell exec-out push pull sync install install-multiple uninstall forward reverse backup restore bugreport "
			"root unroot remount reboot sideload tcpip usb connect disconnect pair kill-server start-server emu jdwp", "a device"))},
	{.names = "xrandr", .manual = "xrandr(1)", .opts = FACTS_OPTS(FLAGS("-q --query --current --listmonitors --listproviders "
		"--listactivemonitors --prop --properties --verbose -v --version -h --help"))},
	{.names = "gsettings dconf", .manual = "gsettings(1), dconf(1)", .style = FACTS_STOP,
		.subs = FACTS_SUBS(ASKS("get list-schemas list-keys list-children list-recursively list-relocatable-schemas range describe "
			"writable help read list dump"), TURNS("set reset reset-recursively monitor write load update watch compile"))},
	{.names = "xdg-mime xdg-settings", .manual = "xdg-mime(1), xdg-settings(1)", .style = FACTS_STOP,
		.subs = FACTS_SUBS(ASKS("query get check"), TURNS("default install uninstall set"))},
	{.names = "pactl wpctl", .manual = "pactl(1), wpctl(1)", .style = FACTS_STOP, .opts = FACTS_OPTS(FLAGS("-f --format -h --version")),
		.subs = FACTS_SUBS(ASKS("info list stat get-default-sink get-default-source get-sink-volume get-source-volume get-sink-mute "
			"get-source-mute status inspect get-volume"))},
	{.names = "aplay arecord", .manual = "aplay(1)", .opts = FACTS_OPTS(FLAGS("-l --list-devices -L --list-pcms -h --help --version")),
		.operands = {OP(UNKNOWN, ALL)}},
	{.names = "xcrun", .manual = "xcrun(1)", .style = FACTS_STOP | FACTS_WRAPPER,
		.opts = FACTS_OPTS(FLAGS("-v --verbose -n --no-cache -k --kill-cache -l --log -r --run -h --help --version --show-sdk-path "
			"--show-sdk-version --show-sdk-build-version --show-sdk-platform-path --show-sdk-platform-version"),
			VALUES("--sdk --toolchain -f --find")), .operands = {OP(COMMAND, FIRST)}},
	{.names = "simctl", .manual = "simctl(1), Xcode", .style = FACTS_STOP, .subs = FACTS_SUBS(ASKS("list getenv listapps appinfo "
		"get_app_container help"), CHANGES("create delete boot shutdown erase install uninstall launch terminate openurl "
		"addmedia push spawn io privacy status_bar ui clone pair pbcopy", "a simulator"))},
	{.names = "xcode-select", .manual = "xcode-select(1)", .opts = FACTS_OPTS(FLAGS("-p --print-path -v --version -h --help"),
		FLAG("--install -r --reset", SYSTEM, "developer tools"), VALUE("-s --switch", SYSTEM))},
	{.names = "pod", .manual = "https://guides.cocoapods.org/terminal/commands.html", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("--version --help --verbose --silent --no-ansi --allow-root")),
		.subs = FACTS_SUBS(LOOKS("list search", "cocoapods"), GROUP("repo cache", ASKS("list"), CHANGES("add update remove push lint clean "
			"add-cdn", "cocoapods")), GROUP("trunk", LOOKS("info me", "cocoapods"), CHANGES("push register delete deprecate add-owner "
			"remove-owner", "cocoapods")), GROUP("spec", LOOKS("cat which", "cocoapods"), CHANGES("create edit lint", "cocoapods")),
			{.names = "install update outdated deintegrate init lib setup try plugins env ipc", WORDY, .does = {DO(PROJECT, "Podfile")}})},
	{.names = "rclone", .manual = "https://rclone.org/commands/", .style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(VALUE("--config", LOAD), FLAGS("-v -q -n --dry-run --version -h --help --fast-list"),
			VALUES("--max-depth --include --exclude --filter -u --transfers --checkers")),
		.subs = FACTS_SUBS({.names = "ls lsl lsd lsf lsjson size about listremotes version tree ncdu hashsum md5sum "
				"sha1sum help", READY, .does = LOOK("remotes"), .hook = hook_remotes},
			CHANGES("copy sync move delete purge mkdir rmdir rmdirs check cat copyto moveto touch mount serve config dedupe link "
			"obscure rcat settier cleanup bisync authorize backend copyurl cryptcheck rc rcd selfupdate", "remotes"))},
	/* --- archives and programs */
	{.names = "unrar rar", .manual = "unrar(1)", .style = FACTS_STOP, .subs = FACTS_SUBS(
		{.names = "l lb lt lta ltb t v vb vt vta", .style = FACTS_LOOSE, .operands = {OP(READ, FIRST), OP(INERT, REST)}},
		{.names = "x e", WORDY, .does = {DO(WRITE_TREE, "."), DO(UNKNOWN, "")}})},
	{.names = "zipinfo", .manual = "zipinfo(1)", .style = FACTS_LOOSE, .operands = {OP(READ, FIRST), OP(INERT, REST)}},
	{.names = "jar", .manual = "jar(1)", .style = FACTS_KEYWORDS, .hook = hook_jar},
	READS("lsar rpm2cpio zipdetails dwarfdump crc32 xxhsum xxh64sum xxh128sum sha3sum", "rpm2cpio(8), zipdetails(1)"),
	{.names = "shasum", .manual = "shasum(1)", .opts = FACTS_OPTS(FLAGS("-b --binary -t --text -U --UNIVERSAL -0 --01 -c --check "
		"--ignore-missing -q --quiet -s --status --strict --tag -w --warn -h --help -v --version"), VALUES("-a --algorithm")),
		.operands = {OP(READ, ALL)}},
	{.names = "addr2line c++filt", .manual = "addr2line(1), c++filt(1)", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUE("-e --exe", READ)), .operands = {OP(INERT, ALL)}},
	/* --- differences */
	{.names = "delta", .manual = "https://dandavison.github.io/delta/", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUE("--pager", SHELL), VALUE("--config", READ), VALUE("--diff-args -@", UNKNOWN),
			VALUE("--external-diff", SHELL)), .operands = {OP(READ_TREE, ALL)}},
	READS("difft wdiff dwdiff icdiff lsdiff filterdiff grepdiff interdiff combinediff flipdiff", "https://difftastic.wilfred.me.uk/, wdiff(1), filterdiff(1)"),
	{.names = "diffstat", .manual = "diffstat(1)", .style = FACTS_LOOSE, .opts = FACTS_OPTS(VALUE("-o -e", WRITE), VALUE("-S -D", READ_TREE),
		VALUES("-f -n -p -w -N -r")), .operands = {OP(READ, ALL)}},
	/* --- data */
	{.names = "tomlq xq", .manual = "https://kislyuk.github.io/yq/", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(FLAG("-i --in-place", UNKNOWN, ""), TWO("--arg --argjson", INERT), TWO("--slurpfile --rawfile", READ),
			VALUE("-f --from-file -L", UNKNOWN)), .operands = {OP(INERT, FIRST), OP(READ, REST)}, .hook = hook_filter},
	{.names = "dasel", .manual = "https://daseldocs.tomwright.me/", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUE("-f --file", READ), VALUE("-o --out", WRITE), VALUES("-r --read -w --write -s --selector -p")),
		.subs = FACTS_SUBS({.names = "put delete", WORDY, .does = {DO(UNKNOWN, "a change")}}), .operands = {OP(INERT, ALL)}},
	{.names = "gron", .manual = "https://github.com/tomnomnom/gron", .opts = FACTS_OPTS(FLAGS("-u --ungron -v --values -c --colorize "
		"-m --monochrome -s --stream -k --insecure -j --json --no-sort --version")), .operands = {OP(HOST_READ, ALL)}},
	READS("jless jsonpp", "https://jless.io/"),
	{.names = "csvlook csvcut csvgrep csvsort csvstat csvjoin csvstack csvjson csvformat in2csv", .manual = "https://csvkit.readthedocs.io/",
		.style = FACTS_LOOSE, .opts = FACTS_OPTS(VALUE("-f --file", READ), VALUES("-d --delimiter -q --quotechar -u --quoting -p "
			"--escapechar -z --maxfieldsize -e --encoding -L --locale -c --columns -C --not-columns -m --match -r --regex -k --key "
			"-g --groups -n --freq-count --max-rows --max-columns --max-column-width --sheet")), .operands = {OP(READ, ALL)}},
	{.names = "mlr", .manual = "https://miller.readthedocs.io/", .style = FACTS_LOOSE | FACTS_ONE_DASH,
		.opts = FACTS_OPTS(FLAG("-I --in-place", UNKNOWN, ""), VALUE("--from", READ), VALUE("--prepipe --prepipex --load --mload -s -f", UNKNOWN)),
		.operands = {OP(READ, ALL)}, .hook = hook_mlr},
	{.names = "xsv qsv", .manual = "https://github.com/BurntSushi/xsv", .style = FACTS_STOP, .subs = FACTS_SUBS(
		{.names = "count headers stats select slice sample table frequency search sort flatten fmt cat join dedup reverse input "
			"fixlengths", .style = FACTS_LOOSE, .opts = FACTS_OPTS(VALUE("-o --output", WRITE), VALUES("-s --select -d --delimiter -l "
			"--limit -i --index --start --end --len -n -w --width -p --pad -c --condense")), .operands = {OP(READ, ALL)}})},
	{.names = "xmlstarlet", .manual = "https://xmlstar.sourceforge.net/doc/UG/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("--version --help -q --quiet --doc-namespace --no-doc-namespace")),
		.subs = FACTS_SUBS({.names = "sel select el elements val validate fo format c14n canonic pyx xmln ls list esc escape unesc unescape",
			.style = FACTS_LOOSE, .opts = FACTS_OPTS(VALUES("-v --value-of -m --match -c --copy-of -o --output -e --elem -a --attr -i --if "
				"-N -s --sort --indent-spaces --indent-tab -E --encode --var"), VALUE("-d --dtd -x --xsd -r --relaxng", READ),
				FLAG("--net", UNKNOWN, ""), FLAGS("-t --template -n --nl -b --break -T --text -R --root -C --comp -B --noblanks -I")),
			.operands = {OP(READ, ALL)}},
			{.names = "ed edit tr transform depyx p2x", WORDY, .does = {DO(UNKNOWN, "a change")}})},
	/* --- documents, pictures, sound */
	{.names = "pdftotext", .manual = "pdftotext(1)", .style = FACTS_LOOSE, .opts = FACTS_OPTS(VALUES("-f -l -r -x -y -W -H -fixed -enc "
			"-eol -opw -upw -colspacing")), .does = {DO_IF(UNKNOWN, "a file beside it", FACTS_OPERANDS, FACTS_OPERANDS2)},
		.operands = {OP(READ, FIRST), OP(WRITE, SECOND)}},
	READS("pdfinfo pdffonts mediainfo soxi mp3info", "pdfinfo(1), mediainfo(1)"),
	{.names = "pdfimages pdfdetach", .manual = "pdfimages(1), pdfdetach(1)", .style = FACTS_ONE_DASH,
		.opts = FACTS_OPTS({.names = "-list", .set = 1}, VALUES("-f -l -opw -upw -enc")),
		.does = {DO_IF(UNKNOWN, "pictures", 0, 1)}, .operands = {OP(READ, ALL)}},
	{.names = "qpdf", .manual = "qpdf(1)", .opts = FACTS_OPTS(FLAGS("--check --show-npages --show-pages --show-encryption --list-attachments "
			"--is-encrypted --requires-password --show-linearization --check-linearization --show-xref --with-images --json"),
			VALUES("--show-object --password")), .operands = {OP(READ, FIRST), OP(WRITE, REST)}},
	{.names = "exiftool", .manual = "exiftool(1)", .style = FACTS_ONE_DASH, .opts = FACTS_OPTS(FLAGS("-a -G -G1 -s -s2 -s3 -S -j -json -b "
			"-n -v -u -H -l -q -r -fast -csv -X -t -ee -ver -common -all"), VALUES("-d -ext -lang -x")),
		.operands = {OP(READ_TREE, ALL)}, .hook = hook_exiftool},
	{.names = "identify", .manual = "identify(1), ImageMagick", .opts = FACTS_OPTS(FLAGS("-verbose -ping -quiet -version -strip -regard-warnings"),
			VALUES("-format -units -density -depth -limit")), .style = FACTS_ONE_DASH, .operands = {OP(HOST_READ, ALL)}},
	{.names = "ffprobe", .manual = "ffprobe(1)", .style = FACTS_ONE_DASH, .opts = FACTS_OPTS(FLAGS("-hide_banner -show_streams -show_format "
			"-show_chapters -show_packets -show_frames -show_error -show_programs -show_data -count_frames -count_packets -pretty "
			"-unit -bitexact -version -formats -codecs -h"), VALUES("-v -loglevel -show_entries -select_streams -of -print_format "
			"-output_format -read_intervals -analyzeduration -probesize -sexagesimal"), VALUE("-o", WRITE), VALUE("-i", HOST_READ)),
		.operands = {OP(HOST_READ, ALL)}},
	{.names = "ffmpeg", .manual = "ffmpeg(1)", .style = FACTS_ONE_DASH, .opts = FACTS_OPTS(FLAGS("-hide_banner -version -buildconf -formats "
			"-muxers -demuxers -devices -codecs -decoders -encoders -bsfs -protocols -filters -pix_fmts -layouts -sample_fmts -colors "
			"-hwaccels -n"), VALUES("-v -loglevel -h"), VALUE("-i", HOST_READ)), .operands = {OP(UNKNOWN, ALL)}},
	{.names = "dot neato fdp sfdp twopi circo", .manual = "dot(1), Graphviz", .style = FACTS_ONE_DASH, .opts = FACTS_OPTS(FLAGS("-V -v -q -?"),
			MAYBES("-T -Tsvg -Tpng -Tpdf -Tplain -Tjson -Tdot -Txdot -Tcanon -Tps"), VALUE("-o", WRITE)),
		.operands = {OP(READ, ALL)}},
	{.names = "aspell hunspell ispell", .manual = "aspell(1), hunspell(1)", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-l -v -vv -D -a -A -w -t -n --version --help"), VALUES("-d --lang -i --encoding --mode -m"), VALUE("-p", READ)),
		.subs = FACTS_SUBS(ASKS("list dicts dump modes filters munch-list expand config soundslike")), .operands = {OP(READ, ALL)}},
	READS("sloccount loc javap", "sloccount(1), javap(1)"),
	{.names = "ctags uctags", .manual = "ctags(1), Universal Ctags", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS({.names = "-x --list-kinds --list-languages --list-maps --list-features --list-fields --list-extras "
				"--list-kinds-full --list-aliases --list-params", .set = 1}, VALUE("-f -o", WRITE), VALUE("-L --options --exclude-from", READ)),
		.does = {DO_IF(WRITE, "tags", 0, 1)}, .operands = {OP(READ_TREE, ALL)}},
	{.names = "ugrep ug", .manual = "ugrep(1)", .style = FACTS_LOOSE | FACTS_DIGITS,
		.opts = FACTS_OPTS(VALUE("--filter --pager --view", SHELL), VALUE("-f --file --config", READ), FLAG("-Q --query --save-config "
			"--index", UNKNOWN, ""), VALUES("-g --glob --iglob -t --file-type -O --file-extension -A -B -C -m -e -j -J --exclude "
			"--include --exclude-dir --include-dir --format -d")),
		.does = {DO_IF(READ_TREE, ".", 0, FACTS_OPERANDS2)}, .operands = {OP(INERT, FIRST), OP(READ_TREE, REST)}},
	{.names = "tldr", .manual = "https://tldr.sh/", READY, .does = LOOK("pages")},
	/* --- of these only the version and the help are known */
	{.names = "vimdiff pandoc sox convert magick mogrify tesseract gource tig semgrep datasette speedtest starship watchexec "
		"cfssl cert-manager carthage iperf3 sqlite-utils csvsql fx xsltproc cscope global comby ast-grep keytool step "
		"fastboot fail2ban-client inkscape gimp blender unity godot vlc mpv chromium google-chrome firefox chromedriver "
		"geckodriver libreoffice soffice wkhtmltopdf latexmk pdflatex xelatex lualatex typst asciidoctor mdbook hexo "
		"grpcurl websocat wscat dive trivy grype syft cosign snyk infracost tfswitch ansible-navigator helmsman "
		"ngrok cloudflared tailscale k6 vegeta wrk ab siege hey newman postman stripe twilio sentry-cli sonar-scanner "
		"codeql dlv gdbserver cargo-binstall nuget hub "
		"gunicorn uvicorn celery jupyter dvc mlflow dbt airflow great_expectations flask django-admin alembic sequelize "
		"prisma drizzle-kit nest svgo lighthouse size-limit bundlesize swiftc gitleaks trufflehog osv-scanner reuse licensee "
		"textql lychee linkchecker", .manual = "each program's own manual",
		.style = FACTS_BARE_UNKNOWN, .operands = {OP(UNKNOWN, ALL)}},
	/* --- for old Macs */
	{.names = "applesingle macbinary binhex", .manual = "applesingle(1), macOS", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h --help -V --version")),
		.subs = FACTS_SUBS({.names = "probe", .operands = {OP(READ, ALL)}}, {.names = "decode encode", .opts = FACTS_OPTS(
			{.names = "-c --pipe --from-stdin --to-stdout", .set = 1}, FLAGS("-f -s"), VALUE("-o", WRITE)),
			.does = {DO_IF(UNKNOWN, "a file beside it", 0, 1)}, .operands = {OP(READ, ALL)}})},
	{.names = "prometheus promtool", .manual = "https://prometheus.io/docs/prometheus/latest/command-line/", .style = FACTS_STOP,
		.opts = FACTS_OPTS({.names = "-h --help --version --help-long --help-man", .set = 1}),
		.subs = FACTS_SUBS({.names = "check", .style = FACTS_STOP, .subs = FACTS_SUBS({.names = "config rules web-config metrics",
			.style = FACTS_LOOSE, .operands = {OP(READ, ALL)}})}, {.names = "test", .style = FACTS_STOP, .subs = FACTS_SUBS(
			{.names = "rules", .style = FACTS_LOOSE, .operands = {OP(READ, ALL)}})}),
		.does = {DO_IF(UNKNOWN, "a server", 0, 1)}},
	{.names = "caddy", .manual = "https://caddyserver.com/docs/command-line", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h --help -v --version")),
		.subs = FACTS_SUBS(ASKS("version list-modules build-info help"),
			{.names = "fmt", .opts = FACTS_OPTS(FLAGS("-d --diff"), {.names = "-w --overwrite", .set = 1}, VALUE("-c --config", READ)),
				.does = {DO_IF(READ, "Caddyfile", 0, FACTS_OPERANDS), DO_IF(WRITE, "Caddyfile", 1, FACTS_OPERANDS)},
				.operands = {OP(READ, ALL), OP_IF(WRITE, ALL, 1, 0)}},
			{.names = "validate adapt", .style = FACTS_LOOSE, .does = {DO(READ, "Caddyfile")}, .operands = {OP(READ, ALL)}},
			{.names = "run start stop reload trust untrust upgrade add-package remove-package file-server reverse-proxy respond "
				"storage environ manpage completion hash-password", WORDY, .does = {DO(UNKNOWN, "a server")}})},
	{.names = "rtk", .manual = "https://github.com/rtk-ai/rtk", .style = FACTS_STOP | FACTS_WRAPPER,
		.opts = FACTS_OPTS(FLAGS("-v --verbose -u --ultra-compact -h --help -V --version --skip-env")),
		.subs = FACTS_SUBS(ASKS("gain version help config"), {.names = "proxy err summary", .style = FACTS_STOP | FACTS_WRAPPER,
			.operands = {OP(COMMAND, FIRST)}}, {.names = "discover learn cc-economics session", WORDY,
			.does = {DO(SECRET, "conversations")}}, {.names = "init", WORDY, .does = {DO(UNKNOWN, "settings")}}),
		.operands = {OP(COMMAND, FIRST)}},
	{0},
};
/* clang-format on */
