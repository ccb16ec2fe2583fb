import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { commandOf, isAlive, processTree } from '../../../tests/harness/processes.ts';
import { within } from '../../../tests/harness/within.ts';
import { insertTenant } from '../../findings/findings.fixture.ts';
import { ApiError } from '../../platform/errors.ts';
import { createHelperProcess } from '../../platform/helper-process.ts';
import { silentLog } from '../../platform/log.ts';
import { databaseOutlet } from '../../platform/postgres/database-outlet.ts';
import { createKeyring, hashRootOf } from '../../platform/sealed.ts';
import type { ImportProcessOrder } from '../../processes/import-process.ts';
import { createRemoteReader } from './call-reader.ts';
import { createImportReader } from './import-reader.ts';
import { defaultReadingLimits } from './reading-slots.ts';

const secretKey = 'k'.repeat(40);
const testDatabase = await createTestDatabase();
const { database } = testDatabase;
const module = join(import.meta.dirname, '../../processes/import-process.ts');
const order: ImportProcessOrder = {
  databaseUrl: testDatabase.appUrl,
  hashRoot: hashRootOf(secretKey).toString('base64'),
  tracing: null,
  logLevel: 'silent',
};
const outlets = [databaseOutlet(testDatabase.appUrl).outlet];
const helper = createHelperProcess({ name: 'The importer', module, order, idleMs: 60_000, log: silentLog, outlets });
const remote = createRemoteReader(helper);
const local = createImportReader(database, createKeyring(secretKey));
let orgId: string;
let dataSourceId: string;
beforeEach(async () => {
  ({ orgId, dataSourceId } = await insertTenant(database));
});
after(async () => {
  await helper.close();
  await testDatabase.drop();
});

/** A Gitleaks file, whose findings are identified by the keyed hash of their secrets. */
const leaks = (count: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, n) => ({
      ...{ RuleID: 'generic-api-key', Description: 'A key', File: `src/${n}.ts`, StartLine: 1, EndLine: 1 },
      ...{ Match: `key = "${n}-secret"`, Secret: `${n}-secret`, Commit: '', Fingerprint: `src/${n}.ts:key:1` },
    })),
  );

/** A SARIF file. The first 10,000 results are staged while the rest arrives. */
const lints = (count: number) => {
  const results = Array.from({ length: count }, (_, n) => ({
    ...{ ruleId: 'r', message: { text: 'Problem' } },
    locations: [{ physicalLocation: { artifactLocation: { uri: `src/${n}.ts` } } }],
  }));
  return JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'Example Lint' } }, results }] });
};

function* slices(text: string) {
  for (let at = 0; at < text.length; at += 65_536) yield Buffer.from(text.slice(at, at + 65_536));
}
const pieces = (text: string) => Readable.from(slices(text), { objectMode: false });

const stagedBatches = async () => {
  const rows = await database.single<{ fingerprints: string[] }>(orgId, {
    text: 'SELECT fingerprint AS fingerprints FROM import_batches WHERE org_id = $1 ORDER BY sequence',
    values: [orgId],
  });
  return rows.map(({ fingerprints }) => fingerprints);
};

/** Without the additional processes of the sandbox. */
const importers = () => processTree(process.pid).filter((pid) => /^\S*node\b.*import-process\.ts/.test(commandOf(pid)));

test('the importer stages the same batches as this process', async () => {
  const received = await remote.receive({ orgId, format: undefined }, pieces(leaks(300)));
  const staged = await stagedBatches();
  const { scanId, ...rest } = await local.receive({ orgId, format: undefined }, pieces(leaks(300)));
  assert.deepEqual({ ...received, scanId }, { scanId, ...rest });
  const both = await stagedBatches();
  assert.deepEqual(both.flat().sort(), [...staged.flat(), ...staged.flat()].sort());
});

test('a preview is the same as in this process', async () => {
  const request = { orgId, dataSourceId, format: 'gitleaks', closeMissing: true };
  const preview = await remote.preview(request, pieces(leaks(20)));
  assert.equal(preview.findings.new, 20);
  assert.deepEqual(preview, await local.preview(request, pieces(leaks(20))));
});

const failure = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => assert.fail('it was accepted'),
    (error: unknown) => error,
  );

test('a refusal is passed on with its code, text and position, even when most of the file was not read', async () => {
  for (const text of [`[{"RuleID": 1,]${' '.repeat(2_500_000)}`, 'x'.repeat(2_500_000)]) {
    const expected = await failure(local.receive({ orgId, format: undefined }, pieces(text)));
    assert.ok(expected instanceof ApiError);
    const error = await failure(remote.receive({ orgId, format: undefined }, pieces(text)));
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.code, error.message, error.details], [expected.code, expected.message, expected.details]);
  }
  assert.deepEqual(await stagedBatches(), []);
});

