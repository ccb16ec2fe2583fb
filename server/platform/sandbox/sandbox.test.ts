import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { runProgram } from '@assay/scanner/platform/child-process.ts';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { runGit } from '@assay/scanner/platform/git.ts';
import { sandboxStatus, setSandboxSettings, useEnclosure } from '@assay/scanner/platform/sandbox/sandbox.ts';
import { startEgressProxy } from '../egress/egress-proxy.ts';
import { createHelperProcess, type HelperProcess } from '../helper-process.ts';
import { type Log, silentLog } from '../log.ts';
import { nodeFiles, nodePermissions } from './node-process.ts';
import { openSandbox, warnOfRoot } from './open-sandbox.ts';
import { type Probe, shellProbe } from './probe.fixture.ts';

const root = mkdtempSync(join(tmpdir(), 'sandbox-'));
const home = join(root, 'home');
const server = createServer((socket) => socket.on('error', () => {}).end('hello')).listen(0, '127.0.0.1');
let probe: Probe;

before(async () => {
  for (const name of ['home', 'other-data', 'given', 'written']) mkdirSync(join(root, name));
  for (const name of ['canary', 'other-data/secret.key', 'given/file']) writeFileSync(join(root, name), name);
  process.env.ASSAY_TEST_CANARY = 'a secret of our own environment';
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  probe = { canary: join(root, 'canary'), otherData: join(root, 'other-data'), written: join(root, 'written'), port };
});
after(() => {
  setSandboxSettings({ mode: 'auto', hides: [], reads: [] });
  server.close();
  rmSync(root, { recursive: true, force: true });
});

const program = { directory: home, home, timeoutMs: 60_000 };
const linesOf = (output: Buffer) => output.toString().split('\n').filter(Boolean);

/** Runs a shell script as an operator's tool, in its own folder and with the files that it may use. */
const runShell = async (script: string, confinement: Parameters<typeof runProgram>[0]['confinement']) =>
  linesOf((await runProgram({ ...program, command: '/bin/sh', arguments: ['-c', script], confinement })).stdout);

const askProbe = (helper: HelperProcess) =>
  helper.use(
    (connection) =>
      new Promise<unknown>((resolve, reject) => {
        const asked = request({ createConnection: () => connection }, (response) => resolve(json(response)));
        asked.on('error', reject).end();
      }),
  );

for (const kind of ['bubblewrap', 'user_namespace'] as const) {
  const isThere = process.platform === 'linux' && useEnclosure(kind).enclosure !== null;
  const skip = isThere ? false : `this machine does not allow it: ${useEnclosure(kind).reason}`;

  describe(`in a sandbox (${kind})`, { skip }, () => {
    before(() => void useEnclosure(kind));

    test('a tool reads no other file, data directory or environment, and has no network access', async () => {
      assert.deepEqual(await runShell(shellProbe(probe), { network: 'none' }), []);
      // Unconfined, the same probe succeeds, so the test can fail.
      const reached = await runShell(shellProbe({ ...probe, written: home }), null);
      for (const attempt of ['read the canary', 'read another data directory', 'reach the network']) {
        assert.ok(reached.includes(attempt), attempt);
      }
    });

    test('a tool reads the files that it may use, writes where it may, and nothing else', async () => {
      const given = { reads: [join(root, 'given')], writes: [probe.written], network: 'none' as const };
      const script = `cat ${root}/given/file; echo; touch ${root}/given/x ${root}/x 2>/dev/null || echo refused; touch ${probe.written}/y own && echo written`;
      assert.deepEqual(await runShell(script, given), ['given/file', 'refused', 'written']);
    });

    test('git, even when a repository makes it run a program, reaches nothing', async () => {
      const configuration: Array<[string, string]> = [['alias.probe', `!${shellProbe(probe)}`]];
      const { stdout } = await runGit(['probe'], { gitDirectory: null, home, timeoutMs: 60_000, configuration });
      assert.deepEqual(linesOf(stdout), []);
    });

    test('a tool that needs the network reaches the egress proxy and nothing else', async () => {
      await using proxy = await startEgressProxy({ policy: createNetworkPolicy({ allowed: ['127.0.0.1'] }) });
      const { port, username, password } = new URL(proxy.url);
      const credential = Buffer.from(`${username}:${password}`).toString('base64');
      const target = `127.0.0.1:${probe.port}`;
      const script = `exec 3<>/dev/tcp/127.0.0.1/${port}; printf 'CONNECT ${target} HTTP/1.1\\r\\nHost: ${target}\\r\\nProxy-Authorization: Basic ${credential}\\r\\n\\r\\n' >&3; cat <&3`;
      const run = (words: string) => runShell(words, { network: { proxyUrl: proxy.url } });
      const answer = await run(`/bin/bash -c "${script.replaceAll('"', '\\"')}"`);
      assert.match(answer[0]!, /^HTTP\/1\.1 200/);
      assert.equal(answer.at(-1), 'hello');
      assert.deepEqual(await run(shellProbe(probe)), []);
    });

    test('the renderer and the code checker, with native packages, have no access to anything else', async () => {
      const script = join(import.meta.dirname, 'probe-process.fixture.ts');
      const { stdout } = await runProgram({
        ...program,
        command: process.execPath,
        arguments: [...nodePermissions({ addons: true }), script, JSON.stringify(probe)],
        confinement: { reads: nodeFiles(), network: 'none' },
      });
      assert.deepEqual(JSON.parse(String(stdout)), []);
    });

    test('the importer has access to its database and nothing else', async () => {
      const module = join(import.meta.dirname, 'probe-helper.fixture.ts');
      const importer = { name: 'The probe', module, order: { probe }, idleMs: 60_000, log: silentLog };
      const helper = createHelperProcess(importer);
      assert.deepEqual(await askProbe(helper), []);
      await helper.close();
      const outlets = [{ host: '127.0.0.1', port: probe.port }];
      const open = createHelperProcess({ ...importer, outlets });
      assert.deepEqual(await askProbe(open), ['reach the network'], 'its outlet');
      await open.close();
    });

    test('the data directory is hidden even in a folder that a program reads', async () => {
      const data = join(root, 'given', 'data');
      mkdirSync(join(data, 'run'), { recursive: true });
      writeFileSync(join(data, 'secret.key'), 'x');
      setSandboxSettings({ mode: 'auto', hides: [data], reads: [] });
      useEnclosure(kind);
      const given = { reads: [join(root, 'given')], writes: [join(data, 'run')], network: 'none' as const };
      assert.deepEqual(await runShell(`ls ${data}; touch ${data}/run/x && echo written`, given), ['run', 'written']);
      setSandboxSettings({ mode: 'auto', hides: [], reads: [] });
      useEnclosure(kind);
    });

    test('a program is ended with every process that it started, however they hide', async () => {
      const script = 'mkfifo started; setsid sh -c "echo started > started; exec sleep 300" & cat started';
      // It would otherwise keep the output open, and the run would never end.
      assert.deepEqual(await runShell(script, { network: 'none' }), ['started']);
    });

    test('the way a program ended is reported as without a sandbox', async () => {
      const ends = (script: string) =>
        runShell(script, { network: 'none' }).then(
          () => null,
          ({ reason, exitCode, signal }) => ({ reason, exitCode, signal }),
        );
      assert.deepEqual(await ends('exit 7'), { reason: 'exit', exitCode: 7, signal: null });
      assert.deepEqual(await ends('kill -KILL $$'), { reason: 'killed', exitCode: null, signal: 'SIGKILL' });
    });
  });
}

