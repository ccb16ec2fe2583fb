import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Detection } from '@assay/scanner/contract/detection.ts';
import { type Application, startApplication } from '../../tests/harness/application.ts';
import { addDataSource, type Finding } from '../../tests/harness/finding-set.ts';
import { succeeded } from '../../tests/harness/furnished.ts';
import { createTestMember } from '../../tests/harness/people.ts';
import { detectionOf } from '../findings/findings.fixture.ts';
import { recompute } from '../findings/policy/recompute.ts';
import { mergeDecisions } from './apply-decisions.ts';
import { at, createPlace } from './decisions.fixture.ts';
import { decisionTicks } from './jobs.ts';

let app: Application;
before(async () => {
  app = await startApplication();
});
after(() => app.close());

const examples = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => at(`e${from + index}`, `docs/examples/e${from + index}.py`));

const inExamples = { rule: ['injection'], path: ['**/examples/**'] };

test('a decision on a rule in examples applies to 200 findings, and to those of a repository added later; when it is withdrawn, all are open', async () => {
  const place = await createPlace(app);
  await place.scan([...examples(0, 200), at('x', 'src/x.py')]);
  const preview = succeeded(
    await place.call('POST', '/decisions', { outcome: 'triaged', reason: 'x', scope: inExamples, dry_run: true }),
  );
  assert.deepEqual([preview.findings, preview.open, preview.samples.length], [200, 200, 10]);
  const { id } = await place.decide({ scope: inExamples, justification: 'test_or_example' });
  assert.deepEqual([await place.count('false_positive'), await place.count('new')], [200, 1]);
  const later = await addDataSource(app, place.owner.token, 'later');
  await place.scan([...examples(500, 5), at('y', 'src/y.py')], later);
  assert.equal(succeeded(await place.call('GET', `/decisions/${id}`)).findings, 205);
  const [held] = await place.findings(`data_source=${later}&status=false_positive`);
  assert.deepEqual(held!.decision, { id, outcome: 'false_positive', justification: 'test_or_example', until: null });
  const [, line] = await place.history(held!.id);
  assert.deepEqual(
    line!.changes.map(({ field, to }: Finding) => [field, to]),
    [
      ['status', 'false_positive'],
      ['decision', id],
    ],
  );
  // People's own decisions stay: one finding is open despite the decision, another is accepted.
  const [own, accepted] = await place.findings('status=false_positive');
  await place.patch(own!.id, { status: 'in_progress' });
  await place.patch(accepted!.id, { status: 'accepted_risk' });
  await place.follow(id);
  await place.scan([...examples(0, 200), at('x', 'src/x.py')]);
  assert.deepEqual([await place.count('in_progress'), await place.count('accepted_risk')], [1, 1]);
  await place.withdraw(id);
  assert.deepEqual(
    [await place.count('false_positive'), await place.count('new'), await place.count('in_progress')],
    [0, 205, 1],
  );
  assert.equal(await place.count('accepted_risk'), 1);
  assert.equal((await place.call('DELETE', `/decisions/${id}`)).status, 409);
  assert.deepEqual(
    succeeded(await place.call('GET', '/decisions?status=withdrawn')).data.map((decision: Finding) => decision.id),
    [id],
  );
});

test('of several decisions the narrower applies, then the newer, and the next one takes over without a gap', async () => {
  const place = await createPlace(app);
  await place.scan([at('a', 'docs/examples/a.py')]);
  const [{ id } = { id: '' }] = await place.findings();
  const byRule = await place.decide({ outcome: 'accepted_risk', scope: { rule: ['injection'] } });
  const byPath = await place.decide({ scope: inExamples });
  const newer = await place.decide({ scope: inExamples, outcome: 'accepted_risk' });
  const byFinding = await place.decide({ scope: { finding: [id] } });
  const byPlace = await place.decide({
    scope: { rule: ['injection'], source: ['code'], data_source: [place.dataSourceId] },
  });
  await place.decide({ scope: { rule: ['injection'], source: ['secrets'] } });
  const { also } = succeeded(await place.call('GET', `/findings/${id}`));
  assert.deepEqual(
    also.map((other: Finding) => other.id),
    [newer.id, byPath.id, byPlace.id, byRule.id],
    'the others, in the order in which they take over',
  );
  assert.deepEqual(also[0], { id: newer.id, outcome: 'accepted_risk', justification: null, until: null });
  for (const [decision, status] of [
    [byFinding, 'false_positive'],
    [newer, 'accepted_risk'],
    [byPath, 'false_positive'],
  ] as const) {
    const finding = succeeded(await place.call('GET', `/findings/${id}`));
    assert.deepEqual([finding.decision.id, finding.status], [decision.id, status]);
    await place.withdraw(decision.id);
  }
  const finding = succeeded(await place.call('GET', `/findings/${id}`));
  assert.notEqual(finding.decision.id, byRule.id);
  const statuses = (await place.history(id)).flatMap(({ changes }) =>
    changes.filter(({ field }: Finding) => field === 'status').map(({ to }: Finding) => to),
  );
  assert.equal(statuses.filter((status) => status === 'new').length, 1, 'it was open once, when it was first seen');
});

