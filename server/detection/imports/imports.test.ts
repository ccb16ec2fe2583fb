import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { AdvisoryDirectory, osvAdvisory } from '../../../tests/harness/advisories.ts';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { call, createTestNode, type Node } from '../../../tests/harness/identity.ts';
import { eventually } from '../../../tests/harness/installation.ts';
import { createTenant, type Person } from '../../../tests/harness/people.ts';
import { dataSourceRoutes } from '../../data-sources/routes.ts';
import { oneFindingRoutes } from '../../decisions/finding-routes.ts';
import { decisionTicks } from '../../decisions/jobs.ts';
import { decisionsOnDataSourceDeleted } from '../../decisions/repository/queries.ts';
import { decisionRoutes } from '../../decisions/routes.ts';
import { findingRoutes } from '../../findings/routes.ts';
import { newId } from '../../platform/id.ts';
import { silentLog } from '../../platform/log.ts';
import { createKeyring } from '../../platform/sealed.ts';
import { openFeed } from '../advisories/open-feed.ts';
import { syncAdvisories } from '../advisories/sync.ts';
import { scanRoutes } from '../scans/routes.ts';
import { takeTarget } from '../targets/claimed-target.ts';
import { type ClaimedTarget, endTarget } from '../targets/target-queries.ts';
import { createImportReader } from './import-reader.ts';
import { enqueueImport, type ImportJob, runImport } from './merge-import.ts';
import { importRoutes } from './routes.ts';

let testDatabase: TestDatabase;
let node: Node;
before(async () => {
  testDatabase = await createTestDatabase();
  node = await createTestNode(
    testDatabase.database,
    [...scanRoutes, ...importRoutes, ...findingRoutes, ...oneFindingRoutes, ...decisionRoutes, ...dataSourceRoutes],
    undefined,
    {
      imports: createImportReader(testDatabase.database, createKeyring('k'.repeat(32))),
    },
  );
});
after(async () => {
  await node.close();
  await testDatabase.drop();
});

type Place = Person & { dataSourceId: string };

async function createPlace(): Promise<Place> {
  const tenant = await createTenant(testDatabase.database);
  const dataSourceId = newId('ds');
  await testDatabase.database.single(tenant.orgId, {
    text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', 'pipeline', '{}')`,
    values: [tenant.orgId, dataSourceId],
  });
  return { ...tenant, dataSourceId };
}

type Result = { rule: string; path: string; line?: number; text?: string; suppressed?: string; level?: string };

const sarif = (results: Result[], driver = 'Example Lint') =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: driver, rules: [...new Set(results.map((one) => one.rule))].map((id) => ({ id })) } },
        results: results.map((one) => ({
          ruleId: one.rule,
          level: one.level ?? 'error',
          message: { text: `${one.rule} in ${one.path}` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: one.path },
                region: { startLine: one.line ?? 1, snippet: { text: one.text ?? 'danger()' } },
              },
            },
          ],
          ...(one.suppressed && { suppressions: [{ kind: 'external', justification: one.suppressed }] }),
        })),
      },
    ],
  });

async function send(place: Place, body: string | Buffer, query = '') {
  const response = await node.app.inject({
    method: 'POST',
    url: `/api/v1/data-sources/${place.dataSourceId}/imports${query}`,
    headers: { authorization: `Bearer ${place.token}`, 'content-type': 'application/octet-stream' },
    payload: body,
  });
  return { status: response.statusCode, body: response.json() };
}

/** Runs the waiting jobs like a worker. */
async function work(): Promise<void> {
  const { rows } = await testDatabase.database.pool.query<{ id: string; payload: ImportJob }>(
    `SELECT id::text, payload FROM graphile_worker._private_jobs ORDER BY payload ->> 'scan_id'`,
  );
  for (const { id, payload } of rows) {
    assert.equal(await runImport({ database: testDatabase.database, log: silentLog }, payload), 0);
    await testDatabase.database.pool.query('SELECT graphile_worker.complete_jobs(ARRAY[$1::bigint])', [id]);
  }
}

