import { Version } from 'csp_evaluator/dist/csp.js';
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js';
import { type Finding, Severity, Type } from 'csp_evaluator/dist/finding.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import { headerOf, type Page } from './page.ts';

export type Policy = { text: string; isMeta: boolean; directives: Record<string, string[] | undefined> };
export { Severity, Type };

const mostPolicies = 20;
const mostCharacters = 20_000;

/** The policies that the page enforces. A page's own `<meta>` ones come last. */
export function readPolicies(page: Page): Policy[] {
  const header = headerOf(page, 'content-security-policy')?.split(',') ?? [];
  const policies = [
    ...header.map((text) => ({ text, isMeta: false })),
    ...(page.html?.contentSecurityPolicies ?? []).map((text) => ({ text, isMeta: true })),
  ];
  return policies
    .map(({ text, isMeta }) => ({ text: text.trim().slice(0, mostCharacters), isMeta }))
    .filter(({ text }) => text !== '')
    .slice(0, mostPolicies)
    .map((policy) => ({ ...policy, directives: new CspParser(policy.text).csp.directives }));
}

const evaluated = new WeakMap<Page, Finding[][]>();

/** What Google's CSP Evaluator says, for each policy. */
function evaluate(page: Page): Finding[][] {
  const known = evaluated.get(page);
  if (known) return known;
  const findings = readPolicies(page).map(({ text }) =>
    new CspEvaluator(new CspParser(text).csp, Version.CSP3).evaluate(),
  );
  evaluated.set(page, findings);
  return findings;
}

/**
 * What holds of the policies together: something must be allowed by every one of them to be allowed, so a weakness counts only
 * where each has it. Answers the weaknesses of the first policy, or nothing when there is no policy.
 */
export function commonWeaknesses(page: Page, isWeakness: (finding: Finding) => boolean): Finding[] {
  const weaknesses = evaluate(page).map((findings) => findings.filter(isWeakness));
  return weaknesses.length > 0 && weaknesses.every((found) => found.length > 0) ? weaknesses[0]! : [];
}

/** What any policy has: a mistake in writing is one wherever it stands. */
export const anyWeaknesses = (page: Page, isWeakness: (finding: Finding) => boolean): Finding[] =>
  evaluate(page).flat().filter(isWeakness);
