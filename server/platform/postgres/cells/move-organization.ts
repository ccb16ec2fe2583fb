import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { errorCode } from '../../errors.ts';
import { asOwner } from './as-owner.ts';
import { homeCell } from './cell-name.ts';
import { forget, settle, tidyMoves } from './end-moves.ts';
import {
  alone,
  type Cells,
  endCopy,
  flip,
  listMoves,
  lockOf,
  type Move,
  nameOf,
  type Servers,
  setAbsent,
  setState,
  withServers,
} from './move-servers.ts';
import { countRows, findDifferent, listMoved, sumRows } from './moved-rows.ts';

/** A stop that takes longer is given up and tried again, without the flip itself: about half for each wait. */
const stopMs = 1_600;
const stopAttempts = 60;
/** After these, an organization with too many rows to count in a stop moves without: the checksums include them. */
const countedAttempts = 3;
const nearBytes = 1_000_000;

/** Starts copying the organization's rows, while it works. The name in `nameOf` makes every part findable. */
async function startCopy({ source, target, sourceUrl }: Servers, { id }: Move): Promise<void> {
  const name = nameOf(id);
  const tables = (await listMoved(source)).map(
    (table) => `${table.name} WHERE (${table.key} = ${pg.escapeLiteral(id)})`,
  );
  await source.query(`CREATE PUBLICATION ${name} FOR TABLE ${tables.join(', ')}`);
  await source.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput')`, [name]);
  // The source waits for what the target has on disk: with each commit, that is at once.
  await target.query(
    `CREATE SUBSCRIPTION ${name} CONNECTION ${pg.escapeLiteral(sourceUrl)} PUBLICATION ${name}
     WITH (create_slot = false, slot_name = ${name}, disable_on_error = true, synchronous_commit = on)`,
  );
}

async function untilCopied(
  { source, target }: Servers,
  { id, target: cell }: Move,
  stopping?: AbortSignal,
): Promise<void> {
  for (;;) {
    stopping?.throwIfAborted();
    const { rows } = await target.query<{ enabled: boolean; copying: boolean }>(
      `SELECT s.subenabled AS enabled, EXISTS (SELECT FROM pg_subscription_rel r WHERE r.srsubid = s.oid AND r.srsubstate <> 'r') AS copying
       FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid AND d.datname = current_database() WHERE s.subname = $1`,
      [nameOf(id)],
    );
    if (!rows[0]?.enabled)
      throw new Error(`PostgreSQL has stopped the copy. The log of the server of ${cell} says why.`);
    const slot = await source.query<{ behind: number }>(
      'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::float8 AS behind FROM pg_replication_slots WHERE slot_name = $1',
      [nameOf(id)],
    );
    if (!rows[0].copying && (slot.rows[0]?.behind ?? Number.POSITIVE_INFINITY) < nearBytes) return;
    await delay(100);
  }
}

/** Waits until the target has everything that was committed before, and its clock is not behind. False if it takes too long. */
async function catchUp({ source, target }: Servers, id: string, until: number): Promise<boolean> {
  const { rows } = await source.query<{ end: string; now: string }>(
    `SELECT pg_logical_emit_message(true, 'assay', '')::text AS end, clock_timestamp()::text AS now`,
  );
  const { end, now } = rows[0]!;
  while (performance.now() < until) {
    const [slot, clock] = await Promise.all([
      source.query('SELECT confirmed_flush_lsn >= $2::pg_lsn AS done FROM pg_replication_slots WHERE slot_name = $1', [
        nameOf(id),
        end,
      ]),
      target.query('SELECT clock_timestamp() >= $1::timestamptz AS done', [now]),
    ]);
    if (slot.rows[0]?.done && clock.rows[0]?.done) return true;
    await delay(5);
  }
  return false;
}

/** One view of each side, kept open until the checksums are compared. */
type Views = { source: pg.Client; target: pg.Client };

/** Rows become texts for the checksums: both servers must write values alike. */
const sameTexts = `SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'; SET LOCAL IntervalStyle = 'postgres';
  SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1`;

