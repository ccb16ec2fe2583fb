import { Readable } from 'node:stream';
import Type from 'typebox';
import { defineRoute } from '../../context.ts';
import { textCell } from '../../platform/csv-cell.ts';
import { invalid } from '../../platform/errors.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { enumeration, listOf, pageParameters, timeInput } from '../../platform/http/schema.ts';
import { isId } from '../../platform/id.ts';
import { prefersType } from '../../platform/media-type.ts';
import { autocommit, type Database, type Db } from '../../platform/postgres/database.ts';
import { formatTime, readTime } from '../../platform/times.ts';
import { auditActionNames, auditActions } from '../audit-actions.ts';
import { recordExport } from '../record-export.ts';
import {
  type ActorFilter,
  type AuditEventRow,
  type AuditFilter,
  type AuditPosition,
  findActors,
  listAuditEvents,
} from './audit-queries.ts';
import { AuditEventPage, auditEventExample, auditEventView } from './audit-schema.ts';

type View = ReturnType<typeof auditEventView>;

const jsonCell = (value: object | null) => (value === null ? '' : textCell(JSON.stringify(value)));

/** The columns in order. Names never change; new columns are added at the end. */
const columns: Array<[name: string, cell: (event: View) => string]> = [
  ['sequence', ({ sequence }) => String(sequence)],
  ['id', ({ id }) => id],
  ['occurred_at', (event) => event.occurred_at],
  ['actor_type', ({ actor }) => actor.type],
  ['user_id', ({ actor }) => actor.user?.id ?? ''],
  ['user_name', ({ actor }) => textCell(actor.user?.name ?? '')],
  ['token_id', ({ actor }) => actor.token?.id ?? ''],
  ['token_name', ({ actor }) => textCell(actor.token?.name ?? '')],
  ['address', ({ actor }) => textCell(actor.address ?? '')],
  ['action', ({ action }) => textCell(action)],
  ['target_id', ({ target }) => textCell(target?.id ?? '')],
  ['target_name', ({ target }) => textCell(target?.name ?? '')],
  ['before', ({ before }) => jsonCell(before)],
  ['after', ({ after }) => jsonCell(after)],
  ['details', ({ details }) => jsonCell(details)],
  ['hash', ({ hash }) => hash],
];

const rowOf = (row: AuditEventRow) => {
  const event = auditEventView(row);
  return `${columns.map(([, cell]) => cell(event)).join(',')}\r\n`;
};

/** The number of rows per batch. Each batch is a separate transaction, so that a slow client keeps none open. */
const batchSize = 1_000;

/** Writes the selected events, newest first, as CSV by RFC 4180. Events added meanwhile are excluded. */
async function* auditCsv(database: Database, orgId: string, filter: AuditFilter): AsyncGenerator<string> {
  yield `${columns.map(([name]) => name).join(',')}\r\n`;
  let after: AuditPosition | null = null;
  for (;;) {
    const statement = listAuditEvents(orgId, filter, { after, limit: batchSize });
    const rows: AuditEventRow[] = await database.single<AuditEventRow>(orgId, statement);
    if (rows.length > 0) yield rows.map(rowOf).join('');
    if (rows.length < batchSize) return;
    const { moment, sequence } = rows.at(-1)!;
    after = { moment, sequence };
  }
}

