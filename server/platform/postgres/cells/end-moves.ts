import { asOwner } from './as-owner.ts';
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
  setPresent,
  setState,
  withServers,
} from './move-servers.ts';
import { deleteRows } from './moved-rows.ts';

/** Ends an interrupted move: goes back if the directory names the old cell, and on if it names the new one. */
export async function settle(servers: Servers, { id, state }: Move): Promise<void> {
  const { home, source, target } = servers;
  if (state === 'copying') {
    // A mover that has lost its session of the home cell may still be in its stop. It ends with it.
    await source.query(`SET lock_timeout = '10s'`);
    await source.query(`SELECT pg_advisory_lock(${lockOf(id)}), pg_advisory_unlock(${lockOf(id)})`);
    await endCopy(servers, id);
    await deleteRows(target, id, nameOf(id));
    await setPresent(source, id);
    await home.query('DELETE FROM organization_moves WHERE organization_id = $1', [id]);
  }
  if (state === 'moved') {
    await setAbsent(source, id, true);
    await setPresent(target, id);
    await setAbsent(source, id);
    await endCopy(servers, id);
    await setState(home, id, 'kept');
  }
}

/** Deletes the old rows of a move whose sides were equal. */
export async function forget({ home, source }: Servers, { id }: Move): Promise<void> {
  await deleteRows(source, id, nameOf(id));
  await home.query('DELETE FROM organization_moves WHERE organization_id = $1', [id]);
}

/**
 * Ends a move whose comparison was interrupted, or has found a difference: the cell `to` has the right rows, and serves the
 * organization. Those of the other cell are deleted after a day.
 */
export async function acceptMove(cells: Cells, { id, to }: { id: string; to: string }): Promise<void> {
  await asOwner(cells.homeUrl, (home) =>
    alone(home, id, async () => {
      const move = (await listMoves(home)).find((one) => one.id === id);
      if (!move || !['different', 'kept'].includes(move.state) || ![move.source, move.target].includes(to))
        throw new Error(`There is no move of ${id} to ${to} to accept.`);
      const [source, target] = to === move.target ? [move.source, to] : [move.target, to];
      await withServers(cells, { ...move, source, target }, home, async (servers) => {
        await flip(servers, { ...move, source, target }, 'equal');
      });
    }),
  );
}

/** Ends interrupted moves, and deletes old rows whose time is over. A move that another process works on is left alone. */
export async function tidyMoves(cells: Cells, onError: (move: Move, error: unknown) => void): Promise<void> {
  await asOwner(cells.homeUrl, async (home) => {
    for (const { id } of await listMoves(home)) {
      await alone(home, id, async () => {
        const move = (await listMoves(home)).find((one) => one.id === id);
        if (!move) return;
        const isDue = move.state === 'equal' && move.isOld;
        if (!isDue && move.state !== 'copying' && move.state !== 'moved') return;
        await withServers(cells, move, home, (servers) =>
          isDue ? forget(servers, move) : settle(servers, move),
        ).catch((error: unknown) => onError(move, error));
      });
    }
  });
}
