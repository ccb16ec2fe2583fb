import Type, { type Static } from 'typebox';
import { enumeration, nullable, time } from '../platform/http/schema.ts';

/** From the worst to the best: a data source has the worst status of its scanners. */
export const dataSourceStatuses = ['failed', 'partial', 'stale', 'never_scanned', 'ok'] as const;
export type DataSourceStatus = (typeof dataSourceStatuses)[number];

export const ScannerStatus = Type.Object(
  {
    source: Type.String({ description: 'The type of the detection source.' }),
    status: enumeration(['failed', 'partial', 'stale', 'ok'] as const, {
      $id: 'LastScanStatus',
      description: `\`failed\`; \`partial\`: a part of the data source was not read; \`stale\`: older than the policy's \`stale_after_days\`; \`ok\`.`,
    }),
    at: time('When that scan or import ended.'),
    reason: nullable(Type.String({ description: 'Why it is not `ok`.' })),
    revision: nullable(Type.String(), {
      description:
        'The commit of the git repository that it read; null for imports, other kinds of data sources, and a scan that failed.',
    }),
    is_behind: Type.Boolean({ description: 'Whether another scanner has read a newer revision since.' }),
  },
  {
    $id: 'ScannerStatus',
    description: 'The last scan or import of a data source by one scanner. Cancelled ones do not count.',
  },
);
export type ScannerStatus = Static<typeof ScannerStatus>;

/** SQL of the last scan of the scanner whose name sorts last; `before` restricts the names. */
const lastScan = (
  before = '',
): string => `(SELECT t.source, t.status, t.completed_at, t.error, t.warnings[1] AS warning, t.closed_nothing, t.revision
    FROM scan_targets t WHERE t.org_id = d.org_id AND t.data_source_id = d.id AND t.status IN ('completed', 'failed') ${before}
    ORDER BY t.source DESC, t.scan_id DESC LIMIT 1)`;
const names = `'{${dataSourceStatuses.join()}}'::text[]`;

/**
 * SQL that joins the status of a data source `d` from its last scans at the time `at`: `s.status`, and `s.scanners`, a
 * JSON array of `ScannerStatus`, worst first. Every page and report that shows a status uses it. Each scanner costs one
 * index lookup, however many scans there were.
 */
export const joinScanStatus = (at: string): string => `CROSS JOIN LATERAL (
  WITH RECURSIVE last AS (
    ${lastScan()} UNION ALL SELECT n.* FROM last p CROSS JOIN LATERAL ${lastScan('AND t.source < p.source')} n
  ), judged AS (
    SELECT source, completed_at AS at, error, warning, revision,
      first_value(revision) OVER (ORDER BY revision IS NULL, completed_at DESC, source) AS newest,
      CASE WHEN status = 'failed' THEN 'failed' WHEN closed_nothing = 'incomplete' THEN 'partial'
        WHEN completed_at < ${at} - make_interval(days => o.stale_after_days) THEN 'stale' ELSE 'ok' END AS status,
      CASE o.stale_after_days WHEN 1 THEN 'a day' ELSE o.stale_after_days || ' days' END AS days
    FROM last JOIN organizations o ON o.id = d.org_id
  ), ranked AS (SELECT judged.*, array_position(${names}, status) AS rank FROM judged)
  SELECT COALESCE((${names})[min(rank)], 'never_scanned') AS status,
    COALESCE(json_agg(json_build_object('source', source, 'status', status,
      'at', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'reason', CASE status WHEN 'failed' THEN COALESCE(error, 'The scan failed.')
        WHEN 'partial' THEN COALESCE(warning, 'A part of it could not be read.')
        WHEN 'stale' THEN format('The last complete scan was more than %s ago.', days) END,
      'revision', revision, 'is_behind', COALESCE(revision <> newest, false)) ORDER BY rank, source), '[]') AS scanners
  FROM ranked) s`;
