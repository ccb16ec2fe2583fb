import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { givenCluster } from './harness/cluster.ts';
import { StockPostgres } from './harness/stock-postgres.ts';

const root = join(import.meta.dirname, '..');

/** The tests of the API's guarantees, which otherwise run on the embedded PostgreSQL. */
const contract = [
  'tests/contract*.test.ts',
  'tests/tenants.test.ts',
  'tests/etags.test.ts',
  'server/platform/http/idempotency.test.ts',
];

let server: StockPostgres;
before(async () => {
  server = new StockPostgres();
  // Nothing has to survive the test.
  await server.start({ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' });
});
after(() => server.remove());

/** Runs test files one after the other, and returns their summary. */
async function runTests(files: string[], environment: Record<string, string>) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--test', '--test-concurrency=2', '--test-reporter=tap', ...files], {
    cwd: root,
    env: { ...env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = await text(child.stdout);
  const figure = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(output)?.[1]);
  return { passed: figure('pass'), failed: output.match(/^ *not ok .*/gm) ?? [] };
}

test('the contract tests pass on Debian’s PostgreSQL as well', async () => {
  const { rows } = await server.admin.query('SHOW server_version_num');
  const files = contract
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((file) => !file.endsWith('.long.test.ts'));
  assert.ok(files.length >= contract.length, files.join());
  const { passed, failed } = await runTests(files, { [givenCluster]: server.url('postgres') });
  assert.deepEqual(failed, [], `on PostgreSQL ${rows[0].server_version_num}`);
  assert.ok(passed > 500, `${passed} tests ran`);
  const { rows: used } = await server.admin.query(`SELECT FROM pg_database WHERE datname ~ '^template_'`);
  assert.equal(used.length, 1, 'the tests made their databases elsewhere');
});