const inPackage = (key: string, version: string) => {
  const base = detectionOf(key);
  const found = { ecosystem: 'npm', name: 'left-pad', version, fixed_version: null, purl: null };
  const location = { ...base.location, path: 'package-lock.json', package: found };
  return detectionOf(key, { location, identifiers: ['CVE-2099-0001'], places: [{ ...base.places[0]!, version }] });
};

test('a decision on a version range ends for a finding whose version leaves the range, and applies when it returns', async () => {
  const place = await createPlace(app);
  await place.scan([inPackage('p', '1.5.0')]);
  const scope = { package: ['pkg:npm/left-pad'], versions: 'vers:npm/>=1.0.0|<2.0.0' };
  const { id } = await place.decide({ scope, outcome: 'accepted_risk' });
  for (const [version, status, held] of [
    ['1.5.0', 'accepted_risk', id],
    ['1.9.0', 'accepted_risk', id],
    ['2.0.0', 'new', undefined],
    ['1.9.0', 'accepted_risk', id],
  ] as const) {
    await place.scan([inPackage('p', version)]);
    const [finding] = await place.findings();
    assert.deepEqual([finding!.status, finding!.decision?.id], [status, held], version);
  }
});

test('an accepted risk that disappears leaves its decision, which applies again when it returns, unless it has ended', async () => {
  const place = await createPlace(app);
  await place.scan([inPackage('p', '1.0.0')]);
  const { id } = await place.decide({ scope: { identifier: ['cve-2099-0001'] }, outcome: 'accepted_risk' });
  await place.scan([]);
  assert.deepEqual([await place.count('resolved'), await place.count('accepted_risk')], [1, 0]);
  await place.scan([inPackage('p', '1.0.0')]);
  const [back] = await place.findings();
  assert.deepEqual([back!.status, back!.decision.id], ['accepted_risk', id]);
  await place.scan([]);
  await place.withdraw(id);
  await place.scan([inPackage('p', '1.0.0')]);
  const [open] = await place.findings();
  assert.deepEqual([open!.status, open!.decision], ['new', null]);
});

test('a decision expires at its end time, and its findings are open again', async () => {
  const place = await createPlace(app);
  await place.scan(examples(0, 3));
  const until = '2999-01-01T00:00:00Z';
  const { id } = await place.decide({ scope: { rule: ['injection'] }, outcome: 'accepted_risk', until });
  assert.deepEqual(
    (await place.findings()).map(({ status, accepted_until }) => [status, accepted_until]),
    Array(3).fill(['accepted_risk', until]),
  );
  const earlier = '2998-01-01T00:00:00Z';
  succeeded(await place.call('PATCH', `/decisions/${id}`, { until: earlier }));
  await place.follow(id);
  assert.deepEqual(new Set((await place.findings()).map(({ accepted_until }) => accepted_until)), new Set([earlier]));
  await app.database.single(place.owner.orgId, {
    text: `UPDATE decisions SET until = now() - interval '1 second' WHERE org_id = $1`,
    values: [place.owner.orgId],
  });
  await decisionTicks[0]!.run({ database: app.database });
  assert.equal(await place.count('new'), 3);
  assert.equal(succeeded(await place.call('GET', `/decisions/${id}`)).status, 'expired');
});

