import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Application, startApplication } from '../../tests/harness/application.ts';
import type { Finding } from '../../tests/harness/finding-set.ts';
import { succeeded } from '../../tests/harness/furnished.ts';
import { createTestMember } from '../../tests/harness/people.ts';
import { recompute } from '../findings/policy/recompute.ts';
import { doNextBatch } from './bulk/advance-operation.ts';
import { at, createPlace } from './decisions.fixture.ts';
import { decisionTicks } from './jobs.ts';

let app: Application;
before(async () => {
  app = await startApplication();
});
after(() => app.close());

const demotion = { outcome: 'demoted', scope: { rule: ['injection'] } };
const seen = (key: string, severity: 'critical' | 'high') =>
  at(key, `src/${key}.py`, { severity, cvss_score: 9.1, identifiers: ['CVE-2099-0001', 'CWE-89'] });

type Place = Awaited<ReturnType<typeof createPlace>>;

/** Returns the severities of all findings by list, filter and summary, which must agree. */
async function severitiesOf(place: Place): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { severity } of await place.findings()) counts[severity] = (counts[severity] ?? 0) + 1;
  const { by_severity: summed } = succeeded(await place.call('GET', '/findings/summary'));
  for (const severity of ['critical', 'high', 'medium', 'low', 'info']) {
    assert.equal((await place.findings(`severity=${severity}`)).length, counts[severity] ?? 0, severity);
    assert.equal(summed[severity], counts[severity] ?? 0, severity);
  }
  return counts;
}

const shown = ({ severity, scanner_severity: scanner, status, priority, due_at: due }: Finding) => ({
  ...{ severity, scanner, status, priority, due },
});

test('a demoted rule is info for what is there and for what comes, and as its scanner rates it once the demotion ends', async () => {
  const place = await createPlace(app);
  await place.scan([seen('a', 'high'), seen('b', 'high')]);
  const [before] = await place.findings();
  assert.deepEqual([before!.severity, before!.scanner_severity], ['high', null]);
  assert.ok(before!.due_at);
  const { id } = await place.decide(demotion);
  await place.scan([seen('a', 'high'), seen('b', 'high'), seen('c', 'high')]);
  for (const finding of await place.findings()) {
    const expected = { severity: 'info', scanner: 'high', status: 'new', priority: 3, due: null };
    assert.deepEqual(shown(finding), expected);
    assert.deepEqual(finding.decision, { id, outcome: 'demoted', justification: null, until: null });
  }
  assert.deepEqual(await severitiesOf(place), { info: 3 });
  assert.equal(succeeded(await place.call('GET', `/decisions/${id}`)).findings, 3);
  const [, line] = await place.history(before!.id);
  assert.deepEqual(line!.changes, [
    { field: 'decision', from: null, to: id },
    { field: 'severity', from: 'high', to: 'info' },
  ]);

  await place.scan([seen('a', 'critical'), seen('b', 'high'), seen('c', 'high')]);
  while ((await recompute(app.database, place.owner.orgId)) !== 'done');
  const [risen] = await place.findings('path=src/a.py');
  assert.deepEqual(shown(risen!), { severity: 'info', scanner: 'critical', status: 'new', priority: 3, due: null });
  const { changes } = (await place.history(risen!.id)).at(-1)!;
  assert.deepEqual(changes, [{ field: 'scanner_severity', from: 'high', to: 'critical' }]);

  await place.withdraw(id);
  assert.deepEqual(await severitiesOf(place), { critical: 1, high: 2 });
  for (const finding of await place.findings()) {
    const { scanner_severity: scanner, priority, decision } = finding;
    assert.deepEqual([scanner, priority, decision], [null, before!.priority, null]);
    assert.ok(finding.due_at);
  }
  const ended = (await place.history(risen!.id)).at(-1)!;
  assert.deepEqual(
    ended.changes.map(({ field, to }: Finding) => [field, to]),
    [
      ['decision', null],
      ['severity', 'critical'],
      ['decision_ended_because', 'withdrawn'],
    ],
  );
});

test('a demotion and the statuses that people and decisions set do not touch each other', async () => {
  const place = await createPlace(app);
  await place.scan([seen('a', 'high'), seen('b', 'high'), seen('c', 'high')]);
  const { id } = await place.decide(demotion);
  const [first, second, third] = await place.findings('sort=first_seen_at');
  await place.patch(first!.id, { status: 'in_progress' });
  const own = await place.patch(second!.id, { status: 'false_positive' });
  assert.deepEqual([own.severity, own.decision.outcome], ['info', 'false_positive']);
  assert.deepEqual(
    own.also.map((other: Finding) => other.id),
    [id],
  );
  const accepted = await place.decide({ outcome: 'accepted_risk', scope: { rule: ['injection'], path: ['src/**'] } });
  await place.follow(id);
  const states = async () => {
    const all = await Promise.all([first, second, third].map((one) => place.call('GET', `/findings/${one!.id}`)));
    return all.map(succeeded).map(({ status, severity }) => `${status} ${severity}`);
  };
  const demoted = ['accepted_risk info', 'false_positive info', 'accepted_risk info'];
  assert.deepEqual(await states(), demoted);
  await place.patch(first!.id, { status: 'new' });
  assert.deepEqual(await states(), ['new info', ...demoted.slice(1)], 'a person takes it out of the acceptance only');
  const text = `UPDATE decisions SET until = clock_timestamp() - interval '1 day' WHERE org_id = $1 AND id = $2`;
  await app.database.single(place.owner.orgId, { text, values: [place.owner.orgId, id] });
  await decisionTicks[0]!.run({ database: app.database });
  assert.deepEqual(await states(), ['new high', 'false_positive high', 'accepted_risk high']);
  await place.withdraw(accepted.id);
  assert.deepEqual(await states(), ['new high', 'false_positive high', 'new high']);
});

