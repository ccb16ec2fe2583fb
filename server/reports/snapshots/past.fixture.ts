import assert from 'node:assert/strict';
import { severities, severityRank } from '@assay/scanner/contract/severity.ts';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { call, createTestNode } from '../../../tests/harness/identity.ts';
import { moveClock } from '../../../tests/harness/moved-clock.ts';
import { createTenant, createTestMember } from '../../../tests/harness/people.ts';
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
import type { ReportAction, ReportActions } from '../analysis-model.ts';
import type { MappedCategory } from '../mapping-model.ts';
import { findHead, listBatches } from '../queries.ts';
import type { ReportHead } from '../report-model.ts';
import { reportRoutes } from '../routes.ts';
import { takeSnapshotJob } from '../take-snapshot.ts';
import { decompress } from './compressed.ts';
import { checkDocuments } from './documents.fixture.ts';
import { recount, type Selected } from './recount.fixture.ts';
import { recountActions, recountCoverage, recountTools } from './recount-work.fixture.ts';
import { type Rows, readRows } from './rows.fixture.ts';
import { readBatch } from './snapshot-batch.ts';

const dayMs = 86_400_000;
const dayOf = (time: string) => time.slice(0, 10);
const dayBefore = (date: string) => dateOf(Date.parse(date) - dayMs);
/** Each finding's name is searched for in each text of a document; with more findings, that takes minutes. */
const maxInDocuments = 250;
const dueStates = ['kept', 'missed', 'resolved_without_due_date'] as const;

/** The findings that a filter selects, and the severity by which each counts. */
type Selection = {
  filters: object;
  chosen: Chosen;
  severityOf(finding: HistoryFinding): number;
  recorded: boolean;
  /** The findings that match now, if they differ from those in the past. */
  now?: Chosen;
  dataSource?: (id: string) => boolean;
};

const everything = {
  chosen: () => true,
  severityOf: ({ severity }: HistoryFinding) => severity,
  recorded: true,
};

function selectionsOf({ dataSourceIds, sources, days }: History): Selection[] {
  const then = ({ severity }: HistoryFinding) => severity;
  const recorded = (filters: object, chosen: Chosen) => ({ filters, chosen, severityOf: then, recorded: true });
  const now = new Map(days.at(-1)!.findings.map(({ id, severity }) => [id, severity]));
  const rules = [...new Set(days.at(-1)!.findings.map(({ ruleId }) => ruleId))].filter((_, index) => index % 3 === 0);
  return [
    recorded({}, () => true),
    {
      ...recorded({ status: [...openStatuses] }, () => true),
      now: ({ status }) => openStatuses.some((open) => open === status),
    },
    ...severities.map((name) => recorded({ severity: [name] }, ({ severity }) => severity === severityRank[name])),
    ...dataSourceIds.map((id) => ({
      ...recorded({ data_source: [id] }, ({ dataSourceId }) => dataSourceId === id),
      dataSource: (one: string) => one === id,
    })),
    ...sources.map((one) => recorded({ source: [one] }, ({ source }) => source === one)),
    {
      filters: { rule: rules.slice(0, 50) },
      chosen: ({ ruleId }) => rules.slice(0, 50).includes(ruleId),
      severityOf: ({ id }) => now.get(id)!,
      recorded: false,
    },
  ];
}

/** Compares every figure about the past in a report with a plain count of the recorded history. */
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

/** Compares every figure of a report, and each finding that it names, with a plain computation from the rows. */
function checkRows(head: ReportHead, rows: Rows, selection: Selection, earlier: ReportHead | undefined): void {
  const { chosen, recorded, now = chosen, dataSource = () => true } = selection;
  const selected: Selected = { now, past: chosen, dataSource, recorded };
  const [at, from] = [Date.parse(head.taken_at), Date.parse(head.period.from)];
  const analysis = head.analysis!;
  const since = Date.parse(analysis.changes.since);
  const names = (source: string) => ({ code: 'Code', secrets: 'Secrets' })[source]!;
  assert.equal(head.period.from, `${dayOf(earlier?.taken_at ?? new Date(at - 30 * dayMs).toISOString())}T00:00:00Z`);
  const expected = recount(rows, selected, { at, from, since });
  for (const [name, figures] of Object.entries(expected.head))
    assert.deepEqual(head[name as keyof ReportHead], figures, name);
  const { opened, opened_still_open } = head.in_period;
  assert.equal(opened_still_open, Math.min(opened, expected.opened_still_open));
  for (const [name, value] of Object.entries(expected.values))
    assert.equal(analysis.key_figures[name as 'open'].value, value, name);
  for (const [name, { value, change }] of Object.entries(analysis.key_figures)) {
    const before = earlier?.analysis?.key_figures[name as 'open'].value ?? null;
    const difference = value === null || before === null ? null : Math.round((value - before) * 10) / 10;
    assert.equal(change, difference, name);
  }
  assert.deepEqual(
    analysis.comparison,
    earlier === undefined
      ? null
      : {
          report: { id: earlier.id, title: earlier.title },
          taken_at: earlier.taken_at,
          same_filters: Object.keys(selection.filters).length === 0,
        },
  );
  assert.deepEqual(analysis.owners, expected.owners);
  assert.deepEqual(analysis.due_dates.by_severity, expected.due_by_severity);
  assert.deepEqual(analysis.due_dates.by_owner, expected.due_by_owner);
  for (const kind of ['new', 'fixed', 'reopened', 'accepted'] as const) {
    const move = kind === 'fixed' ? 'resolved' : kind;
    const { by_severity, most_severe } = analysis.changes[kind];
    assert.deepEqual(most_severe, expected.changes[kind], kind);
    for (const name of severities) assert.equal(by_severity[name], analysis.roll_forward!.by_severity[name][move]);
  }
  assert.deepEqual(analysis.register, expected.register);
  assert.deepEqual(analysis.severity_comparison, expected.severity_comparison);
  const withoutName = ({ name: _, ...counts }: MappedCategory) => counts;
  const { weaknesses, without_cwe, standards } = analysis.mapping;
  assert.deepEqual(
    {
      weaknesses: weaknesses.map(withoutName),
      without_cwe,
      standards: standards.map(({ id, categories, unmapped }) => ({
        id,
        categories: categories.map(withoutName),
        unmapped,
      })),
    },
    expected.mapping,
  );
  assert.deepEqual(analysis.coverage, recountCoverage(rows, selected, { at, names }));
  assert.deepEqual(
    analysis.tools.map(({ version, ...tool }) => ({ ...tool, versions: version?.split(', ').sort() ?? [] })),
    recountTools(rows, selected, names),
  );
  checkActions(analysis.actions, rows, recountActions(rows, selected, at));
  const numbers = new Map(rows.findings.map(({ id, number }) => [id, `F-${number}`]));
  for (const [id, number] of Object.entries(head.finding_numbers)) assert.equal(number, numbers.get(id));
}