async function importFile(place: Place, body: string | Buffer, query = '') {
  const sent = await send(place, body, query);
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
  assert.equal(sent.body.trigger, 'import');
  await work();
  return (await call(node, place.token, 'GET', `/scans/${sent.body.id}`)).body;
}

const findings = async (place: Place) =>
  (await call(node, place.token, 'GET', '/findings?limit=200&sort=first_seen_at')).body.data as Array<
    Record<string, never>
  >;

const batchesLeft = async ({ orgId }: Place) =>
  (
    await testDatabase.database.single(orgId, {
      text: 'SELECT 1 FROM import_batches WHERE org_id = $1',
      values: [orgId],
    })
  ).length;

const a = { rule: 'sql-injection', path: 'src/a.ts' };
const b = { rule: 'xss', path: 'src/b.ts' };

test('the same results again, gzipped, reordered and moved within their files, make no new finding', async () => {
  const place = await createPlace();
  const first = await importFile(place, sarif([a, b]));
  assert.deepEqual(
    [first.status, first.source, first.findings],
    ['completed', 'example-lint', { new: 2, seen: 0, reopened: 0, resolved: 0 }],
  );
  const again = await importFile(
    place,
    gzipSync(
      sarif([
        { ...b, line: 90 },
        { ...a, line: 7 },
      ]),
    ),
  );
  assert.deepEqual(again.findings, { new: 0, seen: 2, reopened: 0, resolved: 0 });
  assert.equal((await findings(place)).length, 2);
  assert.equal(await batchesLeft(place), 0);
});

test('findings that the tool no longer reports are closed only on request, and an import that closed none says why', async () => {
  const place = await createPlace();
  const closedNothing = async ({ id }: { id: string }) =>
    (await call(node, place.token, 'GET', `/scans/${id}/targets`)).body.data[0].closed_nothing_because?.code;
  await importFile(place, sarif([a, b]));
  const plain = await importFile(place, sarif([a]));
  assert.deepEqual([plain.findings.resolved, await closedNothing(plain)], [0, 'not_requested']);
  const incomplete = sarif([a]).replace('"results"', '"invocations":[{"executionSuccessful":false}],"results"');
  const cut = await importFile(place, incomplete, '?close_missing=true');
  assert.deepEqual([cut.findings.resolved, await closedNothing(cut)], [0, 'incomplete']);
  const adding = await importFile(place, incomplete);
  assert.deepEqual([adding.findings.resolved, await closedNothing(adding)], [0, 'incomplete']);
  const closing = await importFile(place, sarif([a]), '?close_missing=true');
  assert.deepEqual([closing.findings.resolved, await closedNothing(closing)], [1, undefined]);
  const again = await importFile(place, sarif([a]), '?close_missing=true');
  assert.deepEqual([again.findings.resolved, await closedNothing(again)], [0, 'nothing_missing']);
  assert.equal((await importFile(place, sarif([a, b]))).findings.reopened, 1);
});

test('an incomplete import is partial and no complete scan, whether or not it was to close anything', async () => {
  const place = await createPlace();
  const incomplete = sarif([a]).replace('"results"', '"invocations":[{"executionSuccessful":false}],"results"');
  const completeAt = async () => {
    const text = 'SELECT complete_at FROM finding_coverage WHERE org_id = $1';
    const [row] = await testDatabase.database.single<{ complete_at: Date | null }>(place.orgId, {
      text,
      values: [place.orgId],
    });
    return row!.complete_at;
  };
  const statusOf = async () =>
    (await call(node, place.token, 'GET', `/data-sources/${place.dataSourceId}`)).body.status;
  for (const query of ['', '?close_missing=true']) {
    await importFile(place, incomplete, query);
    assert.deepEqual([await statusOf(), await completeAt()], ['partial', null], query);
  }
  await importFile(place, sarif([a]));
  const at = await completeAt();
  assert.deepEqual([await statusOf(), at !== null], ['ok', true]);
  await importFile(place, incomplete);
  assert.deepEqual([await statusOf(), await completeAt()], ['partial', at]);
});

