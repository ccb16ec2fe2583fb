import type { Location } from '@assay/scanner/contract/detection.ts';
import { severities, severityName, severityRank } from '@assay/scanner/contract/severity.ts';
import { dataSourceStatuses } from '../../data-sources/scan-status.ts';
import { type FeedAge, findFeedAges } from '../../detection/advisories/feed-ages.ts';
import { type FlowRow, listFlows } from '../../findings/flows/flow-queries.ts';
import { findOrganizationPolicy } from '../../organization/policy-queries.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { formatTime, formatTimeOrNull, readTime } from '../../platform/times.ts';
import type {
  CoveredDataSource,
  DueFigures,
  Named,
  OwnerFigures,
  ReportAnalysis,
  ReportChanges,
  ReportCoverage,
  ReportDueDates,
  ReportOwners,
  ReportRegister,
  ReportTool,
  SeverityComparison,
} from '../analysis-model.ts';
import { nameSources } from '../describe-filters.ts';
import { plainText } from '../plain-text.ts';
import type { ReportHead } from '../report-model.ts';
import { findOpenWork, listExamples, type ScoreRow } from './action-queries.ts';
import { chooseActions, type DataSources } from './actions.ts';
import { type ChangeKind, changeMoves, type ListedRow, listChanged } from './change-queries.ts';
import { type CoveredRow, listCovered, listTools, type ToolRow } from './coverage-queries.ts';
import { type DataSourceRow, type Scope, startOfDay } from './head-queries.ts';
import { comparisonWith, keyFigures } from './key-figures.ts';
import { mapWeaknesses } from './mapping.ts';
import { countDecisions, type DecisionCountRow, listDecisions } from './register-queries.ts';
import { rollForward } from './roll-forward.ts';
import { bySeverity, criticalAndHigh, sumOf } from './tallies.ts';
import { countUrgency, findMedianDaysToFix, type UrgencyRow } from './urgency-queries.ts';
import { countWeaknesses } from './weakness-queries.ts';

/** Describes the tools that found something or completed a scan, those with the most findings first. */
function describeTools(
  tools: ToolRow[],
  findings: Record<string, number>,
  names: Record<string, string>,
): ReportTool[] {
  const bySource = Map.groupBy(tools, ({ source }) => source);
  const sources = new Set([...Object.keys(findings), ...bySource.keys()]);
  const described = [...sources].map((source): ReportTool => {
    const own = bySource.get(source) ?? [];
    const times = own.flatMap(({ completedAt }) => (completedAt === null ? [] : [completedAt.getTime()]));
    return {
      source,
      name: names[source] ?? source,
      version: versionsOf(own),
      findings: findings[source] ?? 0,
      data_sources: own.length,
      last_complete_scan_at: times.length === 0 ? null : formatTime(new Date(Math.max(...times))),
    };
  });
  return described.sort((one, other) => other.findings - one.findings || (one.name < other.name ? -1 : 1));
}

const maxVersions = 3;

/** Returns the versions in the last scan of each data source, newest scan first; null if none is known. */
function versionsOf(rows: ToolRow[]): string | null {
  const newest = rows.toSorted((one, other) => (other.completedAt?.getTime() ?? 0) - (one.completedAt?.getTime() ?? 0));
  const versions = [...new Set(newest.flatMap(({ version }) => version ?? []))];
  if (versions.length === 0) return null;
  const shown = versions.slice(0, maxVersions).join(', ');
  return versions.length > maxVersions ? `${shown}, …` : shown;
}

const maxOwners = 50;
const sum = (rows: UrgencyRow[], count: (row: UrgencyRow) => number) => rows.reduce((all, row) => all + count(row), 0);

const dueFigures = (rows: UrgencyRow[]): DueFigures => ({
  open_in_time: sum(rows, ({ open, overdue, withoutDueDate }) => open - overdue - withoutDueDate),
  overdue: sum(rows, ({ overdue }) => overdue),
  kept: sum(rows, ({ kept }) => kept),
  missed: sum(rows, ({ missed }) => missed),
  without_due_date: sum(rows, ({ withoutDueDate }) => withoutDueDate),
  resolved_without_due_date: sum(rows, ({ resolvedWithoutDueDate }) => resolvedWithoutDueDate),
});

