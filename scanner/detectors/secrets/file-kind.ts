/**
 * The reliability of assignments in a file. In a `configuration`, a weak value of a password key is a password; in
 * `source`, it may be a name or a label; in a `document`, an example. In `ignored` files (translations, lock files,
 * generated or minified code), assignments mean nothing, and only credentials with a distinct format count.
 */
export type FileKind = 'configuration' | 'shell' | 'source' | 'document' | 'ignored';

/** Language codes, as in the names of translation files. */
const codes =
  'ar|bg|bn|ca|cs|da|de|el|en|es|et|eu|fa|fi|fr|gl|he|hi|hr|hu|it|ja|ko|lt|lv|ms|nb|nl|pl|pt|ro|ru|sk|sl|sr|sv|th|tr|uk|vi|zh';

/** All of ISO 639-1, for names that only translations have. */
const allCodes =
  'a[abefkmnrsvyz]|b[aeghimnors]|c[aehorsuvy]|d[aevz]|e[elnostu]|f[afijory]|g[adlnuv]|h[aeiortuyz]|i[adegikostu]|j[av]|k[agijklmnorsuvwy]|l[abgintouv]|m[ghiklnrsty]|n[abdeglnorvy]|o[cjmrs]|p[ailst]|qu|r[mnouw]|s[acdegiklmnoqrstuvw]|t[aeghiklnorstwy]|u[gkrz]|v[eio]|w[ao]|xh|y[io]|z[ahu]';

const ignored = [
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|go\.sum|cargo\.lock|composer\.lock|poetry\.lock|pipfile\.lock|gemfile\.lock|packages\.lock\.json|uv\.lock|flake\.lock|bun\.lockb?)$/i,
  /\.(?:min\.js|min\.css|map|svg|css|scss|sass|less|po|pot|mo|resx|xlf|xliff|strings|lproj|snap|tsbuildinfo|ipynb_checkpoints|wasm|pdf|lang|arb)$/i,
  /(?:^|\/)(?:i18n|l10n|locales?|translations?)\/.*\.(?:json5?|ya?ml|properties|xml|ini|toml|csv|tsv|txt)$/i,
  new RegExp(
    `(?:^|/)(?:i18n|l10n|locales?|translations?|langs?|languages?|messages)/(?:.*/)?(?:(?:${codes})|nn|(?:${allCodes})[_-][a-z]{2,8})(?:[_-](?:[a-z]{2,10}|\\d{3})){0,2}(?:/|\\.[a-z0-9]+$)`,
    'i',
  ),
  /(?:^|\/)(?:messages|labels|translations?|validation_?messages|locallang)(?:[_.-][a-z]{2}(?:[_-][a-z]{2,4})?)?\.(?:properties|json|ya?ml|xml|xlf|js|ts|php)$/i,
  // Resource bundles: `login_de.properties`, `login_pt_BR.json`.
  new RegExp(`_(?:${allCodes})(?:_[A-Z]{2})?\\.properties$|_(?:${allCodes})_[A-Z]{2}\\.(?:json|ya?ml|php|[jt]s)$`),
  new RegExp(
    `(?:^|/)(?:[\\w-]+\\.)?(?:${codes})(?:[_-][A-Z]{2}|[_-](?:hans|hant|cn|tw|br))?\\.(?:json|ya?ml|js|ts|php)$`,
    'i',
  ),
];

const configurationExtensions =
  /\.(?:env|ya?ml|json[5c]?|toml|ini|cfg|cnf|conf|config|configuration|properties|props|prefs|xml|plist|xcconfig|tf|tfvars|tfstate|hcl|gradle|rc|netrc|npmrc|settings|publishsettings|pubxml|csproj|targets|ovpn|rdp|reg|inc|neon|dist|local|secret|secrets|credentials?|creds?|keys?|passwd|htpasswd|pgpass|sql|dump|backup|bak|old|orig|save|swp|example|prod|production|dev|development|staging|test|eex|http|rest|postman_collection|service|desktop|list|repo|edn|cson|hocon|kdl|cue|jsonnet|dhall|j2|nix|csv|tsv|log|ppk|wsdl|ldif|dsn|udl)$/i;
