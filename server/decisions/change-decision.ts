import { rankOf } from '@assay/scanner/contract/scope-rank.ts';
import type { Static } from 'typebox';
import { lacksJustification, type Policy } from '../findings/policy.ts';
import { findPolicy } from '../findings/policy-queries.ts';
import { auditActor, recordAudit } from '../organization/audit.ts';
import { ApiError, invalid } from '../platform/errors.ts';
import type { Actor } from '../platform/http/actor.ts';
import { newId } from '../platform/id.ts';
import type { Db } from '../platform/postgres/database.ts';
import { enqueueAnnouncement } from './announce-requests.ts';
import {
  mayDecide,
  needsApproval,
  requestEnd,
  requireActiveRoom,
  requireAllowedEnd,
  requireDecision,
  requireRequester,
  requireRequestRoom,
  severityToApprove,
  stateOf,
} from './approval.ts';
import { type DecisionCreation, type DecisionUpdate, readUntil, requireScope } from './decision-schema.ts';
import { enqueueFollowing } from './job-type.ts';
import { endAndRelease, lockFor } from './jobs.ts';
import { type ActiveDecision, type DecisionRow, insertDecision, lockDecisions, updateDecision } from './queries.ts';
import { refuseRequest, updateRequest } from './request-queries.ts';

type Creation = Static<typeof DecisionCreation>;

type Wanted = Omit<Parameters<typeof insertDecision>[3], 'expiresAt'> & ActiveDecision;

/** Reads a decision that is to be made or requested. Throws 403 for a caller who may do neither, and 400 for what it can't be. */
export function readCreation(actor: Actor, body: Creation, policy: Policy): Wanted {
  if (!mayDecide(actor)) requireRequester(actor, policy);
  const { outcome, justification = null, reason, scope, ends_when: endsWhen = null } = body;
  requireScope(scope, outcome);
  const until = readUntil(body.until);
  if (lacksJustification(policy, outcome, justification))
    throw invalid('body', 'justification', 'is required by the policy');
  requireAllowedEnd(policy, outcome, until);
  const belowSeverity = severityToApprove(policy, outcome);
  const id = newId('dec');
  // Newer than all others, until it is made.
  const made = Number.POSITIVE_INFINITY;
  const decision = {
    id,
    made,
    outcome,
    justification,
    reason,
    scope,
    rank: rankOf(scope),
    until,
    endsWhen,
    belowSeverity,
  };
  return { ...decision, origin: 'person', isApproved: false };
}

/** Makes a decision; a request where the caller may not decide, or the policy asks for the approval of a second person. */
export async function makeDecision(tx: Db, actor: Actor, wanted: Wanted): Promise<DecisionRow> {
  const { orgId, userId } = actor;
  const { id } = wanted;
  const policy = await findPolicy(tx, orgId);
  const decision = { ...wanted, belowSeverity: severityToApprove(policy, wanted.outcome) };
  const isRequest = !mayDecide(actor) || (await needsApproval(tx, orgId, decision, policy));
  if (isRequest) {
    await requireRequestRoom(tx, actor);
    await insertDecision(tx, orgId, userId, { ...decision, expiresAt: requestEnd(new Date(), decision.until) });
    await enqueueAnnouncement(tx, orgId);
  } else {
    await requireActiveRoom(tx, orgId);
    await lockDecisions(tx, orgId);
    await insertDecision(tx, orgId, userId, { ...decision, expiresAt: null });
    await enqueueFollowing(tx, orgId, id, userId);
  }
  const row = await requireDecision(tx, orgId, id);
  const action = isRequest ? 'decision.requested' : 'decision.created';
  await recordAudit(tx, orgId, { actor: auditActor(actor), action, target: { id }, after: stateOf(row) });
  return row;
}

type Change = Static<typeof DecisionUpdate>;

const noLongerActive = () => new ApiError('conflict', 'The decision has ended. Make a new one.');

/**
 * Throws 403 for a request of another person, and for a decision when the caller may not decide; 409 for their own that has
 * ended, and for a change of what a repository or a tool says.
 */
function requireOwn(actor: Actor, row: DecisionRow, isChange: boolean): void {
  const isRequest = row.status === 'requested';
  // Their request may have ended before; repeating its withdrawal is not forbidden.
  if (!isRequest && row.status !== 'active' && row.requesterId === actor.userId) throw noLongerActive();
  if (!isRequest && isChange && row.origin !== 'person')
    throw new ApiError(
      'conflict',
      row.origin === 'repository'
        ? 'The repository says this: change it there, or withdraw the decision here and make your own, which takes precedence.'
        : 'The results of a tool say this: withdraw the decision and make your own, which takes precedence.',
    );
  if (isRequest ? row.requesterId === actor.userId : mayDecide(actor)) return;
  throw new ApiError(
    'forbidden',
    isRequest
      ? 'Only the person who made a request may change or withdraw it. Approve or reject it instead.'
      : `Decisions that hold are changed by the role analyst and above; yours is ${actor.role}. Request another decision instead.`,
  );
}

