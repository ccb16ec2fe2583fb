import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { severities } from '@assay/scanner/contract/severity.ts';
import { contextOf, isInTests, isTestPath } from '@assay/scanner/contract/test-path.ts';
import { startApplication } from '../../../tests/harness/application.ts';
import { addDataSource } from '../../../tests/harness/finding-set.ts';
import { recordEndedScan, recordScan, succeeded } from '../../../tests/harness/furnished.ts';
import { createTenant, createTestMember, type Person } from '../../../tests/harness/people.ts';
import { criticalities } from '../../data-sources/importance.ts';
import { defaultSignInPolicy } from '../../organization/sign-in-policy.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { beginChange } from '../change-clock.ts';
import { detectionOf } from '../findings.fixture.ts';
import { daysToFix, defaultPolicy, dueAt, type Policy } from '../policy.ts';
import { findPolicyStatement } from '../policy-queries.ts';
import { priorityOf, type UrgencyInputs } from '../urgency.ts';
import { policyJobs, policyTicks } from './jobs.ts';
import { recompute } from './recompute.ts';

const app = await startApplication();
const { database } = app;
after(() => app.close());

const place = (path: string) => ({ location: { ...detectionOf('x').location, path } });
const dayMs = 86_400_000;
const seconds = (ms: number | null) => (ms === null ? null : `${new Date(ms).toISOString().slice(0, 19)}Z`);

// biome-ignore lint/suspicious/noExplicitAny: a finding as the API returns it
type Finding = any;

async function organization() {
  const owner = await createTenant(database);
  const call = (method: string, path: string, json?: object, headers = {}) =>
    app.call(owner.token, method, path, json ? { json, headers } : { headers });
  const get = async (path: string) => succeeded(await call('GET', path));
  const findings = async (query = ''): Promise<Finding[]> => (await get(`/findings?limit=200${query}`)).data;
  return { ...owner, call, get, findings };
}

/** Runs all pending recomputations in the same way as the job. */
async function settle({ orgId }: Pick<Person, 'orgId'>): Promise<void> {
  while ((await recompute(database, orgId)) !== 'done');
}

/** Creates one finding of each severity, and another in test code, in a data source of each criticality. */
async function everyCase(owner: Awaited<ReturnType<typeof organization>>) {
  for (const criticality of criticalities) {
    const id = await addDataSource(app, owner.token, criticality);
    succeeded(await owner.call('PATCH', `/data-sources/${id}`, { criticality }));
    const detections = severities.flatMap((severity) => [
      detectionOf(severity, { severity, ...place('src/a.ts') }),
      detectionOf(`${severity}-test`, { severity, ...place('test/a.ts') }),
    ]);
    await recordScan(database, owner.orgId, id, detections);
  }
}

const expectedDue = (policy: Policy, finding: Finding, firstSeen: string): string | null => {
  const given = {
    severity: finding.severity,
    criticality: finding.data_source.name,
    closed: finding.closed_at !== null,
  };
  return seconds(
    dueAt(policy, { ...given, inTests: finding.location.path === 'test/a.ts', since: Date.parse(firstSeen) }),
  );
};

async function assertDue(owner: Awaited<ReturnType<typeof organization>>, policy: Policy): Promise<void> {
  const findings = await owner.findings();
  assert.equal(findings.length, 40);
  for (const finding of findings)
    assert.equal(finding.due_at, expectedDue(policy, finding, finding.first_seen_at), `${finding.title}`);
}

test('days to fix decrease with severity and criticality, and tests get more days', () => {
  const given = { severity: 'critical', criticality: 'medium', inTests: false } as const;
  assert.equal(daysToFix(defaultPolicy, given), 15);
  assert.equal(daysToFix(defaultPolicy, { ...given, inTests: true }), 45);
  assert.equal(daysToFix(defaultPolicy, { ...given, criticality: 'critical' }), 3);
  assert.equal(daysToFix(defaultPolicy, { ...given, severity: 'info', inTests: true }), null);
  assert.equal(dueAt(defaultPolicy, { ...given, closed: false, since: 1000 }), 1000 + 15 * dayMs);
  assert.equal(dueAt(defaultPolicy, { ...given, closed: true, since: 1000 }), null);
});

