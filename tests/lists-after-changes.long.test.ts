import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { loadDataset } from '../bench/dataset.ts';
import { insertCounts } from '../bench/dataset-sql.ts';
import { listQuestions, type Question } from '../bench/growth-questions.ts';
import { totalProcessorMs } from '../bench/processor-time.ts';
import { readFilters } from '../server/findings/filters/read.ts';
import type { FindingFilters } from '../server/findings/filters/table.ts';
import { renewStatistics } from '../server/findings/jobs.ts';
import { listFindings } from '../server/findings/listing/list-findings.ts';
import { type Sort, sorts } from '../server/findings/orders.ts';
import { autocommit } from '../server/platform/postgres/database.ts';
import { type Application, startApplication } from './harness/application.ts';
import { cpuTimeMs } from './harness/cpu-time.ts';
import { asAdmin } from './harness/database.ts';
import { succeeded } from './harness/furnished.ts';
import { createTenant, type Person } from './harness/people.ts';

// Statistics are older than the findings: an import and bulk changes of tags and statuses have just ended.

let app: Application;
let owner: Person;
let lists: List[];
after(() => app.close());

/** Processor time of PostgreSQL and this process: a second, and half of one for what runs beside it. Planned for empty tables, most took 8 to 30 s. */
const maxMs = 1_500;

type List = { name: string; filters: FindingFilters; sort: Sort };

/** Findings that one request changes. */
const perRequest = 1_000;

/** Changes the findings whose ids meet the condition, through the API. Returns their number. */
async function changeFindings(client: pg.Client, condition: string, change: object): Promise<number> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM findings WHERE org_id = $1 AND ${condition} ORDER BY id`,
    [owner.orgId],
  );
  for (let at = 0; at < rows.length; at += perRequest) {
    const json = { ids: rows.slice(at, at + perRequest).map(({ id }) => id), ...change };
    succeeded(await app.call(owner.token, 'PATCH', '/findings', { json }));
  }
  return rows.length;
}

before(async () => {
  app = await startApplication();
  owner = await createTenant(app.database);
  const { orgId, userId } = owner;
  await asAdmin(app.adminUrl, async (client) => {
    await client.query('ALTER TABLE finding_tags SET (autovacuum_enabled = off)');
    await client.query('ALTER TABLE findings SET (autovacuum_enabled = off)');
    await loadDataset(client, { orgId, memberCount: 30, dataSourceCount: 240 }, 210_000, 0.95);
    const asked = await listQuestions(client, orgId);
    // The state before the first import: empty, and never analyzed.
    const { rows } = await client.query(`SELECT string_agg(attname, ', ') AS columns FROM pg_attribute
      WHERE attrelid = 'findings'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`);
    await client.query(
      'CREATE UNLOGGED TABLE imported AS SELECT * FROM findings; TRUNCATE findings, finding_tags CASCADE',
    );
    await client.query(`DELETE FROM pg_statistic WHERE starelid IN ('findings'::regclass, 'finding_tags'::regclass)`);
    lists = await readQuestions(asked, userId);
    // The connections plan the lists now, and keep the plans.
    for (const list of lists) await listPage(list);
    await client.query(`UPDATE imported SET tags = '{}';
      INSERT INTO findings (${rows[0].columns}) SELECT ${rows[0].columns} FROM imported; DELETE FROM finding_counts`);
    await client.query(insertCounts);
    const changed = [
      await changeFindings(client, 'hashtext(id) % 3 = 0', { add_tags: ['owasp'] }),
      await changeFindings(client, 'hashtext(id) % 50 = 7', { add_tags: ['audit'] }),
      await changeFindings(client, `status = 'new' AND hashtext(id) % 16 = 5`, { status: 'triaged' }),
    ];
    const total = changed.reduce((sum, count) => sum + count);
    assert.ok(total > 70_000, `${total} findings were changed`);
  });
  await renewStatistics(app);
});

const listPage = ({ filters, sort }: List) =>
  listFindings(app.database, owner.orgId, { filters, sort, after: null, limit: 51 });

async function readQuestions(questions: Question[], userId: string): Promise<List[]> {
  const { orgId } = owner;
  const reads = autocommit(app.database, orgId);
  const several = new Set(['severity', 'source', 'status', 'data_source', 'tag', 'assignee', 'rule']);
  const asked = questions.map(({ name, filters, sort }) => ({ name, filters, sort }));
  const others: Array<Record<string, string>> = [
    { to: '2126-01-01T00:00:00Z', tag: 'owasp' },
    { to: new Date(Date.now() - 864e5 * 30).toISOString().replace(/\.\d+/, ''), tag: 'owasp' },
    { tag: 'audit', data_source: `-${questions.find(({ filters }) => filters.data_source)!.filters.data_source}` },
    { tag: 'owasp', status: 'triaged' },
    { tag: 'owasp', severity: 'critical' },
    { tag: 'audit', assignee: 'none' },
    { tag: 'owasp,audit', source: 'code' },
    { tag: '-owasp', status: 'triaged' },
  ];
  for (const filters of others) for (const sort of sorts) asked.push({ name: JSON.stringify(filters), filters, sort });
  return Promise.all(
    // The pairs of filters of the bench in orders that take turns: all of them would take minutes.
    asked
      .filter((_, index) => index % 9 === 0 || index >= questions.length)
      .map(async ({ name, filters, sort }) => {
        const given = Object.entries(filters).map(([key, value]) => [key, several.has(key) ? value.split(',') : value]);
        const read = await readFilters(reads, { orgId, userId } as never, Object.fromEntries(given));
        return { name: `${name} by ${sort}`, filters: read, sort };
      }),
  );
}

test('no list of two filters in any order takes a second after an import and bulk changes of 78,000 of 200,000 findings', async () => {
  const client = new pg.Client({ connectionString: app.adminUrl });
  await client.connect();
  after(() => client.end());
  const processorTime = async () => {
    const { rows } = await client.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    return totalProcessorMs(rows.map(({ pid }) => pid)) + cpuTimeMs();
  };
  const time = async (list: List) => {
    const began = await processorTime();
    await listPage(list);
    return (await processorTime()) - began;
  };
  const slow: string[] = [];
  for (const list of lists) {
    // Beside other work, the same list takes up to twice the processor time: the least of three counts.
    let ms = await time(list);
    for (let run = 1; run < 3 && ms > maxMs; run++) ms = Math.min(ms, await time(list));
    if (ms > maxMs) slow.push(`${list.name}: ${Math.round(ms)} ms`);
  }
  assert.deepEqual(slow, []);
});
