import { createHash } from 'node:crypto';

/**
 * The identity of a problem within its organization, data source and source.
 *
 * It rests on what the problem is, never on line numbers or the time of a scan: code that moves within a file, a
 * rescan and a reordered result file make no new finding. What goes in, by kind of problem:
 *
 * | kind | parts | why |
 * | --- | --- | --- |
 * | secret | rule, keyed hash of the secret | one secret is one problem, however many places hold it |
 * | code, infrastructure | rule, file path, offending content with white space folded, ordinal among equals | survives edits around it |
 * | dependency | advisory, ecosystem, package, version, manifest path | an upgrade to another vulnerable version is another problem |
 * | web, host | rule, address or port, parameter | |
 * | a tool's own | the tool's stable fingerprint, e.g. SARIF `partialFingerprints` | the tool knows best |
 *
 * The result is `v1:` and 22 characters of base64url: 132 bits of SHA-256. The version lets a better scheme come later
 * and carry the triage over. Parts are length-prefixed, so that no two lists of parts run together.
 */
export function fingerprint(...parts: string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return `v1:${hash.digest('base64url').slice(0, 22)}`;
}

/** Folds runs of white space, so that re-indenting code leaves its identity alone. */
export const normalisedContent = (text: string): string => text.replace(/\s+/g, ' ').trim();
