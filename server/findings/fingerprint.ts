import { hash } from 'node:crypto';

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

/** Folds runs of white space, so that re-indenting code leaves its identity alone. */
export const normalisedContent = (text: string): string => text.replace(/\s+/g, ' ').trim();
