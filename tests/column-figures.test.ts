import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listSelected, type Selection, withCandidates } from '../server/decisions/bulk/selection.ts';
import { isNamed } from '../server/findings/figures/facet-queries.ts';
import { countFacets } from '../server/findings/figures/facets.ts';
import { type GroupPage, groupings, listNamedGroups } from '../server/findings/figures/groups.ts';
import { listKnownValues } from '../server/findings/figures/pickers.ts';
import { summarizeFindings } from '../server/findings/figures/summary.ts';
import { readFilters } from '../server/findings/filters/read.ts';
import { type FilterInput, filterEntries, filters } from '../server/findings/filters/table.ts';
import { ColumnService } from '../server/findings/live-columns/column-service.ts';
import { type Log, silentLog } from '../server/platform/log.ts';
import { createInstruments } from '../server/platform/metrics.ts';
import { autocommit } from '../server/platform/postgres/database.ts';
import { startApplication } from './harness/application.ts';
import { createTestDatabase } from './harness/database.ts';
import { createFindingSet } from './harness/finding-set.ts';
import { succeeded } from './harness/furnished.ts';

const testDatabase = await createTestDatabase();
const { database, appUrl: databaseUrl } = testDatabase;
const openColumns = (maxBytes: number) =>
  new ColumnService({ database, databaseUrl, maxBytes, log: silentLog, minFindings: 10 });
const columns = openColumns(100_000_000);
const without = openColumns(0);
const app = await startApplication(async () => testDatabase, null, { columns });
after(async () => {
  await columns.close();
  await app.close();
});
const { owner } = await createFindingSet(app, 60, 17);
const { orgId, userId } = owner;

async function waitForColumns(): Promise<void> {
  while ((await columns.ask(orgId, 'countFacets', {}, [], { limit: 0 })) === null)
    await new Promise((resolve) => setImmediate(resolve));
}
await waitForColumns();

const fields = filterEntries.filter(([, { facet }]) => facet).map(([name]) => name);
const inputs: FilterInput[] = [
  {},
  { severity: ['-info'], path: ['src'] },
  { owner: ['none'], overdue: false },
  { q: 'key' },
  { q: 'configuration', status: ['new'] },
  { q: '!' },
  ...filters.scan.samples.map((scan) => ({ scan: [...scan] })),
  { q: 'key', scan: [...filters.scan.samples[1]!] },
];

test('columns count facets and groups like SQL', async () => {
  for (const input of inputs) {
    const given = await readFilters(autocommit(database, orgId), { orgId, userId }, input);
    const about = JSON.stringify(input);
    const facets = (service: ColumnService) => countFacets(database, orgId, given, { fields, columns: service });
    assert.deepEqual(await facets(columns), await facets(without), about);
    for (const by of groupings) {
      const groups = (
        service: ColumnService,
        after: GroupPage['groups'][number] | null,
      ): ReturnType<typeof listNamedGroups> =>
        listNamedGroups(database, orgId, { columns: service, by, filters: given, after, limit: 2 });
      const first = await groups(without, null);
      assert.deepEqual(await groups(columns, null), first, `${about} by ${by}`);
      const last = first.groups.at(-1);
      if (last)
        assert.deepEqual(await groups(columns, last), await groups(without, last), `${about} after ${last.value}`);
    }
  }
});

test('columns count the summary like SQL', async () => {
  for (const input of inputs) {
    const given = await readFilters(autocommit(database, orgId), { orgId, userId }, input);
    const counted = (service: ColumnService) => summarizeFindings(database, orgId, given, 30, { columns: service });
    assert.deepEqual(await counted(columns), await counted(without), JSON.stringify(input));
  }
});

test('columns find the values that contain a text, or whose names do, like SQL', async () => {
  let answers = 0;
  const counting = Object.create(columns, {
    ask: {
      value: async (...asked: Parameters<typeof columns.ask<'countFacets'>>) => {
        const answer = await columns.ask(...asked);
        if (answer !== null) answers += 1;
        return answer;
      },
    },
  }) as ColumnService;
  const texts = ['S', 'ir', 'nothing'];
  for (const text of texts)
    for (const field of fields) {
      const facets = (service: ColumnService) =>
        countFacets(database, orgId, { kev: false }, { fields: [field], text, columns: service });
      assert.deepEqual(await facets(counting), await facets(without), `${field} ${text}`);
    }
  const ofPeople = fields.filter((field) => isNamed(field, 'person'));
  assert.equal(answers, texts.length * (fields.length - ofPeople.length));
});

