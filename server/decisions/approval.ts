import { severityRank } from '@assay/scanner/contract/severity.ts';
import { tooLate } from '../findings/decision-input.ts';
import { endsTooLate, lacksJustification, longestDays, type Policy } from '../findings/policy.ts';
import { findPolicy } from '../findings/policy-queries.ts';
import { auditActor, recordAudit } from '../organization/audit.ts';
import { holdRole } from '../organization/queries.ts';
import { isAtLeast, type Role } from '../organization/roles.ts';
import { ApiError, invalid, notFound } from '../platform/errors.ts';
import type { Actor } from '../platform/http/actor.ts';
import { isId } from '../platform/id.ts';
import { requireRoom } from '../platform/limits.ts';
import type { Db } from '../platform/postgres/database.ts';
import { reachesSeverity } from './apply-decisions.ts';
import { decisionOf } from './decision-schema.ts';
import { enqueueFollowing } from './job-type.ts';
import { type ActiveDecision, countActive, type DecisionRow, findDecision, lockDecisions } from './queries.ts';
import { approveRequest, countRequests, refuseRequest, wroteEntry } from './request-queries.ts';

/** The decisions of an organization that hold at a time. */
export const maxActive = 5_000;
const maxRequests = 1_000;
const maxRequestsOfPerson = 100;
const requestDays = 30;
const dayMs = 86_400_000;

export async function requireDecision(db: Db, orgId: string, id: string): Promise<DecisionRow> {
  const row = isId('dec', id) ? await findDecision(db, orgId, id) : undefined;
  if (!row) throw notFound('Decision');
  return row;
}

/** Returns a decision as audit events state it. */
export const stateOf = (row: DecisionRow) => {
  const { status, outcome, justification, reason, scope, until, ends_when } = decisionOf(row);
  return { status, outcome, justification, reason, scope, until, ends_when };
};

export const mayDecide = ({ role }: { role: string }): boolean => isAtLeast(role as Role, 'analyst');

/** Throws 403 for a caller who may neither decide nor request. */
export function requireRequester(actor: Actor, { decisions: { who_may_request: from } }: Policy): void {
  if (isAtLeast(actor.role as Role, from)) return;
  const message = `Requesting decisions needs the role ${from} or above; yours is ${actor.role}. Ask an admin or owner for it.`;
  throw new ApiError('forbidden', message);
}

/** Throws 400 for an end that the policy of the organization does not allow. */
export function requireAllowedEnd(policy: Policy, outcome: string, until: Date | null): void {
  if (endsTooLate(policy, outcome, until)) throw invalid('body', 'until', tooLate(policy, outcome));
}

/** Returns the field that the policy does not allow in a decision, and why; null if it allows the decision. */
export function refusalOf(
  policy: Policy,
  { outcome, justification, until }: Pick<DecisionRow, 'outcome' | 'justification' | 'until'>,
): { field: 'justification' | 'until'; why: string } | null {
  if (lacksJustification(policy, outcome, justification))
    return { field: 'justification', why: 'The policy requires a `justification`' };
  if (!endsTooLate(policy, outcome, until)) return null;
  const days = longestDays(policy, outcome);
  const what = days === policy.decisions.longest_days ? 'lets decisions hold' : 'accepts risks';
  return { field: 'until', why: `The policy ${what} for ${days} days at most` };
}

/** Returns the rank of the severity from which the policy lets nobody decide alone; null where everybody may. */
export function severityToApprove({ decisions }: Policy, outcome: ActiveDecision['outcome']): number | null {
  if (outcome === 'triaged' || decisions.approval_from === null) return null;
  return severityRank[decisions.approval_from];
}

/** Returns whether a second person must approve a decision, for the findings that are in its scope now. */
export async function needsApproval(db: Db, orgId: string, decision: ActiveDecision, policy: Policy): Promise<boolean> {
  const severity = severityToApprove(policy, decision.outcome);
  return severity !== null && (await reachesSeverity(db, orgId, decision, severity));
}

/** Returns when a request ends that nobody approves: after 30 days, and no later than what it asks for. */
export function requestEnd(createdAt: Date, until: Date | null): Date {
  const latest = new Date(createdAt.getTime() + requestDays * dayMs);
  return until && until < latest ? until : latest;
}

/** Throws 409 when there are too many open requests, of the person or of all. */
export async function requireRequestRoom(tx: Db, { orgId, userId }: Actor): Promise<void> {
  const own = { kind: 'own-requests', owner: userId, max: maxRequestsOfPerson, what: 'open requests of a person' };
  await requireRoom(tx, orgId, own, () => countRequests(tx, orgId, userId));
  const all = { kind: 'requests', max: maxRequests, what: 'open requests' };
  await requireRoom(tx, orgId, all, () => countRequests(tx, orgId, null));
}

