/** The names that tools and package URLs have for an ecosystem, by its name in OSV. */
const others: Record<string, string> = {
  Alpine: 'alpine apk apkg',
  CRAN: 'cran r',
  ConanCenter: 'conan conancenter',
  'crates.io': 'cargo rust rustbinary rust-binary rust-crate crates.io',
  Debian: 'debian',
  'GitHub Actions': 'githubactions github-action github-actions',
  Go: 'go golang gomod gobinary go-module go-mod stdlib',
  Hex: 'hex mix elixir',
  Maven: 'maven gradle jar pom java-archive java-pom sbt ivy',
  npm: 'npm yarn pnpm bun node-pkg nodepkg node javascript',
  NuGet: 'nuget dotnet dotnet-core dotnet-deps packages-props',
  Packagist: 'packagist composer composer-vendor php-composer php',
  Pub: 'pub dart',
  PyPI: 'pypi pip pipenv poetry pdm uv python python-pkg pythonpkg',
  RubyGems: 'rubygems gem gemspec bundler ruby',
  SwiftURL: 'swifturl swift',
  Ubuntu: 'ubuntu',
};
const byName = new Map(Object.entries(others).flatMap(([osv, names]) => names.split(' ').map((name) => [name, osv])));

/** Returns the name that OSV has for an ecosystem, `PyPI` for `poetry`, with its release, if any; unknown names stay. */
export function ecosystemName(name: string): string {
  const [base = '', ...release] = name.split(':');
  const osv = byName.get(base.trim().toLowerCase());
  return osv === undefined ? name : [osv, ...release].join(':');
}
