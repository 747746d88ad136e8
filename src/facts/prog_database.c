/*
 * Clients of databases. A statement that only reads asks the server that the user
 * is logged in to, or reads a file; what else it may do is not told by its row.
 */

#include "facts/facts_priv.h"
#include "facts/rows.h"

enum bits {
	B_TEXT = 1 << 1, /* it only lists, or says what it is */
	B_READONLY = 1 << 2,
};

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
		|| (c >= '0' && c <= '9') || c == '_';
}

/* Whether the words of list have s, in whatever case its letters are. */
static bool
list_has_fold(const char *list, struct str s)
{
	struct str rest = str_from(list);

	while (rest.len > 0) {
		if (str_eq_fold(str_cut(rest, ' ', &rest), s))
			return true;
	}
	return false;
}

/* Behind the quoted text that begins at sql[i]: '...', "..." and `...`. */
static size_t
quoted_end(struct str sql, size_t i)
{
	char quote = sql.ptr[i++];

	while (i < sql.len && sql.ptr[i] != quote)
		i++;
	return i < sql.len ? i + 1 : sql.len;
}

/* The name before the "(" at sql[open]; false where it is quoted. */
static bool
called_name(struct str sql, size_t open, struct str *ret)
{
	size_t end = open, start;

	while (end > 0 && str_has_char(STR(" \n\t\r"), sql.ptr[end - 1]))
		end--;
	start = end;
	while (start > 0 && is_name_char(sql.ptr[start - 1]))
		start--;
	*ret = str_sub(sql, start, end);
	return start < end || end == 0
		|| !str_has_char(STR("\"`]"), sql.ptr[end - 1]);
}

/* What may stand before a "(" in a statement that only reads. Others may write
 * files, run programs or change the database: edit(), lo_export(). */
static bool
calls_only_known(struct str sql)
{
	static const char known[] =
		"select from where and or not in exists as on using by over partition "
		"values case when then else having join filter within any all some is "
		"like between distinct count sum avg total min max coalesce ifnull "
		"nullif iif length char_length lower upper substr substring trim ltrim "
		"rtrim replace instr position concat concat_ws left right abs round "
		"ceil ceiling floor mod power sqrt random now date time datetime "
		"strftime julianday unixepoch date_trunc date_part extract to_char "
		"to_date to_timestamp age curdate current_date current_timestamp year "
		"month day hour minute cast convert typeof group_concat string_agg "
		"array_agg json json_extract json_each json_array json_object "
		"json_group_array json_array_length json_build_object jsonb_agg "
		"json_agg row_to_json row_number rank dense_rank ntile lag lead "
		"first_value last_value unnest generate_series array_length array "
		"version current_database current_user database user schema printf "
		"format hex quote unicode glob regexp_matches regexp_replace greatest "
		"least pg_size_pretty pg_total_relation_size pg_relation_size "
		"pg_table_size pg_indexes_size pg_database_size pg_get_indexdef "
		"pg_get_viewdef pg_get_constraintdef pg_get_functiondef to_regclass "
		"pragma_table_info pragma_index_list pragma_foreign_key_list "
		"changes total_changes last_insert_rowid sqlite_version table_info "
		"foreign_key_list index_list index_info integrity_check";
	struct str name;

	for (size_t i = 0; i < sql.len;) {
		if (str_has_char(STR("'\"`"), sql.ptr[i])) {
			i = quoted_end(sql, i);
			continue;
		}
		/* comments and strings of other kinds */
		if (sql.ptr[i] == '#' || sql.ptr[i] == '$')
			return false;
		if (sql.ptr[i] == '('
			&& (!called_name(sql, i, &name)
				|| (name.len > 0 && !list_has_fold(known, name))))
			return false;
		i++;
	}
	return true;
}

/* A backslash begins a command of the client: \d at the start lists; a backquote
 * in it runs a program, and so do others behind it. */
static bool
runs_client_command(struct str sql)
{
	bool lists = sql.len > 1 && sql.ptr[0] == '\\'
		&& (sql.ptr[1] == 'd' || sql.ptr[1] == 'l');

	return str_has_char(str_sub(sql, lists ? 1 : 0, sql.len), '\\')
		|| (lists && str_has_char(sql, '`'));
}

