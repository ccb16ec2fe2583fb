import { severityName } from '../../findings/severity.ts';
import type { BySeverity } from '../analysis-model.ts';
import type { MappedCategory, MappedStandard, ReportMapping } from '../mapping-model.ts';
import { iso27001, pciDss4 } from '../mappings/controls.ts';
import { cweTop25 } from '../mappings/cwe-top-25.ts';
import { knownWeakness } from '../mappings/known-rules.ts';
import { owasp2021 } from '../mappings/owasp-2021.ts';
import { owasp2025 } from '../mappings/owasp-2025.ts';
import type { Standard } from '../mappings/standard.ts';
import { weaknessName, weaknessNumber } from '../mappings/weaknesses.ts';
import type { RuleCountRow } from './action-queries.ts';
import { noFindings, sumOf } from './tallies.ts';
import type { IdentifierRow } from './weakness-queries.ts';

const standards: Standard[] = [owasp2025, owasp2021, cweTop25, pciDss4, iso27001];
const maxWeaknesses = 25;

/** Open findings with the same weaknesses. */
type Counted = { weaknesses: number[]; isPackage: boolean; counts: BySeverity };

/** Returns the numbers of the first list of identifiers that has any, or else the one that the rule is known for. */
function weaknessesOf({ ruleId, source }: RuleCountRow, { identifiers, isPackage }: IdentifierRow): number[] {
  for (const list of identifiers) {
    const numbers = list.map(weaknessNumber).filter((number) => number !== undefined);
    if (numbers.length > 0) return [...new Set(numbers)];
  }
  const known = knownWeakness({ ruleId, source, isPackage });
  return known === undefined ? [] : [known];
}

function addTo(sums: BySeverity, counts: BySeverity): void {
  for (const severity of Object.keys(counts) as Array<keyof BySeverity>) sums[severity] += counts[severity];
}

function mapTo(standard: Standard, counted: Counted[], open: number): MappedStandard {
  const sums = standard.categories.map(() => noFindings());
  let mapped = 0;
  for (const { weaknesses, isPackage, counts } of counted) {
    let isMapped = false;
    for (const [index, category] of standard.categories.entries()) {
      const belongs =
        (isPackage && category.id === standard.packages) ||
        weaknesses.some((number) => category.weaknesses.includes(number));
      if (!belongs) continue;
      addTo(sums[index]!, counts);
      isMapped = true;
    }
    if (isMapped) mapped += sumOf(counts);
  }
  const categories = standard.categories.map(({ id, name }, index): MappedCategory => {
    const counts = sums[index]!;
    return { id, name, open: sumOf(counts), open_by_severity: counts };
  });
  return { id: standard.id, name: standard.name, source: standard.source, categories, unmapped: open - mapped };
}

/** Returns the most frequent weaknesses of the open findings and their places in the standards. */
export function mapWeaknesses(rows: RuleCountRow[], identifiers: IdentifierRow[], open: number): ReportMapping {
  const ofRule = new Map(identifiers.map((row) => [row.ruleId, row]));
  const byKey = new Map<string, Counted>();
  for (const row of rows) {
    const known = ofRule.get(row.ruleId);
    if (!known) continue;
    const weaknesses = weaknessesOf(row, known);
    const { isPackage } = known;
    const key = `${isPackage}${weaknesses.join()}`;
    const counted = byKey.get(key) ?? { weaknesses, isPackage, counts: noFindings() };
    byKey.set(key, counted);
    counted.counts[severityName(row.severity)] += row.count;
  }
  const counted = [...byKey.values()];
  const byWeakness = new Map<number, BySeverity>();
  for (const { weaknesses, counts } of counted) {
    for (const number of weaknesses) {
      const sums = byWeakness.get(number) ?? noFindings();
      byWeakness.set(number, sums);
      addTo(sums, counts);
    }
  }
  const weaknesses = [...byWeakness]
    .map(([number, counts]) => {
      const id = `CWE-${number}`;
      return { id, name: weaknessName(id) ?? id, open: sumOf(counts), open_by_severity: counts };
    })
    .sort((one, other) => other.open - one.open || (one.id < other.id ? -1 : 1))
    .slice(0, maxWeaknesses);
  const named = counted.filter((group) => group.weaknesses.length > 0);
  return {
    weaknesses,
    without_cwe: open - named.reduce((sum, { counts }) => sum + sumOf(counts), 0),
    standards: standards.map((standard) => mapTo(standard, counted, open)),
  };
}
