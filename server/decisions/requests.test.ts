import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Detection } from '@assay/scanner/contract/detection.ts';
import { type Application, startApplication } from '../../tests/harness/application.ts';
import { addDataSource, type Finding, readAll } from '../../tests/harness/finding-set.ts';
import { recordScan, succeeded } from '../../tests/harness/furnished.ts';
import { createTenant, createTestMember, createTokenFor, type Person } from '../../tests/harness/people.ts';
import { within } from '../../tests/harness/within.ts';
import { detectionOf } from '../findings/findings.fixture.ts';
import { insertMember } from '../organization/queries.ts';
import type { Role } from '../organization/roles.ts';
import type { Mailer } from '../platform/mail/mail.ts';
import { requestJobs } from './announce-requests.ts';
import { bulkJobs } from './bulk/jobs.ts';
import { decisionJobs, decisionTicks } from './jobs.ts';

let app: Application;
before(async () => {
  app = await startApplication();
});
after(() => app.close());

const inRule = { outcome: 'false_positive', reason: 'Never deployed.', scope: { rule: ['injection'] } };

async function createPlace(decisions: object = {}) {
  const owner = await createTenant(app.database, 'Four eyes');
  const { orgId } = owner;
  const member = (role: Role) => createTestMember(app.database, orgId, role);
  const call = (who: Person, method: string, path: string, json?: object) =>
    app.call(who.token, method, path, json && { json });
  const { sign_in: _, ...policy } = succeeded(await call(owner, 'GET', '/organization/policy'));
  const setPolicy = async (change: object) =>
    succeeded(
      await call(owner, 'PUT', '/organization/policy', { ...policy, decisions: { ...policy.decisions, ...change } }),
    );
  await setPolicy(decisions);
  const dataSourceId = await addDataSource(app, owner.token, 'shop');
  const follow = (id: string) =>
    decisionJobs[0]!.run({ org_id: orgId, decision_id: id, user_id: owner.userId }, { database: app.database });
  const get = async (id: string): Promise<Finding> => succeeded(await call(owner, 'GET', `/decisions/${id}`));
  return {
    ...{ owner, member, call, setPolicy, get },
    people: { developer: await member('developer'), analyst: await member('analyst'), admin: await member('admin') },
    scan: (detections: Detection[]) => recordScan(app.database, orgId, dataSourceId, detections, { source: 'code' }),
    request: async (who: Person, json: object = inRule): Promise<Finding> => {
      const decision = succeeded(await call(who, 'POST', '/decisions', json));
      await follow(decision.id);
      return decision;
    },
    /** Approves as the API does, and applies the decision as the worker does. Returns the status and code. */
    async approve(who: Person, id: string, version = 1): Promise<string> {
      const { status, body } = await call(who, 'POST', `/decisions/${id}/approve`, { version });
      if (status === 200) await follow(id);
      return `${status} ${body.error?.code ?? body.status}`;
    },
    count: async (status: string) => (await readAll(app, owner.token, `status=${status}`)).length,
    run: (text: string, values: unknown[] = []) => app.database.single(orgId, { text, values: [orgId, ...values] }),
  };
}

/** Waits until the server has noticed that a person's rights changed: credentials are cached for a second at most. */
const noticed = (place: Awaited<ReturnType<typeof createPlace>>, person: Person, role: Role | null) =>
  within(
    10_000,
    async () => (await place.call(person, 'GET', '/profile')).body.organization?.role === (role ?? undefined),
  );

const at = (key: string, severity: Detection['severity'] = 'high') =>
  detectionOf(key, { severity, rule: { id: 'injection', name: 'Injection', url: null } });

