import type { Database } from '../../platform/postgres/database.ts';
import { type Parameters, preparedByText } from '../filters.ts';
import { planSelection } from './measure-filters.ts';
import type { Selection } from './select-findings.ts';

export const facetFields = [
  'severity',
  'status',
  'source',
  'data_source',
  'data_source_tag',
  'owner',
  'criticality',
  'rule',
  'tag',
  'assignee',
  'identifier',
] as const;
export type FacetField = (typeof facetFields)[number];

/** The count of a value. The row of the field `all` counts the findings up to the spot in `value`. */
export type FacetRow = { field: FacetField | 'all'; value: string; count: number };

/** The maximum number of values of a field in a response: those with the largest counts. */
export const maxValues = 50;

/** The fields of the data source of a finding, as SQL of the data source `d`; a tag is one of its rows. */
const dataSourceColumns = {
  data_source_tag: 'tag',
  owner: `COALESCE(d.owner_id, 'none')`,
  criticality: 'd.criticality',
};
export const isOfDataSource = (field: FacetField): field is keyof typeof dataSourceColumns =>
  field in dataSourceColumns;

/** Counts by what belongs to data sources, of which there are few. `counted` is SQL of their counts. */
export function countByDataSource(field: keyof typeof dataSourceColumns, counted: string): string {
  const column = dataSourceColumns[field];
  const tags = field === 'data_source_tag' ? ', unnest(d.tags) AS tag' : '';
  return `SELECT '${field}' AS field, ${column} AS value, sum(c.count) AS count
    FROM (${counted}) c
    JOIN data_sources d ON d.org_id = $1 AND d.id = c.data_source_id${tags} GROUP BY ${column}`;
}

const columns: Record<Exclude<FacetField, 'tag' | 'identifier' | keyof typeof dataSourceColumns>, string> = {
  severity: 'severity::text',
  status: 'status',
  source: 'source',
  data_source: 'data_source_id',
  rule: 'rule_id',
  assignee: `COALESCE(assignee_id, 'none')`,
};

/** The maximum number of findings of which a fact is read, since all their facts must be parsed. */
export const maxParsed = 5_000;

/** The identifiers of a finding `f`, as a text. */
export const identifiersOf = `(f.facts->'identifiers')::text`;

function countValues(field: FacetField): string {
  if (field === 'tag')
    return `SELECT 'tag' AS field, t.tag AS value, count(*) AS count FROM chosen c
      CROSS JOIN LATERAL (SELECT tag FROM finding_tags WHERE org_id = $1 AND finding_id = c.id OFFSET 0) t
      WHERE c.traits >> 53 <> 0 GROUP BY t.tag`;
  // There are few different lists of identifiers, since most come from rules: equal lists are counted before they are unnested.
  if (field === 'identifier')
    return `SELECT 'identifier' AS field, identifier AS value, sum(lists.count) AS count
      FROM (SELECT fact, count(*) AS count FROM chosen GROUP BY fact) lists, json_array_elements_text(lists.fact::json) AS identifier
      GROUP BY identifier`;
  if (isOfDataSource(field))
    return countByDataSource(field, 'SELECT data_source_id, count(*) AS count FROM chosen GROUP BY data_source_id');
  const column = columns[field];
  return `SELECT '${field}' AS field, ${column} AS value, count(*) AS count FROM chosen GROUP BY ${column}`;
}

/** Returns the condition for values that contain the text, or for ids, whose name does; severities are named later. */
function containsText(text: string, parameters: Parameters): string {
  const given = parameters.add(text.toLowerCase());
  const within = (column: string) => `position(${given} IN lower(${column})) > 0`;
  return `CASE
    WHEN field = 'severity' THEN true
    WHEN field = 'data_source' THEN EXISTS (SELECT FROM data_sources d WHERE d.org_id = $1 AND d.id = value AND ${within('d.name')})
    WHEN field IN ('assignee', 'owner') THEN EXISTS (SELECT FROM users u WHERE u.id = value AND (${within('u.name')} OR ${within('u.email')}))
    ELSE ${within('value')} END`;
}

/** Keeps one value more than the maximum, which shows that there are more. */
export function largest(counted: string, text: string | undefined, parameters: Parameters): string {
  const where = text === undefined ? '' : `WHERE ${containsText(text, parameters)}`;
  return `SELECT field, value, count::bigint AS count FROM (
      SELECT field, value, count, row_number() OVER (PARTITION BY field ORDER BY count DESC, value) AS place
      FROM (${counted}) counted ${where}) ranked
    WHERE place <= ${maxValues + 1}`;
}

/**
 * Counts the values of fields among the findings of a selection, and the findings themselves. For identifiers, they must be
 * the fact of the selection.
 */
export function countSelected(
  database: Database,
  orgId: string,
  { sql, parameters }: Selection,
  fields: FacetField[],
  text?: string,
): Promise<FacetRow[]> {
  const all = `SELECT 'all' AS field, COALESCE(max(spot), 0)::text AS value, count(*) AS count FROM chosen`;
  const values =
    fields.length === 0 ? '' : `UNION ALL ${largest(fields.map(countValues).join(' UNION ALL '), text, parameters)}`;
  const statement = `WITH chosen AS MATERIALIZED (${sql}) ${all} ${values}`;
  return database.single<FacetRow>(orgId, preparedByText(statement, parameters.values), [planSelection]);
}

/** Returns the display names of data sources and rules, by id. */
export async function nameValues(
  database: Database,
  orgId: string,
  ids: { data_source?: string[]; rule?: string[] },
): Promise<Map<string, string>> {
  const rows = await database.single<{ field: string; id: string; name: string }>(
    orgId,
    {
      name: 'findings_name_values',
      text: `SELECT 'data_source' AS field, id, name FROM data_sources WHERE org_id = $1 AND id = ANY($2::text[])
             UNION ALL SELECT 'rule', rule.id, f.name FROM unnest($3::text[]) AS rule(id)
               CROSS JOIN LATERAL (SELECT facts->'rule'->>'name' AS name FROM findings
                 WHERE org_id = $1 AND rule_id = rule.id ORDER BY severity DESC, first_seen_at DESC, id DESC LIMIT 1) f`,
      values: [orgId, ids.data_source ?? [], ids.rule ?? []],
    },
    [planSelection],
  );
  return new Map(rows.map(({ field, id, name }) => [`${field} ${id}`, name]));
}

/** Returns the names of people by id. */
export async function namePeople(database: Database, orgId: string, ids: string[]): Promise<Map<string, string>> {
  const rows = await database.single<{ id: string; name: string }>(orgId, {
    name: 'findings_name_people',
    text: 'SELECT id, name FROM users WHERE id = ANY($1::text[])',
    values: [ids],
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Counts the findings of a selection that have each of some values of a field. A sample's counts are scaled. */
export async function countOf(
  database: Database,
  orgId: string,
  { sql, parameters, scale }: Selection,
  field: FacetField,
  values: string[],
): Promise<Map<string, number>> {
  const given = parameters.add(values);
  const text = `WITH chosen AS MATERIALIZED (${sql}), counted AS (${countValues(field)})
    SELECT value, count::bigint, (SELECT count(*) FROM chosen) AS read, (SELECT max(spot)::bigint FROM chosen) AS "lastSpot"
    FROM counted WHERE value = ANY(${given}::text[])`;
  const rows = await database.single<{ value: string; count: number; read: number; lastSpot: number }>(
    orgId,
    preparedByText(text, parameters.values),
    [planSelection],
  );
  return new Map(
    rows.map((row) => [row.value, Math.round(row.count * scale({ count: row.read, lastSpot: row.lastSpot }))]),
  );
}
