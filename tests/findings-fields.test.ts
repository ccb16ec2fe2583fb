import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findingFields } from '../server/findings/finding-sql.ts';
import { detectionOf } from '../server/findings/findings.fixture.ts';
import { startApplication } from './harness/application.ts';
import { addDataSource } from './harness/finding-set.ts';
import { recordScan, succeeded } from './harness/furnished.ts';
import { createTenant } from './harness/people.ts';

const app = await startApplication();
after(() => app.close());
const { token, orgId, userId } = await createTenant(app.database, 'Fields');
const dataSourceId = await addDataSource(app, token, 'place');
await recordScan(app.database, orgId, dataSourceId, [
  detectionOf('one', { evidence: '"quoted"\n', severity: 'high' }),
  detectionOf('other', { evidence: null, cvss_score: 7.5 }),
]);
const list = (query: string) => app.call(token, 'GET', `/findings?sort=first_seen_at&${query}`);
const whole = succeeded(await list('')).data as Array<Record<string, unknown> & { id: string }>;
succeeded(await app.call(token, 'PATCH', `/findings/${whole[0]!.id}`, { json: { assignee: userId, tags: ['pci'] } }));
const findings = succeeded(await list('')).data as typeof whole;

const cut = (finding: Record<string, unknown>, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(finding).filter(([name]) => name === 'id' || fields.includes(name)));

test('each field can be chosen alone, has the same value as in a whole finding, and comes with the id', async () => {
  for (const field of findingFields) {
    const { body } = await list(`fields=${field}`);
    assert.deepEqual(
      body.data,
      findings.map((finding) => cut(finding, [field])),
      field,
    );
  }
});

test('all fields together are the whole finding', async () => {
  assert.deepEqual((await list(`fields=${findingFields.join()}`)).body.data, findings);
});

test('a page with chosen fields keeps its order over pages, and allows other fields on the next', async () => {
  const first = await list('fields=title,severity&limit=1');
  assert.equal(first.headers['content-type'], 'application/json');
  assert.deepEqual(first.body.data, [cut(findings[0]!, ['title', 'severity'])]);
  const next = await list(`fields=evidence&limit=1&next_cursor=${first.body.next_cursor}`);
  assert.deepEqual(next.body.data, [cut(findings[1]!, ['evidence'])]);
  assert.equal(next.body.next_cursor, null);
});

test('a page with chosen fields is compressed for clients that accept it', async () => {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
  const response = await app.node.app.inject({ url: `/api/v1/findings?fields=${findingFields.join()}`, headers });
  assert.equal(response.headers['content-encoding'], 'gzip');
});

test('a field that findings do not have is refused, with those that they have', async () => {
  for (const field of ['places', 'facts', 'title;drop', '']) {
    const { status, body } = await list(`fields=${field}`);
    assert.equal(status, 400, field);
    assert.match(body.error.message, /fields: .*title/);
  }
});