test('a developer requests, nobody approves their own, and the approval of another person takes effect', async () => {
  const place = await createPlace();
  const { developer, analyst } = place.people;
  await place.scan([at('a'), at('b')]);
  const request = await place.request(developer);
  assert.deepEqual([request.status, request.version, request.approved_by], ['requested', 1, null]);
  assert.ok(Date.parse(request.expires_at) > Date.now() + 29 * 86_400_000);
  await place.scan([at('a'), at('b'), at('c')]);
  assert.equal(await place.count('new'), 3);
  assert.equal(await place.approve(developer, request.id), '403 forbidden');
  // The requester has become an analyst meanwhile, and still does not approve it.
  const { owner } = place;
  succeeded(await place.call(owner, 'PATCH', `/organization/members/${developer.userId}`, { role: 'analyst' }));
  await noticed(place, developer, 'analyst');
  assert.equal(await place.approve(developer, request.id), '403 own_request');
  assert.equal(
    (await place.call(developer, 'POST', `/decisions/${request.id}/reject`, { version: 1 })).body.error.code,
    'own_request',
  );
  assert.equal(await place.approve(analyst, request.id), '200 active');
  assert.deepEqual([await place.count('false_positive'), await place.count('new')], [3, 0]);
  const decision = await place.get(request.id);
  assert.deepEqual([decision.requested_by.id, decision.approved_by.id], [developer.userId, analyst.userId]);
  assert.deepEqual([decision.findings, decision.expires_at, decision.version], [3, null, 2]);
  assert.equal(await place.approve(owner, request.id, 2), '409 conflict');
  const { data } = succeeded(await place.call(owner, 'GET', '/audit-events'));
  assert.deepEqual(
    data
      .filter(({ target }: Finding) => target.id === request.id)
      .map(({ action, actor }: Finding) => [action, actor.user.id]),
    [
      ['decision.approved', analyst.userId],
      ['decision.requested', developer.userId],
    ],
  );
});

test('nobody approves their own request with another token, together with others, or after they left and came back', async () => {
  const place = await createPlace();
  const { owner, people } = place;
  const { admin, analyst } = people;
  const { orgId } = owner;
  await place.setPolicy({ approval_from: 'low', approvers: 'analyst' });
  await place.scan([at('a')]);
  const { id } = await place.request(admin);
  const again = { ...admin, token: await createTokenFor(app.database, orgId, admin.userId) };
  assert.equal(await place.approve(again, id), '403 own_request');
  const members = '/organization/members';
  assert.equal((await place.call(owner, 'DELETE', `${members}/${admin.userId}`)).status, 204);
  await app.database.transaction(orgId, (tx) => insertMember(tx, orgId, admin.userId, 'owner'));
  const back = { ...admin, token: await createTokenFor(app.database, orgId, admin.userId) };
  assert.equal(await place.approve(back, id), '403 own_request');
  const approvals = { decisions: [{ id, version: 1 }] };
  const { approved, refused } = succeeded(await place.call(back, 'POST', '/decisions/approvals', approvals));
  assert.deepEqual([approved, refused[0].code], [[], 'own_request']);
  assert.deepEqual([(await place.get(id)).status, await place.count('new')], ['requested', 1]);
  assert.equal(await place.approve(analyst, id), '200 active');
});

test('the policy says who may request, and a viewer then sees, changes and withdraws their own', async () => {
  const place = await createPlace();
  const viewer = await place.member('viewer');
  const other = await place.member('developer');
  assert.equal((await place.call(viewer, 'POST', '/decisions', inRule)).body.error.code, 'forbidden');
  await place.setPolicy({ who_may_request: 'viewer' });
  const { id } = await place.request(viewer);
  assert.equal((await place.call(other, 'PATCH', `/decisions/${id}`, { reason: 'Mine.' })).status, 403);
  assert.equal((await place.call(other, 'DELETE', `/decisions/${id}`)).status, 403);
  assert.equal((await place.call(place.owner, 'DELETE', `/decisions/${id}`)).status, 403);
  assert.equal(succeeded(await place.call(viewer, 'PATCH', `/decisions/${id}`, { reason: 'Better.' })).version, 2);
  assert.equal((await place.call(viewer, 'DELETE', `/decisions/${id}`)).status, 204);
  // Their own is not forbidden when it has ended; that of another person is.
  assert.deepEqual(
    [
      (await place.call(viewer, 'DELETE', `/decisions/${id}`)).status,
      (await place.call(viewer, 'PATCH', `/decisions/${id}`, { reason: 'Late.' })).status,
      (await place.call(other, 'DELETE', `/decisions/${id}`)).status,
    ],
    [409, 409, 403],
  );
  assert.deepEqual(
    [(await place.get(id)).status, await place.approve(place.owner, id, 3)],
    ['withdrawn', '409 conflict'],
  );
  // Decisions that hold are not theirs.
  const { id: held } = succeeded(await place.call(place.owner, 'POST', '/decisions', inRule));
  assert.equal((await place.call(viewer, 'DELETE', `/decisions/${held}`)).status, 403);
  assert.equal((await place.call(viewer, 'PATCH', `/decisions/${held}`, { reason: 'x' })).status, 403);
});

