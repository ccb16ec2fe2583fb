import type { Database } from '../../platform/postgres/database.ts';
import type { Facet, Parameters } from '../filter.ts';
import { preparedByText } from '../filters/select.ts';
import { type FilterName, filterEntries, filters } from '../filters/table.ts';
import type { ColumnService } from '../live-columns/column-service.ts';
import { ruleOf } from '../shared-texts.ts';
import { countRows, planSelection, type Selection } from './select-findings.ts';

/** The filters whose values are counted. */
export const facetFields: FilterName[] = filterEntries.filter(([, { facet }]) => facet).map(([name]) => name);
export type FacetField = FilterName;

const facetOf = (field: FacetField): Facet => filters[field].facet!;

/** The count of a value. The row with the field `all` counts the findings. */
export type FacetRow = { field: FacetField | 'all'; value: string; count: number };

/** The maximum number of values of a field in a response: those with the largest counts. */
export const maxValues = 50;

const isOfDataSource = (field: FacetField): boolean => facetOf(field).dataSource === true;

/** Counts by a property of data sources, of which there are few. `counted` is SQL of their counts. */
function countByDataSource(field: FacetField, counted: string): string {
  const { value = 'value', each } = facetOf(field);
  return `SELECT '${field}' AS field, ${value} AS value, sum(c.count) AS count
    FROM (${counted}) c
    JOIN data_sources d ON d.org_id = $1 AND d.id = c.data_source_id${each ? `, ${each}` : ''} GROUP BY ${value}`;
}

/**
 * Returns SQL that counts a selection by each of these columns in one pass; `by` is the column of a row. Equal lists of
 * tags and identifiers are counted before they are unnested, since there are few distinct lists.
 */
function countColumns(selection: string, given: string[]): string {
  const [only, ...others] = given;
  if (others.length === 0)
    return `SELECT '${only}' AS by, ${only}, count(*) AS count FROM (${selection}) chosen GROUP BY ${only}`;
  // GROUPING has a bit per column, the first column highest; the bit is 0 in the rows of its column.
  const bitsOf = (index: number) => 2 ** given.length - 1 - 2 ** (given.length - 1 - index);
  const names = given.map((column, index) => `WHEN ${bitsOf(index)} THEN '${column}'`);
  return `SELECT CASE GROUPING(${given}) ${names.join(' ')} END AS by, ${given}, count(*) AS count
    FROM (${selection}) chosen GROUP BY GROUPING SETS (${given.map((column) => `(${column})`)})`;
}

/** Returns SQL of the values of a field from the counts of its column. */
function valuesOf(field: FacetField): string {
  const { column, value = `${column}::text`, each } = facetOf(field);
  const of = `FROM counted WHERE by = '${column}'`;
  if (isOfDataSource(field)) return countByDataSource(field, `SELECT data_source_id, count ${of}`);
  if (each)
    return `SELECT '${field}' AS field, value, sum(count) AS count FROM counted CROSS JOIN LATERAL ${each}
    WHERE by = '${column}' GROUP BY value`;
  return `SELECT '${field}' AS field, ${value} AS value, count ${of}`;
}

/** Returns whether the values of a field are ids of this kind. */
export const isNamed = (field: FacetField, kind: 'data_source' | 'person' | 'rule'): boolean => {
  const { control } = filters[field];
  return control.kind === 'choice' && control.names === kind;
};

const namesOf = (kind: 'data_source' | 'person') =>
  facetFields.filter((field) => isNamed(field, kind)).map((field) => `'${field}'`);

const within = (column: string, given: string) => `position(${given} IN lower(${column})) > 0`;
/** SQL of the data sources whose names contain the text, the parameter `given`. */
const dataSourcesWith = (given: string) => `data_sources d WHERE d.org_id = $1 AND ${within('d.name', given)}`;

/** Returns the condition for values that contain the text, or ids whose name does. Severities are named later. */
function containsText(text: string, parameters: Parameters): string {
  const given = parameters.add(text.toLowerCase());
  return `CASE
    WHEN field = 'severity' THEN true
    WHEN field IN (${namesOf('data_source')}) THEN EXISTS (SELECT FROM ${dataSourcesWith(given)} AND d.id = value)
    WHEN field IN (${namesOf('person')}) THEN EXISTS (SELECT FROM users u WHERE u.id = value AND (${within('u.name', given)} OR ${within('u.email', given)}))
    ELSE ${within('value', given)} END`;
}

