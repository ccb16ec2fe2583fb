import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '../../tests/harness/database.ts';
import { checkProperty } from '../../tests/harness/properties.ts';
import { earliestId, isId, newId, newIdsAt } from '../platform/id.ts';
import { readChangeClock } from './change-clock.ts';
import { detectionOf, insertTenant } from './findings.fixture.ts';
import type { Status } from './lifecycle.ts';
import { isOpen, statuses } from './lifecycle.ts';
import { finishSighting, plainTransactions, recordDetections, type Sighting } from './record-detections.ts';
import { triageFindings } from './triage-findings.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

type Tenant = Awaited<ReturnType<typeof insertTenant>>;
type Row = {
  id: string;
  key: string;
  status: Status;
  resolution: string | null;
  reopened: number;
  version: number;
  xmin: string;
};

const tenant = () => insertTenant(testDatabase.database);

async function begin(place: Tenant, startedAt?: Date): Promise<Sighting> {
  return {
    dataSourceId: place.dataSourceId,
    source: 'test',
    scanId: newId('scan'),
    startedAt:
      startedAt ?? (await testDatabase.database.transaction(place.orgId, (tx) => readChangeClock(tx, place.orgId))),
  };
}

const record = (place: Tenant, sighting: Sighting, keys: string[], changes = {}) =>
  testDatabase.database.transaction(place.orgId, (tx) =>
    recordDetections(
      tx,
      place.orgId,
      sighting,
      keys.map((key) => detectionOf(key, changes)),
    ),
  );

const finish = async (place: Tenant, sighting: Sighting, keys: string[], close = true) => {
  const seen = new Set(keys.map((key) => detectionOf(key).fingerprint));
  const { resolved } = await finishSighting(
    plainTransactions(testDatabase.database, place.orgId),
    place.orgId,
    sighting,
    (fingerprint) => seen.has(fingerprint),
    { close, isComplete: true },
  );
  return resolved;
};

async function scan(place: Tenant, keys: string[], changes = {}) {
  // Start times have a precision of one millisecond: a finding that closed in the same millisecond counts as closed
  // later.
  await new Promise((resolve) => setTimeout(resolve, 2));
  const sighting = await begin(place);
  const tally = await record(place, sighting, keys, changes);
  return { ...tally, resolved: await finish(place, sighting, keys) };
}

const findings = (place: Tenant) =>
  testDatabase.database.single<Row>(place.orgId, {
    text: `SELECT id, substr(title, 9) AS key, status, resolution, reopened_count AS reopened, version, xmin::text FROM findings
           WHERE org_id = $1 ORDER BY title`,
    values: [place.orgId],
  });

const decide = async (place: Tenant, key: string, status: Status) => {
  const finding = (await findings(place)).find((row) => row.key === key)!;
  await testDatabase.database.transaction(place.orgId, (tx) =>
    triageFindings(tx, place.orgId, place.userId, [finding.id], { status }),
  );
};

const statusOf = async (place: Tenant, key: string) => (await findings(place)).find((row) => row.key === key)?.status;

test('a rescan with the same detections creates no finding and rewrites no row', async () => {
  const place = await tenant();
  assert.deepEqual(await scan(place, ['a', 'b']), { new: 2, seen: 0, reopened: 0, resolved: 0 });
  const first = await findings(place);
  assert.deepEqual(await scan(place, ['b', 'a']), { new: 0, seen: 2, reopened: 0, resolved: 0 });
  assert.deepEqual(await findings(place), first);
});

test('new facts of a known finding replace the old ones and keep its triage', async () => {
  const place = await tenant();
  await scan(place, ['a']);
  await decide(place, 'a', 'triaged');
  assert.deepEqual(await scan(place, ['a'], { severity: 'low' }), { new: 0, seen: 1, reopened: 0, resolved: 0 });
  const [finding] = await testDatabase.database.single<{ severity: number; status: string }>(place.orgId, {
    text: 'SELECT severity, status FROM findings WHERE org_id = $1',
    values: [place.orgId],
  });
  assert.deepEqual(finding, { severity: 1, status: 'triaged' });
});