/* What stands behind blanks and comments. */
static struct str
behind_comments(struct str sql)
{
	for (;;) {
		size_t end;

		sql = str_trim(sql);
		if (str_starts(sql, STR("--")))
			end = str_find(sql, STR("\n"), 0);
		else if (str_starts(sql, STR("/*")) && !str_starts(sql, STR("/*!")))
			end = str_find(sql, STR("*/"), 2) + 1;
		else
			return sql;
		if (end >= sql.len)
			return STR("");
		sql = str_sub(sql, end + 1, sql.len);
	}
}

static bool
has_sql_word(struct str sql, struct str word)
{
	for (size_t i = 0; i + word.len <= sql.len; i++) {
		if ((i == 0 || !is_name_char(sql.ptr[i - 1]))
			&& (i + word.len == sql.len || !is_name_char(sql.ptr[i + word.len]))
			&& str_eq_fold(str_sub(sql, i, i + word.len), word))
			return true;
	}
	return false;
}

/* SQL that only reads begins so, and holds nothing that changes. */
static bool
is_reading_sql(struct str sql)
{
	static const char *const begins[] = {"select", "with", "show", "explain",
		"describe", "desc", "table", "values", "\\d", "\\l", "\\dt", ".tables",
		".schema", ".indexes", ".databases", "pragma table_info"};
	/* parts of words, and whole ones: updated_at changes nothing */
	static const char *const never[] = {"pg_read", "pg_write", "pg_ls",
		"pg_stat_file", "lo_", "dblink", "load_file", "outfile", "dumpfile",
		"load_extension", "writefile", "readfile", "pg_sleep", "\\!", "\\o",
		"\\copy", "\\i", "\\g", "nextval", "setval", "set_config",
		"pg_terminate", "pg_cancel", "pg_reload", "pg_rotate", "pg_switch",
		"pg_create", "pg_drop", "pg_advisory", "pg_notify", "pg_promote",
		"query_to_xml", "edit(", "fsdir", "zipfile", "fts3_tokenizer",
		"sqlite_dbpage", "pg_shadow", "pg_authid", "mysql.user", "--", "/*",
		"xp_", "openrowset", "opendatasource", "openquery"};
	static const char *const verbs[] = {"insert", "update", "delete", "drop",
		"alter", "create", "truncate", "grant", "revoke", "copy", "into",
		"call", "load", "attach", "detach", "set", "merge", "vacuum", "unload",
		"msck", "exec", "execute", "replace", "reindex", "lock", "do",
		"refresh", "rename", "kill", "shutdown", "optimize", "repair", "import",
		"export", "install", "commit", "prepare", "deallocate", "cluster",
		"notify", "listen", "reset", "use", "begin", "declare", "bulk",
		"backup", "restore", "dbcc"};
	bool ok = false;

	sql = behind_comments(sql);
	for (size_t i = 0; i < ARRAY_LEN(begins); i++) {
		struct str b = str_from(begins[i]);

		ok |= str_eq_fold(str_sub(sql, 0, b.len), b);
	}
	for (size_t i = 0; i < ARRAY_LEN(never); i++)
		ok &= !str_has_fold(sql, str_from(never[i]));
	for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
		ok &= !has_sql_word(sql, str_from(verbs[i]));
	return ok && calls_only_known(sql) && !runs_client_command(sql);
}

void
facts_sql(struct facts_run *run, const struct facts_word *w)
{
	bool reads = !(w->flags & FACTS_DYNAMIC) && is_reading_sql(w->text);

	if (w->flags & FACTS_DYNAMIC)
		facts_run_ignore(run, CALL_DYNAMIC,
			"a statement that only running would tell", w->source);
	facts_apply_text(
		run, FACTS_REMOTE, reads ? CALL_EFFECT_LOCAL : 0, "database");
}

static bool
is_here(struct str host)
{
	return host.len == 0 || str_starts(host, STR("/"))
		|| facts_names_have("localhost 127.0.0.1 ::1 [::1]", host);
}

