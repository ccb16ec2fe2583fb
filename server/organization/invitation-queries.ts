import type { Db, Statement } from '../platform/postgres/database.ts';
import type { Role } from './roles.ts';

export type InvitationRow = {
  id: string;
  email: string;
  role: Role;
  status: 'pending' | 'accepted' | 'expired' | 'revoked';
  invited_by: { id: string; name: string } | null;
  created_at: Date;
  expires_at: Date;
};

const columns = `i.id, i.email, i.role, i.created_at, i.expires_at,
  CASE WHEN i.status = 'pending' AND i.expires_at <= now() THEN 'expired' ELSE i.status END AS status,
  CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name) END AS invited_by`;

/** Lists a page, newest first, with one row more than `limit` if there is another page. */
export function listInvitations(orgId: string, page: { limit: number; beforeId: string | null }): Statement {
  return {
    name: 'invitations_list',
    text: `SELECT ${columns}
           FROM invitations i LEFT JOIN users u ON u.id = i.invited_by
           WHERE i.org_id = $1 AND ($2::text IS NULL OR i.id < $2)
           ORDER BY i.id DESC
           LIMIT $3`,
    values: [orgId, page.beforeId, page.limit + 1],
  };
}

export async function findInvitation(db: Db, orgId: string, id: string): Promise<InvitationRow | undefined> {
  const { rows } = await db.query<InvitationRow>({
    text: `SELECT ${columns} FROM invitations i LEFT JOIN users u ON u.id = i.invited_by
           WHERE i.org_id = $1 AND i.id = $2`,
    values: [orgId, id],
  });
  return rows[0];
}

/** Finds the pending invitation of an address, even if it has expired. */
export async function findPendingInvitation(
  tx: Db,
  orgId: string,
  email: string,
): Promise<{ id: string; role: Role } | undefined> {
  const { rows } = await tx.query<{ id: string; role: Role }>({
    text: `SELECT id, role FROM invitations WHERE org_id = $1 AND email = $2 AND status = 'pending'`,
    values: [orgId, email],
  });
  return rows[0];
}

export async function insertInvitation(
  tx: Db,
  orgId: string,
  invitation: { id: string; email: string; role: Role; invitedBy: string | null; validDays: number },
): Promise<void> {
  await tx.query({
    text: `INSERT INTO invitations (org_id, id, email, role, invited_by, expires_at)
           VALUES ($1, $2, $3, $4, $5, now() + make_interval(days => $6))`,
    values: [orgId, invitation.id, invitation.email, invitation.role, invitation.invitedBy, invitation.validDays],
  });
}

export type RevokedInvitation = { id: string; email: string };

/**
 * Revokes the pending invitations of an address and returns them. Call `lockMembership` first, so that simultaneous
 * invitations of one address replace each other in turn.
 */
export async function revokePendingInvitations(tx: Db, orgId: string, email: string): Promise<RevokedInvitation[]> {
  const { rows } = await tx.query<RevokedInvitation>({
    text: `UPDATE invitations SET status = 'revoked', token_hash = NULL
           WHERE org_id = $1 AND email = $2 AND status = 'pending'
           RETURNING id, email`,
    values: [orgId, email],
  });
  return rows;
}

/**
 * Revokes the pending invitations that a person made for one of `roles`, and those to the address `email`. Returns
 * them. Call `lockMembership` first, so that the person makes no others meanwhile.
 */
export async function revokeInvitationsBy(
  tx: Db,
  orgId: string,
  userId: string,
  { roles, email }: { roles: readonly Role[]; email: string | null },
): Promise<RevokedInvitation[]> {
  const { rows } = await tx.query<RevokedInvitation>({
    text: `UPDATE invitations SET status = 'revoked', token_hash = NULL
           WHERE org_id = $1 AND status = 'pending' AND (invited_by = $2 AND role = ANY ($3) OR email = $4)
           RETURNING id, email`,
    values: [orgId, userId, roles, email],
  });
  return rows;
}

