import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { recordEndedScan, recordScan } from '../../../tests/harness/furnished.ts';
import { call, createTestNode, type Node } from '../../../tests/harness/identity.ts';
import { createTenant, type Person } from '../../../tests/harness/people.ts';
import { dataSourceRoutes } from '../../data-sources/routes.ts';
import { oneFindingRoutes } from '../../decisions/finding-routes.ts';
import { detectionOf } from '../../findings/findings.fixture.ts';
import { findingRoutes } from '../../findings/routes.ts';
import { newId } from '../../platform/id.ts';
import { actionTitle } from '../document/actions.ts';
import { findHead } from '../queries.ts';
import { reportRoutes } from '../routes.ts';
import { wordingOf } from '../sentences/wording.ts';
import { takeSnapshotJob } from '../take-snapshot.ts';
import { placeName } from './analyse.ts';

let testDatabase: TestDatabase;
let node: Node;
before(async () => {
  testDatabase = await createTestDatabase();
  node = await createTestNode(testDatabase.database, [
    ...reportRoutes,
    ...findingRoutes,
    ...oneFindingRoutes,
    ...dataSourceRoutes,
  ]);
});
after(async () => {
  await node.close();
  await testDatabase.drop();
});

const run = ({ orgId }: Person, text: string, ...values: unknown[]) =>
  testDatabase.database.single(orgId, { text, values: [orgId, ...values] });

async function addDataSource(tenant: Person, name: string, ownerId: string | null = null): Promise<string> {
  const id = newId('ds');
  await run(
    tenant,
    `INSERT INTO data_sources (org_id, id, kind, name, config, owner_id) VALUES ($1, $2, 'upload', $3, '{}', $4)`,
    ...[id, name, ownerId],
  );
  return id;
}

const scan = ({ orgId }: Person, dataSourceId: string, detections: ReturnType<typeof detectionOf>[], source = 'code') =>
  recordScan(testDatabase.database, orgId, dataSourceId, detections, { source });

async function report(tenant: Person, body: object = {}) {
  const { orgId, token } = tenant;
  const { id } = (await call(node, token, 'POST', '/reports', body)).body;
  await takeSnapshotJob.run({ org_id: orgId, report_id: id }, testDatabase);
  const { head } = (await testDatabase.database.transaction(orgId, (tx) => findHead(tx, orgId, id)))!;
  return { ...head, analysis: head.analysis! };
}

const ofPackage = (key: string, version: string, fixed: string | null, severity: 'critical' | 'high' = 'critical') => {
  const { location } = detectionOf(key);
  const log4j = { ecosystem: 'Maven', name: 'log4j-core', version, fixed_version: fixed, purl: null };
  return detectionOf(key, {
    severity,
    rule: { id: `CVE-2021-${key}`, name: `CVE-2021-${key}`, url: null },
    identifiers: [`CVE-2021-${key}`],
    cvss_score: 9.8,
    location: { ...location, package: log4j },
  });
};

