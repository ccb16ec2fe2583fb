import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { newId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { readFilters } from '../filters/read.ts';
import type { FilterInput } from '../filters/table.ts';
import { detectionOf, insertTenant } from '../findings.fixture.ts';
import { recordDetections, type Sighting } from '../record-detections.ts';
import { listInOrder } from './list-by-relevance.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

type Tenant = Awaited<ReturnType<typeof insertTenant>>;

const tenant = () => insertTenant(testDatabase.database);
const sightingOf = ({ dataSourceId }: Tenant, source: string): Sighting => ({
  dataSourceId,
  source,
  scanId: newId('scan'),
  startedAt: new Date(),
});
const keysOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index}`);

const merge = (tx: Db, place: Tenant, source: string, keys: string[]) =>
  recordDetections(
    tx,
    place.orgId,
    sightingOf(place, source),
    keys.map((key) => detectionOf(key)),
  );
const record = (place: Tenant, source: string, keys: string[]) =>
  testDatabase.database.transaction(place.orgId, (tx) => merge(tx, place, source, keys));

const numbersOf = async ({ orgId }: Tenant): Promise<number[]> => {
  const text = 'SELECT number FROM findings WHERE org_id = $1 ORDER BY number';
  const rows = await testDatabase.database.single<{ number: number }>(orgId, { text, values: [orgId] });
  return rows.map(({ number }) => number);
};

/** Runs merges that have all inserted their findings before any of them commits. */
async function mergeTogether(place: Tenant, merges: Array<{ source: string; keys: string[]; fails?: boolean }>) {
  const { promise: all, resolve } = Promise.withResolvers<void>();
  let waiting = merges.length;
  return Promise.allSettled(
    merges.map(({ source, keys, fails }) =>
      testDatabase.database.transaction(place.orgId, async (tx) => {
        await merge(tx, place, source, keys);
        waiting -= 1;
        if (waiting === 0) resolve();
        await all;
        if (fails) throw new Error('killed');
      }),
    ),
  );
}

test('an organization numbers its findings from 1, and a rescan uses no number', async () => {
  const [own, other] = [await tenant(), await tenant()];
  await record(own, 'a', keysOf('a', 3));
  await record(own, 'a', keysOf('a', 5));
  await record(own, 'a', keysOf('a', 5));
  await record(other, 'a', keysOf('a', 2));
  assert.deepEqual(await numbersOf(own), [1, 2, 3, 4, 5]);
  assert.deepEqual(await numbersOf(other), [1, 2]);
  await record(own, 'a', keysOf('b', 2_500));
  assert.deepEqual(
    await numbersOf(own),
    Array.from({ length: 2_505 }, (_, index) => index + 1),
  );
});

test('merges of one organization never wait for each other, and no two findings get the same number', async () => {
  const place = await tenant();
  await record(place, 'first', keysOf('first', 10));
  const merges = ['a', 'b', 'c', 'd', 'e'].map((source) => ({ source, keys: keysOf(source, 1_200) }));
  // Each has inserted before any commits: if one waited for a lock, all would wait forever.
  const outcomes = await mergeTogether(place, merges);
  assert.deepEqual(new Set(outcomes.map(({ status }) => status)), new Set(['fulfilled']));
  const numbers = await numbersOf(place);
  assert.equal(numbers.length, 6_010);
  assert.equal(new Set(numbers).size, 6_010);
  assert.ok(numbers.at(-1)! <= 6_010 + 5 * 1_000, `numbers end at ${numbers.at(-1)}`);
});

test('a killed merge leaves its numbers to the next one, even with concurrent merges', async () => {
  const place = await tenant();
  const keys = keysOf('a', 700);
  const [killed, kept] = await mergeTogether(place, [
    { source: 'a', keys, fails: true },
    { source: 'b', keys: keysOf('b', 700) },
  ]);
  assert.deepEqual([killed!.status, kept!.status], ['rejected', 'fulfilled']);
  await record(place, 'a', keys);
  await record(place, 'a', keys);
  const numbers = await numbersOf(place);
  assert.deepEqual([numbers.length, new Set(numbers).size], [1_400, 1_400]);
});

test('a search for a number finds exactly that finding, in any order, and so does the filter', async () => {
  const place = await tenant();
  await record(place, 'a', ['mentions F-2 in its title', 'two', 'three']);
  const find = async (
    input: FilterInput,
    sort: 'relevance' | '-severity' | '-priority' | 'updated_at' = '-severity',
  ) => {
    const { orgId } = place;
    const actor = { orgId, userId: null };
    const filters = await testDatabase.database.transaction(orgId, (tx) => readFilters(tx, actor, input));
    const found = await listInOrder(testDatabase.database, orgId, sort, { filters, after: null, limit: 10 });
    return found.map(({ json }) => JSON.parse(json) as { id: string; number: string; url: string });
  };
  const [second] = await find({ number: ['F-2'] });
  assert.equal(second!.number, 'F-2');
  assert.equal(second!.url, `http://127.0.0.1:8080/findings/${second!.id}`);
  for (const q of ['F-2', ' f-2 '])
    for (const sort of ['relevance', '-severity', '-priority', 'updated_at'] as const)
      assert.deepEqual(await find({ q }, sort), [second]);
  assert.equal((await find({ number: ['2', 'F-3'] })).length, 2);
  assert.equal((await find({ number: ['-F-2'] })).length, 2);
  assert.deepEqual(await find({ q: 'F-2', number: ['F-3'] }), []);
  assert.deepEqual(await find({ q: 'F-2', severity: ['info'] }), []);
  for (const q of ['F-9', 'F-99999999999', 'F-9999999999']) assert.deepEqual(await find({ q }), []);
});
