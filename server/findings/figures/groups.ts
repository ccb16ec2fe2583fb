import type { Database } from '../../platform/postgres/database.ts';
import { Parameters } from '../filter.ts';
import { preparedByText, selectionOf } from '../filters/select.ts';
import type { FindingFilters } from '../filters/table.ts';
import { isOpen } from '../lifecycle.ts';
import { isKept } from '../listing/filter-shape.ts';
import { severities, severityRank } from '../severity.ts';
import { nameValues } from './facet-queries.ts';
import { planSelection } from './measure-filters.ts';
import { countRows, type Selection, selectFindings } from './select-findings.ts';

export const groupings = ['rule', 'data_source', 'package'] as const;
type Grouping = (typeof groupings)[number];

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

const columns = { rule: 'rule_id', data_source: 'data_source_id' } as const;

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

const packageName = `f.facts #>> '{location,package,name}'`;

async function groupSelected(
  database: Database,
  orgId: string,
  { by, after, limit, signal }: Question,
  selection: Selection,
): Promise<GroupPage> {
  const value = by === 'package' ? 'c.fact COLLATE "C"' : `c.${columns[by]}`;
  const text = `WITH grouped AS (
      SELECT ${value} AS value, count(*) AS rows, ${countBySeverity('count(*)')} AS "bySeverity", ${lastSighting('c')} AS "lastSeenAt"
      FROM (${selection.sql}) c ${coverageOf('c')} WHERE ${value} IS NOT NULL GROUP BY 1)
    ${pageOfGroups(after, limit, selection.parameters)}`;
  const groups = await countRows<GroupRow>(database, orgId, selection, text, { parses: by === 'package', signal });
  return { groups, share: selection.share };
}

/** The kept figures by data source; the last sighting is the last completed scan, which saw all that is open. */
async function groupKept(
  database: Database,
  orgId: string,
  filters: FindingFilters,
  page: { after: GroupPosition | null; limit: number },
): Promise<GroupPage> {
  const parameters = new Parameters(orgId);
  const text = `WITH grouped AS (
      SELECT f.data_source_id AS value, sum(f.count)::bigint AS rows, ${countBySeverity('sum(f.count)')} AS "bySeverity",
        max(v.last_seen_at) AS "lastSeenAt"
      FROM finding_counts f ${coverageOf('f')} WHERE ${selectionOf(filters, parameters)} AND f.count > 0 GROUP BY 1)
    ${pageOfGroups(page.after, page.limit, parameters)}`;
  const groups = await database.single<GroupRow>(orgId, preparedByText(text, parameters.values), [planSelection]);
  return { groups, share: 1 };
}

type Question = {
  by: Grouping;
  filters: FindingFilters;
  after: GroupPosition | null;
  limit: number;
  signal?: AbortSignal | undefined;
};

async function listGroups(database: Database, orgId: string, question: Question): Promise<GroupPage> {
  const { by, filters } = question;
  const coversOpen = filters.status === undefined || filters.status.some(isOpen);
  if (by === 'data_source' && isKept(filters) && coversOpen) return groupKept(database, orgId, filters, question);
  const choice = by === 'package' ? { fact: packageName } : {};
  return groupSelected(database, orgId, question, await selectFindings(database, orgId, filters, choice));
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
  if (question.by === 'package') return { ...page, names: new Map() };
  const values = page.groups.map(({ value }) => value);
  return { ...page, names: await nameValues(database, orgId, { [question.by]: values }) };
}
