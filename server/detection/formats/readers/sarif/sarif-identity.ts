import type { JsonObject } from '../../json/json.ts';
import { object, text } from '../../values.ts';

/** What some tools put among the fingerprints that says nothing of the result, or moves with it. */
const notIdentifying = new Set([
  'commitSha',
  'email',
  'author',
  'date',
  'commitMessage',
  'primaryLocationStartColumnFingerprint',
]);

/**
 * The identity that the tool gives itself, or null.
 *
 * `fingerprints` are whole: with the rule they are the identity, whatever the file is called. `partialFingerprints` are a part of it: rule and
 * file go with them; of several, GitHub's `primaryLocationLineHash` stands alone, so that a tool may add others.
 * Semgrep without a login writes “requires login” as each result's fingerprint.
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
