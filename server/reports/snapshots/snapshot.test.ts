import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { severities } from '@assay/scanner/contract/severity.ts';
import fc from 'fast-check';
import { insertFlows, insertHistory } from '../../../bench/dataset-sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { recordScan } from '../../../tests/harness/furnished.ts';
import { call, createTestNode, type Node } from '../../../tests/harness/identity.ts';
import { createTenant, type Person } from '../../../tests/harness/people.ts';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { oneFindingRoutes } from '../../decisions/finding-routes.ts';
import { detectionOf } from '../../findings/findings.fixture.ts';
import { findingRoutes } from '../../findings/routes.ts';
import { newId } from '../../platform/id.ts';
import { findHead, listBatches } from '../queries.ts';
import { bySeverityStatusAndAge, reportHead } from '../report.fixture.ts';
import { hostileTitles } from '../report-finding.fixture.ts';
import type { ReportFinding, ReportHead } from '../report-model.ts';
import { reportRoutes } from '../routes.ts';
import { takeSnapshotJob } from '../take-snapshot.ts';
import { decompress } from './compressed.ts';
import { readBatch } from './snapshot-batch.ts';

let testDatabase: TestDatabase;
let node: Node;
before(async () => {
  testDatabase = await createTestDatabase();
  node = await createTestNode(testDatabase.database, [...reportRoutes, ...findingRoutes, ...oneFindingRoutes]);
});
after(async () => {
  await node.close();
  await testDatabase.drop();
});

async function addDataSource({ orgId }: Person, name: string): Promise<string> {
  const id = newId('ds');
  await testDatabase.database.single(orgId, {
    text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', $3, '{}')`,
    values: [orgId, id, name],
  });
  return id;
}

/**
 * Inserts findings of two data sources and two detection sources in every status, first seen and closed over a year.
 */
async function furnishFindings(tenant: Person, count: number): Promise<void> {
  const { orgId, userId } = tenant;
  for (const [index, name] of ['billing', 'accounts <&>'].entries()) {
    const dataSourceId = await addDataSource(tenant, name);
    const detections = Array.from({ length: Math.ceil(count / 2) }, (_, number) =>
      detectionOf(`${name}-${number}`, {
        title: hostileTitles[number] ?? `Problem ${number}`,
        severity: severities[(number * 3 + index) % 5]!,
        rule: { id: `rule-${number % 7}`, name: `Rule ${number % 7}`, url: null },
        remediation: number % 2 ? `Fix ${number}` : null,
      }),
    );
    await recordScan(testDatabase.database, orgId, dataSourceId, detections, { source: index ? 'secrets' : 'code' });
  }
  await testDatabase.database.single(orgId, {
    text: `UPDATE findings f SET first_seen_at = now() - n * interval '31 hours',
             status = (ARRAY['new','triaged','in_progress','resolved','false_positive','accepted_risk'])[1 + n % 6],
             closed_at = CASE WHEN n % 6 > 2 THEN now() - n * interval '13 hours' END,
             accepted_until = CASE WHEN n % 6 = 5 THEN now() + n * interval '1 day' END,
             assignee_id = CASE WHEN n % 4 = 0 THEN $2 END, reopened_count = (n % 5 = 0)::int
           FROM (SELECT id, (row_number() OVER (ORDER BY id))::int AS n FROM findings WHERE org_id = $1) numbered
           WHERE f.org_id = $1 AND f.id = numbered.id`,
    values: [orgId, userId],
  });
  // The statement above bypasses the stored counts.
  await testDatabase.asAdmin(`DELETE FROM finding_counts WHERE org_id = '${orgId}';
    INSERT INTO finding_counts (org_id, data_source_id, source, severity, status, count)
      SELECT org_id, data_source_id, source, severity, status, count(*) FROM findings WHERE org_id = '${orgId}' GROUP BY 1, 2, 3, 4, 5;
    DELETE FROM finding_flows; DELETE FROM finding_history WHERE move IS NOT NULL`);
  for (const statement of [insertFlows, insertHistory]) await testDatabase.asAdmin(statement);
}

async function makeReport(tenant: Person, body: object = {}) {
  const created = await call(node, tenant.token, 'POST', '/reports', body);
  assert.equal(created.status, 202, JSON.stringify(created.body));
  await takeSnapshotJob.run({ org_id: tenant.orgId, report_id: created.body.id }, testDatabase);
  return (await call(node, tenant.token, 'GET', `/reports/${created.body.id}`)).body;
}

