import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { runOnce } from 'graphile-worker';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { openDatabase } from './database.ts';
import { databaseOutlet } from './database-outlet.ts';
import { migrate, readMigrations } from './migrate.ts';

let directory: string;
let admin: pg.Client;
let url: string;
const databases: string[] = [];
let clusterUrl: string;
let base: TestDatabase;

const withName = (address: string, name: string, user?: string, password?: string) => {
  const changed = new URL(address);
  changed.pathname = `/${name}`;
  if (user) changed.username = user;
  if (password) changed.password = password;
  return changed.href;
};

async function createEmptyDatabase(owner?: string): Promise<string> {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await admin.query(`CREATE DATABASE ${name} ${owner ? `OWNER ${owner}` : ''}`);
  databases.push(name);
  return name;
}

const step = (file: string, sql: string) => writeFileSync(join(directory, file), sql);

async function read<Row extends object>(address: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

before(async () => {
  base = await createTestDatabase();
  clusterUrl = withName(base.adminUrl, 'postgres');
  admin = new pg.Client({ connectionString: clusterUrl });
  await admin.connect();
});
after(async () => {
  for (const name of databases) await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await admin.end();
  await base.drop();
});
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'assay-migrations-'));
  url = withName(clusterUrl, await createEmptyDatabase());
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('migrations', () => {
  test('each step runs once, in order, and is recorded', async () => {
    step('0001_first.sql', 'CREATE TABLE one (id int)');
    step('0002_second.sql', 'ALTER TABLE one ADD COLUMN name text; INSERT INTO one VALUES (1, $$a$$)');
    assert.deepEqual(await migrate({ adminUrl: url, directory }), ['first', 'second']);
    assert.deepEqual(await migrate({ adminUrl: url, directory }), []);
    assert.deepEqual(await read(url, 'SELECT * FROM one'), [{ id: 1, name: 'a' }]);
  });

  test('several nodes that start at once apply each step once', async () => {
    step('0001_first.sql', 'CREATE TABLE one (id int)');
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate({ adminUrl: url, directory })));
    assert.deepEqual(applied.flat(), ['first']);
  });

  test('a step that fails changes nothing, and says where it failed', async () => {
    step('0001_first.sql', 'CREATE TABLE one (id int)');
    step('0002_second.sql', 'CREATE TABLE two (id int);\nCREATE TABLE one (id int);\nSELECT nonsense');
    await assert.rejects(
      migrate({ adminUrl: url, directory }),
      /Migration 2 \(second\).* failed and was undone: .*"one" already/,
    );
    assert.deepEqual(await read(url, `SELECT to_regclass('two') AS two`), [{ two: null }]);
    step('0002_second.sql', 'CREATE TABLE two (id int)');
    assert.deepEqual(await migrate({ adminUrl: url, directory }), ['second']);
  });

  test('an older release refuses the schema of a newer one', async () => {
    step('0001_first.sql', 'SELECT 1');
    step('0002_second.sql', 'SELECT 2');
    await migrate({ adminUrl: url, directory });
    rmSync(join(directory, '0002_second.sql'));
    await assert.rejects(
      migrate({ adminUrl: url, directory }),
      /at version 2 \(second\).*knows versions up to 1: a newer release/,
    );
  });

  test('a step that was changed after it was applied is refused; other comments, blanks and line ends are not a change', async () => {
    step('0001_first.sql', `SELECT 1; SELECT 'a  b'\n`);
    await migrate({ adminUrl: url, directory });
    step('0001_first.sql', `-- A comment; two\r\nSELECT  1 /* one */;\r\n\r\nSELECT 'a  b';\r\n`);
    await migrate({ adminUrl: url, directory });
    for (const changed of [`SELECT 1; SELECT 'a b'`, `SELECT 3; SELECT 'a  b'`, `SELECT 1`]) {
      step('0001_first.sql', changed);
      await assert.rejects(
        migrate({ adminUrl: url, directory }),
        /Migration 1 \(first\) is not the one .* write the change as a new one/,
      );
    }
  });

  test('a database of a version before 0.1.0 is refused with what to do, and stays unchanged', async () => {
    step('0001_platform.sql', 'CREATE TABLE old (id int)');
    for (let version = 2; version <= 72; version++) step(`00${String(version).padStart(2, '0')}_next.sql`, 'SELECT 1');
    await migrate({ adminUrl: url, directory });
    const tables = `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname`;
    const before = await read(url, tables);
    await assert.rejects(
      migrate({ adminUrl: url }),
      /^Error: Migration 1 \(platform\) is not the one .*before 0\.1\.0 cannot be upgraded: start with an empty one .*Nothing was changed/,
    );
    assert.deepEqual(await read(url, tables), before);
  });

  test('two steps of one number, or one below the newest applied, are refused', async () => {
    step('0002_second.sql', 'SELECT 1');
    await migrate({ adminUrl: url, directory });
    step('0001_first.sql', 'SELECT 1');
    await assert.rejects(migrate({ adminUrl: url, directory }), /Migration 1 \(first\) was added below number 2/);
    step('0001_other.sql', 'SELECT 1');
    await assert.rejects(
      migrate({ adminUrl: url, directory }),
      /Two migrations have the number 1: 0001_first.sql and 0001_other.sql\. Renumber/,
    );
  });

  test("the product's own steps are numbered without gaps", async () => {
    const versions = (await readMigrations()).map(({ version }) => version);
    assert.deepEqual(
      versions,
      Array.from(versions, (_, index) => index + 1),
    );
  });
});

