import type { Database, Db, Statement } from '../../platform/postgres/database.ts';

/** The number of client addresses stored per account and hour. Attempts from further addresses are added together. */
const maxAddresses = 10;
/** The number of rows stored per person. */
const maxRows = 200;

/** Attempts on an account's email address from one client address. */
export type NotedFailures = { email: string; address: string; attempts: number; methods: string[] };

/** Finds a person by id, or by the second step of a sign-in. */
export async function findAccountOfStep(
  database: Database,
  account: { userId: string } | { step: string },
): Promise<{ id: string; email: string } | null> {
  const [column, value] = 'userId' in account ? ['$1', account.userId] : ['v.value', account.step];
  const rows = await database.single<{ id: string; email: string }>(
    null,
    'userId' in account
      ? { name: 'failed_sign_in_user', text: `SELECT id, email FROM users WHERE id = ${column}`, values: [value] }
      : {
          name: 'failed_sign_in_step',
          text: `SELECT u.id, u.email FROM verifications v JOIN users u ON u.id = ${column} WHERE v.identifier = $1`,
          values: [value],
        },
  );
  return rows[0] ?? null;
}

/**
 * Adds failed attempts on existing accounts to those of this hour. The number of rows is bounded: attempts from
 * further addresses have the address ''.
 */
export async function insertFailedSignIns(database: Database, noted: NotedFailures[]): Promise<void> {
  await database.single(null, {
    name: 'failed_sign_ins_insert',
    text: `WITH noted AS (
             SELECT u.id AS user_id, n.address, n.attempts, n.methods, date_trunc('hour', now()) AS hour
             FROM unnest($1::text[], $2::text[], $3::int[], $4::text[]) AS n (email, address, attempts, methods)
             JOIN users u ON u.email = n.email
           ), known AS (
             SELECT n.*, f.address IS NOT NULL AS is_known,
               (SELECT count(*) FROM failed_sign_ins k WHERE k.user_id = n.user_id AND k.hour = n.hour) AS rows
             FROM noted n
             LEFT JOIN failed_sign_ins f ON f.user_id = n.user_id AND f.hour = n.hour AND f.address = n.address
           ), placed AS (
             SELECT k.*, rows + row_number() OVER (PARTITION BY user_id, is_known ORDER BY attempts DESC, address) AS place
             FROM known k
           )
           INSERT INTO failed_sign_ins AS f (user_id, hour, address, methods, attempts)
           SELECT user_id, hour, CASE WHEN is_known OR place <= $5::int THEN address ELSE '' END,
             string_to_array(string_agg(methods, ','), ','), sum(attempts)
           FROM placed GROUP BY 1, 2, 3
           ON CONFLICT (user_id, hour, address) DO UPDATE
             SET attempts = f.attempts + excluded.attempts, last_at = now(),
                 methods = ARRAY(SELECT DISTINCT m FROM unnest(f.methods || excluded.methods) AS m ORDER BY m)`,
    values: [
      noted.map(({ email }) => email),
      noted.map(({ address }) => address),
      noted.map(({ attempts }) => attempts),
      noted.map(({ methods }) => methods.join(',')),
      maxAddresses,
    ],
  });
}

export type FailedSignInRow = {
  address: string;
  methods: string[];
  attempts: number;
  first_at: Date;
  last_at: Date;
  /** `first_at` with microseconds, for cursors. */
  moment: string;
};

/** A position in the list: the first attempt with microseconds, and the address. */
export type FailedSignInPosition = { moment: string; address: string };

/** Lists a page of a person's failed sign-ins, newest first, with one more row when there is another page. */
export function listFailedSignIns(
  userId: string,
  page: { limit: number; after: FailedSignInPosition | null },
): Statement {
  return {
    name: 'failed_sign_ins_list',
    text: `SELECT address, methods, attempts, first_at, last_at, first_at::text AS moment FROM failed_sign_ins
           WHERE user_id = $1 AND ($2::timestamptz IS NULL OR (first_at, address) < ($2, $3))
           ORDER BY first_at DESC, address DESC LIMIT $4`,
    values: [userId, page.after?.moment ?? null, page.after?.address ?? null, page.limit + 1],
  };
}

export type UnrecordedRow = Omit<FailedSignInRow, 'moment'> & { user_id: string; hour: Date };

/**
 * Lists rows that are missing from the audit log: new ones, and those of a past hour with more attempts than
 * recorded. So there are at most two events per account, address and hour.
 */
export async function listUnrecordedSignIns(tx: Db, limit: number): Promise<UnrecordedRow[]> {
  const { rows } = await tx.query<UnrecordedRow>({
    name: 'failed_sign_ins_unrecorded',
    text: `SELECT user_id, hour, address, methods, attempts, first_at, last_at FROM failed_sign_ins
           WHERE recorded = 0 OR (recorded < attempts AND hour < date_trunc('hour', now()))
           ORDER BY hour, user_id, address LIMIT $1`,
    values: [limit],
  });
  return rows;
}

/** Marks a row as recorded with its number of attempts. Returns false when another node was faster. */
export async function markRecorded(tx: Db, { user_id, hour, address, attempts }: UnrecordedRow): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'failed_sign_in_recorded',
    text: `UPDATE failed_sign_ins SET recorded = $4
           WHERE user_id = $1 AND hour = $2 AND address = $3 AND recorded < $4`,
    values: [user_id, hour, address, attempts],
  });
  return rowCount === 1;
}

/** Deletes rows older than 30 days, and all but the newest of each person. */
export async function deleteOldFailedSignIns(database: Database): Promise<void> {
  await database.single(null, {
    text: `DELETE FROM failed_sign_ins f USING (
             SELECT user_id, hour, address, row_number() OVER (PARTITION BY user_id ORDER BY hour DESC, last_at DESC) AS place
             FROM failed_sign_ins) p
           WHERE p.user_id = f.user_id AND p.hour = f.hour AND p.address = f.address
             AND (p.place > ${maxRows} OR f.hour < now() - interval '30 days')`,
  });
}
