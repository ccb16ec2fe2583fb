import { createHash } from 'node:crypto';
import type { Blame } from '@assay/scanner/repository/blame.ts';
import type { Policy } from '../../findings/policy.ts';
import { recordAudit } from '../../organization/audit.ts';
import { newId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { enqueueAnnouncement } from '../announce-requests.ts';
import { maxActive, requestEnd, requireDecision, stateOf } from '../approval.ts';
import type { EndReason } from '../end-conditions.ts';
import type { RepositoryEntry } from '../origin.ts';

import { countOfRepositories, endOfRepository, insertOfRepository, type RepositoryDecision } from './queries.ts';

/** The platform itself: the author of an entry is not known to be a member. */
const scan = { userId: null, tokenId: null, address: null };

const maxRequests = 1_000;
const maxRequestsOfRepository = 100;

export const keyOf = (said: object): string => createHash('sha256').update(JSON.stringify(said)).digest('base64url');

/** Returns the place of an entry: that in the commit which wrote it, or else that in the scanned commit. */
export const entryOf = (path: string, line: number | null, blame: Blame | null): RepositoryEntry => ({
  path,
  line: blame?.line ?? line,
  commit: blame?.commit ?? null,
  author: blame?.author ?? null,
  committer_email: blame?.committerEmail ?? null,
});

/** The decisions and requests of a repository about the same entry, by what a scan does with them. */
export type Standing = {
  approved: RepositoryDecision | undefined;
  active: RepositoryDecision | undefined;
  request: RepositoryDecision | undefined;
  /** Somebody rejected or withdrew it, or it expired: it takes another entry to ask again. */
  isRefused: boolean;
};

export function standingOf(rows: readonly RepositoryDecision[]): Standing {
  const active = rows.filter(({ status }) => status === 'active');
  return {
    approved: active.find(({ isApproved }) => isApproved),
    active: active.find(({ isApproved }) => !isApproved),
    request: rows.find(({ status }) => status === 'requested'),
    isRefused: rows.some(({ status }) => status === 'rejected' || status === 'withdrawn' || status === 'expired'),
  };
}

/** The changes that an entry needs; `isAsked` makes a request, `isMade` a decision. */
export type Steps = {
  ends: Array<{ row: RepositoryDecision; because: EndReason }>;
  isMade: boolean;
  isAsked: boolean;
};

/**
 * Returns what has to be done for an entry that the repository has. `needsApproval`: findings in its scope need the
 * approval of a second person.
 */
export function stepsFor(
  { approved, active, request, isRefused }: Standing,
  effect: Exclude<Policy['decisions']['repository_file'], 'off'>,
  needsApproval: boolean,
): Steps {
  const steps: Steps = { ends: [], isMade: false, isAsked: false };
  const end = (row: RepositoryDecision | undefined) => row && steps.ends.push({ row, because: 'policy' });
  if (approved) {
    end(active);
    end(request);
  } else if (effect === 'request') {
    end(active);
    steps.isAsked = !request && !isRefused;
  } else {
    if (request && !needsApproval) end(request);
    steps.isMade = !active && !isRefused;
    steps.isAsked = needsApproval && !request && !isRefused;
  }
  return steps;
}

/** Counts the decisions and requests of repositories, so that one repository can't crowd out the others. */
export type Room = { decisions: number; requests: number };

export async function findRoom(tx: Db, orgId: string, dataSourceId: string): Promise<Room> {
  const { decisions, requests, ownRequests } = await countOfRepositories(tx, orgId, dataSourceId);
  return {
    decisions: maxActive - decisions,
    requests: Math.min(maxRequests - requests, maxRequestsOfRepository - ownRequests),
  };
}

type Made = Omit<Parameters<typeof insertOfRepository>[2], 'id' | 'expiresAt'>;

/** Makes a decision or a request of a repository. The audit log has those of files; comments can be as many as findings. */
export async function makeOfRepository(
  tx: Db,
  orgId: string,
  decision: Made,
  { isRequest }: { isRequest: boolean },
): Promise<string> {
  const id = newId('dec');
  const expiresAt = isRequest ? requestEnd(new Date(), decision.until) : null;
  await insertOfRepository(tx, orgId, { ...decision, id, expiresAt });
  if (isRequest) await enqueueAnnouncement(tx, orgId);
  if (decision.findingId === null) {
    const after = stateOf(await requireDecision(tx, orgId, id));
    const action = isRequest ? 'decision.requested' : 'decision.created';
    await recordAudit(tx, orgId, { actor: scan, action, target: { id }, after });
  }
  return id;
}

/** Ends a decision or a request of a repository, and notes in `ended` an active one, with the reason for the history. */
export async function endOne(
  tx: Db,
  orgId: string,
  { id, isOfFile }: { id: string; isOfFile: boolean },
  because: EndReason,
  ended: Map<string, string>,
): Promise<void> {
  const before = isOfFile ? stateOf(await requireDecision(tx, orgId, id)) : null;
  const end = await endOfRepository(tx, orgId, id, because);
  if (!end) return;
  if (end.wasActive) ended.set(id, end.because);
  const details = { because: end.because };
  if (before)
    await recordAudit(tx, orgId, {
      actor: scan,
      action: 'decision.withdrawn',
      target: { id },
      before,
      after: null,
      details,
    });
}