test('the path shows whether a finding is in test code', () => {
  const tests = [
    ...[
      'test/a.ts',
      'src/__tests__/a.js',
      'a.test.ts',
      'pkg/a_test.go',
      'test_a.py',
      'app/conftest.py',
      'a/spec/b_spec.rb',
    ],
    ...['src/ATest.java', 'lib/fixtures/key.pem', 'e2e/login.ts', 'x\\Tests\\A.cs', 'testdata/a', 'OrderTests.cs'],
    ...[
      'unittests/a.py',
      'unit_tests/a.py',
      'integration-tests/a.go',
      'test_data/a',
      'app/androidTest/A.kt',
      'mock/a.go',
    ],
    ...[
      'Shop.Tests/A.cs',
      'ShopUITests/A.swift',
      'packages/app-test/a.ts',
      '__snapshots__/a',
      'testutil/a.go',
      'sample/a',
      'shop/tests.py',
    ],
    ...['examples/app/src/main/java/App.java', 'cypress/a.ts', 'Button.stories.tsx', 'src/OrderIT.java'],
  ];
  const others = [
    'src/a.ts',
    'contest/a.ts',
    'latest/a.ts',
    'Contest/a.ts',
    'specification/a.yaml',
    'attests/a.go',
    'testimonials/a.ts',
    'mockingbird/a.ts',
    'latest.ts',
    'src/attestation.go',
    'Fastest.java',
    'testament.md',
    'src/protest.py',
    'src/main/java/com/example/test/LoadTest.java',
    'AUDIT.java',
  ];
  assert.deepEqual(
    tests.filter((path) => !isTestPath(path)),
    [],
  );
  assert.deepEqual(
    [...others, null].filter((path) => isTestPath(path)),
    [],
  );
});

test('a problem is in tests only if all its places are', () => {
  const places = (...paths: string[]) => paths.map((path) => ({ path }));
  assert.equal(isInTests('test/a.ts', null), true);
  assert.equal(isInTests('test/a.ts', places('test/a.ts', 'spec/b.ts')), true);
  assert.equal(isInTests('test/a.ts', places('test/a.ts', 'src/b.ts')), false);
  assert.equal(isInTests('src/b.ts', places('src/b.ts', 'test/a.ts')), false);
  assert.equal(contextOf('test/a.ts', places('test/a.ts', 'spec/b.ts')), 'test');
  assert.equal(contextOf('test/a.ts', places('test/a.ts', 'examples/b.ts')), 'example');
  for (const path of [
    'docs/setup.md',
    'site/pages/a.mdx',
    '.env.example',
    'app.example.yml',
    'ci.yml.tmpl',
    'samples/a.ts',
  ])
    assert.equal(contextOf(path, null), 'example', path);
  for (const path of ['src/a.ts', 'docs.ts', 'src/example.ts', null])
    assert.equal(contextOf(path, null), null, `${path}`);
  assert.equal(contextOf('docs/a.md', places('docs/a.md', 'src/a.ts')), null);
});

const inputs: UrgencyInputs = {
  severity: 'high',
  cvss: null,
  inTests: false,
  fixAvailable: false,
  criticality: 'medium',
  exposure: 'internal',
  knownExploited: false,
  epssPercentile: null,
};