test('an import that a later one has overtaken closes nothing that both cover, and says so', async () => {
  const place = await createPlace();
  const services = { database: testDatabase.database, log: silentLog };
  const both = (other: Result, results: Result[]) => {
    const runs = [sarif([other], 'Other'), sarif(results, 'One')].flatMap((text) => JSON.parse(text).runs);
    return JSON.stringify({ version: '2.1.0', runs });
  };
  const run = (id: string) =>
    runImport(services, { org_id: place.orgId, scan_id: id, data_source_id: place.dataSourceId });
  await importFile(place, both(b, [a]));
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const change = services.database.transaction(place.orgId, async (tx) => {
    await tx.query({
      text: 'SELECT 1 FROM findings WHERE org_id = $1 AND rule_id = $2 FOR UPDATE',
      values: [place.orgId, b.rule],
    });
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  // The first import, which no longer contains the finding, waits for a finding of the other tool that is being
  // changed.
  const early = (await send(place, both({ ...b, line: 90 }, []), '?close_missing=true')).body.id;
  const slow = run(early);
  const statusOf = async () => (await call(node, place.token, 'GET', `/scans/${early}`)).body.status;
  await eventually(async () => (await statusOf()) === 'running');
  const late = (await send(place, sarif([a], 'One'), '?close_missing=true')).body.id;
  assert.equal(await run(late), 0);
  released.resolve();
  await Promise.all([change, slow]);
  const [target] = (await call(node, place.token, 'GET', `/scans/${early}/targets`)).body.data;
  assert.deepEqual([target.status, target.closed_nothing_because.code], ['completed', 'overtaken']);
  assert.match(target.closed_nothing_because.message, /began later/);
  assert.deepEqual(
    (await findings(place)).map(({ status }) => status),
    ['new', 'new'],
  );
});

test('an import closes nothing of another tool', async () => {
  const place = await createPlace();
  await importFile(place, sarif([a], 'One'));
  await importFile(place, sarif([b], 'Other'), '?close_missing=true');
  assert.deepEqual(
    (await findings(place)).map((one) => one.status),
    ['new', 'new'],
  );
});

test('a suppressed result arrives decided, with the reason as a comment, unless a person has decided before', async () => {
  const place = await createPlace();
  const scan = await importFile(place, sarif([{ ...a, suppressed: 'Reviewed: the input is a constant.' }, b]));
  assert.equal(scan.findings.new, 2);
  const suppressed = (await findings(place)).find((one) => String(one.title).includes('sql')) as never as {
    id: string;
    status: string;
  };
  assert.ok(['false_positive', 'accepted_risk'].includes(suppressed.status));
  const comments = (await call(node, place.token, 'GET', `/findings/${suppressed.id}/comment`)).body.data;
  assert.match(comments[0].comment, /the input is a constant/);
  assert.equal(comments[0].author, null);
  await call(node, place.token, 'PATCH', `/findings/${suppressed.id}`, { status: 'in_progress' });
  await importFile(place, sarif([{ ...a, suppressed: 'Reviewed: the input is a constant.' }]));
  assert.equal((await call(node, place.token, 'GET', `/findings/${suppressed.id}`)).body.status, 'in_progress');
});

test('a suppressed result is a decision of the tool, which people overrule or withdraw for good', async () => {
  const place = await createPlace();
  const file = sarif([{ ...a, suppressed: 'Reviewed: the input is a constant.' }]);
  const get = async (path: string) => (await call(node, place.token, 'GET', path)).body;
  const found = async () => (await get('/findings?limit=10')).data[0];
  await importFile(place, file);
  const { id, status, decision } = await found();
  const { origin, reason, requested_by: by, scope, findings: count } = await get(`/decisions/${decision.id}`);
  assert.deepEqual(
    [origin, reason, by, scope, count],
    ['tool', 'Reviewed: the input is a constant.', null, { finding: [id] }, 1],
  );
  await importFile(place, file);
  assert.equal((await found()).decision.id, decision.id);
  const own = (await call(node, place.token, 'PATCH', `/findings/${id}`, { status: 'false_positive' })).body.decision;
  assert.notEqual(own.id, decision.id);
  assert.equal((await call(node, place.token, 'DELETE', `/decisions/${own.id}`)).status, 204);
  const after = await found();
  assert.deepEqual([after.status, after.decision.id], [status, decision.id], 'the next one takes over');
  const change = await call(node, place.token, 'PATCH', `/decisions/${decision.id}`, { reason: 'Constant.' });
  assert.equal(change.status, 409);
  assert.equal((await call(node, place.token, 'DELETE', `/decisions/${decision.id}`)).status, 204);
  assert.deepEqual([(await found()).status, (await found()).decision], ['new', null]);
  await importFile(place, file);
  assert.deepEqual([(await found()).status, (await found()).decision], ['new', null], 'what a person withdrew');
});

async function setPolicy(place: Place, limits: object, accepted_risk: object = {}) {
  const { sign_in: _, ...policy } = (await call(node, place.token, 'GET', '/organization/policy')).body;
  const accepted = { ...policy.accepted_risk, ...accepted_risk };
  const json = { ...policy, accepted_risk: accepted, decisions: { ...policy.decisions, ...limits } };
  assert.equal((await call(node, place.token, 'PUT', '/organization/policy', json)).status, 200);
}

const suppressed = { ...a, suppressed: 'Reviewed: the input is a constant.' };

/** Returns the status of the only finding, and the decision that applies. */
async function onlyFinding(place: Place): Promise<{ status: string; decision: { id: string; until: string } | null }> {
  const [finding, ...others] = await findings(place);
  assert.deepEqual(others, []);
  return { status: String(finding?.status), decision: finding?.decision ?? null };
}

test('a suppressed result stays open from the severity on from which the policy asks for a second person', async () => {
  const place = await createPlace();
  await setPolicy(place, { approval_from: 'info' });
  await importFile(place, sarif([suppressed]));
  assert.equal((await onlyFinding(place)).status, 'new');
});

test('a suppressed result is open again while its severity has risen to that of the policy', async () => {
  const place = await createPlace();
  await setPolicy(place, { approval_from: 'high' });
  await importFile(place, sarif([{ ...suppressed, level: 'note' }]));
  const { status, decision } = await onlyFinding(place);
  assert.notEqual(status, 'new');
  await importFile(place, sarif([{ ...suppressed, level: 'error' }]));
  assert.deepEqual(await onlyFinding(place), { status: 'new', decision: null });
  await importFile(place, sarif([{ ...suppressed, level: 'note' }]));
  assert.deepEqual(await onlyFinding(place), { status, decision }, 'the same decision');
});

test('a suppressed result is open again when the longest time of the policy has passed, and stays open', async () => {
  const place = await createPlace();
  await setPolicy(place, { longest_days: 30 }, { max_days: 10 });
  await importFile(place, sarif([suppressed]));
  const { status, decision } = await onlyFinding(place);
  const days = Math.round((Date.parse(decision!.until) - Date.now()) / 86_400_000);
  assert.equal(days, status === 'accepted_risk' ? 10 : 30);
  const past = `UPDATE decisions SET until = now() - interval '1 second' WHERE org_id = $1`;
  await testDatabase.database.single(place.orgId, { text: past, values: [place.orgId] });
  await decisionTicks[0]!.run({ database: testDatabase.database });
  await importFile(place, sarif([suppressed]));
  assert.deepEqual(await onlyFinding(place), { status: 'new', decision: null });
});

test('a suppressed result has no effect where the policy requires a justification, which it can’t have', async () => {
  const place = await createPlace();
  await setPolicy(place, { justification_required: true });
  await importFile(place, sarif([suppressed]));
  assert.deepEqual(await onlyFinding(place), { status: 'new', decision: null });
});

test('the decisions of a tool end with its data source', async () => {
  const place = await createPlace();
  await importFile(place, sarif([suppressed]));
  const { decision } = await onlyFinding(place);
  const { orgId, dataSourceId } = place;
  await testDatabase.database.transaction(orgId, (tx) => decisionsOnDataSourceDeleted(tx, orgId, dataSourceId));
  const { status, ended_because: because } = (await call(node, place.token, 'GET', `/decisions/${decision!.id}`)).body;
  assert.deepEqual([status, because], ['ended', 'removed']);
});

test('an invalid file is refused with the position, and nothing of it is stored', async () => {
  const place = await createPlace();
  const whole = sarif([a, b]);
  for (const [body, query] of [
    [whole.slice(0, -20), ''],
    ['{"hello": 1}', ''],
    ['', ''],
    [whole, '?format=trivy'],
    [gzipSync(whole).subarray(0, 60), ''],
    // Only one layer of compression is unpacked.
    [gzipSync(gzipSync(whole)), ''],
    [gzipSync(gzipSync(whole)), '?format=sarif'],
  ] as const) {
    const { status, body: response } = await send(place, body, query);
    assert.equal(status, 400);
    assert.equal(response.error.code, 'invalid_request');
  }
  assert.equal(await batchesLeft(place), 0);
  assert.deepEqual(await findings(place), []);
});

test('a tool with imported results is listed as a push source, which the platform cannot run', async () => {
  const place = await createPlace();
  await importFile(place, sarif([a]));
  const { data } = (await call(node, place.token, 'GET', '/detection-sources')).body;
  const pushed = data.find((one: { type: string }) => one.type === 'example-lint');
  assert.deepEqual(
    [pushed.mode, pushed.status, pushed.open_findings, pushed.last_scan.status],
    ['push', 'connected', 1, 'completed'],
  );
  const { body } = await call(node, place.token, 'POST', '/detection-sources/example-lint/scan');
  assert.equal(body.error.code, 'scan_not_supported');
  const other = await createTenant(testDatabase.database);
  assert.equal((await call(node, other.token, 'POST', '/detection-sources/example-lint/scan')).status, 404);
});

test('the scan of an import has the tool version that its file names', async () => {
  const place = await createPlace();
  assert.deepEqual((await importFile(place, sarif([a]))).tools, []);
  const log = JSON.parse(sarif([a]));
  Object.assign(log.runs[0].tool.driver, { semanticVersion: '4.2.0' });
  const scan = await importFile(place, JSON.stringify(log));
  assert.deepEqual(scan.tools, [{ source: 'example-lint', version: '4.2.0' }]);
});

test('truncated texts and lists are counted in the warnings, and missing findings are closed all the same', async () => {
  const place = await createPlace();
  await importFile(place, sarif([a]));
  const log = JSON.parse(sarif([b, { ...b, path: `${'d/'.repeat(2_500)}c.ts` }]));
  const [first, second] = log.runs[0].results;
  const driver = log.runs[0].tool.driver;
  driver.rules = [{ id: 'xss', shortDescription: { text: 't'.repeat(301) }, help: { text: 'h'.repeat(2_000) } }];
  first.message.text = 'm'.repeat(6_000);
  second.locations = Array.from({ length: 101 }, (_, line) => {
    const location = structuredClone(second.locations[0]);
    location.physicalLocation.region = { startLine: line + 1 };
    return location;
  });
  const body = JSON.stringify(log);
  const preview = await send(place, body, '?dry_run=true');
  const scan = await importFile(place, body, '?close_missing=true');
  const warnings = scan.warnings.map((one: { message: string }) => one.message).sort();
  assert.deepEqual(warnings, [
    '1 result had a path longer than 4,000 characters: the rest was left out.',
    '1 result had more than 100 places: the rest was left out.',
    '2 results had a description longer than 5,000 characters: the rest was left out.',
    '2 results had a remediation longer than 1,500 characters: the rest was left out.',
    '2 results had a rule name longer than 300 characters: the rest was left out.',
    '2 results had a title longer than 300 characters: the rest was left out.',
  ]);
  // The message of the second contains its path, which is just as long.
  assert.deepEqual(preview.body.cut.sort(), warnings);
  assert.equal(scan.findings.resolved, 1);
  assert.deepEqual((await importFile(place, sarif([a, b]))).warnings, []);
});

test('an import that waits for another one of its data source starts as soon as that has ended or is cancelled', async () => {
  const services = { database: testDatabase.database, log: silentLog };
  for (const end of ['completed', 'cancelled']) {
    const place = await createPlace();
    const sent = [];
    const more = ['c', 'd', 'e'].map((name) => ({ ...a, path: `src/${name}.ts` }));
    for (const result of [a, b, ...more]) sent.push((await send(place, sarif([result]))).body.id);
    const job = (id: string) => ({ org_id: place.orgId, scan_id: id, data_source_id: place.dataSourceId });
    const [first, ...others] = sent;
    const target = (
      (await takeTarget(services.database, place.orgId, first, place.dataSourceId)) as { target: ClaimedTarget }
    ).target;
    for (const [index, id] of others.entries()) {
      // Imports far back in the queue rarely check whether it is their turn.
      assert.equal(await runImport(services, job(id)), [1_000, 1_000, 2_000, 3_000][index]);
      await services.database.transaction(place.orgId, (tx) => enqueueImport(tx, job(id), 60_000));
    }
    if (end === 'cancelled') await call(node, place.token, 'POST', `/scans/${first}/cancel`);
    else {
      const outcome = {
        status: 'completed' as const,
        error: null,
        warnings: [],
        tally: { new: 1, seen: 0, reopened: 0, resolved: 0 },
      };
      await services.database.transaction(place.orgId, (tx) => endTarget(tx, place.orgId, target, outcome));
    }
    const { rows } = await testDatabase.database.pool.query<{ id: string }>(
      `SELECT payload ->> 'scan_id' AS id FROM graphile_worker._private_jobs
       WHERE run_at <= clock_timestamp() AND priority < 0 AND payload ->> 'org_id' = $1 AND payload ->> 'scan_id' <> $2`,
      [place.orgId, first],
    );
    assert.deepEqual(
      rows.map(({ id }) => id),
      [others[0]],
      'only the oldest is woken, and comes before other work',
    );
    await work();
  }
});

test('files for one data source are merged in the order of their arrival, so that an older one never closes findings of a newer one', async () => {
  const place = await createPlace();
  const services = { database: testDatabase.database, log: silentLog };
  const older = (await send(place, sarif([a]), '?close_missing=true')).body.id;
  const newer = (await send(place, sarif([b]), '?close_missing=true')).body.id;
  const job = (id: string) => ({ org_id: place.orgId, scan_id: id, data_source_id: place.dataSourceId });
  await testDatabase.database.pool.query(
    `UPDATE graphile_worker._private_jobs SET run_at = clock_timestamp() + interval '1 hour' WHERE payload ->> 'scan_id' = $1`,
    [older],
  );
  assert.equal(await runImport(services, job(newer)), 1_000, 'the newer one waits');
  const { rows: postponed } = await testDatabase.database.pool.query(
    'SELECT 1 FROM graphile_worker._private_jobs WHERE run_at > clock_timestamp()',
  );
  assert.deepEqual(postponed, [], 'and wakes the older one');
  await work();
  assert.deepEqual(
    (await findings(place)).map(({ location, status }) => [(location as unknown as { path: string }).path, status]),
    [
      [a.path, 'resolved'],
      [b.path, 'new'],
    ],
  );
  assert.equal((await call(node, place.token, 'GET', `/scans/${older}`)).body.status, 'completed');
});

test('an unknown data source is 404, another organization’s too', async () => {
  const [place, other] = [await createPlace(), await createPlace()];
  for (const dataSourceId of [newId('ds'), 'ds_x', other.dataSourceId]) {
    assert.equal((await send({ ...place, dataSourceId }, sarif([a]))).status, 404);
  }
});

const spdx = (...versions: string[]) =>
  JSON.stringify({
    spdxVersion: 'SPDX-2.3',
    packages: versions.map((version) => ({
      name: 'left',
      versionInfo: version,
      externalRefs: [
        { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: `pkg:npm/left@${version}` },
      ],
    })),
  });

const bom = (version: string) =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: [{ type: 'library', name: 'left', version, purl: `pkg:npm/left@${version}` }],
  });