test('an approval is of the version that was read: a wider scope needs another look', async () => {
  const place = await createPlace();
  const { developer, analyst } = place.people;
  await place.scan([at('a'), at('b')]);
  const [{ id: finding } = { id: '' }] = await readAll(app, place.owner.token, '');
  const { id } = await place.request(developer, { ...inRule, scope: { finding: [finding] } });
  succeeded(await place.call(developer, 'PATCH', `/decisions/${id}`, { scope: inRule.scope }));
  assert.equal(await place.approve(analyst, id, 1), '409 conflict');
  const rejection = { version: 1, answer: 'No.' };
  assert.equal((await place.call(analyst, 'POST', `/decisions/${id}/reject`, rejection)).status, 409);
  assert.equal(await place.count('new'), 2);
  assert.equal(await place.approve(analyst, id, 2), '200 active');
  assert.equal(await place.count('false_positive'), 2);
  assert.equal((await place.call(developer, 'PATCH', `/decisions/${id}`, { scope: inRule.scope })).status, 403);
  assert.equal((await place.call(analyst, 'PATCH', `/decisions/${id}`, { scope: inRule.scope })).status, 400);
});

test('a bulk update in progress leaves open what needs approval by a policy that is newer than its request', async () => {
  const place = await createPlace({ approval_from: null });
  await place.scan([at('high'), ...Array.from({ length: 1_001 }, (_, index) => at(`low${index}`, 'low'))]);
  const change = { filter: { status: ['new'] }, status: 'false_positive' };
  const accepted = await place.call(place.people.analyst, 'PATCH', '/findings', change);
  assert.equal(accepted.status, 202, accepted.text);
  await place.setPolicy({ approval_from: 'high' });
  const payload = { org_id: place.owner.orgId, operation_id: accepted.body.operation.id };
  await bulkJobs[0]!.run(payload, { database: app.database });
  const open = succeeded(await place.call(place.owner, 'GET', '/findings?status=new'));
  assert.deepEqual(
    open.data.map(({ severity }: Finding) => severity),
    ['high'],
  );
  assert.equal(await place.count('false_positive'), 1_001);
});

test('of approvals and withdrawals at once one counts', async () => {
  const place = await createPlace();
  const { developer, analyst, admin } = place.people;
  for (let round = 0; round < 5; round += 1) {
    const { id } = await place.request(developer);
    const outcomes = await Promise.all([
      place.approve(analyst, id),
      place.approve(admin, id),
      place.call(developer, 'DELETE', `/decisions/${id}`).then(({ status }) => String(status)),
      place.call(place.owner, 'POST', `/decisions/${id}/reject`, { version: 1 }).then(({ status }) => String(status)),
    ]);
    // The requester withdraws what holds only as an analyst.
    assert.equal(outcomes.filter((outcome) => outcome.startsWith('20')).length, 1, outcomes.join());
    assert.ok(['active', 'withdrawn', 'rejected'].includes((await place.get(id)).status));
  }
});

test('from the severity of the policy on nobody decides alone, by a decision, a status or many at once', async () => {
  const place = await createPlace({ approval_from: 'high' });
  const { analyst, admin } = place.people;
  await place.scan([at('a', 'high'), at('b', 'medium')]);
  const found = await readAll(app, place.owner.token, '');
  const [high, medium] = ['high', 'medium'].map(
    (severity) => found.find((finding) => finding.severity === severity)!.id,
  );
  const patch = async (id: string, json: object) =>
    (await place.call(place.owner, 'PATCH', `/findings/${id}`, json)).status;
  assert.equal(await patch(high!, { status: 'false_positive' }), 403);
  assert.equal(await patch(high!, { status: 'accepted_risk' }), 403);
  assert.equal(await patch(medium!, { status: 'accepted_risk' }), 200);
  assert.equal(await patch(medium!, { status: 'new' }), 200);
  assert.equal(await patch(high!, { status: 'triaged', comment: 'x' }), 200);
  const bulk = async (json: object) => (await place.call(place.owner, 'PATCH', '/findings', json)).status;
  assert.equal(await bulk({ ids: [high, medium], status: 'false_positive' }), 403);
  assert.equal(await bulk({ filter: { severity: ['high'] }, status: 'accepted_risk', dry_run: true }), 403);
  assert.equal(await bulk({ ids: [high, medium], add_tags: ['seen'] }), 200);
  const request = await place.request(place.owner);
  assert.equal(request.status, 'requested');
  assert.equal(await place.approve(place.owner, request.id), '403 own_request');
  assert.equal(await place.approve(analyst, request.id), '403 forbidden');
  assert.equal(await place.approve(admin, request.id), '200 active');
  assert.equal(await place.count('false_positive'), 2);
  // One person does not prolong an approved decision.
  const { id } = await place.request(analyst, { ...inRule, until: '2099-01-01T00:00:00Z' });
  assert.equal(await place.approve(admin, id), '200 active');
  const change = async (json: object) => (await place.call(analyst, 'PATCH', `/decisions/${id}`, json)).status;
  assert.deepEqual([await change({ until: null }), await change({ ends_when: { kev: true } })], [409, 409]);
  assert.deepEqual(
    [await change({ until: '2098-01-01T00:00:00Z' }), await change({ reason: 'Said better.' })],
    [200, 200],
  );
  // An accepted end is not moved either.
  await place.setPolicy({ approval_from: null });
  const accepted = { status: 'accepted_risk', accepted_until: '2099-01-01T00:00:00Z' };
  assert.equal(await patch(high!, accepted), 200);
  await place.setPolicy({ approval_from: 'high' });
  assert.equal(await patch(high!, { accepted_until: null, status: 'accepted_risk' }), 403);
  assert.equal(await patch(high!, { status: 'accepted_risk', tags: ['kept'] }), 200);
});

