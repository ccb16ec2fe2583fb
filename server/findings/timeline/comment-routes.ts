import Type from 'typebox';
import { defineRoute } from '../../context.ts';
import { UserReference } from '../../organization/schema.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { idOf, nullable, page, pageParameters, time } from '../../platform/http/schema.ts';
import { isId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { formatTime, formatTimeOrNull } from '../../platform/times.ts';
import { CommentText } from '../decision-input.ts';
import { FindingChanges } from '../finding-changes.ts';
import { lockFindings } from '../merge-queries.ts';
import type { CommentRow } from '../queries.ts';
import { addComment } from '../triage-findings.ts';
import {
  type CommentKey,
  deleteComment,
  existsComment,
  findFirstSighting,
  listComments,
  updateComment,
} from './conversation-queries.ts';

const idParameter = { id: idOf('fnd') };
const noFinding = () => notFound('The finding was');

export const Comment = Type.Object(
  {
    id: idOf('cmt'),
    finding_id: idOf('fnd'),
    comment: Type.String({ description: 'Markdown; empty when it was deleted.' }),
    author: nullable(UserReference, { description: 'Null for comments by the platform itself.' }),
    created_at: time(),
    edited_at: nullable(time('When its author last changed it; null if never.')),
    deleted_at: nullable(time('When its author deleted it: its text is gone, and this mark remains.')),
  },
  { $id: 'FindingComment' },
);
export const commentExample = {
  id: 'cmt_01jd3xbn4sf0a9w8e7r6t5y4v3',
  finding_id: 'fnd_01jd3x8v6zewv8q6m1b2c3d4e5',
  comment: 'Key rotated, waiting for the deployment.',
  author: { id: 'usr_01jd3x5m6n7p8q9r0s1t2v3w4x', name: 'Sam Okafor' },
  created_at: '2026-02-02T10:00:00Z',
  edited_at: null,
  deleted_at: null,
};

export const commentView = (row: CommentRow, findingId: string) => ({
  id: row.id,
  finding_id: findingId,
  comment: row.comment,
  author: row.authorId === null ? null : { id: row.authorId, name: row.authorName ?? '' },
  created_at: formatTime(row.createdAt),
  edited_at: formatTimeOrNull(row.editedAt),
  deleted_at: formatTimeOrNull(row.deletedAt),
});

const create = defineRoute({
  method: 'POST',
  path: '/findings/{id}/comment',
  operationId: 'createFindingComment',
  tag: 'Findings',
  summary: 'Comment on a finding',
  description: 'Adds a comment.',
  permission: { role: 'developer', scope: 'findings:write' },
  params: idParameter,
  bodyLimit: 128 * 1024,
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

const commentParameters = { ...idParameter, comment_id: idOf('cmt') };

const update = defineRoute({
  method: 'PATCH',
  path: '/findings/{id}/comment/{comment_id}',
  operationId: 'updateFindingComment',
  tag: 'Findings',
  summary: 'Edit a comment',
  description: 'Replaces the text of a comment that you wrote. The comment then says when it was edited.',
  extension: true,
  permission: { role: 'developer', scope: 'findings:write' },
  params: commentParameters,
  bodyLimit: 128 * 1024,
  body: Type.Object({ comment: CommentText }, { $id: 'FindingCommentUpdate' }),
  requestExample: { comment: 'Key rotated and deployed.' },
  responses: {
    200: {
      schema: Comment,
      description: 'The comment.',
      example: { ...commentExample, comment: 'Key rotated and deployed.', edited_at: '2026-02-02T11:00:00Z' },
    },
  },
  errors: ['not_found'],
  handler: ({ actor, params, body, transaction }) =>
    transaction(async (tx) => {
      const key = { findingId: params.id, id: params.comment_id, userId: actor.userId };
      return commentView(await changeComment(tx, actor.orgId, key, body.comment), params.id);
    }),
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/findings/{id}/comment/{comment_id}',
  operationId: 'deleteFindingComment',
  tag: 'Findings',
  summary: 'Delete a comment',
  description:
    'Removes the text of a comment that you wrote. Lists and the timeline still show that there was one; `comment_count` of the finding no longer counts it.',
  extension: true,
  permission: { role: 'developer', scope: 'findings:write' },
  params: commentParameters,
  responses: { 204: { description: 'It is deleted.' } },
  errors: ['not_found'],
  handler: ({ actor, params, transaction }) =>
    transaction((tx) =>
      removeComment(tx, actor.orgId, { findingId: params.id, id: params.comment_id, userId: actor.userId }),
    ),
});

export const commentRoutes = [create, list, update, remove];

/** Returns the reason why a comment was not changed: another user wrote it, or it does not exist. */
async function refusal(tx: Db, orgId: string, key: CommentKey): Promise<ApiError> {
  if (!(await existsComment(tx, orgId, key))) return notFound('The comment was');
  return new ApiError('forbidden', 'Only its author may edit or delete a comment. Add a comment of your own instead.');
}

/** Replaces the text of a comment. Throws 404 if it does not exist, and 403 if another user wrote it. */
async function changeComment(tx: Db, orgId: string, key: CommentKey, comment: string): Promise<CommentRow> {
  const changed = await updateComment(tx, orgId, key, comment);
  if (!changed) throw await refusal(tx, orgId, key);
  return changed;
}

/** Deletes a comment, which counts as a change of its finding. Throws the same errors as `changeComment`. */
async function removeComment(tx: Db, orgId: string, key: CommentKey): Promise<void> {
  const changes = await FindingChanges.begin(tx, orgId, { userId: key.userId });
  const [finding] = await lockFindings(tx, orgId, [key.findingId]);
  if (!finding || !(await deleteComment(tx, orgId, key))) throw await refusal(tx, orgId, key);
  changes.decide(finding, { ...finding, comments: -1 }, {});
  await changes.write();
}