/** Returns open findings and due dates by data source owner, owners with the most severe findings first. */
function byOwner(rows: UrgencyRow[], dataSources: DataSources): { owners: ReportOwners; due_dates: ReportDueDates } {
  const ownerOf = ({ dataSourceId }: UrgencyRow): string => dataSources.get(dataSourceId)?.ownerId ?? '';
  const named = new Map<string, Named>();
  for (const { ownerId, ownerName } of dataSources.values())
    if (ownerId !== null) named.set(ownerId, { id: ownerId, name: ownerName ?? ownerId });
  const groups = [...Map.groupBy(rows, ownerOf)].map(([id, own]): OwnerFigures & { due: DueFigures } => ({
    owner: named.get(id) ?? null,
    data_sources: new Set(own.map(({ dataSourceId }) => dataSourceId)).size,
    open: sum(own, ({ open }) => open),
    open_by_severity: bySeverity(own, ({ open }) => open),
    overdue: sum(own, ({ overdue }) => overdue),
    unassigned: sum(own, ({ unassigned }) => unassigned),
    due: dueFigures(own),
  }));
  groups.sort(
    (one, other) =>
      criticalAndHigh(other.open_by_severity) - criticalAndHigh(one.open_by_severity) ||
      other.open - one.open ||
      ((one.owner?.name ?? '') < (other.owner?.name ?? '') ? -1 : 1),
  );
  const listed = groups.slice(0, maxOwners);
  const ofSeverity = Map.groupBy(rows, (row) => severityName(row.severity));
  return {
    owners: { owners: listed.map(({ due: _, ...figures }) => figures), total: groups.length },
    due_dates: {
      by_severity: Object.fromEntries(
        severities.map((severity) => [severity, dueFigures(ofSeverity.get(severity) ?? [])]),
      ) as ReportDueDates['by_severity'],
      by_owner: listed.map(({ owner, due }) => ({ owner, ...due })),
    },
  };
}

const maxPlace = 240;

type Place = Pick<Location, 'path' | 'start_line' | 'url' | 'package'>;

/**
 * Returns the place of a finding in one line: `django 3.2.0, requirements.txt`, `src/db.ts:12` or an address; null if
 * unknown.
 */
export function placeName({ path, start_line: line, url, package: found }: Place): string | null {
  const named = found && [found.name, found.version ?? ''].join(' ').trim();
  const place = path && !found && line !== null ? `${path}:${line}` : (path ?? url);
  const parts = [named, place].filter((part) => part);
  return parts.length === 0 ? null : plainText(parts.join(', '), { line: true, max: maxPlace });
}

const maxListed = 1_000;

/** Returns the tools that scanned a data source without ever completing a scan. */
function neverCompleted(dataSources: CoveredRow[], completed: ToolRow[]): ToolRow[] {
  const known = new Set(completed.map(({ dataSourceId, source }) => `${dataSourceId} ${source}`));
  return dataSources.flatMap(({ id, scanners }) =>
    scanners
      .filter(({ source }) => !known.has(`${id} ${source}`))
      .map(({ source }) => ({ dataSourceId: id, source, completedAt: null, version: null })),
  );
}

