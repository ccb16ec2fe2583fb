import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { detectionOf } from '../server/findings/findings.fixture.ts';
import { startApplication } from './harness/application.ts';
import { addDataSource, readAll } from './harness/finding-set.ts';
import { recordScan, succeeded } from './harness/furnished.ts';
import { createTenant, createTestMember } from './harness/people.ts';

const app = await startApplication();
after(() => app.close());

test('a finding with a hundred identifiers is found by each of them, its path and its title', async () => {
  const owner = await createTenant(app.database);
  const dataSourceId = await addDataSource(app, owner.token, 'kernel');
  const identifiers = Array.from({ length: 100 }, (_, n) => `CVE-${1999 + (n % 25)}-${10_000 + n}`);
  const location = { ...detectionOf('a').location, path: 'hosts/web01/kernel' };
  const detection = detectionOf('a', { title: 'Outdated kernel', identifiers, location, evidence: 'uname says 5.4' });
  await recordScan(app.database, owner.orgId, dataSourceId, [detection]);
  const questions = [...identifiers.map((id) => `identifier=${id}`), 'path=hosts/web01', 'q=outdated', 'q=uname'];
  const missing: string[] = [];
  for (const query of questions) if ((await readAll(app, owner.token, query)).length !== 1) missing.push(query);
  assert.deepEqual(missing, []);
  assert.deepEqual(await readAll(app, owner.token, 'path=-hosts/web01'), []);
});

test('the address of an assignee who has left the organization still selects their findings', async () => {
  const owner = await createTenant(app.database);
  const member = await createTestMember(app.database, owner.orgId, 'analyst');
  const dataSourceId = await addDataSource(app, owner.token, 'left');
  await recordScan(app.database, owner.orgId, dataSourceId, [detectionOf('a'), detectionOf('b')]);
  const [{ id }] = await readAll(app, owner.token, '');
  succeeded(await app.call(owner.token, 'PATCH', `/findings/${id}`, { json: { assignee: member.email } }));
  succeeded(await app.call(owner.token, 'DELETE', `/organization/members/${member.userId}`));
  assert.deepEqual(
    (await readAll(app, owner.token, `assignee=${member.email}`)).map((finding) => finding.id),
    [id],
  );
});
