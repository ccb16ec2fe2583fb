import Type from 'typebox';
import { type Context, defineRoute } from '../../context.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { page, pageParameters } from '../../platform/http/schema.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { KnownValue } from '../live-columns/known-values.ts';
import { listKnownValues } from './pickers.ts';

/** The query of a page of values that findings have. */
export const pickerQuery = {
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Only those that contain this text, whatever its case.' }),
  ),
  ...pageParameters,
};
export const pickerCount = Type.Integer({
  minimum: 1,
  description: 'The number of findings that have it, closed ones included.',
});

type Query = { q?: string; limit: number; next_cursor?: string };

/** Returns a page of the rules or tags of the organization's findings. */
export async function readPage(
  operation: string,
  field: 'rule' | 'tag',
  orgId: string,
  { q, limit, next_cursor }: Query,
  { reads, context: { cursors, figures, columns } }: { reads: Database; context: Context },
) {
  const binding = { operation, orgId, filters: { q } };
  const after = next_cursor === undefined ? '' : String(cursors.decode(binding, next_cursor)[0]);
  const question = ['known', field, after, q, limit];
  const rows = await figures.read(reads, orgId, { question }, () =>
    listKnownValues({ database: reads, columns }, orgId, field, { after, q, limit: limit + 1 }),
  );
  return pageOf(rows, limit, cursors, binding, (row: KnownValue) => [row.value]);
}

const KnownTag = Type.Object({ tag: Type.String(), count: pickerCount }, { $id: 'KnownTag' });

const tags = defineRoute({
  method: 'GET',
  path: '/tags',
  operationId: 'listTags',
  tag: 'Findings',
  summary: 'List the tags that findings have',
  description: 'In alphabetical order, for choosing one.',
  extension: true,
  permission: { role: 'viewer', scope: 'findings:read' },
  readsReplica: true,
  query: pickerQuery,
  responses: {
    200: {
      schema: page(KnownTag, 'KnownTag'),
      description: 'A page of tags.',
      example: { data: [{ tag: 'pci', count: 4 }], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor, query, ...given }) => {
    const { data, next_cursor } = await readPage('listTags', 'tag', actor.orgId, query, given);
    return { data: data.map(({ value, count }) => ({ tag: value, count })), next_cursor };
  },
});

export const pickerRoutes = [tags];