const filters = {
  actor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'By this person (an id, or `me`) with all their tokens, by this API token (an id), or by `system`. Other texts are looked for in the names and addresses of people and in the names of tokens.',
    }),
  ),
  action: Type.Optional(
    listOf(enumeration(auditActionNames, { $id: 'AuditAction' }), {
      description: `Any of these actions:\n\n${Object.entries(auditActions)
        .map(([action, meaning]) => `- \`${action}\`: ${meaning}`)
        .join('\n')}`,
    }),
  ),
  target: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'The target, of any kind: its id, or words, or beginnings of words, of the name that it had then. Case does not matter.',
    }),
  ),
  from: Type.Optional(timeInput('At or after this time.')),
  to: Type.Optional(timeInput('At or before this time, to the second.')),
};

type Caller = { orgId: string; userId: string };
type Input = { actor?: string; action?: AuditFilter['actions']; target?: string; from?: string; to?: string };

async function readActor(db: Db, actor: string | undefined, { orgId, userId }: Caller): Promise<ActorFilter | null> {
  if (actor === undefined) return null;
  if (actor === 'system') return 'system';
  if (actor === 'me') return { userIds: [userId], tokenIds: [] };
  if (isId('tok', actor)) return { userIds: [], tokenIds: [actor] };
  return isId('usr', actor) ? { userIds: [actor], tokenIds: [] } : findActors(db, orgId, actor);
}

/** The form of ids of any kind. */
const anyId = /^[a-z]{2,8}_[0-9a-z]{26}$/;

async function readFilter(db: Db, input: Input, caller: Caller): Promise<AuditFilter> {
  const from = input.from === undefined ? null : readTime(input.from);
  const { target } = input;
  const to = input.to === undefined ? null : readTime(input.to);
  if (from && to && from > to) throw invalid('query', 'from', 'must not be after `to`');
  return {
    actor: await readActor(db, input.actor, caller),
    actions: input.action ?? null,
    target: target === undefined ? null : anyId.test(target) ? { id: target } : { named: target },
    from,
    until: to && new Date(to.getTime() + 1_000),
  };
}

const csvType = 'text/csv; charset=utf-8';

const list = defineRoute({
  method: 'GET',
  path: '/audit-events',
  operationId: 'listAuditEvents',
  tag: 'Organization',
  summary: 'List audit events',
  description:
    'Returns who changed what, newest first: members, invitations, tokens, accounts, data sources, schedules, reports, bulk operations and settings. Events are recorded in the transaction of the change, cannot be changed or deleted, and are kept for as long as the organization. Triage of single findings and what scans find is in the history of each finding instead. With `format=csv`, or `Accept: text/csv`, the response is a file of all events that match, streamed; `limit` and `next_cursor` have no effect on it.',
  extension: true,
  permission: { role: 'admin', scope: 'organization:read' },
  query: {
    ...filters,
    format: Type.Optional(
      enumeration(['json', 'csv'] as const, {
        $id: 'AuditFormat',
        description: 'Overrides the header `Accept`; `json` by default.',
      }),
    ),
    ...pageParameters,
  },
  responses: {
    200: {
      schema: AuditEventPage,
      content: { 'text/csv': Type.String({ description: 'RFC 4180 in UTF-8, with a header.' }) },
      description: 'A page of events, or all that match as CSV.',
      example: { data: [auditEventExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor, query, context, request, reply }) => {
    const { orgId, userId } = actor;
    const { limit, next_cursor: cursor, format, ...input } = query;
    const filter = await readFilter(autocommit(context.database, orgId), input, actor);
    reply.header('vary', 'Accept');
    if (format === 'csv' || (format === undefined && prefersType(request.headers.accept, 'text/csv'))) {
      await recordExport(context.database, request, actor, {
        action: 'audit_log.exported',
        target: { id: orgId },
        details: { format: 'csv', filters: { ...input, from: input.from ?? null, to: input.to ?? null } },
      });
      const name = `audit-${formatTime(new Date()).slice(0, 10)}.csv`;
      reply.header('content-type', csvType).header('content-disposition', `attachment; filename="${name}"`);
      return Readable.from(auditCsv(context.database, orgId, filter), { objectMode: false });
    }
    const binding = {
      operation: 'listAuditEvents',
      orgId,
      filters: { ...input, ...(input.actor === 'me' && { userId }) },
    };
    const position = cursor === undefined ? null : context.cursors.decode(binding, cursor);
    const after = position && { moment: String(position[0]), sequence: Number(position[1]) };
    const statement = listAuditEvents(orgId, filter, { after, limit: limit + 1 });
    const rows = await context.database.single<AuditEventRow>(orgId, statement);
    const { data, next_cursor } = pageOf(rows, limit, context.cursors, binding, (row) => [row.moment, row.sequence]);
    return { data: data.map(auditEventView), next_cursor };
  },
});

export const auditRoutes = [list];
