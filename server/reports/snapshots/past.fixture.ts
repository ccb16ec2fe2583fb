import assert from 'node:assert/strict';
import { severities, severityRank } from '@assay/scanner/contract/severity.ts';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { call, createTestNode } from '../../../tests/harness/identity.ts';
import { moveClock } from '../../../tests/harness/moved-clock.ts';
import { createTenant } from '../../../tests/harness/people.ts';
import { Random } from '../../../tests/soak/layout.ts';
import {
  type Chosen,
  closedIn,
  dateOf,
  type History,
  type HistoryFinding,
  liveThrough,
  moveOf,
  movesOn,
  openedIn,
  openOf,
  reclassifiedSince,
} from '../../findings/flows/history.fixture.ts';
import { openStatuses } from '../../findings/lifecycle.ts';
import { findHead } from '../queries.ts';
import type { ReportHead } from '../report-model.ts';
import { reportRoutes } from '../routes.ts';
import { takeSnapshotJob } from '../take-snapshot.ts';

const dayMs = 86_400_000;
const dayOf = (time: string) => time.slice(0, 10);
const dayBefore = (date: string) => dateOf(Date.parse(date) - dayMs);
const dueStates = ['kept', 'missed', 'resolved_without_due_date'] as const;

/** The findings that a filter selects, and the severity by which it counts each. */
type Selection = { filters: object; chosen: Chosen; severityOf(finding: HistoryFinding): number; recorded: boolean };

function selectionsOf({ dataSourceIds, sources, days }: History): Selection[] {
  const then = ({ severity }: HistoryFinding) => severity;
  const recorded = (filters: object, chosen: Chosen) => ({ filters, chosen, severityOf: then, recorded: true });
  const now = new Map(days.at(-1)!.findings.map(({ id, severity }) => [id, severity]));
  const rules = [...new Set(days.at(-1)!.findings.map(({ ruleId }) => ruleId))].filter((_, index) => index % 3 === 0);
  return [
    recorded({}, () => true),
    recorded({ status: [...openStatuses] }, () => true),
    ...severities.map((name) => recorded({ severity: [name] }, ({ severity }) => severity === severityRank[name])),
    ...dataSourceIds.map((id) => recorded({ data_source: [id] }, ({ dataSourceId }) => dataSourceId === id)),
    ...sources.map((one) => recorded({ source: [one] }, ({ source }) => source === one)),
    {
      filters: { rule: rules.slice(0, 50) },
      chosen: ({ ruleId }) => rules.slice(0, 50).includes(ruleId),
      severityOf: ({ id }) => now.get(id)!,
      recorded: false,
    },
  ];
}

/** Compares every figure about the past in a report with a plain count of what was written down. */
function check(head: ReportHead, history: History, { chosen, severityOf, recorded }: Selection): void {
  const days = new Map(history.days.map((day) => [day.date, day]));
  const [today, analysis] = [history.days.at(-1)!, head.analysis!];
  const [from, to] = [dayOf(head.period.from), today.date];
  const of =
    (name: (typeof severities)[number]): Chosen =>
    (finding) =>
      chosen(finding) && severityOf(finding) === severityRank[name];
  const figures = (which: Chosen) => ({
    open_then: openOf(days.get(dayBefore(from)), which),
    ...movesOn(history, from, to, which),
    reclassified: recorded ? reclassifiedSince(history, from, which) : 0,
    open_now: openOf(today, which),
  });
  const roll = analysis.roll_forward!;
  assert.deepEqual([roll.since, roll.basis], [head.period.from, recorded ? 'at_the_time' : 'selected_now']);
  assert.deepEqual(roll.total, figures(chosen));
  for (const name of severities) assert.deepEqual(roll.by_severity[name], figures(of(name)), name);
  const total = movesOn(history, from, to, chosen);
  const { opened, closed, resolved } = head.in_period;
  assert.deepEqual([opened, closed, resolved], [total.new, closedIn(total), total.resolved + total.removed]);
  const { changes } = analysis;
  assert.deepEqual(
    [changes.since, changes.new.total, changes.fixed.total, changes.reopened.total, changes.accepted.total],
    [roll.since, total.new, total.resolved, total.reopened, total.accepted],
  );
  for (const { week, ...shown } of head.weekly) {
    const end = dateOf(Date.parse(week) + 6 * dayMs);
    const counts = movesOn(history, week, end, chosen);
    const expected = {
      opened: openedIn(counts),
      closed: closedIn(counts),
      open: openOf(days.get(end) ?? (end > to ? today : undefined), chosen),
    };
    assert.deepEqual(shown, expected, week);
  }
  const fixed = history.events
    .filter((event) => event.day >= from)
    .flatMap((event) => {
      const moved = moveOf(event);
      return moved?.move === 'resolved' && chosen(moved.finding)
        ? [{ ...moved.finding, closedAt: event.to.closedAt! }]
        : [];
    });
  for (const name of severities) {
    const own = fixed.filter(of(name));
    const due = analysis.due_dates.by_severity[name];
    const count = (which: (finding: (typeof own)[number]) => boolean) => own.filter(which).length;
    assert.deepEqual(
      dueStates.map((state) => due[state]),
      [
        count(({ dueAt, closedAt }) => dueAt !== null && closedAt <= dueAt),
        count(({ dueAt, closedAt }) => dueAt !== null && closedAt > dueAt),
        count(({ dueAt }) => dueAt === null),
      ],
      name,
    );
  }
  const lengths = fixed.map(({ openedAt, closedAt }) => (closedAt - openedAt) / dayMs).sort((a, b) => a - b);
  const middle = (lengths.length - 1) / 2;
  const median = (lengths[Math.floor(middle)]! + lengths[Math.ceil(middle)]!) / 2;
  const shown = analysis.key_figures.median_days_to_fix.value;
  if (lengths.length === 0) assert.equal(shown, null);
  else assert.ok(Math.abs(shown! - median) <= 0.501, `${shown} and ${median} days`);
}

/** Lives through a history, makes reports on its way, and compares those of every span and selection at its end. */
export async function checkReportsOfHistory(seed: number, size: { days: number; findings: number }): Promise<void> {
  const testDatabase = await createTestDatabase();
  const setClock = await moveClock(testDatabase);
  const { database } = testDatabase;
  const node = await createTestNode(database, reportRoutes);
  try {
    const tenant = await createTenant(database);
    const { orgId, token } = tenant;
    const report = async (body: object) => {
      const { id } = (await call(node, token, 'POST', '/reports', body)).body;
      await takeSnapshotJob.run({ org_id: orgId, report_id: id }, { database });
      return (await database.transaction(orgId, (tx) => findHead(tx, orgId, id)))!.head;
    };
    const earlier: string[] = [];
    const history = await liveThrough(database, tenant, {
      ...{ ...size, random: new Random(seed), setClock },
      atEndOfDay: async ({ date }) => {
        if ((Date.parse(date) / dayMs) % 13 === 0) earlier.push((await report({})).id);
      },
    });
    for (const selection of selectionsOf(history))
      for (const compare_to of [undefined, ...earlier])
        check(await report({ filters: selection.filters, ...(compare_to ? { compare_to } : {}) }), history, selection);
  } catch (error) {
    throw new Error(`Seed ${seed}: ${(error as Error).message}`, { cause: error });
  } finally {
    await node.close();
    await testDatabase.drop();
  }
}
