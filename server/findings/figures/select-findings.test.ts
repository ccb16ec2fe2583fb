import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { recordScan } from '../../../tests/harness/furnished.ts';
import { within } from '../../../tests/harness/within.ts';
import type { FindingFilters } from '../filters/table.ts';
import { detectionOf, insertTenant } from '../findings.fixture.ts';
import { countSelected } from './facet-queries.ts';
import { countRows, selectFindings } from './select-findings.ts';
import { estimateOf, marginOf } from './share-of-rows.ts';

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

/** Counts as facets do, with other limits. */
async function estimate(filters: FindingFilters, organization: number, collection: number) {
  const selection = await selectFindings(database, orgId, filters, { limits: { organization, collection } });
  const rows = await countSelected(database, orgId, selection, ['severity', 'rule']);
  const { share } = selection;
  const of = (field: string, value: string) =>
    rows.find((row) => row.field === field && row.value === value)?.count ?? 0;
  const [total, critical, rare] = [of('all', ''), of('severity', '4'), of('rule', 'rare')].map((read) => ({
    count: estimateOf(read, share),
    margin: marginOf(read, share),
  }));
  return { share, total: total!, critical: critical!, rare: rare! };
}

const exactly = (count: number) => ({ count, margin: 0 });

/** Whether an estimate is within its margin. */
const isNear = ({ count, margin }: { count: number; margin: number }, exact: number) =>
  margin > 0 && Math.abs(count - exact) <= margin;

test('all findings are counted up to the limit of an organization, and of one filter in a larger one', async () => {
  const all = await estimate({}, count, 100);
  const { share, ...figures } = all;
  assert.equal(share, 1);
  assert.deepEqual(figures, { total: exactly(count), critical: exactly(count / 4), rare: exactly(count / 100) });
  const few = await estimate({ rule: ['rare'] }, 100, 100);
  assert.deepEqual([few.share, few.total, few.critical], [1, exactly(count / 100), exactly(count / 100)]);
});

for (const filters of [
  {},
  { severity: ['low', 'critical'] as const },
  { source: ['secrets'], excluded: { tag: ['none'] } },
] as FindingFilters[]) {
  test(`above the limits counts of a part say by how much they may be off: ${Object.keys(filters)}`, async () => {
    const { share, total, critical, rare } = await estimate(filters, 1_000, 50);
    assert.ok(share < 0.2, `${share}`);
    assert.ok(isNear(total, count), `${total.count} ± ${total.margin} of ${count}`);
    assert.ok(isNear(critical, count / 4), `${critical.count} ± ${critical.margin} of ${count / 4}`);
    assert.ok(isNear(rare, count / 100), `${rare.count} ± ${rare.margin} of ${count / 100}`);
  });
}

test('counting ends on the server when nobody waits for it any more, and the pool goes on', async () => {
  const controller = new AbortController();
  const selection = await selectFindings(database, orgId, {}, { limits: { organization: count, collection: 100 } });
  const slow = `SELECT count(*), max(pg_sleep(0.1)::text) FROM (${selection.sql}) chosen`;
  const counting = countRows(database, orgId, selection, slow, { signal: controller.signal });
  const refused = assert.rejects(counting, { name: 'AbortError' });
  const isCounting = async () => {
    const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    return (await database.single(null, { text })).length > 0;
  };
  await within(10_000, isCounting);
  controller.abort();
  await refused;
  await within(10_000, async () => !(await isCounting()));
  const stopped = database.single(orgId, { text: 'SELECT 1', signal: controller.signal });
  await assert.rejects(stopped, { name: 'AbortError' });
  assert.deepEqual(await database.single(orgId, { text: 'SELECT 1 AS one' }), [{ one: 1 }]);
});
