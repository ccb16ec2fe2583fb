import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startApplication } from '../../../tests/harness/application.ts';
import { addDataSource } from '../../../tests/harness/finding-set.ts';
import { recordScan, succeeded } from '../../../tests/harness/furnished.ts';
import { createTenant, createTestMember } from '../../../tests/harness/people.ts';
import { detectionOf } from '../../findings/findings.fixture.ts';
import { moveAssignments } from './move-assignments.ts';

const app = await startApplication();
const { database } = app;
after(() => app.close());

test('findings of a merged account are assigned to the remaining one, with a history entry, and no others move', async () => {
  const owner = await createTenant(database);
  const [old, verified, third] = [
    await createTestMember(database, owner.orgId, 'analyst'),
    await createTestMember(database, owner.orgId, 'analyst'),
    await createTestMember(database, owner.orgId, 'analyst'),
  ];
  const dataSourceId = await addDataSource(app, owner.token, 'repository');
  const keys = Array.from({ length: 1_005 }, (_, n) => `k${n}`);
  await recordScan(
    database,
    owner.orgId,
    dataSourceId,
    keys.map((key) => detectionOf(key)),
  );
  const [first, second] = succeeded(await app.call(owner.token, 'GET', '/findings?limit=2&sort=first_seen_at')).data;
  succeeded(
    await app.call(owner.token, 'PATCH', `/findings/${second.id}`, {
      json: { assignee: third.userId },
    }),
  );
  await database.transaction(owner.orgId, (tx) =>
    tx.query({
      text: 'UPDATE findings SET assignee_id = $2 WHERE org_id = $1 AND id <> $3',
      values: [owner.orgId, old.userId, second.id],
    }),
  );
  await moveAssignments.run({ org_id: owner.orgId, from: old.userId, into: verified.userId }, { database });
  const { data: history } = succeeded(await app.call(owner.token, 'GET', `/findings/${first.id}/history`));
  const found = succeeded(await app.call(owner.token, 'GET', `/findings/${first.id}`));
  assert.equal(found.assignee.id, verified.userId);
  assert.equal(succeeded(await app.call(owner.token, 'GET', `/findings/${second.id}`)).assignee.id, third.userId);
  const { actor, changes } = history.at(-1);
  assert.deepEqual(
    [actor.id, changes],
    [verified.userId, [{ field: 'assignee', from: old.userId, to: verified.userId }]],
  );
  const { rows } = await database.transaction(owner.orgId, (tx) =>
    tx.query<{ id: string; count: string }>({
      text: 'SELECT assignee_id AS id, count(*) FROM findings WHERE org_id = $1 GROUP BY 1 ORDER BY count(*) DESC',
      values: [owner.orgId],
    }),
  );
  assert.deepEqual(
    rows.map(({ id, count }) => [id, Number(count)]),
    [
      [verified.userId, 1_004],
      [third.userId, 1],
    ],
  );
});