/** Returns the ids of the data sources whose names contain the text, for each field with data source values. */
export async function findNamed(
  database: Database,
  orgId: string,
  fields: FacetField[],
  text: string,
): Promise<Partial<Record<FacetField, string[]>>> {
  const named = fields.filter((field) => isNamed(field, 'data_source'));
  if (named.length === 0) return {};
  const rows = await database.single<{ id: string }>(orgId, {
    name: 'findings_find_named_data_sources',
    text: `SELECT d.id FROM ${dataSourcesWith('$2')}`,
    values: [orgId, text.toLowerCase()],
  });
  return Object.fromEntries(named.map((field) => [field, rows.map(({ id }) => id)]));
}

/** Keeps one value more than the maximum, as a sign that there are more. */
function largest(counted: string, text: string | undefined, parameters: Parameters): string {
  const where = text === undefined ? '' : `WHERE ${containsText(text, parameters)}`;
  return `SELECT field, value, count::bigint AS count FROM (
      SELECT field, value, count, row_number() OVER (PARTITION BY field ORDER BY count DESC, value) AS place
      FROM (${counted}) counted ${where}) ranked
    WHERE place <= ${maxValues + 1}`;
}

/**
 * Counts the values of fields among the findings of a selection, and the findings themselves. To count identifiers,
 * pass them as the fact of the selection.
 */
export function countSelected(
  database: Database,
  orgId: string,
  selection: Selection,
  fields: FacetField[],
  { text, signal }: { text?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<FacetRow[]> {
  const given = fields.length === 0 ? ['severity'] : [...new Set(fields.map((field) => facetOf(field).column))];
  const counted = countColumns(selection.sql, given);
  const all = `SELECT 'all' AS field, '' AS value, COALESCE(sum(count), 0)::bigint AS count FROM counted WHERE by = '${given[0]}'`;
  const values =
    fields.length === 0
      ? ''
      : `UNION ALL ${largest(fields.map(valuesOf).join(' UNION ALL '), text, selection.parameters)}`;
  const statement = `WITH counted AS MATERIALIZED (${counted}) ${all} ${values}`;
  return countRows<FacetRow>(database, orgId, selection, statement, signal);
}

/** Where figures and names are read: columns of large organizations, otherwise the database. */
export type Reads = { database: Database; columns?: ColumnService | undefined };

/** SQL of the names of data sources and, with `rules`, of rules. A rule's name is that of its most severe newest finding. */
const namesById = (
  rules: boolean,
) => `SELECT 'data_source ' || id AS id, name FROM data_sources WHERE org_id = $1 AND id = ANY($2::text[])
  ${
    rules
      ? `UNION ALL SELECT 'rule ' || rule_id, n.name FROM (
           SELECT DISTINCT ON (rule_id) rule_id, text_id FROM findings WHERE org_id = $1 AND rule_id = ANY($3::text[])
           ORDER BY rule_id, severity DESC, first_seen_at DESC, id DESC) f
         CROSS JOIN LATERAL (SELECT ${ruleOf}->>'name' AS name OFFSET 0) n`
      : ''
  }`;

/** Returns the display names of values that are ids of data sources or rules, by field and value. */
export async function nameValues(
  { database, columns }: Reads,
  orgId: string,
  values: { field: FilterName; value: string }[],
): Promise<Map<string, string>> {
  const idsOf = (kind: 'data_source' | 'rule') =>
    values.filter(({ field }) => isNamed(field, kind)).map(({ value }) => value);
  const [dataSources, rules] = [idsOf('data_source'), idsOf('rule')];
  const ofRules = rules.length === 0 ? {} : ((await columns?.ask(orgId, 'nameRules', rules)) ?? null);
  const found = new Map(Object.entries(ofRules ?? {}).map(([id, name]) => [`rule ${id}`, name]));
  if (dataSources.length > 0 || ofRules === null) {
    const given = ofRules === null ? [rules] : [];
    const statement = preparedByText(namesById(ofRules === null), [orgId, dataSources, ...given]);
    const rows = await database.single<{ id: string; name: string }>(orgId, statement, [planSelection]);
    for (const { id, name } of rows) found.set(id, name);
  }
  return new Map(
    values.flatMap(({ field, value }) => {
      const { control } = filters[field];
      const name = control.kind === 'choice' && found.get(`${control.names} ${value}`);
      return typeof name === 'string' ? [[`${field} ${value}`, name] as const] : [];
    }),
  );
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
