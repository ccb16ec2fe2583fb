import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { beginChange } from '../server/findings/change-clock.ts';
import { detectionOf } from '../server/findings/findings.fixture.ts';
import type { Database, Db } from '../server/platform/postgres/database.ts';
import type { Replicas } from '../server/platform/postgres/replicas/replicas.ts';
import { takeSnapshotJob } from '../server/reports/take-snapshot.ts';
import { type Application, startApplication } from './harness/application.ts';
import { asAdmin } from './harness/database.ts';
import { addDataSource } from './harness/finding-set.ts';
import { recordScan, succeeded } from './harness/furnished.ts';
import { eventually } from './harness/installation.ts';
import { createTenant, createTokenFor, type Person } from './harness/people.ts';
import { createReplicatedDatabase, type ReplicatedDatabase } from './harness/replicated-database.ts';
import { createRedis } from './soak/redis.ts';
import { freePort, type Service } from './soak/service.ts';

type Node = { app: Application; replicas: Replicas; lines: string[] };

let db: ReplicatedDatabase;
let redis: Service;
/** Two API nodes that share Redis and use a replica however old it is, and one that requires a recent one. */
let first: Node;
let second: Node;
let strict: Node;
let owner: Person;

const linesOf = (lines: string[]) => pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });

async function startNode(redisUrl: string | null, maxLagMs: number): Promise<Node> {
  const testDatabase = await db.open();
  const lines: string[] = [];
  const { database } = testDatabase;
  const replicas = db.openReplicas({ database, log: linesOf(lines), redisUrl, maxLagMs });
  return { app: await startApplication(async () => testDatabase, replicas), replicas, lines };
}

async function stopNode({ app, replicas }: Node): Promise<void> {
  await replicas.close();
  await app.close();
}

before(async () => {
  db = await createReplicatedDatabase();
  const created = await createRedis();
  const { redisUrl } = created;
  redis = created.redis;
  await redis.start();
  first = await startNode(redisUrl, 60_000);
  second = await startNode(redisUrl, 60_000);
  strict = await startNode(null, 2_000);
  owner = await createTenant(first.app.database);
  const dataSourceId = await addDataSource(first.app, owner.token, 'one');
  const detections = Array.from({ length: 20 }, (_, n) => detectionOf(`finding ${n}`));
  await recordScan(first.app.database, owner.orgId, dataSourceId, detections);
  await db.catchUp();
  for (const node of [first, second, strict]) await inService(node);
});
after(async () => {
  for (const node of [first, second, strict]) if (node) await stopNode(node);
  await redis?.kill();
  await db?.remove();
});

const inService = ({ replicas }: Node, wanted = true) =>
  eventually(async () => replicas.states().every(({ isInService }) => isInService === wanted));

const newToken = () => createTokenFor(first.app.database, owner.orgId, owner.userId);

const readsOf = ({ replicas }: Node) => {
  const { primary, ...others } = Object.fromEntries(replicas.reads);
  return { primary: primary!, replica: Object.values(others)[0]! };
};

const list = async ({ app }: Node, token: string, query = 'sort=-severity') =>
  succeeded(await app.call(token, 'GET', `/findings?limit=200&${query}`)).data;

const tagOf = async (node: Node, token: string, id: string): Promise<string> =>
  (await list(node, token)).find((finding: { id: string }) => finding.id === id).tags.join();

/** Calls until the replica serves the call, and returns its result. */
const fromReplica = <T>(node: Node, call: () => Promise<T>): Promise<T> =>
  eventually(async () => {
    const { replica } = readsOf(node);
    const result = await call();
    return readsOf(node).replica > replica ? { result } : null;
  }).then(({ result }) => result);

async function whilePaused(run: () => Promise<void>): Promise<void> {
  await db.catchUp();
  await db.replica.admin.query('SELECT pg_wal_replay_pause()');
  await eventually(
    async () =>
      (await db.replica.admin.query('SELECT pg_get_wal_replay_pause_state() AS state')).rows[0].state === 'paused',
  );
  try {
    await run();
  } finally {
    await db.replica.admin.query('SELECT pg_wal_replay_resume()');
  }
}

const setTag = async ({ app }: Node, token: string, id: string, tag: string) =>
  succeeded(await app.call(token, 'PATCH', `/findings/${id}`, { json: { tags: [tag] } }));

