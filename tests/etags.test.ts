import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { routes } from '../server/api.ts';
import { detectionOf } from '../server/findings/findings.fixture.ts';
import { startApplication } from './harness/application.ts';
import { document } from './harness/documented.ts';
import { addDataSource, readAll } from './harness/finding-set.ts';
import { recordScan, succeeded } from './harness/furnished.ts';
import { createTenant, createTestMember } from './harness/people.ts';

const app = await startApplication();
after(() => app.close());
const { token, orgId } = await createTenant(app.database, 'Tags');
const analyst = await createTestMember(app.database, orgId, 'analyst');

const dataSourceId = await addDataSource(app, token, 'before');
await recordScan(app.database, orgId, dataSourceId, [detectionOf('one')]);
const [finding] = await readAll(app, token, `data_source=${dataSourceId}`);
const path = `/findings/${finding!.id}`;
succeeded(await app.call(token, 'PATCH', path, { json: { assignee: analyst.userId } }));

const read = (etag?: string) =>
  app.call(token, 'GET', path, { headers: etag === undefined ? {} : { 'if-none-match': etag } });

const changes: Record<string, () => Promise<unknown>> = {
  'its data source is renamed': () =>
    app.call(token, 'PATCH', `/data-sources/${dataSourceId}`, { json: { name: 'after' } }),
  'its assignee is renamed': () =>
    app.database.single(null, { text: `UPDATE users SET name = 'Renamed' WHERE id = $1`, values: [analyst.userId] }),
};

for (const [what, change] of Object.entries(changes)) {
  test(`a copy of a finding is stale when ${what}, and a change based on it succeeds`, async () => {
    const before = await read();
    const etag = String(before.headers.etag);
    assert.equal((await read(etag)).status, 304);
    await change();
    const now = await read();
    assert.notEqual(now.text, before.text);
    assert.equal((await read(etag)).status, 200);
    const changed = await app.call(token, 'PATCH', path, { json: { tags: [what] }, headers: { 'if-match': etag } });
    assert.equal(changed.status, 200, changed.text);
  });
}

test('every operation that sends an ETag says so in its description, and accepts If-None-Match', () => {
  const withTag = routes.filter(({ responses }) => Object.values(responses).some(({ headers }) => headers?.ETag));
  assert.ok(withTag.length >= 8);
  for (const { method, path: route } of withTag.filter(({ method }) => method === 'GET')) {
    const parameters = JSON.stringify(document.paths[route][method.toLowerCase()].parameters);
    assert.match(parameters, /IfNoneMatch/, route);
  }
});
