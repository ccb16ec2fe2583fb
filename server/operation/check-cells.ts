import type pg from 'pg';
import { asOwner } from '../platform/postgres/cells/as-owner.ts';
import type { Cell } from '../platform/postgres/cells/cell-database.ts';
import { homeCell, readCell } from '../platform/postgres/cells/cell-name.ts';
import { listMoves } from '../platform/postgres/cells/move-servers.ts';
import { findSlot, type Slot, subscription } from '../platform/postgres/cells/publication.ts';
import { findChanged, readMigrations } from '../platform/postgres/migrate.ts';
import { failed, type Outcome, ok, warning } from './check.ts';

export type CheckedCell = Outcome & {
  cell: string;
  /** Host and database, without the login. */
  address: string;
  /** null while the cell can't be reached, or is not migrated yet. */
  organizations: number | null;
};

const addressOf = (url: string) => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

const manyBytes = 100_000_000;
const migrateIt = 'Run "assay migrate", or restart a node.';

type Server = {
  version: number;
  schema: boolean;
  level: string;
  slots: number;
  senders: number;
  keeps: string;
  replicates: boolean;
  subscribes: boolean;
  workers: number;
};

export async function inspectServer(owner: pg.Client): Promise<Server> {
  const { rows } = await owner.query<Server>(
    `SELECT current_setting('server_version_num')::int AS version, to_regclass('public.cell') IS NOT NULL AS schema,
       current_setting('wal_level') AS level,
       current_setting('max_replication_slots')::int - (SELECT count(*) FROM pg_replication_slots)::int AS slots,
       current_setting('max_wal_senders')::int - (SELECT count(*) FROM pg_stat_replication)::int AS senders,
       current_setting('max_slot_wal_keep_size') AS keeps, rolsuper OR rolreplication AS replicates,
       rolsuper OR EXISTS (SELECT FROM pg_roles p WHERE p.rolname = 'pg_create_subscription'
         AND pg_has_role(current_user, p.oid, 'MEMBER')) AS subscribes,
       current_setting('max_logical_replication_workers')::int AS workers
     FROM pg_roles WHERE rolname = current_user`,
  );
  return rows[0]!;
}

/** Checks that the home cell can publish, and that a cell that is away can't fill its disk. */
function checkHome({ level, slots, senders, keeps, replicates }: Server, newCells: number): Outcome {
  if (level !== 'logical')
    return failed(`wal_level is ${level}.`, 'Set wal_level = logical on this server, and restart it.');
  if (newCells > 0 && !replicates)
    return failed('The login of DATABASE_URL may not replicate.', 'As an administrator: ALTER ROLE … REPLICATION.');
  if (Math.min(slots, senders) < newCells)
    return failed(
      `${slots} replication slots and ${senders} WAL senders are free, and ${newCells} cells need one of each.`,
      'Raise max_replication_slots and max_wal_senders, and restart the server.',
    );
  if (keeps === '-1')
    return warning(
      'A cell that is down for long can fill the disk of this server with its log.',
      'Set max_slot_wal_keep_size to what the disk has room for. A copy that is lost by that is made anew.',
    );
  return ok('It publishes to the cells.');
}

/** Checks what a new cell needs before it is migrated. */
function checkNew({ version, subscribes, workers }: Server): Outcome {
  if (version < 150_000) return failed('PostgreSQL is older than 15.', 'Use 15 or newer.');
  if (!subscribes)
    return failed(
      'Its login may not create subscriptions.',
      version < 160_000 ? 'On PostgreSQL 15 it must be a superuser.' : 'GRANT pg_create_subscription TO that login.',
    );
  if (workers < 2) return failed('It has no workers for replication.', 'Raise max_logical_replication_workers.');
  return warning('It is not migrated yet.', migrateIt);
}