test('a finding that a covering scan misses is resolved as fixed, and reopens as a regression when seen again', async () => {
  const place = await tenant();
  await scan(place, ['a', 'b']);
  assert.equal((await scan(place, ['b'])).resolved, 1);
  const [resolved] = await findings(place);
  assert.deepEqual([resolved!.status, resolved!.resolution], ['resolved', 'fixed']);
  assert.equal((await scan(place, ['a', 'b'])).reopened, 1);
  const [reopened] = await findings(place);
  assert.deepEqual([reopened!.status, reopened!.resolution, reopened!.reopened], ['new', null, 1]);
});

for (const [status, missed] of [
  ['accepted_risk', 'resolved'],
  ['false_positive', 'false_positive'],
] as const) {
  test(`${status} stays when a scan sees it again, is ${missed} when one misses it, and ${status} when it returns`, async () => {
    const place = await tenant();
    await scan(place, ['a']);
    await decide(place, 'a', status);
    for (const keys of [['a'], [], ['a'], [], ['a']]) {
      const { reopened } = await scan(place, keys);
      assert.deepEqual([await statusOf(place, 'a'), reopened], [keys.length > 0 ? status : missed, 0]);
    }
  });
}

test('an acceptance that ended while its problem was absent does not apply when the problem returns', async () => {
  const place = await tenant();
  const until = async (acceptedUntil: Date) => {
    const [{ id } = { id: '' }] = await findings(place);
    await testDatabase.database.transaction(place.orgId, (tx) =>
      triageFindings(tx, place.orgId, place.userId, [id], { status: 'accepted_risk', acceptedUntil }),
    );
  };
  const end = new Date('2999-01-01T00:00:00Z');
  await scan(place, ['a']);
  await until(end);
  await scan(place, []);
  await scan(place, ['a']);
  const accepted = await testDatabase.database.single(place.orgId, {
    text: 'SELECT status, accepted_until AS until, accepted_again_until AS again FROM findings WHERE org_id = $1',
    values: [place.orgId],
  });
  assert.deepEqual(accepted, [{ status: 'accepted_risk', until: end, again: null }]);
  await until(new Date(Date.now() - 1_000));
  await scan(place, []);
  await scan(place, ['a']);
  assert.equal(await statusOf(place, 'a'), 'new');
});

test('a finding that a person resolved while the scan ran stays resolved', async () => {
  const place = await tenant();
  await scan(place, ['a']);
  const sighting = await begin(place);
  await decide(place, 'a', 'resolved');
  await record(place, sighting, ['a']);
  await finish(place, sighting, ['a']);
  assert.equal(await statusOf(place, 'a'), 'resolved');
});

test('a scan that starts earlier and ends later than another closes nothing', async () => {
  const place = await tenant();
  await scan(place, ['a']);
  const early = await begin(place);
  await scan(place, ['a', 'b']);
  await record(place, early, []);
  assert.equal(await finish(place, early, []), 0);
  assert.deepEqual([await statusOf(place, 'a'), await statusOf(place, 'b')], ['new', 'new']);
});

test('after a clock was set back, scans close and reopen as before', async () => {
  const place = await tenant();
  await scan(place, ['kept', 'gone', 'resolved']);
  await scan(place, ['kept', 'gone']);
  // Everything so far happened while the clock was eight hours ahead.
  await testDatabase.asAdmin(
    `UPDATE findings SET first_seen_at = first_seen_at + interval '8 hours', closed_at = closed_at + interval '8 hours',
       updated_at = updated_at + interval '8 hours'
     WHERE org_id = '${place.orgId}'`,
  );
  await testDatabase.asAdmin(
    `UPDATE finding_coverage SET started_at = started_at + interval '8 hours' WHERE org_id = '${place.orgId}'`,
  );
  await scan(place, ['kept', 'resolved']);
  assert.deepEqual((await findings(place)).map(({ key, status, reopened }) => [key, status, reopened]).sort(), [
    ['gone', 'resolved', 0],
    ['kept', 'new', 0],
    ['resolved', 'new', 1],
  ]);
  await scan(place, []);
  assert.deepEqual(new Set((await findings(place)).map(({ status }) => status)), new Set(['resolved']));
});

