import { listDataSourcesWhere } from '../../data-sources/queries.ts';
import type { Db } from '../../platform/postgres/database.ts';
import type { Term } from '../columns/term.ts';
import { anyOf, type Chosen, type Filter, type Reading } from '../filter.ts';
import { findPerson } from './people.ts';

/** The condition on columns for findings in any of the data sources. */
export const inDataSources = (ids: readonly string[]): Term => ({ text: 'dataSourceId', in: ids });

type Property = Parameters<typeof listDataSourcesWhere>[2];

/**
 * Returns the common part of filters on a property of data sources. They find the ids of the matching data sources:
 * there are few, and indexes lead with them.
 */
export const ofDataSource = (property: Property) => ({
  inEntries: true as const,
  isKept: true as const,
  selectsDataSources: true as const,
  resolve: async (db: Db, { any, none }: Chosen<string[]>, { orgId }: Reading) => {
    const people = (values: string[] | undefined) =>
      property === 'owner' ? values && Promise.all(values.map((value) => findPerson(db, orgId, value))) : values;
    const chosen = { any: (await people(any)) ?? null, none: (await people(none)) ?? null };
    return { any: await listDataSourcesWhere(db, orgId, property, chosen) };
  },
  condition: ((ids, parameters) => anyOf('f.data_source_id', ids, 'text', parameters)) as Filter<
    never,
    string[]
  >['condition'],
  column: inDataSources,
});
