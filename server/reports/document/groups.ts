import type { Severity } from '../../findings/severity.ts';
import { plainText } from '../plain-text.ts';
import type { ReportFinding } from '../report-model.ts';

/** A finding with its short id in the document, such as `F-012`. */
export type Numbered = { number: string; finding: ReportFinding };

/** Findings in the same place and state, which share a row. */
export type GroupRow = Numbered[];

/** Findings with one cause: those of a package, or of a rule. */
export type Group = {
  /** The id of its heading. */
  id: string;
  package: { ecosystem: string; name: string } | null;
  /** That of its most severe finding. */
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

/** Groups findings by package or rule, in the order of their first ones, and numbers them in this order. */
export const groupFindings = (findings: ReportFinding[]): Group[] =>
  numbered(
    [...Map.groupBy(findings, causeOf).values()].map((members) => {
      const found = members[0]!.location.package;
      return {
        id: '',
        package: found && { ecosystem: found.ecosystem, name: found.name },
        severity: members[0]!.severity,
        rows: [...Map.groupBy(members, placeOf).values()].map((row) => row.map((finding) => ({ number: '', finding }))),
      };
    }),
  );

/** Returns the groups with the ids and short ids of this order. */
export function numbered(groups: Group[]): Group[] {
  const count = groups.reduce((sum, { rows }) => sum + rows.reduce((own, row) => own + row.length, 0), 0);
  const digits = Math.max(3, String(count).length);
  let last = 0;
  const next = ({ finding }: Numbered): Numbered => ({ number: `F-${String(++last).padStart(digits, '0')}`, finding });
  return groups.map((group, index) => ({
    ...group,
    id: `card_${index + 1}`,
    rows: group.rows.map((row) => row.map(next)),
  }));
}

/** Returns the id by which an advisory is known best. */
export const advisoryOf = ({ identifiers, rule }: ReportFinding): string =>
  plainText(identifiers.find((id) => /^CVE-/i.test(id)) ?? rule.id, { line: true, max: 60 });

/** Returns `F-012`, or `F-012–F-019`. */
export function numbersOf(members: Numbered[]): string {
  const [first, last] = [members[0]!.number, members.at(-1)!.number];
  return first === last ? first : `${first}–${last}`;
}