/* Where the database is, when the words say so: -h, host=, or an address. */
static void
database_host(struct facts_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		struct facts_word w = run->words[i];
		size_t at = str_find(w.text, STR("host="), 0);
		struct facts_url url;

		if (str_has(w.text, STR("://"))) {
			if (!facts_url_parse(run->f->a, w.text, &url) || !is_here(url.host))
				facts_apply(run, FACTS_URL, 0, &w);
			continue;
		}
		if (at == w.text.len)
			continue;
		w.text = str_sub(w.text, at + 5, w.text.len);
		w.text = str_cut(w.text, ' ', &(struct str){NULL, 0});
		if (!is_here(w.text))
			facts_apply(run, FACTS_HOST, 0, &w);
	}
	for (size_t i = 0; i < run->given_count; i++) {
		const struct facts_given *g = &run->given[i];

		if (facts_names_have("-h --host", g->name) && g->has_value
			&& !is_here(g->value.text))
			facts_apply(run, FACTS_HOST, 0, &g->value);
	}
}

static void
hook_sql(struct facts_run *run)
{
	static const char *const texts[] = {
		"-c", "--command", "-e", "--execute", "-Q", "-q", "--query"};
	size_t given = 0;

	for (size_t i = 0; i < run->given_count; i++) {
		for (size_t k = 0; k < ARRAY_LEN(texts); k++) {
			if (!str_eq(run->given[i].name, str_from(texts[k]))
				|| !run->given[i].has_value)
				continue;
			facts_sql(run, &run->given[i].value);
			given++;
		}
	}
	if (given == 0 && !(run->bits & B_TEXT))
		facts_apply_text(run, FACTS_REMOTE, 0, "database");
	database_host(run);
}

/* Commands of the client itself (.shell, .output) do anything. */
static bool
statement_reads(struct facts_run *run, const struct facts_word *w,
	bool (*only_reads)(struct str))
{
	bool dynamic = w->flags & (FACTS_DYNAMIC | FACTS_MANY);
	bool reads = !dynamic && only_reads(w->text);

	if (dynamic)
		facts_run_ignore(run, CALL_DYNAMIC,
			"a statement that only running would tell", w->source);
	else if (!reads
		&& (str_has(w->text, STR("\n."))
			|| str_starts(str_trim(w->text), STR("."))))
		facts_run_ignore(
			run, CALL_UNKNOWN, "not known what it does", w->source);
	return reads;
}

/* Whether every statement among the operands behind the file and the values of
 * options only reads; *ret_count is how many there are. */
static bool
statements_read(struct facts_run *run, const char *options,
	bool (*only_reads)(struct str), size_t *ret_count)
{
	bool reads = true;

	*ret_count = 0;
	for (size_t i = 1; i < run->operand_count; i++, (*ret_count)++)
		reads &= statement_reads(run, &run->operands[i], only_reads);
	for (size_t i = 0; i < run->given_count; i++) {
		const struct facts_given *g = &run->given[i];

		if (!facts_names_have(options, g->name) || !g->has_value)
			continue;
		reads &= statement_reads(run, &g->value, only_reads);
		(*ret_count)++;
	}
	return reads;
}

/* In DuckDB a query reads files by a function, or by their quoted name. */
static bool
is_reading_duckdb(struct str sql)
{
	static const char *const never[] = {"read_", "_scan", "from \'", "from \"",
		"from(", "join \'", "join \"", ",\'", ", \'", "glob", "getenv",
		"install", "checkpoint", "export", "import", "pragma", "http",
		"query("};
	bool ok = is_reading_sql(sql) && !str_has_char(sql, '\n')
		&& !str_has(sql, STR("  "));

	for (size_t i = 0; i < ARRAY_LEN(never); i++)
		ok &= !str_has_fold(sql, str_from(never[i]));
	return ok;
}

/* duckdb [FILE] [SQL]: the file is changed unless the statements only read. */
static void
hook_duckdb(struct facts_run *run)
{
	size_t count;
	bool reads = statements_read(run, "-c -s -cmd", is_reading_duckdb, &count);
	bool closed = run->in && run->in->closed && !run->f->input_moved
		&& facts_given_find(run, "-readonly");

	run->done = true;
	if (run->count == 2 && facts_given_find(run, "-help -version"))
		return;
	if (run->operand_count > 0
		&& !str_eq(run->operands[0].text, STR(":memory:"))) {
		facts_apply(run, FACTS_READ, 0, &run->operands[0]);
		if (!reads || (count == 0 && !closed))
			facts_apply(run, FACTS_TRUNCATE, 0, &run->operands[0]);
	}
	if (!reads)
		facts_apply_text(run, FACTS_REMOTE, 0, "database");
	if (count == 0 && !closed)
		facts_run_ignore(run, CALL_UNKNOWN,
			"statements that come from elsewhere", facts_run_text(run));
}

