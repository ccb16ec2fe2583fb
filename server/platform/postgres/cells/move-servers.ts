import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { errorCode } from '../../errors.ts';
import { asOwner } from './as-owner.ts';
import type { Cell } from './cell-database.ts';
import { homeCell } from './cell-name.ts';

/** The rows in the old cell are deleted after this time. */
const keptFor = '1 day';

export type State = 'copying' | 'moved' | 'equal' | 'different' | 'kept';
export type Move = { id: string; source: string; target: string; state: State };

/** The name of a move's publication, slot and subscription. */
export const nameOf = (id: string) => `assay_${id}`;
export const lockOf = (id: string) => `hashtextextended(${pg.escapeLiteral(`organization ${id}`)}, 0)`;
const moveLockOf = (id: string) => `hashtextextended(${pg.escapeLiteral(`move ${id}`)}, 0)`;

/** The servers of a move: connections as the owner, which end with it. */
export type Servers = { home: pg.Client; source: pg.Client; target: pg.Client; sourceUrl: string; targetUrl: string };

export type Cells = { homeUrl: string; cells: readonly Cell[] };

/** Returns the address of a cell. Throws for one that is not in the settings. */
export function requireUrl({ homeUrl, cells }: Cells, name: string): string {
  const url = name === homeCell ? homeUrl : cells.find((cell) => cell.name === name)?.url;
  if (url !== undefined) return url;
  throw new Error(
    `There is no cell ${name} in ASSAY_CELLS. Choose one of: ${[homeCell, ...cells.map((cell) => cell.name)].join(', ')}.`,
  );
}

/** Lists the moves that are not forgotten yet. */
export async function listMoves(home: pg.Client): Promise<Array<Move & { changedAt: Date; isOld: boolean }>> {
  const { rows } = await home.query(
    `SELECT organization_id AS id, source, target, state, changed_at AS "changedAt", changed_at < now() - interval '${keptFor}' AS "isOld"
     FROM organization_moves ORDER BY changed_at`,
  );
  return rows;
}

/** Runs `run` if no other process works on a move of this organization; otherwise returns undefined. */
export async function alone<T>(home: pg.Client, id: string, run: () => Promise<T>): Promise<T | undefined> {
  const { rows } = await home.query(
    `SELECT pg_backend_pid() AS pid, pg_try_advisory_lock(${moveLockOf(id)}) AS locked`,
  );
  if (rows[0].pid !== (home as unknown as { processID: number }).processID)
    throw new Error('A move holds locks of its session: let DATABASE_URL lead to PostgreSQL without a pooler.');
  if (!rows[0].locked) return undefined;
  try {
    return await run();
  } finally {
    await home.query(`SELECT pg_advisory_unlock(${moveLockOf(id)})`).catch(() => {});
  }
}

export const withServers = <T>(
  cells: Cells,
  { source, target }: Move,
  home: pg.Client,
  run: (servers: Servers) => Promise<T>,
) => {
  const [sourceUrl, targetUrl] = [requireUrl(cells, source), requireUrl(cells, target)];
  return asOwner(sourceUrl, (from) =>
    asOwner(targetUrl, (to) => run({ home, source: from, target: to, sourceUrl, targetUrl })),
  );
};

export const setState = (home: pg.Client, id: string, state: State) =>
  home.query('UPDATE organization_moves SET state = $2, changed_at = clock_timestamp() WHERE organization_id = $1', [
    id,
    state,
  ]);

/** Stops serving the organization here. `leaving`: no cell serves it yet, so that its requests get 503. */
export const setAbsent = (cell: pg.Client, id: string, leaving = false) =>
  cell.query(
    `INSERT INTO absent_organizations (organization_id, leaving) VALUES ($1, $2)
     ON CONFLICT (organization_id) DO UPDATE SET leaving = EXCLUDED.leaving`,
    [id, leaving],
  );

export const setPresent = (cell: pg.Client, id: string) =>
  cell.query('DELETE FROM absent_organizations WHERE organization_id = $1', [id]);

/** Makes the target serve the organization. The directory decides on which side an interrupted move ends. */
export async function flip({ home, source, target }: Servers, move: Move, next: State): Promise<void> {
  const { id } = move;
  // Another process may have ended the move if this session of the home cell is lost.
  await home.query('SELECT 1');
  await setAbsent(source, id, true);
  const { rows } = await home.query<{ target: string }>(
    `WITH moved AS (UPDATE organization_moves SET state = $3, source = $4, target = $5, changed_at = clock_timestamp()
         WHERE organization_id = $1 AND state = $2 RETURNING target),
       back AS (DELETE FROM organization_cells WHERE organization_id = $1 AND (SELECT target FROM moved) = '${homeCell}'),
       away AS (INSERT INTO organization_cells SELECT $1, target FROM moved WHERE target <> '${homeCell}'
         ON CONFLICT (organization_id) DO UPDATE SET cell = EXCLUDED.cell)
     SELECT target FROM moved`,
    [id, move.state, next, move.source, move.target],
  );
  if (rows.length === 0) throw new Error('Another process has ended this move.');
  await setPresent(target, id);
  await setAbsent(source, id);
}

/** Removes the subscription, the slot and the publication of a move, as far as they exist. */
export async function endCopy({ source, target }: Servers, id: string): Promise<void> {
  const name = nameOf(id);
  const { rowCount } = await target.query(
    `SELECT FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid AND d.datname = current_database() WHERE s.subname = $1`,
    [name],
  );
  if (rowCount === 1) {
    await target.query(`ALTER SUBSCRIPTION ${name} DISABLE`);
    await target.query(`ALTER SUBSCRIPTION ${name} SET (slot_name = NONE)`);
    await target.query(`DROP SUBSCRIPTION ${name}`);
  }
  for (let attempt = 0; ; attempt++) {
    // Its sender may not have noticed yet that the subscription is gone.
    await source.query(
      'SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = $1 AND active_pid IS NOT NULL',
      [name],
    );
    try {
      await source.query('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1', [
        name,
      ]);
      break;
    } catch (error) {
      if (errorCode(error) !== '55006' || attempt === 100) throw error;
      await delay(100);
    }
  }
  await source.query(`DROP PUBLICATION IF EXISTS ${name}`);
}