/** Checks that the copy of what the cell needs is complete and follows the home cell. */
async function checkCopy(owner: pg.Client, slot: Slot): Promise<Outcome> {
  const { rows } = await owner.query<{ enabled: boolean; copying: string[]; errors: number }>(
    `SELECT s.subenabled AS enabled, coalesce(t.apply_error_count + t.sync_error_count, 0)::int AS errors,
       ARRAY(SELECT srrelid::regclass::text FROM pg_subscription_rel WHERE srsubid = s.oid AND srsubstate <> 'r' ORDER BY 1) AS copying
     FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid AND d.datname = current_database()
     LEFT JOIN pg_stat_subscription_stats t ON t.subid = s.oid WHERE s.subname = $1`,
    [subscription],
  );
  const [state] = rows;
  if (!state || slot.status === null)
    return failed('It gets no copies of people and advisories from the home cell.', migrateIt);
  const itsLog = 'The log of its PostgreSQL says why.';
  if (!state.enabled)
    return failed('Its copies have stopped.', `${itsLog} Then: ALTER SUBSCRIPTION assay_home ENABLE.`);
  const errors = state.errors > 0 ? `, after ${state.errors} errors` : '';
  if (!slot.isActive) return failed(`Its copies don't arrive${errors}.`, itsLog);
  if (state.copying.length > 0) return warning(`It copies ${state.copying.join(', ')}${errors}.`, itsLog);
  if (slot.behindBytes > manyBytes)
    return warning(`Its copies are ${Math.round(slot.behindBytes / 1e6)} MB behind${errors}.`, itsLog);
  return ok('Its copies follow the home cell.');
}

async function checkSchema(owner: pg.Client): Promise<Outcome | null> {
  const known = await readMigrations();
  const { rows } = await owner.query<{ version: number; name: string; checksum: string }>(
    'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
  );
  if (rows.length === known.length && !findChanged(rows, known)) return null;
  return failed('Its schema is not that of this release.', migrateIt);
}

async function checkCell(owner: pg.Client, cell: string, slot: Slot): Promise<Outcome> {
  const { rows } = await owner.query<{ name: string }>(readCell.text);
  const name = rows[0]?.name;
  if (name === undefined) return warning('It has no name yet.', migrateIt);
  if (name !== cell) return failed(`It is the cell ${name}.`, 'Correct ASSAY_CELLS.');
  return (await checkSchema(owner)) ?? checkCopy(owner, slot);
}

/** Reports moves that only the operator can end. */
async function checkMoves(home: pg.Client): Promise<Outcome | null> {
  const moves = (await listMoves(home)).filter(({ state }) => state === 'different' || state === 'kept');
  const [move] = moves.sort((a, b) => a.state.localeCompare(b.state));
  if (!move) return null;
  const { id, source, target, state } = move;
  const command = `assay organization move ${id} --accept --to`;
  return state === 'different'
    ? failed(
        `${id} is stopped: after its move from ${source} to ${target}, their rows differed.`,
        `Compare the rows in both cells, then run "${command} ${target}", or ${source}.`,
      )
    : warning(
        `The move of ${id} to ${target} was interrupted before the rows were compared: those in ${source} are kept.`,
        `Run "${command} ${target}" to delete them after a day.`,
      );
}

/** Checks the home cell and the others, each for itself: one that can't be reached is a result too. */
export async function checkCells(homeUrl: string, cells: readonly Cell[]): Promise<CheckedCell[]> {
  const explain = (error: unknown) =>
    failed(
      `It can't be reached: ${error instanceof Error ? error.message : error}`,
      'Start it, or correct its address.',
    );
  const count = async (owner: pg.Client, { schema }: Server) =>
    schema ? Number((await owner.query('SELECT count(*) FROM list_organizations()')).rows[0].count) : null;
  const look = async (cell: string, url: string, check: (owner: pg.Client, server: Server) => Promise<Outcome>) => {
    const place = { cell, address: addressOf(url) };
    return asOwner(url, async (owner): Promise<CheckedCell> => {
      const server = await inspectServer(owner);
      return { ...place, organizations: await count(owner, server), ...(await check(owner, server)) };
    }).catch((error: unknown): CheckedCell => ({ ...place, organizations: null, ...explain(error) }));
  };
  let slots: Slot[] = [];
  const home = await look(homeCell, homeUrl, async (owner, server) => {
    slots = [];
    for (const { name } of cells) slots.push(await findSlot(owner, name));
    const outcome = checkHome(server, slots.filter(({ status }) => status === null).length);
    return server.schema && outcome.state !== 'failed' ? ((await checkMoves(owner)) ?? outcome) : outcome;
  });
  const others = cells.map(({ name, url }, index) =>
    look(name, url, async (owner, server) => {
      if (!server.schema) return checkNew(server);
      const slot = slots[index];
      return slot ? checkCell(owner, name, slot) : warning('The home cell is away.', 'Start the home cell first.');
    }),
  );
  return [home, ...(await Promise.all(others))];
}
