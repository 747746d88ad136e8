/*
 * Programs of macOS: what they show, and what they write. Those that set up
 * the machine are in prog_system.c.
 */

#include "facts/facts_priv.h"

/* What only shows; a word that no row names is not understood. */
#define SHOWS(n)                                                            \
	{                                                                       \
		.names = (n), .style = FACTS_LOOSE | FACTS_ANY_WORDS, .operands = { \
			OP(INERT, ALL)                                                  \
		}                                                                   \
	}
#define READS(n)                                                          \
	{                                                                     \
		.names = (n), .style = FACTS_LOOSE, .operands = { OP(READ, ALL) } \
	}
#define SETS_UP(n, what)                                      \
	{                                                         \
		.names = (n), .style = FACTS_LOOSE | FACTS_ANY_WORDS, \
		.does = {DO(PERSIST, what)}, .operands = {            \
			OP(INERT, ALL)                                    \
		}                                                     \
	}

/* dscl [options] SOURCE COMMAND [PATH [KEY ...]], the command with a dash or
 * without. */
static void
hook_dscl(struct facts_run *run)
{
	static const char showing[] = "read readall list search diff readpl -read "
								  "-readall -list -search -diff -readpl";
	static const char hashes[] =
		"ShadowHashData AuthenticationAuthority HeimdalSRPKey KerberosKeys";
	bool shows = false, tells = false;

	run->done = true;
	for (size_t i = 1; i < run->count; i++) {
		struct str word = run->words[i].text;

		shows |= i <= 4 && facts_names_have(showing, word);
		tells |= facts_names_have(hashes, word) || str_eq(word, STR("-readall"))
			|| str_eq(word, STR("readall"));
	}
	if (tells)
		facts_apply_text(run, FACTS_SECRET, 0, "accounts");
	if (!shows)
		facts_apply_text(run, FACTS_PRIVILEGE, 0, "accounts");
}

static void
hook_scutil(struct facts_run *run)
{
	if (run->given_count == 0)
		facts_run_ignore(
			run, CALL_UNKNOWN, "commands that come from elsewhere", run->name);
}

enum bits {
	B_SHOW = 1 << 0, /* an option that only shows is there */
	B_EDIT = 1 << 1, /* changes the file itself */
	B_OUT = 1 << 2,  /* the result goes elsewhere */
	B_SIGN = 1 << 3,
};

/* One variable by its name. */
static void
hook_getenv(struct facts_run *run)
{
	for (size_t i = 0; i < run->operand_count; i++) {
		if (facts_var_is_secret(run->operands[i].text)
			|| run->operands[i].flags)
			facts_apply_text(run, FACTS_SECRET, 0, "environment");
	}
}

