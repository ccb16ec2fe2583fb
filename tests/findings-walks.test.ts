import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { Detection } from '../scanner/contract/detection.ts';
import { severities } from '../scanner/contract/severity.ts';
import { detectionOf } from '../server/findings/findings.fixture.ts';
import { statuses } from '../server/findings/lifecycle.ts';
import { recordDetections } from '../server/findings/record-detections.ts';
import { triageFindings } from '../server/findings/triage-findings.ts';
import { newId } from '../server/platform/id.ts';
import { startApplication } from './harness/application.ts';
import { addDataSource, type Finding, pick, readAll } from './harness/finding-set.ts';
import { recordScan, succeeded } from './harness/furnished.ts';
import { eventually } from './harness/installation.ts';
import { createTenant } from './harness/people.ts';
import { checkProperty } from './harness/properties.ts';

const app = await startApplication();
after(() => app.close());

type Place = { token: string; orgId: string; userId: string; dataSourceId: string; detections: Detection[] };

const detection = (n: number) => detectionOf(`d${n}`, { severity: pick(severities, n) });

async function createPlace(count: number): Promise<Place> {
  const { token, orgId, userId } = await createTenant(app.database, 'Walks');
  const dataSourceId = await addDataSource(app, token, 'results');
  const detections = Array.from({ length: count }, (_, n) => detection(n));
  // In several transactions, so that times differ.
  for (let start = 0; start < count; start += 9) {
    await recordScan(app.database, orgId, dataSourceId, detections.slice(start, start + 9), { close: false });
  }
  return { token, orgId, userId, dataSourceId, detections };
}

const get = async (place: Place, query: string) => succeeded(await app.call(place.token, 'GET', `/findings?${query}`));

/** Concurrent changes by others. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('decide' as const), n: fc.nat(200), status: fc.constantFrom(...statuses) }),
  fc.record({ kind: fc.constant('comment' as const), n: fc.nat(200) }),
  fc.record({ kind: fc.constant('rescan' as const), keep: fc.nat(3) }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

let inserted = 1_000;

async function apply(place: Place, ids: string[], one: Change): Promise<void> {
  const { token, orgId, dataSourceId, detections } = place;
  const record = (some: Detection[], close: boolean) => recordScan(app.database, orgId, dataSourceId, some, { close });
  if (one.kind === 'insert') {
    const fresh = Array.from({ length: one.count }, () => detection(++inserted));
    const sighting = { dataSourceId, source: 'secrets', scanId: newId('scan'), startedAt: new Date() };
    await app.database.transaction(orgId, (tx) => recordDetections(tx, orgId, sighting, fresh));
  } else if (one.kind === 'decide') {
    const json = { status: one.status, tags: [one.status] };
    succeeded(await app.call(token, 'PATCH', `/findings/${pick(ids, one.n)}`, { json }));
  } else if (one.kind === 'comment') {
    succeeded(await app.call(token, 'POST', `/findings/${pick(ids, one.n)}/comment`, { json: { comment: 'x' } }));
  } else {
    // Resolves the findings that it omits, and reopens those that an earlier one omitted.
    await record(
      detections.filter((_, n) => n % 4 !== one.keep),
      true,
    );
  }
}

const walk = fc.record({
  limits: fc.array(fc.integer({ min: 1, max: 13 }), { minLength: 1, maxLength: 5 }),
  /** Changes between two pages, and changes while the next one is read. */
  steps: fc.array(
    fc.record({ between: fc.array(change, { maxLength: 3 }), beside: fc.array(change, { maxLength: 2 }) }),
    {
      minLength: 4,
      maxLength: 12,
    },
  ),
});

/** Pages through a list while it changes. Returns the ids in the order in which they were received. */
async function walkList(
  place: Place,
  query: string,
  ids: string[],
  { limits, steps }: typeof walk extends fc.Arbitrary<infer T> ? T : never,
) {
  const seen: string[] = [];
  let cursor = '';
  for (let page = 0; ; page++) {
    const step = steps[page] ?? { between: [], beside: [] };
    for (const one of step.between) await apply(place, ids, one);
    const [response] = await Promise.all([
      get(place, `${query}&limit=${pick(limits, page)}${cursor}`),
      ...step.beside.map((one) => apply(place, ids, one)),
    ]);
    seen.push(...response.data.map((finding: Finding) => finding.id));
    if (response.next_cursor === null) return seen;
    cursor = `&next_cursor=${response.next_cursor}`;
  }
}