test('a bill of materials needs advisories; with them its packages are matched, and an upgrade resolves', async () => {
  const place = await createPlace();
  const refused = await send(place, spdx('1.0.0'));
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'detection_source_unavailable']);
  // Likewise for Assay's own CycloneDX file, which has no results either: it would look like a file of a tool without
  // findings.
  const own = { bomFormat: 'CycloneDX', metadata: { tools: { components: [{ name: 'Assay' }] } }, components: [] };
  const unmatched = await send(place, JSON.stringify(own, null, 2));
  assert.deepEqual([unmatched.status, unmatched.body.error.code], [409, 'detection_source_unavailable']);
  assert.equal((await importFile(place, bom('1.0.0'))).status, 'completed');
  const feed = new AdvisoryDirectory();
  feed.put('npm', [osvAdvisory('GHSA-left-left-left', 'npm', 'left', '1.2.0', { aliases: ['CVE-2026-1'] })]);
  const policy = createNetworkPolicy({ allowed: [] });
  const signal = AbortSignal.timeout(600_000);
  await syncAdvisories({ database: testDatabase.database, feed: openFeed(feed.directory, policy), signal });
  feed.remove();
  const first = await importFile(place, spdx('1.0.0', '1.5.0'));
  assert.deepEqual([first.source, first.findings.new], ['dependencies', 1]);
  assert.equal((await importFile(place, bom('1.0.0'))).findings.seen, 1);
  const { data } = (await call(node, place.token, 'GET', '/findings?source=dependencies')).body;
  assert.deepEqual(
    data.map((one: { rule: { id: string }; location: { package: object } }) => [one.rule.id, one.location.package]),
    [
      [
        'GHSA-left-left-left',
        { ecosystem: 'npm', name: 'left', version: '1.0.0', fixed_version: '1.2.0', purl: 'pkg:npm/left@1.0.0' },
      ],
    ],
  );
  assert.equal((await importFile(place, spdx('1.2.0'), '?close_missing=true')).findings.resolved, 1);
  const wrong = await send(place, sarif([a]), '?format=spdx');
  assert.match(wrong.body.error.message, /not an SPDX document/);
});

