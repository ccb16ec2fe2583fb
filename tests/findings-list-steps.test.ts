import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { loadDataset } from '../bench/dataset.ts';
import { listQuestions, type Question, valuesOf, wordQuestions } from '../bench/growth-questions.ts';
import { Parameters } from '../server/findings/filter.ts';
import { readText } from '../server/findings/filters/q.ts';
import { conditionsOf, searchOf } from '../server/findings/filters/select.ts';
import type { FindingFilters } from '../server/findings/filters/table.ts';
import { defaultReaches, listFindings, type Position } from '../server/findings/listing/list-findings.ts';
import { orderBy } from '../server/findings/listing/list-order.ts';
import { orders, type Sort } from '../server/findings/orders.ts';
import { searchCondition } from '../server/findings/shared-texts.ts';
import { asAdmin, createTestDatabase } from './harness/database.ts';
import { createTenant } from './harness/people.ts';

// The steps of a list differ in what they read, never in what they find.

const testDatabase = await createTestDatabase();
const { database } = testDatabase;
after(() => testDatabase.drop());

type Request = { name: string; filters: FindingFilters; sort: Sort };

let orgId: string;
let requests: Request[];
let leads: Request[];

before(async () => {
  ({ orgId } = await createTenant(database));
  const questions = await asAdmin(testDatabase.adminUrl, async (client) => {
    await loadDataset(client, { orgId, memberCount: 5, dataSourceCount: 130 }, 6_000);
    leads = await ofLeads(client);
    return [...(await listQuestions(client, orgId)), ...(await wordQuestions(client, orgId))];
  });
  // Each filter with each order would take minutes: all pairs of filters, in orders that take turns.
  const some = questions.filter((_, index) => index % 6 === 0);
  requests = [
    ...some.map((question) => ({ name: question.name, filters: filtersOf(question), sort: question.sort })),
    ...ofKeys,
    ...leads,
  ];
});

const daysAgo = (days: number) => new Date(Date.now() - 864e5 * days);

/** Filters by what the list is in the order of, or that decide where it begins. */
const ofKeys: Request[] = [
  { name: 'overdue', filters: { overdue: { is: true, at: new Date() }, source: ['code'] }, sort: 'due_at' },
  { name: 'due soon', filters: { due_to: new Date(Date.now() + 864e5), severity: ['low'] }, sort: 'due_at' },
  { name: 'closed', filters: { status: ['false_positive', 'accepted_risk'], source: ['code'] }, sort: 'due_at' },
  { name: 'closed since', filters: { status: ['resolved'], from: daysAgo(200) }, sort: 'due_at' },
  { name: 'seen in a period', filters: { from: daysAgo(500), to: daysAgo(100), severity: ['low'] }, sort: 'due_at' },
  { name: 'seen since the year 0', filters: { from: new Date('0000-01-01'), source: ['code'] }, sort: 'due_at' },
  { name: 'seen before', filters: { to: daysAgo(600), source: ['code'] }, sort: 'due_at' },
  { name: 'urgent and severe', filters: { priority_min: 40, severity: ['high', 'low'] }, sort: '-priority' },
  { name: 'urgent', filters: { priority_min: 60, source: ['dependencies'] }, sort: '-priority' },
  { name: 'urgent and of a rule that nothing has', filters: { rule: ['none.such'] }, sort: '-priority' },
  { name: 'of a period', filters: { from: daysAgo(500), to: daysAgo(100) }, sort: '-severity' },
  { name: 'new since', filters: { from: daysAgo(300), status: ['new', 'triaged'] }, sort: '-severity' },
  { name: 'some severities before', filters: { to: daysAgo(300), severity: ['low', 'critical'] }, sort: '-severity' },
];

const sortsOfSeverity = ['-severity', '-priority', 'first_seen_at', '-first_seen_at'] as const;

/** The filters that have an index in the order of severity, alone, with a severity, and in a period. */
async function ofLeads(client: pg.Client): Promise<Request[]> {
  const values = await valuesOf(client, orgId);
  const leads = { rule: values.rule!, data_source: values.data_source!, assignee: [values.assignee![1]] };
  return Object.entries(leads).flatMap(([filter, [value]]) =>
    [
      {},
      { severity: ['medium', 'low'] as const },
      { from: daysAgo(700), to: daysAgo(30) },
      { q: readText('credential') },
    ].flatMap((more) =>
      sortsOfSeverity.map((sort) => ({
        name: `one ${filter} and ${Object.keys(more)}`,
        filters: { [filter]: [value], ...more } as FindingFilters,
        sort,
      })),
    ),
  );
}

/** The filters of a question as the route passes them on. */
function filtersOf({ filters }: Question): FindingFilters {
  const { q, data_source, from, to, updated_from, ...lists } = filters;
  const given = Object.entries({ ...lists, data_source }).flatMap(([name, value]) => (value ? [[name, [value]]] : []));
  const moments = Object.entries({ from, to, updated_from }).flatMap(([name, at]) =>
    at ? [[name, new Date(at)]] : [],
  );
  return { ...Object.fromEntries(given), ...Object.fromEntries(moments), ...(q && { q: readText(q) }) };
}

type Found = { id: string; position: Position };

async function list({ filters, sort }: Request, after: Position | null, limits = defaultReaches): Promise<Found[]> {
  const found = await listFindings(database, orgId, { filters, sort, limit: 25, after }, limits);
  return found.map(({ json, position }) => ({ id: JSON.parse(json).id as string, position }));
}

const small = { window: 20, collection: 15, lookUps: 15 };
/** Each takes lists without words to another step: nearly all to the second, or to the walk to the end. */
const reaches = {
  'the second step': [small, { window: 200, collection: 10_000, lookUps: 10_000 }],
  'the walk to the end': [small, { window: 40, collection: 20, lookUps: 20 }],
};

for (const [name, steps] of Object.entries(reaches)) {
  test(`${name} finds what the first would find`, async () => {
    let found = 0;
    for (const request of requests) {
      const expected = await list(request, null);
      const stepped = { filters: steps, words: steps };
      assert.deepEqual(await list(request, null, stepped), expected, `${request.name} ${request.sort}`);
      const middle = expected[12]?.position;
      if (middle) assert.deepEqual(await list(request, middle, stepped), await list(request, middle), request.name);
      found += expected.length;
    }
    assert.ok(found > 1_000, `${found} findings`);
  });
}

test('the pages of a list are what one plain statement finds', async () => {
  for (const request of [...ofKeys, ...leads]) {
    const parameters = new Parameters(orgId);
    const conditions = conditionsOf(request.filters, parameters);
    if (request.filters.q) conditions.push(searchCondition(searchOf(request.filters)!, parameters));
    const order = orderBy(orders[request.sort]);
    const plain = await database.single<{ id: string }>(orgId, {
      text: `SELECT f.id FROM findings f WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT 150`,
      values: parameters.values,
    });
    const ids: string[] = [];
    for (let after: Position | null = null; ids.length < 150; ) {
      const page: Found[] = await list(request, after);
      ids.push(...page.map(({ id }) => id));
      if (page.length < 25) break;
      after = page.at(-1)!.position;
    }
    assert.deepEqual(
      ids,
      plain.map(({ id }) => id),
      `${request.name} ${request.sort}`,
    );
  }
});
