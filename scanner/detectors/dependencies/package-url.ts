import { PackageURL } from 'packageurl-js';
import { baseEcosystem } from '../../advisories/ecosystem.ts';
import type { Dependency } from './dependency.ts';
import { distributionOf } from './distribution.ts';

/** Types of package URLs (https://github.com/package-url/purl-spec), and how each joins namespace and name. */
const types: Array<{ type: string; ecosystem: string; separator: '/' | ':' }> = [
  { type: 'npm', ecosystem: 'npm', separator: '/' },
  { type: 'pypi', ecosystem: 'PyPI', separator: '/' },
  { type: 'golang', ecosystem: 'Go', separator: '/' },
  { type: 'cargo', ecosystem: 'crates.io', separator: '/' },
  { type: 'maven', ecosystem: 'Maven', separator: ':' },
  { type: 'gem', ecosystem: 'RubyGems', separator: '/' },
  { type: 'composer', ecosystem: 'Packagist', separator: '/' },
  { type: 'nuget', ecosystem: 'NuGet', separator: '/' },
  { type: 'hex', ecosystem: 'Hex', separator: '/' },
  { type: 'pub', ecosystem: 'Pub', separator: '/' },
  { type: 'conan', ecosystem: 'ConanCenter', separator: '/' },
  { type: 'cran', ecosystem: 'CRAN', separator: '/' },
  { type: 'swift', ecosystem: 'SwiftURL', separator: '/' },
  { type: 'githubactions', ecosystem: 'GitHub Actions', separator: '/' },
];
const distributionTypes = new Set(['deb', 'apk', 'rpm']);

/** Returns the package of a package URL; null if the URL is invalid or the package can't be matched. */
export function readPackageUrl(url: string, line: number | null): Dependency | null {
  let parsed: PackageURL;
  try {
    parsed = PackageURL.fromString(url);
  } catch {
    return null;
  }
  const { type, namespace, name } = parsed;
  const version = parsed.version || null;
  const known = types.find((entry) => entry.type === type);
  if (known) {
    const { ecosystem, separator } = known;
    const full = [namespace, name].filter(Boolean).join(ecosystem === 'ConanCenter' ? '' : separator);
    const plain = ecosystem === 'Go' ? (version?.replace(/^v|\+incompatible$/g, '') ?? null) : version;
    return { ecosystem, name: ecosystem === 'ConanCenter' ? name : full, version: plain, line };
  }
  if (!distributionTypes.has(type)) return null;
  return readDistributionPackage(parsed, version, line);
}

/**
 * Distributions' advisories are on source packages: `upstream` is the source package, with its version if it differs.
 */
function readDistributionPackage(parsed: PackageURL, version: string | null, line: number | null): Dependency | null {
  const { distro = '', upstream = '', epoch } = (parsed.qualifiers ?? {}) as Record<string, string>;
  const [, id = parsed.namespace ?? '', release = ''] = /^(?:([a-z]+)-)?(.*)$/.exec(distro) ?? [];
  const ecosystem = distributionOf(id, release);
  if (ecosystem === null) return null;
  const [source = '', sourceVersion] = upstream.split('@');
  const own = version !== null && epoch ? `${epoch}:${version}` : version;
  return { ecosystem, name: source || parsed.name, version: sourceVersion || own, line };
}

/** Returns the package URL of a package; null for an ecosystem without a type. */
export function toPackageUrl({ ecosystem, name, version }: Dependency): string | null {
  const known = types.find((entry) => entry.ecosystem === baseEcosystem(ecosystem));
  if (!known) return null;
  const cut = name.lastIndexOf(known.separator);
  const namespace = cut > 0 ? name.slice(0, cut) : undefined;
  const tag = version !== null && known.type === 'golang' && name !== 'stdlib' ? `v${version}` : version;
  try {
    return new PackageURL(known.type, namespace, name.slice(cut + 1), tag ?? undefined).toString();
  } catch {
    return null;
  }
}
