import { type Severity, severityRank } from '@assay/scanner/contract/severity.ts';
import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { foldTags, TagName } from '../data-sources/tags.ts';
import { findMemberId } from '../organization/queries.ts';
import { isAtLeast, type Role } from '../organization/roles.ts';
import { ApiError, invalid } from '../platform/errors.ts';
import type { Actor } from '../platform/http/actor.ts';
import { expectedTags, requireMatch } from '../platform/http/etag.ts';
import { nullable, timeInput } from '../platform/http/schema.ts';
import type { Db } from '../platform/postgres/database.ts';
import { readTime, timeExpectation } from '../platform/times.ts';
import { DecisionJustification, Status } from './finding-schema.ts';
import { dismisses, isOpen } from './lifecycle.ts';
import type { LockedFinding } from './merge-queries.ts';
import { endsTooLate, lacksJustification, longestDays, type Policy } from './policy.ts';
import { findPolicy } from './policy-queries.ts';
import type { Decision } from './triage-findings.ts';

export const CommentText = Type.String({
  $id: 'CommentText',
  minLength: 1,
  maxLength: 10_000,
  pattern: '\\S',
  description: 'Markdown, 1-10,000 characters. Quotes and lists may nest 50 levels deep.',
  'x-markup': true,
});

/** The members of a PATCH body that updates findings. */
export const decisionProperties = {
  status: Type.Optional(Status),
  tags: Type.Optional(
    Type.Array(TagName, { maxItems: 50, description: 'Replaces the tags. Duplicates are removed, ignoring case.' }),
  ),
  assignee: Type.Optional(
    nullable(Type.String({ minLength: 1, maxLength: 320 }), {
      description: 'Id or email address of a member; null for nobody.',
    }),
  ),
  comment: Type.Optional(CommentText),
  accepted_until: Type.Optional(
    nullable(timeInput('With status `accepted_risk`: from this time the finding is new again.'), {
      description: 'With status `accepted_risk`: from this time the finding is new again; null for no end.',
    }),
  ),
  justification: Type.Optional(
    nullable(DecisionJustification, {
      description: 'With status `false_positive` or `accepted_risk`: the class of the reason.',
    }),
  ),
};

const tagList = (description: string) => Type.Optional(Type.Array(TagName, { minItems: 1, maxItems: 50, description }));

/** The fields that a bulk update may set. */
export const bulkDecisionProperties = {
  ...decisionProperties,
  add_tags: tagList('Added to the tags of each finding, which keeps 50 at most. Not together with `tags`.'),
  remove_tags: tagList('Removed from the tags of each finding, case aside. Not together with `tags`.'),
};

const schema = Type.Object(decisionProperties);
const bulkSchema = Type.Object(bulkDecisionProperties);
export type BulkDecisionInput = Static<typeof bulkSchema>;

function readAcceptedUntil(input: Static<typeof schema>): Date | null | undefined {
  if (input.accepted_until === undefined || input.accepted_until === null) return input.accepted_until;
  if (input.status !== 'accepted_risk')
    throw invalid('body', 'accepted_until', 'is allowed only with `status` `accepted_risk`');
  const until = readTime(input.accepted_until);
  if (!until) throw invalid('body', 'accepted_until', timeExpectation);
  if (until.getTime() <= Date.now()) throw invalid('body', 'accepted_until', 'must be in the future');
  return until;
}

/**
 * Throws 400 for a decision that the organization's policy does not allow. Without a status, an `acceptedUntil` of null
 * removes the end of existing acceptances. The policy gives other decisions their end.
 */
async function requireAcceptable(tx: Db, orgId: string, decision: Decision): Promise<void> {
  const { acceptedUntil, comment, justification } = decision;
  const prolongs = decision.status === undefined && acceptedUntil !== undefined;
  const status = prolongs ? 'accepted_risk' : decision.status;
  if (!dismisses(status)) return;
  const policy = await findPolicy(tx, orgId);
  if (lacksJustification(policy, status, justification))
    throw invalid(
      'body',
      'justification',
      `is required by the policy${prolongs ? ': give it with `status` `accepted_risk`' : ''}`,
    );
  if (status !== 'accepted_risk') return;
  if (policy.accepted_risk.reason_required && comment === undefined)
    throw invalid('body', 'comment', 'is required by the policy: say why the risk is accepted');
  if (endsTooLate(policy, status, acceptedUntil ?? null))
    throw invalid('body', 'accepted_until', tooLate(policy, status));
}

export const tooLate = (policy: Policy, outcome: string): string =>
  `must be given and not be more than ${longestDays(policy, outcome)} days ahead: the policy limits it`;

/**
 * Reads the decision in a body. Throws 400 for an assignee who is not a member, an invalid or past time, and a decision
 * that the policy refuses.
 */
