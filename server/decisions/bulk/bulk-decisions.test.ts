import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Application, startApplication } from '../../../tests/harness/application.ts';
import type { Finding } from '../../../tests/harness/finding-set.ts';
import { succeeded } from '../../../tests/harness/furnished.ts';
import { at, createPlace } from '../decisions.fixture.ts';
import { decisionTicks } from '../jobs.ts';

let app: Application;
before(async () => {
  app = await startApplication();
});
after(() => app.close());

type Place = Awaited<ReturnType<typeof createPlace>>;

const paths = ['src/a.py', 'src/b.py', 'src/c.py'];
const seen = (severities: Array<'high' | 'critical'> = []) =>
  paths.map((path, n) => at(path, path, { severity: severities[n] ?? 'high' }));

const bulk = async (place: Place, json: object) =>
  succeeded(await place.call('PATCH', '/findings', { filter: { source: ['code'] }, ...json }));
const undo = async (place: Place, { operation }: Finding) =>
  succeeded(await place.call('POST', `/bulk-operations/${operation.id}/undo`));
const get = async (place: Place, id: string) => succeeded(await place.call('GET', `/decisions/${id}`));

/** Returns the status and the decision of each finding, by path. */
const states = async (place: Place) =>
  (await place.findings())
    .toSorted((a, b) => (a.location.path < b.location.path ? -1 : 1))
    .map(({ status, decision }) => [status, decision?.id ?? null]);

async function setPolicy(place: Place, decisions: object): Promise<void> {
  const { sign_in: _, ...policy } = succeeded(await place.call('GET', '/organization/policy'));
  const changed = { ...policy, decisions: { ...policy.decisions, ...decisions } };
  succeeded(await place.call('PUT', '/organization/policy', changed));
}

test('a bulk dismissal makes a decision about each finding, which ends where a second person must approve it', async () => {
  const place = await createPlace(app);
  await setPolicy(place, { approval_from: 'critical' });
  await place.scan(seen());
  const justification = 'test_or_example';
  await bulk(place, { status: 'false_positive', comment: 'Fixtures.', justification });
  const decided = await place.findings();
  for (const { id, decision } of decided) {
    assert.deepEqual([decision.outcome, decision.justification], ['false_positive', justification]);
    const { reason, scope, findings, requested_by: by } = await get(place, decision.id);
    assert.deepEqual([reason, scope, findings, by.id], ['Fixtures.', { finding: [id] }, 1, place.owner.userId]);
  }
  assert.equal(new Set(decided.map(({ decision }) => decision.id)).size, 3);
  const again = await bulk(place, { status: 'false_positive' });
  assert.deepEqual([again.updated, again.unchanged], [0, 3]);
  await place.scan(seen(['critical']));
  const [risen, ...others] = await states(place);
  assert.deepEqual([risen, ...others.map(([status]) => status)], [['new', null], 'false_positive', 'false_positive']);
  const refused = await place.call('PATCH', '/findings', {
    filter: { source: ['code'] },
    status: 'in_progress',
    justification,
  });
  assert.deepEqual([refused.status, refused.body.error.code], [400, 'invalid_request']);
});

test('undo restores each status with its decision, whatever the bulk change set', async () => {
  for (const status of ['false_positive', 'resolved', 'new']) {
    const place = await createPlace(app);
    await place.scan(seen());
    const rule = await place.decide({ outcome: 'accepted_risk', scope: { rule: ['injection'], path: ['src/b.py'] } });
    const [first] = await place.findings('path=src/a.py');
    const until = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}Z`;
    await place.patch(first!.id, { status: 'accepted_risk', accepted_until: until, comment: 'Internal.' });
    const initially = await states(place);
    const own = initially[0]![1];
    assert.deepEqual(initially, [
      ['accepted_risk', own],
      ['accepted_risk', rule.id],
      ['new', null],
    ]);
    const done = await bulk(place, { status });
    const between = await states(place);
    assert.deepEqual(new Set(between.map(([is]) => is)), new Set([status]));
    assert.equal((await get(place, own)).status, 'withdrawn');
    const { undo: undone } = await undo(place, done);
    assert.equal(undone.restored, done.updated);
    assert.deepEqual(await states(place), initially, status);
    const { status: holds, until: end, reason } = await get(place, own);
    assert.deepEqual([holds, end, reason], ['active', until, 'Internal.']);
    for (const [, made] of between) if (made) assert.equal((await get(place, made)).status, 'withdrawn');
    await place.scan(seen(['high', 'critical', 'critical']));
    assert.deepEqual(await states(place), initially, 'a scan changes nothing');
    await place.withdraw(rule.id);
    await place.withdraw(own);
    assert.deepEqual(
      await states(place),
      paths.map(() => ['new', null]),
    );
  }
});

test('undo gives no decision back that has ended since, and applies those that were made since', async () => {
  const place = await createPlace(app);
  await place.scan(seen());
  const ended = await place.decide({ scope: { rule: ['injection'], path: ['src/a.py'] } });
  const done = await bulk(place, { status: 'accepted_risk' });
  await place.withdraw(ended.id);
  const made = await place.decide({ scope: { rule: ['injection'], path: ['src/b.py'] } });
  assert.deepEqual(new Set((await states(place)).map(([status]) => status)), new Set(['accepted_risk']));
  await undo(place, done);
  assert.deepEqual(await states(place), [
    ['new', null],
    ['false_positive', made.id],
    ['new', null],
  ]);
});

test('risks that a bulk change accepted are open again, all at once, when their time has come', async () => {
  const place = await createPlace(app);
  await place.scan(seen());
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await bulk(place, { status: 'accepted_risk', accepted_until: until });
  const accepted = await states(place);
  const again = await bulk(place, { status: 'accepted_risk', accepted_until: `${until.slice(0, 19)}Z` });
  assert.deepEqual([again.updated, await states(place)], [0, accepted], 'the same end, to the second, changes nothing');
  const text = `UPDATE decisions SET until = clock_timestamp() - interval '1 day' WHERE org_id = $1`;
  await app.database.single(place.owner.orgId, { text, values: [place.owner.orgId] });
  await decisionTicks[0]!.run({ database: app.database });
  assert.deepEqual(
    await states(place),
    paths.map(() => ['new', null]),
  );
  for (const [, id] of accepted) assert.equal((await get(place, id)).status, 'expired');
  const [finding] = await place.findings();
  const ends = (await place.history(finding!.id)).at(-1)!.changes;
  assert.deepEqual(ends.at(-1), { field: 'decision_ended_because', from: null, to: 'expired' });
});
