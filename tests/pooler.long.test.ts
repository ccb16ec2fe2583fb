import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import Type from 'typebox';
import { sample } from '../scanner/detectors/secrets/sample.ts';
import { routes } from '../server/api.ts';
import { createAuth } from '../server/identity/library/auth.ts';
import { startJobRunner } from '../server/platform/jobs/job-runner.ts';
import { enqueue } from '../server/platform/jobs/jobs.ts';
import { silentLog } from '../server/platform/log.ts';
import { type ApplicationClient, openPool } from '../server/platform/postgres/application-client.ts';
import { openDatabase } from '../server/platform/postgres/database.ts';
import { migrate } from '../server/platform/postgres/migrate.ts';
import { listenForNotifications } from '../server/platform/postgres/notifications.ts';
import { createTestNode } from './harness/identity.ts';
import { eventually, Installation, Run } from './harness/installation.ts';
import { createPerson, createTenant, testBaseUrl, testPassword } from './harness/people.ts';
import { startPgBouncer } from './harness/pgbouncer.ts';
import { createPooledDatabase, type PooledDatabase } from './harness/pooled-database.ts';
import { RepositoryFixture } from './harness/repository.ts';

let db: PooledDatabase;
before(async () => {
  db = await createPooledDatabase();
});
after(() => db.drop());

const greeting = (onGreeted: () => void) => ({ name: 'greet', schema: Type.Object({}), run: async () => onGreeted() });

const runJobs = (connectionString: string, onGreeted: () => void) =>
  startJobRunner({
    connectionString,
    services: {},
    concurrency: 2,
    log: silentLog,
    ticks: [],
    jobs: [greeting(onGreeted)],
  });

const signIn = (pool: PooledDatabase['database']['pool'], email: string) =>
  createAuth({ pool, secret: 'x'.repeat(32), baseUrl: testBaseUrl, log: silentLog }).api.signInEmail({
    body: { email, password: testPassword },
  });

/**
 * Each way in which the service uses the database. The login has no rights: a statement that does not run as
 * assay_app fails.
 */
describe('through PgBouncer, every statement runs as the role that row-level security applies to:', () => {
  test('of the API and the command line', async () => {
    const name = { text: 'SELECT current_user AS name' };
    assert.deepEqual(await db.database.single(null, name), [{ name: 'assay_app' }]);
    const { rows } = await db.database.transaction(null, (tx) => tx.query(name));
    assert.deepEqual(rows, [{ name: 'assay_app' }]);
    const snapshot = await db.database.consistentTransaction('org_a', (tx) => tx.query(name));
    assert.deepEqual(snapshot.rows, [{ name: 'assay_app' }]);
  });

  test('of libraries, with and without their own transaction', async () => {
    const name = 'SELECT current_user AS name';
    const client = await db.database.pool.connect();
    assert.equal((await client.query(name)).rows[0].name, 'assay_app');
    for (const end of ['COMMIT', 'ROLLBACK']) {
      await client.query('BEGIN');
      await client.query('SAVEPOINT here');
      await client.query('ROLLBACK TO here');
      assert.equal((await client.query(name)).rows[0].name, 'assay_app');
      await client.query(end);
      assert.equal((await client.query(name)).rows[0].name, 'assay_app');
    }
    client.release();
    await new Promise<void>((resolve, reject) =>
      db.database.pool.query(name, (error: Error | undefined, result: { rows: { name: string }[] }) => {
        if (error) return reject(error);
        assert.equal(result.rows[0]!.name, 'assay_app');
        resolve();
      }),
    );
  });

  test('of the sign-in', async () => {
    const { email } = await createPerson(db.database);
    assert.equal((await signIn(db.database.pool, email)).user.email, email);
  });

  test('of the job runner', async () => {
    const { promise: greeted, resolve } = Promise.withResolvers<void>();
    const runner = await runJobs(db.appUrl, resolve);
    await db.database.transaction(null, (tx) => enqueue(tx, greeting(resolve), {}));
    await greeted;
    await runner.stop();
  });
});