test('a scope that selects nothing is refused with its field, and only analysts decide', async () => {
  const place = await createPlace(app);
  for (const [scope, field] of [
    [{ source: ['code'] }, 'scope'],
    [{ rule: ['a'], versions: 'vers:npm/1.0.0' }, 'scope.versions'],
    [{ package: ['pkg:npm/a'], versions: '1.0.0' }, 'scope.versions'],
    [{ package: ['pkg:npm/a'], versions: 'vers:cobol/1' }, 'scope.versions'],
    [{ rule: ['a'], path: ['**/*'] }, 'scope.path'],
    [{ rule: ['a'], path: [`test${'**/'.repeat(150)}`, `test${'*a'.repeat(51)}`] }, 'scope.path'],
  ] as const) {
    const json = { outcome: 'false_positive', reason: 'Why.', scope };
    const { status, body } = await place.call('POST', '/decisions', json);
    assert.deepEqual([status, body.error.details[0].field], [400, field]);
  }
  const past = { outcome: 'triaged', reason: 'x', scope: { rule: ['a'] }, until: '2020-01-01T00:00:00Z' };
  assert.equal((await place.call('POST', '/decisions', past)).status, 400);
  const viewer = await createTestMember(app.database, place.owner.orgId, 'viewer');
  const json = { outcome: 'triaged', reason: 'x', scope: { rule: ['a'] } };
  assert.equal((await place.call('POST', '/decisions', json, viewer)).status, 403);
});

test('the audit log has who made, changed and withdrew a decision, and its content', async () => {
  const place = await createPlace(app);
  await place.scan(examples(0, 2));
  const { id } = await place.decide({ scope: { rule: ['injection'] } });
  succeeded(await place.call('PATCH', `/decisions/${id}`, { reason: 'Better said.' }));
  await place.withdraw(id);
  const { data } = succeeded(await place.call('GET', '/audit-events'));
  const events = data.filter(({ target }: Finding) => target.id === id);
  assert.deepEqual(
    events.map(({ action, after, details }: Finding) => [action, after?.reason ?? null, details.findings]),
    [
      ['decision.withdrawn', null, 2],
      ['decision.updated', 'Better said.', undefined],
      ['decision.created', 'Why.', undefined],
    ],
  );
});

test('findings of another organization are in no scope', async () => {
  const [place, stranger] = [await createPlace(app), await createPlace(app, 'Strangers')];
  await place.scan(examples(0, 2));
  await stranger.scan(examples(0, 2));
  await place.decide({ scope: { rule: ['injection'] } });
  assert.deepEqual([await place.count('false_positive'), await stranger.count('false_positive')], [2, 0]);
});

const ends = (json: object) => ({ outcome: 'accepted_risk', ends_when: json });

/** Runs the job that a condition enqueued. */
async function followEnded(place: Awaited<ReturnType<typeof createPlace>>, id: string, because: string) {
  const decision = succeeded(await place.call('GET', `/decisions/${id}`));
  assert.deepEqual([decision.status, decision.ended_because], ['ended', because]);
  await place.follow(id);
}

test('a decision ends in the transaction in which a feed reports its CVE as exploited, and the history has the reason', async () => {
  const place = await createPlace(app);
  const [other, later] = [
    await addDataSource(app, place.owner.token, 'b'),
    await addDataSource(app, place.owner.token, 'c'),
  ];
  for (const dataSourceId of [place.dataSourceId, other]) await place.scan([inPackage('p', '1.0.0')], dataSourceId);
  const { id } = await place.decide({
    scope: { identifier: ['CVE-2099-0001'] },
    ...ends({ kev: true, epss_above: 0.5 }),
  });
  const feed = (score: number, isExploited: boolean) =>
    app.database.transaction(null, async (tx) => {
      await tx.query({
        text: `INSERT INTO epss_scores (cve, score, percentile) VALUES ('CVE-2099-0001', $1, 0.9) ON CONFLICT (cve) DO UPDATE SET score = $1`,
        values: [score],
      });
      if (isExploited)
        await tx.query({ text: `INSERT INTO known_exploited (cve, added_on) VALUES ('CVE-2099-0001', '2099-01-01')` });
      await tx.query({
        text: `INSERT INTO exploitation_feeds AS f (name, source, validator, version, loaded_at) VALUES ('epss', 'test', 'v', 1, now())
               ON CONFLICT (name) DO UPDATE SET version = f.version + 1`,
      });
    });
  const load = async () => {
    while ((await recompute(app.database, place.owner.orgId, mergeDecisions)) !== 'done');
  };
  await feed(0.5, false);
  await load();
  assert.equal(await place.count('accepted_risk'), 2);
  await feed(0.5, true);
  await load();
  assert.equal(await place.count('new'), 2);
  const [finding] = await place.findings();
  assert.deepEqual(
    (await place.history(finding!.id)).at(-1)!.changes.map(({ field, to }: Finding) => [field, to]),
    [
      ['status', 'new'],
      ['decision', null],
      ['decision_ended_because', 'kev'],
    ],
  );
  await followEnded(place, id, 'kev');
  await place.scan([inPackage('p', '1.0.0')], later);
  assert.equal(await place.count('new'), 3, 'it has ended for all');
});