test('the priority is the sum of its reasons, between 0 and 100', () => {
  const priority = (changes: Partial<UrgencyInputs>) => priorityOf({ ...inputs, ...changes });
  assert.deepEqual(priority({}), { priority: 48, reasons: [] });
  assert.deepEqual(priority({ cvss: 7.5 }), { priority: 45, reasons: ['cvss'] });
  assert.deepEqual(priority({ criticality: 'critical', exposure: 'public', fixAvailable: true }), {
    priority: 88,
    reasons: ['fix_available', 'data_source_critical', 'public'],
  });
  assert.equal(
    priority({ severity: 'critical', cvss: 10, criticality: 'critical', exposure: 'public', fixAvailable: true })
      .priority,
    100,
  );
  assert.deepEqual(priority({ severity: 'low', inTests: true }), { priority: 0, reasons: ['test_code'] });
  assert.deepEqual(priority({ knownExploited: true, epssPercentile: 0.999 }), {
    priority: 88,
    reasons: ['known_exploited'],
  });
  assert.deepEqual(
    [null, 0.799, 0.8, 0.95, 0.99, 1].map((epssPercentile) => priority({ epssPercentile }).priority - 48),
    [0, 0, 5, 15, 25, 25],
  );
  assert.deepEqual(priority({ epssPercentile: 0.97 }).reasons, ['epss_top_5_percent']);
  for (const severity of severities.toReversed()) {
    const lower = priority({ severity, criticality: 'low' }).priority;
    assert.ok(
      lower <= priority({ severity }).priority &&
        priority({ severity }).priority <= priority({ severity, exposure: 'public' }).priority,
    );
  }
});

test('the stored priority equals that of the function: when a scan reports the finding, changes it, and when its data source changes', async () => {
  const owner = await organization();
  const dataSourceId = await addDataSource(app, owner.token, 'portal');
  const reference = { ecosystem: 'npm', name: 'x', version: '1.0.0', fixed_version: '1.0.1', purl: null };
  const cases = severities.flatMap((severity) =>
    [null, 6.1].flatMap((cvss) =>
      [false, true].flatMap((inTests) =>
        [false, true].map((fixAvailable) => ({ severity, cvss, inTests, fixAvailable })),
      ),
    ),
  );
  const detections = (more: object) =>
    cases.map(({ severity, cvss, inTests, fixAvailable }, index) => {
      const { location } = place(inTests ? 'a.test.ts' : 'a.ts');
      const detection = detectionOf(`case ${index}`, { severity, ...more });
      return { ...detection, cvss_score: cvss, location: { ...location, package: fixAvailable ? reference : null } };
    });
  const assertPriorities = async (importance: Pick<UrgencyInputs, 'criticality' | 'exposure'>) => {
    const found = await owner.findings();
    assert.equal(found.length, cases.length);
    for (const { title, priority, priority_reasons } of found) {
      const expected = priorityOf({ ...inputs, ...cases[Number(title.split(' ')[2])]!, ...importance });
      assert.deepEqual({ priority, reasons: priority_reasons }, expected, title);
    }
  };
  await recordScan(database, owner.orgId, dataSourceId, detections({}));
  await assertPriorities({ criticality: 'medium', exposure: 'internal' });
  for (const importance of [
    { criticality: 'critical', exposure: 'internal' },
    { criticality: 'low', exposure: 'public' },
  ] as const) {
    succeeded(await owner.call('PATCH', `/data-sources/${dataSourceId}`, importance));
    await settle(owner);
    await assertPriorities(importance);
    await recordScan(database, owner.orgId, dataSourceId, detections({ description: importance.criticality }));
    await assertPriorities(importance);
  }
});

test('new findings are due according to the policy, and all due times are recomputed when the policy or a criticality changes', async () => {
  const owner = await organization();
  await everyCase(owner);
  await assertDue(owner, defaultPolicy);
  const before = await owner.findings();
  const policy: Policy = {
    ...defaultPolicy,
    days_to_fix: { ...defaultPolicy.days_to_fix, low: { low: null, medium: 1, high: 2, critical: null } },
    test_grace_days: 3,
  };
  const whole = { ...policy, stale_after_days: 7, sign_in: defaultSignInPolicy };
  assert.deepEqual(succeeded(await owner.call('PUT', '/organization/policy', policy)), whole);
  assert.deepEqual(await owner.get('/organization/policy'), whole);
  await settle(owner);
  await assertDue(owner, policy);
  const versions = (findings: Finding[]) => findings.map(({ id, updated_at }) => [id, updated_at]);
  assert.deepEqual(versions(await owner.findings()), versions(before), 'followers of changes see nothing');
  const [{ id }] = (await owner.get('/data-sources?limit=1')).data;
  succeeded(await owner.call('PATCH', `/data-sources/${id}`, { criticality: 'low', name: 'low' }));
  await settle(owner);
  await assertDue(owner, policy);
});