/** Returns false if the invitation is no longer pending. */
export async function revokeInvitation(tx: Db, orgId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `UPDATE invitations SET status = 'revoked', token_hash = NULL
           WHERE org_id = $1 AND id = $2 AND status = 'pending'`,
    values: [orgId, id],
  });
  return rowCount === 1;
}

/** Makes a pending or expired invitation valid again, without a link. Returns false if it was accepted or revoked. */
export async function renewInvitation(tx: Db, orgId: string, id: string, validDays: number): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `UPDATE invitations SET token_hash = NULL, expires_at = now() + make_interval(days => $3)
           WHERE org_id = $1 AND id = $2 AND status = 'pending'`,
    values: [orgId, id, validDays],
  });
  return rowCount === 1;
}

/**
 * Returns the content of the mail; undefined if the invitation is no longer open. The link contains the token with this
 * hash. `mailed` means that only the mail's recipient sees it.
 */
export async function openInvitationForMail(
  tx: Db,
  orgId: string,
  id: string,
  { tokenHash, mailed }: { tokenHash: Buffer; mailed: boolean },
): Promise<{ email: string; organization: string; invited_by: string | null; expires_at: Date } | undefined> {
  const { rows } = await tx.query<{
    email: string;
    organization: string;
    invited_by: string | null;
    expires_at: Date;
  }>({
    text: `UPDATE invitations i SET token_hash = $3, mailed = $4
           FROM organizations o
           WHERE i.org_id = $1 AND i.id = $2 AND i.status = 'pending' AND i.expires_at > now() AND o.id = i.org_id
           RETURNING i.email, o.name AS organization, i.expires_at,
                     (SELECT u.name FROM users u WHERE u.id = i.invited_by) AS invited_by`,
    values: [orgId, id, tokenHash, mailed],
  });
  return rows[0];
}

/** Returns the content of the page behind an invitation's link; undefined if the invitation is no longer open. */
export async function findOpenInvitation(
  db: Db,
  orgId: string,
  id: string,
): Promise<
  | { email: string; organization: string; role: Role; invited_by: string | null; expires_at: Date; mailed: boolean }
  | undefined
> {
  const { rows } = await db.query<{
    email: string;
    organization: string;
    role: Role;
    invited_by: string | null;
    expires_at: Date;
    mailed: boolean;
  }>({
    text: `SELECT i.email, o.name AS organization, i.role, u.name AS invited_by, i.expires_at, i.mailed
           FROM invitations i
           JOIN organizations o ON o.id = i.org_id
           LEFT JOIN users u ON u.id = i.invited_by
           WHERE i.org_id = $1 AND i.id = $2 AND i.status = 'pending' AND i.expires_at > now()`,
    values: [orgId, id],
  });
  return rows[0];
}

/** Marks the invitation as used by the link with this token. Only one caller ever gets its row. */
export async function acceptPendingInvitation(
  tx: Db,
  orgId: string,
  id: string,
  tokenHash: Buffer,
): Promise<{ email: string; role: Role; mailed: boolean } | undefined> {
  const { rows } = await tx.query<{ email: string; role: Role; mailed: boolean }>({
    text: `UPDATE invitations SET status = 'accepted', token_hash = NULL
           WHERE org_id = $1 AND id = $2 AND token_hash = $3 AND status = 'pending' AND expires_at > now()
           RETURNING email, role, mailed`,
    values: [orgId, id, tokenHash],
  });
  return rows[0];
}

/** Finds the invitation of a link's token, in any organization. */
export async function findInvitationByToken(
  db: Db,
  tokenHash: Buffer,
): Promise<{ org_id: string; invitation_id: string } | undefined> {
  const { rows } = await db.query<{ org_id: string; invitation_id: string }>({
    text: 'SELECT org_id, invitation_id FROM organization_of_invitation($1)',
    values: [tokenHash],
  });
  return rows[0];
}

/** Lists open invitations of all organizations that were never mailed and have no job to mail them. */
export async function listInvitationsWithoutJob(db: Db): Promise<Array<{ orgId: string; id: string }>> {
  const { rows } = await db.query<{ orgId: string; id: string }>({
    text: 'SELECT org_id AS "orgId", id FROM invitations_without_job()',
  });
  return rows;
}
