import Type from 'typebox';
import { defineRoute } from '../context.ts';
import { UserReference } from '../organization/schema.ts';
import { notFound } from '../platform/errors.ts';
import { pageOf } from '../platform/http/cursor.ts';
import { enumeration, idOf, nullable, page, pageParameters, time } from '../platform/http/schema.ts';
import { idOfUuid, isId } from '../platform/id.ts';
import { formatTime } from '../platform/times.ts';
import { CommentText } from './decision-input.ts';
import { type CommentRow, findFirstSighting, type HistoryEntry, listComments, listHistory } from './queries.ts';
import { addComment } from './triage-findings.ts';

const idParameter = { id: idOf('fnd') };
const noFinding = () => notFound('The finding was');

const Comment = Type.Object(
  {
    id: idOf('cmt'),
    finding_id: idOf('fnd'),
    comment: Type.String({ description: 'Markdown.' }),
    author: nullable(UserReference, { description: 'Null for comments by the platform itself.' }),
    created_at: time(),
  },
  { $id: 'FindingComment' },
);
const commentExample = {
  id: 'cmt_01jd3xbn4sf0a9w8e7r6t5y4v3',
  finding_id: 'fnd_01jd3x8v6zewv8q6m1b2c3d4e5',
  comment: 'Key rotated, waiting for the deployment.',
  author: { id: 'usr_01jd3x5m6n7p8q9r0s1t2v3w4x', name: 'Sam Okafor' },
  created_at: '2026-02-02T10:00:00Z',
};

const commentView = (row: CommentRow, findingId: string) => ({
  id: row.id,
  finding_id: findingId,
  comment: row.comment,
  author: row.authorId === null ? null : { id: row.authorId, name: row.authorName ?? '' },
  created_at: formatTime(row.createdAt),
});

const create = defineRoute({
  method: 'POST',
  path: '/findings/{id}/comment',
  operationId: 'createFindingComment',
  tag: 'Findings',
  summary: 'Comment on a finding',
  description: 'Adds a comment.',
  permission: { role: 'analyst', scope: 'findings:write' },
  params: idParameter,
  body: Type.Object({ comment: CommentText }, { $id: 'FindingCommentCreation' }),
  requestExample: { comment: commentExample.comment },
  responses: { 201: { schema: Comment, description: 'The comment.', example: commentExample } },
  errors: ['not_found'],
  handler: ({ actor, params, body, transaction }) =>
    transaction(async (tx) => {
      const comment = isId('fnd', params.id)
        ? await addComment(tx, actor.orgId, actor.userId, params.id, body.comment)
        : null;
      if (!comment) throw noFinding();
      return commentView(comment, params.id);
    }),
});

const list = defineRoute({
  method: 'GET',
  path: '/findings/{id}/comment',
  operationId: 'listFindingComments',
  tag: 'Findings',
  summary: 'List the comments of a finding',
  description: 'Returns the comments, oldest first.',
  extension: true,
  permission: { role: 'viewer', scope: 'findings:read' },
  params: idParameter,
  query: pageParameters,
  responses: {
    200: {
      schema: page(Comment, 'FindingComment'),
      description: 'A page of comments.',
      example: { data: [commentExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor', 'not_found'],
  handler: async ({ actor, params, query, context }) => {
    const { database, cursors } = context;
    const binding = { operation: 'listFindingComments', orgId: actor.orgId, filters: { id: params.id } };
    const after = query.next_cursor === undefined ? '' : String(cursors.decode(binding, query.next_cursor)[0]);
    const known = isId('fnd', params.id) && (await findFirstSighting(database, actor.orgId, params.id));
    if (!known) throw noFinding();
    const rows = await listComments(database, actor.orgId, params.id, after, query.limit + 1);
    const { data, next_cursor } = pageOf(rows, query.limit, cursors, binding, (row) => [row.id]);
    return { data: data.map((row) => commentView(row, params.id)), next_cursor };
  },
});

const ChangeActor = Type.Object(
  {
    kind: enumeration(['user', 'scan', 'system'], { $id: 'ChangeActorKind' }),
    id: nullable(Type.String({ description: '`usr_…` or `scan_…`' })),
    name: nullable(Type.String()),
  },
  { $id: 'ChangeActor', description: 'Who or what made the change.' },
);

const FieldChange = Type.Object(
  {
    field: Type.String({ description: 'The field of the finding.' }),
    from: Type.Unknown({ description: 'Its value before.' }),
    to: Type.Unknown({ description: 'Its value after.' }),
  },
  { $id: 'FieldChange' },
);

const Change = Type.Object(
  {
    id: idOf('his'),
    at: time(),
    actor: ChangeActor,
    changes: Type.Array(FieldChange),
  },
  { $id: 'FindingChange' },
);
const changeExample = {
  id: 'his_01jd3xbn4sf0a9w8e7r6t5y4v3',
  at: '2026-02-02T10:00:00Z',
  actor: { kind: 'user', id: commentExample.author.id, name: commentExample.author.name },
  changes: [{ field: 'status', from: 'new', to: 'triaged' }],
} as const;

function changeView(row: HistoryEntry) {
  const kind = row.userId ? ('user' as const) : row.scanId ? ('scan' as const) : ('system' as const);
  const changes = Object.entries(row.changes).map(([field, [from, to]]) => ({ field, from, to }));
  return {
    // The first sighting has the finding's own id.
    id: isId('fnd', row.id) ? row.id.replace('fnd_', 'his_') : idOfUuid('his', row.id),
    at: formatTime(row.at),
    actor: { kind, id: row.userId ?? row.scanId, name: row.userName },
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
    const after = cursor ? { at: String(cursor[0]), id: String(cursor[1]) } : beginning;
    const rows = await listHistory(database, actor.orgId, params.id, after, query.limit + 1);
    // The first sighting has no row of its own: it is read from the finding.
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
    return { data: data.map(changeView), next_cursor };
  },
});

export const conversationRoutes = [create, list, history];
