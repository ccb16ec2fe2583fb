import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../platform/errors.ts';
import type { Db } from '../platform/postgres/database.ts';
import { announceAuthenticationChange } from './authentication-changes.ts';
import { lockOrganizationPolicy, signInPolicyOf, updateSignInPolicy } from './policy-queries.ts';
import { addressRefusal, type SignInFacts, type SignInPolicy, sessionRefusal } from './sign-in-policy.ts';

/** The request that changes a policy. `facts` is null for a token. */
export type PolicyChanger = { address: string; facts: SignInFacts | null };

/** Throws `conflict` if the policy would refuse the request itself. */
function requireOwnAccess(policy: SignInPolicy, { address, facts }: PolicyChanger): void {
  const refusal = addressRefusal(policy, address) ?? (facts && sessionRefusal(policy, facts));
  if (!refusal) return;
  throw new ApiError(
    'conflict',
    `This policy would refuse your own request: ${refusal.message} To set it all the same, send "lock_out": true.`,
  );
}

export type ChangedSignInPolicy = { before: SignInPolicy; after: SignInPolicy; version: number };

/**
 * Replaces the sign-in policy of an organization; undefined keeps it. It takes effect on every node within a second.
 * The caller records it in the audit log. Throws `not_found`, and `conflict` if the policy would refuse `changer`; null
 * skips that check.
 */
export async function changeSignInPolicy(
  tx: Db,
  orgId: string,
  policy: SignInPolicy | undefined,
  changer: PolicyChanger | null,
): Promise<ChangedSignInPolicy> {
  const row = await lockOrganizationPolicy(tx, orgId);
  const before = signInPolicyOf(row.sign_in);
  if (policy === undefined || isDeepStrictEqual(policy, before)) {
    return { before, after: before, version: row.policy_version };
  }
  if (changer) requireOwnAccess(policy, changer);
  const version = await updateSignInPolicy(tx, orgId, policy);
  await announceAuthenticationChange(tx);
  return { before, after: policy, version };
}
