import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { severities, severityRank } from '@assay/scanner/contract/severity.ts';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { moveClock } from '../../../tests/harness/moved-clock.ts';
import { Random } from '../../../tests/soak/layout.ts';
import { openLog, silentLog } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { addUnsealed, sealDays } from '../change-clock.ts';
import { findProgress, type Moves, type Repairs } from '../figures/progress.ts';
import { summarizeFindings } from '../figures/summary.ts';
import type { FindingFilters } from '../filters/table.ts';
import { detectionOf, insertTenant } from '../findings.fixture.ts';
import { finishSighting, plainTransactions, recordDetections } from '../record-detections.ts';
import {
  type Chosen,
  closedIn,
  dateOf,
  type History,
  type HistoryEvent,
  liveThrough,
  moveOf,
  movesOn,
  openedIn,
  openOf,
} from './history.fixture.ts';

let testDatabase: TestDatabase;
let database: Database;
let setClock: (at: Date) => Promise<void>;
before(async () => {
  testDatabase = await createTestDatabase();
  ({ database } = testDatabase);
  setClock = await moveClock(testDatabase);
});
after(() => testDatabase.drop());

const seed = Number(process.env.ASSAY_TEST_SEED) || Math.floor(Math.random() * 2 ** 31);
const summarize = async (orgId: string, filters: FindingFilters, days: number) => {
  await sealDays(database, orgId, silentLog);
  return summarizeFindings(database, orgId, filters, days);
};

function* filtersOf({ dataSourceIds, sources }: History): Generator<[FindingFilters, Chosen]> {
  yield [{}, () => true];
  for (const severity of severities)
    yield [{ severity: [severity] }, (finding) => finding.severity === severityRank[severity]];
  for (const id of dataSourceIds) yield [{ data_source: [id] }, (finding) => finding.dataSourceId === id];
  for (const source of sources) yield [{ source: [source] }, (finding) => finding.source === source];
  const [id, source] = [dataSourceIds[1]!, sources[0]!];
  yield [
    { severity: ['high', 'low'], data_source: [id], excluded: { source: [source] } },
    (finding) => [1, 3].includes(finding.severity) && finding.dataSourceId === id && finding.source !== source,
  ];
}

test('after 60 days the figures of each day equal those recorded at its end, by severity, data source and source', async () => {
  const tenant = await insertTenant(database);
  const history = await liveThrough(database, tenant, {
    ...{ days: 60, findings: 250, random: new Random(seed), setClock },
    atEndOfDay: async (day) => {
      const { open, daily } = await summarize(tenant.orgId, {}, 1);
      assert.deepEqual(
        [open, daily.map(({ date, open }) => [date, open])],
        [openOf(day, () => true), [[day.date, open]]],
      );
    },
  });
  assert.ok(
    new Set(history.events.map(({ from, to }) => `${from?.status}>${to.status}`)).size > 8,
    'many kinds of changes',
  );
  for (const [filters, chosen] of filtersOf(history)) {
    const { daily } = await summarize(tenant.orgId, filters, 60);
    const expected = history.days.map((day) => {
      const counts = movesOn(history, day.date, day.date, chosen);
      return { date: day.date, open: openOf(day, chosen), opened: openedIn(counts), closed: closedIn(counts) };
    });
    const shown = daily.map(({ date, open, opened, closed }) => ({ date, open, opened, closed }));
    assert.deepEqual(shown, expected, `seed ${seed}, ${JSON.stringify(filters)}`);
    for (const [index, { by_severity: counts }] of daily.entries())
      for (const severity of severities)
        assert.equal(
          counts[severity]!.open,
          openOf(history.days[index]!, (finding) => chosen(finding) && finding.severity === severityRank[severity]),
        );
  }
  for (const [filters, chosen] of filtersOf(history))
    for (const days of [7, 25]) {
      const shown = await findProgress(database, tenant.orgId, filters, days);
      const expected = progressOf(history, days, chosen);
      const about = `seed ${seed}, ${days}, ${JSON.stringify(filters)}`;
      assert.deepEqual(withMeansOf(expected, shown), { ...expected, ...namesOf(shown) }, about);
    }
});

