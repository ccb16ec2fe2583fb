import { severities, severityName } from '../../findings/severity.ts';
import type { DueFigures, Named, OwnerFigures, ReportDueDates, ReportOwners } from '../analysis-model.ts';
import type { DataSources } from './actions.ts';
import { bySeverity, criticalAndHigh } from './tallies.ts';
import type { UrgencyRow } from './urgency-queries.ts';

const maxOwners = 50;
const sum = (rows: UrgencyRow[], count: (row: UrgencyRow) => number) => rows.reduce((all, row) => all + count(row), 0);

const dueFigures = (rows: UrgencyRow[]): DueFigures => ({
  open_in_time: sum(rows, ({ open, overdue, withoutDueDate }) => open - overdue - withoutDueDate),
  overdue: sum(rows, ({ overdue }) => overdue),
  kept: sum(rows, ({ kept }) => kept),
  missed: sum(rows, ({ missed }) => missed),
  without_due_date: sum(rows, ({ withoutDueDate }) => withoutDueDate),
});

/** Returns open findings and due dates by the owners of the data sources, those with the most severe findings first. */
export function byOwner(
  rows: UrgencyRow[],
  dataSources: DataSources,
): { owners: ReportOwners; due_dates: ReportDueDates } {
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
