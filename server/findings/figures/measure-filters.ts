import type { Database, Statement } from '../../platform/postgres/database.ts';
import { planWithoutValues } from '../../platform/postgres/statement.ts';
import { type FindingFilters, Parameters, preparedByText, searchOf } from '../filters.ts';
import { narrowed } from '../listing/filter-shape.ts';
import {
  type Collection,
  collectionsOf,
  countCollections,
  findIds,
  hitStatements,
  rarestWord,
} from '../listing/list-collections.ts';

/** The maximum number of findings that are counted exactly. */
export const maxCounted = 10_000;
/** The maximum number of findings with words, or of packages, of which a sample is looked up one by one. */
const maxHits = 10_000;

/**
 * Runs before a statement on a selection: it is planned once per connection, and never reads a whole table, most of
 * which belongs to other organizations.
 */
export const planSelection = planWithoutValues({ enable_seqscan: 'off' });

/** The number of the organization's findings, and how many each of the collections has, up to one more than are counted. */
type Sizes = { population: number; each: Array<{ collection: Collection; cost: number }> };

/** What the filters select, each measured when it is first needed, and only once. */
export type Measures = {
  sizes(): Promise<Sizes>;
  /** Returns the ids of the findings with the rarest of the words; null when none is rare. */
  rare(): Promise<string[] | null>;
  /** Returns the ids of the findings with the words, or of the packages; null when there are more than `maxHits`. */
  hits(): Promise<string[] | null>;
};

const everything: Collection = {
  from: 'findings f',
  conditions: () => ['f.org_id = $1'],
  count: () => 'SELECT COALESCE(sum(count), 0)::bigint FROM finding_counts c WHERE c.org_id = $1',
};

async function measureCollections(database: Database, orgId: string, filters: FindingFilters): Promise<Sizes> {
  // A source has no index of its own: its collection reads all findings of its data sources.
  const collections = [everything, ...collectionsOf({ ...filters, source: undefined })];
  const parameters = new Parameters(orgId);
  const statement = preparedByText(countCollections(collections, parameters, maxCounted + 1), parameters.values);
  const [row] = await database.single<Record<string, number>>(orgId, statement, [planSelection]);
  const each = collections.map((collection, index) => ({
    collection,
    cost: row![`c${index}`]! * (collection.byId ? 2 : 1),
  }));
  return { population: row!.c0!, each };
}

function once<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= run();
    return result;
  };
}

/** Returns the measures of these filters, for all selections of one request. */
export function measureFilters(database: Database, orgId: string, given: FindingFilters): Measures {
  const filters = narrowed(given);
  const search = searchOf(filters) ?? undefined;
  const words = search?.words ?? [];
  const run = (statement: Statement) => database.single<{ ids: string[] | null }>(orgId, statement);
  return {
    sizes: once(() => measureCollections(database, orgId, filters)),
    rare: once(() => findIds(run, words.length > 0 ? [rarestWord(words)] : [])),
    hits: once(() => findIds(run, hitStatements(filters.package, search, maxHits))),
  };
}
