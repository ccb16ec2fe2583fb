import { type Severity, severityFromCvss } from '../../../contract/severity.ts';
import type { Suppression } from '../../../contract/suppression.ts';
import type { Definition } from '../../definitions.ts';
import type { ReadDetection } from '../../format.ts';
import { withoutMarkup } from '../../markup.ts';
import { cvssScore } from '../../severity-words.ts';
import { number } from '../../values.ts';
import { webResult } from '../../web-result.ts';

/** A result about a host, in any of Qualys's formats. `id` is the QID. */
export type HostResult = {
  id: string;
  host: string;
  port: string;
  /** Qualys's word: Vuln or Confirmed, Practice or Potential, Ig or Info. */
  type: string;
  severity?: string | undefined;
  output: string | undefined;
  suppression?: Suppression | undefined;
};

const levels: Record<string, Severity> = { 5: 'critical', 4: 'high', 3: 'medium', 2: 'low', 1: 'low' };

export function severityOfLevel(level: string | undefined, score: number | undefined): Severity {
  const known = levels[level?.trim() ?? ''];
  if (known) return known;
  return score === undefined ? 'medium' : severityFromCvss(score);
}

/** Returns the name by which Qualys tracks a host: an address may change where it tracks names or agents. */
export function hostName(
  ip: string | undefined,
  names: Array<string | undefined>,
  tracking: string | undefined,
): string {
  const name = names.find((one) => one);
  return (/^ip$/i.test(tracking ?? '') ? (ip ?? name) : (name ?? ip)) ?? '';
}

/** Port 0 or none means the host itself. */
export const portOf = (port: string | undefined, protocol: string | undefined): string =>
  port && port !== '0' ? [port, protocol?.toLowerCase()].filter(Boolean).join('/') : '';

/** Qualys writes a score with its vector: `8.1 (AV:N/…)`. */
export const scoreOf = (...values: Array<string | undefined>): number | undefined => {
  for (const value of values) {
    const score = cvssScore(number(/^\d+(?:\.\d+)?/.exec(value ?? '')?.[0]));
    if (score) return score;
  }
  return undefined;
};

/** Qualys separates paragraphs by `<P>` without an end. */
export const plainText = (value: string | undefined): string | undefined =>
  withoutMarkup(value?.replace(/<p>/gi, '<br>'));

export const isFixed = (status: string | undefined): boolean => /^fixed$/i.test(status?.trim() ?? '');

export function readHostResult(found: HostResult, definition: Definition | undefined): ReadDetection {
  const name = definition?.name ?? `QID ${found.id}`;
  const place = found.port ? `${found.host}:${found.port}` : found.host;
  const isPotential = /^(practice|potential)/i.test(found.type);
  return webResult({
    source: 'qualys',
    target: [found.host, found.port],
    title: place ? `${name} on ${place}` : name,
    description: [definition?.description, isPotential && 'A potential vulnerability: Qualys could not confirm it.']
      .filter(Boolean)
      .join('\n\n'),
    severity: /^(ig|info)/i.test(found.type)
      ? 'info'
      : severityOfLevel(found.severity ?? definition?.severity, definition?.score),
    rule: { id: `QID-${found.id}`, name },
    location: { path: place || null },
    identifiers: definition?.identifiers,
    cvss_score: definition?.score,
    evidence: found.output,
    remediation: definition?.solution,
    references: definition?.references,
    suppression: found.suppression,
  });
}

/** Returns the scanner's version from `192.0.2.1 (Scanner 12.1.0-1, Vulnerability Signatures 2.5.1-2)`. */
export const scannerVersion = (text: string): string | undefined => /\(Scanner ([\w.-]+)[,)]/.exec(text)?.[1];
