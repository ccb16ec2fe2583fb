import pg from 'pg';
import type { Log } from '../../log.ts';
import { migrate } from '../migrate.ts';
import { underMigrationLock } from '../migration-lock.ts';
import { asOwner } from './as-owner.ts';
import type { Cell } from './cell-database.ts';
import { homeCell } from './cell-name.ts';
import { publishToCells, subscribeToHome } from './publication.ts';

/** Throws unless the node knows all cells of the installation, and `DATABASE_URL` is the home cell. */
async function checkHome(owner: pg.Client, cells: readonly Cell[]): Promise<void> {
  const { rows } = await owner.query<{ name: string | null; cells: string[] }>(
    `SELECT (SELECT name FROM cell) AS name, ARRAY(SELECT DISTINCT cell FROM organization_cells ORDER BY 1) AS cells`,
  );
  const { name, cells: used } = rows[0]!;
  if (name !== null && name !== homeCell)
    throw new Error(`DATABASE_URL is the cell ${name} of an installation. Set it to that installation's home cell.`);
  const missing = used.filter((cell) => !cells.some((known) => known.name === cell));
  if (missing.length > 0)
    throw new Error(`ASSAY_CELLS lacks ${missing.join(', ')}: organizations of this installation are in there.`);
}

/** Gives a migrated database its name. Throws for another cell, and for the database of another installation. */
async function nameCell(owner: pg.Client, name: string): Promise<void> {
  const { rows } = await owner.query<{ name: string | null; used: boolean }>(
    'SELECT (SELECT name FROM cell) AS name, EXISTS (SELECT FROM installation_secrets) AS used',
  );
  const { name: found, used } = rows[0]!;
  // Connections of nodes without cells read it (`whichCell`).
  await owner.query(`COMMENT ON TABLE cell IS ${pg.escapeLiteral(name)}`);
  if (found === name) return;
  if (found !== null) throw new Error(`ASSAY_CELLS: the database of the cell ${name} is the cell ${found}.`);
  if (used && name !== homeCell)
    throw new Error(`ASSAY_CELLS: the database of the cell ${name} is an installation of its own. Use an empty one.`);
  await owner.query('INSERT INTO cell (name) VALUES ($1)', [name]);
}

/**
 * Migrates the schema of the cells, one after the other, and sets up the copies of what all of them need. A cell that is
 * away is skipped: its organizations are away too, all others are served. Returns the names of the applied migrations.
 * Without cells it only checks that the database is not part of an installation that has some.
 */
export async function migrateCells(homeUrl: string, cells: readonly Cell[], log: Log): Promise<string[]> {
  return asOwner(homeUrl, async (home) => {
    await checkHome(home, cells);
    if (cells.length === 0) return [];
    const applied: string[] = [];
    // Held for the whole time by a transaction that writes nothing: the creation of a slot waits for those that write.
    await underMigrationLock(home, { log, maxWaitMs: undefined }, async () => {
      await asOwner(homeUrl, async (owner) => {
        await nameCell(owner, homeCell);
        await publishToCells(owner);
      });
      for (const { name, url } of cells) {
        const reason = await asOwner(url, (owner) => owner.query('SELECT 1')).then(
          () => null,
          (error: unknown) => error,
        );
        if (reason !== null) {
          log.warn({ err: reason, cell: name }, 'A cell is away: its organizations can be used once it is back.');
          continue;
        }
        applied.push(...(await migrate({ adminUrl: url, log })).map((migration) => `${name}: ${migration}`));
        await asOwner(url, async (owner) => {
          await nameCell(owner, name);
          await subscribeToHome(owner, { name, homeUrl });
        });
      }
    });
    return applied;
  });
}