test('a preview of other days counts the open findings that would be due earlier, later and at once, and changes nothing', async () => {
  const owner = await organization();
  await everyCase(owner);
  await settle(owner);
  const before = await owner.findings();
  const preview = async (changes: Partial<Policy>) => {
    const { days_to_fix, test_grace_days } = { ...defaultPolicy, ...changes };
    return succeeded(await owner.call('POST', '/organization/policy/preview', { days_to_fix, test_grace_days }));
  };
  const nothing = { overdue: 0, overdue_numbers: [] };
  assert.deepEqual(await preview({}), { earlier: 0, later: 0, ...nothing });
  const closed = before.find(({ severity }) => severity === 'critical');
  succeeded(
    await owner.call('PATCH', `/findings/${closed.id}`, { status: 'false_positive', comment: 'Not reachable.' }),
  );
  const { days_to_fix } = defaultPolicy;
  const ofCriticals = (days: number | null) => ({
    days_to_fix: {
      ...days_to_fix,
      critical: Object.fromEntries(criticalities.map((name) => [name, days])) as Policy['days_to_fix']['critical'],
    },
  });
  const criticals = before.filter(({ severity }) => severity === 'critical').length;
  assert.deepEqual(await preview(ofCriticals(null)), { earlier: 0, later: criticals - 1, ...nothing });
  assert.deepEqual(await preview(ofCriticals(3650)), { earlier: 0, later: criticals - 1, ...nothing });
  // Seen two days ago, a finding with a day to fix is overdue at once.
  await database.transaction(owner.orgId, async (tx) => {
    await tx.query({
      text: `UPDATE findings SET first_seen_at = first_seen_at - interval '2 days', due_at = due_at - interval '2 days' WHERE org_id = $1`,
      values: [owner.orgId],
    });
  });
  const inCode = before.filter(
    ({ severity, id, location }) => severity === 'critical' && id !== closed.id && location.path === 'src/a.ts',
  );
  const { overdue, overdue_numbers } = await preview({ ...ofCriticals(1), test_grace_days: 100 });
  assert.equal(overdue, inCode.length);
  assert.deepEqual(overdue_numbers.sort(), inCode.map(({ number }) => number).sort());
  const other = await organization();
  const { earlier, later } = succeeded(
    await other.call('POST', '/organization/policy/preview', { ...ofCriticals(1), test_grace_days: 0 }),
  );
  assert.deepEqual([earlier, later], [0, 0]);
});

test('a closed finding has no due date, and a reopened one has a new one, unless an undo reopened it', async () => {
  const owner = await organization();
  const dataSourceId = await addDataSource(app, owner.token, 'medium');
  await recordScan(database, owner.orgId, dataSourceId, [detectionOf('a', { severity: 'critical' })]);
  await database.single(owner.orgId, {
    text: `UPDATE findings SET first_seen_at = first_seen_at - interval '20 days', due_at = due_at - interval '20 days' WHERE org_id = $1`,
    values: [owner.orgId],
  });
  const [{ id, due_at: first }] = await owner.findings('&overdue=true');
  assert.deepEqual(await owner.findings('&overdue=false'), []);
  const bulk = succeeded(await owner.call('PATCH', '/findings', { ids: [id], status: 'resolved' }));
  assert.deepEqual(
    (await owner.findings()).map(({ due_at }) => due_at),
    [null],
  );
  assert.deepEqual(await owner.findings('&overdue=true'), []);
  succeeded(await owner.call('POST', `/bulk-operations/${bulk.operation.id}/undo`));
  const [undone] = await owner.findings();
  assert.equal(undone.due_at, first);
  succeeded(await owner.call('PATCH', `/findings/${id}`, { status: 'false_positive' }));
  const reopened = succeeded(await owner.call('PATCH', `/findings/${id}`, { status: 'triaged' }));
  assert.ok(reopened.due_at > seconds(Date.now() + 14.9 * dayMs)!, reopened.due_at);
  await settle(owner);
  assert.equal((await owner.findings())[0].due_at, reopened.due_at);
  await recordScan(database, owner.orgId, dataSourceId, [], { close: true });
  assert.equal((await owner.findings())[0].due_at, null);
});

