import type { Severity } from '@assay/scanner/contract/severity.ts';
import { numberPrefix } from '../../findings/finding-schema.ts';
import { plainText } from '../plain-text.ts';
import type { ReportFinding } from '../report-model.ts';

/** A finding with its number, such as `F-1042`. */
export type Numbered = { number: string; finding: ReportFinding };

/** Findings in the same place and state, which share a row. */
export type GroupRow = Numbered[];

/** Findings with one cause: those of a package, or of a rule. */
export type Group = {
  /** The id of its heading. */
  id: string;
  package: { ecosystem: string; name: string } | null;
  /** The severity of its most severe finding. */
  severity: Severity;
  rows: GroupRow[];
};

export const findingsOf = (group: Group): ReportFinding[] => group.rows.flat().map(({ finding }) => finding);

const causeOf = ({ location, source, rule }: ReportFinding): string =>
  location.package
    ? JSON.stringify([location.package.ecosystem, location.package.name])
    : JSON.stringify([source, rule.id, rule.name]);

const placeOf = ({ location, data_source: { id }, severity, status, assignee, first_seen_at: seen }: ReportFinding) =>
  JSON.stringify([
    severity,
    status,
    id,
    location.path ?? location.url,
    location.package?.version ?? null,
    assignee?.id ?? null,
    seen.slice(0, 10),
  ]);

/** Groups findings by package or rule, in the order of their first finding. */
export const groupFindings = (findings: ReportFinding[]): Group[] =>
  withIds(
    [...Map.groupBy(findings, causeOf).values()].map((members) => {
      const found = members[0]!.location.package;
      return {
        id: '',
        package: found && { ecosystem: found.ecosystem, name: found.name },
        severity: members[0]!.severity,
        rows: [...Map.groupBy(members, placeOf).values()].map((row) =>
          row.map((finding) => ({ number: finding.number, finding })),
        ),
      };
    }),
  );

/** Returns the groups with ids assigned in this order. */
export const withIds = (groups: Group[]): Group[] =>
  groups.map((group, index) => ({ ...group, id: `card_${index + 1}` }));

/** Returns the best-known id of an advisory. */
export const advisoryOf = ({ identifiers, rule }: ReportFinding): string =>
  plainText(identifiers.find((id) => /^CVE-/i.test(id)) ?? rule.id, { line: true, max: 60 });

const figureOf = ({ number }: Numbered): number => Number(number.slice(numberPrefix.length));

/** Returns runs of consecutive numbers, in ascending order. */
export function runsOf(members: Numbered[]): Numbered[][] {
  const runs: Numbered[][] = [];
  for (const member of members.toSorted((one, other) => figureOf(one) - figureOf(other))) {
    const last = runs.at(-1)?.at(-1);
    if (last && figureOf(member) === figureOf(last) + 1) runs.at(-1)!.push(member);
    else runs.push([member]);
  }
  return runs;
}

/** Returns `F-12`, `F-12–F-19` for a run, or `F-12 +7`: the lowest, and the count of the others. */
export function numbersOf(members: Numbered[]): string {
  const runs = runsOf(members);
  const first = runs[0]![0]!.number;
  if (members.length === 1) return first;
  return runs.length === 1 ? `${first}–${runs[0]!.at(-1)!.number}` : `${first} +${members.length - 1}`;
}