async function readSnapshot({ orgId }: Person, id: string): Promise<{ head: ReportHead; findings: ReportFinding[] }> {
  const { database } = testDatabase;
  const { head } = (await database.transaction(orgId, (tx) => findHead(tx, orgId, id)))!;
  const batches = await database.transaction(orgId, (tx) => listBatches(tx, orgId, id, 0, 10_000));
  const findings = await Promise.all(batches.map(async (batch) => readBatch(await decompress(batch))));
  return { head, findings: findings.flat() };
}

test('a snapshot contains every finding as the API returns it, in the order of the report', async () => {
  const tenant = await createTenant(testDatabase.database);
  await furnishFindings(tenant, 61);
  const [first] = (await call(node, tenant.token, 'GET', '/findings')).body.data;
  for (let one = 0; one < 23; one++)
    await call(node, tenant.token, 'POST', `/findings/${first.id}/comment`, { comment: `comment ${one}` });
  const report = await makeReport(tenant);
  const { findings } = await readSnapshot(tenant, report.id);
  assert.equal(findings.length, 62);
  for (const { comments, closed: _, ...finding } of findings) {
    const { body } = await call(node, tenant.token, 'GET', `/findings/${finding.id}`);
    const { related: _related, also: _also, ...returned } = body;
    assert.deepEqual(returned, finding);
    if (finding.id !== first.id) assert.deepEqual(comments, []);
    else
      assert.deepEqual(
        comments.map((comment) => comment.comment),
        Array.from({ length: 20 }, (_, index) => `comment ${index + 3}`),
      );
  }
  assert.deepEqual(
    findings.map((finding) => finding.id),
    [...findings].sort(bySeverityStatusAndAge).map((finding) => finding.id),
  );
});

const computed = [
  ...(['summary', 'by_severity_and_status', 'open', 'open_by_severity', 'open_by_source', 'top_data_sources'] as const),
  ...([
    'in_period',
    'reopened',
    'unassigned_open',
    'accepted_risks',
    'weekly',
    'age',
    'oldest_open',
    'first_steps',
  ] as const),
];

test('the figures of a report equal those of its findings, whatever the filters', async () => {
  const tenant = await createTenant(testDatabase.database);
  await furnishFindings(tenant, 150);
  const filters = fc.record(
    {
      severity: fc.subarray([...severities], { minLength: 1 }),
      status: fc.constantFrom(['new'], 'new,resolved', ['accepted_risk', 'triaged', 'in_progress']),
      source: fc.constantFrom('code', ['secrets'], ['none such']),
      rule: fc.constantFrom(['rule-1', 'rule-2'], 'rule-3'),
      assignee: fc.constantFrom('me', ['none'], tenant.email),
      q: fc.constantFrom('problem', 'src'),
      from: fc.constantFrom('2020-01-01T00:00:00Z'),
    },
    { requiredKeys: [], noNullPrototype: true },
  );
  await checkProperty(
    fc.asyncProperty(filters, async (chosen) => {
      const report = await makeReport(tenant, { filters: chosen });
      assert.equal(report.status, 'ready', report.error);
      assert.deepEqual(report.filters, chosen);
      const { head, findings } = await readSnapshot(tenant, report.id);
      const expected = reportHead(findings, { taken_at: head.taken_at, period: head.period });
      for (const field of computed) assert.deepEqual(head[field], expected[field], field);
      const { by_severity, total } = expected.analysis!.roll_forward!;
      const roll = head.analysis!.roll_forward;
      const covers = chosen.status === undefined && chosen.from === undefined;
      assert.deepEqual(roll && [roll.by_severity, roll.total], covers ? [by_severity, total] : null);
      assert.deepEqual(report.summary, head.summary);
      const listed = await call(node, tenant.token, 'GET', `/findings/summary?${query(chosen)}`);
      assert.equal(report.summary.total, listed.body.total);
    }),
    { numRuns: 25 },
  );
});

const query = (filters: object) =>
  new URLSearchParams(Object.entries(filters).map(([name, value]): [string, string] => [name, String(value)]));

