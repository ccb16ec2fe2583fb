import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { Parameters } from '../server/findings/filter.ts';
import { readFilters } from '../server/findings/filters/read.ts';
import { selectionOf } from '../server/findings/filters/select.ts';
import { type FilterInput, type FilterName, filterEntries } from '../server/findings/filters/table.ts';
import { listFindings } from '../server/findings/listing/list-findings.ts';
import { autocommit } from '../server/platform/postgres/database.ts';
import { startApplication } from './harness/application.ts';
import { isSelected, readModel } from './harness/finding-model.ts';
import { createFindingSet } from './harness/finding-set.ts';
import { succeeded } from './harness/furnished.ts';
import { checkProperty } from './harness/properties.ts';

// All cases come from the table of filters, so that a new filter is tested at once.

const app = await startApplication();
after(() => app.close());
const set = await createFindingSet(app, 90, 11);
const { owner } = set;
const all = await readModel(set);
const now = new Date();

const expected = (input: FilterInput) => all.filter((finding) => isSelected(set, finding, input, now));
const idsOf = (findings: readonly { id: string }[]) => findings.map(({ id }) => id).sort();

const samples = filterEntries.flatMap(([name, filter]) =>
  [...filter.samples].map((given): FilterInput => ({ [name]: given })),
);
const said = (input: FilterInput) => JSON.stringify(input);

const queryOf = (input: FilterInput) =>
  new URLSearchParams(Object.entries(input).map(([name, given]) => [name, [given].flat().join(',')])).toString();

const get = (path: string, input: FilterInput, more = '') => set.get(`/findings${path}?${queryOf(input)}${more}`);

/** Lists the ids of the findings that the server selects. */
async function list(input: FilterInput): Promise<string[]> {
  const read = await readFilters(autocommit(app.database, owner.orgId), owner, input, { now });
  const request = { filters: read, sort: '-first_seen_at' as const, after: null, limit: 1000, fields: ['id'] };
  return (await listFindings(app.database, owner.orgId, request)).map(({ json }) => JSON.parse(json).id).sort();
}

test('every filter has samples, each of which selects some findings but not all', () => {
  for (const [name, filter] of filterEntries) assert.ok(filter.samples.length > 0, name);
  for (const input of samples) {
    const { length } = expected(input);
    assert.ok(length > 0, `${said(input)} selects nothing`);
    assert.ok(length < all.length, `${said(input)} selects everything`);
  }
});

test('a filter selects the same findings as its model', async () => {
  for (const input of samples) {
    assert.deepEqual(await list(input), idsOf(expected(input)), said(input));
    assert.deepEqual(idsOf(await set.list(queryOf(input))), idsOf(expected(input)), said(input));
  }
});

test('any combination of filters selects the findings that all models select', async () => {
  const some = fc.subarray(samples, { minLength: 2, maxLength: 4 }).map((chosen) => Object.assign({}, ...chosen));
  await checkProperty(
    fc.asyncProperty(some, async (input: FilterInput) => {
      assert.deepEqual(await list(input), idsOf(expected(input)));
    }),
    { numRuns: 60 },
  );
});

/** Counts by the condition of a bulk update, for which no index is used. */
async function countSelected(input: FilterInput): Promise<number> {
  const parameters = new Parameters(owner.orgId);
  const read = await readFilters(autocommit(app.database, owner.orgId), owner, input, { now });
  const text = `SELECT count(*)::integer AS count FROM findings f WHERE ${selectionOf(read, parameters)}`;
  return (await app.database.single<{ count: number }>(owner.orgId, { text, values: parameters.values }))[0]!.count;
}

test('a filter whose condition is always true is detected by one of its samples', async () => {
  for (const [name, filter] of filterEntries) {
    const { condition, search } = filter;
    const own = samples.filter((input) => input[name] !== undefined);
    Object.assign(filter, { condition: () => 'true', search: undefined });
    const counts = await Promise.all(own.map(countSelected));
    Object.assign(filter, { condition, search });
    assert.notDeepEqual(
      counts,
      own.map((input) => expected(input).length),
      name,
    );
    assert.deepEqual(
      await Promise.all(own.map(countSelected)),
      own.map((input) => expected(input).length),
      name,
    );
  }
});

