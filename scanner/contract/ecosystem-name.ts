/** Ecosystems by their names in OSV: the type of their package URLs, and other names that tools use. */
const known: Record<string, [purlType: string, others: string]> = {
  Alpine: ['apk', 'apkg'],
  CRAN: ['cran', 'r'],
  ConanCenter: ['conan', ''],
  'crates.io': ['cargo', 'rust rustbinary rust-binary rust-crate'],
  Debian: ['deb', ''],
  'GitHub Actions': ['githubactions', 'github-action github-actions'],
  Go: ['golang', 'gomod gobinary go-module gomodules go-mod stdlib'],
  Hex: ['hex', 'mix elixir'],
  Maven: ['maven', 'gradle jar pom java-archive java-pom sbt ivy'],
  npm: ['npm', 'yarn pnpm bun node-pkg nodepkg node javascript'],
  NuGet: ['nuget', 'dotnet dotnet-core dotnet-deps packages-props'],
  Packagist: ['composer', 'composer-vendor php-composer php'],
  Pub: ['pub', 'dart'],
  PyPI: ['pypi', 'pip pipenv poetry pdm uv python python-pkg pythonpkg'],
  RubyGems: ['gem', 'gemspec bundler ruby'],
  SwiftURL: ['swift', ''],
  Ubuntu: ['deb', ''],
};

/** Ambiguous types: a `deb` may belong to Debian or Ubuntu. */
const shared = new Set(['deb']);

const byName = new Map(
  Object.entries(known).flatMap(([osv, [type, others]]) =>
    [osv.toLowerCase(), ...(shared.has(type) ? [] : [type]), ...others.split(' ')].map((name) => [name, osv]),
  ),
);

/**
 * Returns OSV's name of an ecosystem, such as `PyPI` for `poetry`, with its release, if any. Unknown names are returned
 * unchanged.
 */
export function ecosystemName(name: string): string {
  const [base = '', ...release] = name.split(':');
  const osv = base.trim() === '' ? undefined : byName.get(base.trim().toLowerCase());
  return osv === undefined ? name : [osv, ...release].join(':');
}

/** Returns the type of the package URLs of an ecosystem, in lower case; an unknown name is returned unchanged. */
export function purlTypeOf(ecosystem: string): string {
  const base = ecosystemName(ecosystem).split(':')[0]!;
  return known[base]?.[0] ?? base.toLowerCase();
}
