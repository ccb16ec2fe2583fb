import Type, { type Static } from 'typebox';
import { defineRoute } from '../../context.ts';
import { DataSourceReference } from '../../data-sources/data-source-schema.ts';
import { notFound } from '../../platform/errors.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { enumeration, idOf, nullable, page, pageParameters, time } from '../../platform/http/schema.ts';
import { idOfUuid, isId } from '../../platform/id.ts';
import { formatTime } from '../../platform/times.ts';
import { requirePresent } from '../listing/moved-positions.ts';
import { Comment, commentExample, commentView } from './comment-routes.ts';
import {
  findFirstSighting,
  type HistoryEntry,
  listHistory,
  listTimeline,
  type TimelineRow,
} from './conversation-queries.ts';

const idParameter = { id: idOf('fnd') };
const noFinding = () => notFound('The finding was');

const ChangeActor = Type.Object(
  {
    kind: enumeration(['user', 'scan', 'system'], { $id: 'ChangeActorKind' }),
    id: nullable(Type.String({ description: '`usr_…` or `scan_…`' })),
    name: nullable(Type.String()),
  },
  { $id: 'ChangeActor', description: 'The person or program that made the change.' },
);

const FieldChange = Type.Object(
  {
    field: Type.String({ description: 'The field of the finding.' }),
    from: Type.Unknown({ description: 'Its value before.' }),
    to: Type.Unknown({ description: 'Its value after.' }),
  },
  { $id: 'FieldChange' },
);

const sourceOfChange = nullable(DataSourceReference, {
  description: 'The data source in which a scan saw the finding, or no longer saw it; null for other changes.',
});

const Change = Type.Object(
  {
    id: idOf('his'),
    at: time(),
    actor: ChangeActor,
    data_source: sourceOfChange,
    changes: Type.Array(FieldChange),
  },
  { $id: 'FindingChange' },
);
const changeExample = {
  id: 'his_01jd3xbn4sf0a9w8e7r6t5y4v3',
  at: '2026-02-02T10:00:00Z',
  actor: { kind: 'user', id: commentExample.author.id, name: commentExample.author.name },
  data_source: null,
  changes: [{ field: 'status', from: 'new', to: 'triaged' }],
} as const;

function changeView(row: HistoryEntry, dataSource: Static<typeof DataSourceReference>) {
  const kind = row.userId ? ('user' as const) : row.scanId ? ('scan' as const) : ('system' as const);
  const changes = Object.entries(row.changes).map(([field, [from, to]]) => ({ field, from, to }));
  return {
    // The id of the first sighting is derived from the finding's.
    id: isId('fnd', row.id) ? row.id.replace('fnd_', 'his_') : idOfUuid('his', row.id),
    at: formatTime(row.at),
    actor: { kind, id: row.userId ?? row.scanId, name: row.userName },
    data_source: kind === 'scan' ? dataSource : null,
    changes,
  };
}

const beginning = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