/** Opens the views, and with a time limit returns the tables whose rows are not as many on both sides. */
async function compareCounts({ source, target }: Views, id: string, limitMs: number | null): Promise<string[]> {
  const count = async (view: pg.Client) => {
    await view.query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${Math.max(1, Math.round(limitMs ?? stopMs))}; ${sameTexts}`,
    );
    // The first statement takes the snapshot.
    const tables = await listMoved(view);
    return limitMs === null ? {} : countRows(view, tables, id);
  };
  const [before, after] = await Promise.allSettled([count(source), count(target)]);
  if (before.status === 'rejected') throw before.reason;
  if (after.status === 'rejected') throw after.reason;
  return findDifferent(before.value, after.value);
}

/** Stops the organization's transactions, and moves it if everything has arrived soon. Returns the time without writes, or null. */
async function stopAndFlip(servers: Servers, move: Move, views: Views, isCounted: boolean): Promise<number | null> {
  const { source } = servers;
  const start = performance.now();
  await source.query(`SET lock_timeout = ${stopMs / 2}`);
  try {
    await source.query(`SELECT pg_advisory_lock(${lockOf(move.id)})`);
  } catch (error) {
    if (errorCode(error) === '55P03') return null;
    throw error;
  }
  try {
    if (!(await catchUp(servers, move.id, start + stopMs))) return null;
    const limitMs = start + stopMs + stopMs / 4 - performance.now();
    const different = await compareCounts(views, move.id, isCounted ? limitMs : null);
    if (different.length > 0) throw new Error(`Not all rows have arrived in ${different.join(', ')}.`);
    await flip(servers, move, 'moved');
    return performance.now() - start;
  } catch (error) {
    if (errorCode(error) === '57014') return null;
    throw error;
  } finally {
    await source.query(`SELECT pg_advisory_unlock(${lockOf(move.id)})`).catch(() => {});
  }
}

/** Compares the rows of both sides as they were at the flip. A difference stops the organization. Returns its tables. */
async function verify({ home, target }: Servers, { id }: Move, views: Views): Promise<string[]> {
  const sum = async (view: pg.Client) => {
    await view.query('SET LOCAL statement_timeout = 0');
    return sumRows(view, await listMoved(view), id);
  };
  const [before, after] = await Promise.allSettled([sum(views.source), sum(views.target)]);
  if (before.status === 'rejected') throw before.reason;
  if (after.status === 'rejected') throw after.reason;
  const different = findDifferent(before.value, after.value);
  if (different.length > 0) await setAbsent(target, id, true);
  await setState(home, id, different.length > 0 ? 'different' : 'equal');
  return different;
}

/** Throws unless the organization can be moved. Ends an earlier move of it first. */
async function prepare(
  cells: Cells,
  { home, source, target }: Servers,
  { id, source: from, target: to }: Move,
): Promise<void> {
  const { rows } = await source.query<{ known: boolean; first: string | null; old: boolean }>(
    `SELECT $1 IN (SELECT id FROM list_organizations()) AS known, first_organization() AS first,
       EXISTS (SELECT FROM pg_stat_activity a, cell c WHERE a.datname = current_database()
         AND a.application_name LIKE 'assay%' AND a.backend_start < c.named_at) AS old`,
    [id],
  );
  const { known, first, old } = rows[0]!;
  if (!known) throw new Error(`There is no organization ${id}.`);
  if (from === to) throw new Error(`The organization is in the cell ${to} already.`);
  if (first === id) throw new Error('The organization of the people who run the installation stays in the home cell.');
  if (old) throw new Error('A node without ASSAY_CELLS is running, or was until now: restart all nodes with it.');
  const readSchema = (owner: pg.Client) =>
    owner.query(`SELECT string_agg(checksum, ' ' ORDER BY version) AS schema FROM schema_migrations`);
  const schemas = [await readSchema(source), await readSchema(target)].map((result) => result.rows[0].schema);
  if (schemas[0] !== schemas[1]) throw new Error('The schemas of the cells differ: run "assay migrate".');
  const earlier = (await listMoves(home)).find((move) => move.id === id);
  if (earlier?.state === 'different' || earlier?.state === 'kept')
    throw new Error(
      `Its move from ${earlier.source} to ${earlier.target} is unfinished: "assay cell check" says more.`,
    );
  if (earlier)
    await withServers(cells, earlier, home, async (servers) => {
      if (earlier.state === 'equal') return forget(servers, earlier);
      await settle(servers, earlier);
      throw new Error('An earlier move of it was interrupted, and has been ended now. Try again.');
    });
}

export type Moved = { stoppedMs: number; different: string[] };

async function copyAndFlip(servers: Servers, move: Move, stopping?: AbortSignal): Promise<Moved> {
  await startCopy(servers, move);
  await untilCopied(servers, move, stopping);
  // Counts read the visibility map, and plans the statistics.
  for (const cell of [servers.source, servers.target])
    for (const { name } of await listMoved(cell)) await cell.query(`VACUUM (ANALYZE) ${name}`);
  for (let attempt = 0; attempt < stopAttempts; attempt++) {
    await untilCopied(servers, move, stopping);
    const end = await asOwner(servers.sourceUrl, (source) =>
      asOwner(servers.targetUrl, async (target) => {
        const stoppedMs = await stopAndFlip(servers, move, { source, target }, attempt < countedAttempts);
        if (stoppedMs === null) return null;
        await endCopy(servers, move.id);
        return { stoppedMs, different: await verify(servers, move, { source, target }) };
      }),
    );
    if (end !== null) return end;
    await delay(1_000, undefined, { signal: stopping });
  }
  throw new Error('A transaction of the organization never ended in time. Try again when it is less busy.');
}

export type MoveOptions = {
  id: string;
  to: string;
  stopping?: AbortSignal;
  /** Throws for cells whose servers can't replicate. */
  require(cells: Cells, from: string, to: string): Promise<void>;
};

/**
 * Moves an organization to another cell while it works. Throws before anything has changed, or goes back, if it can't; what
 * an interruption leaves behind is ended by `tidyMoves`.
 */
export async function moveOrganization(
  cells: Cells,
  { id, to, stopping, require }: MoveOptions,
): Promise<Moved & { from: string }> {
  return asOwner(cells.homeUrl, async (home) => {
    const result = await alone(home, id, async () => {
      const { rows } = await home.query<{ cell: string }>(
        'SELECT cell FROM organization_cells WHERE organization_id = $1',
        [id],
      );
      const move: Move = { id, source: rows[0]?.cell ?? homeCell, target: to, state: 'copying' };
      return withServers(cells, move, home, async (servers) => {
        await prepare(cells, servers, move);
        await require(cells, move.source, to);
        await home.query('INSERT INTO organization_moves (organization_id, source, target) VALUES ($1, $2, $3)', [
          id,
          move.source,
          to,
        ]);
        await setAbsent(servers.target, id);
        return { from: move.source, ...(await copyAndFlip(servers, move, stopping)) };
      });
    });
    if (result === undefined) throw new Error('Another process moves this organization.');
    return result;
  }).catch(async (error: unknown) => {
    // Best effort: a worker tries again.
    await tidyMoves(cells, () => {}).catch(() => {});
    throw error;
  });
}
