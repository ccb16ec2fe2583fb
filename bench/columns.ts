import { FindingColumns, type OrderKey, orderKeys } from '../server/findings/columns/finding-columns.ts';
import type { ColumnRow } from '../server/findings/columns/row.ts';
import type { FilterName, FindingFilters } from '../server/findings/filters/table.ts';
import { isOpen, statuses } from '../server/findings/lifecycle.ts';
import { countFacets, countGroups, findPage } from '../server/findings/live-columns/questions.ts';
import { summarize } from '../server/findings/live-columns/summarize.ts';
import { newIdsAt } from '../server/platform/id.ts';
import { percentile, type Row } from './measure.ts';

const batch = 10_000;
const start = Date.UTC(2026, 0, 1) * 1000;
const year = 366 * 86_400 * 1_000_000;

/** Returns the next number below 1 from a linear congruential generator, the same in each run. */
let seed = 1;
function random(): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}
const below = (count: number): number => Math.floor(random() * count);
/** Picks a value; the first ones are the most frequent. */
const frequent = (count: number): number => Math.floor(count * random() ** 3);
const chance = (share: number): boolean => random() < share;
const dataSource = (index: number): string => `ds_${String(index).padStart(26, '0')}`;

const ruleOf = (index: number) => ({ ruleId: `rule-${index}`, ruleName: `Rule ${index}` });

function madeUp(id: string, number: number): ColumnRow {
  const status = statuses[frequent(6)]!;
  const inPackage = chance(0.4);
  return {
    id,
    number,
    status,
    inPackage,
    dataSourceId: dataSource(frequent(200)),
    source: ['secrets', 'code', 'dependencies'][below(3)]!,
    severity: below(5),
    ...ruleOf(frequent(4_000)),
    assigneeId: chance(0.7) ? null : `usr_${below(40)}`,
    tags: chance(0.8) ? [] : [`tag-${below(20)}`],
    identifiers: chance(0.5) ? [`CWE-${below(100)}`] : [`CVE-2024-${below(3_000)}`, `CWE-${below(30)}`],
    ruleTags: [`tag-${below(4)}`],
    packageName: inPackage ? `package-${frequent(3_000)}` : null,
    path: `src/folder${below(300)}/file${below(500)}.ts`,
    weaknesses: [below(100)],
    problem: inPackage ? String(below(1_000_000_000)) : null,
    inTests: chance(0.1),
    inExamples: chance(0.02),
    highConfidence: chance(0.6),
    mediumConfidence: chance(0.2),
    lowConfidence: chance(0.1),
    kev: chance(0.02),
    commented: chance(0.1),
    reopened: chance(0.05),
    closed: !isOpen(status),
    seenLast: chance(0.8),
    epss: inPackage ? random() : null,
    priority: below(101),
    firstSeenAt: start + below(year),
    updatedAt: start + below(year),
    lastSeenAt: start + below(year),
    dueAt: chance(0.5) ? Number.POSITIVE_INFINITY : start + below(year),
    acceptedUntil: Number.POSITIVE_INFINITY,
  };
}

const filters: FindingFilters[] = [
  { severity: ['critical'] },
  { status: ['new'] },
  { source: ['code'] },
  { data_source: [dataSource(5)] },
  { data_source: [dataSource(150)] },
  { rule: ['rule-3'] },
  { rule: ['rule-3900'] },
  { tag: ['tag-1'] },
  { assignee: ['usr_3'] },
  { assignee: ['none'] },
  { identifier: ['CVE-2024-77'] },
  { kev: true },
  { context: ['test'] },
  { epss_min: 0.99 },
  { priority_min: 90 },
  { package: ['package-7'] },
  { path: ['src/folder1/'] },
  { reopened: true },
];
const fields: FilterName[] = ['severity', 'status', 'source', 'data_source', 'rule', 'assignee'];