/* With -readonly the file stays as it is, whatever is said, but for functions
 * that reach for other files. */
static bool
is_plain_sql(struct str sql)
{
	static const char *const never[] = {"writefile", "readfile", "edit(",
		"load_extension", "fsdir", "attach", "vacuum"};
	bool ok = !str_starts(str_trim(sql), STR(".")) && !str_has(sql, STR("\n."));

	for (size_t i = 0; i < ARRAY_LEN(never); i++)
		ok &= !str_has_fold(sql, str_from(never[i]));
	return ok;
}

/* sqlite3 FILE SQL: the file is changed unless the statements only read. */
static void
hook_sqlite(struct facts_run *run)
{
	size_t count;
	bool readonly = run->bits & B_READONLY;
	bool closed = run->in && run->in->closed && !run->f->input_moved;
	bool reads = statements_read(run, "-cmd",
					 readonly ? is_plain_sql : is_reading_sql, &count)
		&& (count > 0 || (readonly && closed));

	run->done = true;
	if (run->operand_count == 0)
		return;
	facts_apply(run, FACTS_READ, 0, &run->operands[0]);
	if (!reads)
		facts_apply(run, FACTS_TRUNCATE, 0, &run->operands[0]);
	if (run->operand_count == 1 && !(closed && reads))
		facts_run_ignore(run, CALL_UNKNOWN,
			"statements that come from elsewhere", facts_run_text(run));
}

/* sqlcmd query SQL, sqlcmd -Q SQL */
static void
hook_sqlcmd(struct facts_run *run)
{
	size_t given = 0;

	run->done = true;
	for (size_t i = 0; i < run->given_count; i++) {
		if (!facts_names_have("-Q -q --query -t --text", run->given[i].name))
			continue;
		facts_sql(run, &run->given[i].value);
		given++;
	}
	for (size_t i = 0; i < run->operand_count; i++, given++)
		facts_sql(run, &run->operands[i]);
	if (given == 0)
		facts_apply_text(run, FACTS_REMOTE, 0, "database");
	for (size_t i = 0; i < run->given_count; i++) {
		if (facts_names_have("-S", run->given[i].name)
			&& !is_here(run->given[i].value.text))
			facts_apply(run, FACTS_HOST, 0, &run->given[i].value);
	}
}

/* Commands of redis that only ask... */
static const char redis_asks[] =
	"get mget keys scan exists type ttl pttl strlen llen lrange lindex scard "
	"smembers sismember hget hgetall hkeys hvals hlen hmget zrange zcard "
	"zscore zrank info ping dbsize time memory object role getrange substr "
	"bitcount bitpos getbit hexists hrandfield hscan hstrlen lpos randomkey "
	"sinter sunion sdiff srandmember sscan lolwut xinfo xlen xrange xrevrange "
	"xpending zcount zlexcount zmscore zrandmember zrangebyscore zrangebylex "
	"zrevrange zrevrangebyscore zrevrank zscan geodist geohash geopos "
	"geosearch pfcount expiretime pexpiretime echo lastsave";

/* ... and the second words of those that do so by their second word. */
static const struct {
	const char *first, *seconds;
} redis_pairs[] = {
	{"client",   "list info id getname trackinginfo"                  },
	{"slowlog",  "get len"											},
	{"cluster",  "info nodes slots shards keyslot myid links replicas"},
	{"latency",  "latest history doctor graph histogram"              },
	{"command",  "count docs info list getkeys"                       },
	{"acl",      "whoami cat users dryrun"                            },
	{"module",   "list"											   },
	{"pubsub",   "channels numsub numpat"                             },
	{"script",   "exists"											 },
	{"function", "list stats"										 },
};

static struct str
lower(struct arena *a, struct str s)
{
	char *text = arena_alloc(a, s.len + 1);

	for (size_t i = 0; i < s.len; i++)
		text[i] =
			(char)(s.ptr[i] >= 'A' && s.ptr[i] <= 'Z' ? s.ptr[i] - 'A' + 'a'
													  : s.ptr[i]);
	return (struct str){text, s.len};
}

