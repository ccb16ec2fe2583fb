import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { loadDataset } from '../bench/dataset.ts';
import { listQuestions, type Question, wordQuestions } from '../bench/growth-questions.ts';
import type { FindingFilters } from '../server/findings/filters.ts';
import { defaultReaches, listFindings, type Position, type Sort } from '../server/findings/listing/list-findings.ts';
import { asAdmin, createTestDatabase } from './harness/database.ts';
import { createTenant } from './harness/identity.ts';

// The steps of a list differ in what they read, never in what they find.

const testDatabase = await createTestDatabase();
const { database } = testDatabase;
after(() => testDatabase.drop());

type Request = { name: string; filters: FindingFilters; sort: Sort };

let orgId: string;
let requests: Request[];

before(async () => {
  ({ orgId } = await createTenant(database));
  const questions = await asAdmin(testDatabase.adminUrl, async (client) => {
    await loadDataset(client, { orgId, memberCount: 5, dataSourceCount: 130 }, 6_000);
    return [...(await listQuestions(client, orgId)), ...(await wordQuestions(client, orgId))];
  });
  // Each filter with each order would take minutes: all pairs of filters, in orders that take turns.
  const some = questions.filter((_, index) => index % 6 === 0);
  requests = [
    ...some.map((question) => ({ name: question.name, filters: filtersOf(question), sort: question.sort })),
    ...ofKeys,
  ];
});

const daysAgo = (days: number) => new Date(Date.now() - 864e5 * days);

/** Filters by what the list is in the order of, or that decide where it begins. */
const ofKeys: Request[] = [
  { name: 'overdue', filters: { overdue: { is: true, at: new Date() }, source: ['code'] }, sort: 'due_at' },
  { name: 'due soon', filters: { dueTo: new Date(Date.now() + 864e5), severity: ['low'] }, sort: 'due_at' },
  { name: 'closed', filters: { status: ['false_positive', 'accepted_risk'], source: ['code'] }, sort: 'due_at' },
  { name: 'closed since', filters: { status: ['resolved'], from: daysAgo(200) }, sort: 'due_at' },
  { name: 'seen in a period', filters: { from: daysAgo(500), to: daysAgo(100), severity: ['low'] }, sort: 'due_at' },
  { name: 'seen since the year 0', filters: { from: new Date('0000-01-01'), source: ['code'] }, sort: 'due_at' },
  { name: 'seen before', filters: { to: daysAgo(600), source: ['code'] }, sort: 'due_at' },
  { name: 'urgent and severe', filters: { priorityMin: 40, severity: ['high', 'low'] }, sort: '-priority' },
  { name: 'urgent', filters: { priorityMin: 60, source: ['dependencies'] }, sort: '-priority' },
];

/** The filters of a question as the route passes them on. */
function filtersOf({ filters }: Question): FindingFilters {
  const { q, data_source: dataSource, from, to, updated_from: updatedFrom, ...lists } = filters;
  const given = Object.entries({ ...lists, dataSource }).flatMap(([name, value]) => (value ? [[name, [value]]] : []));
  const moments = Object.entries({ from, to, updatedFrom }).flatMap(([name, at]) => (at ? [[name, new Date(at)]] : []));
  return { ...Object.fromEntries(given), ...Object.fromEntries(moments), ...(q && { q }) };
}

const small = { window: 20, collection: 15, lookUp: 1 };
/** Each takes lists without words to another step: nearly all to the second, or to the walk to the end. */
const reaches = {
  'the second step': [small, { window: 200, collection: 10_000, lookUp: 1 }],
  'the walk to the end': [small, { window: 40, collection: 20, lookUp: 1 }],
};

for (const [name, steps] of Object.entries(reaches)) {
  test(`${name} finds what the first would find`, async () => {
    let found = 0;
    for (const { name: filtered, filters, sort } of requests) {
      const request = { filters, sort, limit: 25 };
      const list = async (after: Position | null, limits = defaultReaches) =>
        (await listFindings(database, orgId, { ...request, after }, limits)).map(({ json, position }) => ({
          id: JSON.parse(json).id as string,
          position,
        }));
      const expected = await list(null);
      const stepped = { filters: steps, words: steps };
      assert.deepEqual(await list(null, stepped), expected, `${filtered} ${sort}`);
      const middle = expected[12]?.position;
      if (middle) assert.deepEqual(await list(middle, stepped), await list(middle), `${filtered}, after 13`);
      found += expected.length;
    }
    assert.ok(found > 1_000, `${found} findings`);
  });
}
