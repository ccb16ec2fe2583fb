import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Application, startApplication } from '../../tests/harness/application.ts';
import type { Finding } from '../../tests/harness/finding-set.ts';
import { succeeded } from '../../tests/harness/furnished.ts';
import { createTestMember } from '../../tests/harness/people.ts';
import { at, createPlace as createDecided } from './decisions.fixture.ts';
import { decisionTicks } from './jobs.ts';

let app: Application;
before(async () => {
  app = await startApplication();
});
after(() => app.close());

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString().replace(/\.\d+/, '');
const daysUntil = (time: string) => Math.round((Date.parse(time) - Date.now()) / dayMs);
const scope = { rule: ['injection'] };
const reason = 'Never deployed.';

async function createPlace(limits: object) {
  const place = await createDecided(app, 'Limits');
  const { call, owner } = place;
  const { sign_in: _, ...policy } = succeeded(await call('GET', '/organization/policy'));
  const setPolicy = async (change: object, accepted_risk: object = {}): Promise<Finding> => {
    const accepted = { ...policy.accepted_risk, ...accepted_risk };
    const json = { ...policy, accepted_risk: accepted, decisions: { ...policy.decisions, ...change } };
    return succeeded(await call('PUT', '/organization/policy', json));
  };
  await setPolicy(limits);
  await place.scan([at('a', 'src/a.py'), at('b', 'src/b.py')]);
  const [first, second] = await place.findings();
  return {
    ...place,
    setPolicy,
    ids: [first!.id, second!.id] as [string, string],
    developer: await createTestMember(app.database, owner.orgId, 'developer'),
    /** Returns the status and the field of an error. */
    async refusal(method: string, path: string, json: object): Promise<unknown[]> {
      const { status, body } = await call(method, path, json);
      return [status, body.error?.details?.[0]?.field ?? body.error?.code];
    },
  };
}

test('a client that does not know the limits of decisions keeps them', async () => {
  const { call, setPolicy } = await createPlace({});
  const { decisions } = await setPolicy({ longest_days: 90, justification_required: true });
  const { longest_days: _, justification_required: __, repository_file: ___, ...known } = decisions;
  const { sign_in, ...policy } = succeeded(await call('GET', '/organization/policy'));
  const after = succeeded(await call('PUT', '/organization/policy', { ...policy, decisions: known }));
  assert.deepEqual([after.decisions, decisions.longest_days, decisions.justification_required], [decisions, 90, true]);
  for (const wrong of [{ longest_days: 0 }, { longest_days: 1.5 }, { justification_required: null }]) {
    const json = { ...policy, decisions: { ...decisions, ...wrong } };
    assert.equal((await call('PUT', '/organization/policy', json)).status, 400, JSON.stringify(wrong));
  }
});

test('with longest_days, every decision names an end within them, also when it is prolonged', async () => {
  const { call, setPolicy, refusal, decide, ids } = await createPlace({ longest_days: 30 });
  for (const outcome of ['false_positive', 'accepted_risk', 'triaged', 'demoted'])
    for (const until of [undefined, null, inDays(31)]) {
      const json = { outcome, reason, scope, ...(until !== undefined && { until }) };
      assert.deepEqual(await refusal('POST', '/decisions', json), [400, 'until'], `${outcome} ${until}`);
      assert.deepEqual(await refusal('POST', '/decisions', { ...json, dry_run: true }), [400, 'until']);
    }
  const decision = await decide({ outcome: 'accepted_risk', scope, until: inDays(29) });
  const path = `/decisions/${decision.id}`;
  for (const until of [null, inDays(31)]) assert.deepEqual(await refusal('PATCH', path, { until }), [400, 'until']);
  succeeded(await call('PATCH', path, { until: inDays(20) }));
  // The smaller limit counts for accepted risks.
  await setPolicy({ longest_days: 30 }, { max_days: 10 });
  for (const json of [
    { outcome: 'accepted_risk', reason, scope, until: inDays(11) },
    { outcome: 'false_positive', reason, scope, until: inDays(31) },
  ])
    assert.deepEqual(await refusal('POST', '/decisions', json), [400, 'until']);
  succeeded(await call('POST', '/decisions', { outcome: 'triaged', reason, scope, until: inDays(29) }));
  await setPolicy({ longest_days: 5 }, { max_days: 10 });
  for (const [target, given] of [
    [`/findings/${ids[0]}`, {}],
    ['/findings', { ids }],
  ] as const)
    for (const accepted_until of [undefined, null, inDays(6)]) {
      const json = { status: 'accepted_risk', ...given, ...(accepted_until !== undefined && { accepted_until }) };
      assert.deepEqual(await refusal('PATCH', target, json), [400, 'accepted_until'], `${target} ${accepted_until}`);
    }
});

