import { hash } from 'node:crypto';
import { purlTypeOf } from './ecosystem-name.ts';

/**
 * Returns the identity of a problem within its organization, data source and source.
 *
 * It depends on the problem itself, never on line numbers or the time of a scan: code that moves within a file, a
 * rescan and a reordered result file create no new finding. The parts, by kind of problem:
 *
 * | kind | parts | why |
 * | --- | --- | --- |
 * | secret | rule, keyed hash of the secret | one secret is one problem in any number of places |
 * | code, infrastructure | rule, file path, offending content with white space folded, ordinal among equals | survives edits around it |
 * | package | advisory, package, manifest path (`packageIdentity`) | an upgrade to another vulnerable version is the same problem |
 * | web, host | rule, address or port, parameter | the same weakness elsewhere is another problem |
 * | a tool's own | the tool's stable fingerprint, e.g. SARIF `partialFingerprints` | the tool knows best |
 *
 * The result is `v1:` (packages: `v2:`) and 22 characters of base64url: 132 bits of SHA-256. The version allows a better
 * scheme later that preserves the triage. Parts are length-prefixed, so that different lists of parts never join to
 * the same text.
 */
export const fingerprint = (...parts: string[]): string => `v1:${digest(parts)}`;

/** Returns the identity of a problem in a package, from `packageIdentity` and other parts. */
export const packageFingerprint = (...parts: string[]): string => `v2:${digest(parts)}`;

function digest(parts: string[]): string {
  let joined = '';
  for (const part of parts) joined += `${Buffer.byteLength(part)}:${part}`;
  // One call to hash() takes half the time of a Hash object, and an import of a million results needs a million calls.
  return hash('sha256', joined, 'base64url').slice(0, 22);
}

const bytes = new DataView(new ArrayBuffer(8));

/**
 * Returns the first 64 bits of a text's SHA-1 as a decimal number with a sign, in the form of PostgreSQL's `bigint`. A
 * `Buffer` of the hash would take three times as long.
 */
export function numberOf(text: string): string {
  const digest = hash('sha1', text, 'binary');
  for (let at = 0; at < 8; at += 1) bytes.setUint8(at, digest.charCodeAt(at));
  return bytes.getBigInt64(0).toString();
}

/** Folds runs of white space, so that re-indenting code does not change its identity. Single spaces never match. */
export const normalisedContent = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, ' ').trim();

/** Facts that findings of several sources about the same problem share. */
export type ProblemFacts = {
  identifiers: string[];
  path: string | null;
  startLine: number | null;
  ecosystem: string | null;
  packageName: string | null;
  purl: string | null;
};

/** Package names of these types have no namespace except the distribution, which tools leave out. */
const systemTypes = new Set(['apk', 'deb', 'rpm']);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns a package's name in the form of its package URL, because tools name ecosystems and Maven packages differently. */
export function packageOf(ecosystem: string, name: string, purl: string | null): string {
  const [, ofPurl, path] = /^pkg:([^/@?#]+)\/+([^@?#]+)/i.exec(purl ?? '') ?? [];
  const type = ofPurl?.toLowerCase() ?? purlTypeOf(ecosystem);
  const full = (path === undefined ? name : decoded(path)).toLowerCase();
  if (type === 'maven') return `${type}/${full.replace(':', '/')}`;
  if (type === 'pypi') return `${type}/${full.replaceAll(/[-_.]+/g, '-')}`;
  return `${type}/${systemTypes.has(type) ? full.split('/').at(-1) : full}`;
}

/**
 * Ranks the names of a vulnerability. GitHub's comes first: in most ecosystems it exists from the start and never
 * changes, while a CVE may be assigned weeks later and would turn an old finding into a new one.
 */
const preferred = ['GHSA-', 'CVE-', 'MAL-', 'PYSEC-', 'GO-', 'RUSTSEC-'];
const rankOf = (name: string) =>
  (preferred.findIndex((prefix) => name.startsWith(prefix)) + preferred.length + 1) % (preferred.length + 1);

/** Compares names of vulnerabilities: the most stable comes first. */
export const compareAdvisories = (left: string, right: string): number =>
  rankOf(left) - rankOf(right) || (left < right ? -1 : left > right ? 1 : 0);

/**
 * Returns the name, among those that a tool reports, that determines a vulnerability's identity: the name in the
 * highest-ranking database. A bulletin on several vulnerabilities has several names in that database and keeps its own
 * name.
 */
function canonicalAdvisory(advisory: string, aliases: readonly string[]): string {
  const names = [...new Set([advisory, ...aliases].map((name) => name.trim().toUpperCase()))];
  const ranked = names.filter((name) => rankOf(name) < preferred.length).sort(compareAdvisories);
  const [first, second] = ranked;
  if (first === undefined || (second !== undefined && rankOf(second) === rankOf(first))) return names[0]!;
  return first;
}

/**
 * The facts that make two reports on a package the same problem. Tools' own names of ecosystems are mapped to OSV's.
 */
export type PackageIdentity = {
  advisory: string;
  aliases: readonly string[];
  ecosystem: string;
  name: string;
  purl: string | null;
  version: string | null;
  /** The path of the manifest; empty for packages without one. */
  manifest: string;
};

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/**
 * Removes the version after the package name in a path such as `lib/log4j-core-2.14.1.jar` or
 * `.pnpm/left-pad@1.0.0/package.json`.
 */
function unversioned({ manifest, name, version }: PackageIdentity): string {
  if (!version || !manifest.includes(version)) return manifest;
  const own = escaped(name.split(/[/:]/).at(-1)!).replaceAll(/[-_]|\\\./g, '[-_.]');
  return manifest.replaceAll(new RegExp(`(${own}[-_@])v?${escaped(version)}(?![0-9a-z])`, 'gi'), '$1');
}

/** Returns the parts of the fingerprint of a vulnerable package: never its version, which changes. */
export const packageIdentity = (found: PackageIdentity): string[] => [
  'package',
  canonicalAdvisory(found.advisory, found.aliases),
  packageOf(found.ecosystem, found.name, found.purl),
  unversioned(found),
];

/** CVEs first, which most databases have; then the others in a fixed order. */
const advisoryOf = (identifiers: string[]): string | undefined => {
  const advisories = identifiers.map((id) => id.toUpperCase()).filter((id) => !/^CWE-/.test(id));
  const cves = advisories.filter((id) => /^CVE-/.test(id));
  return (cves.length > 0 ? cves : advisories).sort()[0];
};

const weaknessOf = (identifiers: string[]): string | undefined =>
  identifiers
    .filter((id) => /^CWE-\d+$/i.test(id))
    .sort()[0]
    ?.toUpperCase();

function partsOfProblem({ identifiers, path, startLine, ecosystem, packageName, purl }: ProblemFacts): string[] | null {
  if (packageName !== null) {
    const advisory = advisoryOf(identifiers);
    return advisory ? ['package', packageOf(ecosystem ?? '', packageName, purl), advisory] : null;
  }
  const weakness = weaknessOf(identifiers);
  return path !== null && startLine !== null && weakness ? ['place', path, String(startLine), weakness] : null;
}

/**
 * Returns a number for the subject of a finding: the package and its advisory, or the file, the first line and the
 * weakness. Findings of different sources with the same number in one data source are related. Null if there is too
 * little to compare.
 */
export function problemOf(facts: ProblemFacts): string | null {
  const parts = partsOfProblem(facts);
  return parts && numberOf(JSON.stringify(parts));
}
