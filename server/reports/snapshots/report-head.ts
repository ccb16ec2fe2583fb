import { severities, severityName } from '@assay/scanner/contract/severity.ts';
import type { Flow } from '../../findings/counts.ts';
import { type FlowRow, growthOf, listFlows } from '../../findings/flows/flow-queries.ts';
import { closings, isOpen, statuses } from '../../findings/lifecycle.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { formatTime } from '../../platform/times.ts';
import {
  type CountRow,
  countAges,
  countFindings,
  type DataSourceRow,
  endOf,
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
  const flows = await listFlows(tx, orgId, scope.filters, [scope.period.from, endOf(scope)]);
  const figures = addUp(counts, flows, new Map(dataSources.map((row) => [row.id, row])));
  return {
    ...figures,
    weekly: await weekly(tx, orgId, scope, figures.open),
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

function addUp(rows: CountRow[], flows: FlowRow[], dataSources: Map<string, DataSourceRow>) {
  const figures = {
    summary: { total: 0, by_severity: tally(severities), by_status: tally(statuses), by_source: tally<string>([]) },
    by_severity_and_status: Object.fromEntries(
      severities.map((severity) => [severity, tally(statuses)]),
    ) as ReportHead['by_severity_and_status'],
    open: 0,
    open_by_severity: tally(severities),
    open_by_source: tally<string>([]),
    in_period: inPeriod(flows, rows),
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
    if (status === 'accepted_risk') {
      figures.accepted_risks.total += count;
      figures.accepted_risks.ending_soon += row.endingSoon;
    }
    const { id, name, kind } = dataSources.get(row.dataSourceId)!;
    const own = perDataSource.get(id) ?? {
      ...{ id, name, kind },
      open: 0,
      total: 0,
      open_by_severity: tally(severities),
    };
    perDataSource.set(id, own);
    own.total += count;
    if (!isOpen(status)) continue;
    own.open += count;
    own.open_by_severity[severity] += count;
    figures.open += count;
    figures.open_by_severity[severity] += count;
    figures.open_by_source[source] += count;
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

/**
 * The first span of flows starts with the period. Closings come from the records, and the findings still open from the
 * present.
 */
function inPeriod(flows: FlowRow[], rows: CountRow[]): ReportHead['in_period'] {
  const sumOf = (names: readonly Flow[]) =>
    flows.filter(({ span }) => span === 0).reduce((sum, row) => names.reduce((all, name) => all + row[name], sum), 0);
  const opened = sumOf(['new']);
  const stillOpen = rows.reduce((sum, row) => (isOpen(row.status) ? sum + row.opened : sum), 0);
  return {
    opened,
    // Some may have a different severity than when they were first seen.
    opened_still_open: Math.min(opened, stillOpen),
    closed: sumOf(closings),
    resolved: sumOf(['resolved', 'removed']),
  };
}

/** Computes backward from the findings that are open now. */
async function weekly(tx: Db, orgId: string, scope: Scope, openNow: number): Promise<ReportHead['weekly']> {
  const last = mondayOf(scope.today);
  const starts = Array.from({ length: weeks }, (_, index) => last - (weeks - 1 - index) * 7 * dayMs);
  const flows = await listFlows(
    tx,
    orgId,
    scope.filters,
    starts.map((start) => new Date(start)),
  );
  let open = openNow;
  const backwards = starts.toReversed().map((start, index) => {
    const own = flows.filter(({ span }) => span === weeks - 1 - index);
    const sum = (count: (row: FlowRow) => number) => own.reduce((all, row) => all + count(row), 0);
    const opened = sum((row) => row.new + row.reopened);
    const closed = sum((row) => closings.reduce((all, closing) => all + row[closing], 0));
    const week = { week: new Date(start).toISOString().slice(0, 10), opened, closed, open };
    open -= sum(growthOf);
    return week;
  });
  return backwards.reverse();
}

async function ages(tx: Db, orgId: string, scope: Scope): Promise<ReportHead['age']> {
  const rows = await countAges(tx, orgId, scope, ageBounds);
  return [...ageBounds, null].map((up_to_days, bucket) => {
    const by_severity = tally(severities);
    for (const row of rows) if (row.bucket === bucket) by_severity[severityName(row.severity)] += row.count;
    return { up_to_days, by_severity };
  });
}
