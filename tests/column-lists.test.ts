import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { beginChange } from '../server/findings/change-clock.ts';
import { suggestFindings } from '../server/findings/figures/suggest-findings.ts';
import { readFilters } from '../server/findings/filters/read.ts';
import { type FilterInput, filterEntries, filters } from '../server/findings/filters/table.ts';
import { listInOrder } from '../server/findings/listing/list-by-relevance.ts';
import type { ListedFinding } from '../server/findings/listing/list-findings.ts';
import { type ListLimits, listFromColumns } from '../server/findings/listing/list-from-columns.ts';
import { ColumnService } from '../server/findings/live-columns/column-service.ts';
import { type Sort, sorts } from '../server/findings/orders.ts';
import { silentLog } from '../server/platform/log.ts';
import { autocommit } from '../server/platform/postgres/database.ts';
import { startApplication } from './harness/application.ts';
import { createTestDatabase } from './harness/database.ts';
import { createFindingSet } from './harness/finding-set.ts';
import { succeeded } from './harness/furnished.ts';

const testDatabase = await createTestDatabase();
const { database, appUrl: databaseUrl } = testDatabase;
const columns = new ColumnService({ database, databaseUrl, maxBytes: 100_000_000, log: silentLog, minFindings: 10 });
const app = await startApplication(async () => testDatabase, null, { columns });
after(async () => {
  await columns.close();
  await app.close();
});
const set = await createFindingSet(app, 120, 29);
const { orgId, userId, token } = set.owner;
const read = (input: FilterInput) => readFilters(autocommit(database, orgId), { orgId, userId }, input);
while ((await columns.ask(orgId, 'countFacets', {}, [], { limit: 0 })) === null)
  await new Promise((resolve) => setImmediate(resolve));

const noValues = Promise.resolve([]);

type Page = (after: ListedFinding['position'] | null) => Promise<ListedFinding[]>;

async function readPages(list: Page, limit: number): Promise<ListedFinding[]> {
  const all: ListedFinding[] = [];
  for (;;) {
    const page = await list(all.at(-1)?.position ?? null);
    all.push(...page);
    if (page.length < limit) return all;
  }
}

test('a list from columns equals that of SQL in every order, page by page, and either continues a page of the other', async () => {
  for (const [index, sort] of sorts.entries()) {
    for (const [name, { samples }] of filterEntries.filter((_, at) => at % sorts.length === index)) {
      const given = await read({ [name]: samples[0] });
      const limit = 7;
      const bySql: Page = (after) => listInOrder(database, orgId, sort, { filters: given, after, limit });
      const inColumns: Page = async (after) => {
        const found = await listFromColumns(database, orgId, { filters: given, sort, after, limit }, columns);
        assert.ok(found, 'columns have the page');
        return found;
      };
      let turn = 0;
      const inTurns: Page = (after) => (turn++ % 2 === 0 ? bySql : inColumns)(after);
      const expected = await readPages(bySql, limit);
      const about = `${sort} ${JSON.stringify({ [name]: samples[0] })}`;
      assert.deepEqual(await readPages(inColumns, limit), expected, about);
      assert.deepEqual(await readPages(inTurns, limit), expected, about);
    }
  }
});

/**
 * Limits for each of the three ways of finding words: by the rarest word, by checking each finding, and by the index
 * of all words.
 */
const ways: Array<Partial<ListLimits>> = [
  {},
  { maxRare: 0 },
  { maxRare: 0, maxTried: 0 },
  { maxRare: 0, maxTried: 30 },
];

test('words and scans are found in every order like in SQL, in each of the ways', async () => {
  const { samples } = filters.scan;
  const searches: FilterInput[] = [
    ...filters.q.samples.map((q) => ({ q })),
    { q: '!' },
    ...samples.map((scan) => ({ scan: [...scan] })),
    { q: 'key', scan: [...samples[1]!], severity: ['-low'] },
    { q: 'key', tag: ['pci'] },
  ];
  const limit = 3;
  for (const [index, input] of searches.entries())
    for (const [place, sort] of sorts.entries()) {
      const given = await read(input);
      const expected = await readPages(
        (after) => listInOrder(database, orgId, sort, { filters: given, after, limit: 200 }),
        200,
      );
      const limits = ways[(index + place) % ways.length]!;
      const found = await readPages(async (after) => {
        const page = await listFromColumns(database, orgId, { filters: given, sort, after, limit }, columns, limits);
        assert.ok(page, 'columns have the page');
        return page;
      }, limit);
      assert.deepEqual(found, expected, `${sort} ${JSON.stringify(input)}`);
    }
});

test('words that only the most urgent findings are searched for are found up to the last of these', async () => {
  const urgent = await listInOrder(database, orgId, '-priority', { filters: {}, after: null, limit: 200 });
  const limits = { maxRare: 0, maxTried: urgent.length, stops: true };
  const ranks: number[] = [];
  for (const q of filters.q.samples) {
    const request = { filters: await read({ q }), sort: '-priority', after: null, limit: 1 } as const;
    const [expected] = await listInOrder(database, orgId, '-priority', request);
    assert.deepEqual(await listFromColumns(database, orgId, request, columns, limits), expected ? [expected] : [], q);
    ranks.push(urgent.findIndex(({ position }) => position.at(-1) === expected?.position.at(-1)));
  }
  assert.ok(Math.max(...ranks) >= 4, 'a match is not among the first findings that are tried');
});

