import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { recordScan } from '../../../tests/harness/furnished.ts';
import { ApiError } from '../../platform/errors.ts';
import { silentLog } from '../../platform/log.ts';
import { createInstruments } from '../../platform/metrics.ts';
import type { FilterName } from '../filters/table.ts';
import { detectionOf, insertTenant } from '../findings.fixture.ts';
import { ColumnService } from './column-service.ts';

const testDatabase = await createTestDatabase();
const { database, appUrl: databaseUrl } = testDatabase;
const closing: Array<() => Promise<void>> = [];
after(async () => {
  for (const close of closing) await close();
  await testDatabase.drop();
});

const { orgId, dataSourceId } = await insertTenant(database);
const found = Array.from({ length: 30 }, (_, n) => detectionOf(`k${n}`));
await recordScan(database, orgId, dataSourceId, found);

function open(more: { hangMs?: number; restartMs?: number; directory?: string } = {}) {
  const metrics = createInstruments();
  const service = new ColumnService({
    database,
    databaseUrl,
    maxBytes: 100_000_000,
    log: silentLog,
    metrics,
    minFindings: 10,
    ...more,
  });
  closing.push(() => service.close());
  const countOf = async (name: string, outcome?: string): Promise<number> => {
    const { values } = (await metrics.registry.getMetricsAsJSON()).find((metric) => metric.name === `assay_${name}`)!;
    return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
  };
  const ask = (fields: FilterName[] = []) =>
    service.ask(orgId, 'countFacets', { severity: ['high'], kev: false, tag: ['none'] }, fields, { limit: 1 });
  const untilAnswered = async () => {
    while ((await ask().catch(() => null)) === null) await delay(20);
  };
  return { service, countOf, ask, untilAnswered };
}

const isUnavailable = (error: unknown) => {
  assert.ok(error instanceof ApiError);
  assert.deepEqual([error.status, error.headers], [503, { 'Retry-After': '5' }]);
  return true;
};

test('a thread that hangs is ended, requests waiting for it get 503, and a new one answers', async () => {
  const { ask, countOf, untilAnswered } = open({ hangMs: 2_000, restartMs: 10 });
  await untilAnswered();
  // Each field is counted in a separate pass, so the thread is busy for far longer than the service waits.
  const hanging = ask(Array.from({ length: 3_000_000 }, () => 'severity'));
  await Promise.all([hanging, ask()].map((asked) => assert.rejects(asked, isUnavailable)));
  await untilAnswered();
  // On a slow machine, a thread that is starting may be ended, too.
  assert.ok((await countOf('columns_thread_endings_total')) >= 1);
  assert.ok((await countOf('columns_questions_total', 'failed')) >= 2);
});

test('questions wait for columns that are being loaded, for at most five seconds', async () => {
  const { ask, countOf } = open();
  const holder = new pg.Client({ connectionString: testDatabase.adminUrl });
  await holder.connect();
  // Loading waits for a table that it reads.
  await holder.query('BEGIN; LOCK TABLE finding_coverage IN ACCESS EXCLUSIVE MODE');
  const [begun, refused] = [performance.now(), ask()];
  await assert.rejects(refused, isUnavailable);
  const waitedMs = performance.now() - begun;
  assert.ok(waitedMs > 4_000 && waitedMs < 30_000, `${waitedMs} ms`);
  assert.equal(await countOf('columns_questions_total', 'loading'), 1);
  const waiting = ask();
  await holder.end();
  assert.deepEqual(await waiting, { total: 0, rows: [] });
});

test('a service that starts has the columns read before its last stop, and is ready then', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'assay-columns-'));
  const before = open({ directory });
  await before.service.start();
  await before.untilAnswered();
  const path = join(directory, `${orgId}.columns`);
  while (!existsSync(path)) await delay(20);
  await before.service.close();
  const next = open({ directory });
  await next.service.start();
  assert.ok(next.service.has(orgId), 'before anybody has asked');
  assert.notEqual(await next.ask(), null);
  await next.service.close();
  await rm(directory, { recursive: true });
});