test('a decision that one person made does not reach what comes with the severity that needs two', async () => {
  const place = await createPlace({ approval_from: 'high' });
  const { analyst, admin } = place.people;
  await place.scan([at('a', 'medium')]);
  const alone = await place.request(analyst);
  assert.deepEqual([alone.status, alone.below_severity], ['active', 'high']);
  await place.scan([at('a', 'medium'), at('b', 'medium'), at('c', 'critical')]);
  assert.deepEqual([await place.count('new'), await place.count('false_positive')], [1, 2]);
  // The severity of one for which it holds rises.
  await place.scan([at('a', 'medium'), at('b', 'high'), at('c', 'critical')]);
  assert.deepEqual([await place.count('new'), await place.count('false_positive')], [2, 1]);
  const { id } = await place.request(analyst);
  assert.equal(await place.approve(admin, id), '200 active');
  assert.equal((await place.get(id)).below_severity, null);
  await place.scan([at('a', 'medium'), at('b', 'high'), at('c', 'critical'), at('d', 'critical')]);
  assert.equal(await place.count('new'), 0);
  // An analyst may approve what needs none, and that does not reach further either.
  const harmless = { ...inRule, scope: { rule: ['other'] } };
  const request = await place.request(place.people.developer, harmless);
  assert.equal(await place.approve(analyst, request.id), '200 active');
  assert.equal((await place.get(request.id)).below_severity, 'high');
});

test('who was demoted, removed or has a revoked token approves nothing', async () => {
  const place = await createPlace();
  const { developer, analyst, admin } = place.people;
  const { id } = await place.request(developer);
  const members = '/organization/members';
  succeeded(await place.call(place.owner, 'PATCH', `${members}/${analyst.userId}`, { role: 'developer' }));
  assert.equal(await place.approve(analyst, id), '403 forbidden');
  const { data } = succeeded(await place.call(place.owner, 'GET', `${members}/${admin.userId}/tokens`));
  assert.equal(
    (await place.call(place.owner, 'DELETE', `${members}/${admin.userId}/tokens/${data[0].id}`)).status,
    204,
  );
  await noticed(place, admin, null);
  assert.equal(await place.approve(admin, id), '401 token_revoked');
  const gone = await place.member('owner');
  assert.equal((await place.call(place.owner, 'DELETE', `${members}/${gone.userId}`)).status, 204);
  await noticed(place, gone, null);
  assert.equal((await place.approve(gone, id)).slice(0, 3), '401');
  // Demoted after the request was let in: the transaction that demotes ends first.
  const late = await place.member('analyst');
  const outcome = await app.database.transaction(place.owner.orgId, async (tx) => {
    const values = [place.owner.orgId, late.userId];
    await tx.query({ text: `UPDATE members SET role = 'viewer' WHERE org_id = $1 AND user_id = $2`, values });
    const approval = place.approve(late, id);
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { approval };
  });
  assert.equal(await outcome.approval, '403 forbidden');
  assert.equal((await place.get(id)).status, 'requested');
});

test('the request of another organization is 404, and is not among those approved', async () => {
  const [place, stranger] = [await createPlace(), await createPlace()];
  const { id } = await place.request(place.people.developer);
  assert.equal(await place.approve(stranger.owner, id), '404 not_found');
  assert.equal((await place.call(stranger.owner, 'POST', `/decisions/${id}/reject`, { version: 1 })).status, 404);
  const json = { decisions: [{ id, version: 1 }] };
  const { approved, refused } = succeeded(await place.call(stranger.owner, 'POST', '/decisions/approvals', json));
  assert.deepEqual([approved, refused[0].code], [[], 'not_found']);
  assert.equal((await place.get(id)).status, 'requested');
});

