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

/** Creates the slot anew: one without a subscription is left from an attempt that failed, and has missed nothing yet. */
async function createSlot(homeUrl: string, slot: string): Promise<void> {
  await asOwner(homeUrl, async (home) => {
    await home.query('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1', [
      slot,
    ]);
    await home.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput')`, [slot]);
  });
}

/** Returns the name of a cell's slot. Slots belong to the whole server, which may have databases of other installations. */
async function slotOf(homeUrl: string, cell: string): Promise<string> {
  return asOwner(homeUrl, async (home) => {
    const { rows } = await home.query<{ oid: number }>(
      'SELECT oid::int8 AS oid FROM pg_database WHERE datname = current_database()',
    );
    return `assay_${rows[0]!.oid}_${cell}`;
  });
}

/**
 * Subscribes a cell to the home cell, once, and updates the address when it has changed. The copied tables become
 * read-only for the service. The slot is created first, so that the cell may be on the same server.
 */
export async function subscribeToHome(
  cell: pg.Client,
  { name, homeUrl }: { name: string; homeUrl: string },
): Promise<void> {
  await cell.query(`REVOKE INSERT, UPDATE, DELETE ON ${copied.join(', ')} FROM assay_app`);
  const { rows } = await cell.query<{ address: string | null }>(
    `SELECT obj_description(s.oid, 'pg_subscription') AS address FROM pg_subscription s
     JOIN pg_database d ON d.oid = s.subdbid AND d.datname = current_database() WHERE s.subname = $1`,
    [subscription],
  );
  // Only superusers can read the address of a subscription, which contains a password.
  const address = createHash('sha256').update(homeUrl).digest('hex');
  if (rows[0]?.address === address) return;
  const connection = pg.escapeLiteral(homeUrl);
  if (rows[0]) await cell.query(`ALTER SUBSCRIPTION ${subscription} CONNECTION ${connection}`);
  else {
    const slot = await slotOf(homeUrl, name);
    await createSlot(homeUrl, slot);
    await cell.query(
      `CREATE SUBSCRIPTION ${subscription} CONNECTION ${connection} PUBLICATION ${publication}
       WITH (create_slot = false, slot_name = ${slot}, disable_on_error = false)`,
    );
  }
  await cell.query(`COMMENT ON SUBSCRIPTION ${subscription} IS ${pg.escapeLiteral(address)}`);
}