test("an id is not older than its finding's first sighting, even while the clock of changes is ahead", async () => {
  const place = await tenant();
  await scan(place, ['before']);
  await testDatabase.asAdmin(
    `UPDATE findings SET updated_at = updated_at + interval '40 days' WHERE org_id = '${place.orgId}'`,
  );
  await scan(place, ['before', 'new']);
  const rows = await testDatabase.database.single<{ id: string; ms: number }>(place.orgId, {
    text: 'SELECT id, floor(extract(epoch FROM first_seen_at) * 1000)::float8 AS ms FROM findings ORDER BY first_seen_at',
  });
  assert.ok(rows[1]!.ms > Date.now() + 39 * 86_400_000);
  for (const { id, ms } of rows) {
    assert.ok(isId('fnd', id) && id >= earliestId('fnd', ms), id);
    assert.ok(id < earliestId('fnd', ms + 1), id);
  }
  const many = newIdsAt('fnd', 0, 1_000);
  assert.deepEqual(many, [...new Set(many)].sort());
});

test('an import that only adds closes nothing and keeps the last sighting of findings that it does not contain', async () => {
  const place = await tenant();
  await scan(place, ['a', 'b']);
  const sighting = await begin(place);
  await record(place, sighting, ['b', 'c']);
  assert.equal(await finish(place, sighting, ['b', 'c'], false), 0);
  assert.deepEqual(
    (await findings(place)).map((row) => row.status),
    ['new', 'new', 'new'],
  );
  const rows = await testDatabase.database.single<{ seen: boolean }>(place.orgId, {
    text: 'SELECT seen_last AS seen FROM findings WHERE org_id = $1 ORDER BY title',
    values: [place.orgId],
  });
  assert.deepEqual(
    rows.map((row) => row.seen),
    [false, true, true],
  );
});

test('two concurrent scans that record the same findings create each only once', async () => {
  const place = await tenant();
  const keys = Array.from({ length: 300 }, (_, index) => `k${index}`);
  const first = await begin(place);
  const second = await begin(place);
  const tallies = await Promise.all([record(place, first, keys), record(place, second, [...keys].reverse())]);
  assert.equal(tallies[0]!.new + tallies[1]!.new, 300);
  assert.equal((await findings(place)).length, 300);
});

test('recording a batch again, as after a crash, changes nothing', async () => {
  const place = await tenant();
  const sighting = await begin(place);
  await record(place, sighting, ['a', 'a', 'b']);
  assert.deepEqual(await record(place, sighting, ['a', 'b']), { new: 0, seen: 2, reopened: 0, resolved: 0 });
});

/** A simple model of findings by key that the merge must agree with. */
type Model = Map<string, { status: Status; reopened: number; accepted?: boolean }>;

function modelScan(model: Model, keys: string[]): void {
  for (const key of keys) {
    const known = model.get(key);
    if (!known) model.set(key, { status: 'new', reopened: 0 });
    else if (known.status === 'resolved' && known.accepted)
      model.set(key, { status: 'accepted_risk', reopened: known.reopened });
    else if (known.status === 'resolved') model.set(key, { status: 'new', reopened: known.reopened + 1 });
  }
  for (const [key, known] of model) {
    const accepted = known.status === 'accepted_risk';
    if (!keys.includes(key) && (isOpen(known.status) || accepted))
      model.set(key, { status: 'resolved', reopened: known.reopened, accepted });
  }
}

