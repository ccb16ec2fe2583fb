import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { recordScan } from '../../../tests/harness/furnished.ts';
import { within } from '../../../tests/harness/within.ts';
import { insertDataSource, markDataSourceDeleted } from '../../data-sources/queries.ts';
import { noteChange, readChangeNumber } from '../../organization/change-number.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { detectionOf, insertTenant } from '../findings.fixture.ts';
import { triageFindings } from '../triage-findings.ts';
import { FigureCache } from './figure-cache.ts';

const testDatabase = await createTestDatabase();
const { database } = testDatabase;
after(() => testDatabase.drop());

const countFindings = async (orgId: string) => {
  const [row] = await database.single<{ n: number }>(orgId, {
    text: `SELECT count(*)::integer AS n FROM findings WHERE org_id = $1 AND status = 'new'`,
    values: [orgId],
  });
  return row!.n;
};

/**
 * Creates an organization whose new findings are counted through a cache; `read` returns the count, and whether it was
 * computed.
 */
async function open(cache = new FigureCache()) {
  const tenant = await insertTenant(database);
  const { orgId } = tenant;
  const read = async (question: unknown[] = ['new']) => {
    let counted = false;
    const count = await cache.read(database, orgId, { question }, () => {
      counted = true;
      return countFindings(orgId);
    });
    return [count, counted] as const;
  };
  const scan = (...keys: string[]) =>
    recordScan(
      database,
      orgId,
      tenant.dataSourceId,
      keys.map((key) => detectionOf(key)),
    );
  return { ...tenant, read, scan };
}

test('figures are computed once, and again after each scan, decision, and change of a data source', async () => {
  const { orgId, userId, read, scan } = await open();
  await scan('a', 'b');
  assert.deepEqual(
    [await read(), await read(), await read()],
    [
      [2, true],
      [2, false],
      [2, false],
    ],
  );
  await scan('a', 'b', 'c');
  assert.deepEqual(
    [await read(), await read()],
    [
      [3, true],
      [3, false],
    ],
  );
  const [finding] = await database.single<{ id: string }>(orgId, { text: 'SELECT id FROM findings LIMIT 1' });
  await database.transaction(orgId, (tx) => triageFindings(tx, orgId, userId, [finding!.id], { status: 'triaged' }));
  assert.deepEqual(
    [await read(), await read()],
    [
      [2, true],
      [2, false],
    ],
  );
  const row = { kind: 'upload', name: 'more', address: null, config: {}, sealed_credential: null } as const;
  const importance = { tags: [], owner_id: null, criticality: 'medium', exposure: 'internal' } as const;
  await database.transaction(orgId, (tx) =>
    insertDataSource(tx, orgId, { ...row, ...importance, id: 'ds_more' } as never),
  );
  assert.deepEqual(
    [await read(), await read()],
    [
      [2, true],
      [2, false],
    ],
  );
  await database.transaction(orgId, (tx) => markDataSourceDeleted(tx, orgId, 'ds_more'));
  assert.deepEqual(
    [await read(), await read()],
    [
      [2, true],
      [2, false],
    ],
  );
});

test('a change in progress while figures are computed is in the next figures once it has committed', async () => {
  const { orgId, userId, read, scan } = await open();
  await scan('a', 'b');
  const [finding] = await database.single<{ id: string }>(orgId, { text: 'SELECT id FROM findings LIMIT 1' });
  await database.transaction(orgId, async (tx) => {
    await triageFindings(tx, orgId, userId, [finding!.id], { status: 'triaged' });
    assert.deepEqual(
      [await read(), await read()],
      [
        [2, true],
        [2, false],
      ],
    );
    await database.transaction(orgId, (other) => noteChange(other, orgId));
    assert.deepEqual(
      [await read(), await read()],
      [
        [2, true],
        [2, false],
      ],
    );
  });
  assert.deepEqual(
    [await read(), await read()],
    [
      [1, true],
      [1, false],
    ],
  );
});

test('a change that is rolled back costs nothing', async () => {
  const { orgId, userId, read, scan } = await open();
  await scan('a');
  await read();
  const [finding] = await database.single<{ id: string }>(orgId, { text: 'SELECT id FROM findings LIMIT 1' });
  const undone = database.transaction(orgId, async (tx) => {
    await triageFindings(tx, orgId, userId, [finding!.id], { status: 'triaged' });
    throw new Error('undone');
  });
  await assert.rejects(undone, /undone/);
  assert.deepEqual(await read(), [1, false]);
});

test("an organization's figures stay cached when another one changes, and are never returned to it", async () => {
  const cache = new FigureCache();
  const [one, other] = [await open(cache), await open(cache)];
  await one.scan('a', 'b');
  assert.deepEqual(
    [await one.read(), await other.read()],
    [
      [2, true],
      [0, true],
    ],
  );
  await other.scan('c');
  assert.deepEqual(
    [await one.read(), await other.read()],
    [
      [2, false],
      [1, true],
    ],
  );
});

