import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listRows } from '../server/findings/columns/bits.ts';
import type { Group } from '../server/findings/columns/counting.ts';
import { FindingColumns } from '../server/findings/columns/finding-columns.ts';
import type { ColumnRow } from '../server/findings/columns/row.ts';
import { facetFields } from '../server/findings/figures/facet-queries.ts';
import { listSuggestions } from '../server/findings/figures/suggestions.ts';
import { Parameters } from '../server/findings/filter.ts';
import { readFilters } from '../server/findings/filters/read.ts';
import { selectionOf } from '../server/findings/filters/select.ts';
import { type FilterInput, type FindingFilters, filterEntries } from '../server/findings/filters/table.ts';
import * as queries from '../server/findings/live-columns/column-queries.ts';
import type { ColumnService } from '../server/findings/live-columns/column-service.ts';
import { findFrequent, findRare, findScans, type Run } from '../server/findings/live-columns/found.ts';
import { countFacets, countGroups, type Found, termsOf } from '../server/findings/live-columns/questions.ts';
import { suggestValues } from '../server/findings/live-columns/suggest.ts';
import { newId } from '../server/platform/id.ts';
import { autocommit } from '../server/platform/postgres/database.ts';
import { startApplication } from './harness/application.ts';
import { createFindingSet } from './harness/finding-set.ts';

// All cases come from the table of filters, so that a new filter is tested at once.

const app = await startApplication();
after(() => app.close());
const { owner } = await createFindingSet(app, 180, 19);
const db = autocommit(app.database, owner.orgId);
const now = new Date();

const dataSources = await queries.listColumnDataSources(db, owner.orgId);
const rows = await queries.listRows(db, owner.orgId, '', 1_000);
const columns = new FindingColumns();
columns.setDataSources(dataSources);
columns.upsert(rows);

const inputs = filterEntries.flatMap(([name, filter]) =>
  [...filter.samples].map((given): FilterInput => ({ [name]: given })),
);
const read = (input: FilterInput) => readFilters(db, owner, input, { now });

const run: Run = (statement, before) => app.database.single(owner.orgId, statement, [before]);

/**
 * Returns the database's results for columns, with words from the index of all of them, or by checking each finding.
 */
async function find(filters: FindingFilters, isFrequent: boolean) {
  const { q } = filters;
  const rare = q && !isFrequent ? await findRare(run, owner.orgId, q) : null;
  const words = q && (rare ?? (await findFrequent(run, owner.orgId, q)));
  return [...(await findScans(run, owner.orgId, filters)), ...(words ? [words] : [])];
}

/** Returns the samples of all filters, with the database's results for columns. */
const asked = () =>
  Promise.all(
    inputs.map(async (input, index) => {
      const filters = await read(input);
      return [input, filters, await find(filters, index % 2 === 0)] as const;
    }),
  );

async function selectBySql(filters: FindingFilters): Promise<string[]> {
  const parameters = new Parameters(owner.orgId);
  const text = `SELECT id FROM findings f WHERE ${selectionOf(filters, parameters)} ORDER BY id`;
  return (await app.database.single<{ id: string }>(owner.orgId, { text, values: parameters.values })).map(
    ({ id }) => id,
  );
}

const selectInColumns = (filters: FindingFilters, found: Found[]) =>
  [...listRows(columns.select(termsOf(filters, { found })))].map((row) => columns.idOf(row)).sort();

test('columns select the same findings as SQL under every filter and every pair, included or excluded', async () => {
  const known: Array<{ input: FilterInput; filters: FindingFilters; found: Found[]; ids: string[] }> = [];
  for (const [input, filters, found] of await asked()) {
    const ids = await selectBySql(filters);
    assert.deepEqual(selectInColumns(filters, found), ids, JSON.stringify(input));
    if (found.length > 0) assert.throws(() => termsOf(filters, {}), /needs the database/);
    known.push({ input, filters, found, ids });
  }
  for (const [index, { input, filters, found, ids }] of known.entries())
    for (const other of known.slice(index + 1)) {
      const [name] = Object.keys(input);
      if (name === Object.keys(other.input)[0]) continue;
      const excluded = { ...filters.excluded, ...other.filters.excluded };
      const both = { ...filters, ...other.filters, excluded };
      const expected = ids.filter((id) => other.ids.includes(id));
      assert.deepEqual(
        selectInColumns(both, [...found, ...other.found]),
        expected,
        JSON.stringify([input, other.input]),
      );
    }
});