test('a snapshot shows one moment: it excludes changes made while it is taken', async () => {
  const tenant = await createTenant(testDatabase.database);
  await furnishFindings(tenant, 40);
  const { database } = testDatabase;
  const changing = {
    ...database,
    consistentTransaction: (orgId: string, run: Parameters<typeof database.consistentTransaction>[1]) =>
      database.consistentTransaction(orgId, async (tx) => {
        await tx.query({ text: 'SELECT 1' });
        await database.single(orgId, {
          text: `UPDATE findings SET title = 'too late', status = 'new', closed_at = NULL WHERE org_id = $1`,
          values: [orgId],
        });
        return run(tx);
      }),
  } as typeof database;
  const created = await call(node, tenant.token, 'POST', '/reports', {});
  await takeSnapshotJob.run({ org_id: tenant.orgId, report_id: created.body.id }, { database: changing });
  const { head, findings } = await readSnapshot(tenant, created.body.id);
  assert.equal(findings.filter((finding) => finding.title === 'too late').length, 0);
  assert.deepEqual(head.summary, reportHead(findings).summary);
  assert.ok(head.summary.by_status.resolved > 0);
});

test('a snapshot is taken only once, and leaves nothing when its report is deleted', async () => {
  const tenant = await createTenant(testDatabase.database);
  await furnishFindings(tenant, 10);
  const report = await makeReport(tenant);
  await takeSnapshotJob.run({ org_id: tenant.orgId, report_id: report.id }, testDatabase);
  assert.equal((await readSnapshot(tenant, report.id)).findings.length, 10);
  assert.equal((await call(node, tenant.token, 'DELETE', `/reports/${report.id}`)).status, 204);
  await takeSnapshotJob.run({ org_id: tenant.orgId, report_id: report.id }, testDatabase);
  const left = await testDatabase.database.single(tenant.orgId, {
    text: 'SELECT 1 FROM report_batches WHERE org_id = $1',
    values: [tenant.orgId],
  });
  assert.equal(left.length, 0);
  assert.equal((await call(node, tenant.token, 'GET', `/reports/${report.id}`)).status, 404);
});

test('a report that is deleted just before its snapshot is taken leaves nothing either', async () => {
  const tenant = await createTenant(testDatabase.database);
  await furnishFindings(tenant, 10);
  const created = await call(node, tenant.token, 'POST', '/reports', {});
  const { database } = testDatabase;
  const deleting = {
    ...database,
    consistentTransaction: async (orgId: string, run: Parameters<typeof database.consistentTransaction>[1]) => {
      assert.equal((await call(node, tenant.token, 'DELETE', `/reports/${created.body.id}`)).status, 204);
      return database.consistentTransaction(orgId, run);
    },
  } as typeof database;
  const payload = { org_id: tenant.orgId, report_id: created.body.id };
  await assert.rejects(async () => takeSnapshotJob.run(payload, { database: deleting }), /deleted/);
  await takeSnapshotJob.run(payload, { database });
  const left = await database.single(tenant.orgId, {
    text: 'SELECT 1 FROM report_batches WHERE org_id = $1',
    values: [tenant.orgId],
  });
  assert.equal(left.length, 0);
});

test('invalid filters are rejected when the report is requested', async () => {
  const tenant = await createTenant(testDatabase.database);
  const wrong: Array<[object, RegExp]> = [
    [{ severity: 'critical,severe' }, /filters\.severity: must be one of critical, high, medium, low, info/],
    [{ severity: ['severe'] }, /filters\.severity\[0\]: must be one of critical/],
    [{ from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, /filters\.from: must not be after `to`/],
    [{ from: 'yesterday' }, /filters\.from: must be a time with a zone/],
    [{ severities: ['high'] }, /filters\.severities: is not a known field/],
  ];
  for (const [filters, message] of wrong) {
    const response = await call(node, tenant.token, 'POST', '/reports', { filters });
    assert.equal(response.status, 400);
    assert.match(response.body.error.message, message);
  }
});

test('a snapshot that keeps failing ends as failed, with an error', async () => {
  const tenant = await createTenant(testDatabase.database);
  const created = await call(node, tenant.token, 'POST', '/reports', {});
  const payload = { org_id: tenant.orgId, report_id: created.body.id };
  const broken = {
    ...testDatabase.database,
    consistentTransaction: () => Promise.reject(new Error('disk full')),
  };
  for (let attempt = 0; attempt < 3; attempt++)
    await assert.rejects(async () => takeSnapshotJob.run(payload, { database: broken }), /disk full/);
  await takeSnapshotJob.run(payload, { database: broken });
  const report = (await call(node, tenant.token, 'GET', `/reports/${created.body.id}`)).body;
  assert.equal(report.status, 'failed');
  assert.match(report.error, /could not be taken/);
  const response = await call(node, tenant.token, 'GET', `/reports/${created.body.id}/export?format=csv`);
  assert.deepEqual([response.status, response.body.error.code], [409, 'report_not_ready']);
});
