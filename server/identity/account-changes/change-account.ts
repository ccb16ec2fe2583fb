import { type AuditEvent, insertAuditEvent, prepareAuditEvent } from '../../organization/audit.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import { insertMember } from '../../organization/queries.ts';
import type { Role } from '../../organization/roles.ts';
import { newId } from '../../platform/id.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { formatTime } from '../../platform/times.ts';
import { listMemberships } from '../queries.ts';
import { endTokens } from './end-tokens.ts';
import {
  type Cause,
  deleteFollowUps,
  type FollowUp,
  insertFollowUps,
  isEvent,
  listLeftFollowUps,
} from './follow-up-queries.ts';

/** A person's account in a transaction that changes it. */
export type ChangedAccount = {
  userId: string;
  /** The person's organizations before the change, whose audit logs get its events. */
  orgIds: string[];
  followUps: FollowUp[];
  /** The number of tokens that the change has revoked: 0 until its transaction has committed. */
  revokedTokens: number;
};

type Transaction = <T>(run: (tx: Db) => Promise<T>) => Promise<T>;

/** Does the follow-ups of one organization. Returns the number of revoked tokens. Safe to repeat. */
async function followUp(database: Database, orgId: string, wanted: FollowUp[]): Promise<number> {
  const revoked = await database.transaction(orgId, async (tx) => {
    let count = 0;
    for (const { id, userId, work } of wanted) {
      if ('revokeTokens' in work) count += await endTokens(tx, orgId, userId, work.revokeTokens);
      else if (!('join' in work) || (await insertMember(tx, orgId, userId, work.join))) {
        await insertAuditEvent(tx, orgId, id, work.event);
      }
    }
    if (!wanted.every(isEvent)) await announceAuthenticationChange(tx);
    return count;
  });
  await deleteFollowUps(database, orgId, wanted);
  return revoked;
}

/** Calls `run` for each organization, and throws the first error at the end. */
async function eachOrganization<Wanted extends FollowUp>(
  followUps: Wanted[],
  run: (orgId: string, wanted: Wanted[]) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const [orgId, wanted] of Map.groupBy(followUps, (one) => one.orgId)) {
    await run(orgId, wanted).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}

/**
 * Changes a person's account in one transaction, without an organization. `recordAccountAudit` and `revokeTokens`
 * store in it what the person's organizations then have to do, and that is done before this function returns. If the
 * process dies in between, a worker does it within seconds (`followUpChanges`). A route passes its `transaction`.
 *
 * An event that can't be recorded at the moment is left to the worker. For anything else, the error is thrown.
 */
export async function changeAccount<T>(
  {
    database,
    transaction = (run) => database.transaction(null, run),
  }: { database: Database; transaction?: Transaction },
  userId: string,
  change: (tx: Db, account: ChangedAccount) => Promise<T>,
): Promise<T> {
  const memberships = await listMemberships(database, userId);
  const orgIds = memberships.map(({ org_id }) => org_id);
  const account: ChangedAccount = { userId, orgIds, followUps: [], revokedTokens: 0 };
  const result = await transaction((tx) => change(tx, account));
  await eachOrganization(account.followUps, async (orgId, wanted) => {
    try {
      account.revokedTokens += await followUp(database, orgId, wanted);
    } catch (error) {
      if (!wanted.every(isEvent)) throw error;
    }
  });
  return result;
}

async function add(tx: Db, account: ChangedAccount, orgIds: string[], work: FollowUp['work']): Promise<void> {
  if (orgIds.length === 0) return;
  const added = orgIds.map((orgId) => ({ orgId, id: newId('aud'), userId: account.userId, work }));
  await insertFollowUps(tx, added);
  account.followUps.push(...added);
}

/**
 * Records an event of a person's account, such as a sign-in or a new password, in every organization of the person:
 * accounts belong to no organization, and each organization needs a record of what happens to its members.
 */
export async function recordAccountAudit(tx: Db, account: ChangedAccount, event: AuditEvent): Promise<void> {
  const prepared = prepareAuditEvent(event);
  if (prepared) await add(tx, account, account.orgIds, { event: prepared });
}

/** Revokes the API tokens of the person, by default in all organizations, and records it. */
export function revokeTokens(tx: Db, account: ChangedAccount, cause: Cause, orgIds = account.orgIds): Promise<void> {
  return add(tx, account, orgIds, { revokeTokens: cause });
}

/** Makes a person who has just got an account a member of an organization, and records it there. */
export async function joinOrganization(
  tx: Db,
  account: ChangedAccount,
  orgId: string,
  role: Role,
  event: AuditEvent,
): Promise<void> {
  await add(tx, account, [orgId], { join: role, event: prepareAuditEvent(event)! });
}

const batchSize = 1_000;

/** Events that are recorded late say when they happened. */
function late({ happenedAt, ...followUp }: FollowUp & { happenedAt: Date }): FollowUp {
  const { work } = followUp;
  if (!('event' in work)) return followUp;
  const details = { ...work.event.details, happened_at: formatTime(happenedAt) };
  return { ...followUp, work: { ...work, event: { ...work.event, details } } };
}

/** Does what processes have left to be done after changes of accounts. Safe on several nodes at once. */
export async function followUpChanges(database: Database): Promise<void> {
  await eachOrganization(await listLeftFollowUps(database, batchSize), async (orgId, wanted) => {
    await followUp(database, orgId, wanted.map(late));
  });
}