/**
 * Returns `shown` with the means of `expected` where they are equal but for rounding: PostgreSQL adds in another order,
 * and the last bit of a sum decides whether 23.625 becomes 23.62 or 23.63.
 */
function withMeansOf(expected: unknown, shown: unknown, name = ''): unknown {
  if (typeof shown === 'number' && typeof expected === 'number')
    return name.endsWith('_days') && Math.abs(shown - expected) < 0.011 ? expected : shown;
  if (Array.isArray(shown) && Array.isArray(expected))
    return shown.map((item, index) => withMeansOf(expected[index], item));
  if (!isObject(shown) || !isObject(expected)) return shown;
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, withMeansOf(expected[key], value, key)]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The oracle leaves out names. */
const namesOf = ({ by_data_source, by_rule }: Awaited<ReturnType<typeof findProgress>>) => ({
  by_data_source,
  by_rule,
});

const noMoves: Moves = { new: 0, reopened: 0, fixed: 0, dismissed: 0, removed: 0, change: 0 };
const countedAs = { new: 'new', reopened: 'reopened', resolved: 'fixed', removed: 'removed' } as const;

function countMoves(events: HistoryEvent[]): Moves {
  const counts = { ...noMoves };
  for (const event of events) {
    const move = moveOf(event)!.move;
    const name = move === 'accepted' || move === 'false_positive' ? 'dismissed' : countedAs[move];
    counts[name] += 1;
    counts.change += name === 'new' || name === 'reopened' ? 1 : -1;
  }
  return counts;
}

function measureRepairs(events: HistoryEvent[]): Repairs {
  const fixed = events.filter((event) => moveOf(event)!.move === 'resolved');
  const days = fixed.map(({ from, to }) => (to.closedAt! - from!.openedAt) / 86_400_000).sort((a, b) => a - b);
  const place = 0.9 * (days.length - 1);
  const [low, high] = [days[Math.floor(place)]!, days[Math.ceil(place)]!];
  const rounded = (value: number) => Math.round(value * 100) / 100;
  const isKept = ({ from, to }: HistoryEvent) => from!.dueAt !== null && to.closedAt! <= from!.dueAt;
  const isMissed = ({ from, to }: HistoryEvent) => from!.dueAt !== null && to.closedAt! > from!.dueAt;
  return {
    fixed: fixed.length,
    mean_days: days.length === 0 ? null : rounded(days.reduce((sum, one) => sum + one, 0) / days.length),
    p90_days: days.length === 0 ? null : rounded(low + (high - low) * (place - Math.floor(place))),
    due_kept: fixed.filter(isKept).length,
    due_missed: fixed.filter(isMissed).length,
  };
}

/** Computes the figures of the last days from the events. */
function progressOf(history: History, days: number, chosen: Chosen) {
  const today = Date.parse(`${history.days.at(-1)!.date}T00:00:00Z`);
  const dayBefore = (count: number) => dateOf(today - count * 86_400_000);
  // New findings count by their present severity, since the first one is not recorded.
  const last = new Map(history.events.map(({ to }) => [to.id, to]));
  const moved = history.events.filter((event) => {
    const move = moveOf(event);
    return move !== null && chosen(move.move === 'new' ? last.get(event.to.id)! : move.finding);
  });
  const from = dayBefore(days - 1);
  const current = moved.filter(({ day }) => day >= from);
  const before = moved.filter(({ day }) => day < from && day >= dayBefore(2 * days - 1));
  const repairs = (isCounted: (event: HistoryEvent) => boolean) => ({
    ...measureRepairs(current.filter(isCounted)),
    before: measureRepairs(before.filter(isCounted)),
  });
  return {
    from,
    repairs: repairs(() => true),
    repairs_by_severity: Object.fromEntries(
      severities.map((severity) => [
        severity,
        repairs((event) => moveOf(event)!.finding.severity === severityRank[severity]),
      ]),
    ),
    moves: countMoves(current),
  };
}

