import type { Database } from '../../platform/postgres/database.ts';
import { type FindingFilters, Parameters, searchOf, selectionOf } from '../filters.ts';
import { narrowed, needsTable, selectsNothing } from '../listing/filter-shape.ts';
import type { Collection } from '../listing/list-collections.ts';
import { traitConditions } from '../listing/traits.ts';
import { type Measures, maxCounted, measureFilters } from './measure-filters.ts';

/** Findings to count, as SQL. */
export type Selection = {
  /**
   * A SELECT of rows with the columns of `selectionColumns`, and `spot`, their place in the sample; if they are not a sample, also
   * `seen_last` and `last_seen_at`. If a fact was asked for, also `fact`.
   */
  sql: string;
  /** The parameters of `sql`, to which a statement that contains it may add. */
  parameters: Parameters;
  /** Whether the rows are a random sample, and not all. */
  sampled: boolean;
  /**
   * Returns the number of findings that each row stands for, given the number of rows and the spot of the last one.
   */
  scale(read: { count: number; lastSpot: number }): number;
};

/** The columns that figures count by. */
const selectionColumns = [
  'id',
  'severity',
  'status',
  'source',
  'data_source_id',
  'rule_id',
  'assignee_id',
  'first_seen_at',
  'traits',
];

const spotOf = 'hashtext(f.id)';
/** The index `findings_sample` contains the findings whose hash is below this, of 2^32 hashes. */
const sampleSpots = 2 ** 29;
const allSpots = 2 ** 32;
const inSample = `${spotOf} BETWEEN 0 AND ${sampleSpots - 1}`;

/** A sample has at most half as many rows as would be counted exactly: a tenth of them is then estimated to 4 %. */
const maxSampled = (limit: number) => Math.ceil(limit / 2);
/** The maximum number of entries of the sample's index that are read for them, where filters rule out most. */
const maxEntries = 30_000;
/** The maximum number of findings of a sample that are looked up in the table, in the random order of the sample. */
const maxLookedUp = 5_000;
/**
 * The maximum number of entries of the sample whose findings are read for a fact: of 2,500 findings all taken, the table in the
 * order of the sample takes 12 ms of processor time, looking each up by its id 28.
 */
const maxRead = 12_000;
/** SQL of a fact of the finding `f`, which every row of a selection has as `fact`. */
type Fact = string | undefined;

/** A sample is read from its index alone, which does not hold when its findings were last seen. */
const columnsOf = (sampled: boolean, fact: Fact) => {
  const columns = selectionColumns.map((column) => `f.${column}`);
  columns.push(...(sampled ? [`${spotOf} AS spot`] : ['0 AS spot', 'f.seen_last', 'f.last_seen_at']));
  if (fact) columns.push(`${fact} AS fact`);
  return columns.join(', ');
};

/** Selects the rows of a collection that meet the filters. OFFSET 0: the collection is read by its own index. */
function fromCollection(
  orgId: string,
  filters: FindingFilters,
  fact: Fact,
  { from, conditions }: Collection,
): Selection {
  const parameters = new Parameters(orgId);
  const entries = `SELECT f.* FROM ${from} WHERE ${conditions(parameters).join(' AND ')} OFFSET 0`;
  const sql = `SELECT ${columnsOf(false, fact)} FROM (${entries}) f WHERE ${selectionOf(filters, parameters)}`;
  return { sql, parameters, sampled: false, scale: () => 1 };
}

function fromIds(orgId: string, filters: FindingFilters, fact: Fact, ids: string[]): Selection {
  const parameters = new Parameters(orgId);
  return {
    sql: lookUp(ids, filters, { fact, sampled: false }, parameters),
    parameters,
    sampled: false,
    scale: () => 1,
  };
}

function lookUp(
  ids: string[],
  filters: FindingFilters,
  { fact, sampled }: { fact: Fact; sampled: boolean },
  parameters: Parameters,
): string {
  const hits = `unnest(${parameters.add(ids)}::text[]) AS hit(id)`;
  return `SELECT ${columnsOf(sampled, fact)} FROM ${hits}
    CROSS JOIN LATERAL (SELECT * FROM findings WHERE org_id = $1 AND id = hit.id OFFSET 0) f
    WHERE ${selectionOf(filters, parameters)}`;
}

