import { severityName } from '@assay/scanner/contract/severity.ts';
import { fallbackWeakness } from '../../findings/standards/known-rules.ts';
import { type Standard, standards, standardValue } from '../../findings/standards/standards.ts';
import { weaknessName } from '../../findings/standards/weaknesses.ts';
import type { BySeverity } from '../analysis-model.ts';
import type { MappedStandard, ReportMapping } from '../mapping-model.ts';
import { noFindings, sumOf } from './tallies.ts';
import type { WeaknessRow } from './weakness-queries.ts';

const maxWeaknesses = 25;

/** Returns the CWEs of findings: their own, or else the default for packages or for the tool. */
function weaknessesOf({ weaknesses, inPackage, ofSecretTool }: WeaknessRow): number[] {
  const known = fallbackWeakness({ inPackage, ofSecretTool });
  return weaknesses ?? (known === undefined ? [] : [known]);
}

const total = (rows: WeaknessRow[]): number => rows.reduce((sum, { count }) => sum + count, 0);

/** Adds up the rows by each of their keys. */
function sumsBy<Key>(rows: WeaknessRow[], keysOf: (row: WeaknessRow) => Key[]): Map<Key, BySeverity> {
  const sums = new Map<Key, BySeverity>();
  for (const row of rows) {
    for (const key of keysOf(row)) {
      const sum = sums.get(key) ?? noFindings();
      sums.set(key, sum);
      sum[severityName(row.severity)] += row.count;
    }
  }
  return sums;
}

function mapTo(standard: Standard, rows: WeaknessRow[], sums: Map<string, BySeverity>): MappedStandard {
  const categories = standard.rows.map((row) => {
    const counts = sums.get(standardValue(standard, row)) ?? noFindings();
    return { id: row.id, name: row.name.en, open: sumOf(counts), open_by_severity: counts };
  });
  const others = rows.filter(({ standards: values }) => !values.some((value) => value.startsWith(`${standard.id}:`)));
  return { id: standard.id, name: standard.name, source: standard.source, categories, unmapped: total(others) };
}

/** Returns the most frequent weaknesses of the open findings and their places in the standards. */
export function mapWeaknesses(rows: WeaknessRow[]): ReportMapping {
  const weaknesses = [...sumsBy(rows, weaknessesOf)]
    .map(([number, counts]) => {
      const id = `CWE-${number}`;
      return { id, name: weaknessName(id) ?? id, open: sumOf(counts), open_by_severity: counts };
    })
    .sort((one, other) => other.open - one.open || (one.id < other.id ? -1 : 1))
    .slice(0, maxWeaknesses);
  const sums = sumsBy(rows, ({ standards: values }) => values);
  return {
    weaknesses,
    without_cwe: total(rows.filter((row) => weaknessesOf(row).length === 0)),
    standards: standards.map((standard) => mapTo(standard, rows, sums)),
  };
}
