import Type, { type Static } from 'typebox';
import { criticalities } from '../data-sources/importance.ts';
import { listDataSourcesWhere } from '../data-sources/queries.ts';
import type { ApiError } from '../platform/errors.ts';
import { enumeration, listOf } from '../platform/http/schema.ts';
import type { Db } from '../platform/postgres/database.ts';
import type { DataSourceFilter, FindingFilters } from './filters.ts';
import { readNegation } from './negation.ts';
import { findPersonId } from './triage-queries.ts';

/** The filters on what people say about the data source of a finding. */
export const dataSourceFilterProperties = {
  data_source_tag: Type.Optional(
    listOf(Type.String({ minLength: 1, maxLength: 66, pattern: '^[^,]*$' }), {
      description: 'In data sources with any of these tags.',
    }),
  ),
  owner: Type.Optional(
    listOf(Type.String({ minLength: 1, maxLength: 320 }), {
      description: 'In data sources that any of these people own: an id, an email address, `me`, or `none`.',
    }),
  ),
  criticality: Type.Optional(
    listOf(
      enumeration([...criticalities, ...criticalities.map((value) => `-${value}` as const)], {
        $id: 'CriticalityFilter',
        description: 'With a leading `-`: any but this.',
        errorMessage: `must be one of ${criticalities.join(', ')}, or one of these with a leading - to exclude it`,
      }),
      { description: 'In data sources of any of these criticalities.' },
    ),
  ),
};
const schema = Type.Object(dataSourceFilterProperties);
type DataSourceFilterInput = Static<typeof schema>;

const inputOf: Record<DataSourceFilter, keyof DataSourceFilterInput> = {
  dataSourceTag: 'data_source_tag',
  owner: 'owner',
  criticality: 'criticality',
};

/** Returns the id of a person, `none`, or what was given when it is nobody's. */
export async function readPerson(
  db: Db,
  { orgId, userId }: { orgId: string; userId: string | null },
  text: string,
): Promise<string> {
  if (text === 'me') return userId ?? 'me';
  if (text === 'none' || !text.includes('@')) return text;
  // Findings keep the assignee who has left: the address in the list is a filter, too.
  return (await findPersonId(db, orgId, text)) ?? text;
}

/**
 * Finds the data sources that each of these filters selects. There are few data sources and indexes lead with them, so
 * that lists and figures filter by their ids. Throws the error that `refuse` makes for a `-` without a value.
 */
export async function readDataSourceFilters(
  db: Db,
  actor: { orgId: string; userId: string | null },
  input: DataSourceFilterInput,
  refuse: (field: string, message: string) => ApiError,
): Promise<Pick<FindingFilters, DataSourceFilter>> {
  const filters: Pick<FindingFilters, DataSourceFilter> = {};
  const valuesOf = (filter: DataSourceFilter, values: string[] | undefined) => {
    if (filter === 'dataSourceTag') return values?.map((tag) => tag.trim().normalize('NFC'));
    return filter === 'owner' ? values && Promise.all(values.map((text) => readPerson(db, actor, text))) : values;
  };
  for (const filter of Object.keys(inputOf) as DataSourceFilter[]) {
    const chosen = readNegation(input[inputOf[filter]]);
    if (!chosen) throw refuse(inputOf[filter], 'must have a value after the `-` that excludes it');
    if (!chosen.any && !chosen.none) continue;
    const [any, none] = [await valuesOf(filter, chosen.any), await valuesOf(filter, chosen.none)];
    filters[filter] = await listDataSourcesWhere(db, actor.orgId, filter, { any: any ?? null, none: none ?? null });
  }
  return filters;
}
