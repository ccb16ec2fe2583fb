import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { asAdmin, createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { openLog } from '../log.ts';
import { migrate, readMigrations } from './migrate.ts';
import { lockModes, runsOutside, splitStatements } from './migration-statements.ts';
import { listLocks } from './migration-table-locks.ts';

let cluster: TestDatabase;
let directory: string;
let url: string;
const databases: string[] = [];

async function createDatabase(): Promise<string> {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await asAdmin(cluster.adminUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  databases.push(name);
  return Object.assign(new URL(cluster.adminUrl), { pathname: `/${name}` }).href;
}

const step = (file: string, sql: string) => writeFileSync(join(directory, file), sql);

before(async () => {
  cluster = await createTestDatabase();
});
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'assay-migrations-'));
  url = await createDatabase();
});
afterEach(() => rmSync(directory, { recursive: true }));
after(async () => {
  for (const name of databases) {
    await asAdmin(cluster.adminUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
  }
  await cluster.drop();
});

test('a semicolon in a string, a name, a comment or a function does not end a statement', () => {
  const sql = `-- one; two
    INSERT INTO a VALUES ('x; ''y;');
    /* ; */ CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $body$ SELECT 1; SELECT 2 $body$;
    ALTER TABLE "b;c" ADD COLUMN d text`;
  assert.deepEqual(splitStatements(sql), [
    `INSERT INTO a VALUES ('x; ''y;')`,
    'CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $body$ SELECT 1; SELECT 2 $body$',
    'ALTER TABLE "b;c" ADD COLUMN d text',
  ]);
});

/** Returns the strength of a PostgreSQL lock on the scale of `lockModes`: -1 for locks that don't block writers. */
const rankOf = (mode: string): number => {
  if (mode === 'AccessExclusiveLock') return 2;
  if (mode === 'ExclusiveLock' || mode === 'ShareRowExclusiveLock') return 1;
  return mode === 'ShareLock' || mode === 'RowExclusiveLock' ? 0 : -1;
};

async function listHeldLocks(client: pg.Client): Promise<{ relation: string; mode: string }[]> {
  const { rows } = await client.query(
    `SELECT c.relname AS relation, l.mode
     FROM pg_locks l JOIN pg_class c ON c.oid = l.relation AND c.relnamespace = 'public'::regnamespace
     WHERE l.pid = pg_backend_pid()`,
  );
  return rows;
}

/** Changes of existing tables, one of each kind that migrations need. */
const changes = [
  `CREATE INDEX trial ON findings (org_id, title);
   DROP INDEX findings_due;
   ALTER INDEX trial RENAME TO findings_due;`,
  `ALTER TABLE findings ADD COLUMN trial text, ADD CONSTRAINT trial_known CHECK (trial <> '') NOT VALID;
   ALTER TABLE findings VALIDATE CONSTRAINT trial_known;
   ALTER TABLE findings DROP COLUMN trial;`,
  `CREATE TABLE trials (org_id text, finding_id text, FOREIGN KEY (org_id, finding_id) REFERENCES findings (org_id, id));
   ALTER TABLE trials ENABLE ROW LEVEL SECURITY;
   CREATE POLICY tenant ON trials USING (true);`,
  `INSERT INTO organizations (id, name) VALUES ('org_a', 'A');
   UPDATE organizations SET name = 'B';
   DELETE FROM organizations;
   TRUNCATE import_batches;`,
  `DROP TRIGGER scans_event ON scans;
   CREATE TRIGGER scans_event AFTER INSERT ON scans FOR EACH ROW EXECUTE FUNCTION notify_organization_event();
   CREATE CONSTRAINT TRIGGER seal_trial AFTER INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION notify_organization_event();`,
  `DROP POLICY tenant ON finding_comments;
   CREATE POLICY tenant ON finding_comments USING (org_id = current_setting('app.org_id', true));
   ALTER POLICY tenant ON imports USING (true);
   CREATE FUNCTION trial() RETURNS void LANGUAGE plpgsql AS $$ BEGIN UPDATE scans SET status = 'failed'; DELETE FROM scans; END $$;`,
  'ALTER TABLE finding_comments DROP CONSTRAINT finding_comments_org_id_finding_id_fkey;',
  'ALTER TABLE imports DROP COLUMN scan_id;',
  'DROP TABLE trials;\nDROP TABLE IF EXISTS finding_texts;',
];

test('a migration first takes all locks that its statements need', async () => {
  const uncovered: string[] = [];
  const own = await readMigrations();
  const migrations = [
    ...own,
    ...changes.map((sql, index) => ({ version: own.length + index + 1, name: 'change', sql })),
  ];
  // Migrations need the role and the job queue.
  await migrate({ adminUrl: url, upTo: 0 });
  await asAdmin(url, async (client) => {
    for (const { version, name, sql } of migrations) {
      if (runsOutside(sql)) {
        // Each statement takes its own locks; CONCURRENTLY lets others write meanwhile.
        for (const text of splitStatements(sql)) await client.query(text);
        continue;
      }
      const { rows } = await client.query<{ name: string; table: string }>(
        `SELECT r.relname AS name, coalesce(t.relname, r.relname) AS table FROM pg_class r
         LEFT JOIN pg_index i ON i.indexrelid = r.oid LEFT JOIN pg_class t ON t.oid = i.indrelid
         WHERE r.relnamespace = 'public'::regnamespace AND r.relkind IN ('r', 'i')`,
      );
      const known = new Map(rows.map((row) => [row.name, row.table]));
      const locks = await listLocks(client, splitStatements(sql));
      const planned = new Map(locks.map(({ table, mode }) => [table, lockModes.indexOf(mode)]));
      await client.query('BEGIN; SET LOCAL search_path = public');
      await client.query(sql);
      for (const { relation, mode } of await listHeldLocks(client)) {
        const table = known.get(relation);
        if (table && rankOf(mode) > (planned.get(table) ?? -1))
          uncovered.push(`${version} ${name}: ${mode} on ${relation}`);
      }
      await client.query('COMMIT');
    }
  });
  assert.deepEqual(uncovered, []);
});

test('a session that uses a table is named and not interrupted, and the migration runs when it is done', async () => {
  step('0001_first.sql', 'CREATE TABLE things (id int PRIMARY KEY, name text)');
  await migrate({ adminUrl: url, directory });
  step(
    '0002_second.sql',
    'CREATE INDEX things_by_name ON things (name); DROP INDEX IF EXISTS none; ALTER TABLE things ADD COLUMN size int',
  );
  const lines: string[] = [];
  const log = openLog({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  await asAdmin(url, async (client) => {
    await client.query(`SET application_name = 'a long report'; BEGIN; INSERT INTO things VALUES (1, 'a')`);
    const migrated = migrate({ adminUrl: url, directory, log });
    while (!lines.some((line) => line.includes('a long report'))) await delay(50);
    await client.query(`UPDATE things SET name = 'b'; COMMIT`);
    assert.deepEqual(await migrated, ['second']);
    assert.deepEqual((await client.query('SELECT * FROM things')).rows, [{ id: 1, name: 'b', size: null }]);
  });
});

test('a table that stays in use ends the migration with instructions, and nothing is changed', async () => {
  step('0001_first.sql', 'CREATE TABLE things (id int)');
  await migrate({ adminUrl: url, directory });
  step('0002_second.sql', 'CREATE TABLE others (id int); ALTER TABLE things ADD COLUMN size int');
  await asAdmin(url, async (client) => {
    await client.query('BEGIN; SELECT count(*) FROM things');
    await assert.rejects(
      migrate({ adminUrl: url, directory, maxWaitMs: 300 }),
      /could not lock things within \d+ s: in use by process \d+ .*Nothing was changed\. End that session/,
    );
    assert.deepEqual((await client.query(`SELECT to_regclass('others') AS others`)).rows, [{ others: null }]);
  });
});

test('a killed migration outside a transaction starts again, and drops the unfinished index', async () => {
  step('0001_first.sql', `CREATE TABLE things (id int); INSERT INTO things SELECT generate_series(1, 1000)`);
  await migrate({ adminUrl: url, directory });
  step(
    '0002_second.sql',
    '-- runs outside of a transaction\nCREATE INDEX CONCURRENTLY things_by_id ON things (id);\nCREATE INDEX CONCURRENTLY IF NOT EXISTS things_again ON things (id);',
  );
  await asAdmin(url, async (client) => {
    // CREATE INDEX CONCURRENTLY waits for this transaction.
    await client.query('BEGIN; UPDATE things SET id = id WHERE id = 1');
    const killed = migrate({ adminUrl: url, directory });
    const refused = assert.rejects(killed, /Migration 2 \(second\) failed, and will run again/);
    const building = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'`;
    await asAdmin(url, async (other) => {
      let pid: number | undefined;
      while (pid === undefined) pid = (await other.query<{ pid: number }>(building)).rows[0]?.pid;
      await other.query('SELECT pg_terminate_backend($1)', [pid]);
    });
    await refused;
    await client.query('COMMIT');
    const valid = `SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index WHERE indrelid = 'things'::regclass ORDER BY 1`;
    assert.deepEqual((await client.query(valid)).rows, [{ name: 'things_by_id', valid: false }]);
    assert.deepEqual(await migrate({ adminUrl: url, directory }), ['second']);
    assert.deepEqual((await client.query(valid)).rows, [
      { name: 'things_again', valid: true },
      { name: 'things_by_id', valid: true },
    ]);
  });
});
