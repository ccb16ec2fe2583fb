import { channel } from 'node:diagnostics_channel';
import { type Severity, severityFromCvss } from '../contract/severity.ts';

/**
 * The words that tools use for severities. A reader whose tool uses a word differently handles it itself. `unknown` and
 * similar words are `info`: an unrated finding.
 */
const words: Record<string, Severity> = {
  critical: 'critical',
  urgent: 'critical',
  high: 'high',
  error: 'high',
  important: 'high',
  medium: 'medium',
  moderate: 'medium',
  warning: 'medium',
  warn: 'medium',
  low: 'low',
  minor: 'low',
  negligible: 'info',
  info: 'info',
  information: 'info',
  informational: 'info',
  inventory: 'info',
  experiment: 'info',
  note: 'info',
  none: 'info',
  style: 'info',
  unknown: 'info',
  undefined: 'info',
};

/** Publishes each word that is not in the table. The tests of the samples subscribe and fail if there is one. */
export const unknownSeverityWords = channel('assay:unknown-severity-word');

/** Returns the severity for a tool's word, in upper or lower case; null for other words. */
export function severityFromWord(word: unknown): Severity | null {
  if (typeof word !== 'string') return null;
  const severity = words[word.trim().toLowerCase()] ?? null;
  if (severity === null && word.trim() !== '') unknownSeverityWords.publish(word);
  return severity;
}

/** Returns a CVSS base score between 0 and 10; undefined for other values. */
export const cvssScore = (value: number | undefined): number | undefined =>
  value !== undefined && value >= 0 && value <= 10 ? value : undefined;

/** Returns the severity of the tool's word, or of its score, or `fallback`. */
export function severityOf(word: unknown, score: number | undefined, fallback: Severity = 'info'): Severity {
  const known = severityFromWord(word);
  if (known && !/^(unknown|undefined|none)$/i.test(String(word).trim())) return known;
  return score === undefined ? (known ?? fallback) : severityFromCvss(score);
}
