import { formatTime, formatTimeOrNull } from '../../platform/times.ts';
import { type CoverageState, type CoveredDataSource, coverageStates, type ReportCoverage } from '../analysis-model.ts';
import type { CoveredRow, IntervalRow, ToolRow } from './coverage-queries.ts';

const dayMs = 86_400_000;
const maxAgeDays = 30;
const maxListed = 1_000;

/** Returns after how many days without a complete scan a data source is stale: 30, or twice its shortest interval. */
function staleAfterDays(id: string, intervals: IntervalRow[]): number {
  const own = intervals
    .filter(({ dataSourceIds }) => dataSourceIds === null || dataSourceIds.includes(id))
    .map(({ days }) => Math.max(1, Math.ceil(2 * days)));
  return Math.min(maxAgeDays, ...own);
}

function stateOf(tools: ToolRow[], lastAt: Date | null, staleAfter: number, at: Date): CoverageState {
  if (tools.length === 0) return 'never_scanned';
  if (tools.some(({ error }) => error !== null)) return 'failed';
  return lastAt === null || at.getTime() - lastAt.getTime() > staleAfter * dayMs ? 'stale' : 'current';
}

/** Describes which data sources were scanned, by which tools and when; those that need attention come first. */
export function describeCoverage(
  dataSources: CoveredRow[],
  tools: ToolRow[],
  intervals: IntervalRow[],
  { at, open, names }: { at: Date; open: ReadonlyMap<string, number>; names: Record<string, string> },
): ReportCoverage {
  const byDataSource = Map.groupBy(tools, ({ dataSourceId }) => dataSourceId);
  const described = dataSources.map((row): CoveredDataSource => {
    const own = byDataSource.get(row.id) ?? [];
    const completed = own.flatMap(({ completedAt }) => (completedAt === null ? [] : [completedAt.getTime()]));
    const lastAt = completed.length === 0 ? null : new Date(Math.max(...completed));
    const staleAfter = staleAfterDays(row.id, intervals);
    return {
      id: row.id,
      name: row.name,
      kind: row.kind,
      owner: row.ownerId === null ? null : { id: row.ownerId, name: row.ownerName ?? row.ownerId },
      criticality: row.criticality,
      exposure: row.exposure,
      state: stateOf(own, lastAt, staleAfter, at),
      last_complete_scan_at: lastAt && formatTime(lastAt),
      stale_after_days: staleAfter,
      tools: own
        .map(({ source, completedAt, error }) => ({
          source,
          name: names[source] ?? source,
          last_complete_scan_at: formatTimeOrNull(completedAt),
          error: error === '' ? 'The scan failed.' : error,
        }))
        .sort((one, other) => (one.name < other.name ? -1 : 1)),
      open: open.get(row.id) ?? 0,
    };
  });
  const byState = Map.groupBy(described, ({ state }) => state);
  return {
    data_sources: coverageStates.flatMap((state) => byState.get(state) ?? []).slice(0, maxListed),
    total: described.length,
    by_state: Object.fromEntries(
      coverageStates.map((state) => [state, byState.get(state)?.length ?? 0]),
    ) as ReportCoverage['by_state'],
  };
}
