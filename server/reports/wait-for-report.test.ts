import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../tests/harness/database.ts';
import { call, createTestNode, type Node } from '../../tests/harness/identity.ts';
import { createTenant } from '../../tests/harness/people.ts';
import { reportRoutes } from './routes.ts';
import { takeSnapshotJob } from './take-snapshot.ts';

let testDatabase: TestDatabase;
let node: Node;
before(async () => {
  testDatabase = await createTestDatabase();
  node = await createTestNode(testDatabase.database, reportRoutes);
});
after(async () => {
  await node.close();
  await testDatabase.drop();
});

test('a caller that prefers to wait gets the finished report, or its current state when the time is up', async (context) => {
  const tenant = await createTenant(testDatabase.database);
  const create = (prefer: string) =>
    call(node, { authorization: `Bearer ${tenant.token}`, prefer }, 'POST', '/reports', {});
  // The machine's clock may be set back meanwhile: here it stands still.
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const early = await create('wait=1');
  context.mock.timers.reset();
  assert.deepEqual([early.status, early.body.status], [202, 'pending']);
  assert.equal(early.headers['preference-applied'], 'wait');

  const waiting = create('wait=60');
  const pending = async (): Promise<string> => {
    const { data } = (await call(node, tenant.token, 'GET', '/reports')).body;
    return data.length === 2 ? data[0].id : pending();
  };
  await takeSnapshotJob.run({ org_id: tenant.orgId, report_id: await pending() }, testDatabase);
  const { status, body } = await waiting;
  assert.deepEqual([status, body.status], [202, 'ready']);

  const other = await create('respond-async');
  assert.deepEqual([other.body.status, other.headers['preference-applied']], ['pending', undefined]);
});
