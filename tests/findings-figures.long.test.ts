import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { loadDataset } from '../bench/dataset.ts';
import { severities } from '../scanner/contract/severity.ts';
import { facetFields } from '../server/findings/figures/facet-queries.ts';
import { readFilters } from '../server/findings/filters/read.ts';
import { listFindings } from '../server/findings/listing/list-findings.ts';
import { autocommit } from '../server/platform/postgres/database.ts';
import { startApplication } from './harness/application.ts';
import { asAdmin } from './harness/database.ts';
import { succeeded } from './harness/furnished.ts';
import { createTenant, type Person } from './harness/people.ts';

// 20,000 findings of one organization: rules, people, tags and data sources are skewed, and many values are rare.

const app = await startApplication();
after(() => app.close());
let owner: Person;

type Counts = Map<string, number>;
/** The most common, a medium and the rarest value of each column. */
const values: Record<string, string[]> = {};
const columns = {
  rule: 'rule_id',
  data_source: 'data_source_id',
  assignee: 'assignee_id',
  tag: 'unnest(tags)',
  identifier: `json_array_elements_text(identifiers)`,
};

before(async () => {
  owner = await createTenant(app.database, 'Figures');
  await asAdmin(app.adminUrl, async (client) => {
    await loadDataset(client, { orgId: owner.orgId, memberCount: 30, dataSourceCount: 120 }, 40_000);
    await client.query(`UPDATE findings SET package_name = 'package-' || (hashtext(id) & 1023) * (hashtext(id) & 1023) / 4096
      WHERE source = 'dependencies'`);
    await client.query('ANALYZE findings');
    for (const [name, sql] of Object.entries(columns)) {
      const { rows } = await client.query<{ value: string }>(
        `SELECT ${sql} AS value FROM findings WHERE org_id = $1 GROUP BY 1 HAVING ${sql === 'assignee_id' ? sql : '1'} IS NOT NULL
         ORDER BY count(*) DESC, 1`,
        [owner.orgId],
      );
      const known = rows.map(({ value }) => value);
      values[name] = [known[0]!, known[known.length >> 1]!, known.at(-1)!];
    }
  });
});

type Listed = { fields: Record<string, string[]>; severity: number; package: string | null };

/** Returns the findings of the list under these filters, with the values that figures count by. */
async function list(query: Record<string, string>): Promise<Listed[]> {
  const several = new Set(['severity', 'source', 'status', 'context', 'path', ...Object.keys(columns)]);
  const given = Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, several.has(name) ? value.split(',') : value]),
  );
  const reads = autocommit(app.database, owner.orgId);
  const filters = await readFilters(reads, { orgId: owner.orgId, userId: owner.userId } as never, given);
  const found = await listFindings(app.database, owner.orgId, {
    ...{ filters, sort: '-first_seen_at', after: null, limit: 100_000 },
    text: () => `json_build_object('severity', f.severity, 'package', f.package_name, 'fields',
      json_build_object('status', ARRAY[f.status], 'source', ARRAY[f.source], 'data_source', ARRAY[f.data_source_id],
        'rule', ARRAY[f.rule_id], 'assignee', ARRAY[COALESCE(f.assignee_id, 'none')], 'tag', f.tags,
        'identifier', f.identifiers))::text`,
  });
  return found.map(({ json }) => {
    const row = JSON.parse(json) as Listed;
    return { ...row, fields: { ...row.fields, severity: [severities[severities.length - 1 - row.severity]!] } };
  });
}

function countBy(rows: Listed[], field: string): Counts {
  const counts: Counts = new Map();
  const valuesOf = ({ fields, package: name }: Listed) =>
    field === 'package' ? (name === null ? [] : [name]) : fields[field]!;
  for (const value of rows.flatMap(valuesOf)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

const largestFirst = (counts: Counts) =>
  [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([value, count]) => ({ value, count }));

const get = async (path: string, query: Record<string, string>) =>
  succeeded(await app.call(owner.token, 'GET', `/findings/${path}&${new URLSearchParams(query)}`));

async function groups(by: string, query: Record<string, string>) {
  const all: Array<{ value: string; count: number }> = [];
  for (let cursor = ''; ; ) {
    const page = await get(`groups?by=${by}&limit=200${cursor}`, query);
    all.push(...page.data);
    if (page.next_cursor === null) return all;
    cursor = `&next_cursor=${page.next_cursor}`;
  }
}

const without = (query: Record<string, string>, field: string) =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name !== field));

const counted = ['severity', 'status', 'source', 'data_source', 'rule', 'tag', 'assignee', 'identifier'] as const;

/** `$0` is the most common value, `$1` a medium one, `$2` the rarest. */
const questions: Array<Record<string, string>> = [
  {},
  { status: 'new' },
  { severity: 'high,medium', source: '-secrets' },
  { status: 'new,triaged', rule: '$0' },
  { rule: '-$0' },
  { tag: '$0' },
  { tag: '-$0', severity: '-info' },
  { assignee: 'none' },
  { assignee: '$1', status: '-resolved' },
  { data_source: '$0' },
  { identifier: '$0', source: 'code' },
  { identifier: '$2' },
  { q: 'input' },
  { q: 'orders', status: 'new' },
  { path: 'services/orders' },
  { context: '-test' },
  { updated_from: '2020-01-01T00:00:00Z', source: 'code' },
];

for (const question of questions) {
  const title = Object.entries(question).map(([name, value]) => `${name}=${value}`);
  test(`the list, facets and groups agree among 20,000 findings: ${title.join('&') || 'all'}`, async () => {
    const query = Object.fromEntries(
      Object.entries(question).map(([name, value]) => [
        name,
        value.replace(/\$(\d)/, (_, index) => values[name]![Number(index)]!),
      ]),
    );
    const rows = await list(query);
    const facets = await get(`facets?field=${facetFields}`, query);
    assert.equal(facets.total, rows.length);
    for (const field of counted) {
      const under = query[field] === undefined ? rows : await list(without(query, field));
      const { values: shown } = facets.facets.find((facet: { field: string }) => facet.field === field);
      const some = shown.filter(({ count }: { count: number }) => count > 0);
      const expected = largestFirst(countBy(under, field));
      assert.deepEqual(
        new Map(some.map((v: { value: string; count: number }) => [v.value, v.count])),
        new Map(expected.slice(0, 50).map(({ value, count }) => [value, count])),
        field,
      );
    }
    for (const by of ['rule', 'data_source', 'package']) {
      const found = await groups(by, query);
      assert.deepEqual(
        found.map(({ value, count }) => ({ value, count })),
        largestFirst(countBy(rows, by)),
        by,
      );
    }
  });
}
