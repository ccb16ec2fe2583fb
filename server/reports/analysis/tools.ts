import { findDetector } from '../../detection/registry.ts';
import { formatTime } from '../../platform/times.ts';
import type { ReportTool } from '../analysis-model.ts';
import type { ToolRow } from './coverage-queries.ts';

/** Describes the tools that found something or completed a scan, those with the most findings first. */
export function describeTools(
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
      version: versionsOf(own) ?? findDetector(source)?.version ?? null,
      findings: findings[source] ?? 0,
      data_sources: own.length,
      last_complete_scan_at: times.length === 0 ? null : formatTime(new Date(Math.max(...times))),
    };
  });
  return described.sort((one, other) => other.findings - one.findings || (one.name < other.name ? -1 : 1));
}

const maxVersions = 3;

/** Returns the versions of the last scans of each data source, the newest scan first; null if none is known. */
function versionsOf(rows: ToolRow[]): string | null {
  const newest = rows.toSorted((one, other) => (other.completedAt?.getTime() ?? 0) - (one.completedAt?.getTime() ?? 0));
  const versions = [...new Set(newest.flatMap(({ version }) => version ?? []))];
  if (versions.length === 0) return null;
  const shown = versions.slice(0, maxVersions).join(', ');
  return versions.length > maxVersions ? `${shown}, …` : shown;
}