/** The end of an id is random: those with the smallest ends are a random sample, the same for each request. */
const randomEnd = (id: string) => id.slice(-8);

/**
 * Selects from the findings with the words, or of the packages. Looking one up costs as much as reading two of a collection: up to
 * half of `limit` are all counted, of more a sample of so many.
 */
function fromHits(
  orgId: string,
  filters: FindingFilters,
  { limit, fact }: { limit: number; fact: Fact },
  ids: string[],
): Selection {
  const size = maxSampled(limit);
  if (ids.length <= size) return fromIds(orgId, filters, fact, ids);
  const parameters = new Parameters(orgId);
  const some = ids.toSorted((a, b) => (randomEnd(a) < randomEnd(b) ? -1 : 1)).slice(0, size);
  const sql = lookUp(some, filters, { fact, sampled: true }, parameters);
  return { sql, parameters, sampled: true, scale: () => ids.length / size };
}

/** Returns whether the filters need columns outside of the sample's index. */
const needsRows = ({ excluded, ...filters }: FindingFilters) =>
  needsTable(filters) || excluded?.identifier || excluded?.ruleTag || excluded?.path || excluded?.package;

/**
 * A sample that reached its limit ends at the last spot. Any other was read to its end, or to the maximum of entries,
 * of which the organization's number of findings shows how many each stands for.
 */
function fromSample(
  orgId: string,
  filters: FindingFilters,
  { limit, fact }: { limit: number; fact: Fact },
  population: number,
): Selection {
  const parameters = new Parameters(orgId);
  const looksUp = needsRows(filters);
  const maxRows = looksUp ? maxLookedUp : maxSampled(limit);
  const entriesRead = looksUp ? maxLookedUp : fact ? maxRead : maxEntries;
  const columns = looksUp || fact ? ['*'] : ['org_id', ...selectionColumns, 'updated_at'];
  const conditions = [...traitConditions(filters, parameters), selectionOf(filters, parameters)].join(' AND ');
  const entries = `SELECT ${columns.map((column) => `f.${column}`).join(', ')} FROM findings f
    WHERE f.org_id = $1 AND ${inSample} ORDER BY ${spotOf} LIMIT ${entriesRead}`;
  const sql = `SELECT ${columnsOf(true, fact)} FROM (${entries}) f WHERE ${conditions} LIMIT ${maxRows}`;
  const each = Math.max(allSpots / sampleSpots, population / entriesRead);
  const scale: Selection['scale'] = ({ count, lastSpot }) =>
    count < maxRows || looksUp ? each : allSpots / (lastSpot + 1);
  return { sql, parameters, sampled: true, scale };
}

/**
 * Chooses how to count the findings that the filters select: all of them, if one of the filters alone (or the
 * organization) leaves no more than `limit`, otherwise a random sample. Both read a bounded number of rows, however
 * many findings there are. `limit` is at most `maxCounted`. Each row has the `fact`, if one is given.
 */
export async function selectFindings(
  database: Database,
  orgId: string,
  given: FindingFilters,
  {
    limit = maxCounted,
    fact,
    measures = measureFilters(database, orgId, given),
  }: { limit?: number; fact?: Fact; measures?: Measures } = {},
): Promise<Selection> {
  const filters = narrowed(given);
  if (searchOf(filters) === null || selectsNothing(filters)) return fromIds(orgId, filters, fact, []);
  const rare = await measures.rare();
  if (rare) return fromIds(orgId, filters, fact, rare);
  const { population, each } = await measures.sizes();
  const smallest = each.reduce((least, next) => (next.cost < least.cost ? next : least));
  if (smallest.cost <= limit) return fromCollection(orgId, filters, fact, smallest.collection);
  const hits = await measures.hits();
  return hits
    ? fromHits(orgId, filters, { limit, fact }, hits)
    : fromSample(orgId, filters, { limit, fact }, population);
}
