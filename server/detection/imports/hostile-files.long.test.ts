import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { commandOf, processTree } from '../../../tests/harness/processes.ts';
import { insertTenant } from '../../findings/findings.fixture.ts';
import { ApiError } from '../../platform/errors.ts';
import { createHelperProcess } from '../../platform/helper-process.ts';
import { silentLog } from '../../platform/log.ts';
import { databaseOutlet } from '../../platform/postgres/database-outlet.ts';
import { hashRootOf } from '../../platform/sealed.ts';
import type { ImportProcessOrder } from '../../processes/import-process.ts';
import { createRemoteReader } from './call-reader.ts';

const maxCpuSeconds = 10;
/**
 * The maximum memory of the whole process, which takes about 130 MB before it has read anything. A comment of 4 MiB
 * takes most: 350 MB.
 */
const maxMemoryMb = 400;

const testDatabase = await createTestDatabase();
const order: ImportProcessOrder = {
  databaseUrl: testDatabase.appUrl,
  hashRoot: hashRootOf('k'.repeat(40)).toString('base64'),
  tracing: null,
  logLevel: 'silent',
};
const outlets = [databaseOutlet(testDatabase.appUrl).outlet];
const startImporter = () =>
  createHelperProcess({
    name: 'The importer',
    module: join(import.meta.dirname, '../../processes/import-process.ts'),
    order,
    idleMs: 600_000,
    log: silentLog,
    outlets,
  });
after(() => testDatabase.drop());

const times = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length));
const sarif = (results: string, tool = '"name":"T"') =>
  `{"version":"2.1.0","runs":[{"tool":{"driver":{${tool}}},"results":[${results}]}]}`;
const list = (count: number, item: (n: number) => string) => Array.from({ length: count }, (_, n) => item(n)).join();

/** Each file is as small as possible to do its damage if there were no limit. */
const hostileFiles: Record<string, () => string | Buffer> = {
  'a compressed file that grows a thousandfold': () => gzipSync(Buffer.alloc(300_000_000, ' ')),
  'compressed twice': () => gzipSync(gzipSync(Buffer.alloc(30_000_000, '['))),
  'lists nested a million deep': () => times('[', 1_000_000),
  'results nested a million deep': () => sarif(times('{"a":', 5_000_000)),
  'an object of a million names': () => sarif(`{"ruleId":"r",${list(300_000, (n) => `"${n}":0`)}}`),
  'a result of half a million lists': () => sarif(`{"a":[${list(500_100, () => '[]')}]}`),
  'runs of 50,000 tools': () =>
    `{"version":"2.1.0","runs":[${list(50_000, (n) => `{"tool":{"driver":{"name":"T${n}"}},"results":[]}`)}]}`,
  'rules of 100,000 ids': () =>
    sarif('', `"name":"T","rules":[${list(100_000, (n) => `{"id":"r${n}","help":{"text":"${'h'.repeat(200)}"}}`)}]`),
  'a result with 100,000 places': () =>
    sarif(
      `{"ruleId":"r","message":{"text":"m"},"locations":[${list(50_000, (n) => `{"physicalLocation":{"artifactLocation":{"uri":"f${n}"}}}`)}]}`,
    ),
  'the same result 100,000 times': () => sarif(list(100_000, () => '{"ruleId":"r","message":{"text":"m"}}')),
  'numbers without end': () => sarif(`{"ruleId":"r","rank":${times('9', 5_000_000)}}`),
  'a name without end': () => `{"${times('k', 30_000_000)}`,
  'a text without end': () => `{"version":"2.1.0","runs":[{"results":[{"ruleId":"${times('é', 15_000_000)}`,
  'escapes without end': () => `{"version":"2.1.0","runs":[{"results":[{"ruleId":"${times('\\u0000', 20_000_000)}`,
  'half of a character': () => Buffer.concat([Buffer.from(sarif('').slice(0, -4)), Buffer.alloc(1_000_000, 0xf0)]),
  'zero bytes': () => Buffer.alloc(20_000_000),
  'UTF-16 that is cut in a character': () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(999_999, 0xd8)]),
  'entities that multiply': () =>
    `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${times('&a;', 30_000)}">]><nmaprun>${times('&b;', 30_000)}</nmaprun>`,
  'an entity that reads a file': () =>
    '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><nmaprun><host><address addr="&a;"/></host></nmaprun>',
  'elements nested a million deep': () => `<nmaprun>${times('<host>', 5_000_000)}`,
  'an element of a million attributes': () =>
    `<nmaprun><host ${Array.from({ length: 200_000 }, (_, n) => `a${n}=""`).join(' ')}/></nmaprun>`,
  'a comment without end': () => `<nmaprun><!--${times('-x', 20_000_000)}`,
  'a row of a million columns': () => `"id","fqdn/ip","port","severity","finding"\n${times('"",', 6_000_000)}`,
  'a quoted cell without end': () => `"id","fqdn/ip","port","severity","finding"\n"${times('x\n', 20_000_000)}`,
  'a bill of 50,000 components in one another': () =>
    `{"bomFormat":"CycloneDX","specVersion":"1.5","components":[${times('{"name":"a","components":[', 1_000_000)}`,
};

const importerPid = () => {
  const found = processTree(process.pid).filter((pid) => /^\S*node\b.*import-process\.ts/.test(commandOf(pid)));
  assert.equal(found.length, 1, 'one importer is running');
  return found[0]!;
};
/** Returns the processor time of the importer so far, in seconds, from its clock ticks (100 a second). */
const cpuSeconds = (pid: number) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
const peakMb = (pid: number) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024;

test('no hostile file stops the importer, occupies it for long or fills its memory', {
  timeout: 600_000,
}, async (t) => {
  const { orgId } = await insertTenant(testDatabase.database);
  for (const [name, make] of Object.entries(hostileFiles)) {
    await t.test(name, async (t) => {
      const importer = startImporter();
      t.after(() => importer.close());
      const send = (content: string | Buffer) => {
        const bytes = Buffer.from(content);
        function* slices() {
          for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
        }
        const body = Readable.from(slices(), { objectMode: false });
        return createRemoteReader(importer).receive({ orgId, format: undefined }, body);
      };
      await send(sarif(''));
      const pid = importerPid();
      const before = cpuSeconds(pid);
      const outcome = await send(make()).then(
        () => null,
        (error: unknown) => error,
      );
      if (outcome !== null) assert.ok(outcome instanceof ApiError && outcome.status < 500, String(outcome));
      assert.equal(importerPid(), pid);
      assert.ok(cpuSeconds(pid) - before < maxCpuSeconds, `${cpuSeconds(pid) - before} s`);
      assert.ok(peakMb(pid) < maxMemoryMb, `${Math.round(peakMb(pid))} MB`);
      assert.equal((await send(sarif('{"ruleId":"r","message":{"text":"m"}}'))).batches, 1, 'it reads on');
    });
  }
});
