/**
 * Returns the part of an ecosystem before the colon of a release or repository (`Debian:12`), by which OSV names its
 * archives.
 */
export const baseEcosystem = (ecosystem: string): string => ecosystem.split(':', 1)[0]!;

/**
 * The ecosystems in which the part after the colon is a release. In all others it is a repository, which does not
 * distinguish packages.
 */
const releases = new Set(['Alpine', 'Debian', 'Ubuntu', 'Red Hat', 'Rocky Linux', 'AlmaLinux', 'SUSE', 'openSUSE']);

/** Returns whether an advisory for one ecosystem applies to a package of the other. */
export function isSameEcosystem(ofPackage: string, ofAdvisory: string): boolean {
  const base = baseEcosystem(ofPackage);
  return base === baseEcosystem(ofAdvisory) && (!releases.has(base) || ofPackage === ofAdvisory);
}

/** Returns the canonical form of a package's name, by the rules of its ecosystem. */
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