test('the first actions close the most: upgrades to the highest version needed, and rules with a readable name', async () => {
  const tenant = await createTenant(testDatabase.database);
  const [billing, accounts] = [
    await addDataSource(tenant, 'billing', tenant.userId),
    await addDataSource(tenant, 'accounts'),
  ];
  await scan(tenant, billing, [
    ofPackage('44228', '2.14.1', '2.15.0, 2.12.2'),
    ofPackage('45046', '2.14.1', '2.16.0', 'high'),
  ]);
  const sql = {
    id: 'java.lang.security.audit.sqli.tainted-sql',
    name: 'java.lang.security.audit.sqli.tainted-sql',
    url: null,
  };
  await scan(tenant, accounts, [
    ofPackage('45105', '2.9.1', '2.9.10'),
    detectionOf('sql', { rule: sql, title: 'SQL injection in src/db.ts', identifiers: ['CWE-89'], severity: 'medium' }),
    detectionOf('info', { severity: 'info' }),
  ]);
  await scan(
    tenant,
    accounts,
    [detectionOf('key', { rule: { id: 'aws', name: 'AWS access key', url: null } })],
    'secrets',
  );
  const { analysis } = await report(tenant);
  const [upgrade, secret, fix, ...others] = analysis.actions.first;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [upgrade!.kind, upgrade!.name, upgrade!.package!.version, upgrade!.package!.current, upgrade!.findings],
    ['upgrade', 'log4j-core', '2.16.0', ['2.14.1', '2.9.1'], 3],
  );
  assert.deepEqual([upgrade!.by_severity.critical, upgrade!.by_severity.high, upgrade!.data_source_count], [2, 1, 2]);
  assert.deepEqual(
    [upgrade!.owners, upgrade!.data_sources[0]!.name],
    [[{ id: tenant.userId, name: upgrade!.owners[0]!.name }], 'billing'],
  );
  assert.ok(upgrade!.earliest_due_at! > (await report(tenant)).taken_at);
  assert.deepEqual([secret!.kind, secret!.name, secret!.cwe], ['rotate_secret', 'AWS access key', 'CWE-798']);
  assert.deepEqual([fix!.kind, fix!.name], ['fix', 'SQL injection']);
  assert.match(fix!.remediation!, /prepared statements/);
  assert.deepEqual(analysis.actions, {
    first: analysis.actions.first,
    total: 3,
    covered: { open: 5, critical_high: 4 },
  });
});

test("a rule whose id starts like an advisory's need not be about a package", async () => {
  const tenant = await createTenant(testDatabase.database);
  const billing = await addDataSource(tenant, 'billing');
  const rule = { id: 'npm-access-token', name: 'npm access token', url: null };
  await scan(tenant, billing, [detectionOf('token', { rule, severity: 'high' })]);
  const { analysis } = await report(tenant);
  assert.deepEqual([analysis.actions.total, analysis.actions.first[0]!.package], [1, null]);
});

test('a package version without a fix is one action that closes all of its findings', async () => {
  const tenant = await createTenant(testDatabase.database);
  const billing = await addDataSource(tenant, 'billing');
  const { location } = detectionOf('struts');
  const struts = { ecosystem: 'Maven', name: 'struts', version: '1.0', fixed_version: null, purl: null };
  await scan(
    tenant,
    billing,
    [
      ...['44228', '45046', '45105'].map((key) => ofPackage(key, '2.14.1', null)),
      ofPackage('44832', '2.9.1', null, 'high'),
      ofPackage('45000', '2.14.1', '2.15.0', 'high'),
      // The same advisory in another package.
      { ...ofPackage('44228', '1.0', null, 'high'), ...{ fingerprint: detectionOf('struts').fingerprint } },
    ].map((detection, index) =>
      index === 5 ? { ...detection, location: { ...location, package: struts } } : detection,
    ),
  );
  const { analysis } = await report(tenant);
  assert.deepEqual(
    analysis.actions.first.map(({ name, package: found, findings }) => [
      name,
      found!.current,
      found!.version,
      findings,
    ]),
    [
      ['log4j-core', ['2.14.1'], null, 3],
      ['log4j-core', ['2.14.1'], '2.15.0', 1],
      ['log4j-core', ['2.9.1'], null, 1],
      ['struts', ['1.0'], null, 1],
    ],
  );
  assert.equal(analysis.actions.total, 4);
  assert.equal(
    actionTitle(analysis.actions.first[0]!, wordingOf(await report(tenant))),
    'Replace or isolate log4j-core 2.14.1 (Maven): no fixed version is known',
  );
});

