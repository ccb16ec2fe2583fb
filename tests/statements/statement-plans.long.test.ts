import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { ColumnService } from '../../server/findings/live-columns/column-service.ts';
import { silentLog } from '../../server/platform/log.ts';
import { startApplication } from '../harness/application.ts';
import { asAdmin, createTestDatabase } from '../harness/database.ts';
import { eventually } from '../harness/installation.ts';
import { createStockDatabase, listOwnersStatements } from '../harness/stock-database.ts';
import { exceptions, notRun } from './exceptions.ts';
import { explain, prepareToExplain } from './explain-statements.ts';
import { faultsOf } from './read-plan.ts';
import { createOrganizations, doRealWork } from './real-work.ts';
import { type SentStatement, StatementRecord, titleOf } from './record-statements.ts';

const root = join(import.meta.dirname, '..', '..');

type Fault = { title: string; fault: string };

/** Runs real work on a PostgreSQL, and plans each sent statement like a connection would. */
async function judgeStatements(create: typeof createTestDatabase) {
  const testDatabase = await create();
  const { database, appUrl: databaseUrl } = testDatabase;
  const columns = new ColumnService({ database, databaseUrl, maxBytes: 1_000_000_000, log: silentLog });
  const app = await startApplication(async () => testDatabase, null, { columns });
  const record = new StatementRecord();
  try {
    const [furnished] = await createOrganizations(app);
    await eventually(
      () => columns.ask(furnished.orgId, 'countFacets', {}, [], { limit: 0 }).catch(() => null),
      120_000,
    );
    await doRealWork(app, furnished);
    record.stop();
    const { statements } = record;
    const owners = create === createStockDatabase ? await listOwnersStatements(app) : [];
    const faults = await asAdmin(app.adminUrl, async (client) => {
      const sizes = await prepareToExplain(client);
      const found: Fault[] = [];
      for (const sent of statements) {
        // Others are planned for their values each time.
        for (const mode of sent.name === null ? (['custom'] as const) : (['custom', 'generic'] as const)) {
          const plan = await explain(client, sent, mode);
          for (const fault of plan ? faultsOf(plan, sizes) : []) found.push({ title: titleOf(sent), fault });
        }
      }
      return found;
    });
    return { statements, faults, owners };
  } finally {
    await columns.close();
    record.stop();
    await app.close();
  }
}

const exceptionOf = ({ title, fault }: Fault) =>
  exceptions.find((exception) => exception.statement.test(title) && exception.fault.test(fault));

const allFaults: Fault[] = [];
const servers = { 'Debian’s PostgreSQL': createStockDatabase, 'the embedded PostgreSQL': createTestDatabase };

for (const [server, create] of Object.entries(servers))
  describe(`among 100,000 findings in two organizations on ${server},`, () => {
    let statements: SentStatement[];
    let faults: Fault[];
    let owners: string[];
    before(async () => {
      ({ statements, faults, owners } = await judgeStatements(create));
      allFaults.push(...faults);
    });

    test('every named statement was sent, or there is a reason', () => {
      const sent = new Set(statements.map(({ name }) => name));
      const named = new Set<string>();
      for (const file of globSync('server/**/*.ts', { cwd: root, exclude: ['**/node_modules', '**/*.test.ts'] })) {
        const declared = /\bname: '([a-z][a-z0-9]*_[a-z0-9_]+)',\s*(?:\/\/[^\n]*\s*)*text\b/g;
        for (const match of readFileSync(join(root, file), 'utf8').matchAll(declared)) named.add(match[1]!);
      }
      assert.ok(named.size > 200, `${named.size} names`);
      const missing = [...named].filter((name) => !sent.has(name) && !notRun.has(name));
      assert.deepEqual(missing, []);
      assert.deepEqual(
        [...notRun.keys()].filter((name) => !named.has(name)),
        [],
        'gone',
      );
    });

    test('no statement reads a whole table or organization, or compares a key without its index', () => {
      const wrong = faults.filter((fault) => !exceptionOf(fault)).map(({ title, fault }) => `${title}: ${fault}`);
      assert.deepEqual([...new Set(wrong)], []);
    });

    if (create === createStockDatabase)
      test('nothing ran as the owner of the tables, the login that the service was given', () => {
        const connects = 'SELECT pg_backend_pid() AS pid';
        // Autovacuum evaluates the expressions of indexes as the owner, such as the words of a name.
        const ofIndexes = /^SELECT array_remove\(regexp_split_to_array\(lower\(COALESCE\(name,/;
        const allowed = [/\bpg_stat_activity\b/, /\b(NEW\.org_id|unsealed\.place)\b/, ofIndexes];
        assert.ok(owners.includes(connects), owners.join('\n'));
        assert.deepEqual(
          owners.filter((text) => text !== connects && !allowed.some((pattern) => pattern.test(text))),
          [],
          'The service may only look at sessions, and call functions of the owner, such as the trigger seal_audit_event.',
        );
      });
  });

test('each exception has a reason, and is needed unless it is marked as occasional', () => {
  const used = new Set(allFaults.map(exceptionOf));
  assert.deepEqual(
    exceptions.filter((exception) => !exception.isOccasional && !used.has(exception)),
    [],
  );
  for (const reason of [...exceptions.map((exception) => exception.reason), ...notRun.values()])
    assert.match(reason, /\.$/);
});