test('a false positive of one finding or of many ends after longest_days, and its finding is open again', async () => {
  const { owner, call, patch, findings, ids } = await createPlace({ longest_days: 30 });
  await patch(ids[0], { status: 'false_positive', comment: reason });
  succeeded(await call('PATCH', '/findings', { ids: [ids[1]], status: 'false_positive' }));
  const held = (await findings()).map(({ status, decision }) => [status, daysUntil(decision.until)]);
  assert.deepEqual(held, [
    ['false_positive', 30],
    ['false_positive', 30],
  ]);
  const [{ decision }] = (await findings()) as [Finding];
  await patch(ids[0], { status: 'false_positive' });
  assert.equal((await findings())[0]!.decision.id, decision.id, 'the same again makes no other decision');
  const earlier = `UPDATE decisions SET until = now() - interval '1 second' WHERE org_id = $1`;
  await app.database.single(owner.orgId, { text: earlier, values: [owner.orgId] });
  await decisionTicks[0]!.run({ database: app.database });
  assert.deepEqual(
    (await findings()).map(({ status, decision: now }) => [status, now]),
    [
      ['new', null],
      ['new', null],
    ],
  );
});

test('with justification_required, nothing is closed without a justification', async () => {
  const { call, patch, refusal, setPolicy, decide, ids, findings } = await createPlace({});
  const without = await decide({ outcome: 'accepted_risk', scope, until: inDays(5) });
  await setPolicy({ justification_required: true });
  assert.deepEqual(await refusal('PATCH', `/decisions/${without.id}`, { until: inDays(9) }), [409, 'conflict']);
  succeeded(await call('PATCH', `/decisions/${without.id}`, { until: inDays(4) }));
  for (const outcome of ['false_positive', 'accepted_risk'])
    for (const justification of [undefined, null]) {
      const given = justification !== undefined && { justification };
      assert.deepEqual(
        [
          await refusal('POST', '/decisions', { outcome, reason, scope, ...given }),
          await refusal('PATCH', `/findings/${ids[0]}`, { status: outcome, ...given }),
          await refusal('PATCH', '/findings', { ids, status: outcome, ...given }),
        ],
        Array(3).fill([400, 'justification']),
      );
    }
  succeeded(await call('POST', '/decisions', { outcome: 'demoted', reason, scope }));
  const justification = 'compensating_control';
  await patch(ids[0], { status: 'accepted_risk', justification, accepted_until: inDays(5) });
  const longer = { accepted_until: null };
  assert.deepEqual(await refusal('PATCH', `/findings/${ids[0]}`, longer), [400, 'justification']);
  await patch(ids[0], { status: 'accepted_risk', justification, accepted_until: inDays(9) });
  const { decision } = (await findings()).find(({ id }) => id === ids[0])!;
  assert.deepEqual([decision.justification, daysUntil(decision.until)], [justification, 9]);
});

test('a request is approved only as the policy of that time allows', async () => {
  const { call, setPolicy, developer, follow, count } = await createPlace({});
  const request = async (json: object): Promise<string> =>
    succeeded(await app.call(developer.token, 'POST', '/decisions', { json: { reason, scope, ...json } })).id;
  const approve = (id: string) => call('POST', `/decisions/${id}/approve`, { version: 1 });
  const outcome = 'false_positive';
  const requests = [
    await request({ outcome }),
    await request({ outcome, justification: 'test_or_example' }),
    await request({ outcome, justification: 'test_or_example', until: inDays(40) }),
    await request({ outcome, justification: 'test_or_example', until: inDays(20) }),
  ] as const;
  await setPolicy({ longest_days: 30, justification_required: true });
  for (const [at, expected] of [
    /requires a `justification`: make a new request/,
    /for 30 days at most: ask for an earlier `until`/,
    /for 30 days at most: ask for an earlier `until`/,
  ].entries()) {
    const { status, body } = await approve(requests[at]!);
    assert.equal(status, 409);
    assert.match(body.error.message, expected);
  }
  const tooLong = { json: { until: inDays(31) } };
  assert.equal((await app.call(developer.token, 'PATCH', `/decisions/${requests[3]}`, tooLong)).status, 400);
  succeeded(await approve(requests[3]));
  await follow(requests[3]);
  assert.equal(await count('false_positive'), 2);
});