export async function readDecision(tx: Db, orgId: string, input: Static<typeof schema>): Promise<Decision> {
  const { status, comment, justification } = input;
  if (justification !== undefined && !dismisses(status))
    throw invalid('body', 'justification', 'is allowed only with `status` `false_positive` or `accepted_risk`');
  const decision: Decision = { status, comment, justification, acceptedUntil: readAcceptedUntil(input) };
  await requireAcceptable(tx, orgId, decision);
  if (input.tags) decision.tags = foldTags(input.tags);
  if (input.assignee === null) decision.assigneeId = null;
  if (typeof input.assignee === 'string') {
    const assigneeId = await findMemberId(tx, orgId, input.assignee);
    if (assigneeId === undefined) {
      throw invalid('body', 'assignee', 'must be the id or email address of a member of this organization, or null');
    }
    decision.assigneeId = assigneeId;
  }
  return decision;
}

/**
 * Returns a guard that throws 412 if If-Match does not match the locked finding's version. Throws 400 if the header is
 * malformed.
 */
export function requireVersion(request: FastifyRequest): (finding: LockedFinding) => void {
  expectedTags(request);
  return (finding) => requireMatch(request, finding.version);
}

type ApprovedFinding = { scannerSeverity: number; status: LockedFinding['status'] };

/** Returns a function that tests whether a second person must approve the decision about a finding; null if none is needed. */
export async function findApprovalNeed(
  tx: Db,
  orgId: string,
  { status, acceptedUntil }: Decision,
): Promise<{ from: Severity; isNeeded: (finding: ApprovedFinding) => boolean } | null> {
  if (!dismisses(status) && acceptedUntil === undefined) return null;
  const { approval_from: from } = (await findPolicy(tx, orgId)).decisions;
  if (from === null) return null;
  const isNeeded = (finding: ApprovedFinding) =>
    finding.scannerSeverity >= severityRank[from] && (finding.status !== status || acceptedUntil !== undefined);
  return { from, isNeeded };
}

/**
 * Returns a function that tests whether a second person must approve that a finding gets an earlier status back: one that
 * closes it, or that accepts its risk for longer.
 */
export async function findRestoringNeed(
  tx: Db,
  orgId: string,
): Promise<(finding: LockedFinding, before: LockedFinding) => boolean> {
  const { approval_from: from } = (await findPolicy(tx, orgId)).decisions;
  return (finding, before) => {
    if (from === null || finding.scannerSeverity < severityRank[from]) return false;
    if (!dismisses(before.status)) return false;
    const endOf = ({ acceptedUntil }: LockedFinding) => acceptedUntil ?? Number.POSITIVE_INFINITY;
    return finding.status !== before.status || endOf(before) > endOf(finding);
  };
}

/**
 * Returns a guard that throws 403 for a finding that the decision would close although the policy asks for the approval of a
 * second person from its severity on.
 */
export async function requireApproval(
  tx: Db,
  orgId: string,
  decision: Decision,
): Promise<(finding: ApprovedFinding) => void> {
  const need = await findApprovalNeed(tx, orgId, decision);
  return (finding) => {
    if (!need?.isNeeded(finding)) return;
    throw new ApiError(
      'forbidden',
      `The policy asks for the approval of a second person from severity ${need.from} on. Request it: POST /decisions with the findings as its scope.`,
    );
  };
}

const mayTriage = ({ role }: Actor) => isAtLeast(role as Role, 'analyst');

/** Throws 403 if a developer changes anything except to start work on a finding or to comment. */
export function requireTriage(actor: Actor, input: Static<typeof schema>): void {
  const { status, comment: _, ...others } = input;
  if (mayTriage(actor)) return;
  if (Object.keys(others).length > 0 || (status !== undefined && status !== 'in_progress'))
    throw new ApiError(
      'forbidden',
      `A ${actor.role} can only comment and set the status \`in_progress\`; other changes need the role analyst or above. POST /decisions requests a decision.`,
    );
}

/** Throws 403 if a developer would reopen a closed finding. */
export function requireOpen(actor: Actor, { status }: LockedFinding, decision: Decision): void {
  if (decision.status === undefined || mayTriage(actor) || isOpen(status)) return;
  throw new ApiError(
    'forbidden',
    `The finding is closed (${status}), and a ${actor.role} can start work only on open findings. Ask an analyst to reopen it.`,
  );
}

/** Returns the decision of a bulk update. Throws 400 under the same conditions as `readDecision`. */
export async function readBulkDecision(tx: Db, orgId: string, input: BulkDecisionInput): Promise<Decision> {
  const { add_tags: added, remove_tags: removed, ...rest } = input;
  const decision = await readDecision(tx, orgId, rest);
  if (input.tags && (added || removed)) {
    const field = added ? 'add_tags' : 'remove_tags';
    throw invalid('body', field, 'may not be given together with `tags`, which replaces all tags');
  }
  if (added) decision.addTags = foldTags(added);
  if (removed) decision.removeTags = foldTags(removed);
  return decision;
}