test('where nothing can be confined, the reason is reported, and programs run or are refused according to the setting', async () => {
  const runs = () => runShell('echo ran', { network: 'none' });
  setSandboxSettings({ mode: 'off', hides: [], reads: [] });
  assert.equal(sandboxStatus().status, 'off');
  assert.deepEqual(await runs(), ['ran']);
  setSandboxSettings({ mode: 'auto', hides: [], reads: [] });
  useEnclosure('bubblewrap', '/nonexistent');
  assert.deepEqual(sandboxStatus(), { status: 'none', kind: null, reason: 'bwrap is not installed.' });
  assert.deepEqual(await runs(), ['ran']);
  setSandboxSettings({ mode: 'required', hides: [], reads: [] });
  useEnclosure('bubblewrap', '/nonexistent');
  await assert.rejects(runs(), /could not be started/);
});

/** A log that stores its lines. */
function keepingLog() {
  const lines: Array<{ level: string; fields: object; text: string }> = [];
  const keep = (level: string) => (first: object | string, text?: string) =>
    void lines.push(
      typeof first === 'string' ? { level, fields: {}, text: first } : { level, fields: first, text: text! },
    );
  return { lines, log: { ...silentLog, info: keep('info'), warn: keep('warn') } as unknown as Log };
}

test('a start logs how programs are confined: as information when they are, as a warning with the reason when not', () => {
  const { lines, log } = keepingLog();
  openSandbox({ mode: 'off', hides: [], reads: [] }, log, true);
  openSandbox({ mode: 'auto', hides: [], reads: [] }, log, true);
  openSandbox({ mode: 'auto', hides: [], reads: [] }, log, false);
  const [off, found, ...others] = lines;
  assert.deepEqual(others, [], 'it is said once');
  assert.deepEqual([off!.level, off!.fields], ['warn', { sandbox: 'off', by: null }]);
  assert.match(off!.text, /run with all rights of this user.*docs\/operating\.md/);
  const { status, kind } = sandboxStatus();
  assert.deepEqual(
    [found!.level, found!.fields],
    [status === 'active' ? 'info' : 'warn', { sandbox: status, by: kind }],
  );
});

test('a worker that runs as root logs a warning, another does not', () => {
  const { lines, log } = keepingLog();
  warnOfRoot(log, 1000);
  warnOfRoot(log, 0);
  assert.deepEqual(
    lines.map(({ level, text }) => [level, text.slice(0, 24)]),
    [['warn', 'The worker runs as root,']],
  );
});