test('lists, facets, groups, figures, rules, tags and exports are read from the replica, by its own statistics', async () => {
  const token = await newToken();
  await fromReplica(first, () => list(first, token));
  const begunSince = async (time: Date) => {
    const text = `SELECT FROM pg_stat_activity WHERE datname = 'assay' AND application_name = 'assay api' AND query_start >= $1`;
    return (await db.replica.admin.query(text, [time])).rows.length;
  };
  const paths = [
    '/findings?sort=updated_at',
    '/findings?q=finding',
    '/findings?sort=relevance&q=finding',
    '/findings/facets?field=severity,rule,tag',
    '/findings/groups?by=rule',
    '/findings/summary',
    '/findings/export?format=csv',
    '/rules',
    '/tags',
  ];
  for (const path of paths) {
    const { rows } = await db.replica.admin.query<{ now: Date }>('SELECT now() AS now');
    await fromReplica(first, async () => succeeded(await first.app.call(token, 'GET', path)));
    assert.ok((await begunSince(rows[0]!.now)) > 0, path);
  }
});

test('statements on the replica run read-only as the role and the organization of the request', async () => {
  const { result } = await eventually(async () => {
    const result = await first.replicas.reader('tok_security', null).transaction(owner.orgId, async (tx) => {
      const text = `SELECT current_user AS role, current_setting('app.org_id') AS org, pg_is_in_recovery() AS "isStandby",
        current_setting('transaction_read_only') AS "isReadOnly", (SELECT count(*)::int FROM findings) AS findings`;
      return (await tx.query({ text })).rows[0]!;
    });
    return result.isStandby ? { result } : null;
  });
  assert.deepEqual(result, { role: 'assay_app', org: owner.orgId, isStandby: true, isReadOnly: 'on', findings: 20 });
  const [other] = await first.replicas.reader('tok_security', null).single<{ count: number }>('org_other', {
    text: 'SELECT count(*)::int AS count FROM findings',
  });
  assert.deepEqual(other, { count: 0 });
});

describe('while the replica does not replay', () => {
  test('a write is visible to its writer at once, on every node, and to others later', async () => {
    const [writer, reader, learner] = [await newToken(), await newToken(), await newToken()];
    const [{ id }] = await list(first, writer);
    await setTag(first, writer, id, 'old');
    await db.catchUp();
    for (const node of [first, second])
      for (const token of [writer, reader, learner]) await fromReplica(node, () => list(node, token));
    await whilePaused(async () => {
      await setTag(first, writer, id, 'new');
      for (const node of [first, second, first, second]) assert.equal(await tagOf(node, writer, id), 'new');
      const walk = await list(second, writer, 'sort=updated_at');
      assert.deepEqual(walk.at(-1).tags, ['new']);
      assert.equal(await fromReplica(second, () => tagOf(second, reader, id)), 'old');
      assert.equal(await tagOf(second, learner, id), 'old');
      assert.deepEqual(succeeded(await first.app.call(learner, 'GET', `/findings/${id}`)).tags, ['new']);
      for (const node of [second, first]) assert.equal(await tagOf(node, learner, id), 'new');
      assert.equal(await tagOf(first, reader, id), 'old');
      // Without Redis, everything is read from the primary.
      await redis.kill();
      assert.equal(await tagOf(second, reader, id), 'new');
      await redis.start();
      for (const node of [first, second]) assert.equal(await tagOf(node, writer, id), 'new');
    });
    for (const node of [first, second]) assert.equal(await fromReplica(node, () => tagOf(node, reader, id)), 'new');
    assert.equal(await fromReplica(first, () => tagOf(first, writer, id)), 'new');
  });

  test('it is skipped when it is too far behind, and used again by itself, with one log line each', async () => {
    const token = await newToken();
    await fromReplica(strict, () => list(strict, token));
    strict.lines.length = 0;
    await whilePaused(async () => {
      const [{ id }] = await list(strict, token);
      await setTag(first, owner.token, id, 'late');
      await inService(strict, false);
      assert.equal(await tagOf(strict, token, id), 'late');
      assert.ok(strict.replicas.states()[0]!.lagSeconds! > 2);
    });
    await inService(strict);
    await fromReplica(strict, () => list(strict, token));
    // A machine that stalls for seconds makes it late repeatedly, but never twice in a row.
    const states = strict.lines.map((line) => (/out of service/.test(line) ? 'out' : 'in'));
    assert.ok(states.length >= 2 && states[0] === 'out' && states.at(-1) === 'in', strict.lines.join(''));
    assert.ok(states.every((state, index) => state !== states[index - 1]));
    assert.match(strict.lines[0]!, /The replica is out of service: it is more than 2 s behind/);
  });
});

