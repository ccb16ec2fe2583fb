import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty, sampleValues } from '../../../tests/harness/properties.ts';
import { newIdsAt } from '../../platform/id.ts';
import { listRows } from '../columns/bits.ts';
import { FindingColumns, orderKeys } from '../columns/finding-columns.ts';
import type { ColumnRow } from '../columns/row.ts';
import type { FilterName, FindingFilters } from '../filters/table.ts';
import { countFacets, countGroups, findPage, termsOf } from './questions.ts';
import { summarize } from './summarize.ts';

const start = Date.UTC(2026, 0, 1) * 1000;
const never = Number.POSITIVE_INFINITY;
const dataSource = (index: number) => `ds_${String(index).padStart(26, '0')}`;

/**
 * The members that a change can modify. There are more values than columns have sets for, but few of each, so that any
 * two filters overlap.
 */
const openValues: fc.Arbitrary<Omit<ColumnRow, 'id' | 'number'>> = fc.record({
  dataSourceId: fc.nat(60).map(dataSource),
  source: fc.constantFrom('code', 'secrets', 'dependencies'),
  severity: fc.nat(4),
  status: fc.constantFrom('new', 'new', 'triaged', 'resolved'),
  ruleId: fc.nat(90).map((index) => `rule-${index}`),
  ruleName: fc.nat(9).map((index) => `Rule ${index}`),
  assigneeId: fc.oneof(
    fc.constant(null),
    fc.nat(40).map((index) => `usr_${index}`),
  ),
  tags: fc.subarray(['a', 'b', 'c', 'd', 'e', 'f']),
  identifiers: fc.subarray(['CVE-1', 'CWE-2', 'cwe-3', 'CWE-4']),
  ruleTags: fc.constant([]),
  packageName: fc.oneof(
    fc.constant(null),
    fc.nat(50).map((index) => `package-${index}`),
  ),
  path: fc.oneof(
    fc.constant(null),
    fc.nat(300).map((index) => `src/${index % 7}/file${index}.ts`),
  ),
  weaknesses: fc.constant(null),
  problem: fc.oneof(
    fc.constant(null),
    fc.nat(400).map((index) => String(2n ** 33n * BigInt(2 * index - 399))),
  ),
  inPackage: fc.boolean(),
  inTests: fc.boolean(),
  inExamples: fc.boolean(),
  highConfidence: fc.boolean(),
  mediumConfidence: fc.boolean(),
  lowConfidence: fc.boolean(),
  kev: fc.nat(60).map((index) => index === 0),
  commented: fc.boolean(),
  reopened: fc.nat(9).map((index) => index === 0),
  closed: fc.constant(false),
  seenLast: fc.boolean(),
  epss: fc.oneof(fc.constant(null), fc.constantFrom(0.25, 0.5, 0.75)),
  priority: fc.nat(100),
  firstSeenAt: fc.nat(500).map((micros) => start + micros * 1_000_000),
  updatedAt: fc.nat(50_000).map((micros) => start + micros),
  lastSeenAt: fc.nat(50).map((micros) => start + micros),
  dueAt: fc.oneof(
    fc.constant(never),
    fc.nat(500).map((micros) => start + micros),
  ),
  acceptedUntil: fc.constant(never),
});
const rowValues = openValues.map((row) => ({ ...row, closed: row.status === 'resolved' }));

type Matches = (row: ColumnRow, hidden: ReadonlySet<string>) => boolean;
const severityNames = ['info', 'low', 'medium', 'high', 'critical'] as const;

const comesBefore = (row: ColumnRow, other: ColumnRow) =>
  row.closed === other.closed ? row.id < other.id : other.closed;

/** Returns the ids of the rows that do not represent their problem. */
function hiddenIds(rows: readonly ColumnRow[]): Set<string> {
  const groups = [...Map.groupBy(rows, ({ problem }) => problem)].filter(([problem]) => problem !== null);
  const hidden = groups.flatMap(([, group]) =>
    group.filter((row) => group.some((other) => other.source !== row.source && comesBefore(other, row))),
  );
  return new Set(hidden.map(({ id }) => id));
}

