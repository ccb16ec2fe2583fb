import type { Db } from '../platform/postgres/database.ts';
import { isOpen, type Status } from './lifecycle.ts';

/** The figures in which a finding counts. `severity` is the stored rank (0-4). */
export type CountedFinding = { dataSourceId: string; source: string; severity: number; status: Status };

type Delta = { data_source_id: string; source: string; severity: number; status: string; count: number };
type Day = { data_source_id: string; source: string; severity: number; opened: number; closed: number };

/**
 * Collects a transaction's changes to the figures and writes them at once, last. Every writer locks findings first and
 * figures second, both in key order, so that no two wait for each other.
 */
export class CountChanges {
  readonly #deltas = new Map<string, Delta>();
  readonly #days = new Map<string, Day>();

  /** Notes that `times` findings went from one state to another; `from` is null for new findings. */
  moved(from: CountedFinding | null, to: CountedFinding, times = 1): void {
    if (from) this.#count(from, -times);
    this.#count(to, times);
    const wasOpen = from !== null && isOpen(from.status);
    if (isOpen(to.status) && !wasOpen) this.#day(to).opened += times;
    // A finding that was never open, such as an imported suppression, does not count as closed.
    if (!isOpen(to.status) && wasOpen) this.#day(to).closed += times;
  }

  async write(tx: Db, orgId: string): Promise<void> {
    const deltas = [...this.#deltas.values()].filter((delta) => delta.count !== 0);
    if (deltas.length > 0) {
      await tx.query({
        name: 'finding_counts_add',
        text: `INSERT INTO finding_counts (org_id, data_source_id, source, severity, status, count)
               SELECT $1, d.* FROM json_to_recordset($2::json)
                 AS d(data_source_id text, source text, severity smallint, status text, count bigint)
               ORDER BY 1, 2, 3, 4, 5
               ON CONFLICT (org_id, data_source_id, source, severity, status)
                 DO UPDATE SET count = finding_counts.count + excluded.count`,
        values: [orgId, JSON.stringify(deltas)],
      });
    }
    if (this.#days.size > 0) {
      await tx.query({
        name: 'finding_daily_add',
        text: `INSERT INTO finding_daily (org_id, day, data_source_id, source, severity, opened, closed)
               SELECT $1, (clock_timestamp() AT TIME ZONE 'UTC')::date, d.* FROM json_to_recordset($2::json)
                 AS d(data_source_id text, source text, severity smallint, opened bigint, closed bigint)
               ORDER BY 1, 2, 3, 4, 5
               ON CONFLICT (org_id, day, data_source_id, source, severity)
                 DO UPDATE SET opened = finding_daily.opened + excluded.opened, closed = finding_daily.closed + excluded.closed`,
        values: [orgId, JSON.stringify([...this.#days.values()])],
      });
    }
  }

  #count({ dataSourceId, source, severity, status }: CountedFinding, by: number): void {
    const key = JSON.stringify([dataSourceId, source, severity, status]);
    const delta = this.#deltas.get(key);
    if (delta) delta.count += by;
    else this.#deltas.set(key, { data_source_id: dataSourceId, source, severity, status, count: by });
  }

  #day({ dataSourceId, source, severity }: CountedFinding): Day {
    const key = JSON.stringify([dataSourceId, source, severity]);
    const day = this.#days.get(key) ?? { data_source_id: dataSourceId, source, severity, opened: 0, closed: 0 };
    this.#days.set(key, day);
    return day;
  }
}