const unmoved = ['-first_seen_at', 'first_seen_at', '-severity'];
const filters = [
  '',
  '&severity=critical,low',
  '&rule=rule-d3,rule-d8',
  '&q=problem',
  '&severity=high',
  '&source=secrets',
];

for (const sort of unmoved) {
  test(`pages by ${sort} contain every finding once, whatever is added or changed meanwhile`, async () => {
    const place = await createPlace(45);
    const runs = fc.asyncProperty(walk, fc.constantFrom(...filters), async (steps, filter) => {
      const before = (await readAll(app, place.token, filter.slice(1))).map((finding) => finding.id);
      const all = before.length === 0 ? [] : (await readAll(app, place.token, '')).map((finding) => finding.id);
      const seen = await walkList(place, `sort=${sort}${filter}`, all, steps);
      assert.equal(new Set(seen).size, seen.length, 'a finding came twice');
      assert.deepEqual(
        before.filter((id) => !seen.includes(id)),
        [],
        'a finding was skipped',
      );
    });
    await checkProperty(runs, { numRuns: 12, endOnFailure: true });
  });
}

/** Returns the version of each finding, which reveals even a change that is reverted within a second. */
async function readVersions({ orgId }: Place): Promise<Map<string, number>> {
  const rows = await app.database.single<{ id: string; version: number }>(orgId, {
    text: 'SELECT id, version FROM findings WHERE org_id = $1',
    values: [orgId],
  });
  return new Map(rows.map(({ id, version }) => [id, version]));
}

test('pages by -updated_at contain nothing twice, and everything that does not change', async () => {
  const place = await createPlace(45);
  const runs = fc.asyncProperty(walk, async (steps) => {
    const before = await readVersions(place);
    const seen = await walkList(place, 'sort=-updated_at', [...before.keys()], steps);
    const after = await readVersions(place);
    assert.equal(new Set(seen).size, seen.length, 'a finding came twice');
    const untouched = [...before].filter(([id, version]) => after.get(id) === version);
    assert.deepEqual(
      untouched.filter(([id]) => !seen.includes(id)),
      [],
    );
  });
  await checkProperty(runs, { numRuns: 12, endOnFailure: true });
});

/** A reader of the feed as documented: it stores the newest state of every finding that it received. */
class Follower {
  readonly state = new Map<string, string>();
  #from = '';
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Reads to the current end, in pages of `limit`. */
  async catchUp(limit: number): Promise<void> {
    let cursor = '';
    const from = this.#from && `&updated_from=${this.#from}`;
    for (;;) {
      const page = await get(this.#place, `sort=updated_at&limit=${limit}${from}${cursor}`);
      for (const finding of page.data) {
        this.state.set(finding.id, JSON.stringify(finding));
        assert.ok(finding.updated_at >= this.#from, 'the feed goes forward');
        this.#from = finding.updated_at;
      }
      if (page.next_cursor === null) return;
      cursor = `&next_cursor=${page.next_cursor}`;
    }
  }
}

/** A change that is written and committed only on request. */
function startLateChange(
  place: Place,
  ids: string[],
  kind: 'decide' | 'insert',
): { written: Promise<void>; commit(): Promise<void> } {
  const written = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const done = app.database.transaction(place.orgId, async (tx) => {
    if (kind === 'decide') {
      await triageFindings(tx, place.orgId, place.userId, ids, { comment: 'late', tags: [`late${++inserted}`] });
    } else {
      const sighting = {
        dataSourceId: place.dataSourceId,
        source: `late-${++inserted}`,
        scanId: newId('scan'),
        startedAt: new Date(),
      };
      await recordDetections(tx, place.orgId, sighting, [detection(++inserted)]);
    }
    written.resolve();
    await gate.promise;
  });
  return {
    written: written.promise,
    commit: () => {
      gate.resolve();
      return done;
    },
  };
}

const feedStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('change' as const), change }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('begin' as const),
      n: fc.nat(44),
      kind: fc.constantFrom('decide' as const, 'insert' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('commit' as const), n: fc.nat(5) }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('read' as const), limit: fc.integer({ min: 1, max: 20 }) }) },
);