test('figures and changes are compared with the earlier report', async () => {
  const tenant = await createTenant(testDatabase.database);
  const place = await addDataSource(tenant, 'billing');
  const [one, two, three, four] = ['1', '2', '3', '4'].map((key) => detectionOf(key));
  await scan(tenant, place, [one!, two!, three!]);
  await run(
    tenant,
    `UPDATE findings SET first_seen_at = first_seen_at - interval '40 days', due_at = now() - interval '1 day' WHERE org_id = $1`,
  );
  await run(tenant, `UPDATE finding_flows SET day = day - 40 WHERE org_id = $1`);
  const before = await report(tenant);
  assert.equal(before.analysis.comparison, null);
  assert.deepEqual(before.analysis.key_figures.open_critical_high, { value: 3, change: null });
  assert.deepEqual(before.analysis.key_figures.overdue, { value: 3, change: null });
  // The time of a report has no fractions of a second.
  await run(
    tenant,
    `UPDATE reports SET head = jsonb_set(head::jsonb, '{taken_at}', to_jsonb(to_char(now() - interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))) WHERE org_id = $1`,
  );
  await scan(tenant, place, [two!, three!]);
  await scan(tenant, place, [one!, three!, four!]);
  const [{ id }] = (await call(node, tenant.token, 'GET', '/findings?q=3')).body.data;
  const decision = {
    status: 'accepted_risk',
    comment: 'Behind the firewall.',
    accepted_until: new Date(Date.now() + 864e5),
  };
  assert.equal((await call(node, tenant.token, 'PATCH', `/findings/${id}`, decision)).status, 200);
  const { analysis } = await report(tenant, { compare_to: before.id });
  assert.deepEqual(
    [analysis.comparison!.report, analysis.comparison!.same_filters],
    [{ id: before.id, title: before.title }, true],
  );
  const { changes, key_figures: figures } = analysis;
  assert.deepEqual(
    [changes.new.total, changes.fixed.total, changes.reopened.total, changes.accepted.total],
    [1, 2, 1, 1],
    'the one that reopened had been fixed as well',
  );
  assert.deepEqual(
    [changes.new, changes.fixed, changes.reopened, changes.accepted].map(({ most_severe }) => most_severe[0]!.title),
    ['Problem 4', 'Problem 2', 'Problem 1', 'Problem 3'],
  );
  assert.equal(changes.new.most_severe[0]!.place, placeName(four!.location));
  assert.deepEqual(figures.open_critical_high, { value: 2, change: -1 });
  assert.deepEqual(figures.accepted_ending_soon, { value: 1, change: 1 });
  assert.deepEqual(figures.median_days_to_fix.value, 40);
  const [entry] = analysis.register.entries;
  assert.deepEqual(
    [entry!.title, entry!.decided_by!.id, entry!.reason, entry!.status],
    ['Problem 3', tenant.userId, 'Behind the firewall.', 'accepted_risk'],
  );
  assert.equal(entry!.place, placeName(three!.location));
  assert.ok(entry!.decided_at && entry!.accepted_until! > entry!.decided_at);
  assert.deepEqual([analysis.register.accepted_risk.total, analysis.register.accepted_risk.without_reason], [1, 0]);
  assert.deepEqual(analysis.due_dates.by_severity.high.missed, 2);
  const other = await report(tenant, { compare_to: before.id, filters: { severity: ['low'] } });
  assert.equal(other.analysis.comparison!.same_filters, false);
});

test('a finding resolved in the millisecond in which it was due is on time, as its times in the API show', async () => {
  const tenant = await createTenant(testDatabase.database);
  const place = await addDataSource(tenant, 'billing');
  await scan(tenant, place, [detectionOf('1')]);
  const [{ id }] = (await call(node, tenant.token, 'GET', '/findings')).body.data;
  assert.equal((await call(node, tenant.token, 'PATCH', `/findings/${id}`, { status: 'resolved' })).status, 200);
  const move = (at: string) =>
    run(tenant, `UPDATE finding_history SET at = '${at}' WHERE org_id = $1 AND move IS NOT NULL`);
  const due = new Date(Date.now() - 1_000).toISOString();
  await run(tenant, 'UPDATE finding_history SET due_at = $2 WHERE org_id = $1', due);
  for (const [at, kept] of [
    [due.replace('Z', '900Z'), 1],
    [new Date(Date.parse(due) + 1).toISOString(), 0],
  ] as const) {
    await move(at);
    const { high } = (await report(tenant)).analysis.due_dates.by_severity;
    assert.deepEqual([high.kept, high.missed], [kept, 1 - kept], at);
  }
});