test('a database error keeps its code', async () => {
  await database.single(null, { text: 'SELECT 1' });
  const error = await failure(
    remote.preview({ orgId, dataSourceId: '\0', format: undefined, closeMissing: false }, pieces(leaks(1))),
  );
  assert.match(String((error as { code?: string }).code), /^\d{2}/);
});

/** A body that stalls before its end until it is destroyed. */
function mostOf(text: string) {
  const body = new Readable({ read() {} });
  body.push(text.slice(0, text.length * 0.9));
  return body;
}

test('a body that fails fails the import with its own error, and staged batches are removed', async () => {
  const body = mostOf(lints(13_000));
  const receiving = failure(remote.receive({ orgId, format: undefined }, body));
  await within(20_000, async () => (await stagedBatches()).length > 0);
  body.destroy(new ApiError('request_timeout', 'Too slow.'));
  assert.equal(((await receiving) as ApiError).code, 'request_timeout');
  await within(20_000, async () => (await stagedBatches()).length === 0);
});

test('an import whose process is killed asks the client to send it again, and the next one has a new process', async () => {
  const body = mostOf(lints(13_000));
  const receiving = failure(remote.receive({ orgId, format: undefined }, body));
  await within(20_000, async () => (await stagedBatches()).length > 0);
  const [pid, ...others] = importers();
  assert.deepEqual(others, []);
  process.kill(pid!, 'SIGKILL');
  const error = (await receiving) as ApiError;
  assert.deepEqual([error.code, error.headers['Retry-After']], ['unavailable', '1']);
  await within(20_000, () => !isAlive(pid!));
  assert.equal((await remote.receive({ orgId, format: undefined }, pieces(leaks(1)))).batches, 1);
});

/** A SARIF file with one result of 20 texts of 1 MiB, which a reader would keep until its end. */
const largeResult = `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Example Lint"}},"results":[{"a":[${`"${'x'.repeat(
  1_048_576,
)}",`.repeat(20)}1]}]}]}`;

/** A SARIF file whose first result has a text of 20 MiB. */
const longText = `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Example Lint"}},"results":[{"ruleId":"r","message":{"text":"${'x'.repeat(
  20 * 1_048_576,
)}"}}]}]}`;

test('80 open uploads take only the memory of those being read, each of them a bounded amount', async (t) => {
  const peakMb = (pid: number) =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024;
  const many = createHelperProcess({
    name: 'The importer',
    module,
    order,
    idleMs: 60_000,
    log: silentLog,
    outlets,
  });
  const bodies = Array.from({ length: 80 }, () => mostOf(longText).on('error', () => {}));
  t.after(async () => {
    for (const body of bodies) body.destroy(new ApiError('request_timeout', 'Too slow.'));
    await many.close();
  });
  const reader = createRemoteReader(many);
  const before = importers();
  await reader.receive({ orgId, format: undefined }, pieces(leaks(1)));
  const [pid] = importers().filter((one) => !before.includes(one));
  const alone = peakMb(pid!);
  const refused = reader.receive({ orgId, format: undefined }, pieces(largeResult));
  assert.match(((await failure(refused)) as ApiError).message, /larger than 4 MiB/);
  const organizations: string[] = [];
  for (let n = 0; n < 10; n += 1) organizations.push((await insertTenant(database)).orgId);
  const receiving = bodies.map((body, n) =>
    failure(reader.receive({ orgId: organizations[n % 10]!, format: undefined }, body)),
  );
  const read = () => bodies.filter((body) => body.readableLength === 0).length;
  await within(60_000, () => read() >= defaultReadingLimits.perNode);
  assert.equal(read(), defaultReadingLimits.perNode, 'the others wait unread');
  // The importer has received everything once it is idle.
  let ticks = '';
  await within(60_000, async () => {
    const before = ticks;
    await delay(300);
    ticks = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15).join(' ');
    return ticks === before;
  });
  const grown = peakMb(pid!) - alone;
  assert.ok(grown < 120, `it grew by ${Math.round(grown)} MB`);
  for (const body of bodies) body.destroy(new ApiError('request_timeout', 'Too slow.'));
  await Promise.all(receiving);
});

test('the process exits when it was not used for a while, and starts again', async () => {
  const short = createHelperProcess({ name: 'The importer', module, order, idleMs: 50, log: silentLog, outlets });
  const before = importers();
  const added = () => importers().filter((pid) => !before.includes(pid));
  const reader = createRemoteReader(short);
  for (let round = 0; round < 2; round += 1) {
    await reader.receive({ orgId, format: undefined }, pieces(leaks(1)));
    await within(20_000, async () => added().length === 0);
  }
  await short.close();
});

test('a process that cannot start fails its imports with 503, and does not stop the caller', async () => {
  const broken = createHelperProcess({
    name: 'The importer',
    module: `${module}.missing`,
    order,
    idleMs: 50,
    log: silentLog,
  });
  const error = (await failure(
    createRemoteReader(broken).receive({ orgId, format: undefined }, pieces('[]')),
  )) as ApiError;
  assert.equal(error.code, 'unavailable');
  await broken.close();
});
