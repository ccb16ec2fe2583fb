import type { Severity } from '../../scanner/contract/severity.ts';
import type { DataSourceKind } from '../../server/data-sources/kind.ts';
import { hardCodedCredentials, secretTools } from '../../server/findings/standards/known-rules.ts';
import {
  type Match,
  standardSources,
  standards,
  standardValue,
  weaknessesOf,
} from '../../server/findings/standards/standards.ts';

/** The facts of a finding that decide which requirements it counts for. */
export type StandardFacts = {
  identifiers: readonly string[];
  ruleId: string;
  source: string;
  inPackage: boolean;
  severity: Severity;
  isOverdue: boolean;
  kind: DataSourceKind;
  exposure: 'internal' | 'public';
};

function meets(match: Match, facts: StandardFacts): boolean {
  const place = match.in ?? 'other';
  const numbers =
    weaknessesOf(facts.identifiers, facts.ruleId) ?? (secretTools.test(facts.source) ? [hardCodedCredentials] : []);
  return (
    (place === 'any' || facts.inPackage === (place === 'package')) &&
    (!match.severities || match.severities.includes(facts.severity)) &&
    (!match.overdue || facts.isOverdue) &&
    (!match.sources || standardSources[match.sources]!.includes(facts.source)) &&
    (!match.weaknesses || match.weaknesses.some((number) => numbers.includes(number))) &&
    (!match.kinds || match.kinds.includes(facts.kind)) &&
    (!match.exposure || match.exposure === facts.exposure)
  );
}

/**
 * Returns the requirements that a finding counts for, in plain TypeScript, for comparison with the SQL statements.
 */
export const standardsOf = (facts: StandardFacts): string[] =>
  standards.flatMap((standard) =>
    standard.rows
      .filter(({ matches }) => matches.some((match) => meets(match, facts)))
      .map((row) => standardValue(standard, row)),
  );
