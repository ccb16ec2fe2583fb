import type { Database, Statement } from '../platform/database.ts';
import { setChangeHorizon } from './change-clock.ts';
import { conditionsOf, type FindingFilters, Parameters, preparedByText } from './filters.ts';
import { findingJoins, findingJson } from './finding-sql.ts';
import { statuses } from './lifecycle.ts';
import { severities } from './severity.ts';
import { wordQuery } from './words.ts';

export const sorts = ['-first_seen_at', 'first_seen_at', '-severity', 'updated_at', '-updated_at'] as const;
export type Sort = (typeof sorts)[number];

/** Where the page before ended: the sort key of its last row, times in microseconds as text, its id last. */
export type Position = readonly string[];

export type ListRequest = { filters: FindingFilters; sort: Sort; after: Position | null; limit: number };
export type ListedFinding = { json: string; position: Position };

type Order = { columns: string[]; casts: string[]; descending: boolean };

const orders: Record<Sort, Order> = {
  '-first_seen_at': { columns: ['first_seen_at', 'id'], casts: ['timestamptz', 'text'], descending: true },
  first_seen_at: { columns: ['first_seen_at', 'id'], casts: ['timestamptz', 'text'], descending: false },
  '-updated_at': { columns: ['updated_at', 'id'], casts: ['timestamptz', 'text'], descending: true },
  updated_at: { columns: ['updated_at', 'id'], casts: ['timestamptz', 'text'], descending: false },
  '-severity': {
    columns: ['severity', 'first_seen_at', 'id'],
    casts: ['smallint', 'timestamptz', 'text'],
    descending: true,
  },
};

const orderBy = (order: Order) =>
  order.columns.map((column) => `f.${column} ${order.descending ? 'DESC' : 'ASC'}`).join(', ');

function afterPosition(order: Order, after: Position | null, parameters: Parameters): string[] {
  if (!after) return [];
  const columns = order.columns.map((column) => `f.${column}`).join(', ');
  const values = after.map((value, index) => `${parameters.add(value)}::${order.casts[index]}`).join(', ');
  return [`(${columns}) ${order.descending ? '<' : '>'} (${values})`];
}

/** Changes whose transactions may yet be outrun by later ones wait: see change-clock.ts. */
const horizon = (sort: Sort) =>
  sort === 'updated_at' ? [`f.updated_at < current_setting('app.changes_before')::timestamptz`] : [];

type Source = { columns: string; from: string; conditions: string[] };

/** The page in one ordered walk of an index, or over the ids that `from` brings. */
function walk({ filters, sort, after, limit }: ListRequest, parameters: Parameters, source: Source): string {
  const order = orders[sort];
  const conditions = [
    ...conditionsOf(filters, parameters),
    ...afterPosition(order, after, parameters),
    ...horizon(sort),
    ...source.conditions,
  ];
  return `SELECT ${source.columns} FROM ${source.from} WHERE ${conditions.join(' AND ')}
          ORDER BY ${orderBy(order)} LIMIT ${parameters.add(limit)}`;
}

const plain: Source = { columns: 'f.*', from: 'findings f', conditions: [] };

/**
 * The index on status and severity serves one value of each in order. Lists that name several, or sort by severity, walk it
 * once a pair (30 at most, keys only) and merge: no walk ever passes over rows that the filter leaves out.
 */
function walkPairs(request: ListRequest, parameters: Parameters): string {
  const order = orders[request.sort];
  const keys = { ...plain, columns: order.columns.map((column) => `f.${column}`).join(', ') };
  const walks = [];
  for (const severity of request.filters.severity ?? severities) {
    for (const status of request.filters.status ?? statuses) {
      const filters = { ...request.filters, severity: [severity], status: [status] };
      walks.push(`(${walk({ ...request, filters }, parameters, keys)})`);
    }
  }
  return `SELECT f.* FROM (SELECT * FROM (${walks.join(' UNION ALL ')}) f ORDER BY ${orderBy(order)}
            LIMIT ${parameters.add(request.limit)}) keys
          JOIN findings f ON f.org_id = $1 AND f.id = keys.id`;
}

