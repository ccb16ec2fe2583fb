import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty, sampleValues } from '../../../tests/harness/properties.ts';
import { newIdsAt } from '../../platform/id.ts';
import { FindingColumns, type OrderKey } from '../columns/finding-columns.ts';
import type { ColumnRow } from '../columns/row.ts';
import { findPage } from './questions.ts';

const keys: OrderKey[] = [
  ['severity', 'firstSeenAt'],
  ['priority', 'firstSeenAt'],
  ['dueAt'],
  ['firstSeenAt'],
  ['updatedAt'],
];

const never = Number.POSITIVE_INFINITY;
const start = Date.UTC(2026, 0, 1) * 1000;

type Numbers = Pick<ColumnRow, OrderKey[number] | 'number'>;
/**
 * Few distinct times, so that many findings differ only in their ids. Some times are before 1970, and some are
 * infinite.
 */
const numbers: fc.Arbitrary<Numbers> = fc.record({
  number: fc.integer({ min: 1, max: 1_000 }),
  severity: fc.nat(4),
  priority: fc.nat(100),
  firstSeenAt: fc.oneof(fc.nat(50), fc.nat(50_000_000)).map((micros) => start + micros),
  updatedAt: fc.oneof(fc.nat(9), fc.integer({ min: -5_000, max: 5_000 })).map((micros) => micros - 3),
  dueAt: fc.oneof(
    fc.constant(never),
    fc.nat(70_000).map((micros) => start + micros),
  ),
});

const rowOf = (id: string, given: Numbers): ColumnRow => ({
  ...given,
  id,
  dataSourceId: 'ds_1',
  source: 'code',
  status: 'new',
  ruleId: `rule-${given.number % 7}`,
  ruleName: 'Rule',
  assigneeId: null,
  tags: given.number % 3 === 0 ? ['third'] : [],
  identifiers: [],
  ruleTags: [],
  packageName: null,
  path: null,
  weaknesses: null,
  problem: null,
  inPackage: false,
  inTests: false,
  inExamples: false,
  highConfidence: false,
  mediumConfidence: false,
  lowConfidence: false,
  kev: given.number % 211 === 0,
  commented: false,
  reopened: false,
  closed: false,
  seenLast: true,
  epss: null,
  lastSeenAt: start,
  acceptedUntil: never,
});

/** More than the rows that an order visits one by one, and more than those that wait to be merged. */
const count = 9_000;
const ids = newIdsAt('fnd', start / 1000, count);
const given = sampleValues(numbers, count, 1);
const before = new Map(ids.map((id, index) => [id, rowOf(id, given[index]!)]));

const selections = [
  { filters: {}, matches: () => true },
  { filters: { tag: ['third'] }, matches: ({ tags }: ColumnRow) => tags.length > 0 },
  { filters: { kev: true }, matches: ({ kev }: ColumnRow) => kev },
  { filters: { kev: true, rule: ['rule-3'] }, matches: ({ kev, ruleId }: ColumnRow) => kev && ruleId === 'rule-3' },
  { filters: { rule: ['nothing'] }, matches: () => false },
];

/** Reads all pages and compares them with the sorted rows. */
function checkPages(columns: FindingColumns, rows: ReadonlyMap<string, ColumnRow>, key: OrderKey, descending: boolean) {
  const step = descending ? -1 : 1;
  const sorted = [...rows.values()].sort((one, other) => {
    const column = key.find((name) => one[name] !== other[name]);
    const isLess = column ? one[column] < other[column] : one.id < other.id;
    return isLess ? -step : step;
  });
  for (const { filters, matches } of selections) {
    const expected = sorted.filter(matches).map(({ id }) => id);
    const found: string[] = [];
    for (let after: { id: string; numbers: number[] } | null = null; ; ) {
      const page = findPage(columns, filters, { key, descending, after, limit: 999 });
      found.push(...page.map(({ id }) => id));
      after = page.at(-1) ?? null;
      if (page.length < 999) break;
    }
    assert.deepEqual(found, expected, `${key} ${descending} ${JSON.stringify(filters)}`);
  }
}

test('every order returns each finding once, in pages, while findings change and new ones arrive', async () => {
  const changes = fc.record({
    /** The number of changes per batch: a few, more than the waiting rows, and nearly all. */
    size: fc.constantFrom(1, 60, 2_500, 8_000),
    first: fc.nat(count),
    values: fc.array(numbers, { minLength: 50, maxLength: 50 }),
    added: fc.nat(20),
  });
  const run = fc.property(fc.array(changes, { minLength: 1, maxLength: 3 }), fc.nat(), (batches, use) => {
    const rows = new Map(before);
    const columns = new FindingColumns();
    columns.upsert([...rows.values()]);
    const key = keys[use % keys.length]!;
    // An order is built when it is first read.
    for (const each of keys) findPage(columns, {}, { key: each, descending: true, after: null, limit: 1 });
    for (const { size, first, values, added } of batches) {
      const changed = Array.from({ length: size }, (_, index) => ids[(first + index * 7) % count]!);
      const fresh = newIdsAt('fnd', start / 1000 - first, added);
      const written = [...new Set([...changed, ...fresh])].map((id, index) => rowOf(id, values[index % 50]!));
      for (const row of written) rows.set(row.id, row);
      columns.upsert(written);
      checkPages(columns, rows, key, use % 2 === 0);
    }
    assert.equal(columns.size, rows.size);
  });
  await checkProperty(run, { numRuns: 12, limitMs: 4_000 });
});

test('an order returns each finding once while moved rows are merged and more rows move', () => {
  const rows = new Map(before);
  const columns = new FindingColumns();
  columns.upsert([...rows.values()]);
  [...columns.preparing()];
  let joined = 0;
  for (let round = 1; round <= 120; round++) {
    const fresh = newIdsAt('fnd', start / 1000 + count + round * 10, 3);
    const changed = Array.from({ length: 57 }, (_, index) => ids[(round * 7_919 + index * index * 31) % count]!);
    const written = [...new Set([...changed, ...fresh])].map((id, index) =>
      rowOf(id, given[(round * 61 + index) % count]!),
    );
    for (const row of written) rows.set(row.id, row);
    columns.upsert(written);
    for (let steps = round % 5; steps > 0; steps--) if (columns.fold({ minMoved: 100, maxRows: 4_000 })) joined += 1;
    if (round % 8 === 0) for (const key of keys) checkPages(columns, rows, key, round % 3 === 0);
  }
  assert.ok(joined > 100);
});
