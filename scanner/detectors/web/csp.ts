import { Version } from 'csp_evaluator/dist/csp.js';
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js';
import { type Finding, Severity, Type } from 'csp_evaluator/dist/finding.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import { headerOf, type Page } from './page.ts';

export type Policy = { text: string; isMeta: boolean; directives: Record<string, string[] | undefined> };
export { Severity, Type };

const maxPolicies = 20;
const maxCharacters = 20_000;

/** Returns the policies that the page enforces. Policies in its `<meta>` elements come last. */
export function readPolicies(page: Page): Policy[] {
  const header = headerOf(page, 'content-security-policy')?.split(',') ?? [];
  const policies = [
    ...header.map((text) => ({ text, isMeta: false })),
    ...(page.html?.contentSecurityPolicies ?? []).map((text) => ({ text, isMeta: true })),
  ];
  return policies
    .map(({ text, isMeta }) => ({ text: text.trim().slice(0, maxCharacters), isMeta }))
    .filter(({ text }) => text !== '')
    .slice(0, maxPolicies)
    .map((policy) => ({ ...policy, directives: new CspParser(policy.text).csp.directives }));
}

const evaluated = new WeakMap<Page, Finding[][]>();

/** Returns the findings of Google's CSP Evaluator for each policy. */
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
 * Returns the weaknesses that all policies share, in the first policy's form. Browsers allow only what every policy
 * allows, so a weakness counts only if every policy has it. Empty without a policy.
 */
export function commonWeaknesses(page: Page, isWeakness: (finding: Finding) => boolean): Finding[] {
  const weaknesses = evaluate(page).map((findings) => findings.filter(isWeakness));
  return weaknesses.length > 0 && weaknesses.every((found) => found.length > 0) ? weaknesses[0]! : [];
}

/** Returns the weaknesses of any policy, for syntax errors, which matter in each policy. */
export const anyWeaknesses = (page: Page, isWeakness: (finding: Finding) => boolean): Finding[] =>
  evaluate(page).flat().filter(isWeakness);