/* redis-cli COMMAND */
static void
hook_redis(struct facts_run *run)
{
	struct arena *a = run->f->a;
	struct str words[2] = {STR(""), STR("")};
	bool asks = run->operand_count == 0 && (run->bits & B_TEXT);

	run->done = true;
	for (size_t i = 0; i < run->operand_count && i < 2; i++)
		words[i] = lower(a, run->operands[i].text);
	asks |= words[0].len > 0 && facts_names_have(redis_asks, words[0]);
	for (size_t i = 0; i < ARRAY_LEN(redis_pairs); i++) {
		if (str_eq(words[0], str_from(redis_pairs[i].first))
			&& words[1].len > 0)
			asks |= facts_names_have(redis_pairs[i].seconds, words[1]);
	}
	facts_apply_text(run, FACTS_REMOTE, asks ? CALL_EFFECT_LOCAL : 0, "redis");
	database_host(run);
}

#define SQL_OPTS                                                               \
	VALUES("-h --host --port -P -U --username -u --user -d --dbname -D "       \
		   "--database -S --socket -F --field-separator -R -T -v --set "       \
		   "--variable "                                                       \
		   "-c --command -e --execute --protocol --connect-timeout --charset " \
		   "--default-character-set"),                                         \
		VALUE("-f --file --source", UNKNOWN),                                  \
		VALUE("-o --output -L --log-file --tee", WRITE)