const tenantTable = `CREATE TABLE things (org_id text, name text);
  ALTER TABLE things ENABLE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON things USING (org_id = current_setting('app.org_id', true));
  GRANT SELECT, INSERT, UPDATE, DELETE ON things TO assay_app;
  CREATE FUNCTION count_things() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = public AS 'SELECT count(*) FROM things';`;

describe('an external database', () => {
  const owner = `owner_${process.pid}`;
  const password = randomBytes(12).toString('hex');
  let ownerUrl: string;

  before(() => admin.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD '${password}'`));
  beforeEach(async () => {
    await admin.query(`GRANT assay_app TO ${owner} WITH ADMIN OPTION`);
    ownerUrl = withName(clusterUrl, await createEmptyDatabase(owner), owner, password);
    step('0001_first.sql', tenantTable);
    step('0002_rows.sql', `INSERT INTO things VALUES ('org_a', 'a'), ('org_b', 'b')`);
  });
  after(async () => {
    for (const name of databases.splice(0)) await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.query(`REVOKE assay_app FROM ${owner}; DROP ROLE ${owner}`);
  });

  test('an ordinary role can own the schema; functions across organizations still see all rows', async () => {
    await migrate({ adminUrl: ownerUrl, directory });
    assert.deepEqual(await read(ownerUrl, 'SELECT count_things()::int AS count'), [{ count: 2 }]);
  });

  test('the service connects with the same login, as a role that row-level security applies to', async () => {
    await migrate({ adminUrl: ownerUrl, directory });
    const database = openDatabase({ connectionString: ownerUrl });
    const who = await database.single(null, { text: 'SELECT current_user AS name' });
    assert.deepEqual(who, [{ name: 'assay_app' }]);
    assert.deepEqual(await database.single(null, { text: 'SELECT name FROM things' }), []);
    assert.deepEqual(await database.single('org_a', { text: 'SELECT name FROM things' }), [{ name: 'a' }]);
    await database.close();
  });
});

/**
 * Starts a router that forwards everything except `SET LOCAL`, like some do by default. Returns its address and what it
 * has forwarded so far.
 */
async function startRouter(connectionString: string): Promise<{ url: string; passed(): string; close(): void }> {
  let passed = '';
  const { outlet } = databaseOutlet(connectionString);
  const router = createServer((client) => {
    const server = connect(outlet);
    client.on('data', (chunk) => {
      const text = chunk
        .toString('latin1')
        .replace(/SET LOCAL [^\0]*/g, (dropped) => 'SELECT 1'.padEnd(dropped.length));
      passed += text;
      server.write(Buffer.from(text, 'latin1'));
    });
    server.pipe(client);
    for (const socket of [client, server])
      socket.on('error', () => {}).on('close', () => [client, server].map((each) => each.destroy()));
  });
  await once(router.listen(0, '127.0.0.1'), 'listening');
  const { user, password, database } = new pg.Client({ connectionString });
  const url = `postgres://${user}:${password}@127.0.0.1:${(router.address() as AddressInfo).port}/${database}`;
  return { url, passed: () => passed, close: () => router.close() };
}

test('a router that drops SET LOCAL is refused before a row is read', async () => {
  step('0001_first.sql', tenantTable);
  step('0002_rows.sql', `INSERT INTO things VALUES ('org_a', 'a'), ('org_b', 'b')`);
  await migrate({ adminUrl: url, directory });
  const router = await startRouter(url);
  const database = openDatabase({ connectionString: router.url });
  try {
    await assert.rejects(
      database.single('org_a', { text: 'SELECT name FROM things' }),
      /SET LOCAL has no effect on this connection.*Connect to PostgreSQL itself/,
    );
    assert.match(router.passed(), /app\.org_id/);
    assert.doesNotMatch(router.passed(), /FROM things/);
  } finally {
    await database.close();
    router.close();
  }
});

test('the application role adds and runs jobs, and cannot change the schema', async () => {
  await base.database.pool.query(`SELECT graphile_worker.add_job('greet', '{"name": "Ada"}')`);
  const greeted: unknown[] = [];
  await runOnce({ pgPool: base.database.pool, taskList: { greet: (payload) => void greeted.push(payload) } });
  assert.deepEqual(greeted, [{ name: 'Ada' }]);
  await assert.rejects(base.database.pool.query('CREATE TABLE own (id int)'), /permission denied/);
  await assert.rejects(base.database.pool.query('DELETE FROM schema_migrations'), /permission denied/);
});