const servedByPairs = ({ filters, sort }: ListRequest): boolean => {
  const { status, severity, dataSource, source, rule, assignee, tag } = filters;
  if (dataSource || source || rule || assignee || tag || sort.endsWith('updated_at')) return false;
  if (status?.length === 1 && severity?.length === 1) return false;
  return sort === '-severity' || (status !== undefined && severity !== undefined);
};

type RunStatement = <Row extends object>(statement: Statement) => Promise<Row[]>;
type KeyedRow = { json: string; k0: string; k1: string; k2: string };

function jsonPage(page: string, order: Order, parameters: Parameters): Statement {
  const keys = order.columns.map((column, index) => `f.${column}::text AS k${index}`).join(', ');
  const text = `SELECT ${findingJson()} AS json, ${keys} FROM (${page}) f ${findingJoins} ORDER BY ${orderBy(order)}`;
  return preparedByText(text, parameters.values);
}

async function runPage(
  run: RunStatement,
  page: string,
  request: ListRequest,
  parameters: Parameters,
): Promise<ListedFinding[]> {
  const order = orders[request.sort];
  const rows = await run<KeyedRow>(jsonPage(page, order, parameters));
  return rows.map((row) => ({
    json: row.json,
    position: order.columns.length === 2 ? [row.k0, row.k1] : [row.k0, row.k1, row.k2],
  }));
}

const wordWindow = 10_000;
const rareWords = 20_000;

/**
 * Common words show up soon when walking in the order asked for; rare ones are few enough to fetch and sort. So: a bounded
 * walk first, then the word index; words that are neither (frequent, but not where the other filters look) take the long walk.
 */
async function listByWords(
  run: RunStatement,
  orgId: string,
  request: ListRequest,
  query: string,
): Promise<ListedFinding[]> {
  const near = new Parameters(orgId);
  const window = walk({ ...request, limit: wordWindow }, near, plain);
  const found = await runPage(
    run,
    `SELECT * FROM (${window}) w WHERE w.words @@ ${near.add(query)}::tsquery LIMIT ${near.add(request.limit)}`,
    request,
    near,
  );
  if (found.length === request.limit) return found;
  const far = new Parameters(orgId);
  const [rare] = await run<{ ids: string[] }>({
    name: 'findings_with_words',
    text: 'SELECT COALESCE(array_agg(id), ARRAY[]::text[]) AS ids FROM findings_with_words($1::tsquery, $2) AS id',
    values: [query, rareWords],
  });
  const source =
    rare!.ids.length < rareWords
      ? { ...plain, from: `unnest(${far.add(rare!.ids)}::text[]) AS hit(id) JOIN findings f ON f.id = hit.id` }
      : { ...plain, conditions: [`f.words @@ ${far.add(query)}::tsquery`] };
  return runPage(run, walk(request, far, source), request, far);
}

/** The statement of a page without words and not sorted by `updated_at`: what bench/list-page.ts gives to pgbench as well. */
export function pageStatement(orgId: string, request: ListRequest): Statement {
  const parameters = new Parameters(orgId);
  const page = servedByPairs(request) ? walkPairs(request, parameters) : walk(request, parameters, plain);
  return jsonPage(page, orders[request.sort], parameters);
}

/** A page of findings, each as JSON text, in the order asked for. A `q` without a word in it finds nothing. */
export async function listFindings(database: Database, orgId: string, request: ListRequest): Promise<ListedFinding[]> {
  const query = request.filters.q === undefined ? undefined : wordQuery(request.filters.q);
  if (query === null) return [];
  const parameters = new Parameters(orgId);
  const page = servedByPairs(request) ? walkPairs(request, parameters) : walk(request, parameters, plain);
  if (query === undefined && request.sort !== 'updated_at') {
    return runPage((statement) => database.single(orgId, statement), page, request, parameters);
  }
  return database.transaction(orgId, async (tx) => {
    const run: RunStatement = async <Row extends object>(statement: Statement) => (await tx.query<Row>(statement)).rows;
    if (request.sort === 'updated_at') await tx.query(setChangeHorizon);
    return query === undefined ? runPage(run, page, request, parameters) : listByWords(run, orgId, request, query);
  });
}
