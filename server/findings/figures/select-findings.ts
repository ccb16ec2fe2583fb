import type { Database } from '../../platform/postgres/database.ts';
import { setLocal } from '../../platform/postgres/statement.ts';
import { Parameters } from '../filter.ts';
import { preparedByText, searchOf, selectionOf } from '../filters/select.ts';
import type { FindingFilters } from '../filters/table.ts';
import { narrowed, selectsNothing } from '../listing/filter-shape.ts';
import type { Collection } from '../listing/list-collections.ts';
import { type Measures, measureFilters, planSelection } from './measure-filters.ts';
import { shareOfRows } from './share-of-rows.ts';

/** Findings to count, as SQL. */
export type Selection = {
  /** A SELECT of rows with the columns of `selectionColumns`; if a fact was asked for, also `fact`. */
  sql: string;
  /** The parameters of `sql`, to which a statement that contains it may add. */
  parameters: Parameters;
  /** The share of the findings that are counted: 1 for all of them. */
  share: number;
  /** Whether the rows are few, each found by an index: the statement is then planned once. Others are planned for their values. */
  isSmall: boolean;
};

/** The columns that figures count by. */
const selectionColumns = [
  'severity',
  'status',
  'source',
  'data_source_id',
  'rule_id',
  'assignee_id',
  'tags',
  'first_seen_at',
  'seen_last',
  'last_seen_at',
];

/** SQL of a fact of the finding `f`, which every row of a selection has as `fact`. */
type Fact = string | undefined;

/** The limits up to which all findings are counted; tests set others. */
export type CountLimits = {
  /** An organization with no more findings: they are read one after the other, in about a second. */
  organization: number;
  /** In a larger organization, the findings that one filter selects. */
  collection: number;
};
export const countLimits: CountLimits = { organization: 1_000_000, collection: 200_000 };

/** Up to so many findings of one filter are read by its index, whatever the planner expects. */
const maxOfIndex = 10_000;

const columnsOf = (fact: Fact) =>
  [...selectionColumns.map((column) => `f.${column}`), ...(fact ? [`${fact} AS fact`] : [])].join(', ');

/** Selects the rows of a collection that meet the filters. OFFSET 0: the collection is read by its own index. */
function fromCollection(orgId: string, filters: FindingFilters, fact: Fact, { from, conditions }: Collection) {
  const parameters = new Parameters(orgId);
  const entries = `SELECT f.* FROM ${from} WHERE ${conditions(parameters).join(' AND ')} OFFSET 0`;
  const sql = `SELECT ${columnsOf(fact)} FROM (${entries}) f WHERE ${selectionOf(filters, parameters)}`;
  return { sql, parameters, share: 1 };
}

function fromIds(orgId: string, filters: FindingFilters, fact: Fact, ids: string[]): Selection {
  const parameters = new Parameters(orgId);
  const sql = `SELECT ${columnsOf(fact)} FROM unnest(${parameters.add(ids)}::text[]) AS hit(id)
    CROSS JOIN LATERAL (SELECT * FROM findings WHERE org_id = $1 AND id = hit.id OFFSET 0) f
    WHERE ${selectionOf(filters, parameters)}`;
  return { sql, parameters, share: 1, isSmall: true };
}

/** Selects from all findings of the organization, or from those in some of the table's pages. */
function fromTable(orgId: string, filters: FindingFilters, fact: Fact, share: number): Selection {
  const parameters = new Parameters(orgId);
  const some = share < 1 ? `TABLESAMPLE SYSTEM (${100 * share}) REPEATABLE (1)` : '';
  const sql = `SELECT ${columnsOf(fact)} FROM findings f ${some} WHERE ${selectionOf(filters, parameters, true)}`;
  return { sql, parameters, share, isSmall: false };
}

/** Selects all findings that the filters select, each once; above the limits those in some pages of the table. */
export async function selectFindings(
  database: Database,
  orgId: string,
  given: FindingFilters,
  {
    fact,
    measures = measureFilters(database, orgId, given),
    limits = countLimits,
  }: { fact?: Fact; measures?: Measures; limits?: CountLimits } = {},
): Promise<Selection> {
  const filters = narrowed(given);
  if (searchOf(filters) === null || selectsNothing(filters)) return fromIds(orgId, filters, fact, []);
  const rare = await measures.rare();
  if (rare) return fromIds(orgId, filters, fact, rare);
  const few = Math.min(maxOfIndex, limits.collection);
  const { population, smallest } = await measures.sizes(few);
  if (smallest.cost <= few) return { ...fromCollection(orgId, filters, fact, smallest.collection), isSmall: true };
  const hits = await measures.hits();
  if (hits) return fromIds(orgId, filters, fact, hits);
  if (population <= limits.organization) return fromTable(orgId, filters, fact, 1);
  const far = await measures.sizes(limits.collection);
  if (far.smallest.cost <= limits.collection)
    return { ...fromCollection(orgId, filters, fact, far.smallest.collection), isSmall: false };
  return fromTable(orgId, filters, fact, await shareOfRows(database, population, limits.organization));
}

/** A statement that counts for longer is cancelled: a million findings take two seconds on a machine with little else to do. */
const countTimeoutMs = 15_000;

/** Runs before a statement that may read all findings of the organization. It is planned for its values. */
export const boundedCount = setLocal({ statement_timeout: `${countTimeoutMs}` });

/** The same for a fact, whose parsing takes most of the time: processes of PostgreSQL share it. */
const boundedParsing = setLocal({ statement_timeout: `${countTimeoutMs}`, max_parallel_workers_per_gather: '2' });

/** Runs a statement on a selection; `parses` if it reads a fact of each finding. */
export function countRows<Row extends object>(
  database: Database,
  orgId: string,
  { parameters, isSmall }: Selection,
  text: string,
  { parses = false, signal }: { parses?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<Row[]> {
  const { values } = parameters;
  if (isSmall) return database.single<Row>(orgId, { ...preparedByText(text, values), signal }, [planSelection]);
  return database.single<Row>(orgId, { text, values, signal }, [parses ? boundedParsing : boundedCount]);
}