test('a write on a node that alone has lost Redis is acknowledged when no node can read an older state', async () => {
  const alone = await startNode(`redis://127.0.0.1:${await freePort()}`, 60_000);
  await inService(alone);
  const token = await newToken();
  const [{ id }] = await list(first, token);
  await fromReplica(second, () => list(second, token));
  let isAcknowledged = false;
  let writing: Promise<void> | undefined;
  await whilePaused(async () => {
    writing = setTag(alone, token, id, 'alone').then(() => {
      isAcknowledged = true;
    });
    await eventually(async () => (await tagOf(strict, owner.token, id)) === 'alone');
    assert.notEqual(await fromReplica(second, () => tagOf(second, token, id)), 'alone');
    assert.equal(isAcknowledged, false);
  });
  await writing;
  for (const node of [first, second]) assert.equal(await tagOf(node, token, id), 'alone');
  await stopNode(alone);
});

describe('the snapshot of a report', () => {
  const request = async (): Promise<string> =>
    succeeded(await first.app.call(owner.token, 'POST', '/reports', { json: { title: 'From the replica' } })).id;
  const take = (id: string, replicas: Pick<Replicas, 'readerOfNow'>) =>
    takeSnapshotJob.run({ org_id: owner.orgId, report_id: id }, { database: first.app.database, replicas });
  const report = async (id: string) => succeeded(await first.app.call(owner.token, 'GET', `/reports/${id}`));

  test('is that of the replica, and includes everything that its requester has written just before', async () => {
    const [{ id: findingId }] = await list(first, owner.token);
    succeeded(await first.app.call(owner.token, 'PATCH', `/findings/${findingId}`, { json: { status: 'triaged' } }));
    const id = await request();
    const { replica } = readsOf(first);
    await take(id, first.replicas);
    assert.equal(readsOf(first).replica, replica + 1);
    const { status, summary } = await report(id);
    assert.deepEqual([status, summary.total, summary.by_status.triaged], ['ready', 20, 1]);
  });

  test('is taken again from the primary when the replica cancels it for its replay', async () => {
    await db.replica.admin.query(`ALTER SYSTEM SET max_standby_streaming_delay = 0`);
    await db.replica.admin.query('SELECT pg_reload_conf()');
    const views: string[] = [];
    /** Lets the replica cancel the snapshot between the selection of its findings and reading them. */
    const readerOfNow = async (): Promise<Database> => {
      const reads = await first.replicas.readerOfNow();
      const consistentTransaction: Database['consistentTransaction'] = (orgId, run) =>
        reads.consistentTransaction(orgId, async (tx) => {
          const isReplica = tx.replayed !== undefined;
          views.push(isReplica ? 'replica' : 'primary');
          let isCancelled = false;
          const query: Db['query'] = async (statement) => {
            if (isReplica && statement.text.startsWith('FETCH') && !isCancelled) {
              isCancelled = true;
              await asAdmin(db.primary.url('assay'), (client) =>
                client.query('BEGIN; LOCK TABLE findings IN ACCESS EXCLUSIVE MODE; COMMIT'),
              );
              await db.catchUp();
            }
            return tx.query(statement);
          };
          return run({ ...tx, query });
        });
      return { ...reads, consistentTransaction };
    };
    const id = await request();
    await take(id, { readerOfNow });
    assert.deepEqual(views, ['replica', 'primary']);
    const { status, summary } = await report(id);
    assert.deepEqual([status, summary.total], ['ready', 20]);
  });
});

