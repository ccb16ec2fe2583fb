import { severities, severityRank } from '@assay/scanner/contract/severity.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { Parameters } from '../filter.ts';
import { preparedByText, selectionOf } from '../filters/select.ts';
import { type AnyFilter, type FilterName, type FindingFilters, filterEntries, filters } from '../filters/table.ts';
import { isOpen } from '../lifecycle.ts';
import { isKept } from '../listing/filter-shape.ts';
import type { ColumnService } from '../live-columns/column-service.ts';
import { findForColumns } from '../live-columns/found.ts';
import type { GroupQuestion } from '../live-columns/questions.ts';
import { nameValues } from './facet-queries.ts';
import { planSelection } from './measure-filters.ts';
import { countRows, type Selection, selectFindings } from './select-findings.ts';

/** The filters by whose values findings are grouped. */
export const groupings = filterEntries.filter(([, { grouping }]) => grouping).map(([name]) => name);

/** The end of the previous page: the rows of its last group, and its value. */
type GroupPosition = { rows: number; value: string };

export type GroupRow = {
  value: string;
  /** The number of its findings that were counted. */
  rows: number;
  bySeverity: number[];
  lastSeenAt: Date | null;
};
/** `share` is the share of the findings that were counted: 1 for all of them. */
export type GroupPage = { groups: GroupRow[]; share: number };

const countBySeverity = (rows: string) =>
  `ARRAY[${severities.map((severity) => `COALESCE(${rows} FILTER (WHERE severity = ${severityRank[severity]}), 0)`)}]::integer[]`;

/** Returns SQL for the page after the position, the largest groups first. */
function pageOfGroups(after: GroupPosition | null, limit: number, parameters: Parameters): string {
  const place = after && { rows: parameters.add(after.rows), value: parameters.add(after.value) };
  const isAfter = place
    ? `WHERE (-g.rows, g.value) > (-(${place.rows}::bigint), ${place.value}::text COLLATE "C")`
    : '';
  return `SELECT * FROM grouped g ${isAfter} ORDER BY g.rows DESC, g.value LIMIT ${limit}`;
}

const coverageOf = (finding: string) => `LEFT JOIN finding_coverage v
  ON v.org_id = $1 AND v.data_source_id = ${finding}.data_source_id AND v.source = ${finding}.source`;

const lastSighting = (finding: string) =>
  `max(GREATEST(${finding}.last_seen_at, CASE WHEN ${finding}.seen_last THEN v.last_seen_at END))`;

/** The column of figures that has the values of a grouping, or SQL of the fact. */
function groupingOf(by: FilterName): { column?: string; fact?: string } {
  const { grouping } = filters[by] as AnyFilter;
  return grouping!;
}

async function groupSelected(
  database: Database,
  orgId: string,
  { by, after, limit, signal }: Question,
  selection: Selection,
): Promise<GroupPage> {
  const { column, fact } = groupingOf(by);
  const value = fact ? 'c.fact COLLATE "C"' : `c.${column}`;
  const text = `WITH grouped AS (
      SELECT ${value} AS value, count(*) AS rows, ${countBySeverity('count(*)')} AS "bySeverity", ${lastSighting('c')} AS "lastSeenAt"
      FROM (${selection.sql}) c ${coverageOf('c')} WHERE ${value} IS NOT NULL GROUP BY 1)
    ${pageOfGroups(after, limit, selection.parameters)}`;
  const groups = await countRows<GroupRow>(database, orgId, selection, text, { parses: fact !== undefined, signal });
  return { groups, share: selection.share };
}

/** The kept figures by data source; the last sighting is the last completed scan, which saw all that is open. */
async function groupKept(
  database: Database,
  orgId: string,
  given: FindingFilters,
  page: { after: GroupPosition | null; limit: number },
): Promise<GroupPage> {
  const parameters = new Parameters(orgId);
  const text = `WITH grouped AS (
      SELECT f.data_source_id AS value, sum(f.count)::bigint AS rows, ${countBySeverity('sum(f.count)')} AS "bySeverity",
        max(v.last_seen_at) AS "lastSeenAt"
      FROM finding_counts f ${coverageOf('f')} WHERE ${selectionOf(given, parameters)} AND f.count > 0 GROUP BY 1)
    ${pageOfGroups(page.after, page.limit, parameters)}`;
  const groups = await database.single<GroupRow>(orgId, preparedByText(text, parameters.values), [planSelection]);
  return { groups, share: 1 };
}

type Question = {
  columns: ColumnService;
  by: FilterName;
  filters: FindingFilters;
  after: GroupPosition | null;
  limit: number;
  signal?: AbortSignal | undefined;
};

/** Counts in columns; null where these don't serve. */
async function groupInColumns(
  database: Database,
  orgId: string,
  { columns, by, filters: given, after, limit, signal }: Question,
): Promise<GroupPage | null> {
  const found = await findForColumns(database, columns, orgId, given, signal);
  if (found === null) return null;
  const place = after && { value: after.value, count: after.rows };
  const asked: GroupQuestion = { by: by as GroupQuestion['by'], filters: given, after: place, limit, found };
  const groups = await columns.ask(orgId, 'countGroups', asked);
  return (
    groups && {
      groups: groups.map(({ value, count, bySeverity, lastSeenAt }) => ({
        value,
        rows: count,
        bySeverity: severities.map((severity) => bySeverity[severityRank[severity]]!),
        lastSeenAt: new Date(Math.floor(lastSeenAt / 1_000)),
      })),
      share: 1,
    }
  );
}

async function listGroups(database: Database, orgId: string, question: Question): Promise<GroupPage> {
  const { by, filters: given } = question;
  const inColumns = await groupInColumns(database, orgId, question);
  if (inColumns) return inColumns;
  const coversOpen = given.status === undefined || given.status.some(isOpen);
  if (by === 'data_source' && isKept(given) && coversOpen) return groupKept(database, orgId, given, question);
  const { fact } = groupingOf(by);
  return groupSelected(database, orgId, question, await selectFindings(database, orgId, given, { fact }));
}

/**
 * Returns a page of the groups of the findings that the filters select, the largest first, and the names of rules and
 * data sources.
 */
export async function listNamedGroups(
  database: Database,
  orgId: string,
  question: Question,
): Promise<GroupPage & { names: Map<string, string> }> {
  const page = await listGroups(database, orgId, question);
  const values = page.groups.map(({ value }) => ({ field: question.by, value }));
  return { ...page, names: await nameValues(database, orgId, values) };
}