/* clang-format off */
const struct facts_prog facts_prog_database[] = {
	{.names = "psql", .manual = "https://www.postgresql.org/docs/current/app-psql.html",
		.opts = FACTS_OPTS(SQL_OPTS, SETS("-l --list -V --version --help -?", B_TEXT), FLAGS("-a -A -b -E -H -L -n -q -s -S -t -w -W -x -X -z -0 -1 "
			"--no-psqlrc --tuples-only --no-align --csv --expanded --quiet --single-transaction "
			"--no-password --password --html"), VALUES("-p -P --pset")),
		.operands = {OP(INERT, ALL)}, .hook = hook_sql},
	{.names = "mysql mariadb", .manual = "https://dev.mysql.com/doc/refman/8.4/en/mysql.html",
		.opts = FACTS_OPTS(SQL_OPTS, FLAGS("-A -B --batch -E --vertical -f -H -N --skip-column-names -q -r --raw -s "
			"--silent -t --table -v -w -X --xml --html -C --compress"), SETS("-V --version -? --help", B_TEXT), MAYBES("-p --password")),
		.operands = {OP(INERT, ALL)}, .hook = hook_sql},
	{.names = "sqlite3 sqlite", .manual = "https://sqlite.org/cli.html", .style = FACTS_ONE_DASH | FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-header -noheader -csv -json -line -list -column -markdown -table -box -html "
			"-tabs -ascii -quote -bail -batch -echo -safe -stats -version -help"), SETS("-readonly", B_READONLY),
			TWO("-lookaside -pagecache", INERT), VALUES("-heap -maxsize -mmap -sorterref -vfs -separator -nullvalue -newline -cmd"), VALUE("-init", UNKNOWN)),
		.hook = hook_sqlite},
	{.names = "duckdb", .manual = "https://duckdb.org/docs/stable/clients/cli/arguments",
		.style = FACTS_ONE_DASH,
		.opts = FACTS_OPTS(FLAGS("-header -noheader -csv -json -jsonlines -line -list -column -markdown -table -box "
			"-html -latex -quote -ascii -bail -batch -echo  -safe -stats -no-stdin -unsigned"),
			FLAGS("-help -version"), FLAGS("-readonly"), VALUES("-separator -nullvalue -newline -c -s -cmd"),
			VALUE("-init -f", UNKNOWN), FLAG("-ui", UNKNOWN, "-ui"), FLAG("-unredacted -interactive", UNKNOWN, "")),
		.hook = hook_duckdb},
	{.names = "redis-cli valkey-cli", .manual = "https://redis.io/docs/latest/develop/tools/cli/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(VALUES("-h -p -s -a --user --pass -n -u -r -i --scan-pattern --pattern"),
			VALUE("--eval", UNKNOWN), VALUE("--rdb", WRITE),
			SETS("--scan --bigkeys --memkeys --hotkeys --stat --latency", B_TEXT),
			FLAGS("--tls --raw --no-raw --csv --json -2 -3 -c --no-auth-warning --version --help"), FLAG("--pipe", UNKNOWN, "")),
		.hook = hook_redis},
	{.names = "sqlcmd", .manual = "https://learn.microsoft.com/sql/tools/sqlcmd/sqlcmd-utility", .style = FACTS_GLOBAL,
		.opts = FACTS_OPTS(VALUES("-S -U -P -d -E -l -t -s -w -W -h -Q -q -v -y -Y -m -b -a -c -H -K --database"),
			FLAGS("-N -C -e -I -n -p -r -R -u -x -z -Z -? --help --version"), VALUE("-i", UNKNOWN), VALUE("-o", WRITE)),
		.subs = FACTS_SUBS(
			{.names = "query", .opts = FACTS_OPTS(VALUES("-q --query -t --text -d --database")), .hook = hook_sqlcmd},
			GROUP("config", LOOKS("view get-contexts get-endpoints get-users current-context", "database"),
				TELLS("connection-strings cs", "database"), CHANGES("add-context add-endpoint add-user delete-context "
				"delete-endpoint delete-user use-context", "database")),
			WORDS("help completion"), CHANGES("create delete install open start stop uninstall use", "database")),
		.operands = {OP(UNKNOWN, ALL)}, .hook = hook_sqlcmd},
	{.names = "cqlsh clickhouse-client usql", .manual = "https://cassandra.apache.org/doc/stable/cassandra/tools/cqlsh.html",
		.opts = FACTS_OPTS(SQL_OPTS, VALUES("-q --query --format -n"), FLAGS("--no-color --color --version --help -t -A -X")),
		.operands = {OP(INERT, ALL)}, .hook = hook_sql},
	{.names = "mysqladmin mariadb-admin", .manual = "https://dev.mysql.com/doc/refman/8.4/en/mysqladmin.html",
		.opts = FACTS_OPTS(VALUES("-h --host -P --port -u --user -S --socket -i --sleep -c --count"), MAYBES("-p --password"),
			FLAGS("-s --silent -v --verbose -V --version -E --vertical")),
		.subs = FACTS_SUBS(LOOKS("status ping version processlist extended-status variables", "database"),
			CHANGES("create drop flush-hosts flush-logs flush-privileges flush-status flush-tables kill password reload refresh "
				"shutdown start-replica stop-replica debug", "database"))},
	{.names = "mysqlshow mariadb-show", .manual = "https://dev.mysql.com/doc/refman/8.4/en/mysqlshow.html", READY,
		.does = LOOK("database")},
	{.names = "pg_config pg_controldata pg_waldump pg_test_fsync", .manual = "https://www.postgresql.org/docs/current/app-pgconfig.html",
		READY},
	{.names = "etcdctl", .manual = "https://etcd.io/docs/v3.6/dev-guide/interacting_v3/", .style = FACTS_STOP,
		.opts = FACTS_OPTS(VALUES("-w --write-out --dial-timeout --command-timeout"), VALUE("--endpoints", REMOTE),
			VALUE("--cacert --cert --key", READ)),
		.subs = FACTS_SUBS(WORDS("version help"), GROUP("endpoint", LOOKS("health status hashkv", "etcd")),
			GROUP("member", LOOKS("list", "etcd"), CHANGES("add remove update promote", "etcd")),
			CHANGES("get put del watch lease txn snapshot auth user role alarm compaction defrag elect lock move-leader "
				"make-mirror check", "etcd"))},
	{.names = "mongosh mongo influx clickhouse bcp pgcli mycli litecli "
			"cypher-shell dynamodb",
		.manual = "https://www.mongodb.com/docs/mongodb-shell/", WORDY, .opts = FACTS_OPTS(FLAGS("--help"), FLAGS("--version")),.does = CHANGE("database")},
	{.names = "pg_dump pg_dumpall mysqldump mariadb-dump mongodump redis-dump",
		.manual = "https://www.postgresql.org/docs/current/app-pgdump.html", WORDY,
		.opts = FACTS_OPTS(VALUE("-f --file -r --result-file -o --out", WRITE)),
		.does = {DO(REMOTE, "database")}},
	{.names = "pg_restore createdb dropdb createuser dropuser pg_ctl initdb mongorestore mongoimport mongoexport "
			"mysqlimport pg_basebackup vacuumdb reindexdb pgbench",
		.manual = "https://www.postgresql.org/docs/current/reference-client.html", WORDY,
		.does = CHANGE("database")},
	{.names = "pg_isready", .manual = "https://www.postgresql.org/docs/current/app-pg-isready.html", READY,
		.does = LOOK("database")},
	{0},
};
/* clang-format on */
