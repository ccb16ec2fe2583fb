import type { Database, Db, Statement } from '../../platform/postgres/database.ts';
import { planWithoutValues } from '../../platform/postgres/statement.ts';
import { setChangeHorizon } from '../change-clock.ts';
import { Parameters } from '../filter.ts';
import { preparedByText, selectionOf } from '../filters/select.ts';
import type { FindingFilters } from '../filters/table.ts';
import { chosenJson, findingFields, findingJoins, findingJson } from '../finding-sql.ts';
import { type Order, orders, type Sort } from '../orders.ts';
import { afterPosition, orderBy, type Position } from './list-order.ts';
import { movedRequest } from './moved-positions.ts';

export type ListRequest = {
  filters: FindingFilters;
  sort: Sort;
  after: Position | null;
  limit: number;
  /** SQL of further members of each finding, in the form that `findingJson` expects. */
  members?: string;
  /** The only fields to return besides `id`; all by default. */
  fields?: readonly string[] | undefined;
  /** SQL of the text to return for each finding `f` instead of its JSON. */
  text?: (parameters: Parameters) => string;
};

export type ListedFinding = { json: string; position: Position };

/** Runs a statement, after `before` in the same transaction. */
export type RunStatement = <Row extends object>(statement: Statement, before?: Statement) => Promise<Row[]>;

/**
 * Runs before every list statement, in its transaction. Each statement shape is planned once per connection, since
 * planning it for the values of each request costs as much as running it. It never reads a whole table, most of which
 * belongs to other organizations.
 */
export const planOnce = planWithoutValues({ enable_seqscan: 'off' });

/** Runs statements in a transaction. */
export const runIn =
  (tx: Db): RunStatement =>
  async <Row extends object>(statement: Statement, before: Statement = planOnce) => {
    await tx.query(before);
    return (await tx.query<Row>(statement)).rows;
  };

/** Withholds changes that a running transaction may still precede: see change-clock.ts. */
const horizon = (sort: Sort) =>
  sort === 'updated_at' ? [`f.updated_at < current_setting('app.changes_before')::timestamptz`] : [];

/** The sort key as text, as in positions: the columns `k0`, `k1`, … */
const keysAsText = (order: Order) => order.columns.map((column, index) => `f.${column}::text AS k${index}`).join(', ');

type KeyedRow = { k0: string; k1: string; k2: string; json: string };

/** Returns SQL of the JSON of a finding `f`, and the joins that it needs. */
export function shownJson({ members, fields }: Pick<ListRequest, 'members' | 'fields'>, parameters: Parameters) {
  if (!fields) return { json: findingJson(members), joins: findingJoins };
  const chosen = parameters.add(findingFields.map((field) => fields.includes(field)));
  const { json, join } = chosenJson(`${chosen}::boolean[]`);
  return { json, joins: `${findingJoins} ${join}` };
}

/** Returns the statement of a page; `page` is SQL of its rows of findings. */
function jsonPage(page: string, request: ListRequest, parameters: Parameters): Statement {
  const order = orders[request.sort];
  const { json, joins } = request.text ? { json: request.text(parameters), joins: '' } : shownJson(request, parameters);
  const text = `SELECT ${json} AS json, ${keysAsText(order)} FROM (${page}) f ${joins} ORDER BY ${orderBy(order)}`;
  return preparedByText(text, parameters.values);
}

/** Returns the findings of a page; `page` is SQL of its rows of findings. */
export async function readPage(
  run: RunStatement,
  page: string,
  request: ListRequest,
  parameters: Parameters,
): Promise<ListedFinding[]> {
  const { length } = orders[request.sort].columns;
  const rows = await run<KeyedRow>(jsonPage(page, request, parameters), planOnce);
  return rows.map(({ json, k0, k1, k2 }) => ({ json, position: [k0, k1, k2].slice(0, length) }));
}

/**
 * Returns SQL of the first rows `f` from a FROM clause in the requested order; `after` is the end of the previous page.
 */
export function firstRows(
  from: string,
  conditions: string[],
  { sort, after, limit }: Pick<ListRequest, 'sort' | 'after' | 'limit'>,
  parameters: Parameters,
): string {
  const order = orders[sort];
  const all = [...conditions, ...afterPosition(order, after, parameters), ...horizon(sort)];
  return `SELECT f.* FROM ${from} WHERE ${all.join(' AND ')} ORDER BY ${orderBy(order)} LIMIT ${parameters.add(limit)}`;
}

/** Returns the statement of a page, for small organizations and for orders and filters with an index. */
export function pageStatement(orgId: string, request: ListRequest): Statement {
  const parameters = new Parameters(orgId);
  const conditions = [selectionOf(request.filters, parameters, true)];
  return jsonPage(firstRows('findings f', conditions, request, parameters), request, parameters);
}

/** Returns a page of findings by one plain statement, each as JSON text, in the requested order. */
export async function listFindings(database: Database, orgId: string, request: ListRequest): Promise<ListedFinding[]> {
  const list = (run: RunStatement, from: ListRequest) => {
    const parameters = new Parameters(orgId);
    const conditions = [selectionOf(from.filters, parameters, true)];
    return readPage(run, firstRows('findings f', conditions, from, parameters), from, parameters);
  };
  if (request.sort !== 'updated_at')
    return list((statement, before = planOnce) => database.single(orgId, statement, [before]), request);
  return database.transaction(orgId, async (tx) => {
    await setChangeHorizon(tx, orgId);
    return list(runIn(tx), await movedRequest(tx, orgId, request));
  });
}
