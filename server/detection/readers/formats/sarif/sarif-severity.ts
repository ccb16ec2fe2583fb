import { type Severity, severityFromCvss } from '../../../../findings/severity.ts';
import type { JsonObject } from '../../json/json.ts';
import { cvssScore, severityFromWord } from '../../severity-words.ts';
import { number, object, text } from '../../values.ts';
import type { SarifRule } from './sarif-rules.ts';

/** SARIF's levels: `note` and `none` claim no weakness. */
const levels: Record<string, Severity> = { error: 'high', warning: 'medium', note: 'info', none: 'info' };

/**
 * Returns `security-severity` of the result or its rule, if it is a score. Assay's own reports derive it from the severity
 * of findings without a score.
 */
export function sarifScore(result: JsonObject, rule: SarifRule | undefined, source: string): number | undefined {
  if (source === 'assay') return undefined;
  return cvssScore(number(object(result.properties)['security-severity']) ?? number(rule?.securitySeverity));
}

/**
 * `security-severity` of the result or its rule (a score from 0 to 10 as GitHub defines it, or a word); without one the
 * level of the result, of its rule, or SARIF's default, `warning`. Snyk documents `note` as its severity low.
 */
export function sarifSeverity(result: JsonObject, rule: SarifRule | undefined, source: string): Severity {
  for (const given of [object(result.properties)['security-severity'], rule?.securitySeverity]) {
    const score = number(given);
    if (score !== undefined && score >= 0 && score <= 10) return severityFromCvss(score);
    const word = severityFromWord(given);
    if (word) return word;
  }
  const level = text(result.level) ?? rule?.level ?? 'warning';
  return level === 'note' && source.startsWith('snyk') ? 'low' : (levels[level] ?? 'medium');
}