test('all pages of a list refer to the time of the first one', async () => {
  const [soon, ...others] = await set.list('overdue=true');
  assert.ok(soon && others.length > 0);
  const due = async (text: string, values: unknown[]) => app.database.single(owner.orgId, { text, values });
  await due(`UPDATE findings SET due_at = clock_timestamp() + interval '2 seconds' WHERE org_id = $1 AND id = $2`, [
    owner.orgId,
    soon.id,
  ]);
  const query = '/findings?overdue=true&sort=due_at&limit=1';
  const first = await set.get(query);
  while (!idsOf(await set.list('overdue=true')).includes(soon.id)) await setTimeout(100);
  const found = [...idsOf(first.data)];
  for (let { next_cursor: next } = first; next !== null; ) {
    const page = await set.get(`${query}&next_cursor=${next}`);
    found.push(...idsOf(page.data));
    next = page.next_cursor;
  }
  assert.deepEqual(found.sort(), idsOf(others));
});

test('a plus sign before a relative time is accepted in a query, encoded or not, and never printed', async () => {
  for (const text of ['7d', '+7d', '%2B7d', '%207d'])
    assert.deepEqual(idsOf(await set.list(`due_to=${text}`)), idsOf(expected({ due_to: '7d' })), text);
  const { filter } = succeeded(
    await app.call(owner.token, 'POST', '/views', { json: { name: 'Due', filter: { due_to: '+7d' } } }),
  );
  assert.deepEqual(filter, { due_to: '7d' });
});

const facetFields = filterEntries.filter(([, { facet }]) => facet).map(([name]) => name);

/** Returns how many findings have a value, under all filters except the one on this field. */
const countOf = (input: FilterInput, field: FilterName, value: string) =>
  expected({ ...input, [field]: [value] } as FilterInput).length;

test('facets count the findings of the list under the same filters', async () => {
  for (const input of samples) {
    const { total, facets } = await get('/facets', input, `&field=${facetFields.join(',')}`);
    assert.equal(total, expected(input).length, said(input));
    for (const { field, values } of facets)
      for (const { value, count } of values)
        assert.equal(count, countOf(input, field, value), `${said(input)} ${field} ${value}`);
  }
});

test('groups contain the findings of the list under the same filters', async () => {
  for (const input of samples) {
    const { data } = await get('/groups', input, '&by=rule&limit=200');
    const counts = Object.fromEntries(data.map(({ value, count }: { value: string; count: number }) => [value, count]));
    const rules = Map.groupBy(expected(input), ({ rule }) => rule.id);
    assert.deepEqual(counts, Object.fromEntries([...rules].map(([id, found]) => [id, found.length])), said(input));
  }
});

test('a bulk update by filter would change the findings of the list under the same filters', async () => {
  for (const filter of samples) {
    const json = { filter, add_tags: ['x'], dry_run: true };
    const { matched } = succeeded(await app.call(owner.token, 'PATCH', '/findings', { json }));
    assert.equal(matched, expected(filter).length, said(filter));
  }
});

test('an export contains the findings of the list under the same filters', async () => {
  for (const input of samples) {
    const { data } = await get('/export', input, '&format=json');
    assert.deepEqual(idsOf(data), idsOf(expected(input)), said(input));
  }
});

test('views and scheduled reports store filters as written', async () => {
  for (const [index, filter] of samples.entries()) {
    const view = { name: `View ${index}`, filter };
    assert.deepEqual(succeeded(await app.call(owner.token, 'POST', '/views', { json: view })).filter, filter);
    const report = { filters: filter, recipients: ['a@example.com'], cron: '0 7 * * MON', timezone: 'UTC' };
    const { id, filters: kept } = succeeded(
      await app.call(owner.token, 'POST', '/scheduled-reports', { json: report }),
    );
    assert.deepEqual(kept, filter);
    await app.call(owner.token, 'DELETE', `/scheduled-reports/${id}`);
  }
});