/** Returns the processor time in milliseconds. */
function measure(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const summary = { now: start + year, ages: [7, 30, 90, 180, 365].map((days) => days * 86_400_000_000), maxRules: 20 };

/** Returns 100 of the findings with a later update time. */
const changed = (columns: FindingColumns, count: number, updatedAt: number): ColumnRow[] =>
  Array.from({ length: 100 }, () => {
    const row = below(count);
    return { ...madeUp(columns.idOf(row), row + 1), updatedAt };
  });

/**
 * Changes 100 findings ten times a second for `seconds`, each time followed by a page and the background work.
 * Returns the milliseconds of each change with its page, and of each background step.
 */
function measureChanges(columns: FindingColumns, count: number, seconds: number): { pages: number[]; steps: number[] } {
  const steps: number[] = [];
  const pages = Array.from({ length: seconds * 10 }, (_, turn) => {
    const rows = changed(columns, count, start + year + turn);
    const given = { ...filters[turn % filters.length], ...filters[(turn * 7 + 1) % filters.length] };
    const key = orderKeys[turn % orderKeys.length]!;
    const page = measure(() => {
      columns.upsert(rows);
      findPage(columns, given, { key, descending: true, after: null, limit: 51 });
    });
    // The next change arrives before all rows are folded in.
    for (let step = 0, isMore = true; isMore && step < 20; step++) steps.push(measure(() => (isMore = columns.fold())));
    return page;
  });
  return { pages, steps };
}

/** Measures columns in memory by themselves: the processor time of queries, and the memory. */
export async function measureColumns(count: number): Promise<Row[]> {
  const columns = new FindingColumns();
  columns.setDataSources([]);
  let loading = 0;
  for (let first = 0; first < count; first += batch) {
    const rows = newIdsAt('fnd', start / 1000 + first, batch).map((id, index) => madeUp(id, first + index + 1));
    loading += measure(() => columns.upsert(rows));
  }
  const page = (given: FindingFilters, key: OrderKey, descending: boolean) =>
    findPage(columns, given, { key, descending, after: null, limit: 51 });
  const preparing = measure(() => [...columns.preparing()]);
  const pairs = filters.flatMap((one, index) => filters.slice(index + 1).map((other) => ({ ...one, ...other })));
  const lists = () =>
    pairs.flatMap((given) =>
      orderKeys.flatMap((key) => [true, false].map((descending) => measure(() => page(given, key, descending)))),
    );
  // A warm-up, so that compilation is not measured.
  lists();
  const pages = lists();
  const some = [{}, ...filters];
  const facets = some.map((given) => measure(() => countFacets(columns, given, fields, { limit: 51 })));
  const measureGroups = () =>
    (['rule', 'data_source', 'package'] as const).flatMap((by) =>
      some.map((given) => measure(() => countGroups(columns, { by, filters: given, after: null, limit: 51 }))),
    );
  measureGroups();
  const groups = measureGroups();
  const summaries = some.map((given) => measure(() => summarize(columns, given, summary)));
  const summariesAgain = some.map((given) => {
    summarize(columns, given, summary);
    columns.upsert(changed(columns, count, start));
    return measure(() => summarize(columns, given, { ...summary, now: summary.now + 60_000_000 }));
  });
  const { bytes } = columns;
  const changes = measureChanges(columns, count, 60);
  const about = `in columns, ${count.toLocaleString('en-US')} findings`;
  const row = (question: string, value: number, unit: string, bound: string | null = null): Row => ({
    question: `${question} ${about}`,
    value,
    unit,
    bound,
  });
  return [
    row('Processor time of the ids of a page, any two filters and any order,', percentile(pages, 0.5), 'ms', '<= 0.2'),
    row('The same, p99,', percentile(pages, 0.99), 'ms', '<= 50'),
    row('The same, the longest,', Math.max(...pages), 'ms'),
    row('100 changes and a page, with 1,000 changes a second, p99,', percentile(changes.pages, 0.99), 'ms', '<= 50'),
    row('The same, the longest,', Math.max(...changes.pages), 'ms'),
    row('The longest step in the background after changes', Math.max(...changes.steps), 'ms'),
    row('Processor time in the background for 1,000 changes', sum(changes.steps) / 60, 'ms'),
    row('Processor time of facets of six fields, the longest', Math.max(...facets), 'ms', '<= 100'),
    row('Processor time of groups by rule, data source or package, the longest', Math.max(...groups), 'ms', '<= 100'),
    row('Processor time of a summary under a new filter, the longest', Math.max(...summaries), 'ms'),
    row('The same, a minute and 100 changes later', Math.max(...summariesAgain), 'ms', '<= 20'),
    row('Processor time until all orders and lists of rows are made', preparing, 'ms'),
    row('Processor time of loading', loading / 1000, 's'),
    row('Memory', bytes / count, 'MB per million', '<= 200'),
  ];
}
