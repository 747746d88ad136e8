/*
 * The machine itself: processes, disks, services, users, settings, keys.
 */

#include "facts/facts_priv.h"

enum bits {
	B_LIST = 1 << 0, /* only shows */
	B_SET = 1 << 1,
	B_ALL = 1 << 2,
	B_DOWN = 1 << 3,
	B_OUT = 1 << 4,
	B_DECRYPT = 1 << 5,
};

/* kill -SIGNAL PID...: the signal looks like an option, so all is read here. */
static void
hook_kill(struct facts_run *run)
{
	size_t i = 0;

	run->done = true;
	while (i < run->operand_count) {
		struct str w = run->operands[i].text;

		if (w.len < 2 || w.ptr[0] != '-')
			break;
		i++;
		if (str_eq(w, STR("-l")) || str_eq(w, STR("-L")))
			return;
		if (facts_names_have("-s -n --signal", w))
			i++;
		if (str_eq(w, STR("--")))
			break;
		/* kill -1 alone would be a signal without a process */
		if (str_eq(w, STR("-1")) && i == run->operand_count)
			facts_apply_text(run, FACTS_DOWN, 0, "");
	}
	for (; i < run->operand_count; i++) {
		facts_apply(run, FACTS_SIGNAL, 0, &run->operands[i]);
		if (facts_names_have("-1 1", run->operands[i].text))
			facts_apply_text(run, FACTS_DOWN, 0, "");
	}
}

/* pkill -SIGNAL -f PATTERN */
static void
hook_pkill(struct facts_run *run)
{
	static const char lists[] =
		"-h --help -V --version -l --list --list-signals -L --table";
	bool named = false;

	run->done = true;
	for (size_t i = 0; i < run->operand_count; i++) {
		struct str w = run->operands[i].text;

		if (facts_names_have(lists, w) && run->operand_count == 1)
			return;
		if (facts_names_have("-u -U -g -G -P -s -t --signal --user", w)) {
			i++;
			continue;
		}
		if (w.len > 0 && w.ptr[0] == '-')
			continue;
		named = true;
		facts_apply(run, FACTS_SIGNAL, 0, &run->operands[i]);
		if (facts_names_have(". .* init systemd", w))
			facts_apply_text(run, FACTS_DOWN, 0, "");
	}
	/* pkill -u NAME, -t TTY: all that they have */
	if (!named)
		facts_apply_text(run, FACTS_SIGNAL, 0, "processes");
}

/* ps e: the environment of processes, in the style without a dash. Of those
 * letters some take the next word: ps U NAME. */
static void
hook_ps(struct facts_run *run)
{
	bool is_value = false;

	for (size_t i = 1; i < run->count; i++) {
		if (str_has(run->words[i].text, STR("environ")))
			facts_apply_text(run, FACTS_SECRET, 0, "process environments");
	}
	for (size_t i = 0; i < run->operand_count; i++) {
		struct str w = run->operands[i].text;

		if (is_value) {
			is_value = false;
			continue;
		}
		if (str_has_char(w, 'e') || (run->operands[i].flags & FACTS_DYNAMIC))
			facts_apply_text(run, FACTS_SECRET, 0, "process environments");
		is_value = w.len > 0 && str_has_char(STR("kOopqtU"), w.ptr[w.len - 1]);
	}
}

/* man ./page: a file, which may take in others (.so). */
static void
hook_man(struct facts_run *run)
{
	for (size_t i = 0; i < run->operand_count; i++) {
		if (str_has_char(run->operands[i].text, '/'))
			facts_apply(run, FACTS_LOAD, 0, &run->operands[i]);
	}
}

/* mount without operands lists; with them it changes the machine. */
static void
hook_mount(struct facts_run *run)
{
	if (run->operand_count > 0 || (run->bits & B_ALL))
		facts_apply_text(run, FACTS_PRIVILEGE, 0, "mounts");
}

