import { earliestId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { type ScanRow, selectScans } from './queries.ts';

export type ScanFilter = {
  sources: string[] | null;
  statuses: string[] | null;
  dataSourceIds: string[] | null;
  /** Inclusive. */
  createdFrom: Date | null;
  /** Exclusive. */
  createdUntil: Date | null;
};

/**
 * An id contains the time of its creation: for an import the start of its upload, up to an hour before the scan was
 * created, and by the clock of another machine.
 */
const idLeewayMs = 24 * 3_600_000;

const idNear = (time: Date | null, leewayMs: number): string | null =>
  time && earliestId('scan', time.getTime() + leewayMs);

/** $6 to $9: the range of ids limits the rows that are read, and the exact times are compared. */
const conditions = `s.org_id = $1 AND ($2::text[] IS NULL OR s.source = ANY($2)) AND ($3::text[] IS NULL OR s.status = ANY($3))
  AND s.id < least($4::text, $9::text, '~') AND s.id >= coalesce($8::text, '')
  AND ($6::timestamptz IS NULL OR s.created_at >= $6) AND ($7::timestamptz IS NULL OR s.created_at < $7)`;

const statements = {
  all: {
    name: 'scans_list',
    text: `${selectScans} WHERE ${conditions} ORDER BY s.id DESC LIMIT $5`,
  },
  /** Reads a page for each data source, and returns the newest of these. */
  ofDataSources: {
    name: 'scans_list_of_data_sources',
    text: `${selectScans} WHERE s.org_id = $1 AND s.id IN (
             SELECT DISTINCT newest.id FROM unnest($10::text[]) AS wanted(id)
             CROSS JOIN LATERAL (
               SELECT s.id FROM scan_targets t JOIN scans s ON s.org_id = t.org_id AND s.id = t.scan_id
               WHERE t.org_id = $1 AND t.data_source_id = wanted.id
                 AND t.scan_id < least($4::text, $9::text, '~') AND t.scan_id >= coalesce($8::text, '') AND ${conditions}
               ORDER BY t.scan_id DESC LIMIT $5) newest
             ORDER BY newest.id DESC LIMIT $5)
           ORDER BY s.id DESC LIMIT $5`,
  },
};

/** Lists a page of scans before `beforeId`, newest first. */
export async function listScans(
  db: Db,
  orgId: string,
  filter: ScanFilter,
  page: { beforeId: string | null; limit: number },
): Promise<ScanRow[]> {
  const { createdFrom, createdUntil, dataSourceIds } = filter;
  const values = [
    orgId,
    filter.sources,
    filter.statuses,
    page.beforeId,
    page.limit,
    createdFrom,
    createdUntil,
    idNear(createdFrom, -idLeewayMs),
    idNear(createdUntil, idLeewayMs),
  ];
  const statement =
    dataSourceIds === null
      ? { ...statements.all, values }
      : { ...statements.ofDataSources, values: [...values, dataSourceIds] };
  const { rows } = await db.query<ScanRow>(statement);
  return rows;
}
