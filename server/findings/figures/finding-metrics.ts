import { severities, severityName } from '@assay/scanner/contract/severity.ts';
import type { Instruments } from '../../platform/metrics.ts';
import { keepReadings } from '../../platform/monitoring/kept-readings.ts';
import { inEachCell } from '../../platform/postgres/cells/cell-database.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { statuses } from '../lifecycle.ts';

type Counted = { severity: number; status: string; count: number };

async function countAll(database: Database): Promise<Map<string, number>> {
  const text = 'SELECT severity, status, count FROM count_all_findings()';
  const rows = await inEachCell(database, (cell) => cell.single<Counted>(null, { name: 'findings_count_all', text }));
  return sumBy(rows.flat(), ({ severity, status }) => `${severityName(severity)} ${status}`);
}

async function countOverdue(database: Database): Promise<Map<string, number>> {
  const text = 'SELECT severity, count FROM count_all_overdue_findings()';
  const rows = await inEachCell(database, (cell) =>
    cell.single<Omit<Counted, 'status'>>(null, { name: 'findings_count_all_overdue', text }),
  );
  return sumBy(rows.flat(), ({ severity }) => severityName(severity));
}

function sumBy<Row extends { count: number }>(rows: Row[], keyOf: (row: Row) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.count);
  return sums;
}

/** Adds the findings of all organizations, from the stored counts. A severity or status without findings is 0. */
export function addFindingMetrics(metrics: Instruments, database: Database): void {
  const readAll = keepReadings(() => countAll(database));
  const readOverdue = keepReadings(() => countOverdue(database));
  metrics.gauge('findings', 'Findings by severity and status.', ['severity', 'status'], async () => {
    const counts = await readAll();
    return severities.flatMap((severity) =>
      statuses.map((status) => ({ labels: { severity, status }, value: counts.get(`${severity} ${status}`) ?? 0 })),
    );
  });
  metrics.gauge(
    'findings_overdue',
    'Open findings that are past their due time, by severity.',
    ['severity'],
    async () => {
      const counts = await readOverdue();
      return severities.map((severity) => ({ labels: { severity }, value: counts.get(severity) ?? 0 }));
    },
  );
}