test('findings that a merge inserts while the policy changes are due by the new policy in the end', async () => {
  const owner = await organization();
  const dataSourceId = await addDataSource(app, owner.token, 'medium');
  const policy = { ...defaultPolicy, test_grace_days: 99 };
  const merge = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  // A change of findings, like a merge, that is in progress before and after the policy is replaced.
  const open = database.transaction(owner.orgId, async (tx: Db) => {
    await beginChange(tx, owner.orgId);
    begun.resolve();
    await merge.promise;
  });
  await begun.promise;
  succeeded(await owner.call('PUT', '/organization/policy', policy));
  let progress = await recompute(database, owner.orgId);
  while (progress === 'more') progress = await recompute(database, owner.orgId);
  assert.equal(progress, 'later', 'it waits for the merge');
  merge.resolve();
  await open;
  await recordScan(database, owner.orgId, dataSourceId, [
    detectionOf('t', { severity: 'high', ...place('test/a.ts') }),
  ]);
  await settle(owner);
  const [finding] = await owner.findings();
  assert.equal(finding.due_at, seconds(Date.parse(finding.first_seen_at) + 129 * dayMs));
});

test('the job takes up organizations whose findings are stale, and the next job continues where the last one stopped', async () => {
  const owner = await organization();
  await everyCase(owner);
  await database.single(owner.orgId, {
    text: `UPDATE findings SET due_at = 'infinity', urgency_bits = 0 WHERE org_id = $1`,
    values: [owner.orgId],
  });
  await policyTicks[0]!.run({ database });
  const jobs = () =>
    database.single<{ key: string }>(null, {
      text: `SELECT key FROM graphile_worker._private_jobs WHERE key = $1`,
      values: [`recompute-findings:${owner.orgId}`],
    });
  assert.equal((await jobs()).length, 1);
  await assert.doesNotReject(policyJobs()[0]!.run({ org_id: owner.orgId }, { database }));
  await settle(owner);
  await assertDue(owner, defaultPolicy);
});

test('the confidence that a scan reported survives a recomputation', async () => {
  const owner = await organization();
  const dataSourceId = await addDataSource(app, owner.token, 'medium');
  const given = ['high', 'medium', 'low', null] as const;
  await recordScan(
    database,
    owner.orgId,
    dataSourceId,
    given.map((confidence) => detectionOf(`${confidence}`, { confidence })),
  );
  const shown = async () =>
    (await owner.findings()).map(({ confidence }: { confidence: string | null }) => `${confidence}`).sort();
  assert.deepEqual(await shown(), ['high', 'low', 'medium', 'null']);
  const before = await owner.findings();
  succeeded(await owner.call('PATCH', `/data-sources/${dataSourceId}`, { criticality: 'critical' }));
  await settle(owner);
  const after = await owner.findings();
  assert.ok(after[0].priority > before[0].priority);
  assert.deepEqual(await shown(), ['high', 'low', 'medium', 'null']);
});

