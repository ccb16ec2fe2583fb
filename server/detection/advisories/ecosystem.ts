/** Of an ecosystem with a release or a repository behind a colon (`Debian:12`), the part before it: OSV's archives go by it. */
export const baseEcosystem = (ecosystem: string): string => ecosystem.split(':', 1)[0]!;

/** The ecosystems whose packages are one whatever stands behind the colon is the rest: there it names a repository. */
const releases = new Set(['Alpine', 'Debian', 'Ubuntu', 'Red Hat', 'Rocky Linux', 'AlmaLinux', 'SUSE', 'openSUSE']);

/** Whether a package of one ecosystem is what an advisory on the other is about. */
export function isSameEcosystem(ofPackage: string, ofAdvisory: string): boolean {
  const base = baseEcosystem(ofPackage);
  return base === baseEcosystem(ofAdvisory) && (!releases.has(base) || ofPackage === ofAdvisory);
}

/** A package's name in the one form that its ecosystem takes all its spellings for. */
export function normaliseName(ecosystem: string, name: string): string {
  switch (baseEcosystem(ecosystem)) {
    case 'PyPI':
      return name.toLowerCase().replace(/[-_.]+/g, '-');
    case 'NuGet':
    case 'Packagist':
    case 'GitHub Actions':
    case 'SwiftURL':
    case 'Hex':
      return name.toLowerCase();
    default:
      return name;
  }
}
