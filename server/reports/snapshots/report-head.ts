import { isOpen, statuses } from '../../findings/lifecycle.ts';
import { severities, severityName } from '../../findings/severity.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { formatTime } from '../../platform/times.ts';
import {
  type CountRow,
  countAges,
  countFindings,
  countWeeks,
  type DataSourceRow,
  listMostSevereRules,
  listOldestOpen,
  type Scope,
} from '../analysis/head-queries.ts';
import type { ReportHead } from '../report-model.ts';

const dayMs = 86_400_000;
const weeks = 26;
const ageBounds = [7, 30, 90, 180, 365];
const maxDataSources = 10;
const maxSteps = 5;

type Figures = Pick<
  ReportHead,
  | ('summary' | 'by_severity_and_status' | 'open' | 'open_by_severity' | 'open_by_source' | 'top_data_sources')
  | ('in_period' | 'reopened' | 'unassigned_open' | 'accepted_risks' | 'weekly' | 'age' | 'oldest_open' | 'first_steps')
>;

const tally = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;

/** Computes all figures of a report from the findings that the scope selects in this view of the database. */
export async function computeFigures(
  tx: Db,
  orgId: string,
  scope: Scope,
  dataSources: DataSourceRow[],
): Promise<Figures> {
  const counts = await countFindings(tx, orgId, scope);
  return {
    ...addUp(counts, new Map(dataSources.map((row) => [row.id, row]))),
    weekly: await weekly(tx, orgId, scope),
    age: await ages(tx, orgId, scope),
    oldest_open: (await listOldestOpen(tx, orgId, scope, 5)).map((row) => ({
      id: row.id,
      title: row.title,
      severity: severityName(row.severity),
      data_source: row.dataSource,
      first_seen_at: formatTime(row.firstSeenAt),
      age_days: Math.floor((scope.at.getTime() - row.firstSeenAt.getTime()) / dayMs),
    })),
    first_steps: (await listMostSevereRules(tx, orgId, scope, maxSteps)).map((row) => ({
      rule: { id: row.ruleId, name: row.ruleName },
      severity: severityName(row.severity),
      open: row.open,
      data_sources: row.dataSources,
      remediation: row.remediation,
      finding_id: row.findingId,
    })),
  };
}

function addUp(rows: CountRow[], dataSources: Map<string, DataSourceRow>) {
  const figures = {
    summary: { total: 0, by_severity: tally(severities), by_status: tally(statuses), by_source: tally<string>([]) },
    by_severity_and_status: Object.fromEntries(
      severities.map((severity) => [severity, tally(statuses)]),
    ) as ReportHead['by_severity_and_status'],
    open: 0,
    open_by_severity: tally(severities),
    open_by_source: tally<string>([]),
    in_period: { opened: 0, opened_still_open: 0, closed: 0, resolved: 0 },
    reopened: 0,
    unassigned_open: tally(severities),
    accepted_risks: { total: 0, ending_soon: 0 },
  };
  const perDataSource = new Map<string, ReportHead['top_data_sources'][number] & { total: number }>();
  for (const row of rows) {
    const severity = severityName(row.severity);
    const { count, status, source } = row;
    figures.summary.total += count;
    figures.summary.by_severity[severity] += count;
    figures.summary.by_status[status] += count;
    figures.summary.by_source[source] = (figures.summary.by_source[source] ?? 0) + count;
    figures.open_by_source[source] ??= 0;
    figures.by_severity_and_status[severity][status] += count;
    figures.in_period.opened += row.opened;
    figures.in_period.closed += row.closed;
    if (status === 'resolved') figures.in_period.resolved += row.closed;
    if (status === 'accepted_risk') {
      figures.accepted_risks.total += count;
      figures.accepted_risks.ending_soon += row.endingSoon;
    }
    const known = dataSources.get(row.dataSourceId) ?? { id: row.dataSourceId, name: '', kind: 'upload' };
    const own = perDataSource.get(row.dataSourceId) ?? {
      ...known,
      open: 0,
      total: 0,
      open_by_severity: tally(severities),
    };
    perDataSource.set(row.dataSourceId, own);
    own.total += count;
    if (!isOpen(status)) continue;
    own.open += count;
    own.open_by_severity[severity] += count;
    figures.open += count;
    figures.open_by_severity[severity] += count;
    figures.open_by_source[source] += count;
    figures.in_period.opened_still_open += row.opened;
    figures.reopened += row.reopened;
    figures.unassigned_open[severity] += row.unassigned;
  }
  const ordered = [...perDataSource.values()].sort(
    (a, b) => b.open - a.open || b.total - a.total || (a.id < b.id ? -1 : 1),
  );
  const by_data_source = ordered.map(({ id, name, open, total }) => ({ id, name, open, total }));
  const top_data_sources = ordered
    .filter((source) => source.open > 0)
    .slice(0, maxDataSources)
    .map(({ total: _, ...source }) => source);
  return { ...figures, summary: { ...figures.summary, by_data_source }, top_data_sources };
}

function mondayOf(time: Date): number {
  const midnight = Math.floor(time.getTime() / dayMs) * dayMs;
  return midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * dayMs;
}

async function weekly(tx: Db, orgId: string, scope: Scope): Promise<ReportHead['weekly']> {
  const start = mondayOf(scope.at) - (weeks - 1) * 7 * dayMs;
  const moves = new Map((await countWeeks(tx, orgId, scope, new Date(start))).map((row) => [row.week, row]));
  const before = moves.get(-1);
  let open = (before?.opened ?? 0) - (before?.closed ?? 0);
  return Array.from({ length: weeks }, (_, index) => {
    const { opened = 0, closed = 0 } = moves.get(index) ?? {};
    open += opened - closed;
    return { week: new Date(start + index * 7 * dayMs).toISOString().slice(0, 10), opened, closed, open };
  });
}

async function ages(tx: Db, orgId: string, scope: Scope): Promise<ReportHead['age']> {
  const rows = await countAges(tx, orgId, scope, ageBounds);
  return [...ageBounds, null].map((up_to_days, bucket) => {
    const by_severity = tally(severities);
    for (const row of rows) if (row.bucket === bucket) by_severity[severityName(row.severity)] += row.count;
    return { up_to_days, by_severity };
  });
}
