#include "policy/policy_priv.h"

/*
 * Which pages may be fetched without asking. The reading of the URL is strict:
 * whatever is unusual in it is for somebody else to decide.
 */

/* Documentation: exact hosts, where a path says nothing and nobody but the
 * publisher decides what a page holds. */
static const char *const docs[] = {"docs.python.org", "peps.python.org",
	"packaging.python.org", "pip.pypa.io", "numpy.org", "pandas.pydata.org",
	"scipy.org", "docs.scipy.org", "matplotlib.org", "scikit-learn.org",
	"pytorch.org", "docs.pytorch.org", "www.tensorflow.org",
	"docs.djangoproject.com", "flask.palletsprojects.com",
	"fastapi.tiangolo.com", "docs.pydantic.dev", "docs.pytest.org",
	"docs.sqlalchemy.org", "docs.astral.sh", "developer.mozilla.org",
	"www.w3.org", "nodejs.org", "docs.npmjs.com", "www.typescriptlang.org",
	"react.dev", "vuejs.org", "angular.dev", "svelte.dev", "nextjs.org",
	"vite.dev", "vitest.dev", "jestjs.io", "eslint.org", "prettier.io",
	"tailwindcss.com", "webpack.js.org", "babeljs.io", "deno.com", "bun.sh",
	"docs.deno.com", "expressjs.com", "go.dev", "pkg.go.dev",
	"doc.rust-lang.org", "docs.rs", "rust-lang.github.io", "www.rust-lang.org",
	"docs.oracle.com", "docs.spring.io", "kotlinlang.org", "docs.gradle.org",
	"maven.apache.org", "docs.scala-lang.org", "www.scala-lang.org",
	"learn.microsoft.com", "docs.microsoft.com", "ruby-doc.org",
	"docs.ruby-lang.org", "guides.rubyonrails.org", "api.rubyonrails.org",
	"www.php.net", "symfony.com", "laravel.com", "getcomposer.org",
	"docs.swift.org", "developer.apple.com", "developer.android.com",
	"dart.dev", "docs.flutter.dev", "api.flutter.dev", "en.cppreference.com",
	"cppreference.com", "gcc.gnu.org", "clang.llvm.org", "llvm.org",
	"cmake.org", "mesonbuild.com", "www.gnu.org", "man7.org", "www.kernel.org",
	"docs.kernel.org", "manpages.debian.org", "wiki.debian.org",
	"www.debian.org", "help.ubuntu.com", "wiki.archlinux.org", "git-scm.com",
	"docs.github.com", "docs.gitlab.com", "docs.docker.com", "kubernetes.io",
	"helm.sh", "developer.hashicorp.com", "docs.ansible.com",
	"docs.aws.amazon.com", "cloud.google.com", "docs.cloud.google.com",
	"developers.google.com", "www.postgresql.org", "dev.mysql.com",
	"mariadb.com", "www.sqlite.org", "sqlite.org", "redis.io",
	"www.mongodb.com", "nginx.org", "httpd.apache.org", "curl.se",
	"www.rfc-editor.org", "datatracker.ietf.org", "tc39.es", "wasm.org",
	"webassembly.org", "json-schema.org", "yaml.org", "toml.io", "semver.org",
	"graphql.org", "grpc.io", "protobuf.dev", "www.openssl.org",
	"docs.openssl.org", "elixir-lang.org", "hexdocs.pm", "www.erlang.org",
	"hackage.haskell.org", "www.haskell.org", "ocaml.org", "ziglang.org",
	"julialang.org", "docs.julialang.org", "www.r-project.org",
	"modelcontextprotocol.io", "docs.anthropic.com", "docs.claude.com",
	"platform.openai.com"};

struct url {
	bool secure;
	struct str host;
	struct str rest; /* from the path on, may be empty */
};

static bool
is_host_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
		|| (c >= '0' && c <= '9') || c == '-' || c == '.';
}

/* Scheme, a host of plain letters, and a path: no userinfo, no port, nothing
 * that readers of URLs disagree about. */
static bool
read_url(struct str text, struct url *ret)
{
	size_t at = 0, end = 0;

	ret->secure = str_starts(text, STR("https://"));
	if (!ret->secure && !str_starts(text, STR("http://")))
		return false;
	at = ret->secure ? 8 : 7;
	end = at;
	while (end < text.len && is_host_char(text.ptr[end]))
		end++;
	ret->host = str_sub(text, at, end);
	ret->rest = str_sub(text, end, text.len);
	for (size_t i = end; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];

		if (c <= ' ' || c >= 0x7F || c == '\\')
			return false;
	}
	return ret->host.len > 0
		&& (ret->rest.len == 0 || ret->rest.ptr[0] == '/'
			|| ret->rest.ptr[0] == '?' || ret->rest.ptr[0] == '#');
}

/* A name that only this network or machine knows, or an address. */
static bool
is_private(struct str host)
{
	static const char *const endings[] = {".local", ".localhost", ".internal",
		".lan", ".home", ".corp", ".intranet", ".private", ".test", ".arpa",
		".onion"};
	bool has_letter = false;

	for (size_t i = 0; i < host.len; i++)
		has_letter |= host.ptr[i] > '9';
	if (!has_letter || !str_has_char(host, '.') || str_ends(host, STR(".")))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
		struct str e = str_from(endings[i]);

		if (host.len > e.len
			&& str_eq_fold(str_sub(host, host.len - e.len, host.len), e))
			return true;
	}
	/* 0x7f.1 and the like have a letter, and are addresses */
	return str_has_fold(host, STR("0x"));
}

bool
policy_url_may_be_fetched(struct str text, struct str setting)
{
	struct url url;

	if (str_eq(setting, STR("none")) || !read_url(text, &url)
		|| policy_text_has_secret(url.rest))
		return false;
	if (str_eq(setting, STR("any")))
		return !is_private(url.host);
	if (!url.secure)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(docs); i++) {
		if (str_eq_fold(url.host, str_from(docs[i])))
			return true;
	}
	return false;
}