/* sysctl NAME=VALUE sets. */
static void
hook_sysctl(struct facts_run *run)
{
	for (size_t i = 0; i < run->operand_count; i++) {
		if ((run->bits & B_SET) || str_has_char(run->operands[i].text, '='))
			facts_apply(run, FACTS_SYSTEM, 0, &run->operands[i]);
	}
}

static void
hook_hostname(struct facts_run *run)
{
	if (run->operand_count > 0)
		facts_apply(run, FACTS_SYSTEM, 0, &run->operands[0]);
}

/* ip link set ...: one verb among the words makes it a change. */
static void
hook_ip(struct facts_run *run)
{
	static const char verbs[] =
		"add del delete set change replace append flush restore exec up down";

	bool shows = run->operand_count > 1
		&& facts_names_have("show list ls lst", run->operands[1].text);

	run->done = true;
	for (size_t i = 0; i < run->operand_count; i++) {
		/* ip addr show up: those that are */
		if (shows && facts_names_have("up down", run->operands[i].text))
			continue;
		if (facts_names_have(verbs, run->operands[i].text)
			|| (run->operands[i].flags & FACTS_DYNAMIC)) {
			facts_apply_text(run, FACTS_SYSTEM, 0, "network settings");
			if (str_eq(run->operands[i].text, STR("exec")))
				facts_run_ignore(
					run, CALL_UNKNOWN, "ip runs a program", run->name);
		}
	}
}

#define SHOWS(n, m)                                                       \
	{                                                                     \
		.names = (n), .manual = (m), .style = FACTS_LOOSE | FACTS_DIGITS, \
		.operands = {                                                     \
			OP(INERT, ALL)                                                \
		}                                                                 \
	}
#define STOPS(n, m)                                                     \
	{                                                                   \
		.names = (n), .manual = (m), .style = FACTS_LOOSE,              \
		.does = {DO(DOWN, ""), DO(PRIVILEGE, "machine")}, .operands = { \
			OP(INERT, ALL)                                              \
		}                                                               \
	}
#define FORMATS(n, m)                                                       \
	{                                                                       \
		.names = (n), .manual = (m), .style = FACTS_LOOSE,                  \
		.opts = FACTS_OPTS(SETS("-n -N --no-act -l --list -V -p", B_LIST)), \
		.operands = {                                                       \
			OP_IF(DEVICE, ALL, 0, B_LIST),                                  \
			OP_IF(LIST, ALL, B_LIST, 0)                                     \
		}                                                                   \
	}
#define ADMIN(n, m)                                                       \
	{                                                                     \
		.names = (n), .manual = (m), .style = FACTS_LOOSE,                \
		.does = {DO(PRIVILEGE, "settings of the machine")}, .operands = { \
			OP(INERT, ALL)                                                \
		}                                                                 \
	}

