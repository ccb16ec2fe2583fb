import { recordAudit } from '../../organization/audit.ts';
import { revokeTokensOfMember } from '../../organization/queries.ts';
import type { Db } from '../../platform/postgres/database.ts';
import type { Cause } from './follow-up-queries.ts';

/** Revokes the API tokens of a person in an organization, and records it. Returns the number of revoked tokens. */
export async function endTokens(tx: Db, orgId: string, userId: string, { actor, because }: Cause): Promise<number> {
  const revoked = await revokeTokensOfMember(tx, orgId, userId);
  for (const token of revoked) {
    const details = { because, user: userId };
    await recordAudit(tx, orgId, { actor, action: 'token.revoked', target: token, details });
  }
  return revoked.length;
}