const scan = async (orgId: string, dataSourceId: string, keys: string[], startedAt: Date, source = 'code') => {
  const sighting = { scanId: 'scan_1', dataSourceId, source, startedAt };
  const transact = plainTransactions(database, orgId);
  const detections = keys.map((key) => detectionOf(key));
  await transact((tx) => recordDetections(tx, orgId, sighting, detections));
  const seen = new Set(detections.map(({ fingerprint }) => fingerprint));
  await finishSighting(transact, orgId, sighting, (fingerprint) => seen.has(fingerprint), {
    close: true,
    isComplete: true,
  });
};

test('a change that commits after midnight belongs to its day, which is not over until then', async () => {
  const { orgId, dataSourceId } = await insertTenant(database);
  const days = async () => (await summarize(orgId, {}, 2)).daily.map(({ date, opened, open }) => [date, opened, open]);
  await setClock(new Date('2027-03-01T12:00:00Z'));
  await scan(orgId, dataSourceId, ['a'], new Date('2027-03-01T12:00:00Z'));
  await setClock(new Date('2027-03-01T23:59:59Z'));
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const late = database.transaction(orgId, async (tx) => {
    const sighting = { scanId: 'scan_2', dataSourceId, source: 'code', startedAt: new Date('2027-03-01T23:59:00Z') };
    await recordDetections(tx, orgId, sighting, [detectionOf('b')]);
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  await setClock(new Date('2027-03-02T00:00:05Z'));
  const during = await days();
  // From another source, so it does not wait for the counts that the late change has locked.
  await scan(orgId, dataSourceId, ['c'], new Date('2027-03-02T00:00:05Z'), 'secrets');
  end.resolve();
  await late;
  assert.deepEqual(during.at(-1), ['2027-03-01', 1, 1], 'the day is still the present one');
  const over = await days();
  assert.deepEqual(over, [
    ['2027-03-01', 2, 2],
    ['2027-03-02', 1, 3],
  ]);
  await setClock(new Date('2027-03-02T10:00:00Z'));
  assert.deepEqual(await days(), over);
});

test('days that were read as past stay past when the clock is set back', async () => {
  const { orgId, dataSourceId } = await insertTenant(database);
  await setClock(new Date('2027-05-01T12:00:00Z'));
  await scan(orgId, dataSourceId, ['a'], new Date('2027-05-01T12:00:00Z'));
  await setClock(new Date('2027-05-20T12:00:00Z'));
  const read = (await summarize(orgId, {}, 30)).daily;
  await setClock(new Date('2027-05-04T12:00:00Z'));
  await scan(orgId, dataSourceId, ['b'], new Date('2027-05-04T12:00:00Z'));
  const { daily } = await summarize(orgId, {}, 30);
  assert.deepEqual(daily.slice(0, -1), read.slice(0, -1));
  assert.deepEqual([daily.at(-1)!.date, daily.at(-1)!.opened], ['2027-05-20', 1]);
});

test('days that cannot be sealed are logged once and are in a metric until they can, while figures are still shown', async () => {
  const { orgId, dataSourceId } = await insertTenant(database);
  await scan(orgId, dataSourceId, ['a'], new Date());
  const lines: string[] = [];
  const log = openLog({ level: 'warn', destination: { write: (line: string) => void lines.push(line) } });
  const metrics = createMetrics();
  addUnsealed(metrics, database);
  const unsealed = async () => /^assay_unsealed_organizations (\d+)$/m.exec(await metrics.text())![1];
  await testDatabase.asAdmin('REVOKE INSERT ON finding_seals FROM assay_app');
  for (let times = 0; times < 2; times++) await sealDays(database, orgId, log);
  assert.deepEqual([lines.length, await unsealed()], [1, '1']);
  assert.match(lines[0]!, /could not be sealed/);
  assert.equal((await summarizeFindings(database, orgId, {}, 1)).open, 1);
  await testDatabase.asAdmin('GRANT INSERT ON finding_seals TO assay_app');
  await sealDays(database, orgId, log);
  assert.deepEqual([lines.length, await unsealed()], [1, '0']);
});