test('coverage lists failed, partial, stale and missing scans, like the list of data sources', async () => {
  const tenant = await createTenant(testDatabase.database);
  const add = (name: string, ownerId?: string) => addDataSource(tenant, name, ownerId);
  const [never, failed, partial, stale, ok] = [
    await add('never'),
    await add('failed'),
    await add('partial'),
    await add('stale'),
    await add('ok', tenant.userId),
  ];
  const ended = (id: string, more: Parameters<typeof recordEndedScan>[3]) =>
    recordEndedScan(testDatabase.database, tenant.orgId, id, { source: 'code', ...more });
  for (const id of [failed, partial, stale, ok]) {
    const scanId = await scan(tenant, id, [detectionOf(id)]);
    await ended(id, { scanId, daysAgo: id === stale ? 8 : 1, version: '4.2.0' });
  }
  await ended(failed, { status: 'failed', error: 'No route to host' });
  await ended(partial, { warning: 'Two files are too large.' });
  await ended(ok, { status: 'cancelled' });
  const { analysis } = await report(tenant);
  const { coverage } = analysis;
  assert.deepEqual(coverage.by_state, { failed: 1, partial: 1, stale: 1, never_scanned: 1, ok: 1 });
  assert.deepEqual(
    coverage.data_sources.map((source) => [source.id, source.state, source.tools[0]?.reason ?? null, source.open]),
    [
      [failed, 'failed', 'No route to host', 1],
      [partial, 'partial', 'Two files are too large.', 1],
      [stale, 'stale', 'The last complete scan was more than 7 days ago.', 1],
      [never, 'never_scanned', null, 0],
      [ok, 'ok', null, 1],
    ],
  );
  const { body } = await call(node, tenant.token, 'GET', '/data-sources');
  const states = (rows: { id: string; status?: string; state?: string }[]) =>
    new Map(rows.map(({ id, status, state }) => [id, status ?? state]));
  assert.deepEqual(new Map([...states(body.data)].sort()), new Map([...states(coverage.data_sources)].sort()));
  assert.deepEqual(
    analysis.tools.map(({ source, version, data_sources }) => [source, version, data_sources]),
    [['code', '4.2.0', 4]],
  );
  const chosen = await report(tenant, { filters: { data_source: [ok] } });
  assert.deepEqual([chosen.analysis.coverage.total, chosen.analysis.owners.owners[0]!.owner!.id], [1, tenant.userId]);
});

test('weaknesses are mapped to standards, using the known weakness of the rule if the tool names none', async () => {
  const tenant = await createTenant(testDatabase.database);
  const place = await addDataSource(tenant, 'billing');
  const known = { id: 'B303', name: 'blacklist', url: null };
  await scan(tenant, place, [
    detectionOf('xss', { identifiers: ['CWE-79', 'CWE-80'] }),
    detectionOf('bandit', { rule: known, identifiers: [] }),
    detectionOf('unknown', { identifiers: [] }),
    ofPackage('44228', '2.14.1', '2.15.0', 'high'),
  ]);
  const { analysis } = await report(tenant);
  const { weaknesses, without_cwe, standards } = analysis.mapping;
  assert.equal(without_cwe, 1);
  assert.deepEqual(weaknesses.map(({ id }) => id).sort(), ['CWE-1395', 'CWE-327', 'CWE-79', 'CWE-80']);
  const found = (id: string) =>
    standards
      .find((standard) => standard.id === id)!
      .categories.filter(({ open }) => open > 0)
      .map((one) => [one.id, one.open]);
  assert.deepEqual(found('owasp-2025'), [
    ['A03', 1],
    ['A04', 1],
    ['A05', 1],
  ]);
  assert.deepEqual(found('owasp-2021'), [
    ['A02', 1],
    ['A03', 1],
    ['A06', 1],
  ]);
  assert.deepEqual(found('cwe-top-25-2025'), [['CWE-79', 1]]);
  assert.deepEqual(
    standards.map(({ unmapped }) => unmapped),
    [1, 1, 3, 1, 1],
  );
  assert.deepEqual(
    [analysis.severity_comparison.compared, analysis.severity_comparison.pairs],
    [1, [{ tool: 'high', cvss: 'critical', findings: 1 }]],
  );
});
