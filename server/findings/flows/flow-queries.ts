import type { Db } from '../../platform/postgres/database.ts';
import { type Flows, flows } from '../counts.ts';
import { Parameters } from '../filter.ts';
import { selectionOf } from '../filters/select.ts';
import type { FindingFilters } from '../filters/table.ts';
import { closings, moves, openStatuses } from '../lifecycle.ts';
import { isKept, withoutFilter } from '../listing/filter-shape.ts';

/** SQL of the numbers of opened and closed findings, and of the growth of open ones. */
export const opened = 'f.new + f.reopened';
export const closed = closings.map((closing) => `f.${closing}`).join(' + ');
export const grown = `${opened} + f.reclassified - (${closed})`;

/** Returns the growth of the open findings. */
export const growthOf = (row: Flows): number =>
  row.new + row.reopened + row.reclassified - closings.reduce((sum, closing) => sum + row[closing], 0);

/**
 * Returns the filters for figures about the past. A status filter that includes all open statuses is dropped, since
 * closings count too.
 */
export function pastOf(filters: FindingFilters): FindingFilters {
  const { status, excluded } = filters;
  const coversOpen = openStatuses.every(
    (open) => (status?.includes(open) ?? true) && !excluded?.status?.includes(open),
  );
  return coversOpen ? withoutFilter(filters, 'status') : filters;
}

const knowsNoStatus = ({ status, excluded }: FindingFilters) => status === undefined && excluded?.status === undefined;

/**
 * Returns whether these filters give the recorded past, by the severities of that time. Other filters give the past of
 * the findings that match now, by their current severities.
 */
export const isRecorded = (filters: FindingFilters): boolean => isKept(filters) && knowsNoStatus(pastOf(filters));

/** SQL of the moves of the findings `chosen` since a time: `at`, `severity` and `move`. */
export const movesOfChosen = (from: string): string =>
  `SELECT first_seen_at AS at, severity, 'new' AS move FROM chosen WHERE first_seen_at >= ${from}
   UNION ALL SELECT h.at, c.severity, h.move FROM chosen c JOIN finding_history h ON h.org_id = $1 AND h.finding_id = c.id
   WHERE h.move IS NOT NULL AND h.at >= ${from}`;

/**
 * SQL of the moves of matching findings since `from`, except first sightings: `id`, `data_source_id` and `rule_id` of the
 * finding, `severity`, `at`, `move`, and for closings `opened_at` and `due_at`.
 */
export function movesSince(filters: FindingFilters, parameters: Parameters, from: string): string {
  const where = selectionOf(pastOf(filters), parameters);
  const columns = (severity: string) =>
    `f.org_id, f.id, f.data_source_id, f.source, f.rule_id, ${severity}.severity, h.at, h.move, h.opened_at, h.due_at`;
  return isRecorded(filters)
    ? `SELECT * FROM (SELECT ${columns('h')} FROM finding_history h JOIN findings f ON f.org_id = $1 AND f.id = h.finding_id
         WHERE h.org_id = $1 AND h.move IS NOT NULL AND h.at >= ${from}) f WHERE ${where}`
    : `SELECT ${columns('f')} FROM findings f JOIN finding_history h ON h.org_id = $1 AND h.finding_id = f.id
         AND h.move IS NOT NULL AND h.at >= ${from} WHERE ${where}`;
}

/** The flows of a severity in a time span: `span` is the index of the bound at which it starts. */
export type FlowRow = { span: number; severity: number } & Flows;

/**
 * Returns the flows since the first of the ascending bounds; the last span has no end. For the recorded past, bounds
 * must be at the start of days (UTC).
 */
export async function listFlows(tx: Db, orgId: string, filters: FindingFilters, bounds: Date[]): Promise<FlowRow[]> {
  const parameters = new Parameters(orgId);
  const where = selectionOf(pastOf(filters), parameters);
  const starts = `${parameters.add(bounds)}::timestamptz[]`;
  const from = `${parameters.add(bounds[0])}::timestamptz`;
  const span = (at: string) => `width_bucket(${at}, ${starts}) - 1 AS span`;
  const text = isRecorded(filters)
    ? `SELECT ${span(`f.day::timestamp AT TIME ZONE 'UTC'`)}, f.severity, ${flows.map((flow) => `sum(f.${flow})::bigint AS ${flow}`).join(', ')}
       FROM finding_flows f WHERE ${where} AND f.day >= (${from} AT TIME ZONE 'UTC')::date GROUP BY 1, 2`
    : `WITH chosen AS MATERIALIZED (SELECT f.id, f.first_seen_at, f.severity FROM findings f WHERE ${where})
       SELECT ${span('at')}, severity, ${moves.map((move) => `count(*) FILTER (WHERE move = '${move}') AS ${move}`).join(', ')},
         0::bigint AS reclassified
       FROM (${movesOfChosen(from)}) moved GROUP BY 1, 2`;
  return (await tx.query<FlowRow>({ text, values: parameters.values })).rows;
}