test('no change number comes back when old marks are removed, and two processes that remove them do not wait for each other', async () => {
  const { orgId } = await open();
  const numbers = [await readChangeNumber(database, orgId)];
  for (const mark of [1n, 2n, 3n]) {
    await database.transaction(orgId, (tx) => noteChange(tx, orgId, mark));
    numbers.push(await readChangeNumber(database, orgId));
  }
  await database.transaction(orgId, async (tx) => {
    await noteChange(tx, orgId, 128n);
    await database.transaction(orgId, (other) => noteChange(other, orgId, 256n));
  });
  numbers.push(await readChangeNumber(database, orgId));
  assert.equal(new Set(numbers).size, numbers.length, numbers.join(', '));
  const marks = await database.single<{ mark: string }>(orgId, { text: 'SELECT mark FROM organization_changes' });
  assert.deepEqual(marks.map(({ mark }) => Number(mark)).sort(), [128, 256]);
});

/** Returns the database, and a promise that resolves when two requests have read the change number and asked the cache. */
function watchTwo() {
  let asked = 0;
  const { promise: bothAsked, resolve } = Promise.withResolvers<void>();
  const watched: Database = {
    ...database,
    single: async (...given) => {
      const rows = await database.single(...given);
      asked += 1;
      if (asked === 2) setImmediate(resolve);
      return rows as never;
    },
  };
  return { watched, bothAsked };
}

test('requests with the same question at the same time share one computation; a failed one is not cached', async () => {
  const { orgId } = await open();
  const cache = new FigureCache();
  let computed = 0;
  const { watched, bothAsked } = watchTwo();
  const compute = async () => {
    computed += 1;
    await bothAsked;
    if (computed === 1) throw new Error('away');
    return computed;
  };
  const ask = () => cache.read(watched, orgId, { question: ['n'] }, compute);
  const both = await Promise.allSettled([ask(), ask()]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(computed, 1);
  assert.deepEqual([await ask(), await ask()], [2, 2]);
});

test('a computation is aborted when all requests waiting for it are gone, and then repeated', async () => {
  const { orgId } = await open();
  const cache = new FigureCache();
  const given: AbortSignal[] = [];
  const { watched, bothAsked } = watchTwo();
  const ask = (signal?: AbortSignal) =>
    cache.read(watched, orgId, { question: ['n'], ...(signal && { signal }) }, (shared) => {
      given.push(shared!);
      return new Promise<number>((_, reject) => shared!.addEventListener('abort', () => reject(new Error('given up'))));
    });
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
  const waiting = [ask(first.signal), ask(second.signal)];
  const settled = Promise.allSettled(waiting);
  await bothAsked;
  assert.equal(given.length, 1);
  first.abort();
  assert.equal(given[0]!.aborted, false);
  second.abort();
  assert.equal(given[0]!.aborted, true);
  assert.deepEqual(
    (await settled).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  const again = assert.rejects(ask(third.signal));
  await within(5_000, async () => given.length === 2);
  third.abort();
  await again;
});

test('the cache is bounded: the most recently used figures stay', async () => {
  const { orgId } = await open();
  const cache = new FigureCache();
  let computed = 0;
  const ask = (question: number) =>
    cache.read(database, orgId, { question: [question] }, async () => {
      computed += 1;
      return 'x'.repeat(1_500_000);
    });
  for (const question of [1, 2, 1, 3, 1]) await ask(question);
  assert.equal(computed, 3);
  await ask(2);
  assert.equal(computed, 4, 'The second was forgotten for the third.');
});

test('figures without a question are computed each time', async () => {
  const { orgId } = await open();
  const cache = new FigureCache();
  let computed = 0;
  const ask = () => cache.read(database, orgId, { question: null }, async () => ++computed);
  assert.deepEqual([await ask(), await ask()], [1, 2]);
});

test('every file that writes inputs of figures is known to record the change', () => {
  const server = resolve(import.meta.dirname, '../..');
  const writing =
    /(INSERT INTO|UPDATE|DELETE FROM) (findings|finding_(tags|counts|flows|coverage|texts)|data_sources)\b/;
  const writers = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.(test|fixture))\.ts$/.test(file) && !file.includes('node_modules'))
    .filter((file) => writing.test(readFileSync(join(server, file), 'utf8')))
    .sort();
  const known = [
    // insertDataSource, updateDataSource and markDataSourceDeleted record it. Figures do not show the outcome of scans.
    'data-sources/queries.ts',
    // Figures do not show credentials either.
    'data-sources/secrets/credential-queries.ts',
    // FindingChanges records it for all of these.
    'findings/policy/release-queries.ts',
    'findings/counts.ts',
    'findings/merge-queries.ts',
    'findings/triage-queries.ts',
    // `recompute` records it.
    'findings/policy/demotions.ts',
    'findings/policy/recompute-queries.ts',
    // repairBatch records it.
    'findings/clock/repair-queries.ts',
    // updateCoverage records it.
    'findings/queries.ts',
    // Texts are added before their findings, and removed once no finding has them.
    'findings/shared-texts.ts',
    // moveWorkOf records it.
    'identity/accounts/join-queries.ts',
  ].sort();
  assert.deepEqual(writers, known, 'Call noteChange where figures change, and add the file here.');
});