/** Filters, and the same conditions in plain TypeScript. */
const filters: Array<[FindingFilters, Matches]> = [
  ...([['critical'], ['low', 'high'], ['info']] as const).map((severity): [FindingFilters, Matches] => [
    { severity: [...severity] },
    (row) => (severity as readonly string[]).includes(severityNames[row.severity]!),
  ]),
  [{ status: ['resolved'] }, ({ status }) => status === 'resolved'],
  [{ source: ['code', 'secrets'] }, ({ source }) => source !== 'dependencies'],
  [{ data_source: [dataSource(7)] }, ({ dataSourceId }) => dataSourceId === dataSource(7)],
  [{ rule: ['rule-5', 'rule-6'] }, ({ ruleId }) => ruleId === 'rule-5' || ruleId === 'rule-6'],
  [{ excluded: { rule: ['rule-5'] } }, ({ ruleId }) => ruleId !== 'rule-5'],
  [{ assignee: ['none'] }, ({ assigneeId }) => assigneeId === null],
  [{ assignee: ['usr_3'] }, ({ assigneeId }) => assigneeId === 'usr_3'],
  [{ tag: ['a', 'd'] }, ({ tags }) => tags.includes('a') || tags.includes('d')],
  [{ identifier: ['CWE-3'] }, ({ identifiers }) => identifiers.includes('cwe-3')],
  [{ package: ['package-9'] }, ({ packageName }) => packageName === 'package-9'],
  [{ path: ['src/3/', 'src/*/file1??.ts'] }, ({ path }) => /^src\/(3\/|\d\/file1..\.ts$)/.test(path ?? '')],
  [{ kev: true }, ({ kev }) => kev],
  [{ reopened: false }, ({ reopened }) => !reopened],
  [{ epss_min: 0.5 }, ({ epss }) => epss !== null && epss >= 0.5],
  [{ priority_min: 97 }, ({ priority }) => priority >= 97],
  [{ from: new Date(start / 1000 + 490_000) }, ({ firstSeenAt }) => firstSeenAt >= start + 490_000_000],
  [{ to: new Date(start / 1000 + 4_000) }, ({ firstSeenAt }) => firstSeenAt < start + 5_000_000],
  [{ number: ['17', '4000'] }, ({ number }) => number === 17 || number === 4_000],
  [{ unique: true }, ({ id }, hidden) => !hidden.has(id)],
];

const fields: FilterName[] = ['severity', 'status', 'data_source', 'rule', 'assignee', 'tag', 'identifier'];
const valuesOf: Record<string, (row: ColumnRow) => readonly string[]> = {
  severity: ({ severity }) => [String(severity)],
  status: ({ status }) => [status],
  data_source: ({ dataSourceId }) => [dataSourceId],
  rule: ({ ruleId }) => [ruleId],
  assignee: ({ assigneeId }) => [assigneeId ?? 'none'],
  tag: ({ tags }) => tags,
  identifier: ({ identifiers }) => identifiers,
};

const countsOf = (rows: ColumnRow[], field: string) => {
  const found = new Map<string, number>();
  for (const value of rows.flatMap((row) => valuesOf[field]!(row))) found.set(value, (found.get(value) ?? 0) + 1);
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1));
};

const ages = [60_000_000, 200_000_000, 300_000_000];
const inOrder = (rows: object[]) => rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();
const openOf = (rows: ColumnRow[]) => rows.filter(({ status }) => status !== 'resolved');
const countsOfBoth = (rows: ColumnRow[]) => ({ total: rows.length, open: openOf(rows).length });
const none = { source: null, severity: null, status: null };

/** The rows of a summary. */
const sharesOf = (rows: ColumnRow[]) =>
  [...Map.groupBy(rows, ({ dataSourceId }) => dataSourceId)].map(([dataSourceId, group]) => ({
    dataSourceId,
    ...none,
    ...countsOfBoth(group),
  }));
const cellsOf = (rows: ColumnRow[]) =>
  [...Map.groupBy(rows, ({ source, severity, status }) => `${source} ${severity} ${status}`).values()].map((group) => {
    const { source, severity, status } = group[0]!;
    return { dataSourceId: null, source, severity, status, ...countsOfBoth(group) };
  });
const rulesOf = (rows: ColumnRow[]) =>
  [...Map.groupBy(rows, ({ ruleId }) => ruleId)]
    .map(([value, group]) => ({ kind: 'rule', value, severity: null, ...countsOfBoth(group) }))
    .sort((one, other) => other.open - one.open || other.total - one.total || (one.value < other.value ? -1 : 1));
const agesOf = (rows: ColumnRow[], now: number) => {
  const bandOf = ({ firstSeenAt }: ColumnRow) => ages.filter((age) => now - firstSeenAt >= age).length;
  return [...Map.groupBy(openOf(rows), (row) => `${bandOf(row)} ${row.severity}`)].map(([band, group]) => ({
    kind: 'age',
    value: band.split(' ')[0],
    severity: group[0]!.severity,
    open: group.length,
    total: 0,
  }));
};
const everything: [FindingFilters, Matches] = [{}, () => true];

/** More than the rows that wait to be merged. */
const count = 6_000;
const ids = newIdsAt('fnd', start / 1000, 2 * count);
const given = sampleValues(rowValues, count, 5);