test('matches from columns have the same order of relevance as those from SQL, page by page', async () => {
  for (const q of ['key', 'key configuration', 'cwe 798', 'nowhere']) {
    const given = await read({ q });
    const list =
      (service?: ColumnService): Page =>
      (after) =>
        listInOrder(database, orgId, 'relevance', { filters: given, after, limit: 5 }, service);
    const expected = await readPages(list(), 5);
    assert.deepEqual(await readPages(list(columns), 5), expected, q);
    assert.ok(q === 'nowhere' || expected.length > 5, q);
  }
});

test('a list includes every change before its request, in its place', async () => {
  const idsOf = async (query: string) =>
    succeeded(await app.call(token, 'GET', `/findings?${query}`)).data.map(({ id }: { id: string }) => id);
  const open = await idsOf('status=new&sort=-updated_at');
  for (const id of open.slice(-3)) {
    succeeded(await app.call(token, 'PATCH', `/findings/${id}`, { json: { tags: ['moved'] } }));
    const [first] = await idsOf('status=new&sort=-updated_at&limit=1');
    assert.equal(first, id);
    succeeded(await app.call(token, 'PATCH', `/findings/${id}`, { json: { status: 'triaged' } }));
    assert.ok(!(await idsOf('status=new&sort=-updated_at')).includes(id));
  }
});

test('a list by the time of changes ends before a change that has not committed', async () => {
  const request = { filters: {}, sort: 'updated_at', after: null, limit: 500 } as const;
  const idsOf = async () => {
    const page = await listFromColumns(database, orgId, request, columns);
    return page!.map(({ position }) => position.at(-1));
  };
  const all = await idsOf();
  const [id] = all;
  await database.transaction(orgId, async (tx) => {
    await beginChange(tx, orgId);
    succeeded(await app.call(token, 'PATCH', `/findings/${id}`, { json: { tags: ['later'] } }));
    assert.deepEqual(await idsOf(), all.slice(1));
  });
  assert.deepEqual(await idsOf(), [...all.slice(1), id]);
});

test('a search suggests the most urgent findings with its words, then open ones with the best value, from columns and SQL alike', async () => {
  const isOpen = ({ status }: { status: string }) => ['new', 'triaged', 'in_progress'].includes(status);
  const listed = async (query: string) =>
    succeeded(await app.call(token, 'GET', `/findings?sort=-priority&limit=200&${query}`)).data;
  const suggest = async (q: string) =>
    succeeded(await app.call(token, 'GET', `/findings/suggestions?q=${encodeURIComponent(q)}&findings=4`));
  const withWords = await listed('q=key');
  assert.ok(withWords.some((finding: { status: string }) => !isOpen(finding)));
  const { findings } = await suggest('Key');
  const fieldsOf = ({ id, number, title, severity, status, data_source }: Record<string, unknown>) => ({
    id,
    number,
    title,
    severity,
    status,
    data_source,
  });
  assert.deepEqual(findings, withWords.slice(0, 4).map(fieldsOf));
  const unfinished = await suggest('rul');
  const [best] = unfinished.data;
  assert.equal(best.filter, 'rule');
  assert.deepEqual(
    unfinished.findings,
    (await listed(`rule=${encodeURIComponent(best.value)}`)).filter(isOpen).slice(0, 4).map(fieldsOf),
  );
  const [{ number, id }] = withWords;
  assert.equal((await suggest(number)).findings[0].id, id);
  assert.deepEqual((await suggest('nothing like that')).findings, []);
  assert.equal(succeeded(await app.call(token, 'GET', '/findings/suggestions?q=key')).findings.length, 0);
  const none = { serves: async () => false, ask: async () => null } as unknown as ColumnService;
  for (const q of ['key', 'weak ciph', 'rule a'])
    for (const service of [columns, none]) {
      const found = await suggestFindings(
        database,
        { orgId, userId },
        { text: q, limit: 4, columns: service },
        noValues,
      );
      assert.deepEqual(
        found.map((finding) => finding.id),
        (await listed(`q=${encodeURIComponent(q)}`)).slice(0, 4).map((finding: { id: string }) => finding.id),
        q,
      );
    }
});

test('a finding that changes while its page is read is found again, so that nothing is skipped', async () => {
  const sort: Sort = '-updated_at';
  const request = { filters: await read({ status: ['triaged'] }), sort, after: null, limit: 5 };
  const [, { json }] = (await listInOrder(database, orgId, sort, request)) as [ListedFinding, ListedFinding];
  const { id } = JSON.parse(json);
  for (const change of [{ tags: ['between'] }, { status: 'resolved' }]) {
    /** Changes a finding between the result of the columns and the page. */
    const hasty = Object.create(columns, {
      ask: {
        value: async (...asked: Parameters<typeof columns.ask<'findPage'>>) => {
          const found = await columns.ask(...asked);
          succeeded(await app.call(token, 'PATCH', `/findings/${id}`, { json: change }));
          return found;
        },
      },
    }) as ColumnService;
    const page = await listFromColumns(database, orgId, request, hasty);
    assert.deepEqual(page, await listInOrder(database, orgId, sort, request));
  }
});