const configurationNames =
  /(?:^|\/)(?:\.[\w-]+(?:rc|cfg|conf|config|pass|passwd|credentials)?|[\w-]*dockerfile[\w.-]*|docker-compose[\w.-]*|containerfile|jenkinsfile|vagrantfile|procfile|makefile|credentials|config|secrets?|settings|passwd|shadow|sitemanager|recentservers|environment|\.?env[\w.-]*|[\w.-]*\.env[\w.-]*)$/i;
const configurationSource =
  /(?:^|\/)(?:[\w.-]*(?:config|configuration|settings|credentials?|secrets?|passwords?|parameters|environments?|local_settings|wp-config|database|connection|constants)[\w.-]*\.(?:php|py|rb|js|cjs|mjs|ts|pl|inc|exs?|go|java|cs|groovy|lua|erl|scala|kts?|swift|txt|asp|aspx|cfm|jsp)|local\.xml|env\.php|(?:passwords?|logins?|accounts?|credentials?|creds?|secrets?|tokens?|keys?)\.(?:txt|md|csv|html?|docx?))$/i;
const shellFiles =
  /(?:\.(?:sh|bash|zsh|fish|ksh|csh|bat|cmd|ps1|psm1|psd1|command|envrc)|(?:^|\/)\.?(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|bash_history|zshrc|zshenv|zprofile|zsh_history|profile|login|cshrc|history|aliases|exports|extra|[a-z]+_history|sh_history))$/i;
const documents =
  /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|text|html?|xhtml|tex|textile|org|pod|man|[1-8]|rdoc|wiki|info|docx?|rtf|eml)$/i;

const sourceExtensions =
  /\.(?:[cm]?[jt]sx?|d\.[cm]ts|py[ixw]?|rb|perl|php\d?|phtml|inc|java|kts?|scala|sc|groovy|gradle|cs|csx|vb|fs[xi]?|go|rs|swift|m{1,2}|[ch]|cc|cpp|cxx|hpp|hh|hxx|ino|lua|pl|pm|t|r|jl|dart|ex|exs|erl|hrl|clj[sc]?|elm|hs|ml|mli|nim|zig|d|pas|f90|for|cob|cbl|asm|s|v|sv|vhdl?|el|lisp|scm|rkt|tcl|vue|svelte|astro|jsp|aspx?|cshtml|razor|cfm|cfc|erb|haml|slim|rhtml|rjs|rxml|rake|gemspec|builder|jbuilder|ejs|hbs|mustache|twig|blade|pug|jade|njk|jinja2?|liquid|ipynb|proto|thrift|graphql|gql|y|l|g4|sol|move|cairo|vy|abap|cls|trigger|pp|feature|robot|cmake|mk|am|in|ac|bzl|bazel|awk|sed|vim|tests?|ccl|idl|wat|cu|glsl|hlsl)$/i;

let lastPath = '';
let lastKind: FileKind = 'source';

/**
 * Returns the kind of the file at a repository path. Caches the last result, because all rules query the same file in
 * turn.
 */
export function fileKind(path: string): FileKind {
  if (path !== lastPath) {
    lastPath = path;
    lastKind = kindOf(path);
  }
  return lastKind;
}

/** Programs without an extension. */
const sourceNames = /(?:^|\/)(?:Rakefile|Gemfile|Guardfile|Capfile|Fastfile|Brewfile|SConstruct|SConscript|wscript)$/;

function kindOf(path: string): FileKind {
  if (ignored.some((pattern) => pattern.test(path))) return 'ignored';
  if (shellFiles.test(path)) return 'shell';
  if (configurationSource.test(path)) return 'configuration';
  if (documents.test(path)) return 'document';
  if (configurationExtensions.test(path) || configurationNames.test(path)) return 'configuration';
  return sourceExtensions.test(path) || sourceNames.test(path) ? 'source' : 'configuration';
}

/**
 * Returns whether a configuration file is written in a programming language, where an unquoted value is a name, not
 * text.
 */
export function isCode(path: string): boolean {
  return /\.(?:php|py|rb|js|cjs|mjs|ts|tsx|jsx|pl|perl|inc|exs?|go|java|cs|groovy|gradle|lua|erl|scala|kts?|swift|tf|hcl|nix|c|h|cc|cpp|hpp|rs|m|vue|rake|gemspec|rhtml|asp|aspx|cfm|jsp|jsonnet)$/i.test(
    path,
  );
}
