import Type from 'typebox';
import { idPattern } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/database.ts';
import type { Parameters } from '../filter.ts';
import { valuesFilter } from './values-filter.ts';

const changes = ['new', 'seen', 'reopened', 'resolved'] as const;
type Change = (typeof changes)[number];

/** Returns the scan id as a parameter, and the outcomes to select; all of them without a suffix. */
function read(value: string, parameters: Parameters): { scan: string; chosen: readonly Change[] } {
  const [id, change] = value.split(':');
  return { scan: parameters.add(id), chosen: change === undefined ? changes : [change as Change] };
}

const changedBy = (scan: string, condition: string) => `EXISTS (SELECT FROM finding_history h
  WHERE h.org_id = $1 AND h.finding_id = f.id AND h.scan_id = ${scan} AND ${condition})`;

const conditions: Record<Change, (scan: string) => string> = {
  new: (scan) => `f.first_scan_id = ${scan}`,
  seen: (scan) => `(f.seen_last AND f.first_scan_id <> ${scan} AND NOT ${conditions.reopened(scan)}
    AND EXISTS (SELECT FROM finding_coverage v WHERE v.org_id = $1 AND v.data_source_id = f.data_source_id
      AND v.source = f.source AND v.scan_id = ${scan}))`,
  reopened: (scan) => changedBy(scan, "h.changes #>> '{status,0}' = 'resolved'"),
  resolved: (scan) => changedBy(scan, "h.changes #>> '{status,1}' = 'resolved'"),
};

const changedFinding = (scan: string, change: Change) =>
  `SELECT f.id, f.number FROM findings f WHERE f.org_id = $1
     AND f.id = ANY(ARRAY(SELECT h.finding_id FROM finding_history h WHERE h.org_id = $1 AND h.scan_id = ${scan}))
     AND ${conditions[change](scan)}`;

const found: Record<Change, (scan: string) => string> = {
  new: (scan) => `SELECT f.id, f.number FROM findings f WHERE f.org_id = $1 AND f.first_scan_id = ${scan}`,
  seen: (scan) => `SELECT f.id, f.number FROM finding_coverage v
    JOIN findings f ON f.org_id = $1 AND f.data_source_id = v.data_source_id AND f.source = v.source AND f.seen_last
    WHERE v.org_id = $1 AND v.scan_id = ${scan} AND f.first_scan_id <> ${scan} AND NOT ${conditions.reopened(scan)}`,
  reopened: (scan) => changedFinding(scan, 'reopened'),
  resolved: (scan) => changedFinding(scan, 'resolved'),
};

/** SQL for the ids and numbers of the findings of scans; it may return duplicates. */
export function findingsOfScans(values: string[], parameters: Parameters): string {
  const each = values.map((value) => read(value, parameters));
  return each.flatMap(({ scan, chosen }) => chosen.map((change) => found[change](scan))).join(' UNION ALL ');
}

/**
 * Returns whether a scan is the last completed one of any data source and scanner. Only then is it known which findings
 * it saw again.
 */
async function isLast(db: Db, orgId: string, scanId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'finding_coverage_of_scan',
    text: 'SELECT FROM finding_coverage WHERE org_id = $1 AND scan_id = $2 LIMIT 1',
    values: [orgId, scanId],
  });
  return rowCount > 0;
}

export const scan = valuesFilter({
  item: Type.String({
    pattern: `^-?${idPattern('scan').slice(1, -1)}(:(${changes.join('|')}))?$`,
    errorMessage: `must be the id of a scan, or one with :${changes.join(', :')} after it`,
  }),
  description:
    'Reported by any of these scans (ids). With `:new`, `:reopened` or `:resolved` after an id, only what the scan saw for the first time, opened again or closed, and with `:seen` the known findings that it saw again. Those are known until a later scan of the data source by the same scanner completes: without a suffix they are left out after that, and with `:seen` the request is refused.',
  label: { en: 'Scan', de: 'Scan' },
  control: { kind: 'text' },
  keys: ['scan'],
  resolve: async (db, chosen, { orgId, refuse }) => {
    for (const value of [...(chosen.any ?? []), ...(chosen.none ?? [])])
      if (value.endsWith(':seen') && !(await isLast(db, orgId, value.slice(0, -':seen'.length))))
        throw refuse(
          'must name the last completed scan of a data source with :seen; of earlier ones it is not known what they saw again',
        );
    return chosen;
  },
  condition: (values, parameters) => {
    const each = values.map((value) => read(value, parameters));
    return `(${each.flatMap(({ scan, chosen }) => chosen.map((change) => conditions[change](scan))).join(' OR ')})`;
  },
  column: null,
  // The first scan of `createFindingSet`, the only one of its data source and scanner.
  samples: [
    ['scan_00000000000000000000000001'],
    ['scan_00000000000000000000000001:new'],
    ['-scan_00000000000000000000000001'],
  ],
  matches: (finding, values) => values.some((value) => value.startsWith(finding.firstScanId)),
});
