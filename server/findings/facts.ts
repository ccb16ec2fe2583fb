import { createHash } from 'node:crypto';
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

/** PostgreSQL's text and json hold no NUL; a lone surrogate is no Unicode. Scanners quote from files that have both. */
const storable = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\uFFFD').toWellFormed() : value;

/** The columns of a detection; `id` is the one it gets when it is new. */
export function toFactsRow(original: Detection): FactsRow {
  const detection: Detection = JSON.parse(JSON.stringify(original, storable));
  const { title, rule, location, identifiers, occurrences } = detection;
  const facts = {
    description: detection.description,
    rule,
    location,
    identifiers,
    cvss_score: detection.cvss_score,
    evidence: detection.evidence,
    remediation: detection.remediation,
    references: detection.references,
  };
  const places = detection.places.length > 1 ? detection.places.slice(0, 100) : null;
  const severity = severityRank[detection.severity];
  const hash = createHash('sha1')
    .update(JSON.stringify([title, severity, occurrences, facts, places]))
    .digest();
  return {
    id: newId('fnd'),
    fingerprint: detection.fingerprint,
    severity,
    title,
    rule_id: rule.id,
    facts,
    places,
    occurrences,
    facts_hash: hash.readBigInt64BE(0).toString(),
    words: wordsOf(title, location.path, rule.id, rule.name, identifiers.join(' ')),
  };
}
