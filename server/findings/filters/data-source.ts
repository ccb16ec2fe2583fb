import { listDataSourcesWhere } from '../../data-sources/queries.ts';
import { isId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { anyOf } from '../filter.ts';
import { inDataSources } from './of-data-source.ts';
import { name, valuesFilter } from './values-filter.ts';

/** Replaces names with the ids of the data sources that have them. */
async function findIds(db: Db, orgId: string, values: string[] | undefined): Promise<string[] | undefined> {
  const names = values?.filter((value) => !isId('ds', value));
  if (!values || !names || names.length === 0) return values;
  const found = await listDataSourcesWhere(db, orgId, 'name', { any: names, none: null });
  return [...new Set([...values.filter((value) => isId('ds', value)), ...found])];
}

export const dataSource = valuesFilter({
  item: name,
  description: 'In any of these data sources (ids or names).',
  label: { en: 'Data source', de: 'Datenquelle' },
  control: { kind: 'choice', names: 'data_source' },
  keys: ['data_source', 'repo'],
  isKept: true,
  selectsDataSources: true,
  facet: { column: 'data_source_id' },
  grouping: { column: 'data_source_id' },
  resolve: async (db, { any, none }, { orgId }) => ({
    any: await findIds(db, orgId, any),
    none: await findIds(db, orgId, none),
  }),
  condition: (values, parameters) => anyOf('f.data_source_id', values, 'text', parameters),
  column: inDataSources,
  samples: [['first'], ['first', 'third'], ['-second']],
  matches: (finding, values) => values.includes(finding.data_source.id) || values.includes(finding.data_source.name),
});