/** Describes which data sources were scanned, by which tools and when, those that need attention first. */
function describeCoverage(
  dataSources: CoveredRow[],
  tools: ToolRow[],
  {
    open,
    names,
    feeds,
    staleAfterDays,
  }: { open: ReadonlyMap<string, number>; names: Record<string, string>; feeds: FeedAge[]; staleAfterDays: number },
): ReportCoverage {
  const byDataSource = Map.groupBy(tools, ({ dataSourceId }) => dataSourceId);
  const described = dataSources.map((row): CoveredDataSource => {
    const completed = new Map((byDataSource.get(row.id) ?? []).map(({ source, completedAt }) => [source, completedAt]));
    const times = [...completed.values()].flatMap((at) => (at === null ? [] : [at.getTime()]));
    return {
      id: row.id,
      name: row.name,
      kind: row.kind,
      owner: row.ownerId === null ? null : { id: row.ownerId, name: row.ownerName ?? row.ownerId },
      criticality: row.criticality,
      exposure: row.exposure,
      state: row.status,
      last_complete_scan_at: times.length === 0 ? null : formatTime(new Date(Math.max(...times))),
      tools: row.scanners.map((scanner) => ({
        ...scanner,
        name: names[scanner.source] ?? scanner.source,
        last_complete_scan_at: formatTimeOrNull(completed.get(scanner.source) ?? null),
      })),
      open: open.get(row.id) ?? 0,
    };
  });
  const byState = Map.groupBy(described, ({ state }) => state);
  return {
    data_sources: dataSourceStatuses.flatMap((state) => byState.get(state) ?? []).slice(0, maxListed),
    total: described.length,
    stale_after_days: staleAfterDays,
    by_state: Object.fromEntries(
      dataSourceStatuses.map((state) => [state, byState.get(state)?.length ?? 0]),
    ) as ReportCoverage['by_state'],
    feeds: (['kev', 'epss', 'advisories'] as const).map((name) => ({
      name,
      loaded_at: formatTimeOrNull(feeds.find(({ feed }) => feed === name)?.loadedAt ?? null),
    })),
  };
}

const maxActions = 10;
/** Rules with the same name are merged, so more rules are read than shown. */
const maxRead = 30;
const maxChanged = 20;
const maxDecisions = 1_000;

type Counted = Pick<
  ReportHead,
  'open' | 'open_by_severity' | 'unassigned_open' | 'accepted_risks' | 'summary' | 'filters'
> & { dataSources: DataSourceRow[] };

/** Computes the analysis in the same view of the database as the counts. */
export async function analyse(
  tx: Db,
  orgId: string,
  scope: Scope,
  head: Counted,
  earlier: ReportHead | undefined,
): Promise<ReportAnalysis> {
  const covered = await listCovered(tx, orgId, scope);
  const dataSources = new Map(head.dataSources.map((row) => [row.id, row]));
  const coveredIds = new Set(covered.map(({ id }) => id));
  const earlierAt = earlier && readTime(earlier.taken_at);
  const since = earlierAt ? startOfDay(earlierAt) : scope.period.from;
  const flows = await listFlows(tx, orgId, scope.filters, [since]);
  const urgency = await countUrgency(tx, orgId, scope);
  const completed = (await listTools(tx, orgId)).filter(({ dataSourceId }) => coveredIds.has(dataSourceId));
  const tools = [...completed, ...neverCompleted(covered, completed)];
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
  const { stale_after_days: staleAfterDays } = (await findOrganizationPolicy(tx, orgId))!;
  const open = new Map(head.summary.by_data_source.map((source) => [source.id, source.open]));
  return {
    comparison: comparisonWith(earlier, head.filters),
    key_figures: keyFigures(head, measured, earlier),
    actions: chooseActions(work, examples, dataSources, maxActions),
    roll_forward: rollForward(scope, head, since, flows),
    changes: await changesSince(tx, orgId, scope, since, flows),
    coverage: describeCoverage(covered, tools, { open, names, feeds: await findFeedAges(tx), staleAfterDays }),
    ...byOwner(urgency, dataSources),
    register: await register(tx, orgId, scope),
    mapping: mapWeaknesses(await countWeaknesses(tx, orgId, scope)),
    severity_comparison: compareSeverities(work.scores),
    tools: describeTools(tools, head.summary.by_source, names),
  };
}

async function changesSince(
  tx: Db,
  orgId: string,
  scope: Scope,
  since: Date,
  flows: FlowRow[],
): Promise<ReportChanges> {
  const changed = async (kind: ChangeKind) => {
    const by_severity = bySeverity(flows, (row) => row[changeMoves[kind]]);
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
      ...(row.reason === null && row.justification !== null && { justification: row.justification }),
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