/* The layout of rows is by hand: the tool cannot do uneven ones. */
// clang-format off
const struct facts_prog facts_prog_system[] = {
	/* --- looking --- */
	{.names = "sar", .manual = "sar(1)", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUE("-o", WRITE), VALUE("-f", READ)),
		.operands = {OP(INERT, ALL)}},
	SHOWS("pgrep pidof pstree top htop free vmstat iostat mpstat "
		"lsblk lscpu lsmem lsusb lspci lshw lsmod lsof netstat w last "
		"lastlog findmnt getconf locale lsb_release sw_vers lsns ipcs "
		"cal ncal tput infocmp clear apropos whatis slabtop pmap "
		"lsattr getfacl getcap vm_stat",
		"pgrep(1), lsblk(8), lsof(8), ss(8), free(1), man(1), nm(1)"),
	{.names = "ps", .manual = "ps(1)", .style = FACTS_LOOSE | FACTS_DIGITS,
		.opts = FACTS_OPTS(VALUES("-C -G -g -O -o -p -q -s -t -U -u --sort --format "
			"--pid --ppid --quick-pid --user --User --group --Group --sid --tty "
			"--cols --columns --width --rows --lines"),
			FLAG("-E", SECRET, "process environments")),
		.operands = {OP(INERT, ALL)}, .hook = hook_ps},
	{.names = "ss", .manual = "ss(8)", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(FLAG("-K --kill", SIGNAL, "connections"),
			VALUE("-D --diag", WRITE), VALUE("-F --filter", READ)),
		.operands = {OP(INERT, ALL)}},
	{.names = "blkid", .manual = "blkid(8)", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUE("-c --cache-file", WRITE),
			FLAG("-g --garbage-collect", SYSTEM, "cache")),
		.operands = {OP(LIST, ALL)}},
	{.names = "info", .manual = "info(1)",
		.opts = FACTS_OPTS(FLAGS("-a --all -k -w --where --location"),
			VALUES("-n --node"), VALUE("-f --file", READ)),
		.operands = {OP(INERT, ALL)}},
	{.names = "nm readelf objdump size otool", .manual = "nm(1), readelf(1), "
			"objdump(1), size(1)",
		.style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUE("--plugin", LOAD),
			VALUES("-j --section -M -m --architecture --start-address "
				"--stop-address")),
		.operands = {OP(READ, ALL)}},
	{.names = "man", .manual = "man(1)", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUE("-P --pager -H --html", SHELL),
			/* settings name the programs that shape a page */
			VALUE("-C --config-file -M --manpath -m --systems", LOAD),
			FLAG("-l --local-file -R --recode", UNKNOWN, "")),
		.operands = {OP(INERT, ALL)}, .hook = hook_man},
	{.names = "ldd", .manual = "ldd(1)", .style = FACTS_LOOSE,
		.operands = {OP(SCRIPT, ALL)}},
	{.names = "dmesg", .manual = "dmesg(1)", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(FLAG("-C --clear -c --read-clear -n -D -E "
			"--console-level --console-off --console-on", SYSTEM, "kernel log")),
		.operands = {OP(INERT, ALL)}},
	{.names = "journalctl", .manual = "journalctl(1)", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(
			FLAG("--vacuum-size --vacuum-time --vacuum-files --rotate --flush "
				"--sync --relinquish-var --setup-keys", SYSTEM, "journal"),
			SETS("--list-boots --disk-usage -N --fields --header --version "
				"--list-catalog --dump-catalog", B_LIST),
			VALUE("-D --directory --file --root", READ_TREE),
			VALUES("-u --unit -n --lines -S --since -U --until -p --priority -o "
				"--output -t --identifier -b --boot -g --grep -M --machine")),
		.does = {DO_IF(READ_TREE, "/var/log/journal", 0, B_LIST)},
		.operands = {OP(INERT, ALL)}},
	/* --- processes --- */
	{.names = "kill", .manual = "kill(1)",
		.style = FACTS_BUILTIN | FACTS_KEYWORDS, .hook = hook_kill},
	{.names = "pkill killall skill", .manual = "pkill(1), killall(1)",
		.style = FACTS_KEYWORDS, .hook = hook_pkill},
	{.names = "renice", .manual = "renice(1)", .style = FACTS_LOOSE | FACTS_DIGITS,
		.does = {DO(SIGNAL, "priority")}, .operands = {OP(INERT, ALL)}},
	{.names = "killall5", .manual = "killall5(8)", .style = FACTS_LOOSE,
		.does = {DO(DOWN, "")}, .operands = {OP(INERT, ALL)}},
	{.names = "fuser", .manual = "fuser(1)", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(FLAG("-k --kill", SIGNAL, "users of a file")),
		.operands = {OP(LIST, ALL)}},
	/* --- the machine stops --- */
	STOPS("shutdown reboot halt poweroff kexec", "shutdown(8), reboot(8)"),
	{.names = "init telinit", .manual = "init(8)",
		.does = {DO(DOWN, ""), DO(PRIVILEGE, "machine")},
		.operands = {OP(INERT, ALL)}},
	/* --- disks --- */
	FORMATS("mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat "
		"mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mke2fs mkswap mkdosfs "
		"newfs blkdiscard", "mkfs(8), mke2fs(8)"),
	/* without -a or -o it shows the signatures; -n only says what it would do */
	{.names = "wipefs", .manual = "wipefs(8)",
		.opts = FACTS_OPTS(SETS("-a --all", B_ALL), VALUE_SETS("-o --offset", INERT, B_ALL),
			FLAGS("-f --force -i --noheadings -J --json -p --parsable -q --quiet -n --no-act -V"),
			MAYBES("-b --backup"), VALUES("-O --output -t --types")),
		.operands = {OP_IF(DEVICE, ALL, B_ALL, 0), OP_IF(LIST, ALL, 0, B_ALL)}},
	FORMATS("fdisk sfdisk cfdisk gdisk sgdisk parted partprobe hdparm badblocks "
		"resize2fs tune2fs e2fsck fsck fsck.ext4 xfs_repair cryptsetup mdadm "
		"pvcreate pvremove "
		"losetup e2label nvme fstrim debugfs",
		"fdisk(8), parted(8), cryptsetup(8), losetup(8)"),
	ADMIN("vgcreate vgremove vgextend vgreduce lvcreate lvremove "
		"lvextend lvreduce lvresize pvresize dmsetup multipath",
		"lvm(8), dmsetup(8)"),
	{.names = "mount umount", .manual = "mount(8)", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(SETS("-a --all", B_ALL)),
		.operands = {OP(INERT, ALL)}, .hook = hook_mount},
	{.names = "swapon swapoff", .manual = "swapon(8)", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(SETS("-s --summary --show", B_LIST)),
		.does = {DO_IF(PRIVILEGE, "swap", 0, B_LIST)},
		.operands = {OP(INERT, ALL)}},
	/* --- services --- */
	{.names = "systemctl", .manual = "systemctl(1)", .style = FACTS_GLOBAL | FACTS_LOOSE,
		.opts = FACTS_OPTS(
			VALUES("-t --type --state -p --property -n --lines -o --output "
				"--signal --kill-whom -P -s"),
			VALUE("-H --host -M --machine --root --image", UNKNOWN)),
		.subs = FACTS_SUBS(
			{.names = "status show cat list-units list-unit-files is-active "
				"is-enabled is-failed list-timers list-sockets "
				"list-dependencies list-jobs get-default help "
				"is-system-running list-machines",
				.operands = {OP(INERT, ALL)}},
			{.names = "start stop restart reload try-restart kill clean freeze "
				"thaw isolate reload-or-restart daemon-reload daemon-reexec "
				"reset-failed set-environment unset-environment "
				"import-environment condrestart force-reload",
				.does = {DO(SYSTEM, "services")},
				.operands = {OP(SIGNAL, ALL)}},
			{.names = "show-environment", .does = {DO(SECRET, "environment")}},
			{.names = "enable disable mask unmask link edit set-default preset "
				"reenable add-wants set-property revert preset-all",
				.does = {DO(PERSIST, "services")},
				.operands = {OP(INERT, ALL)}},
			{.names = "poweroff reboot halt kexec suspend hibernate emergency "
				"rescue exit switch-root hybrid-sleep default soft-reboot",
				.does = {DO(DOWN, "")}, .operands = {OP(INERT, ALL)}})},
	{.names = "invoke-rc.d initctl update-rc.d "
			"chkconfig rc-update",
		.manual = "invoke-rc.d(8), update-rc.d(8)", .style = FACTS_LOOSE,
		.does = {DO(PERSIST, "services")}, .operands = {OP(SIGNAL, ALL)}},
	/* --- users and settings --- */
	ADMIN("useradd userdel usermod groupadd groupdel groupmod adduser deluser "
		"addgroup passwd chpasswd chage gpasswd visudo vipw newgrp chfn chsh "
		"pwck",
		"useradd(8), usermod(8), passwd(1), visudo(8)"),
	ADMIN("iptables ip6tables nft ufw firewall-cmd ipset tc ebtables pfctl "
		"modprobe insmod rmmod depmod setenforce semanage restorecon apparmor_parser "
		"aa-disable setcap setfattr chattr auditctl grub-install update-grub "
		"update-initramfs ldconfig "
		"netplan swaplabel update-alternatives dpkg-reconfigure efibootmgr "
		"rfkill brctl route ifup ifdown wg wg-quick nvram pmset systemsetup",
		"iptables(8), modprobe(8), chattr(1), setcap(8)"),
	{.names = "setfacl", .manual = "setfacl(1)",
		.opts = FACTS_OPTS(FLAGS("-b -k -n -d -L -P -R"), VALUES("-m -x -M -X")),
		.operands = {OP(MODE, ALL)}},
	{.names = "sysctl", .manual = "sysctl(8)",
		.opts = FACTS_OPTS(
			FLAGS("-a --all -A -X -b --binary -e --ignore -N --names -n --values "
				"-q --quiet -d -o -x"),
			SETS("-w --write", B_SET), VALUES("-r --pattern"),
			FLAG("-p --load -f --system", SYSTEM, "kernel settings")),
		.operands = {OP(INERT, ALL)}, .hook = hook_sysctl},
	{.names = "hostname domainname dnsdomainname", .manual = "hostname(1)",
		.opts = FACTS_OPTS(FLAGS("-a -A -d -f -i -I -s -y --all-fqdns "
			"--all-ip-addresses --fqdn --short --ip-address --domain"),
			VALUE("-F --file", READ)),
		.operands = {OP(INERT, ALL)}, .hook = hook_hostname},
	{.names = "ip", .manual = "ip(8)", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(VALUE("-b -batch", UNKNOWN), VALUES("-n -netns -f -family -rc -rcvbuf"),
			FLAGS("-br -brief -j -json -d -details -s -stats -statistics -c -color -4 -6 -0 -o -oneline -r -resolve -t "
				"-timestamp -ts -tshort -p -pretty -h -human -human-readable -iec -N -Numeric -V -Version")),
		.hook = hook_ip},
	{.names = "ifconfig iwconfig arp ethtool", .manual = "ifconfig(8)",
		.style = FACTS_STOP, .opts = FACTS_OPTS(FLAGS("-a -s -v -n -i -S -k")),
		.operands = {OP(INERT, FIRST), OP(SYSTEM, REST)}},
	/* --- keys --- */
	{.names = "openssl", .manual = "openssl(1)", .style = FACTS_ONE_DASH,
		.subs = FACTS_SUBS(
			{.names = "help", .operands = {OP(INERT, ALL)}},
			{.names = "version list ciphers rand prime passwd speed errstr",
				.style = FACTS_ONE_DASH | FACTS_LOOSE,
				.opts = FACTS_OPTS(VALUE("-out -writerand", WRITE),
					VALUE("-in -rand", READ),
					VALUE("-engine -provider -provider-path -propquery", LOAD)),
				.operands = {OP(INERT, ALL)}},
			/* what they show of a file is public, whatever its name is */
			{.names = "x509 req crl verify pkcs7",
				.style = FACTS_ONE_DASH | FACTS_LOOSE,
				.opts = FACTS_OPTS(
					VALUE("-in -CAfile -CApath -CRLfile -untrusted -trusted", LIST),
					VALUE("-CAkey -CA -inkey -signkey -key -certfile -extfile", READ),
					VALUE("-config", LOAD),
					VALUE("-out -keyout -writerand -outdir", WRITE),
					VALUES("-subj -days -name -passin -passout -inform -outform -digest "
						"-checkend -nameopt -certopt -purpose -verify_hostname -addext"),
					VALUE("-newkey -engine -provider -provider-path", LOAD)),
				.operands = {OP(LIST, ALL)}},
			{.names = "dgst sha256 sha1 md5 sha512 sha384 asn1parse "
				"rsa ec pkey genrsa genpkey ecparam dhparam pkcs12 pkcs8 smime "
				"cms ca enc base64 aes-256-cbc",
				.style = FACTS_ONE_DASH | FACTS_LOOSE,
				.opts = FACTS_OPTS(
					VALUE("-in -CAfile -CApath -CAkey -CA -inkey -config "
						"-signature -key -kfile -certfile -extfile", READ),
					VALUE("-out -keyout -writerand -outdir", WRITE),
					VALUES("-subj -days -name -passin -passout -pass -k -newkey "
						"-inform -outform -digest"),
					FLAG("-d", DECODED, ""),
					VALUE("-engine -provider -provider-path", LOAD)),
				.operands = {OP(READ, ALL)}},
			{.names = "s_client s_server s_time ocsp ts",
				.style = FACTS_ONE_DASH | FACTS_LOOSE | FACTS_STDIN_SENT,
				.opts = FACTS_OPTS(VALUE("-connect -host -proxy -accept", HOST),
					VALUE("-engine -provider -provider-path", LOAD),
					VALUE("-cert -key -CAfile", READ)),
				.operands = {OP(HOST, ALL)}})},
	{.names = "gpg gpg2", .manual = "gpg(1)", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(
			VALUE("-o --output --log-file", WRITE),
			VALUES("-u --local-user -r --recipient --passphrase --keyserver "
				"--default-key --status-fd --passphrase-fd --cipher-algo"),
			VALUE("--keyring --passphrase-file", READ),
			/* settings there name programs that it starts */
			VALUE("--homedir --options --agent-program --dirmngr-program "
				"--keyboxd-program --exec-path --photo-viewer", LOAD),
			{.names = "-d --decrypt --decrypt-files", .role = FACTS_DECODED,
				.set = B_DECRYPT | B_SET},
			SETS("-k --list-keys --list-public-keys -K --list-secret-keys --list-sigs "
				"--check-sigs --fingerprint --verify --verify-files --list-config "
				"--version --show-keys --show-key --export --export-ssh-key", B_SET),
			{.names = "--export-secret-keys --export-secret-subkeys "
				"--export-secret-key", .role = FACTS_SECRET, .text = "secret keys",
				.set = B_SET},
			FLAG("--send-keys --recv-keys --refresh-keys --search-keys "
				"--locate-keys --fetch-keys", REMOTE, "key server"),
			{.names = "--delete-key --delete-keys --delete-secret-keys "
				"--delete-secret-key --import --gen-key --generate-key "
				"--quick-gen-key --full-generate-key --edit-key --sign-key "
				"--clearsign -s --sign -b --detach-sign -e --encrypt -c "
				"--symmetric", .role = FACTS_WRITE_TREE, .text = "~/.gnupg",
				.set = B_SET}),
		/* without a command it guesses one, and decrypts */
		.does = {DO_IF(SECRET, "encrypted text", B_DECRYPT, 0),
			DO_IF(UNKNOWN, "gpg", FACTS_OPERANDS, B_SET)},
		.operands = {OP(READ, ALL)}},
	{.names = "ssh-keygen", .manual = "ssh-keygen(1)",
		.opts = FACTS_OPTS(
			SETS("-l -B -y -F -e", B_LIST), FLAGS("-v -q -A -c -p -i -L"),
			VALUES("-b -t -C -N -P -E -m -a -I -n -V -z -O"),
			VALUE("-R -H", UNKNOWN), VALUE_SETS("-f", READ, B_OUT),
			VALUE("-s", READ)),
		.does = {DO_IF(UNKNOWN, "makes a key", 0, B_LIST)},
		.operands = {OP(READ, ALL)}},
	/* names and settings of a store are no secrets; what is in it is */
	{.names = "op", .manual = "https://developer.1password.com/docs/cli/",
		.style = FACTS_STOP | FACTS_GLOBAL,
		.opts = FACTS_OPTS(FLAGS("-h --help -v --version"), VALUES("--account --format --vault")),
		.subs = FACTS_SUBS(
			{.names = "whoami", .operands = {OP(INERT, ALL)}},
			{.names = "account vault user group", .style = FACTS_STOP, .subs = FACTS_SUBS(
				{.names = "list ls", .style = FACTS_LOOSE, .operands = {OP(INERT, ALL)}})},
			{.names = "item", .style = FACTS_STOP, .subs = FACTS_SUBS(
				{.names = "list ls", .style = FACTS_LOOSE, .operands = {OP(INERT, ALL)}},
				{.names = "get create edit delete move share template", .style = FACTS_LOOSE | FACTS_ANY_WORDS,
					.does = {DO(SECRET, "key store"), DO(UNKNOWN, "key store")}, .operands = {OP(INERT, ALL)}})},
			{.names = "read run inject signin signout document connect plugin service-account events-api",
				.style = FACTS_LOOSE | FACTS_ANY_WORDS,
				.does = {DO(SECRET, "key store"), DO(UNKNOWN, "key store")}, .operands = {OP(INERT, ALL)}})},
	{.names = "security", .manual = "security(1), macOS", .style = FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-h -q -v -l"), VALUES("-p")),
		.subs = FACTS_SUBS(
			{.names = "list-keychains default-keychain login-keychain",
				.opts = FACTS_OPTS(FLAGS("-h"), VALUES("-d"), FLAG("-s", UNKNOWN, ""))},
			{.names = "help error find-certificate find-identity "
				"show-keychain-info dump-trust-settings verify-cert list-smartcards "
				"get-identity-preference translocate-policy-check translocate-status-check "
				"translocate-original-path requirement-evaluate",
				.opts = FACTS_OPTS(FLAGS("-h -a -v -Z -m -d -q -l"),
					VALUES("-c -e -p -s -u -n -k -r -t"), FLAG("-S", UNKNOWN, "")),
				.operands = {OP(INERT, ALL)}},
			{.names = "add-generic-password add-internet-password add-certificates add-trusted-cert authorize authorizationdb "
				"create-keychain cms create-keypair delete-certificate delete-generic-password delete-identity "
				"delete-internet-password delete-keychain dump-keychain execute-with-privileges export "
				"export-smartcard find-generic-password find-internet-password find-key import install-mds "
				"leaks lock-keychain remove-trusted-cert set-generic-password-partition-list "
				"set-identity-preference set-internet-password-partition-list set-key-partition-list "
				"set-keychain-password set-keychain-settings smartcards trust-settings-export trust-settings-import "
				"unlock-keychain",
				.style = FACTS_LOOSE | FACTS_ANY_WORDS,
				.does = {DO(SECRET, "key store"), DO(UNKNOWN, "key store")}, .operands = {OP(INERT, ALL)}})},
	{.names = "ssh-agent keychain secret-tool pass bw gopass "
			"doppler aws-vault lpass keyring sops age kwallet-query",
		.manual = "secret-tool(1), security(1), pass(1), op(1), vault(1)",
		.style = FACTS_LOOSE,
		.does = {DO(SECRET, "key store"), DO(UNKNOWN, "key store")},
		.operands = {OP(INERT, ALL)}},
	/* --- the desktop --- */
	{.names = "xclip xsel pbpaste wl-paste", .manual = "xclip(1), xsel(1)",
		.style = FACTS_LOOSE, .does = {DO(SECRET, "clipboard")},
		.operands = {OP(INERT, ALL)}},
	{.names = "open xdg-open start explorer notify-send wall write mesg logger "
			"pbcopy wl-copy",
		.manual = "xdg-open(1), notify-send(1), logger(1)",
		.does = {DO(UNKNOWN, "desktop")}, .operands = {OP(INERT, ALL)}},
	/* --- editors --- */
	{.names = "vi vim nvim nano emacs ed ex pico micro joe code cursor subl "
			"gedit kate view hx helix",
		.manual = "vim(1), nano(1), emacs(1), ed(1)",
		.style = FACTS_INTERPRETER,
		.does = {DO(UNKNOWN, "editor")},
		.operands = {OP(WRITE, ALL)}},
	{.names = NULL},
};
// clang-format on
