import { ApiError } from '../platform/errors.ts';
import type { Db, Statement } from '../platform/postgres/database.ts';
import { lockMembership } from './queries.ts';
import { defaultSignInPolicy, type SignInPolicy } from './sign-in-policy.ts';

/** `sign_in` is null for the default policy. */
export type SignInPolicyRow = { sign_in: SignInPolicy | null; sign_in_version: number };

const findSignInPolicyStatement = (orgId: string): Statement => ({
  name: 'sign_in_policy_find',
  text: 'SELECT sign_in, sign_in_version FROM organizations WHERE id = $1',
  values: [orgId],
});

/** Returns the policy of a row: members that a later release adds have their defaults. */
export const signInPolicyOf = (stored: SignInPolicy | null): SignInPolicy => ({ ...defaultSignInPolicy, ...stored });

export async function findSignInPolicy(db: Db, orgId: string): Promise<SignInPolicyRow | undefined> {
  return (await db.query<SignInPolicyRow>(findSignInPolicyStatement(orgId))).rows[0];
}

/** Returns the policy, which stays the same until the end of the transaction. Throws `not_found`. */
export async function lockSignInPolicy(tx: Db, orgId: string): Promise<SignInPolicyRow> {
  await lockMembership(tx, orgId);
  const row = await findSignInPolicy(tx, orgId);
  if (!row) throw new ApiError('not_found', `There is no organization ${orgId}.`);
  return row;
}

/** Replaces the policy. Hold `lockSignInPolicy`. */
export async function updateSignInPolicy(tx: Db, orgId: string, policy: SignInPolicy): Promise<number> {
  const { rows } = await tx.query<{ sign_in_version: number }>({
    text: `UPDATE organizations SET sign_in = $2, sign_in_version = sign_in_version + 1 WHERE id = $1
           RETURNING sign_in_version`,
    values: [orgId, JSON.stringify(policy)],
  });
  return rows[0]!.sign_in_version;
}