// clang-format off
const struct facts_prog facts_prog_mac[] = {
	{.names = "pkgutil", .manual = "pkgutil(1)",
		.opts = FACTS_OPTS(
			FLAGS("--packages --pkgs-plist --groups --groups-plist -v --verbose -h --help "
				"-f --force --regexp --only-files --only-dirs"),
			MAYBES("--pkgs"), VALUES("--export-plist --pkg-info --pkg-info-plist --pkg-groups "
				"--group-pkgs --files --lsbom"),
			VALUE("--volume --file-info --file-info-plist --payload-files --check-signature "
				"--bom --edit-pkg", READ),
			VALUE_SETS("--expand --expand-full", READ, B_OUT),
			VALUE_SETS("--flatten --flatten-full", READ_TREE, B_OUT),
			VALUE("--forget --learn", SYSTEM)),
		.operands = {OP_IF(WRITE_TREE, ALL, B_OUT, 0)}},
	{.names = "codesign", .manual = "codesign(1)", .style = FACTS_DIGITS,
		.opts = FACTS_OPTS(
			SETS("-d --display -v --verify -h --validate-constraint", B_SHOW),
			VALUE_SETS("-s --sign", INERT, B_SIGN), SETS("--remove-signature", B_SIGN),
			FLAGS("-f --force --deep --strict -R --all-architectures --verbose --preserve-metadata --timestamp"),
			VALUES("-i --identifier -o --options -r --requirements -a --architecture --prefix "
				"-l --bundle-version"),
			VALUE("--entitlements", READ), VALUE("--keychain", READ)),
		.operands = {OP(LIST_TREE, ALL), OP_IF(WRITE_TREE, ALL, B_SIGN, 0)}},
	{.names = "defaults", .manual = "defaults(1)", .style = FACTS_ONE_DASH,
		.opts = FACTS_OPTS(FLAGS("-currentHost"), VALUES("-host")),
		.subs = FACTS_SUBS(
			{.names = "domains find help read-type", .style = FACTS_LOOSE | FACTS_ANY_WORDS,
				.operands = {OP(INERT, ALL)}},
			{.names = "read export", .style = FACTS_ONE_DASH, .opts = FACTS_OPTS(VALUES("-app"), FLAGS("-g -globalDomain")),
				.does = {DO(READ_TREE, "~/Library/Preferences")}, .operands = {OP(INERT, ALL)}},
			{.names = "write delete rename import", .style = FACTS_LOOSE | FACTS_ANY_WORDS,
				.does = {DO(SYSTEM, "settings of programs")}, .operands = {OP(INERT, ALL)}})},
	{.names = "profiles", .manual = "profiles(1)", .style = FACTS_ONE_DASH,
		.subs = FACTS_SUBS(
			{.names = "help status list show validate version", .style = FACTS_LOOSE | FACTS_ANY_WORDS,
				.operands = {OP(INERT, ALL)}},
			{.names = "install remove sync renew", .style = FACTS_LOOSE | FACTS_ANY_WORDS,
				.does = {DO(SYSTEM, "configuration profiles")}, .operands = {OP(INERT, ALL)}})},
	{.names = "sample", .manual = "sample(1)", .style = FACTS_ONE_DASH,
		.opts = FACTS_OPTS(FLAGS("-wait -mayDie -fullPaths -e -subst"), VALUE_SETS("-file", WRITE, B_OUT)),
		.does = {DO_IF(WRITE, "/tmp", 0, B_OUT)},
		.operands = {OP(INERT, ALL)}},
	{.names = "symbols", .manual = "symbols(1)", .style = FACTS_ONE_DASH,
		.opts = FACTS_OPTS(
			FLAGS("-help -v -w -noHeaders -printSignature -dynamicLibraryInfo -noSources -noText "
				"-noDemangling -fullSourcePath -onlyNListData"),
			VALUES("-uuid -arch -lookup"), VALUE("-saveSignature", WRITE),
			VALUE("-symbolsPackageDir", CREATE)),
		.operands = {OP(READ, ALL)}},
	{.names = "qlmanage", .manual = "qlmanage(1)", .style = FACTS_ONE_DASH,
		.opts = FACTS_OPTS(FLAGS("-h -m -t -p -x -i -c -d"), VALUES("-s -f -F -g"),
			FLAG("-r", SYSTEM, "generators"), VALUE("-o", WRITE)),
		.operands = {OP(READ, ALL)}},
	{.names = "mdimport", .manual = "mdimport(1)", .style = FACTS_ONE_DASH,
		.opts = FACTS_OPTS(SETS("-t -L -A -X -d1 -d2 -d3", B_SHOW), FLAGS("-i"),
			VALUE("-o", WRITE), VALUE("-r", SYSTEM)),
		.operands = {OP(READ, ALL), OP_IF(SYSTEM, ALL, 0, B_SHOW)}},
	{.names = "mdls mdfind", .manual = "mdls(1)", .style = FACTS_LOOSE | FACTS_ANY_WORDS,
		.operands = {OP(LIST, ALL)}},
	{.names = "sips", .manual = "sips(1)",
		.opts = FACTS_OPTS(
			VALUE_SETS("-g --getProperty", INERT, B_SHOW), SETS("--verify -h --help -v --version --formats -1 --oneLine", B_SHOW),
			VALUE_SETS("-o --out", WRITE, B_OUT),
			VALUE_SETS("-x --extractProfile", WRITE, B_OUT),
			VALUE_SETS("-e --embedProfile -E --embedProfileIfNone -m --matchTo", READ, B_EDIT),
			VALUE_SETS("-r --rotate -f --flip -Z --resampleHeightWidthMax --resampleWidth "
				"--resampleHeight -d --deleteProperty --padColor --cropOffset", INERT, B_EDIT),
			TWO("-z --resampleHeightWidth -c --cropToHeightWidth -p --padToHeightWidth "
				"-s --setProperty", INERT),
			SETS("-i --addIcon --optimizeColorForSharing", B_EDIT)),
		.operands = {OP(READ, ALL), OP_IF(WRITE, ALL, 0, B_SHOW | B_OUT)}},
	{.names = "xattr", .manual = "xattr(1)",
		.opts = FACTS_OPTS(FLAGS("-l -x -v -h --help -s -p"), SETS("-w -d -c", B_EDIT), SETS("-r", B_OUT)),
		.operands = {OP(LIST, ALL), OP_IF(MODE, ALL, B_EDIT, B_OUT), OP_IF(MODE_TREE, ALL, B_EDIT | B_OUT, 0)}},
	{.names = "lipo", .manual = "lipo(1)", .style = FACTS_ONE_DASH,
		.opts = FACTS_OPTS(
			FLAGS("-info -archs -detailed_info -create"), VALUE("-output -o", WRITE),
			VALUES("-extract -extract_family -remove -thin")),
		.operands = {OP(READ, ALL)}},
	{.names = "textutil", .manual = "textutil(1)", .style = FACTS_ONE_DASH,
		.opts = FACTS_OPTS(
			SETS("-info -help --help -stdout", B_SHOW), VALUE_SETS("-output", WRITE, B_SHOW),
			VALUES("-convert -cat -font -fontsize -title -author -subject -keywords -comment "
				"-editor -company -encoding -inputencoding -format -extension -timeout -textsizemultiplier"),
			FLAGS("-strip -noload -nostore"), VALUE("-baseurl", UNKNOWN)),
		.operands = {OP(READ, ALL), OP_IF(CREATE, ALL, 0, B_SHOW)}},
	{.names = "plutil", .manual = "plutil(1)", .style = FACTS_ONE_DASH,
		.opts = FACTS_OPTS(
			SETS("-p -lint -help", B_SHOW), FLAGS("-s -r -n"), VALUE_SETS("-o", WRITE, B_SHOW),
			VALUE_SETS("-convert", INERT, B_EDIT), VALUE("-e", UNKNOWN)),
		.operands = {OP(READ, ALL), OP_IF(WRITE, ALL, B_EDIT, B_SHOW)}},
	{.names = "compression_tool", .manual = "compression_tool(1)", .style = FACTS_ONE_DASH,
		.opts = FACTS_OPTS(FLAGS("-h -encode -decode -v"), VALUES("-a -A -b -t"), VALUE("-i", READ),
			VALUE("-o", WRITE))},
	/* --- the machine */
	{.names = "diskutil", .manual = "diskutil(8)", .style = FACTS_STOP,
		.subs = FACTS_SUBS(
			SHOWS("list info information listFilesystems activity help"),
			{.names = "apfs appleRAID ar coreStorage cs", .style = FACTS_STOP,
				.subs = FACTS_SUBS(SHOWS("list listUsers listSnapshots listVolumeGroups info information"))},
			{.names = "eraseDisk eraseVolume eraseOptical reformat zeroDisk randomDisk secureErase partitionDisk",
				.style = FACTS_LOOSE | FACTS_ANY_WORDS, .does = {DO(DEVICE, "/dev/disk")},
				.operands = {OP(INERT, ALL)}})},
	{.names = "dscl", .manual = "dscl(1)", .style = FACTS_ONE_DASH | FACTS_LOOSE, .hook = hook_dscl},
	{.names = "networksetup", .manual = "networksetup(8)", .style = FACTS_ONE_DASH,
		.opts = FACTS_OPTS(FLAGS(
			"-listnetworkserviceorder -listallnetworkservices -listallhardwareports "
			"-detectnewhardware -getmacaddress -getcomputername -listvalidMTUrange -getMTU "
			"-listvalidmedia -getmedia -listVLANs -listdevicesthatsupportVLAN -listBonds "
			"-isBondSupported -getinfo -getdnsservers -getsearchdomains -getftpproxy -getwebproxy "
			"-getsecurewebproxy -getsocksfirewallproxy -getautoproxyurl -getproxyautodiscovery "
			"-getproxybypassdomains -getpassiveftp -getairportnetwork -getairportpower "
			"-listpreferredwirelessnetworks -getnetworkserviceenabled -getcurrentlocation "
			"-listlocations -getadditionalroutes -getv6additionalroutes -getstreamingproxy "
			"-showpppoestatus -listpppoeservices -showBondStatus -getproxyautodiscovery -version "
			"-help -printcommands -getVLANs -listalllocations -getgopherproxy -list8021xProfiles "
			"-listuserprofiles -listloginprofiles -get8021xEnabled")),
		.operands = {OP(INERT, ALL)}},
	{.names = "scutil", .manual = "scutil(8)", .style = FACTS_ONE_DASH,
		.opts = FACTS_OPTS(FLAGS("--dns --proxy -W --nwi"), VALUES("--get -r -w -t")),
		.operands = {OP(INERT, ALL)}, .hook = hook_scutil},
	{.names = "spctl", .manual = "spctl(8)",
		.opts = FACTS_OPTS(FLAGS("-a --assess --status --disable-status -v --verbose --raw --ignore-cache"),
			VALUES("-t --type --context")),
		.operands = {OP(LIST, ALL)}},
	{.names = "csrutil", .manual = "csrutil(8)", .style = FACTS_STOP,
		.subs = FACTS_SUBS(SHOWS("status report authenticated-root"))},
	{.names = "hdiutil", .manual = "hdiutil(1)", .style = FACTS_STOP,
		.subs = FACTS_SUBS(SHOWS("help info plugins"),
			READS("verify imageinfo isencrypted pmap checksum fsid hfsanalyze"))},
	{.names = "tmutil", .manual = "tmutil(8)", .style = FACTS_STOP,
		.subs = FACTS_SUBS(SHOWS("help version destinationinfo latestbackup listbackups "
			"listlocalsnapshots listlocalsnapshotdates machinedirectory currentphase status isexcluded "
			"uniquesize verifychecksums calculatedrift compare"))},
	{.names = "launchctl", .manual = "launchctl(1)", .style = FACTS_STOP,
		.subs = FACTS_SUBS(
			SHOWS("list print print-cache print-disabled procinfo hostinfo resolveport blame dumpstate "
				"dumpjpcategory manageruid managername managerpid variant version help error examine plist"),
			SETS_UP("load unload bootstrap bootout enable disable kickstart start stop remove submit kill "
				"attach debug bsexec asuser config setenv unsetenv limit uncache bslist", "services"),
			{.names = "getenv", .operands = {OP(INERT, ALL)}, .hook = hook_getenv})},
	{.names = "say", .manual = "say(1)",
		.opts = FACTS_OPTS(VALUES("-v --voice -r --rate -n --network-send -a --audio-device --quality "
				"--channels --bit-rate --data-format --file-format"),
			VALUE("-o --output-file", WRITE), VALUE("-f --input-file", READ),
			MAYBES("-i --interactive"), FLAGS("--progress")),
		.operands = {OP(INERT, ALL)}},
	{0},
};
// clang-format on
