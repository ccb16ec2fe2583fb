import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { insertTenant } from '../../findings/findings.fixture.ts';
import { findDetector } from '../registry.ts';
import { findScan } from '../scans/queries.ts';
import { startScan } from '../scans/start-scan.ts';
import { takeUpTargets } from './take-up-targets.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

test('a scan that is still running although all its targets have ended is ended', async () => {
  const { database } = testDatabase;
  const { orgId } = await insertTenant(database);
  const dataSourceId = 'ds_0000000000000000000000000a';
  const scanId = await database.transaction(orgId, async (tx) => {
    await tx.query({
      text: `INSERT INTO data_sources (org_id, id, kind, name, config)
             VALUES ($1, $2, 'git_repository', 'code', '{"url": "https://git.example.com/a.git", "branch": null}')`,
      values: [orgId, dataSourceId],
    });
    const request = { trigger: 'api' as const, requestedBy: null, dataSourceIds: [dataSourceId] };
    return startScan(tx, orgId, { ...request, detector: findDetector('secrets')! });
  });
  const find = () => database.transaction(orgId, (tx) => findScan(tx, orgId, scanId));
  await takeUpTargets({ database });
  assert.equal((await find())!.status, 'queued');
  await testDatabase.asAdmin(
    `UPDATE scan_targets SET status = 'completed', started_at = now(), completed_at = now() WHERE scan_id = '${scanId}'`,
  );
  await takeUpTargets({ database });
  const ended = await find();
  assert.equal(ended!.status, 'completed');
  assert.notEqual(ended!.completedAt, null);
});
