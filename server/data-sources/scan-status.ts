import Type, { type Static } from 'typebox';
import { enumeration, nullable, time } from '../platform/http/schema.ts';

/** From the worst to the best: a data source has the worst status of its scanners. */
export const dataSourceStatuses = ['failed', 'partial', 'stale', 'never_scanned', 'ok'] as const;
export type DataSourceStatus = (typeof dataSourceStatuses)[number];

/** The days after which the last scan of a scanner is too old. */
export const staleAfterDays = 7;

export const ScannerStatus = Type.Object(
  {
    source: Type.String({ description: 'The type of the detection source.' }),
    status: enumeration(['failed', 'partial', 'stale', 'ok'] as const, {
      $id: 'LastScanStatus',
      description: `\`failed\`; \`partial\`: a part of the data source was not read; \`stale\`: older than ${staleAfterDays} days; \`ok\`.`,
    }),
    at: time('When that scan or import ended.'),
    reason: nullable(Type.String({ description: 'Why it is not `ok`.' })),
  },
  {
    $id: 'ScannerStatus',
    description: 'The last scan or import of a data source by one scanner. Cancelled ones do not count.',
  },
);
export type ScannerStatus = Static<typeof ScannerStatus>;

const scansOf = `scan_targets t WHERE t.org_id = d.org_id AND t.data_source_id = d.id AND t.status IN ('completed', 'failed')`;
const names = `'{${dataSourceStatuses.join()}}'::text[]`;

/**
 * SQL that joins what the last scans of a data source `d` say at the time `at`: `s.status`, and `s.scanners`, a JSON array of
 * `ScannerStatus`, the worst first. Whoever shows a status has it from here. The last scan of each scanner is looked up by
 * its key.
 */
export const joinScanStatus = (at: string): string => `CROSS JOIN LATERAL (
  WITH RECURSIVE sources AS (
    (SELECT t.source FROM ${scansOf} ORDER BY t.source LIMIT 1)
    UNION ALL
    SELECT n.source FROM sources p
      CROSS JOIN LATERAL (SELECT t.source FROM ${scansOf} AND t.source > p.source ORDER BY t.source LIMIT 1) n
  ), last AS (
    SELECT p.source, t.* FROM sources p CROSS JOIN LATERAL (
      SELECT t.completed_at AS at, t.error, t.warnings[1] AS warning,
        CASE WHEN t.status = 'failed' THEN 'failed' WHEN t.closed_nothing = 'incomplete' THEN 'partial'
          WHEN t.completed_at < ${at} - interval '${staleAfterDays} days' THEN 'stale' ELSE 'ok' END AS status
      FROM ${scansOf} AND t.source = p.source ORDER BY t.scan_id DESC LIMIT 1) t
  ), ranked AS (SELECT last.*, array_position(${names}, status) AS rank FROM last)
  SELECT COALESCE((${names})[min(rank)], 'never_scanned') AS status,
    COALESCE(json_agg(json_build_object('source', source, 'status', status,
      'at', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'reason', CASE status WHEN 'failed' THEN COALESCE(error, 'The scan failed.')
        WHEN 'partial' THEN COALESCE(warning, 'A part of it could not be read.')
        WHEN 'stale' THEN 'The last complete scan was more than ${staleAfterDays} days ago.' END) ORDER BY rank, source), '[]') AS scanners
  FROM ranked) s`;