test('paging in the order of changes on the replica does not pass a change that is still uncommitted', async () => {
  const token = await newToken();
  const [slow, quick] = await list(first, owner.token);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const late = first.app.database.transaction(owner.orgId, async (tx) => {
    const { at } = await beginChange(tx, owner.orgId);
    await tx.query({
      text: 'UPDATE findings SET updated_at = $3::timestamptz WHERE org_id = $1 AND id = $2',
      values: [owner.orgId, slow.id, at],
    });
    begin();
    await released;
  });
  await begun;
  await setTag(second, owner.token, quick.id, 'quick');
  await db.catchUp();
  const walk = () => list(first, token, 'sort=updated_at').then((page) => page.map(({ id }: { id: string }) => id));
  const isWalked = (ids: string[]) => ids.indexOf(quick.id) > ids.indexOf(slow.id) && ids.at(-1) === quick.id;
  const before = await fromReplica(first, walk);
  assert.ok(!isWalked(before) && before.length === 19, 'the quick change is not shown before the slow one');
  release();
  await late;
  const ids = await eventually(async () => {
    const found = await fromReplica(first, walk);
    return found.length === 20 ? found : null;
  });
  assert.ok(isWalked(ids));
});

test('a read that the replica cancels for its replay is served by the primary', async () => {
  const runs: boolean[] = [];
  const reader = () =>
    first.replicas.reader('tok_conflict', null).transaction(owner.orgId, async (tx) => {
      const text = 'SELECT pg_is_in_recovery() AS standby, count(*)::int AS count FROM findings';
      const { rows } = await tx.query<{ standby: boolean; count: number }>({ text });
      runs.push(rows[0]!.standby);
      if (!rows[0]!.standby) return rows[0]!.count;
      await asAdmin(db.primary.url('assay'), (client) =>
        client.query('BEGIN; LOCK TABLE findings IN ACCESS EXCLUSIVE MODE; COMMIT'),
      );
      await db.catchUp();
      return (await tx.query<{ count: number }>({ text })).rows[0]!.count;
    });
  await db.replica.admin.query(`ALTER SYSTEM SET max_standby_streaming_delay = 0`);
  await db.replica.admin.query('SELECT pg_reload_conf()');
  await eventually(async () => {
    runs.length = 0;
    assert.equal(await reader(), 20);
    return runs[0];
  });
  assert.deepEqual(runs, [true, false]);
});

test('no request fails while the replica hangs, is killed and comes back', async () => {
  const token = await newToken();
  await fromReplica(first, () => list(first, token));
  let stop = false;
  let served = 0;
  const load = [1, 2, 3].map(async () => {
    while (!stop) {
      await list(first, token);
      served += 1;
    }
  });
  const more = async () => {
    const target = served + 30;
    await eventually(async () => served > target);
  };
  await more();
  db.replica.signal('SIGSTOP');
  await inService(first, false);
  await more();
  db.replica.signal('SIGCONT');
  await inService(first);
  await fromReplica(first, () => list(first, token));
  await db.replica.kill();
  await more();
  await inService(first, false);
  await db.replica.start();
  await inService(first);
  await fromReplica(first, () => list(first, token));
  stop = true;
  await Promise.all(load);
});

test('a server that is not a replica of this database, or to which row-level security would not apply, is never used', async () => {
  await db.primary.admin.query('CREATE ROLE stranger LOGIN');
  await db.primary.admin.query('CREATE DATABASE other TEMPLATE template0');
  const copy = `CREATE TABLE schema_migrations AS SELECT 1 AS version, '' AS checksum, now() AS applied_at;
    GRANT SELECT ON schema_migrations TO assay_app; GRANT assay_app TO owner`;
  await asAdmin(db.primary.url('other'), (client) => client.query(copy));
  await db.catchUp();
  const cases = {
    'it is not a streaming replica': db.primary.url('assay', 'owner'),
    'it has other migrations': db.replica.url('other', 'owner'),
    'Row-level security would not bind': db.replica.url('assay', 'stranger'),
    ECONNREFUSED: `postgresql://owner@127.0.0.1:${await freePort()}/assay`,
  };
  const { database } = first.app;
  for (const [reason, url] of Object.entries(cases)) {
    const lines: string[] = [];
    const replicas = db.openReplicas({ database, readUrls: [url], log: linesOf(lines) });
    await eventually(async () => lines.length > 0);
    const [{ standby }] = (await replicas.reader('tok_any', null).single<{ standby: boolean }>(owner.orgId, {
      text: 'SELECT pg_is_in_recovery() AS standby',
    })) as [{ standby: boolean }];
    await replicas.close();
    assert.equal(standby, false);
    assert.match(lines[0]!, new RegExp(reason));
  }
});
