import { ApiError } from '../platform/errors.ts';
import type { Db, Statement } from '../platform/postgres/database.ts';
import { lockMembership } from './queries.ts';
import { defaultSignInPolicy, type SignInPolicy } from './sign-in-policy.ts';

/** The parts of the policy stored with the organization. `sign_in` is null for the default policy. */
export type OrganizationPolicyRow = { sign_in: SignInPolicy | null; stale_after_days: number; policy_version: number };

const findOrganizationPolicyStatement = (orgId: string): Statement => ({
  name: 'organization_policy_find',
  text: 'SELECT sign_in, stale_after_days, policy_version FROM organizations WHERE id = $1',
  values: [orgId],
});

/** Returns the policy of a row; members added in later releases have their defaults. */
export const signInPolicyOf = (stored: SignInPolicy | null): SignInPolicy => ({ ...defaultSignInPolicy, ...stored });

export async function findOrganizationPolicy(db: Db, orgId: string): Promise<OrganizationPolicyRow | undefined> {
  return (await db.query<OrganizationPolicyRow>(findOrganizationPolicyStatement(orgId))).rows[0];
}

/** Returns the policy and locks it until the end of the transaction. Throws `not_found`. */
export async function lockOrganizationPolicy(tx: Db, orgId: string): Promise<OrganizationPolicyRow> {
  await lockMembership(tx, orgId);
  const row = await findOrganizationPolicy(tx, orgId);
  if (!row) throw new ApiError('not_found', `There is no organization ${orgId}.`);
  return row;
}

async function updatePolicy(tx: Db, orgId: string, column: string, value: unknown): Promise<number> {
  const { rows } = await tx.query<{ policy_version: number }>({
    text: `UPDATE organizations SET ${column} = $2, policy_version = policy_version + 1 WHERE id = $1 RETURNING policy_version`,
    values: [orgId, value],
  });
  return rows[0]!.policy_version;
}

/** Replaces the sign-in policy and returns the version. Call `lockOrganizationPolicy` first. */
export const updateSignInPolicy = (tx: Db, orgId: string, policy: SignInPolicy): Promise<number> =>
  updatePolicy(tx, orgId, 'sign_in', JSON.stringify(policy));

/** Sets the days after which data sources are stale, and returns the version. Call `lockOrganizationPolicy` first. */
export const updateStaleAfterDays = (tx: Db, orgId: string, days: number): Promise<number> =>
  updatePolicy(tx, orgId, 'stale_after_days', days);
