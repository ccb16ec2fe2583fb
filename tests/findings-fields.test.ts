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
const excerpts = {
  code: { start_line: 1, lines: ['if (a < b)', '\u202e"texts":{"description":', '\tpay(x);'] },
  flow: [{ number: 1, path: 'a.ts', start_line: 3, message: 'Read here.' }],
  fix: {
    description: null,
    changes: [{ path: 'a.ts', start_line: 3, end_line: 3, start_column: null, end_column: 4, text: '' }],
  },
};
const none = { code: null, flow: null, fix: null };
await recordScan(app.database, orgId, dataSourceId, [
  detectionOf('one', { evidence: '"quoted"\n', severity: 'high' }),
  detectionOf('other', { evidence: null, cvss_score: 7.5 }),
  detectionOf('quoted', excerpts),
]);
const list = (query: string) => app.call(token, 'GET', `/findings?sort=first_seen_at&${query}`);
const whole = succeeded(await list('')).data as Array<Record<string, unknown> & { id: string }>;
succeeded(await app.call(token, 'PATCH', `/findings/${whole[0]!.id}`, { json: { assignee: userId, tags: ['pci'] } }));
const listed = succeeded(await list('')).data as typeof whole;
const standards = ['owasp-2025:A07', 'owasp-2021:A07', 'pci-dss-4.0.1:8.6.2', 'iso-27001-2022:A.5.17'];
const findings = listed.map((finding): (typeof whole)[number] => ({
  ...finding,
  standards,
  ...(finding.title === 'Problem quoted' ? excerpts : none),
}));

const cut = (finding: Record<string, unknown>, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(finding).filter(([name]) => name === 'id' || fields.includes(name)));

test('each field can be requested by itself, has the same value as in a complete finding, and comes with the id', async () => {
  for (const field of findingFields) {
    const { body } = await list(`fields=${field}`);
    assert.deepEqual(
      body.data,
      findings.map((finding) => cut(finding, [field])),
      field,
    );
  }
});

test('a list has standards, code, flow and fix on request, a single finding always', async () => {
  for (const finding of listed)
    for (const name of ['standards', ...Object.keys(none)]) assert.ok(!(name in finding), name);
  for (const { id, code, flow, fix } of findings) {
    const { body } = await app.call(token, 'GET', `/findings/${id}`);
    assert.deepEqual({ code: body.code, flow: body.flow, fix: body.fix }, { code, flow, fix });
  }
  const exported = await app.call(token, 'GET', '/findings/export?format=json');
  const byId = new Map(exported.body.data.map((finding: { id: string }) => [finding.id, finding]));
  for (const { id, code, flow, fix } of findings) {
    const one = byId.get(id) as typeof excerpts;
    assert.deepEqual({ code: one.code, flow: one.flow, fix: one.fix }, { code, flow, fix });
  }
});

test('all fields together are the complete finding', async () => {
  assert.deepEqual((await list(`fields=${findingFields.join()}`)).body.data, findings);
});

test('a page with chosen fields keeps its order over pages, and the next one may have other fields', async () => {
  const first = await list('fields=title,severity&limit=1');
  assert.equal(first.headers['content-type'], 'application/json');
  assert.deepEqual(first.body.data, [cut(findings[0]!, ['title', 'severity'])]);
  const next = await list(`fields=evidence&limit=2&next_cursor=${first.body.next_cursor}`);
  assert.deepEqual(
    next.body.data,
    findings.slice(1).map((finding) => cut(finding, ['evidence'])),
  );
  assert.equal(next.body.next_cursor, null);
});

test('a page with chosen fields is compressed for clients that accept it', async () => {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
  const response = await app.node.app.inject({ url: `/api/v1/findings?fields=${findingFields.join()}`, headers });
  assert.equal(response.headers['content-encoding'], 'gzip');
});

test('an unknown field is refused with a list of the fields', async () => {
  for (const field of ['places', 'facts', 'title;drop', '']) {
    const { status, body } = await list(`fields=${field}`);
    assert.equal(status, 400, field);
    assert.match(body.error.message, /fields: .*title/);
  }
});

test('a scan that quotes other lines changes them, and a scan that quotes none removes them', async () => {
  const { id } = findings.find(({ title }) => title === 'Problem quoted')!;
  const other = { start_line: 4, lines: ['moved'] };
  for (const changes of [{ ...none, code: other }, none]) {
    await recordScan(app.database, orgId, dataSourceId, [detectionOf('quoted', changes)], { close: false });
    const { code, flow, fix } = (await app.call(token, 'GET', `/findings/${id}`)).body;
    assert.deepEqual({ code, flow, fix }, changes);
  }
});