test('the policy limits the acceptance of risks, of one finding and of many', async () => {
  const owner = await organization();
  const dataSourceId = await addDataSource(app, owner.token, 'medium');
  await recordScan(database, owner.orgId, dataSourceId, [detectionOf('a')]);
  const [{ id }] = await owner.findings();
  const accepted_risk = { max_days: 30, reason_required: true };
  succeeded(await owner.call('PUT', '/organization/policy', { ...defaultPolicy, accepted_risk }));
  const until = (days: number) => seconds(Date.now() + days * dayMs)!;
  const status = 'accepted_risk';
  const comment = 'Only reachable from the office.';
  for (const [body, field] of [
    [{ status, accepted_until: until(29) }, 'comment'],
    [{ status, comment }, 'accepted_until'],
    [{ status, comment, accepted_until: null }, 'accepted_until'],
    [{ status, comment, accepted_until: until(31) }, 'accepted_until'],
  ] as const) {
    for (const [path, json] of [
      [`/findings/${id}`, body],
      ['/findings', { ids: [id], ...body }],
    ] as const) {
      const { status: code, body: response } = await owner.call('PATCH', path, json);
      assert.deepEqual([code, response.error?.details?.[0].field], [400, field], JSON.stringify(body));
    }
  }
  succeeded(await owner.call('PATCH', `/findings/${id}`, { status, comment, accepted_until: until(29) }));
  // An acceptance may not lose its end later either.
  for (const path of [`/findings/${id}`, '/findings']) {
    const json = { ...(path === '/findings' && { ids: [id] }), accepted_until: null, comment };
    const { status: code, body } = await owner.call('PATCH', path, json);
    assert.deepEqual([code, body.error?.details?.[0].field], [400, 'accepted_until'], path);
  }
  assert.notEqual((await owner.findings())[0].accepted_until, null);
});

test('only admins replace the policy, for their own organization, by its version, and the change is audited', async () => {
  const [owner, other] = [await organization(), await organization()];
  const analyst = await createTestMember(database, owner.orgId, 'analyst');
  const json = { ...defaultPolicy, test_grace_days: 1 };
  assert.equal((await app.call(analyst.token, 'PUT', '/organization/policy', { json })).status, 403);
  assert.equal((await app.call(analyst.token, 'GET', '/organization/policy')).status, 200);
  const { headers } = await owner.call('GET', '/organization/policy');
  const guarded = { 'if-match': headers.etag! };
  assert.equal((await owner.call('PUT', '/organization/policy', json, guarded)).status, 200);
  assert.equal((await owner.call('PUT', '/organization/policy', json, guarded)).status, 412);
  assert.deepEqual(await other.get('/organization/policy'), {
    ...defaultPolicy,
    stale_after_days: 7,
    sign_in: defaultSignInPolicy,
  });
  const [event] = (await owner.get('/audit-events?action=policy.updated')).data;
  assert.deepEqual([event.before, event.after], [{ test_grace_days: 30 }, { test_grace_days: 1 }]);
  for (const wrong of [{}, { ...json, test_grace_days: -1 }, { ...json, days_to_fix: {} }, { ...json, other: 1 }])
    assert.equal((await owner.call('PUT', '/organization/policy', wrong)).status, 400, JSON.stringify(wrong));
});

test("data sources become stale after the policy's number of days, and changing it recomputes no due date", async () => {
  const owner = await organization();
  const id = await addDataSource(app, owner.token, 'shop');
  await recordEndedScan(database, owner.orgId, id, { daysAgo: 3 });
  const state = async () => {
    const { status, status_message } = await owner.get(`/data-sources/${id}`);
    return [status, status_message];
  };
  assert.deepEqual(await state(), ['ok', null]);
  const version = async () =>
    (await database.single<{ version: number }>(owner.orgId, findPolicyStatement(owner.orgId)))[0]?.version;
  succeeded(await owner.call('PUT', '/organization/policy', { ...defaultPolicy, stale_after_days: 2 }));
  const before = await version();
  assert.deepEqual(await state(), ['stale', 'The last complete scan was more than 2 days ago.']);
  const { headers } = await owner.call('GET', '/organization/policy');
  const guarded = { 'if-match': headers.etag! };
  const json = { ...defaultPolicy, stale_after_days: 1 };
  succeeded(await owner.call('PUT', '/organization/policy', json, guarded));
  assert.equal((await owner.call('PUT', '/organization/policy', json, guarded)).status, 412);
  assert.deepEqual(await state(), ['stale', 'The last complete scan was more than a day ago.']);
  assert.equal(await version(), before);
  // Without the field, the policy keeps it.
  succeeded(await owner.call('PUT', '/organization/policy', defaultPolicy));
  assert.equal((await owner.get('/organization/policy')).stale_after_days, 1);
});
