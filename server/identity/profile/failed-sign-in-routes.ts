import Type from 'typebox';
import { defineRoute } from '../../context.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { enumeration, nullable, page, pageParameters, time } from '../../platform/http/schema.ts';
import { formatTime } from '../../platform/times.ts';
import { type FailedSignInRow, listFailedSignIns } from '../failed-sign-ins/failed-sign-in-queries.ts';
import { type FailedMethod, failedMethods } from '../failed-sign-ins/failed-sign-ins.ts';

const FailedSignIn = Type.Object(
  {
    address: nullable(Type.String(), {
      description: 'The address from which it was tried; null for the attempts from many further addresses together.',
    }),
    methods: Type.Array(enumeration(failedMethods, { $id: 'FailedSignInMethod' }), {
      description:
        'The ways that were tried. `confirmation`: the password or code that an action of a signed-in person asks for again.',
    }),
    attempts: Type.Integer({ minimum: 1 }),
    first_at: time('The first of these attempts.'),
    last_at: time('The last of these attempts.'),
  },
  { $id: 'FailedSignIn' },
);

const example = {
  address: '203.0.113.7',
  methods: ['password' as const],
  attempts: 3,
  first_at: '2026-01-31T09:30:00Z',
  last_at: '2026-01-31T09:31:12Z',
};

const view = ({ address, methods, attempts, first_at, last_at }: FailedSignInRow) => ({
  address: address || null,
  methods: methods as FailedMethod[],
  attempts,
  first_at: formatTime(first_at),
  last_at: formatTime(last_at),
});

const list = defineRoute({
  method: 'GET',
  path: '/profile/failed-sign-ins',
  operationId: 'listFailedSignIns',
  tag: 'Profile',
  summary: 'List failed sign-ins',
  description:
    'Returns the attempts of the last 30 days to sign in as you that failed, newest first: one entry for each hour and address, and at most some 200. New attempts appear within seconds.',
  extension: true,
  permission: 'session',
  query: pageParameters,
  responses: {
    200: {
      schema: page(FailedSignIn, 'FailedSignIn'),
      description: 'A page of failed sign-ins.',
      example: { data: [example], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor: { orgId, userId }, query, context }) => {
    const binding = { operation: 'listFailedSignIns', orgId, filters: { user: userId } };
    const position = query.next_cursor === undefined ? null : context.cursors.decode(binding, query.next_cursor);
    const after = position && { moment: String(position[0]), address: String(position[1]) };
    const statement = listFailedSignIns(userId, { limit: query.limit, after });
    const rows = await context.database.single<FailedSignInRow>(null, statement);
    const { data, next_cursor } = pageOf(rows, query.limit, context.cursors, binding, (row) => [
      row.moment,
      row.address,
    ]);
    return { data: data.map(view), next_cursor };
  },
});

export const failedSignInRoutes = [list];
