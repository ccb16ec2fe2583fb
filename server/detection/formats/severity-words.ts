import { type Severity, severityFromCvss } from '../../findings/severity.ts';

/**
 * The words that tools have for severities. Where one tool means something else by one of them, its reader says so.
 * `unknown` and its like are `info`: something was found, nobody rated it.
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

/** The severity that a tool's word stands for, in any case; null when it is no such word. */
export function severityFromWord(word: unknown): Severity | null {
  return typeof word === 'string' ? (words[word.trim().toLowerCase()] ?? null) : null;
}

/** A CVSS base score between 0 and 10, else undefined. */
export const cvssScore = (value: number | undefined): number | undefined =>
  value !== undefined && value >= 0 && value <= 10 ? value : undefined;

/** The tool's word; without one, its score; without both, `fallback`. */
export function severityOf(word: unknown, score: number | undefined, fallback: Severity = 'info'): Severity {
  const known = severityFromWord(word);
  if (known && !/^(unknown|undefined|none)$/i.test(String(word).trim())) return known;
  return score === undefined ? (known ?? fallback) : severityFromCvss(score);
}