test('after every change, any two filters in any order, facets and groups return the current rows', async () => {
  const changes = fc.record({
    size: fc.constantFrom(1, 30, 700, 5_000),
    first: fc.nat(count),
    values: fc.array(rowValues, { minLength: 40, maxLength: 40 }),
    added: fc.constantFrom(0, 3, 900),
    pairs: fc.array(fc.tuple(fc.nat(filters.length - 1), fc.nat(filters.length - 1)), { minLength: 8, maxLength: 8 }),
    place: fc.nat(300),
    steps: fc.nat(60),
  });
  const run = fc.property(fc.boolean(), fc.array(changes, { minLength: 1, maxLength: 4 }), (prepared, batches) => {
    const rows = new Map(
      given.map((values, index) => [ids[index]!, { ...values, id: ids[index]!, number: index + 1 }]),
    );
    const columns = new FindingColumns();
    columns.setDataSources([]);
    columns.upsert([...rows.values()]);
    if (prepared) [...columns.preparing()];
    let now = start + 300_000_000;
    for (const { size, first, values, added, pairs, place, steps } of batches) {
      const written = new Set(Array.from({ length: size }, (_, index) => ids[(first + index * 7) % count]!));
      for (const id of ids.slice(rows.size, rows.size + added)) written.add(id);
      for (const [index, id] of [...written].entries())
        rows.set(id, { ...values[index % 40]!, id, number: rows.get(id)?.number ?? rows.size + 1 });
      columns.upsert([...written].map((id) => rows.get(id)!));
      for (let left = steps; left > 0 && columns.fold({ minMoved: 20, maxRows: 7_000 }); left--);
      const all = [...rows.values()];
      const hidden = hiddenIds(all);
      // The same selections each time, so their sums stay cached. Time advances between the batches, and goes back
      // once.
      now += 40_000_000 * (place % 8) - 60_000_000;
      for (const [chosen, matches] of [everything, ...filters.filter((_, index) => index % 4 === 1)]) {
        const selected = all.filter((row) => matches(row, hidden));
        const { counts, rulesAndAges } = summarize(columns, chosen, { now, ages, maxRules: 10 });
        const about = JSON.stringify(chosen);
        assert.deepEqual(inOrder(counts), inOrder([...sharesOf(selected), ...cellsOf(selected)]), about);
        const isAge = ({ kind }: { kind: string }) => kind === 'age';
        assert.deepEqual(inOrder(rulesAndAges.filter(isAge)), inOrder(agesOf(selected, now)), about);
        assert.deepEqual(
          rulesAndAges.filter((row) => !isAge(row)),
          rulesOf(selected).slice(0, 10),
          about,
        );
      }
      for (const [turn, pair] of pairs.entries()) {
        const [one, other] = pair.map((index) => filters[index]!) as [
          [FindingFilters, Matches],
          [FindingFilters, Matches],
        ];
        const both = { ...one[0], ...other[0] };
        const about = JSON.stringify(both);
        const isOf = (name: string, [chosen]: [FindingFilters, Matches]) => name in chosen;
        // A second filter of the same name replaces the first.
        const holding = [one, other].filter(
          (filter) => filter === other || !Object.keys(filter[0]).some((name) => isOf(name, other)),
        );
        const matching = all.filter((row) => holding.every(([, matches]) => matches(row, hidden)));
        const selected = listRows(columns.select(termsOf(both, {})));
        assert.deepEqual(
          [...selected].map((row) => columns.idOf(row)).sort(),
          matching.map(({ id }) => id).sort(),
          about,
        );
        const key = orderKeys[(turn + place) % orderKeys.length]!;
        const descending = (turn & 1) === 0;
        const step = descending ? -1 : 1;
        const sorted = matching.sort((left, right) => {
          const column = key.find((name) => left[name] !== right[name]);
          return (column ? left[column] < right[column] : left.id < right.id) ? -step : step;
        });
        const last = sorted[Math.min(place, sorted.length) - 1];
        const after = last ? { id: last.id, numbers: key.map((name) => last[name]) } : null;
        const page = findPage(columns, both, { key, descending, after, limit: 20 });
        const from = last ? sorted.indexOf(last) + 1 : 0;
        assert.deepEqual(
          page.map(({ id }) => id),
          sorted.slice(from, from + 20).map(({ id }) => id),
          `${about} ${key} ${descending}`,
        );
        const facets = countFacets(columns, both, fields, { limit: 500 });
        assert.equal(facets.total, matching.length, about);
        for (const field of fields) {
          const found = facets.rows.filter((row) => row.field === field).map((row) => [row.value, row.count] as const);
          const expected = all.filter((row) =>
            holding.every(([chosen, matches]) => field in { ...chosen, ...chosen.excluded } || matches(row, hidden)),
          );
          assert.deepEqual(
            found.sort(([left], [right]) => (left < right ? -1 : 1)),
            countsOf(expected, field),
            `${about} ${field}`,
          );
        }
        const groups = countGroups(columns, { by: 'package', filters: both, after: null, limit: 99 });
        for (const { value, bySeverity } of groups) {
          const members = matching.filter(({ packageName }) => packageName === value);
          assert.deepEqual(
            bySeverity,
            [0, 1, 2, 3, 4].map((rank) => members.filter(({ severity }) => severity === rank).length),
            about,
          );
        }
      }
    }
  });
  await checkProperty(run, { numRuns: 8, limitMs: 8_000, endOnFailure: true });
});
