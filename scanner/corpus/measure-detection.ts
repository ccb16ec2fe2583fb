import { checkSource } from '../detectors/code/check-source.ts';
import { registerGrammars } from '../detectors/code/languages/index.ts';
import type { LanguageName } from '../detectors/code/languages/language.ts';
import { loadRuleBook } from '../detectors/code/rule-book.ts';
import { benchmarkLanguages, type Case, casesOf, readFamilies } from './cases.ts';

/** Whether a scanner found each case's weakness. */
export type Outcome = { test: Case; found: boolean };

/** The numbers of harmful and harmless cases, and how many of each were reported. */
export type Rates = { harmful: number; found: number; harmless: number; alarms: number };

/** Runs the built-in rules on the cases of some languages, or on one of every `share` cases. */
export async function checkCases(languages: readonly string[] = benchmarkLanguages, share = 1): Promise<Outcome[]> {
  registerGrammars();
  const { rules } = await loadRuleBook();
  const families = readFamilies();
  const cases = languages.flatMap(casesOf).filter((_, index) => index % share === 0);
  return cases.map((test) => {
    const language = test.language as LanguageName;
    const { hits } = checkSource([...rules.values()], language, test.extension, Buffer.from(test.source));
    const cwes = hits.flatMap((hit) => rules.get(hit.rule)!.cwe.map((cwe) => Number(cwe.slice(4))));
    return { test, found: cwes.some((cwe) => families[test.family]!.includes(cwe)) };
  });
}

export function ratesOf(outcomes: Outcome[]): Rates {
  const rates: Rates = { harmful: 0, found: 0, harmless: 0, alarms: 0 };
  for (const { test, found } of outcomes) {
    rates[test.harmful ? 'harmful' : 'harmless']++;
    if (found) rates[test.harmful ? 'found' : 'alarms']++;
  }
  return rates;
}

/**
 * Returns the Youden index of some outcomes: the share of harmful cases found minus the share of harmless ones
 * reported.
 */
export function youdenIndex({ harmful, found, harmless, alarms }: Rates): number {
  return found / Math.max(1, harmful) - alarms / Math.max(1, harmless);
}