test('a request that nobody approves ends, at the latest with what it asks for', async () => {
  const place = await createPlace();
  const { developer, analyst } = place.people;
  const until = `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)}Z`;
  const { id, expires_at: end } = await place.request(developer, { ...inRule, until });
  assert.equal(end, until);
  await place.run(
    `UPDATE decisions SET expires_at = clock_timestamp() - interval '1 second' WHERE org_id = $1 AND id = $2`,
    [id],
  );
  assert.equal(await place.approve(analyst, id), '409 conflict');
  await decisionTicks[0]!.run({ database: app.database });
  assert.deepEqual([(await place.get(id)).status, await place.approve(analyst, id, 2)], ['expired', '409 conflict']);
  const { data } = succeeded(await place.call(analyst, 'GET', '/decisions?status=expired'));
  assert.deepEqual(
    data.map((decision: Finding) => decision.id),
    [id],
  );
});

test('many are approved at once after a preview; those that can’t be are named and stay', async () => {
  const place = await createPlace();
  const { developer, analyst } = place.people;
  await place.scan([at('a'), at('b')]);
  const [first, second] = [await place.request(developer), await place.request(developer)];
  const changed = await place.request(developer);
  succeeded(await place.call(developer, 'PATCH', `/decisions/${changed.id}`, { reason: 'Other.' }));
  await place.setPolicy({ approval_from: 'high', approvers: 'analyst' });
  const own = await place.request(analyst);
  const decisions = [first, second, changed, own].map(({ id }) => ({ id, version: 1 }));
  const send = async (json: object) => succeeded(await place.call(analyst, 'POST', '/decisions/approvals', json));
  const dry = await send({ decisions, dry_run: true });
  // Each finding counts once, although two scopes have it.
  assert.deepEqual([dry.approved, dry.preview.findings, dry.preview.open], [[first.id, second.id], 2, 2]);
  assert.equal((await place.get(first.id)).status, 'requested');
  const { approved, refused } = await send({ decisions, answer: 'Fine.' });
  assert.deepEqual(approved, [first.id, second.id]);
  assert.deepEqual(
    refused.map(({ code }: Finding) => code),
    ['conflict', 'own_request'],
  );
  assert.deepEqual([(await place.get(second.id)).answer, (await place.get(own.id)).status], ['Fine.', 'requested']);
});

test('approvers get one mail about the requests of a minute, and requesters none about their own', async () => {
  const place = await createPlace({ approval_from: 'low' });
  const { developer, admin } = place.people;
  await place.scan([at('a')]);
  const { id } = await place.request(developer);
  await place.request(admin);
  const sent: Array<{ to: string; subject: string; text: string }> = [];
  const mailer = { writesFiles: false, send: async (mail: (typeof sent)[number]) => void sent.push(mail) };
  const services = { database: app.database, mailer: mailer as unknown as Mailer, baseUrl: 'https://assay.example/' };
  const [announce, mail] = requestJobs;
  const payload = { org_id: place.owner.orgId };
  await announce!.run(payload, services);
  const jobs = await app.database.single<{ payload: object }>(null, {
    text: `SELECT p.payload FROM graphile_worker._private_jobs p JOIN graphile_worker._private_tasks t ON t.id = p.task_id
           WHERE t.identifier = 'mail-decision-requests' AND p.payload->>'org_id' = $1 ORDER BY p.id`,
    values: [place.owner.orgId],
  });
  for (const job of jobs) await mail!.run(job.payload, services);
  const of = (person: Person) => sent.filter(({ to }) => to === person.email).map(({ subject }) => subject);
  assert.deepEqual(of(place.owner), ['2 decisions to approve on Assay']);
  assert.deepEqual(of(admin), ['A decision to approve on Assay']);
  assert.equal(sent.length, 2);
  assert.ok(sent.find(({ to }) => to === admin.email)!.text.includes('https://assay.example/decisions?tab=requested'));
  assert.ok(!sent.some(({ text }) => text.includes('Never deployed.')));
  // Nothing is announced twice, and nothing that is answered.
  sent.length = 0;
  await announce!.run(payload, services);
  assert.equal(await place.approve(place.owner, id), '200 active');
  for (const job of jobs) await mail!.run(job.payload, services);
  assert.deepEqual(of(admin), []);
});
