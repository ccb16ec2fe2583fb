import type { Database, Statement } from '../../platform/postgres/database.ts';
import { planWithoutValues } from '../../platform/postgres/statement.ts';
import { Parameters } from '../filter.ts';
import { preparedByText, searchOf } from '../filters/select.ts';
import type { FindingFilters } from '../filters/table.ts';
import { narrowed } from '../listing/filter-shape.ts';
import {
  type Collection,
  collectionsOf,
  countCollections,
  findIds,
  hitStatements,
  rarestWord,
} from '../listing/list-collections.ts';

/** The maximum number of findings with words, or of packages, that are looked up one by one. */
const maxHits = 10_000;

/**
 * Runs before a statement on a selection: it is planned once per connection, and never reads a whole table, most of
 * which belongs to other organizations.
 */
export const planSelection = planWithoutValues({ enable_seqscan: 'off' });

/** The number of the organization's findings, and the collection with the fewest, which counts twice where each is looked up. */
type Sizes = { population: number; smallest: { collection: Collection; cost: number } };

/** Measures the number of findings that each filter selects, when it is first needed, and only once. */
export type Measures = {
  /** Counts each collection up to one more than `max`. */
  sizes(max: number): Promise<Sizes>;
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

async function measureCollections(
  database: Database,
  orgId: string,
  filters: FindingFilters,
  max: number,
): Promise<Sizes> {
  // A source has no index of its own: its collection reads all findings of its data sources.
  const collections = [everything, ...collectionsOf({ ...filters, source: undefined })];
  const parameters = new Parameters(orgId);
  const statement = preparedByText(countCollections(collections, parameters, max + 1), parameters.values);
  const [row] = await database.single<Record<string, number>>(orgId, statement, [planSelection]);
  const each = collections.map((collection, index) => ({
    collection,
    cost: row![`c${index}`]! * (collection.byId ? 2 : 1),
  }));
  return { population: row!.c0!, smallest: each.reduce((least, next) => (next.cost < least.cost ? next : least)) };
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
  const sizes = new Map<number, Promise<Sizes>>();
  const run = (statement: Statement) => database.single<{ ids: string[] | null }>(orgId, statement);
  return {
    sizes: (max) => {
      const known = sizes.get(max) ?? measureCollections(database, orgId, filters, max);
      sizes.set(max, known);
      return known;
    },
    rare: once(() => findIds(run, words.length > 0 ? [rarestWord(words)] : [])),
    hits: once(() => findIds(run, hitStatements(filters.package, search, maxHits))),
  };
}
