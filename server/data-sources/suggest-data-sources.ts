import { pathToFileURL } from 'node:url';
import Type, { type Static } from 'typebox';
import { ApiError } from '../platform/errors.ts';
import { enumeration, idOf, nullable, page } from '../platform/http/schema.ts';
import type { Database } from '../platform/postgres/database.ts';
import { findLocalRepository } from './local-repository.ts';
import { findDataSourceByAddress } from './queries.ts';
import type { DataSourceServices } from './services.ts';

export const DataSourceSuggestion = Type.Object(
  {
    kind: enumeration(['git_repository'] as const),
    name: Type.String({ description: 'The name to give it.' }),
    description: Type.String({ description: 'Its purpose, in a sentence.' }),
    config: Type.Object(
      { url: Type.String({ description: 'The URL of the repository.' }) },
      { $id: 'SuggestedConfig', description: 'The `config` to add it with.' },
    ),
    data_source_id: nullable(idOf('ds'), {
      description: 'The data source with this address, if there is one already.',
    }),
  },
  { $id: 'DataSourceSuggestion' },
);

export const DataSourceSuggestionPage = page(DataSourceSuggestion, 'DataSourceSuggestion');

export const suggestionExample = {
  kind: 'git_repository',
  name: 'Sample repository',
  description: 'A small repository with planted problems, for a first scan.',
  config: { url: 'file:///var/lib/assay/sample-repository' },
  data_source_id: null,
} as const;

/** Returns the `file:` URL of the sample repository; null if there is none, or if the organization may not use it. */
async function findSample(orgId: string, services: DataSourceServices): Promise<string | null> {
  if (services.sampleRepository === null) return null;
  try {
    const directories = await services.localRepositories(orgId);
    return (await findLocalRepository(pathToFileURL(services.sampleRepository).href, directories)).url;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Returns data sources that the organization can add without entering an address. */
export async function suggestDataSources(
  database: Database,
  orgId: string,
  services: DataSourceServices,
): Promise<Static<typeof DataSourceSuggestion>[]> {
  const url = await findSample(orgId, services);
  if (url === null) return [];
  const id = await database.transaction(orgId, (tx) => findDataSourceByAddress(tx, orgId, 'git_repository', url));
  const { kind, name, description } = suggestionExample;
  return [{ kind, name, description, config: { url }, data_source_id: id }];
}