/** The fields that a change may set, as they are afterwards. */
function changed(row: DecisionRow, body: Change) {
  const { reason = row.reason, ends_when: endsWhen = row.endsWhen, scope = row.scope } = body;
  return { reason, endsWhen, scope, until: body.until === undefined ? row.until : readUntil(body.until) };
}

async function changeRequest(tx: Db, { orgId, userId }: Actor, row: DecisionRow, body: Change): Promise<void> {
  const change = changed(row, body);
  requireScope(change.scope, row.outcome);
  requireAllowedEnd(await findPolicy(tx, orgId), row.outcome, change.until);
  const latest = requestEnd(row.createdAt, null);
  const key = { id: row.id, userId, latest };
  if (!(await updateRequest(tx, orgId, key, { ...change, rank: rankOf(change.scope) })))
    throw new ApiError('conflict', 'The request is not open any more. Make a new one.');
}

/** Whether a change lets a decision hold for longer: an end that is later, or other conditions that end it. */
const prolongs = (row: DecisionRow, { until, endsWhen }: Pick<DecisionRow, 'until' | 'endsWhen'>) =>
  JSON.stringify(endsWhen) !== JSON.stringify(row.endsWhen) ||
  (row.until !== null && (until === null || until > row.until));

async function changeActive(tx: Db, { orgId, userId }: Actor, row: DecisionRow, body: Change): Promise<void> {
  if (body.scope)
    throw invalid('body', 'scope', 'can be changed of requests only: withdraw the decision, and make another');
  const change = changed(row, body);
  const policy = await findPolicy(tx, orgId);
  if (body.until !== undefined) requireAllowedEnd(policy, row.outcome, change.until);
  let { belowSeverity } = row;
  if (prolongs(row, change)) {
    if (lacksJustification(policy, row.outcome, row.justification))
      throw new ApiError(
        'conflict',
        'The policy requires a justification, and this decision has none. Make a new one that ends later.',
      );
    if (await needsApproval(tx, orgId, row, policy))
      throw new ApiError(
        'conflict',
        'The policy asks for the approval of a second person for findings in the scope. Request a new decision that ends later.',
      );
    belowSeverity = severityToApprove(policy, row.outcome) ?? belowSeverity;
  }
  await lockFor(tx, orgId, row.findingId);
  if (!(await updateDecision(tx, orgId, row.id, { ...change, belowSeverity }))) throw noLongerActive();
  if (body.until !== undefined || body.ends_when !== undefined) await enqueueFollowing(tx, orgId, row.id, userId);
}

/** Changes a decision that holds, or the caller's own request. Throws 403, 404, 409, and 400 for what it can't become. */
export async function changeDecision(tx: Db, actor: Actor, id: string, body: Change): Promise<DecisionRow> {
  const before = await requireDecision(tx, actor.orgId, id);
  requireOwn(actor, before, true);
  if (before.status === 'requested') await changeRequest(tx, actor, before, body);
  else await changeActive(tx, actor, before, body);
  const after = await requireDecision(tx, actor.orgId, id);
  await recordAudit(tx, actor.orgId, {
    ...{ actor: auditActor(actor), action: 'decision.updated', target: { id } },
    ...{ before: stateOf(before), after: stateOf(after) },
  });
  return after;
}

/** Ends a decision that holds, or the caller's own request. Throws 403, 404 and 409. */
export async function withdrawDecision(tx: Db, actor: Actor, id: string): Promise<void> {
  const { orgId, userId } = actor;
  const row = await requireDecision(tx, orgId, id);
  requireOwn(actor, row, false);
  const refusal = { id, status: 'withdrawn', userId, version: row.version, answer: null } as const;
  const ends = row.status === 'requested' ? refuseRequest(tx, orgId, refusal) : endAndRelease(tx, orgId, row, userId);
  if (!(await ends)) throw noLongerActive();
  await recordAudit(tx, orgId, {
    ...{ actor: auditActor(actor), action: 'decision.withdrawn', target: { id }, before: stateOf(row), after: null },
    details: { findings: row.findings },
  });
}