test('a transaction with a failed statement is rolled back, and leaves neither role nor settings to the next client', async () => {
  await assert.rejects(db.database.pool.query('SELECT nonsense'), /nonsense/);
  const { rows } = await db.server.admin.query(
    `SELECT count(*)::int AS open FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'`,
  );
  assert.deepEqual(rows, [{ open: 0 }]);
  const one = openPool({ connectionString: db.ownerUrl, max: 1, applicationName: 'test' });
  assert.equal((await one.query('SHOW jit')).rows[0].jit, 'off');
  await one.end();
});

test('a pooler that loses prepared statements, one that keeps them, and no pooler are distinguished', async () => {
  const poolerOf = async (connectionString: string) => {
    const pool = openPool({ connectionString, max: 1, applicationName: 'test' });
    const client = (await pool.connect()) as unknown as ApplicationClient & { release(): void };
    const { pooler } = client;
    client.release();
    await pool.end();
    return pooler;
  };
  assert.deepEqual(await poolerOf(db.appUrl), { keepsPreparedStatements: false });
  const session = await startPgBouncer(db.server, 'session', ['visitor']);
  assert.deepEqual(await poolerOf(session.url('assay', 'visitor')), { keepsPreparedStatements: true });
  await session.stop();
  assert.equal(await poolerOf(db.server.url('assay', 'visitor')), null);
});

test('a pooler that loses prepared statements is recognised although servers keep those of earlier probes', async () => {
  const clients = [1, 2].map(() => new pg.Client({ connectionString: db.appUrl }));
  const [first, second] = clients as [pg.Client, pg.Client];
  for (const client of clients) await client.connect();
  for (const client of clients) await client.query('BEGIN');
  await first.query('PREPARE assay_probe AS SELECT pg_backend_pid() AS pid');
  // The pooler assigns the most recently used server first.
  await first.query('COMMIT');
  await second.query('COMMIT');
  const pool = openPool({ connectionString: `${db.appUrl}&probe=again`, max: 1, applicationName: 'test' });
  const client = (await pool.connect()) as unknown as ApplicationClient & { release(): void };
  assert.deepEqual(client.pooler, { keepsPreparedStatements: false });
  client.release();
  await pool.end();
  for (const each of clients) await each.end();
});

test('a revoked token is refused at the next request even without notifications', async () => {
  const node = await createTestNode(db.database, routes);
  const { token, orgId } = await createTenant(db.database);
  const ask = async () =>
    (await node.app.inject({ url: '/api/v1/organization', headers: { authorization: `Bearer ${token}` } })).statusCode;
  assert.equal(await ask(), 200);
  await db.database.single(orgId, {
    text: 'UPDATE api_tokens SET revoked_at = now() WHERE org_id = $1',
    values: [orgId],
  });
  assert.equal(await ask(), 401);
  assert.equal(node.notifications.isListening(), false);
  await node.close();
});

test('nodes that start at once through PgBouncer migrate once, and one that cannot start gives up in time', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'assay-migrations-'));
  writeFileSync(join(directory, '0001_first.sql'), 'CREATE TABLE one (id int)');
  await db.server.admin.query('CREATE DATABASE empty OWNER owner');
  const adminUrl = db.pooler.url('empty', 'owner');
  try {
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate({ adminUrl, directory })));
    assert.deepEqual(applied.flat(), ['first']);
    const lines: string[] = [];
    const log = { ...silentLog, info: (_facts: object, line: string) => void lines.push(line) } as typeof silentLog;
    const lock = new pg.Client({ connectionString: db.server.url('empty'), application_name: 'dead node' });
    await lock.connect();
    await lock.query(`SELECT pg_advisory_lock(hashtext('assay migrations'))`);
    await assert.rejects(
      migrate({ adminUrl, directory, log, maxWaitMs: 300 }),
      /still locked after .*another node .*pg_terminate_backend/s,
    );
    assert.equal(lines.length, 1);
    const waiting = migrate({ adminUrl, directory, log });
    await eventually(async () => lines.length === 2);
    await lock.end();
    assert.deepEqual(await waiting, []);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

