import type { Db } from '../../platform/postgres/database.ts';

/** `password` links set a new password; `email` links confirm a new address. */
export type LinkKind = 'password' | 'email';
/** `mailed`: only the recipient of a mail to `email` has seen the link. */
export type Link = { user_id: string; email: string; mailed: boolean };

/** Stores a link, which replaces an earlier one of its kind. */
export async function insertLink(
  tx: Db,
  link: { tokenHash: Buffer; kind: LinkKind; userId: string; email: string; mailed: boolean; validMinutes: number },
): Promise<void> {
  await tx.query({
    text: `INSERT INTO sign_in_links (token_hash, kind, user_id, email, mailed, expires_at)
           VALUES ($1, $2, $3, $4, $6, now() + make_interval(mins => $5))
           ON CONFLICT (user_id, kind) DO UPDATE
             SET token_hash = excluded.token_hash, email = excluded.email, mailed = excluded.mailed,
                 expires_at = excluded.expires_at`,
    values: [link.tokenHash, link.kind, link.userId, link.email, link.validMinutes, link.mailed],
  });
}

/** Finds an open link without using it. */
export async function findLink(tx: Db, kind: LinkKind, tokenHash: Buffer): Promise<Link | undefined> {
  const { rows } = await tx.query<Link>({
    text: 'SELECT user_id, email, mailed FROM sign_in_links WHERE token_hash = $1 AND kind = $2 AND expires_at > now()',
    values: [tokenHash, kind],
  });
  return rows[0];
}

/** Uses up a link. Only one caller ever gets it. */
export async function takeLink(tx: Db, kind: LinkKind, tokenHash: Buffer): Promise<Link | undefined> {
  const { rows } = await tx.query<Link>({
    text: `DELETE FROM sign_in_links WHERE token_hash = $1 AND kind = $2 AND expires_at > now()
           RETURNING user_id, email, mailed`,
    values: [tokenHash, kind],
  });
  return rows[0];
}

/** Deletes a person's open links: their mails were sent to an address that is no longer theirs. */
export async function deleteLinksOf(tx: Db, userId: string): Promise<void> {
  await tx.query({ text: 'DELETE FROM sign_in_links WHERE user_id = $1', values: [userId] });
}

export async function deleteExpiredLinks(tx: Db): Promise<void> {
  await tx.query({ text: 'DELETE FROM sign_in_links WHERE expires_at < now()' });
}