const keyOf = fc.constantFrom('a', 'b', 'c', 'd');
const stepOf = fc.oneof(
  fc.record({ kind: fc.constant('scan' as const), keys: fc.uniqueArray(keyOf) }),
  fc.record({ kind: fc.constant('failed' as const), keys: fc.uniqueArray(keyOf) }),
  fc.record({ kind: fc.constant('decide' as const), key: keyOf, status: fc.constantFrom(...statuses) }),
);

test('the merge of any sequence of scans and decisions agrees with the model, and the counts with the findings', async () => {
  await checkProperty(
    fc.asyncProperty(fc.array(stepOf, { maxLength: 12 }), async (steps) => {
      const place = await tenant();
      const model: Model = new Map();
      for (const step of steps) {
        if (step.kind === 'scan') {
          await scan(place, step.keys);
          modelScan(model, step.keys);
        } else if (step.kind === 'failed') {
          // Sightings of a scan that fails later count; findings that it did not see stay unchanged.
          await new Promise((resolve) => setTimeout(resolve, 2));
          await record(place, await begin(place), step.keys);
          const before = new Map(model);
          modelScan(model, step.keys);
          for (const [key, known] of before) if (!step.keys.some((seen) => seen === key)) model.set(key, known);
        } else if (model.has(step.key)) {
          await decide(place, step.key, step.status);
          const { status, reopened, accepted } = model.get(step.key)!;
          model.set(step.key, { status: step.status, reopened, accepted: accepted && status === step.status });
        }
      }
      const rows = await findings(place);
      const expected = [...model]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, { status, reopened }]) => [key, { status, reopened }]);
      assert.deepEqual(
        rows.map((row) => [row.key, { status: row.status, reopened: row.reopened }]),
        expected,
      );
      await assertFiguresAgree(place);
    }),
    { numRuns: 40 },
  );
});

async function assertFiguresAgree(place: Tenant): Promise<void> {
  const rows = await testDatabase.database.single(place.orgId, {
    text: `(SELECT severity, status, count FROM finding_counts WHERE org_id = $1 AND count <> 0)
           EXCEPT (SELECT severity, status, count(*) FROM findings WHERE org_id = $1 GROUP BY 1, 2)
           UNION ALL
           ((SELECT severity, status, count(*) FROM findings WHERE org_id = $1 GROUP BY 1, 2)
            EXCEPT SELECT severity, status, count FROM finding_counts WHERE org_id = $1)`,
    values: [place.orgId],
  });
  assert.deepEqual(rows, []);
}

test('updates of a few findings read only these, also before PostgreSQL has statistics about their organization', async () => {
  const place = await tenant();
  const keys = Array.from({ length: 2_000 }, (_, index) => `k${index}`);
  await record(place, await begin(place), keys);
  const few = keys.slice(0, 20);
  const sighting = await begin(place);
  const { rows } = await testDatabase.database.transaction(place.orgId, async (tx) => {
    const changed = few.map((key) => detectionOf(key, { title: 'Another title' }));
    await recordDetections(tx, place.orgId, sighting, changed);
    const { rows: found } = await tx.query<{ id: string }>({
      text: `SELECT id FROM findings WHERE org_id = $1 AND title = 'Another title'`,
      values: [place.orgId],
    });
    const ids = found.map(({ id }) => id);
    assert.equal(ids.length, few.length);
    const readRows = `SELECT (seq_tup_read + idx_tup_fetch)::integer AS count FROM pg_stat_xact_user_tables WHERE relname = 'findings'`;
    const { rows: before } = await tx.query<{ count: number }>({ text: readRows });
    await triageFindings(tx, place.orgId, place.userId, ids, { status: 'triaged' });
    const { rows: after } = await tx.query<{ count: number }>({ text: readRows });
    return { rows: after[0]!.count - before[0]!.count };
  });
  assert.ok(rows < 10 * few.length, `${rows} rows were read`);
});
