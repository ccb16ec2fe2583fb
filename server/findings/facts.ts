import { hash } from 'node:crypto';
import { newId } from '../platform/id.ts';
import type { Detection } from './detection.ts';
import { severityRank } from './severity.ts';
import { wordsOf } from './words.ts';

/** A detection in the columns of the table `findings`: all that a scan writes of a finding. */
export type FactsRow = {
  id: string;
  fingerprint: string;
  severity: number;
  title: string;
  rule_id: string;
  /** The API's own spelling of the fields that only scanners write, spliced as text into every answer. */
  facts: object;
  places: object | null;
  occurrences: number;
  facts_hash: string;
  words: string[];
};

const replaceUnstorable = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\uFFFD').toWellFormed() : value;

/** How JSON spells what PostgreSQL's text and json don't hold: NUL, and halves of characters. */
const unstorable = /\\u(?:0000|d[89a-f])/;

/** Scanners quote from files that hold anything. */
function storable(detection: Detection): Detection {
  const text = JSON.stringify(detection);
  return unstorable.test(text) ? JSON.parse(JSON.stringify(JSON.parse(text), replaceUnstorable)) : detection;
}

const factsOf = (detection: Detection) => ({
  description: detection.description,
  rule: detection.rule,
  location: detection.location,
  identifiers: detection.identifiers,
  cvss_score: detection.cvss_score,
  evidence: detection.evidence,
  remediation: detection.remediation,
  references: detection.references,
});

const placesOf = ({ places }: Detection) => (places.length > 1 ? places.slice(0, 100) : null);

/** A detection as it can be stored, with the hash over all that a scan writes: what tells whether a known finding has changed. */
export type HashedDetection = { detection: Detection; fingerprint: string; factsHash: string };

export function hashDetection(original: Detection): HashedDetection {
  const detection = storable(original);
  const { title, occurrences, fingerprint } = detection;
  const rank = severityRank[detection.severity];
  const text = JSON.stringify([title, rank, occurrences, factsOf(detection), placesOf(detection)]);
  return { detection, fingerprint, factsHash: hash('sha1', text, 'buffer').readBigInt64BE(0).toString() };
}

/** The columns of a detection; `id` is the one it gets when it is new. */
export function toFactsRow({ detection, fingerprint, factsHash }: HashedDetection): FactsRow {
  const { title, rule, location, identifiers, occurrences } = detection;
  return {
    id: newId('fnd'),
    fingerprint,
    severity: severityRank[detection.severity],
    title,
    rule_id: rule.id,
    facts: factsOf(detection),
    places: placesOf(detection),
    occurrences,
    facts_hash: factsHash,
    words: wordsOf(title, location.path, rule.id, rule.name, identifiers.join(' ')),
  };
}
