import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../tests/harness/database.ts';
import { call, createTestNode, type Node } from '../../tests/harness/identity.ts';
import { createTenant, type Person } from '../../tests/harness/people.ts';
import { fireDueSchedules } from '../schedules/fire-due.ts';
import { scheduledReportRoutes } from '../schedules/scheduled-report-routes.ts';
import { findHead } from './queries.ts';
import { defaultDocument } from './report-document.ts';
import { reportRoutes } from './routes.ts';
import { takeSnapshotJob } from './take-snapshot.ts';

let testDatabase: TestDatabase;
let node: Node;
before(async () => {
  testDatabase = await createTestDatabase();
  node = await createTestNode(testDatabase.database, [...scheduledReportRoutes, ...reportRoutes]);
});
after(async () => {
  await node.close();
  await testDatabase.drop();
});

const post = (tenant: Person, path: string, body: object) => call(node, tenant.token, 'POST', path, body);
const weekly = { cron: '0 7 * * MON', timezone: 'UTC', recipients: ['ops@example.com'] };

async function snapshot({ orgId }: Person, id: string) {
  const { database } = testDatabase;
  await takeSnapshotJob.run({ org_id: orgId, report_id: id }, { database });
  return (await database.transaction(orgId, (tx) => findHead(tx, orgId, id)))!.head;
}

test('a report keeps its template and document control in its snapshot, with the creator as the author', async () => {
  const tenant = await createTenant(testDatabase.database);
  const plain = (await post(tenant, '/reports', {})).body;
  assert.deepEqual([plain.template, plain.document, plain.compare_to], ['audit', defaultDocument, null]);
  const { document } = await snapshot(tenant, plain.id);
  assert.equal(document.author, (await call(node, tenant.token, 'GET', `/reports/${plain.id}`)).body.created_by.name);
  const given = {
    version: ' 2.1 ',
    author: 'Ada Lovelace',
    distribution: ['Board'],
    classification: 'tlp:amber',
    language: 'de',
    paper: 'letter',
    accent_color: '#005a9c',
    foreword: '# Why\n\nAn audit.',
    conclusion: null,
  };
  const { body } = await post(tenant, '/reports', { template: 'technical', document: given });
  const kept = { ...defaultDocument, ...given, version: '2.1', classification: 'TLP:AMBER' };
  assert.deepEqual([body.template, body.document], ['technical', kept]);
  const head = await snapshot(tenant, body.id);
  assert.deepEqual([head.template, head.document], ['technical', kept]);
});

test('an invalid member of the document control is rejected by name', async () => {
  const tenant = await createTenant(testDatabase.database);
  const pending = (await post(tenant, '/reports', {})).body.id;
  const stranger = (await post(await createTenant(testDatabase.database), '/reports', {})).body.id;
  for (const [body, message] of [
    [{ template: 'short' }, /template: must be one of executive, audit, technical/],
    [{ document: { classification: 'TLP:WHITE' } }, /document\.classification: must be one of TLP:CLEAR/],
    [{ document: { accent_color: 'blue' } }, /document\.accent_color/],
    [{ document: { accent_color: '#ffff00' } }, /document\.accent_color: must be darker/],
    [{ document: { foreword: ' ' } }, /document\.foreword/],
    [{ document: { author: 'A\nB' } }, /document\.author/],
    [{ document: { pages: 3 } }, /document\.pages: is not a known field/],
    [{ compare_to: stranger }, /compare_to: must be the id of a report of this organization/],
    [{ compare_to: pending }, /compare_to: must be the id of a ready report; this one is pending/],
    [{ compare_to: 'last' }, /compare_to: must be an id of the form rpt_…/],
  ] as Array<[object, RegExp]>) {
    const response = await post(tenant, '/reports', body);
    assert.equal(response.status, 400, JSON.stringify(body));
    assert.match(response.body.error.message, message);
    if ('compare_to' in body) continue;
    assert.equal((await post(tenant, '/scheduled-reports', { ...weekly, ...body })).status, 400, JSON.stringify(body));
  }
});

test('reports inherit template and document from their schedule, and an update keeps the members that it omits', async () => {
  const tenant = await createTenant(testDatabase.database);
  const { body } = await post(tenant, '/scheduled-reports', { ...weekly, document: { author: 'Grace Hopper' } });
  assert.deepEqual([body.template, body.document.author], ['executive', 'Grace Hopper']);
  const path = `/scheduled-reports/${body.id}`;
  const changed = await call(node, tenant.token, 'PATCH', path, { template: 'audit' });
  assert.deepEqual([changed.body.template, changed.body.document], ['audit', body.document]);
  const { body: replaced } = await call(node, tenant.token, 'PATCH', path, { document: { language: 'de' } });
  assert.deepEqual(replaced.document, { ...defaultDocument, language: 'de' });
  await testDatabase.database.single(tenant.orgId, {
    text: `UPDATE scheduled_reports SET next_run_at = clock_timestamp() - interval '1 minute' WHERE org_id = $1`,
    values: [tenant.orgId],
  });
  await fireDueSchedules(testDatabase.database);
  const [report] = (await call(node, tenant.token, 'GET', '/reports')).body.data;
  assert.deepEqual([report.template, report.document.language], ['audit', 'de']);
});