test('NUL characters and lone surrogates in names, versions and reasons are read like any other text', async () => {
  const place = await createPlace();
  const odd = ['lod\0ash', 'lod\ud800ash'].map((name) => ({
    type: 'library',
    name,
    version: '1.0.0',
    purl: `pkg:npm/${name.includes('\0') ? 'lod%00ash' : name}@1.0.0`,
  }));
  const components = [...odd, { type: 'library', name: 'left', version: '1.0.0', purl: 'pkg:npm/left@1.0.0' }];
  const cyclonedx = JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', components });
  assert.equal((await importFile(place, cyclonedx)).findings.new, 1);
  const packages = components.map(({ name, version: versionInfo, purl: referenceLocator }) => ({
    name,
    versionInfo,
    externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator }],
  }));
  assert.equal((await importFile(place, JSON.stringify({ spdxVersion: 'SPDX-2.3', packages }))).findings.seen, 1);
  const results = sarif([{ ...a, suppressed: 'Not\0 reachable' }]);
  const named = results.replace('"driver":{', '"driver":{"version":"1\\u00002",');
  assert.equal((await importFile(place, named)).status, 'completed');
  assert.ok(
    (await findings(place)).some(
      (finding) => finding.status === 'false_positive' || finding.status === 'accepted_risk',
    ),
  );
});
