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
 * | secret | rule, keyed hash of the secret | one secret is one problem, however many places hold it |
 * | code, infrastructure | rule, file path, offending content with white space folded, ordinal among equals | survives edits around it |
 * | dependency | advisory, ecosystem, package, version, manifest path | an upgrade to another vulnerable version is another problem |
 * | web, host | rule, address or port, parameter | the same weakness elsewhere is another problem |
 * | a tool's own | the tool's stable fingerprint, e.g. SARIF `partialFingerprints` | the tool knows best |
 *
 * The result is `v1:` and 22 characters of base64url: 132 bits of SHA-256. The version allows a better scheme later
 * that carries the triage over. Parts are length-prefixed, so that different lists of parts never join to the same
 * text.
 */
export function fingerprint(...parts: string[]): string {
  let joined = '';
  for (const part of parts) joined += `${Buffer.byteLength(part)}:${part}`;
  // One call to hash() takes half the time of a Hash object; an import of a million results makes a million.
  return `v1:${hash('sha256', joined, 'base64url').slice(0, 22)}`;
}

/** Folds runs of white space, so that re-indenting code leaves its identity alone. Single spaces stay without a match. */
export const normalisedContent = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, ' ').trim();

/** What findings of several sources about one problem have in common. */
export type ProblemFacts = {
  identifiers: string[];
  path: string | null;
  startLine: number | null;
  ecosystem: string | null;
  packageName: string | null;
  purl: string | null;
};

/** Names of these have no namespace but the distribution, which tools leave out. */
const systemTypes = new Set(['apk', 'deb', 'rpm']);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Names a package as its package URL does, or would: tools name ecosystems and Maven's packages in their own ways. */
function packageOf(ecosystem: string, name: string, purl: string | null): string {
  const [, ofPurl, path] = /^pkg:([^/@?#]+)\/+([^@?#]+)/i.exec(purl ?? '') ?? [];
  const type = ofPurl?.toLowerCase() ?? purlTypeOf(ecosystem);
  const full = (path === undefined ? name : decoded(path)).toLowerCase();
  if (type === 'maven') return `${type}/${full.replace(':', '/')}`;
  if (type === 'pypi') return `${type}/${full.replaceAll(/[-_.]+/g, '-')}`;
  return `${type}/${systemTypes.has(type) ? full.split('/').at(-1) : full}`;
}

/** CVEs first, which most databases know; then the others in a fixed order. */
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
 * Returns a number for what a finding is about: the package and its advisory, or the file, the first line and the weakness.
 * Findings of several sources with the same number in one data source are related. Null when there is too little to compare.
 */
export function problemOf(facts: ProblemFacts): string | null {
  const parts = partsOfProblem(facts);
  return parts && hash('sha1', JSON.stringify(parts), 'buffer').readBigInt64BE(0).toString();
}