test('a reader of sort=updated_at misses no change, however late its transaction commits', async () => {
  const runs = fc.asyncProperty(fc.array(feedStep, { minLength: 5, maxLength: 25 }), async (steps) => {
    const place = await createPlace(18);
    const ids = (await readAll(app, place.token, '')).map((finding) => finding.id);
    // The last findings are reserved for uncommitted changes, so that nothing else waits for their locks.
    const [shared, own] = [ids.slice(0, 12), ids.slice(12)];
    const follower = new Follower(place);
    const open: Array<{ commit(): Promise<void> }> = [];
    try {
      for (const step of steps) {
        if (step.act === 'read') await follower.catchUp(step.limit);
        else if (step.act === 'commit') await open.splice(step.n % Math.max(1, open.length), 1)[0]?.commit();
        else if (step.act === 'begin' && open.length < own.length) {
          const late = startLateChange(place, [own.pop()!], step.kind);
          await late.written;
          open.push(late);
        } else if (step.act === 'change' && step.change.kind !== 'rescan') await apply(place, shared, step.change);
      }
    } finally {
      for (const late of open) await late.commit();
    }
    const truth: Finding[] = await readAll(app, place.token, '');
    const isMissed = (finding: Finding) => follower.state.get(finding.id) !== JSON.stringify(finding);
    // Transactions in the databases of other tests hold the feed back too, until they end.
    await eventually(async () => {
      await follower.catchUp(7);
      return !truth.some(isMissed);
    }).catch(() => assert.deepEqual(truth.filter(isMissed), [], 'missed'));
    assert.equal(follower.state.size, truth.length);
  });
  await checkProperty(runs, { numRuns: 20, endOnFailure: true });
});

test('an uncommitted change holds back the feed, and no other list', async () => {
  const place = await createPlace(9);
  const [one, two] = (await readAll(app, place.token, '')).map((finding) => finding.id);
  const late = startLateChange(place, [one!], 'decide');
  await late.written;
  const json = { status: 'triaged' };
  succeeded(await app.call(place.token, 'PATCH', `/findings/${two}`, { json }));
  const listed = async (query: string) => (await get(place, query)).data.map((finding: Finding) => finding.id);
  assert.ok(!(await listed('sort=updated_at')).includes(two));
  assert.equal((await listed('sort=-updated_at'))[0], two);
  assert.ok((await listed('status=triaged')).includes(two));
  await late.commit();
  // Transactions in the databases of other tests hold the feed back too, until they end.
  const fed = await eventually(async () => {
    const ids = await listed('sort=updated_at');
    return ids.includes(two) && ids;
  });
  assert.deepEqual(fed.slice(-2), [one, two]);
});

test('the feed of one organization does not wait forever for a change in another', async () => {
  const [one, other] = [await createPlace(9), await createPlace(9)];
  const [id] = (await readAll(app, one.token, '')).map((finding) => finding.id);
  const late = startLateChange(one, [id!], 'decide');
  await late.written;
  // Transactions in the databases of other tests end by themselves, but this one doesn't.
  await eventually(async () => (await get(other, 'sort=updated_at')).data.length === 9);
  await late.commit();
});

test('two scans that see the same findings in different orders both end', async () => {
  const { orgId, dataSourceId } = await createPlace(1);
  for (let round = 0; round < 15; round++) {
    const fresh = Array.from({ length: 200 }, () => detection(++inserted));
    const scan = (some: Detection[]) => recordScan(app.database, orgId, dataSourceId, some, { close: false });
    await Promise.all([scan(fresh), scan(fresh.toReversed())]);
  }
});
