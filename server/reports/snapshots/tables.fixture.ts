import assert from 'node:assert/strict';
import { isOpen, statuses } from '../../findings/lifecycle.ts';
import type { ReportFinding, ReportHead } from '../report-model.ts';
import { problemOf, problemsOf, ranks, type Severity, sumOf } from './claims.fixture.ts';

/** Whether a table lists problems. */
export const isProblem = ({ description }: { description: string }) => /problems with the short ids/.test(description);

/** Returns the expected figure columns of a table. */
export function figuresOf(
  head: ReportHead,
  findings: ReportFinding[],
  table: { section: string; description: string; first: string[] },
): number[][] {
  const { summary, analysis } = head;
  const {
    owners,
    due_dates: due,
    roll_forward: roll,
    mapping,
    tools,
    severity_comparison: scores,
    coverage,
  } = analysis!;
  const by = (figures: Record<Severity, number>) => ranks.map((name) => figures[name]);
  const withSum = (figures: Record<Severity, number>) => [...by(figures), sumOf(by(figures))];
  const counts = (open: number, total: number) => [open, total - open, total];
  const dueFigures = (one: (typeof due)['by_owner'][number] | (typeof due)['by_severity']['high']) => [
    ...[one.open_in_time, one.overdue, one.without_due_date, one.kept, one.missed, one.resolved_without_due_date],
  ];
  const categories = (rows: Array<{ open: number; open_by_severity: Record<Severity, number> }>) => {
    const withInfo = rows.some(({ open_by_severity: figures }) => figures.info > 0);
    return rows.map((row) => [...by(row.open_by_severity).slice(0, withInfo ? 5 : 4), row.open]);
  };
  const lines = [
    'open_then',
    'new',
    'reopened',
    'resolved',
    'removed',
    'accepted',
    'false_positive',
    'reclassified',
    'open_now',
  ] as const;
  const columns = roll ? [...ranks.map((name) => roll.by_severity[name]), roll.total] : [];
  const minus = ['resolved', 'removed', 'accepted', 'false_positive'];
  const { section, description } = table;
  const tables: Array<[RegExp, () => number[][]]> = [
    [
      /by severity and status$/,
      () => [
        ...ranks.map((name) => [
          ...statuses.map((status) => head.by_severity_and_status[name][status]),
          summary.by_severity[name],
        ]),
        [...statuses.map((status) => summary.by_status[status]), summary.total],
      ],
    ],
    [
      /by detection source$/,
      () => [
        ...Object.entries(summary.by_source)
          .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
          .map(([source, total]) => counts(head.open_by_source[source]!, total)),
        counts(head.open, summary.total),
      ],
    ],
    [
      /by data source, most open first$/,
      () => [...summary.by_data_source.map(({ open, total }) => counts(open, total)), counts(head.open, summary.total)],
    ],
    [
      /by owner and severity$/,
      () => owners.owners.map((one) => [...by(one.open_by_severity), one.open, one.overdue, one.unassigned]),
    ],
    [/by age since/, () => [...head.age.map((age) => withSum(age.by_severity)), withSum(head.open_by_severity)]],
    [/kept and missed, by severity$/, () => ranks.map((name) => dueFigures(due.by_severity[name]))],
    [/kept and missed, by owner$/, () => due.by_owner.map(dueFigures)],
    [
      /^Findings open at the start/,
      () =>
        lines
          .filter((line) => !['removed', 'reclassified'].includes(line) || columns.some((column) => column[line] !== 0))
          .map((line) => columns.map((column) => (minus.includes(line) ? -column[line] : column[line]))),
    ],
    [
      /^Data sources with kind/,
      () =>
        coverage.data_sources
          .filter(({ state }) => head.template !== 'executive' || state !== 'ok')
          .map(({ open }) => [open]),
    ],
    [/: Most frequent weaknesses$/, () => categories(mapping.weaknesses.slice(0, 15))],
    [
      /^Open findings by category/,
      () =>
        categories(
          mapping.standards
            .find(({ id }) => section === `standard_${id.replace(/\W/g, '_')}`)!
            .categories.filter(({ open }) => open > 0),
        ),
    ],
    [/CVSS score disagree$/, () => scores.pairs.map((pair) => [pair.findings])],
    [/^Tools with version/, () => tools.map((tool) => [tool.data_sources, tool.findings])],
  ];
  const found = tables.find(([pattern]) => pattern.test(description));
  if (isProblem(table)) return indexOf(findings, table.first);
  assert.ok(found, `a table of figures: ${description}`);
  return found[1]().map((row) => row.map((value) => value + 0));
}

/** Returns the number of findings, and of open ones, for the problems in the rows. */
function indexOf(findings: ReportFinding[], first: string[]): number[][] {
  const { problems, byNumber } = problemsOf(findings);
  return first.map((numbers) => {
    const own = problems.get(problemOf(byNumber.get(numbers.match(/F-\d+/)![0])!))!;
    return [own.length, own.filter(({ status }) => isOpen(status)).length];
  });
}
