import { createHash } from 'node:crypto';
import pg from 'pg';
import { asOwner } from './as-owner.ts';

/** The columns of people that rows of organizations are shown with, or that decide who has access. */
const users = 'users (id, name, email, email_verified, organization_id, disabled_at)';
const advisories = ['advisories', 'advisory_packages', 'advisory_aliases', 'advisory_archives', 'advisory_sync'];
const exploitation = ['epss_scores', 'known_exploited', 'exploitation_feeds'];
const copied = ['users', ...advisories, ...exploitation];

const publication = 'assay_home';
export const subscription = 'assay_home';

/** Creates the publication of what each cell needs. Throws if the server can't publish. */
export async function publishToCells(home: pg.Client): Promise<void> {
  const { rows } = await home.query<{ level: string; exists: boolean }>(
    `SELECT current_setting('wal_level') AS level, EXISTS (SELECT FROM pg_publication WHERE pubname = $1) AS exists`,
    [publication],
  );
  const { level, exists } = rows[0]!;
  if (level !== 'logical') {
    throw new Error(
      `Cells need wal_level = logical on the server of DATABASE_URL, which has ${level}. Set it in postgresql.conf (or the parameters of a managed server), and restart PostgreSQL.`,
    );
  }
  if (!exists)
    await home.query(`CREATE PUBLICATION ${publication} FOR TABLE ${[users, ...copied.slice(1)].join(', ')}`);
}

/** A cell's slot in the home cell. */
export type Slot = {
  name: string;
  /** null if there is none, or if its log was removed because the cell was away for too long. */
  status: string | null;
  isActive: boolean;
  /** The log that the cell has not confirmed yet. */
  behindBytes: number;
};

/** Finds a cell's slot. Slots belong to the whole server, which may have databases of other installations. */
export async function findSlot(home: pg.Client, cell: string): Promise<Slot> {
  const { rows } = await home.query<Slot>(
    `SELECT named.name, nullif(s.wal_status, 'lost') AS status, coalesce(s.active, false) AS "isActive",
            coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), s.confirmed_flush_lsn), 0)::float8 AS "behindBytes"
     FROM (SELECT format('assay_%s_%s', oid, $1::text) AS name FROM pg_database WHERE datname = current_database()) named
     LEFT JOIN pg_replication_slots s ON s.slot_name = named.name`,
    [cell],
  );
  return rows[0]!;
}

/**
 * Creates the slot anew: one without a subscription is left from an attempt that failed. Created before the subscription,
 * so that the cell may be on the same server.
 */
async function createSlot(home: pg.Client, slot: string): Promise<void> {
  await home.query('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1', [slot]);
  await home.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput')`, [slot]);
}

async function dropSubscription(cell: pg.Client): Promise<void> {
  await cell.query(`ALTER SUBSCRIPTION ${subscription} DISABLE`);
  await cell.query(`ALTER SUBSCRIPTION ${subscription} SET (slot_name = NONE)`);
  await cell.query(`DROP SUBSCRIPTION ${subscription}`);
}

/** Removes the rows of an earlier subscription, which the next one copies again. */
async function removeCopies(cell: pg.Client): Promise<void> {
  const { rows } = await cell.query(
    `SELECT ${copied.map((table) => `EXISTS (SELECT FROM ${table})`).join(' OR ')} AS any`,
  );
  if (!rows[0].any) return;
  // Members and findings refer to these rows, which come back with the same keys.
  const removals = copied.map((table) => `DELETE FROM ${table}`);
  await cell.query(['BEGIN', 'SET LOCAL session_replication_role = replica', ...removals, 'COMMIT'].join('; '));
}

/**
 * Subscribes a cell to the home cell, and updates the address when it has changed. A copy whose log the home cell no
 * longer has is made anew. The copied tables become read-only for the service.
 */
export async function subscribeToHome(
  cell: pg.Client,
  { name, homeUrl }: { name: string; homeUrl: string },
): Promise<void> {
  await cell.query(`REVOKE INSERT, UPDATE, DELETE ON ${copied.join(', ')} FROM assay_app`);
  await asOwner(homeUrl, async (home) => {
    const slot = await findSlot(home, name);
    let known = await findAddress(cell);
    if (known !== undefined && slot.status === null) {
      await dropSubscription(cell);
      known = undefined;
    }
    // Only superusers can read the address of a subscription, which contains a password.
    const address = createHash('sha256').update(homeUrl).digest('hex');
    if (known === address) return;
    const connection = pg.escapeLiteral(homeUrl);
    if (known !== undefined) await cell.query(`ALTER SUBSCRIPTION ${subscription} CONNECTION ${connection}`);
    else {
      await removeCopies(cell);
      await createSlot(home, slot.name);
      await cell.query(
        `CREATE SUBSCRIPTION ${subscription} CONNECTION ${connection} PUBLICATION ${publication}
         WITH (create_slot = false, slot_name = ${slot.name})`,
      );
    }
    await cell.query(`COMMENT ON SUBSCRIPTION ${subscription} IS ${pg.escapeLiteral(address)}`);
  });
}

/** Returns the digest of the address that the cell is subscribed to; undefined if it isn't. */
async function findAddress(cell: pg.Client): Promise<string | null | undefined> {
  const { rows } = await cell.query<{ address: string | null }>(
    `SELECT obj_description(s.oid, 'pg_subscription') AS address FROM pg_subscription s
     JOIN pg_database d ON d.oid = s.subdbid AND d.datname = current_database() WHERE s.subname = $1`,
    [subscription],
  );
  return rows.length === 0 ? undefined : rows[0]!.address;
}