describe('a role that bypasses row-level security', () => {
  const ways = {
    'ALTER ROLE assay_app BYPASSRLS': 'ALTER ROLE assay_app NOBYPASSRLS',
    'ALTER ROLE assay_app SUPERUSER': 'ALTER ROLE assay_app NOSUPERUSER',
    'GRANT owner TO assay_app': 'REVOKE owner FROM assay_app',
    'REVOKE assay_app FROM visitor': 'GRANT assay_app TO visitor',
  };
  const refusal = /Row-level security would not bind the service/;

  for (const [spoil, mend] of Object.entries(ways)) {
    test(`is refused on every connection: ${spoil}`, async () => {
      // PostgreSQL does not allow circular role memberships.
      if (spoil.startsWith('GRANT')) await db.server.admin.query('REVOKE assay_app FROM owner');
      await db.server.admin.query(spoil);
      const database = openDatabase({ connectionString: db.appUrl });
      const ask = { text: 'SELECT 1' };
      try {
        await assert.rejects(database.single(null, ask), refusal);
        await assert.rejects(
          database.transaction(null, (tx) => tx.query(ask)),
          refusal,
        );
        await assert.rejects(database.pool.query('SELECT 1'), refusal);
        await assert.rejects(
          runJobs(db.appUrl, () => {}),
          refusal,
        );
        const notifications = listenForNotifications(database, silentLog, ['test']);
        notifications.on('test', () => assert.fail('listens'));
        await notifications.close();
      } finally {
        await database.close();
        await db.server.admin.query(mend);
        if (spoil.startsWith('GRANT')) await db.server.admin.query('GRANT assay_app TO owner');
      }
    });
  }
});

test('a database that is down behind the pooler is reported within seconds, and used again when it is back', async () => {
  const ask = () => db.database.single(null, { text: 'SELECT 1' });
  await db.server.stop();
  for (let asked = 0; asked < 3; asked++) {
    const begun = performance.now();
    await assert.rejects(ask(), { status: 503 });
    assert.ok(performance.now() - begun < 20_000);
  }
  await db.server.start();
  await eventually(async () => (await ask()).length === 1);
});

describe('an installation through PgBouncer', () => {
  const repository = new RepositoryFixture();
  const environment = {
    ASSAY_SECRET_KEY: 'k'.repeat(40),
    ASSAY_LOCAL_REPOSITORIES: repository.root,
    DATABASE_URL: '',
  };
  let installation: Installation;

  before(() => {
    repository.commit({ 'deploy.sh': `STRIPE_KEY=sk_${'live'}_${sample('0-9A-Za-z', 24, 'pooled')}\n` });
    environment.DATABASE_URL = db.pooler.url('whole', 'owner');
    installation = new Installation(environment);
  });
  after(async () => {
    await installation.remove();
    repository.remove();
  });

  test('migrates, scans, lists and reports', async () => {
    await db.server.admin.query('CREATE DATABASE whole OWNER owner');
    const run = await installation.start();
    assert.match(run.errors, /"level":"warn".*keeps no prepared statements/);
    const config = { url: pathToFileURL(repository.work).href };
    await installation.ask('POST', '/data-sources', { kind: 'git_repository', config });
    assert.equal((await installation.scan()).status, 'completed');
    assert.equal((await installation.ask('GET', '/findings?sort=-severity')).data.length, 1);
    const { id } = await installation.ask('POST', '/reports', { title: 'Pooled' });
    await eventually(async () => (await installation.ask('GET', `/reports/${id}`)).status === 'ready');
    assert.match((await installation.call('GET', `/reports/${id}/export?format=csv`)).text, /deploy\.sh/);
  });

  test('does not start where the role bypasses row-level security', async () => {
    await installation.run.stop();
    await db.server.admin.query('ALTER ROLE assay_app BYPASSRLS');
    try {
      for (const command of ['start', 'serve', 'work']) {
        const run = new Run(installation.directory, environment, command);
        assert.deepEqual(await run.ended, { code: 1, signal: null });
        assert.match(run.errors, /may bypass it.*ALTER ROLE assay_app NOSUPERUSER NOBYPASSRLS/);
      }
    } finally {
      await db.server.admin.query('ALTER ROLE assay_app NOBYPASSRLS');
    }
  });
});
