import { severities, severityRank } from '@assay/scanner/contract/severity.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Parameters } from '../filter.ts';
import { type AnyFilter, type FilterName, type FindingFilters, filterEntries, filters } from '../filters/table.ts';
import type { ColumnService } from '../live-columns/column-service.ts';
import { findForColumns } from '../live-columns/found.ts';
import type { GroupQuestion } from '../live-columns/questions.ts';
import { nameValues } from './facet-queries.ts';
import { countRows, selectFindings } from './select-findings.ts';

/** The filters by whose values findings are grouped. */
export const groupings = filterEntries.filter(([, { grouping }]) => grouping).map(([name]) => name);

/** The end of the previous page: the size of its last group, and its value. */
type GroupPosition = { rows: number; value: string };

export type GroupRow = {
  value: string;
  rows: number;
  bySeverity: number[];
  lastSeenAt: Date | null;
};
export type GroupPage = { groups: GroupRow[] };

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

/** The column with the values of a grouping, or SQL of the fact. */
function groupingOf(by: FilterName): { column?: string; fact?: string } {
  const { grouping } = filters[by] as AnyFilter;
  return grouping!;
}

async function groupSelected(
  database: Database,
  orgId: string,
  { by, filters: given, after, limit, signal }: Question,
): Promise<GroupPage> {
  const { column, fact } = groupingOf(by);
  const selection = selectFindings(orgId, given, fact);
  const value = fact ? 'c.fact COLLATE "C"' : `c.${column}`;
  const text = `WITH grouped AS (
      SELECT ${value} AS value, count(*) AS rows, ${countBySeverity('count(*)')} AS "bySeverity", ${lastSighting('c')} AS "lastSeenAt"
      FROM (${selection.sql}) c ${coverageOf('c')} WHERE ${value} IS NOT NULL GROUP BY 1)
    ${pageOfGroups(after, limit, selection.parameters)}`;
  return { groups: await countRows<GroupRow>(database, orgId, selection, text, signal) };
}

type Question = {
  columns: ColumnService;
  by: FilterName;
  filters: FindingFilters;
  after: GroupPosition | null;
  limit: number;
  signal?: AbortSignal | undefined;
};

/** Counts in columns; null if columns aren't available. */
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
    }
  );
}

const listGroups = async (database: Database, orgId: string, question: Question): Promise<GroupPage> =>
  (await groupInColumns(database, orgId, question)) ?? groupSelected(database, orgId, question);

/** Returns a page of the groups of matching findings, largest first, with the names of rules and data sources. */
export async function listNamedGroups(
  database: Database,
  orgId: string,
  question: Question,
): Promise<GroupPage & { names: Map<string, string> }> {
  const page = await listGroups(database, orgId, question);
  const values = page.groups.map(({ value }) => ({ field: question.by, value }));
  return { ...page, names: await nameValues({ database, columns: question.columns }, orgId, values) };
}