test('a demotion is about rules only, and needs the approval that its scanner’s severity asks for', async () => {
  const place = await createPlace(app);
  await place.scan([seen('a', 'high')]);
  const [{ id: finding } = { id: '' }] = await place.findings();
  const create = (scope: object) => place.call('POST', '/decisions', { outcome: 'demoted', reason: 'Why.', scope });
  const injection = { rule: ['injection'] };
  for (const scope of [
    { finding: [finding] },
    { identifier: ['CVE-2099-0001'] },
    { package: ['pkg:npm/left-pad'] },
    { ...injection, finding: [finding] },
  ])
    assert.equal((await create(scope)).status, 400, JSON.stringify(scope));
  const { id } = await place.decide({ ...demotion, scope: { ...injection, path: ['src/**'] } });
  assert.deepEqual(await severitiesOf(place), { info: 1 });

  const { sign_in: _, ...policy } = succeeded(await place.call('GET', '/organization/policy'));
  const decisions = { ...policy.decisions, approval_from: 'high' };
  succeeded(await place.call('PUT', '/organization/policy', { ...policy, decisions }));
  const close = { status: 'accepted_risk' };
  assert.equal((await place.call('PATCH', `/findings/${finding}`, close)).status, 403);
  assert.equal((await place.call('PATCH', '/findings', { ids: [finding], ...close })).status, 403);
  await place.withdraw(id);
  const request = succeeded(await create(injection));
  assert.equal(request.status, 'requested');
  const second = await createTestMember(app.database, place.owner.orgId, 'admin');
  assert.equal((await place.call('POST', `/decisions/${request.id}/approve`, { version: 1 })).status, 403);
  succeeded(await place.call('POST', `/decisions/${request.id}/approve`, { version: 1 }, second));
  await place.follow(request.id);
  assert.deepEqual(await severitiesOf(place), { info: 1 });
});

test('a rule that people dismiss more than half of 20 times is offered for demotion until it is demoted', async () => {
  const [place, stranger] = [await createPlace(app), await createPlace(app, 'Strangers')];
  const keys = Array.from({ length: 21 }, (_, index) => `k${index}`);
  const detections = keys.map((key) => seen(key, 'high'));
  for (const one of [place, stranger]) await one.scan(detections);
  const rules = async (query: string, { call }: Place = place): Promise<Finding[]> =>
    succeeded(await call('GET', `/rules?${query}`)).data;
  const judged = async () => (await rules('id=injection')).map((rule) => [rule.dismissed, rule.confirmed])[0];
  const all = await place.findings('sort=first_seen_at');
  assert.deepEqual(await judged(), [0, 0]);

  for (const { id } of all.slice(0, 9)) await place.patch(id, { status: 'triaged' });
  const dismissed = all.slice(9, 20).map(({ id }) => id);
  const bulk = succeeded(await place.call('PATCH', '/findings', { ids: dismissed, status: 'false_positive' }));
  assert.deepEqual(await judged(), [11, 9]);
  succeeded(await place.call('POST', `/bulk-operations/${bulk.operation.id}/undo`));
  await app.database.transaction(place.owner.orgId, (tx) => doNextBatch(tx, place.owner.orgId, bulk.operation.id));
  assert.deepEqual(await judged(), [0, 9], 'an undone change judges nothing');
  for (const id of dismissed.slice(0, 10)) await place.patch(id, { status: 'false_positive' });
  await place.patch(all[0]!.id, { status: 'in_progress' });
  await place.patch(all[0]!.id, { status: 'false_positive' });
  await place.patch(all[1]!.id, { status: 'new' });
  assert.deepEqual(await judged(), [11, 7], 'each finding counts once, as a person last judged it');
  await place.scan([]);
  await place.scan(detections);
  assert.deepEqual(await judged(), [11, 7], 'a scan judges nothing');
  assert.deepEqual(await rules('often_dismissed=true'), []);
  const first = await place.decide({ scope: { rule: ['injection'], path: ['docs/**'] } });
  const second = await place.decide({ scope: { rule: ['injection', 'other'], path: ['test/**'] } });
  assert.deepEqual(await judged(), [13, 7], 'a decision about a rule counts once, whatever its findings');
  const [offered, ...others] = await rules('often_dismissed=true');
  const expected = { id: 'injection', name: 'Injection', count: 21, dismissed: 13, confirmed: 7, demotion: null };
  assert.deepEqual([offered, others], [expected, []]);
  assert.deepEqual(await rules('q=injection'), [expected], 'the list of rules says the same');
  assert.deepEqual(await rules('id=unknown,injection,injection'), [expected], 'several rules by id, each once');
  assert.deepEqual(await rules('often_dismissed=true', stranger), []);
  assert.equal((await place.call('GET', '/rules?often_dismissed=true&q=x')).status, 400);

  const demoted = await place.decide(demotion);
  assert.deepEqual(await rules('often_dismissed=true'), []);
  assert.equal((await rules('id=injection'))[0]!.demotion, demoted.id);
  await place.withdraw(demoted.id);
  assert.equal((await rules('often_dismissed=true')).length, 1);
  await place.withdraw(first.id);
  await place.withdraw(second.id);
  assert.deepEqual(await judged(), [11, 7]);
  const renamed = detections.map((one) => ({ ...one, rule: { ...one.rule, id: 'injection-2' } }));
  await place.scan(renamed);
  assert.deepEqual(
    (await rules('')).map((rule) => [rule.id, rule.dismissed, rule.confirmed]),
    [['injection-2', 11, 7]],
    'a finding takes its judgement along to another rule',
  );
});