/** The values of a finding by which facets and groups count it. */
const valuesOf: Record<string, (row: ColumnRow) => readonly string[]> = {
  severity: ({ severity }) => [String(severity)],
  status: ({ status }) => [status],
  source: ({ source }) => [source],
  data_source: ({ dataSourceId }) => [dataSourceId],
  rule: ({ ruleId }) => [ruleId],
  assignee: ({ assigneeId }) => [assigneeId ?? 'none'],
  tag: ({ tags }) => tags,
  identifier: ({ identifiers }) => [...new Set(identifiers)],
  package: ({ packageName }) => (packageName === null ? [] : [packageName]),
  data_source_tag: ({ dataSourceId }) => dataSourceOf(dataSourceId).tags,
  owner: ({ dataSourceId }) => [dataSourceOf(dataSourceId).ownerId ?? 'none'],
  criticality: ({ dataSourceId }) => [dataSourceOf(dataSourceId).criticality],
  confidence: ({ highConfidence, mediumConfidence, lowConfidence }) => [
    highConfidence ? 'high' : mediumConfidence ? 'medium' : lowConfidence ? 'low' : 'none',
  ],
};
const dataSourceOf = (id: string) => dataSources.find((dataSource) => dataSource.id === id)!;
const rowsOf = async (input: FilterInput) => {
  const ids = await selectBySql(await read(input));
  return rows.filter(({ id }) => ids.includes(id));
};

