import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { recordScan } from '../../../tests/harness/furnished.ts';
import { eventually } from '../../../tests/harness/installation.ts';
import { Random } from '../../../tests/soak/layout.ts';
import { silentLog } from '../../platform/log.ts';
import { detectionOf, insertTenant } from '../findings.fixture.ts';
import type { Status } from '../lifecycle.ts';
import { triageFindings } from '../triage-findings.ts';
import { ColumnService } from './column-service.ts';
import { LiveColumns } from './live-columns.ts';
import { countFacets } from './questions.ts';
import { Snapshots } from './snapshots.ts';

const testDatabase = await createTestDatabase();
const { database, appUrl: databaseUrl } = testDatabase;
const seed = Number(process.env.ASSAY_TEST_SEED) || Math.floor(Math.random() * 1e6);
const random = new Random(seed);
const directory = await mkdtemp(join(tmpdir(), 'assay-columns-'));
const closing: ColumnService[] = [];
after(async () => {
  for (const service of closing) await service.close();
  await testDatabase.drop();
  await rm(directory, { recursive: true });
});

function openNode(more: Partial<ConstructorParameters<typeof ColumnService>[0]> = {}): ColumnService {
  const node = new ColumnService({
    database,
    databaseUrl,
    maxBytes: 100_000_000,
    log: silentLog,
    minFindings: 10,
    ...more,
  });
  closing.push(node);
  return node;
}

const statuses: Status[] = ['new', 'triaged', 'in_progress', 'false_positive'];

async function furnish(count: number) {
  const { orgId, userId, dataSourceId } = await insertTenant(database);
  const found = Array.from({ length: count }, (_, n) => detectionOf(`k${n}`));
  await recordScan(database, orgId, dataSourceId, found);
  const rows = await database.single<{ id: string }>(orgId, { text: 'SELECT id FROM findings ORDER BY id' });
  const decide = (id: string, decision: Parameters<typeof triageFindings>[4]) =>
    database.transaction(orgId, (tx) => triageFindings(tx, orgId, userId, [id], decision));
  const countBySql = async () => {
    const counted = await database.single<{ value: string; count: number }>(orgId, {
      text: 'SELECT status AS value, count(*)::int AS count FROM findings WHERE org_id = $1 GROUP BY 1',
      values: [orgId],
    });
    return countsOf(counted);
  };
  return { orgId, ids: rows.map(({ id }) => id), decide, countBySql };
}

const countsOf = (rows: Array<{ value: string; count: number }>) =>
  Object.fromEntries(rows.map(({ value, count }) => [value, count] as const).sort());

/** Returns an organization's findings by status, counted by a node once its columns are loaded. */
async function countsOn(node: ColumnService, orgId: string, tag?: string) {
  for (;;) {
    const filters = tag === undefined ? {} : { tag: [tag] };
    const found = await node.ask(orgId, 'countFacets', filters, ['status'], { limit: 9 }).catch(() => null);
    if (found) return countsOf(found.rows);
    await delay(5);
  }
}

test('a read on any node includes every write acknowledged before it, from any node', async (context) => {
  const { orgId, ids, decide } = await furnish(240);
  const nodes = [openNode(), openNode()];
  await Promise.all(nodes.map((node) => countsOn(node, orgId)));
  let interleavings = 0;
  /** Changes its own findings, and counts them on a node after each change, while others do the same. */
  const act = async (number: number) => {
    const [tag, dice] = [`of-${number}`, new Random(seed + number)];
    const states = new Map<string, Status>();
    const own = ids.filter((_, index) => index % 8 === number);
    for (let turn = 0; turn < 500; turn++) {
      const [id, status] = [dice.pick(own), dice.pick(statuses)];
      await decide(id, { status, tags: [tag] });
      states.set(id, status);
      const expected: Record<string, number> = {};
      for (const state of states.values()) expected[state] = (expected[state] ?? 0) + 1;
      const counts = await countsOn(dice.pick(nodes), orgId, tag);
      assert.deepEqual(counts, Object.fromEntries(Object.entries(expected).sort()), `seed ${seed}, ${tag}, ${turn}`);
      interleavings += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, number) => act(number)));
  context.diagnostic(`${interleavings} writes, each read on one of two nodes.`);
});

test('a thread that ends at any moment, even while it loads or stores, leaves nothing stale', async () => {
  const { orgId, ids, decide, countBySql } = await furnish(3_000);
  const threads: Worker[] = [];
  const note = (worker: Worker) => void threads.push(worker);
  process.on('worker', note);
  const node = openNode({ directory: join(directory, 'threads'), restartMs: 0 });
  for (let turn = 0; turn < 25; turn++) {
    const asked = node.ask(orgId, 'countFacets', {}, ['status'], { limit: 9 }).catch(() => null);
    await delay(random.between(0, 700));
    await Promise.all([decide(random.pick(ids), { status: random.pick(statuses) }), threads.at(-1)?.terminate()]);
    await asked;
    if (turn % 3 === 0) assert.deepEqual(await countsOn(node, orgId), await countBySql(), `seed ${seed}, ${turn}`);
  }
  process.off('worker', note);
  assert.ok(threads.length > 5);
});

test('a process that is killed while it loads or stores leaves a complete file, or none', async (context) => {
  const { orgId, ids, decide, countBySql } = await furnish(3_000);
  const own = join(directory, 'processes');
  const fixture = fileURLToPath(new URL('./column-node.fixture.ts', import.meta.url));
  const killed: Record<string, number> = {};
  for (let turn = 0; turn < 20; turn++) {
    // Every other process has no file and loads all findings.
    if (turn % 2 === 0) await rm(own, { recursive: true, force: true });
    const child = fork(fixture, [databaseUrl, own, orgId], { stdio: 'inherit' });
    const ended = once(child, 'exit');
    const told: unknown[] = [];
    child.on('message', (message) => told.push(message));
    await once(child, 'message');
    // The first one is killed as soon as it starts loading.
    if (turn % 2 === 0) await delay(random.between(0, turn * 20));
    else await eventually(async () => told.includes('storing'), 60_000).then(() => delay(random.between(0, 200)));
    child.kill('SIGKILL');
    await ended;
    killed[String(told.at(-1))] = (killed[String(told.at(-1))] ?? 0) + 1;
    assert.ok(
      told.every((message) => message === 'loading' || message === 'storing'),
      JSON.stringify(told),
    );
    await decide(random.pick(ids), { status: random.pick(statuses) });
    const problems: string[] = [];
    const snapshots = new Snapshots(database, own);
    const live = new LiveColumns({ database, snapshots, report: (text) => problems.push(text) }, 100_000_000);
    const columns = await live.read(orgId, 60_000);
    assert.deepEqual(problems, []);
    assert.deepEqual(countsOf(countFacets(columns!, {}, ['status'], { limit: 9 }).rows), await countBySql());
  }
  context.diagnostic(`Killed processes: ${JSON.stringify(killed)}`);
  assert.ok(killed.loading! > 0 && killed.storing! > 0, JSON.stringify(killed));
});
