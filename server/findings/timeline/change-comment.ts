import { ApiError, notFound } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { FindingChanges } from '../finding-changes.ts';
import { lockFindings } from '../merge-queries.ts';
import type { CommentRow } from '../queries.ts';
import { type CommentKey, deleteComment, existsComment, updateComment } from './conversation-queries.ts';

/** Explains why a comment was not changed: another user wrote it, or there is none. */
async function refusal(tx: Db, orgId: string, key: CommentKey): Promise<ApiError> {
  if (!(await existsComment(tx, orgId, key))) return notFound('The comment was');
  return new ApiError('forbidden', 'Only its author may edit or delete a comment. Add a comment of your own instead.');
}

/** Replaces the text of a comment. Throws 404 when there is none, and 403 when another user wrote it. */
export async function changeComment(tx: Db, orgId: string, key: CommentKey, comment: string): Promise<CommentRow> {
  const changed = await updateComment(tx, orgId, key, comment);
  if (!changed) throw await refusal(tx, orgId, key);
  return changed;
}

/** Deletes a comment, which counts as a change of its finding. Throws as `changeComment` does. */
export async function removeComment(tx: Db, orgId: string, key: CommentKey): Promise<void> {
  const changes = await FindingChanges.begin(tx, orgId, { userId: key.userId });
  const [finding] = await lockFindings(tx, orgId, [key.findingId]);
  if (!finding || !(await deleteComment(tx, orgId, key))) throw await refusal(tx, orgId, key);
  changes.decide(finding, { ...finding, comments: -1 }, {});
  await changes.write();
}
