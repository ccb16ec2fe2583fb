import type { ReportLanguage } from '../report-document.ts';
import { remediationsDe } from './remediations.de.ts';
import { remediationsEn } from './remediations.en.ts';
import { weaknessNumber } from './weaknesses.ts';

const tables: Record<ReportLanguage, Record<number, string>> = { en: remediationsEn, de: remediationsDe };

/** Returns how a weakness is fixed in general, for tools that do not say it; undefined for an unknown one. */
export function remediationOf(identifier: string, language: ReportLanguage): string | undefined {
  const number = weaknessNumber(identifier);
  return number === undefined ? undefined : tables[language][number];
}
