import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { recordScan } from '../../../tests/harness/furnished.ts';
import type { FindingFilters } from '../filters.ts';
import { detectionOf, insertTenant } from '../findings.fixture.ts';
import { countSelected } from './facet-queries.ts';
import { selectFindings } from './select-findings.ts';

const testDatabase = await createTestDatabase();
const { database } = testDatabase;
after(() => testDatabase.drop());

const count = 6_000;
let orgId: string;

before(async () => {
  const tenant = await insertTenant(database);
  orgId = tenant.orgId;
  const detections = Array.from({ length: count }, (_, n) =>
    detectionOf(`s${n}`, {
      severity: n % 4 === 0 ? 'critical' : 'low',
      rule: { id: n % 100 === 0 ? 'rare' : 'common', name: 'Rule', url: null },
      title: n % 2 === 0 ? 'Even problem' : 'Odd problem',
    }),
  );
  await recordScan(database, orgId, tenant.dataSourceId, detections);
  await testDatabase.asAdmin('ANALYZE');
});

/** Counts as facets do, with another limit. */
async function estimate(filters: FindingFilters, limit: number) {
  const selection = await selectFindings(database, orgId, filters, { limit });
  const rows = await countSelected(database, orgId, selection, ['severity', 'rule']);
  const all = rows.find((row) => row.field === 'all')!;
  const scale = selection.scale({ count: all.count, lastSpot: Number(all.value) });
  const of = (value: string) =>
    Math.round((rows.find((row) => row.value === value && row.field !== 'all')?.count ?? 0) * scale);
  return {
    sampled: selection.sampled,
    read: all.count,
    total: Math.round(all.count * scale),
    critical: of('4'),
    rare: of('rare'),
  };
}

/** Whether an estimate is within a quarter: five standard deviations of the smallest sample here. */
const isNear = (estimated: number, exact: number) => Math.abs(estimated - exact) <= exact / 4;

test('findings up to the limit are counted, all of them', async () => {
  const { sampled, total, critical, rare } = await estimate({}, count);
  assert.deepEqual([sampled, total, critical, rare], [false, count, count / 4, count / 100]);
  const few = await estimate({ rule: ['rare'] }, 100);
  assert.deepEqual([few.sampled, few.total, few.critical], [false, count / 100, count / 100]);
});

for (const limit of [800, count - 1]) {
  test(`above the limit of ${limit} a sample of no more rows estimates how many there are`, async () => {
    const { sampled, read, total, critical } = await estimate({}, limit);
    assert.equal(sampled, true);
    assert.ok(read <= limit && read <= count / 4, `${read} rows`);
    assert.ok(isNear(total, count), `${total} of ${count}`);
    assert.ok(Math.abs(critical - count / 4) <= count / 8, `${critical} of ${count / 4}`);
  });
}

test('filters on a sample are estimated too, with words as well', async () => {
  const low = await estimate({ severity: ['low'] }, 800);
  assert.ok(low.sampled && isNear(low.total, (count * 3) / 4), `${low.total}`);
  const words = await estimate({ severity: ['low'], path: ['src'] }, 800);
  assert.ok(isNear(words.total, (count * 3) / 4), `${words.total}`);
});

test('of many findings with words a sample is looked up, and few are counted, all of them', async () => {
  const many = await estimate({ q: 'even', severity: ['critical'] }, 800);
  assert.equal(many.sampled, true);
  assert.ok(many.read <= 400, `${many.read} rows`);
  assert.ok(isNear(many.total, count / 4), `${many.total} of ${count / 4}`);
  const few = await estimate({ q: 'even', severity: ['critical'] }, count);
  assert.deepEqual([few.sampled, few.total], [false, count / 4]);
});
