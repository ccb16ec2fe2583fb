import type { Database } from '../../platform/postgres/database.ts';

export const factorTables = ['two_factors', 'pending_two_factors'] as const;
export type FactorTable = (typeof factorTables)[number];

type Sealed = { key: string; sealed: string };
type Replacement = { userId: string; former: string; sealed: string };

/** Lists secrets without the prefix `current`, in the order of user ids. */
export function listFactorsOfOtherKeys(
  database: Database,
  table: FactorTable,
  { current, after, limit }: { current: string; after: string; limit: number },
): Promise<Sealed[]> {
  return database.single(null, {
    text: `SELECT user_id AS key, secret AS sealed FROM ${table}
           WHERE NOT starts_with(secret, $1) AND user_id > $2 ORDER BY user_id LIMIT $3`,
    values: [current, after, limit],
  });
}

/** Replaces a secret if it is still `former`. Returns whether it was replaced. */
export async function replaceFactorSecret(
  database: Database,
  table: FactorTable,
  { userId, former, sealed }: Replacement,
): Promise<boolean> {
  const rows = await database.single(null, {
    text: `UPDATE ${table} SET secret = $3 WHERE user_id = $1 AND secret = $2 RETURNING user_id`,
    values: [userId, former, sealed],
  });
  return rows.length > 0;
}
