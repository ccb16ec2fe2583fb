import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { recordScan } from '../../../tests/harness/furnished.ts';
import { eventually } from '../../../tests/harness/installation.ts';
import { readConfig } from '../../config/config.ts';
import { detectionOf, insertTenant } from '../findings.fixture.ts';
import { defaultPolicy } from '../policy.ts';
import { replacePolicy } from '../policy-queries.ts';

const testDatabase = await createTestDatabase();
const { database } = testDatabase;
const admin = new pg.Client({ connectionString: testDatabase.adminUrl });
const dataDirectory = mkdtempSync(join(tmpdir(), 'assay-recomputation-'));
let worker: ChildProcess | undefined;
after(async () => {
  await killWorker();
  await admin.end();
  await testDatabase.drop();
  rmSync(dataDirectory, { recursive: true, force: true });
});

function startWorker(): void {
  worker = fork(fileURLToPath(new URL('../../processes/worker-process.ts', import.meta.url)));
  const config = readConfig({ ASSAY_DATA_DIR: dataDirectory, LOG_LEVEL: 'silent' });
  worker.send({ config, databaseUrl: testDatabase.appUrl, secretKey: 'k'.repeat(40), ownRepositories: [] });
}

async function killWorker(): Promise<void> {
  if (!worker || worker.exitCode !== null || worker.signalCode !== null) return;
  const exited = once(worker, 'exit');
  worker.kill('SIGKILL');
  await exited;
}

const count = async (text: string): Promise<number> => (await admin.query(text)).rows[0].count;
const dueIn = (days: number) =>
  count(`SELECT count(*)::integer FROM findings WHERE due_at = first_seen_at + interval '${days * 24} hours'`);

test('a worker that is killed while it recomputes findings loses nothing: the next one continues at the last batch', async () => {
  await admin.connect();
  const { orgId, dataSourceId } = await insertTenant(database);
  const detections = Array.from({ length: 1_200 }, (_, n) => detectionOf(`k${n}`, { severity: 'high' }));
  await recordScan(database, orgId, dataSourceId, detections);
  assert.equal(await dueIn(30), 1_200);
  const days_to_fix = { ...defaultPolicy.days_to_fix, high: { low: 5, medium: 5, high: 5, critical: 5 } };
  await database.transaction(orgId, (tx) => replacePolicy(tx, orgId, () => ({ ...defaultPolicy, days_to_fix })));
  // The worker waits for this lock in its second batch.
  await admin.query('BEGIN');
  await admin.query('SELECT FROM findings ORDER BY first_seen_at DESC, id DESC LIMIT 1 FOR UPDATE');
  startWorker();
  await eventually(async () => (await dueIn(5)) === 1_000);
  await killWorker();
  assert.deepEqual([await dueIn(5), await dueIn(30)], [1_000, 200]);
  await admin.query('ROLLBACK');
  // The statements of the killed worker end once they no longer wait.
  await eventually(async () => {
    const waiting = await count(`SELECT count(*)::integer FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'assay worker'`);
    return waiting === 0;
  });
  const before = await admin.query(
    `SELECT id, xmin::text FROM findings WHERE due_at < first_seen_at + interval '6 days'`,
  );
  startWorker();
  await eventually(async () => (await dueIn(5)) === 1_200, 60_000);
  const after = await admin.query('SELECT id, xmin::text FROM findings');
  const now = new Map(after.rows.map(({ id, xmin }) => [id, xmin]));
  assert.ok(before.rows.length >= 1_000);
  for (const { id, xmin } of before.rows) assert.equal(now.get(id), xmin, 'what was done is not done again');
});