/** Actions with the same score may come in any order. */
function checkActions(
  actions: ReportActions,
  { dataSources, names }: Rows,
  expected: ReturnType<typeof recountActions>,
) {
  const shown = actions.first.map((action) => {
    const found = expected.find(
      ({ figures }) => figures.finding_id === action.finding_id && figures.name === action.name,
    );
    const { data_sources, owners, remediation: _, ...figures } = action;
    assert.deepEqual(figures, found!.figures);
    const own = dataSources.filter(({ id }) => found!.ids.includes(id));
    const nameOf = (id: string) => own.find((row) => row.id === id)?.name;
    assert.deepEqual(
      data_sources.map(({ id, name }) => [nameOf(id), name]),
      data_sources.map(({ name }) => [name, name]),
    );
    assert.equal(data_sources.length, Math.min(5, own.length));
    const people = new Set(own.flatMap(({ ownerId }) => (ownerId === null ? [] : [names.get(ownerId)!])));
    assert.deepEqual(owners.map(({ name }) => name).sort(), [...people].sort());
    return found!.score;
  });
  assert.deepEqual(
    shown,
    expected.slice(0, 10).map(({ score }) => score),
  );
  assert.equal(actions.total, expected.length);
  const sum = (count: (action: ReportAction) => number) => actions.first.reduce((all, one) => all + count(one), 0);
  assert.deepEqual(actions.covered, {
    open: sum(({ findings }) => findings),
    critical_high: sum(({ by_severity }) => by_severity.critical + by_severity.high),
  });
}

/** Simulates a history, creates reports along the way, and at its end compares those of every span and selection. */
export async function checkReportsOfHistory(seed: number, size: { days: number; findings: number }): Promise<void> {
  const testDatabase = await createTestDatabase();
  const setClock = await moveClock(testDatabase);
  const { database } = testDatabase;
  const node = await createTestNode(database, reportRoutes);
  try {
    const tenant = await createTenant(database);
    const { orgId, token } = tenant;
    const people = [tenant.userId, (await createTestMember(database, orgId, 'analyst')).userId];
    const report = async (body: object) => {
      const { id } = (await call(node, token, 'POST', '/reports', body)).body;
      await takeSnapshotJob.run({ org_id: orgId, report_id: id }, { database });
      return (await database.transaction(orgId, (tx) => findHead(tx, orgId, id)))!.head;
    };
    await database.single(orgId, {
      text: `INSERT INTO exploitation_feeds (name, source, validator, version, loaded_at) VALUES ('kev', '', '', 1, '2026-01-02')`,
    });
    const earlier: ReportHead[] = [];
    const history = await liveThrough(database, tenant, {
      ...{ ...size, random: new Random(seed), setClock, people },
      atEndOfDay: async ({ date }) => {
        // Hours after all changes, so that no age is on a bound.
        await setClock(new Date(`${date}T18:00:00Z`));
        if ((Date.parse(date) / dayMs) % 13 !== 0) return;
        const head = await report({});
        checkRows(head, await readRows(database, orgId), { ...everything, filters: {} }, undefined);
        earlier.push(head);
      },
    });
    const rows = await readRows(database, orgId);
    const findingsOf = async ({ id }: ReportHead) => {
      const batches = await database.transaction(orgId, (tx) => listBatches(tx, orgId, id, 0, 1_000));
      return (await Promise.all(batches.map(decompress))).flatMap(readBatch);
    };
    for (const [index, selection] of selectionsOf(history).entries()) {
      const compared = index < 2 ? earlier : [earlier[index % earlier.length]];
      for (const before of [undefined, ...compared]) {
        const head = await report({
          filters: selection.filters,
          ...(before ? { compare_to: before.id } : {}),
        });
        check(head, history, selection);
        checkRows(head, rows, selection, before);
        const isRead = before === compared.at(-1) && index % 3 === seed % 3 && head.summary.total <= maxInDocuments;
        if (isRead) checkDocuments(head, await findingsOf(head));
      }
    }
  } catch (error) {
    throw new Error(`Seed ${seed}: ${(error as Error).message}`, { cause: error });
  } finally {
    await node.close();
    await testDatabase.drop();
  }
}
