import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { detectionOf } from '../server/findings/findings.fixture.ts';
import { pageStatement } from '../server/findings/listing/list-findings.ts';
import { recordDetections } from '../server/findings/record-detections.ts';
import { newId } from '../server/platform/id.ts';
import type { Db, Statement } from '../server/platform/postgres/database.ts';
import { type Application, startApplication } from './harness/application.ts';
import { asAdmin } from './harness/database.ts';
import { addDataSource, readAll } from './harness/finding-set.ts';
import { recordScan } from './harness/furnished.ts';
import { createTenant, type Person } from './harness/people.ts';
import { createStockDatabase } from './harness/stock-database.ts';

/** Settings of an operator's server that differ most from those that the service needs. */
const settings = {
  jit: 'on',
  jit_above_cost: '0',
  work_mem: '64kB',
  timezone: 'Asia/Kolkata',
  datestyle: 'German, DMY',
  intervalstyle: 'sql_standard',
  bytea_output: 'escape',
  statement_timeout: '45s',
  default_transaction_isolation: 'serializable',
};

describe("an operator's PostgreSQL with other settings", () => {
  let app: Application;
  let owner: Person;
  let dataSourceId: string;

  before(async () => {
    app = await startApplication(() => createStockDatabase(settings));
    owner = await createTenant(app.database);
    dataSourceId = await addDataSource(app, owner.token, 'one');
  });
  after(() => app.close());

  test('gets the settings that the service relies on', async () => {
    const names = [
      'jit',
      'work_mem',
      'random_page_cost',
      'TimeZone',
      'DateStyle',
      'statement_timeout',
      'transaction_isolation',
    ];
    const text = `SELECT ${names.map((name) => `current_setting('${name}') AS "${name}"`).join(', ')}`;
    const [used] = await app.database.single(null, { text });
    assert.deepEqual(used, {
      jit: 'off',
      work_mem: '8MB',
      random_page_cost: '1.1',
      TimeZone: 'UTC',
      DateStyle: 'ISO, MDY',
      statement_timeout: '30s',
      transaction_isolation: 'read committed',
    });
  });

  test('looks up each text of an import by its key, under row-level security', async () => {
    const { orgId, token } = await createTenant(app.database);
    const dataSourceId = await addDataSource(app, token, 'texts');
    const texts = Array.from({ length: 2_000 }, (_, n) => [orgId, String(n + 1), 'x']);
    await app.database.single(orgId, {
      text: `INSERT INTO finding_texts (org_id, id, rule, members, words)
        SELECT $1, d.id, '{}', d.members, '' FROM json_to_recordset($2::json) AS d(id bigint, members text)`,
      values: [orgId, JSON.stringify(texts.map(([, id, members]) => ({ id, members })))],
    });
    await asAdmin(app.adminUrl, (client) => client.query('ANALYZE finding_texts'));
    const explained: string[] = [];
    const detection = detectionOf('text', { description: 'A text of its own.' });
    await app.database.transaction(orgId, async (tx) => {
      const recorded: Db = {
        ...tx,
        query: async <Row extends object>(statement: Statement) => {
          if (statement.name === 'finding_texts_insert_given') {
            // The plan that the connection uses from the sixth execution on, whatever the organization.
            await tx.query({ text: 'SET LOCAL plan_cache_mode = force_generic_plan' });
            await tx.query({ text: `PREPARE explained AS ${statement.text}` });
            const plan = await tx.query<{ 'QUERY PLAN': string }>({
              text: `EXPLAIN (COSTS OFF) EXECUTE explained ('${orgId}', '{1,2}', '{1,2}', '{a,b}', '{a,b}')`,
            });
            explained.push(...plan.rows.map((line) => line['QUERY PLAN'].trim()));
          }
          return tx.query<Row>(statement);
        },
      };
      const sighting = { dataSourceId, source: 'code', scanId: newId('scan'), startedAt: new Date() };
      await recordDetections(recorded, orgId, sighting, [detection]);
    });
    assert.match(explained.join('\n'), /Index Cond: \(\(org_id = .*\) AND \(id = /);
  });

  test('merges scans and lists findings in every order, page after page, without compiling statements', async () => {
    const detections = Array.from({ length: 60 }, (_, n) => detectionOf(`finding ${n}`));
    await recordScan(app.database, owner.orgId, dataSourceId, detections);
    await recordScan(app.database, owner.orgId, dataSourceId, detections.slice(0, 40));
    for (const sort of ['-first_seen_at', 'first_seen_at', '-updated_at', 'updated_at', '-severity']) {
      const found = await readAll(app, owner.token, `sort=${sort}`, 7);
      assert.equal(new Set(found.map(({ id }) => id)).size, 60, sort);
      assert.equal(found.filter(({ status }) => status === 'resolved').length, 20, sort);
    }
    const request = { filters: { status: ['new' as const] }, sort: '-first_seen_at' as const, after: null, limit: 51 };
    const { text, values } = pageStatement(owner.orgId, request);
    const plan = await app.database.single<{ 'QUERY PLAN': string }>(owner.orgId, {
      text: `EXPLAIN (ANALYZE) ${text}`,
      values: values!,
    });
    assert.doesNotMatch(plan.map((line) => line['QUERY PLAN']).join('\n'), /JIT/);
  });
});
