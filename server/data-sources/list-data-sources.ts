import type { CursorPosition } from '../platform/http/cursor.ts';
import type { Statement } from '../platform/postgres/database.ts';
import type { DataSourceKind } from './kind.ts';
import { type DataSourceRow, dataSourceColumns, dataSourcesWithStatus, openFindings } from './queries.ts';
import { dataSourceStatuses } from './scan-status.ts';

const name = `lower(d.name) COLLATE "C"`;
/** Addresses have the collation C, in which `lower` changes only ASCII. */
const searched = `concat_ws(E'\\n', d.name, d.address, d.config->>'url', d.config->>'address', d.config->>'reference')`;
const lastScanned = `COALESCE(d.last_scanned_at, '-infinity')`;

/** The keys of each order before the id, in the form of cursors, and of the indexes where there is one. */
const keys = {
  created_at: null,
  name: { expression: name, type: 'text' },
  last_scanned_at: { expression: lastScanned, type: 'timestamptz' },
  open_findings: { expression: openFindings, type: 'bigint' },
  status: { expression: `array_position('{${dataSourceStatuses.join()}}'::text[], s.status)`, type: 'integer' },
} as const;

export const dataSourceSorts = [
  '-created_at',
  'created_at',
  'name',
  '-name',
  'last_scanned_at',
  '-last_scanned_at',
  'open_findings',
  '-open_findings',
  'status',
  '-status',
] as const;
export type DataSourceSort = (typeof dataSourceSorts)[number];

export type DataSourceFilter = {
  /** A part of the name or address, ignoring case. */
  text: string | null;
  kinds: readonly DataSourceKind[] | null;
  statuses: readonly DataSourceRow['status'][] | null;
};

export type ListedDataSource = DataSourceRow & { sort_key: string | null };

/** The position of a row for a cursor. */
export const positionOf = (row: ListedDataSource): CursorPosition => [row.sort_key, row.id];

/**
 * Lists a page: at most `limit` rows after the position. Rows with equal keys are ordered by id; ids ascend with time.
 * A filter reads on in order until the page is full: an organization has thousands of data sources at most.
 */
export function listDataSources(
  orgId: string,
  filter: DataSourceFilter,
  { sort, after, limit }: { sort: DataSourceSort; after: CursorPosition | null; limit: number },
): Statement {
  const isDescending = sort.startsWith('-');
  const [comparison, direction] = isDescending ? ['<', 'DESC'] : ['>', 'ASC'];
  const key = keys[sort.replace('-', '') as keyof typeof keys];
  const begin = key
    ? `(${key.expression}, d.id) ${comparison} ($6::${key.type}, $7)`
    : `d.id ${comparison} $7 AND $6::text IS NULL`;
  return {
    name: `data_sources_list_${sort}${after === null ? '' : '_after'}`,
    text: `SELECT ${dataSourceColumns}, ${key ? `(${key.expression})::text` : 'NULL'} AS sort_key FROM ${dataSourcesWithStatus}
           WHERE d.org_id = $1 AND d.deleted_at IS NULL
             AND ($2::text IS NULL OR position(lower($2) IN lower(${searched} COLLATE "default")) > 0)
             AND ($3::text[] IS NULL OR d.kind = ANY($3)) AND ($4::text[] IS NULL OR s.status = ANY($4))
             ${after === null ? '' : `AND ${begin}`}
           ORDER BY ${key ? `${key.expression} ${direction}, ` : ''}d.id ${direction} LIMIT $5`,
    values: [orgId, filter.text, filter.kinds, filter.statuses, limit, ...(after ?? [])],
  };
}
