import Type from 'typebox';
import { type Context, defineRoute } from '../../context.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { page, pageParameters } from '../../platform/http/schema.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { KnownValue } from '../live-columns/known-values.ts';
import { listKnownValues } from './pickers.ts';

const query = {
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Only those that contain this text, whatever its case.' }),
  ),
  ...pageParameters,
};
const count = Type.Integer({ minimum: 1, description: 'The number of findings that have it, closed ones included.' });

type Query = { q?: string; limit: number; next_cursor?: string };

async function readPage(
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

const KnownRule = Type.Object(
  { id: Type.String(), name: Type.String({ description: 'Display name.' }), count },
  { $id: 'KnownRule' },
);

const rules = defineRoute({
  method: 'GET',
  path: '/rules',
  operationId: 'listRules',
  tag: 'Findings',
  summary: 'List the rules that findings have',
  description: 'By id, for choosing one.',
  extension: true,
  permission: { role: 'viewer', scope: 'findings:read' },
  readsReplica: true,
  query,
  responses: {
    200: {
      schema: page(KnownRule, 'KnownRule'),
      description: 'A page of rules.',
      example: {
        data: [{ id: 'aws-access-token', name: 'AWS access key', count: 4 }],
        next_cursor: null,
      },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor, query, ...given }) => {
    const { data, next_cursor } = await readPage('listRules', 'rule', actor.orgId, query, given);
    return { data: data.map(({ value, ...rule }) => ({ id: value, ...rule })), next_cursor };
  },
});

const KnownTag = Type.Object({ tag: Type.String(), count }, { $id: 'KnownTag' });

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
  query,
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

export const pickerRoutes = [rules, tags];