test('a decision ends for all its findings when a scan sees a higher severity, a fix, or another version in one of them', async () => {
  const fixed = (detection: Detection) => {
    const { location } = detection;
    const found = { ...location.package!, fixed_version: '1.0.5' };
    return { ...detection, location: { ...location, package: found } };
  };
  for (const [because, endsWhen, change] of [
    [
      'severity_above',
      { severity_above: 'medium' },
      (detection: Detection) => ({ ...detection, severity: 'high' as const }),
    ],
    ['fix_available', { fix_available: true }, fixed],
    ['version_changes', { version_changes: true }, () => inPackage('p', '1.0.1')],
  ] as const) {
    const place = await createPlace(app, because);
    const other = await addDataSource(app, place.owner.token, 'other');
    const before = { ...inPackage('p', '1.0.0'), severity: 'medium' as const };
    for (const dataSourceId of [place.dataSourceId, other]) await place.scan([before], dataSourceId);
    const { id } = await place.decide({ scope: { package: ['pkg:npm/left-pad'] }, ...ends(endsWhen) });
    await place.scan([before]);
    assert.equal(await place.count('accepted_risk'), 2, because);
    await place.scan([change(before)]);
    assert.equal(await place.count('new'), 2, `${because}: all are open in the transaction of the merge`);
    await followEnded(place, id, because);
    assert.equal(await place.count('new'), 2, because);
  }
});

test('a status that a person sets on one finding is a decision about it: it holds before wider ones, which take over when it is withdrawn', async () => {
  const place = await createPlace(app);
  await place.scan([at('a', 'docs/examples/a.py'), at('b', 'src/b.py')]);
  const wide = await place.decide({ scope: { rule: ['injection'] }, outcome: 'accepted_risk' });
  const [{ id } = { id: '' }] = await place.findings('path=**/a.py');
  const closing = { status: 'false_positive', justification: 'test_or_example', comment: 'An example.' };
  const closed = await place.patch(id, closing);
  const own = succeeded(await place.call('GET', `/decisions/${closed.decision.id}`));
  assert.deepEqual(
    [own.status, own.outcome, own.justification, own.reason, own.scope, own.findings, own.requested_by.id],
    ['active', 'false_positive', 'test_or_example', 'An example.', { finding: [id] }, 1, place.owner.userId],
  );
  assert.deepEqual(
    closed.also.map((other: Finding) => other.id),
    [wide.id],
  );
  const listed = async (single: boolean) =>
    succeeded(await place.call('GET', `/decisions?single=${single}`)).data.map((decision: Finding) => decision.id);
  assert.deepEqual([await listed(true), await listed(false)], [[own.id], [wide.id]]);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  succeeded(await place.call('PATCH', `/decisions/${wide.id}`, { until: inDays(10) }));
  const ending = async (days: number) =>
    succeeded(await place.call('GET', `/decisions?until_to=${inDays(days)}`)).data.map(({ id: one }: Finding) => one);
  assert.deepEqual([await ending(9), await ending(11)], [[], [wide.id]], 'one without an end never ends soon');
  assert.equal((await place.call('GET', '/decisions?until_to=soon')).status, 400);
  await place.patch(id, { status: 'false_positive' });
  await place.scan([at('a', 'docs/examples/a.py', { title: 'Other words' }), at('b', 'src/b.py')]);
  assert.equal(
    (await place.findings('path=**/a.py'))[0]!.decision.id,
    own.id,
    'the same status again is no other decision',
  );
  await place.withdraw(own.id);
  const [back] = await place.findings('path=**/a.py');
  assert.deepEqual([back!.status, back!.decision.id], ['accepted_risk', wide.id]);

  const again = await place.patch(id, { status: 'false_positive' });
  await place.patch(id, { status: 'in_progress' });
  assert.equal(succeeded(await place.call('GET', `/decisions/${again.decision.id}`)).status, 'withdrawn');
  await place.scan([at('a', 'docs/examples/a.py', { title: 'More words' }), at('b', 'src/b.py')]);
  await place.follow(wide.id);
  const [open] = await place.findings('path=**/a.py');
  assert.deepEqual([open!.status, open!.decision], ['in_progress', null], 'no decision from before closes it again');
  const later = await place.decide({ scope: { rule: ['injection'] } });
  assert.equal((await place.findings('path=**/a.py'))[0]!.decision.id, later.id);

  const refused = await place.call('PATCH', `/findings/${id}`, { status: 'new', justification: 'other' });
  assert.equal(refused.status, 400);
});

