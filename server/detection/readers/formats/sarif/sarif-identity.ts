import type { JsonObject } from '../../json/json.ts';
import { object, text } from '../../values.ts';

/** Keys that some tools put among the fingerprints although they do not identify the result, or move with it. */
const notIdentifying = new Set([
  'commitSha',
  'email',
  'author',
  'date',
  'commitMessage',
  'primaryLocationStartColumnFingerprint',
]);

/**
 * Returns the tool's own identity of a result, or null.
 *
 * `fingerprints` are whole: with the rule they are the identity, whatever the file is called. `partialFingerprints` are
 * a part of it, together with rule and file; where GitHub's `primaryLocationLineHash` is among them it is used alone,
 * so that a tool may add others. Semgrep without a login writes “requires login” as each result's fingerprint.
 */
export function toolIdentity(result: JsonObject, ruleId: string, path: string): string[] | null {
  const whole = entriesOf(result.fingerprints);
  if (whole.length > 0) return ['fingerprint', ruleId, ...whole.flat()];
  const correlation = text(result.correlationGuid);
  if (correlation) return ['correlation', correlation.toLowerCase()];
  const partial = entriesOf(result.partialFingerprints);
  if (partial.length === 0) return null;
  const lineHash = partial.find(([name]) => /^primaryLocationLineHash(?:\/v\d+)?$/.test(name));
  return ['partial', ruleId, path, ...(lineHash ? [lineHash] : partial).flat()];
}

function entriesOf(value: unknown): Array<[string, string]> {
  return Object.entries(object(value))
    .filter((entry): entry is [string, string] => text(entry[1]) !== undefined && entry[1] !== 'requires login')
    .filter(([name]) => !notIdentifying.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
}