test('columns list the known rules and tags, with the names of rules, as SQL does', async () => {
  // Rules whose findings have several names: the newest one of the highest severity decides.
  await testDatabase.asAdmin(`INSERT INTO finding_texts (org_id, id, words, rule, members)
      SELECT org_id, id + n, words, jsonb_set(rule::jsonb, '{name}', to_jsonb('Renamed ' || n))::json, members
      FROM finding_texts, generate_series(1, 3) n WHERE org_id = '${orgId}';
    UPDATE findings SET text_id = text_id + 1 + number % 3 WHERE org_id = '${orgId}' AND number % 4 <> 0`);
  for (const field of ['rule', 'tag'] as const)
    for (const q of [undefined, 'S', 'renamed 1', 'RULE', 'pci', 'nothing'])
      for (const after of ['', 'm', 'rule-a']) {
        const known = (service: ColumnService, limit: number) =>
          listKnownValues({ database, columns: service }, orgId, field, { after, q, limit });
        const all = await known(without, 200);
        assert.deepEqual(await known(columns, 200), all, `${field} ${q} after ${after}`);
        assert.deepEqual(await known(columns, 2), all.slice(0, 2));
      }
  const rules = await listKnownValues({ database, columns }, orgId, 'rule', { after: '', limit: 200 });
  assert.ok(rules.some(({ name }) => name.startsWith('Renamed')));
});

test('a bulk update selects the same findings through columns as without', async () => {
  const chosen: FilterInput[] = [
    ...[{ status: ['-resolved' as const] }, { rule: ['rule-a'] }, { q: 'key' }, { unique: true as const }],
    { severity: ['-info'], tag: ['pci'] },
  ];
  for (const input of chosen) {
    const filters = await readFilters(autocommit(database, orgId), { orgId, userId }, input);
    const selection = { ids: null, filters, asOf: null };
    const list = (chosen: Selection) => listSelected(autocommit(database, orgId), orgId, chosen);
    const narrowed = await withCandidates(columns, orgId, selection);
    const expected = (await list(selection)).sort();
    if (!('q' in input)) assert.deepEqual(narrowed.candidates?.toSorted(), expected, JSON.stringify(input));
    assert.deepEqual((await list(narrowed)).sort(), expected, JSON.stringify(input));
    const json = { filter: input, status: 'triaged', dry_run: true };
    assert.equal(succeeded(await app.call(owner.token, 'PATCH', '/findings', { json })).matched, expected.length);
  }
  assert.deepEqual(await columns.ask(orgId, 'selectIds', {}, { max: 59 }), { ids: null });
});

test('a response includes every change before its request, and current names of people', async () => {
  const countTagged = async () => {
    const path = '/findings/facets?field=tag,assignee&tag=fresh';
    const { total, facets } = succeeded(await app.call(owner.token, 'GET', path));
    return [total, facets[0].values[0]?.count ?? 0, facets[1].values[0]?.label ?? null];
  };
  const { data } = succeeded(await app.call(owner.token, 'GET', '/findings?limit=5'));
  for (const [index, { id }] of data.entries()) {
    const json = { tags: ['fresh'], assignee: owner.userId };
    succeeded(await app.call(owner.token, 'PATCH', `/findings/${id}`, { json }));
    const [total, , name] = await countTagged();
    assert.equal(total, index + 1);
    assert.equal(typeof name, 'string');
  }
});

test('a result that differs from SQL has the columns reloaded, and is logged', async () => {
  const lines: string[] = [];
  const log = { ...silentLog, error: (_: unknown, text: string) => void lines.push(text) } as Log;
  const metrics = createInstruments();
  const watched = new ColumnService({
    database,
    databaseUrl,
    maxBytes: 100_000_000,
    log,
    metrics,
    minFindings: 10,
    compareMs: 0,
  });
  /** Null while the columns are being loaded. */
  const count = () => countFacets(database, orgId, {}, { fields, columns: watched }).catch(() => null);
  const compared = async (outcome: string) => {
    const found = metrics.registry.getSingleMetric('assay_columns_comparisons_total');
    return (await found!.get()).values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
  };
  const until = async (outcome: string) => {
    while ((await compared(outcome)) === 0) await count();
  };
  await until('equal');
  assert.equal(await compared('different'), 0);
  // A change that is missing in the change log.
  await testDatabase.asAdmin(`SET session_replication_role = replica;
    UPDATE findings SET rule_id = 'odd' WHERE org_id = '${orgId}' AND number < 20`);
  await until('different');
  assert.deepEqual(lines.slice(0, 1), ['Columns of findings differ from the database. They are rebuilt.']);
  while (
    JSON.stringify(await count()) !==
    JSON.stringify(await countFacets(database, orgId, {}, { fields, columns: without }))
  );
  await watched.close();
});

test('without the thread, figures are refused with the time after which to retry', async () => {
  await columns.close();
  for (const path of ['/findings/facets?field=severity&kev=false', '/findings/groups?by=rule', '/findings/summary']) {
    const { status, headers, body } = await app.call(owner.token, 'GET', path);
    assert.deepEqual([status, headers['retry-after'], body.error?.code], [503, '5', 'unavailable'], path);
  }
});
