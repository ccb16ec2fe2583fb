import { severityName, severityRank } from '../../findings/severity.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { formatTime, formatTimeOrNull, readTime } from '../../platform/times.ts';
import type { ReportAnalysis, ReportChanges, ReportRegister, SeverityComparison } from '../analysis-model.ts';
import { nameSources } from '../describe-filters.ts';
import type { ReportHead } from '../report-model.ts';
import { findOpenWork, listExamples, type ScoreRow } from './action-queries.ts';
import { chooseActions } from './actions.ts';
import { type ChangeKind, type ListedRow, listChanged } from './change-queries.ts';
import { describeCoverage } from './coverage.ts';
import { listCovered, listScanIntervals, listTools } from './coverage-queries.ts';
import type { Scope } from './head-queries.ts';
import { comparisonWith, keyFigures } from './key-figures.ts';
import { mapWeaknesses } from './mapping.ts';
import { placeName } from './place-name.ts';
import { countDecisions, type DecisionCountRow, listDecisions } from './register-queries.ts';
import { byOwner } from './responsibility.ts';
import { bySeverity, sumOf } from './tallies.ts';
import { describeTools } from './tools.ts';
import { countUrgency, findMedianDaysToFix, type UrgencyRow } from './urgency-queries.ts';
import { listIdentifiers } from './weakness-queries.ts';

const maxActions = 10;
/** Rules of the same name are joined, so more are read. */
const maxRead = 30;
const maxChanged = 20;
const maxDecisions = 1_000;

type Counted = Pick<
  ReportHead,
  'open' | 'open_by_severity' | 'unassigned_open' | 'in_period' | 'accepted_risks' | 'summary' | 'filters'
>;

/** Computes what a reader needs besides the counts, in the view of the database in which these were computed. */
export async function analyse(
  tx: Db,
  orgId: string,
  scope: Scope,
  head: Counted,
  earlier: ReportHead | undefined,
): Promise<ReportAnalysis> {
  const covered = await listCovered(tx, orgId, scope);
  const dataSources = new Map(covered.map((row) => [row.id, row]));
  const since = (earlier && readTime(earlier.taken_at)) ?? scope.period.from;
  const urgency = await countUrgency(tx, orgId, scope, since);
  const tools = (await listTools(tx, orgId)).filter(({ dataSourceId }) => dataSources.has(dataSourceId));
  const names = await nameSources(tx, orgId, [
    ...new Set([...Object.keys(head.summary.by_source), ...tools.map(({ source }) => source)]),
  ]);
  const measured = {
    overdue: urgency.reduce((sum, row) => sum + row.overdue, 0),
    medianDaysToFix: await findMedianDaysToFix(tx, orgId, scope),
  };
  const work = await findOpenWork(tx, orgId, scope, { upgrades: maxActions, rules: maxRead });
  const examples = await listExamples(
    tx,
    orgId,
    [...work.upgrades, ...work.replacements, ...work.rules].map(({ findingId }) => findingId),
  );
  const open = new Map(head.summary.by_data_source.map((source) => [source.id, source.open]));
  const identifiers = await listIdentifiers(tx, orgId, [...new Set(work.ruleCounts.map(({ ruleId }) => ruleId))]);
  const intervals = await listScanIntervals(tx, orgId);
  return {
    comparison: comparisonWith(earlier, head.filters),
    key_figures: keyFigures(head, measured, earlier),
    actions: chooseActions(work, examples, dataSources, maxActions),
    changes: await changesSince(tx, orgId, scope, since, urgency),
    coverage: describeCoverage(covered, tools, intervals, { at: scope.at, open, names }),
    ...byOwner(urgency, dataSources),
    register: await register(tx, orgId, scope),
    mapping: mapWeaknesses(work.ruleCounts, identifiers, head.open),
    severity_comparison: compareSeverities(work.scores),
    tools: describeTools(tools, head.summary.by_source, names),
  };
}

async function changesSince(
  tx: Db,
  orgId: string,
  scope: Scope,
  since: Date,
  counts: UrgencyRow[],
): Promise<ReportChanges> {
  const changed = async (kind: ChangeKind) => {
    const by_severity = bySeverity(counts, (row) => row[kind]);
    const rows = await listChanged(tx, orgId, scope, kind, { since, limit: maxChanged });
    return { total: sumOf(by_severity), by_severity, most_severe: rows.map(listed) };
  };
  return {
    since: formatTime(since),
    new: await changed('new'),
    fixed: await changed('fixed'),
    reopened: await changed('reopened'),
    accepted: await changed('accepted'),
  };
}

const listed = ({ id, title, location, severity, status, dataSourceId, dataSource, at }: ListedRow) => ({
  id,
  title,
  place: placeName(location),
  severity: severityName(severity),
  status,
  data_source: { id: dataSourceId, name: dataSource },
  at: formatTime(at),
});

async function register(tx: Db, orgId: string, scope: Scope): Promise<ReportRegister> {
  const counts = await countDecisions(tx, orgId, scope);
  const rows = await listDecisions(tx, orgId, scope, maxDecisions);
  const of = (status: DecisionCountRow['status']) => {
    const own = counts.filter((row) => row.status === status);
    const by_severity = bySeverity(own, ({ count }) => count);
    const without_reason = own.reduce((sum, { withoutComment }) => sum + withoutComment, 0);
    return { total: sumOf(by_severity), by_severity, without_reason };
  };
  const accepted = counts.filter(({ status }) => status === 'accepted_risk');
  return {
    entries: rows.map((row) => ({
      id: row.id,
      title: row.title,
      place: placeName(row.location),
      severity: severityName(row.severity),
      status: row.status,
      data_source: { id: row.dataSourceId, name: row.dataSource },
      decided_by: row.decidedById === null ? null : { id: row.decidedById, name: row.decidedBy ?? row.decidedById },
      decided_at: formatTimeOrNull(row.decidedAt),
      reason: row.reason,
      accepted_until: formatTimeOrNull(row.acceptedUntil),
    })),
    accepted_risk: { ...of('accepted_risk'), without_end: accepted.reduce((sum, row) => sum + row.withoutEnd, 0) },
    false_positive: of('false_positive'),
  };
}

function compareSeverities(rows: ScoreRow[]): SeverityComparison {
  const sum = (chosen: typeof rows) => chosen.reduce((all, { count }) => all + count, 0);
  const disagreeing = rows.filter((row) => severityName(row.severity) !== row.cvss);
  return {
    compared: sum(rows),
    agree: sum(rows) - sum(disagreeing),
    tool_higher: sum(disagreeing.filter((row) => row.severity > severityRank[row.cvss])),
    tool_lower: sum(disagreeing.filter((row) => row.severity < severityRank[row.cvss])),
    pairs: disagreeing
      .map(({ severity, cvss, count }) => ({ tool: severityName(severity), cvss, findings: count }))
      .sort((one, other) => other.findings - one.findings || (one.tool + one.cvss < other.tool + other.cvss ? -1 : 1)),
  };
}