test('of many decisions by identifier, each applies to the other names of its vulnerability', async () => {
  const place = await createPlace(app);
  const named = (key: string, identifiers: string[]) => ({ ...inPackage(key, '1.0.0'), identifiers });
  const nameOf = (n: number) => `GHSA-${String(1_000 + n)}-aaaa-bbbb`;
  const count = 25;
  await place.scan(Array.from({ length: count }, (_, n) => named(`both${n}`, [`CVE-2098-${1_000 + n}`, nameOf(n)])));
  for (let n = 0; n < count; n++) await place.decide({ scope: { identifier: [nameOf(n)] } });
  const later = await addDataSource(app, place.owner.token, 'later');
  await place.scan(
    Array.from({ length: count }, (_, n) => named(`cve${n}`, [`CVE-2098-${1_000 + n}`])),
    later,
  );
  assert.equal((await place.findings(`data_source=${later}&status=false_positive`)).length, count);
});

test('an own acceptance ends by itself, by a condition, or with a bulk change, and no merge waits for it', async () => {
  const place = await createPlace(app);
  await place.scan([inPackage('p', '1.0.0')]);
  const [{ id } = { id: '' }] = await place.findings();
  const until = '2030-01-01T00:00:00Z';
  const accept = () => place.patch(id, { status: 'accepted_risk', accepted_until: until });
  const { decision } = await accept();
  assert.equal(decision.until, until);
  const { database } = app;
  await database.transaction(place.owner.orgId, async (tx) => {
    await mergeDecisions.hold(tx, place.owner.orgId);
    const prolonged = await place.patch(id, { status: 'accepted_risk', accepted_until: '2031-01-01T00:00:00Z' });
    assert.notEqual(prolonged.decision.id, decision.id);
    assert.equal((await place.call('DELETE', `/decisions/${prolonged.decision.id}`)).status, 204);
  });
  const second = (await accept()).decision;
  succeeded(await place.call('PATCH', `/decisions/${second.id}`, { ends_when: { version_changes: true } }));
  await place.scan([inPackage('p', '1.0.1')]);
  const [finding] = await place.findings();
  assert.deepEqual([finding!.status, finding!.decision], ['new', null]);
  assert.equal(succeeded(await place.call('GET', `/decisions/${second.id}`)).ended_because, 'version_changes');
  const third = (await accept()).decision;
  succeeded(await place.call('PATCH', '/findings', { ids: [id], status: 'triaged' }));
  assert.equal(succeeded(await place.call('GET', `/decisions/${third.id}`)).status, 'withdrawn');
  const fourth = (await accept()).decision;
  const text = `UPDATE decisions SET until = clock_timestamp() - interval '1 day' WHERE org_id = $1 AND id = $2`;
  await database.single(place.owner.orgId, { text, values: [place.owner.orgId, fourth.id] });
  await decisionTicks[0]!.run({ database });
  assert.equal((await place.findings())[0]!.status, 'new');
});