const history = defineRoute({
  method: 'GET',
  path: '/findings/{id}/history',
  operationId: 'listFindingHistory',
  tag: 'Findings',
  summary: 'List the changes of a finding',
  description: 'Returns who or which scan changed what and when, oldest first. The first sighting is the first entry.',
  extension: true,
  permission: { role: 'viewer', scope: 'findings:read' },
  params: idParameter,
  query: pageParameters,
  responses: {
    200: {
      schema: page(Change, 'FindingChange'),
      description: 'A page of changes.',
      example: { data: [changeExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor', 'not_found'],
  handler: async ({ actor, params, query, context }) => {
    const { database, cursors } = context;
    const binding = { operation: 'listFindingHistory', orgId: actor.orgId, filters: { id: params.id } };
    const cursor = query.next_cursor === undefined ? null : cursors.decode(binding, query.next_cursor);
    const first = isId('fnd', params.id) ? await findFirstSighting(database, actor.orgId, params.id) : undefined;
    if (!first) throw noFinding();
    if (cursor) await requirePresent(database, actor.orgId, cursor.map(String));
    const after = cursor ? { at: String(cursor[0]), id: String(cursor[1]) } : beginning;
    const rows = await listHistory(database, actor.orgId, params.id, after, query.limit + 1);
    // The first sighting has no row; it is read from the finding.
    const sighting: HistoryEntry = {
      id: params.id,
      ...first,
      position: beginning.at,
      userId: null,
      userName: null,
      changes: { status: [null, 'new'] },
    };
    const all = cursor ? rows : [sighting, ...rows];
    const position = (row: HistoryEntry) =>
      row.id === params.id ? [beginning.at, beginning.id] : [row.position, row.id];
    const { data, next_cursor } = pageOf(all, query.limit, cursors, binding, position);
    return { data: data.map((row) => changeView(row, first.dataSource)), next_cursor };
  },
});

const TimelineEntry = Type.Object(
  {
    id: Type.String({ description: '`his_…` of a change, `cmt_…` of a comment.' }),
    at: time(),
    kind: enumeration(['change', 'comment'], { $id: 'TimelineEntryKind' }),
    actor: ChangeActor,
    data_source: sourceOfChange,
    changes: Type.Array(FieldChange, { description: 'Empty for a comment.' }),
    comment: nullable(Comment, { description: 'Null for a change.' }),
  },
  { $id: 'TimelineEntry' },
);

function entryView(row: TimelineRow, findingId: string, dataSource: Static<typeof DataSourceReference>) {
  const { id, at, userId, userName, comment } = row;
  if (comment === null)
    return {
      ...changeView({ ...row, changes: row.changes ?? {} }, dataSource),
      kind: 'change' as const,
      comment: null,
    };
  const actor = { kind: userId ? ('user' as const) : ('system' as const), id: userId, name: userName };
  const written = { ...row, comment, authorId: userId, authorName: userName, createdAt: at };
  return {
    id,
    at: formatTime(at),
    kind: 'comment' as const,
    actor,
    data_source: null,
    changes: [],
    comment: commentView(written, findingId),
  };
}

const timelineStart = { at: '-infinity', rank: 0, id: '' };

const timeline = defineRoute({
  method: 'GET',
  path: '/findings/{id}/timeline',
  operationId: 'listFindingTimeline',
  tag: 'Findings',
  summary: 'List the changes of a finding and the comments on it',
  description:
    'Changes and comments in one order, oldest first, beginning with the first sighting. A comment that came with a change follows it. Deleted comments are there without their text.',
  extension: true,
  permission: { role: 'viewer', scope: 'findings:read' },
  params: idParameter,
  query: pageParameters,
  responses: {
    200: {
      schema: page(TimelineEntry, 'TimelineEntry'),
      description: 'A page of entries.',
      example: {
        data: [
          { ...changeExample, kind: 'change', comment: null },
          {
            id: commentExample.id,
            at: commentExample.created_at,
            kind: 'comment',
            actor: changeExample.actor,
            data_source: null,
            changes: [],
            comment: commentExample,
          },
        ],
        next_cursor: null,
      },
    },
  },
  errors: ['invalid_cursor', 'not_found'],
  handler: async ({ actor, params, query, context }) => {
    const { database, cursors } = context;
    const binding = { operation: 'listFindingTimeline', orgId: actor.orgId, filters: { id: params.id } };
    const cursor = query.next_cursor === undefined ? null : cursors.decode(binding, query.next_cursor);
    const first = isId('fnd', params.id) ? await findFirstSighting(database, actor.orgId, params.id) : undefined;
    if (!first) throw noFinding();
    if (cursor) await requirePresent(database, actor.orgId, cursor.map(String));
    const after = cursor ? { at: String(cursor[0]), rank: Number(cursor[1]), id: String(cursor[2]) } : timelineStart;
    const rows = await listTimeline(database, actor.orgId, params.id, after, query.limit + 1);
    const sighting: TimelineRow = {
      id: params.id,
      ...first,
      position: timelineStart.at,
      rank: 0,
      userId: null,
      userName: null,
      changes: { status: [null, 'new'] },
      comment: null,
      editedAt: null,
      deletedAt: null,
    };
    const position = ({ id, position, rank }: TimelineRow) => [position, rank, id === params.id ? '' : id];
    const { data, next_cursor } = pageOf(cursor ? rows : [sighting, ...rows], query.limit, cursors, binding, position);
    return { data: data.map((row) => entryView(row, params.id, first.dataSource)), next_cursor };
  },
});

export const historyRoutes = [history, timeline];
