import { recordAudit } from '../../organization/audit.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import {
  acceptPendingInvitation,
  findInvitationByToken,
  findOpenInvitation,
} from '../../organization/invitation-queries.ts';
import { hashInvitationToken } from '../../organization/invitation-token.ts';
import { insertMember, lockMembership } from '../../organization/queries.ts';
import type { Role } from '../../organization/roles.ts';
import { ApiError, invalid } from '../../platform/errors.ts';
import { findInCells } from '../../platform/postgres/cells/cell-database.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import {
  type Account,
  findAccountById,
  findVerifiedUser,
  insertVerifiedUser,
  lockAccount,
} from '../accounts/account-queries.ts';
import { hashPasswordOf } from '../accounts/hash-password-of.ts';
import { retireFormerAccount } from '../accounts/retire-account.ts';
import { withPeople } from '../accounts/with-people.ts';
import { createUser, defaultName } from '../create-user.ts';
import { checkPassword } from '../password.ts';
import type { User } from '../queries.ts';

export type AcceptedInvitation = { organizationId: string; user: User; role: Role; isNewUser: boolean };

const worthless = () =>
  new ApiError(
    'not_found',
    'This invitation is no longer open: it was used, replaced or revoked, or has expired. Ask for a new one.',
  );

type OpenInvitation = { email: string; mailed: boolean };

/**
 * Creates an account for the invited address. A link that was only sent by mail proves that the address is the
 * person's. Any other link creates an account for this organization only, and reveals nothing about other accounts of
 * the address. Throws `already_exists` when the address of a mailed link has a verified account.
 */
async function makeAccount(
  tx: Db,
  people: Db,
  orgId: string,
  { email, mailed }: OpenInvitation,
  person: { name: string | undefined; password: string; hash: string },
): Promise<User> {
  checkPassword(person.password, { email });
  const user = { email, name: person.name ?? defaultName(email), passwordHash: person.hash };
  if (!mailed) {
    await retireFormerAccount(tx, people, orgId, email);
    return createUser(people, orgId, user);
  }
  const made = await insertVerifiedUser(people, user);
  if (made) return made;
  throw new ApiError(
    'already_exists',
    'You have an account with this address. Sign in to it, and open the link again.',
  );
}

/**
 * Returns whether a signed-in person may accept: with the verified address, or if the account belongs to this
 * organization.
 */
const mayAccept = (account: Account | undefined, orgId: string, email: string): boolean =>
  account?.email === email && (account.verified || account.organizationId === orgId);

async function findOwnAccount(tx: Db, orgId: string, email: string, userId: string | undefined): Promise<User> {
  const account = userId === undefined ? undefined : await lockAccount(tx, userId);
  if (account && mayAccept(account, orgId, email)) return account;
  throw invalid(
    'body',
    'password',
    'is needed to make an account. If you have one with this address, sign in to it and open the link again',
  );
}

/**
 * Makes a person a member by the link of an invitation: with a password, a new account; otherwise the account of the
 * signed-in `userId`. An invitation can be used only once, even by concurrent requests. Throws `not_found` when the
 * invitation is not open, `invalid_request` without a valid password, and the errors of `makeAccount`.
 */
export async function acceptInvitation(
  database: Database,
  token: string,
  person: { name?: string; password?: string; userId?: string; address?: string },
): Promise<AcceptedInvitation> {
  const found = await findLinked(database, token);
  const { password } = person;
  if (password !== undefined) checkPassword(password);
  // The hash is computed before the transaction, which must not wait for it, and after the lookup, so that an
  // invented link costs almost nothing.
  const hash = password === undefined ? '' : await hashPasswordOf(database, found.email, password);
  const { orgId, id } = found;
  return withPeople(database, orgId, async (tx, people) => {
    await lockMembership(tx, orgId);
    const invitation = await acceptPendingInvitation(tx, orgId, id, hashInvitationToken(token));
    if (!invitation) throw worthless();
    const user = await people((home) =>
      password === undefined
        ? findOwnAccount(home, orgId, invitation.email, person.userId)
        : makeAccount(tx, home, orgId, invitation, { name: person.name, password, hash }),
    );
    await insertMember(tx, orgId, user.id, invitation.role);
    await announceAuthenticationChange(tx);
    await recordAudit(tx, orgId, {
      actor: { userId: user.id, tokenId: null, address: person.address ?? null },
      action: 'invitation.accepted',
      target: { id, name: invitation.email },
      after: { user: user.id, role: invitation.role },
    });
    return { organizationId: orgId, user, role: invitation.role, isNewUser: password !== undefined };
  });
}

async function findLinked(database: Database, token: string) {
  const found = await findInCells(database, (cell) =>
    cell.transaction(null, (tx) => findInvitationByToken(tx, hashInvitationToken(token))),
  );
  if (!found) throw worthless();
  const { org_id: orgId, invitation_id: id } = found;
  const invitation = await database.transaction(orgId, (tx) => findOpenInvitation(tx, orgId, id));
  if (!invitation) throw worthless();
  return { ...invitation, orgId, id };
}

export type InvitationPreview = {
  email: string;
  organization: string;
  role: Role;
  invited_by: string | null;
  expires_at: Date;
  has_account: boolean;
  can_accept: boolean;
};

/**
 * Returns the content of the page behind an invitation's link, for a person who is signed in as `userId` or not at
 * all. Only a mailed link reveals whether its address has an account. Throws `not_found` when the invitation is not
 * open.
 */
export async function previewInvitation(
  database: Database,
  token: string,
  userId: string | undefined,
): Promise<InvitationPreview> {
  const { orgId, id: _id, mailed, ...invitation } = await findLinked(database, token);
  return database.transaction(null, async (tx) => {
    const own = userId === undefined ? undefined : await findAccountById(tx, userId);
    const hasAccount = mailed && (await findVerifiedUser(tx, invitation.email)) !== undefined;
    return { ...invitation, has_account: hasAccount, can_accept: mayAccept(own, orgId, invitation.email) };
  });
}