export async function requireActiveRoom(tx: Db, orgId: string): Promise<void> {
  const limited = { kind: 'decisions', max: maxActive, what: 'decisions that hold' };
  await requireRoom(tx, orgId, limited, () => countActive(tx, orgId, 'person'));
}

/** A request as the caller has read it. */
export type ReadRequest = { id: string; version: number };

const changedMeanwhile = () =>
  new ApiError('conflict', 'The request has changed since that version. Read it again and decide anew.');

/**
 * Returns a request that the caller may approve or reject, and the policy. Their role stays as it is until the transaction
 * ends. Throws 404, 409 for one that is not open or has another version, and 403 for their own or too low a role.
 */
async function requireApprovable(tx: Db, actor: Actor, { id, version }: ReadRequest) {
  const { orgId, userId } = actor;
  const role = await holdRole(tx, orgId, userId);
  const request = await requireDecision(tx, orgId, id);
  if (request.status !== 'requested' || request.expiresAt!.getTime() <= Date.now())
    throw new ApiError(
      'conflict',
      `The request is not open any more: it is ${request.status === 'requested' ? 'expired' : request.status}.`,
    );
  if (request.requesterId === userId)
    throw new ApiError(
      'own_request',
      'This is your own request: another person approves or rejects it. You may withdraw it.',
    );
  if (request.entry && (await wroteEntry(tx, userId, request.entry)))
    throw new ApiError(
      'own_request',
      'You are the author or committer of this entry: another person approves or rejects it. You may remove it from the repository.',
    );
  if (request.version !== version) throw changedMeanwhile();
  const policy = await findPolicy(tx, orgId);
  const needed = (await needsApproval(tx, orgId, request, policy)) ? policy.decisions.approvers : 'analyst';
  if (role === undefined || !isAtLeast(role, needed))
    throw new ApiError('forbidden', `This request needs the approval of a person with the role ${needed} or above.`);
  return { request, policy, role };
}

/** Throws 409 for a request that the policy of today does not allow. */
function requireAllowedNow(request: DecisionRow, policy: Policy): void {
  const refusal = refusalOf(policy, request);
  if (refusal === null) return;
  const { field, why } = refusal;
  throw new ApiError(
    'conflict',
    `${why}: ${field === 'until' ? 'ask for an earlier `until`' : 'make a new request with one'}.`,
  );
}

/** A request that the caller may approve. Without the role that the policy names, it holds for findings that need no approval only. */
export type Approvable = { request: DecisionRow; belowSeverity: number | null };

/** Returns a request that the caller may approve. Throws as `requireApprovable` does, and 409 for what the policy forbids. */
export async function requireToApprove(tx: Db, actor: Actor, read: ReadRequest): Promise<Approvable> {
  const { request, policy, role } = await requireApprovable(tx, actor, read);
  requireAllowedNow(request, policy);
  const isApprover = isAtLeast(role, policy.decisions.approvers);
  return { request, belowSeverity: isApprover ? null : severityToApprove(policy, request.outcome) };
}

/** Approves the request of another person: it holds from the end of the transaction on. Throws 409 when it has changed. */
export async function approve(
  tx: Db,
  actor: Actor,
  { request, belowSeverity }: Approvable,
  answer: string | null,
): Promise<DecisionRow> {
  const { orgId, userId } = actor;
  const { id, version } = request;
  await requireActiveRoom(tx, orgId);
  await lockDecisions(tx, orgId);
  if (!(await approveRequest(tx, orgId, { id, version, userId, answer, belowSeverity }))) throw changedMeanwhile();
  await enqueueFollowing(tx, orgId, id, userId);
  return recordChange(tx, actor, request, 'decision.approved');
}

/** Rejects the request of another person. Throws as `requireApprovable` does. */
export async function reject(tx: Db, actor: Actor, read: ReadRequest, answer: string | null): Promise<DecisionRow> {
  const { request } = await requireApprovable(tx, actor, read);
  const refusal = { ...read, status: 'rejected' as const, userId: actor.userId, answer };
  if (!(await refuseRequest(tx, actor.orgId, refusal))) throw changedMeanwhile();
  return recordChange(tx, actor, request, 'decision.rejected');
}

async function recordChange(
  tx: Db,
  actor: Actor,
  request: DecisionRow,
  action: 'decision.approved' | 'decision.rejected',
): Promise<DecisionRow> {
  const row = await requireDecision(tx, actor.orgId, request.id);
  const event = { actor: auditActor(actor), target: { id: request.id }, before: stateOf(request), after: stateOf(row) };
  const details = { requested_by: request.requestedBy?.name ?? null, answer: row.answer };
  await recordAudit(tx, actor.orgId, { ...event, action, details });
  return row;
}
