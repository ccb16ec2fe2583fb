import { type AuditActor, operator, recordAudit } from '../organization/audit.ts';
import { announceAuthenticationChange } from '../organization/authentication-changes.ts';
import { findOrganizationPolicy, signInPolicyOf } from '../organization/policy-queries.ts';
import { scopes as knownScopes, type Scope } from '../organization/roles.ts';
import { tokenEnd } from '../organization/sign-in-policy.ts';
import { invalid } from '../platform/errors.ts';
import { newId } from '../platform/id.ts';
import type { Db } from '../platform/postgres/database.ts';
import { createToken, hashToken } from './token.ts';
import { insertToken, type TokenRow, updateTokenRevoked } from './token-queries.ts';

export type NewToken = {
  userId: string;
  name: string;
  /** Null for all permissions of the user's role. */
  scopes: Scope[] | null;
  expiresAt: Date | null;
  /** A token in our format that was agreed on beforehand; by default a random one. */
  token?: string;
};

/**
 * Returns when a new token expires. Throws `invalid_request` for a time that is later than the organization allows.
 */
async function endOfNewToken(tx: Db, orgId: string, expiresAt: Date | null): Promise<Date | null> {
  const policy = signInPolicyOf((await findOrganizationPolicy(tx, orgId))?.sign_in ?? null);
  const longest = tokenEnd(policy, { created_at: new Date(), expires_at: null });
  if (expiresAt === null || longest === null || expiresAt <= longest) return expiresAt ?? longest;
  throw invalid(
    'body',
    'expires_at',
    `must be within ${policy.token_longest_days} days: the organization allows no longer`,
  );
}

/** Creates an API token for a member. `token` is the only copy in clear text: show it once. */
export async function issueToken(
  tx: Db,
  orgId: string,
  wanted: NewToken,
  actor: AuditActor = operator,
): Promise<TokenRow & { token: string }> {
  const { userId, name, scopes, expiresAt, token = createToken() } = wanted;
  if (scopes?.length === 0) throw invalid('body', 'scopes', 'must name at least one scope, or be left out for all');
  const unknown = scopes?.find((scope) => !knownScopes.includes(scope));
  if (unknown !== undefined) throw invalid('body', 'scopes', `must be some of ${knownScopes.join(', ')}`);
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
    throw invalid('body', 'expires_at', 'must be a time in the future');
  }
  const end = await endOfNewToken(tx, orgId, expiresAt);
  const id = newId('tok');
  const row = await insertToken(tx, orgId, { id, userId, name, hash: hashToken(token), scopes, expiresAt: end });
  const after = { name, scopes, user: userId, expires_at: end };
  await recordAudit(tx, orgId, { actor, action: 'token.created', target: { id, name }, after });
  return { ...row, token };
}

/**
 * Revokes a token on every node at once; with `userId`, only if it belongs to that person. Returns false when there is
 * no such valid token.
 */
export async function revokeToken(
  tx: Db,
  orgId: string,
  id: string,
  userId: string | null,
  actor: AuditActor = operator,
): Promise<boolean> {
  const revoked = await updateTokenRevoked(tx, orgId, id, userId);
  if (!revoked) return false;
  await announceAuthenticationChange(tx);
  const { name, user_id: user } = revoked;
  await recordAudit(tx, orgId, { actor, action: 'token.revoked', target: { id, name }, before: { name, user } });
  return true;
}