/** Counts values, largest count first, and equal counts by the bytes of the value. */
const counted = (some: ColumnRow[], field: string) =>
  [
    ...Map.groupBy(
      some.flatMap((row) => valuesOf[field]!(row)),
      (value) => value,
    ),
  ]
    .map(([value, { length: count }]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || Buffer.compare(Buffer.from(one.value), Buffer.from(other.value)));

test('facets count the findings that SQL selects, each under the other filters', async () => {
  const all = await rowsOf({});
  for (const [input, filters, found] of await asked()) {
    const selected = await rowsOf(input);
    const facets = countFacets(columns, filters, facetFields, { limit: 4, found });
    assert.equal(facets.total, selected.length, JSON.stringify(input));
    for (const field of facetFields) {
      const values = facets.rows.filter((row) => row.field === field).map(({ value, count }) => ({ value, count }));
      const expected = counted(field in input ? all : selected, field).slice(0, 4);
      assert.deepEqual(values, expected, `${JSON.stringify(input)} ${field}`);
    }
  }
});

test('facets with a text have the values that contain it, or whose names do', async () => {
  for (const [input, filters] of (await asked()).slice(0, 20)) {
    const selected = await rowsOf(input);
    const named = { assignee: [owner.userId] };
    const facets = countFacets(columns, filters, ['rule', 'tag', 'assignee'], { limit: 99, text: 'P', named });
    assert.equal(facets.total, selected.length, JSON.stringify(input));
    for (const field of ['rule', 'tag', 'assignee'] as const) {
      if (field in input) continue;
      const isAsked = (value: string) => (field === 'assignee' ? value === owner.userId : /p/i.test(value));
      assert.deepEqual(
        facets.rows.filter((row) => row.field === field).map(({ value, count }) => ({ value, count })),
        counted(selected, field).filter(({ value }) => isAsked(value)),
        `${JSON.stringify(input)} ${field}`,
      );
    }
  }
});

test('findings that are gone since the database found them are omitted', async () => {
  const [{ id, number }] = rows as [ColumnRow];
  for (const found of [{ ids: [id, newId('fnd')] }, { numbers: `${number},999999` }]) {
    assert.deepEqual(selectInColumns({}, [found]), [id]);
    assert.equal(selectInColumns({}, [{ ...found, excluded: true }]).length, rows.length - 1);
  }
  assert.deepEqual(selectInColumns({}, [{ numbers: '' }]), []);
});

test('groups contain the findings that SQL selects, with the last sighting of each, in pages of any length', async () => {
  const seenAt = ({ dataSourceId, source, seenLast, lastSeenAt }: ColumnRow) =>
    Math.max(lastSeenAt, seenLast ? (dataSourceOf(dataSourceId).lastScans[source] ?? 0) : 0);
  for (const [input, filters, selection] of await asked())
    for (const by of ['rule', 'data_source', 'package'] as const) {
      const selected = await rowsOf(input);
      const expected = counted(selected, by).map(({ value, count }) => {
        const members = selected.filter((row) => valuesOf[by]!(row).includes(value));
        const bySeverity = [0, 1, 2, 3, 4].map((rank) => members.filter(({ severity }) => severity === rank).length);
        return { value, count, bySeverity, lastSeenAt: Math.max(...members.map(seenAt)) };
      });
      const found: Group[] = [];
      for (const limit of [1, 2, 200]) {
        const page = countGroups(columns, { by, filters, after: found.at(-1) ?? null, limit, found: selection });
        found.push(...page);
      }
      assert.deepEqual(found, expected, `${JSON.stringify(input)} ${by}`);
    }
});

test('suggestions are the values of open findings that contain all words, the same from columns and from SQL', async () => {
  const open = rows.filter(({ closed }) => !closed);
  const [{ packageName }] = open.filter((row) => row.packageName !== null) as [ColumnRow];
  const [identifier] = open.flatMap(({ identifiers }) => identifiers);
  const none = { ask: async () => null } as unknown as ColumnService;
  for (const text of [
    packageName!,
    packageName!.slice(1, 4),
    identifier!.toLowerCase(),
    open[0]!.ruleId,
    'cve 2',
    'a',
    '%',
  ])
    for (const limit of [1, 20]) {
      const words = text.toLowerCase().split(' ');
      const question = { words, limit };
      const found = suggestValues(columns, question);
      const fromSql = await listSuggestions(app.database, owner.orgId, {
        ...question,
        columns: none,
        signal: undefined,
      });
      assert.deepEqual(found, fromSql, text);
      for (const { field, value, count } of found) {
        assert.ok(words.every((word) => value.toLowerCase().includes(word)));
        assert.equal(count, open.filter((row) => valuesOf[field]!(row).includes(value)).length, value);
      }
      if (text === packageName) assert.equal(found[0]!.value, packageName);
      assert.ok(found.filter(({ field }) => field === 'package').length <= limit);
    }
  assert.equal(suggestValues(columns, { words: [packageName!.slice(1, 4).toLowerCase()], limit: 1 }).length > 0, true);
});

test('only data sources that the caller can see are counted, whatever the filters', async () => {
  const [first, second] = dataSources.map(({ id }) => id);
  for (const filters of [{}, { data_source: [second!] }]) {
    const { total, rows: values } = countFacets(columns, filters, ['data_source'], { limit: 9, dataSources: [first!] });
    assert.equal(total, 'data_source' in filters ? 0 : rows.filter((row) => row.dataSourceId === first).length);
    assert.deepEqual(
      values.map(({ value }) => value),
      [first],
    );
  }
});

test('a changed finding is counted with its new values, and these columns contain no id of another organization', async () => {
  const [row, ...others] = rows;
  const changed: ColumnRow = { ...row!, status: 'resolved', closed: true, tags: ['changed'], packageName: null };
  const own = new FindingColumns();
  own.setDataSources(dataSources);
  own.upsert(rows);
  own.upsert([changed, { ...changed, id: newId('fnd') }]);
  assert.equal(own.size, rows.length + 1);
  const { rows: values } = countFacets(own, {}, ['tag', 'status'], { limit: 99 });
  const expected = (field: string) => counted([changed, changed, ...others], field);
  for (const field of ['tag', 'status'])
    assert.deepEqual(
      values.filter((value) => value.field === field).map(({ value, count }) => ({ value, count })),
      expected(field),
    );
  assert.throws(() => own.upsert([{ ...changed, id: 'fnd_8zzzzzzzzzzzzzzzzzzzzzzzzz' }]));
});
