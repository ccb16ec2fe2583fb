import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../../tests/harness/database.ts';
import { findInCells, inEachCell, openDatabases } from './cell-database.ts';

const [home, eu] = [await createTestDatabase(), await createTestDatabase()];
await home.asAdmin(`INSERT INTO cell (name) VALUES ('home')`);
await eu.asAdmin(`INSERT INTO cell (name) VALUES ('eu')`);
const options = { connectionString: home.appUrl, maxConnections: 2 };
const database = openDatabases(options, [{ name: 'eu', url: eu.appUrl }]);
after(async () => {
  await database.close();
  await home.drop();
  await eu.drop();
});

const where = { text: `SELECT (SELECT name FROM cell) AS cell, current_setting('app.org_id') AS org` };
const find = async (orgId: string | null) => {
  const [one] = await database.single<{ cell: string; org: string }>(orgId, where);
  const inTransaction = await database.transaction(orgId, async (tx) => (await tx.query(where)).rows[0]);
  assert.deepEqual(inTransaction, one);
  assert.equal(one!.org, orgId ?? '');
  return one!.cell;
};
const place = ({ asAdmin }: TestDatabase, orgId: string) =>
  asAdmin(`INSERT INTO organization_cells (organization_id, cell) VALUES ('${orgId}', 'eu')`);

test('a transaction runs in the cell of its organization, and without one in the home cell', async () => {
  await place(home, 'org_far');
  assert.deepEqual([await find('org_far'), await find('org_near'), await find(null)], ['eu', 'home', 'home']);
});

test('an organization that has left a cell is refused there, and found in its new cell by the same call', async () => {
  await place(home, 'org_mover');
  assert.equal(await find('org_mover'), 'eu');
  await eu.asAdmin(`INSERT INTO absent_organizations (organization_id) VALUES ('org_mover')`);
  const moving = find('org_mover');
  await assert.rejects(
    moving,
    { code: 'unavailable', headers: { 'Retry-After': '1' } },
    'The directory still names the old cell.',
  );
  await home.asAdmin(`DELETE FROM organization_cells WHERE organization_id = 'org_mover'`);
  assert.equal(await find('org_mover'), 'home');
});

test('an organization can leave only when no transaction of it is under way', async () => {
  await place(home, 'org_busy');
  const key = `hashtextextended('organization org_busy', 0)`;
  const tryLock = { text: `SELECT pg_try_advisory_xact_lock(${key}) AS locked` };
  const mover = async () => (await eu.database.single<{ locked: boolean }>(null, tryLock))[0]!.locked;
  const during = await database.transaction('org_busy', async (tx) => {
    await tx.query(where);
    return mover();
  });
  assert.deepEqual([during, await mover()], [false, true]);
});

test('while a move waits or is about to finish, new transactions are refused with 503 at once, and no connection is lost', async () => {
  await place(home, 'org_held');
  const pid = async () =>
    (await database.cells!.get('eu')!.single(null, { text: 'SELECT pg_backend_pid() AS pid' }))[0];
  const before = await pid();
  await eu.database.transaction(null, async (tx) => {
    await tx.query({ text: `SELECT pg_advisory_xact_lock(hashtextextended('organization org_held', 0))` });
    const refused = { code: 'unavailable', headers: { 'Retry-After': '1' } };
    await assert.rejects(database.single('org_held', where), refused);
    await assert.rejects(
      database.transaction('org_held', (tx) => tx.query(where)),
      refused,
    );
  });
  assert.equal(await find('org_held'), 'eu');
  assert.deepEqual(await pid(), before);
});

test('a transaction with one snapshot, which may be older than a move, writes nothing', async () => {
  const write = { text: `INSERT INTO organization_changes (org_id, mark) VALUES ('org_near', 1)` };
  await assert.rejects(
    database.consistentTransaction('org_near', (tx) => tx.query(write)),
    /read-only transaction|not available/,
  );
});

test('every cell is asked, and what is in none is not found', async () => {
  const names = await inEachCell(database, async (cell) => (await cell.single<{ cell: string }>(null, where))[0]!.cell);
  assert.deepEqual(names, ['home', 'eu']);
  const nameIn = (wanted: string) =>
    findInCells(database, async (cell) => {
      const [row] = await cell.single<{ cell: string }>(null, where);
      return row?.cell === wanted ? row.cell : null;
    });
  assert.deepEqual([await nameIn('eu'), await nameIn('us')], ['eu', undefined]);
});

test('a cell that is away is reported only for what no other cell has', async () => {
  const away = openDatabases(options, [{ name: 'eu', url: 'postgres://assay_app@127.0.0.1:9/none' }]);
  try {
    assert.equal(await findInCells(away, async (cell) => (await cell.single(null, where)).length), 1);
    const missing = findInCells(away, async (cell) => (await cell.single(null, where)).at(1));
    await assert.rejects(missing, { code: 'unavailable' });
  } finally {
    await away.close();
  }
});

test('a database with the name of another cell is not used, and a cell that the node lacks is named', async () => {
  const swapped = openDatabases(options, [{ name: 'us', url: eu.appUrl }]);
  try {
    await home.asAdmin(
      `INSERT INTO organization_cells (organization_id, cell) VALUES ('org_us', 'us'), ('org_mars', 'mars')`,
    );
    await assert.rejects(swapped.single('org_us', where), /The database of the cell us is eu/);
    await assert.rejects(swapped.single('org_mars', where), /is in the cell mars, which this node does not know/);
  } finally {
    await swapped.close();
  }
});
