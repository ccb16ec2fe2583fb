import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { TargetError } from '@assay/scanner/contract/target-error.ts';
import { makeCertificate } from '@assay/scanner/detectors/web/site.fixture.ts';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { eventually } from '../../../tests/harness/installation.ts';
import { RepositoryFixture } from '../../../tests/harness/repository.ts';
import { createToolDetector, type ToolDetector } from './create-tool-detector.ts';
import { listTools } from './index.ts';
import { ScannedTool } from './scanned-tool.fixture.ts';
import type { ToolDescription } from './tool-description.ts';

// These tests run the real programs, which scripts/prepare.mjs --test installs; a missing one is an error.

let fixture: RepositoryFixture;
let worker: ScannedTool;
before(() => {
  fixture = new RepositoryFixture();
  worker = new ScannedTool();
});
after(() => {
  assert.deepEqual(worker.leftovers(), []);
  fixture.remove();
  worker.remove();
});

async function installed(type: string, change: Partial<ToolDescription> = {}): Promise<ToolDetector> {
  const { tool } = listTools().find((one) => one.type === type)!;
  const detector = createToolDetector({ ...tool, ...change });
  assert.equal(await detector.unavailableReason({} as never), null, `${type} must be installed`);
  assert.match(
    await eventually(async () => (await detector.unavailableReason({} as never)) ?? detector.version),
    /^\d+\.\d+/,
  );
  return detector;
}

const places = (found: Array<{ rule: { id: string }; location: { path: string | null; start_line: number | null } }>) =>
  found.map(({ rule, location }) => `${rule.id} ${location.path}:${location.start_line}`).sort();

test('Bandit’s findings have their places, survive moves and close when fixed, and a repository’s settings hide none', async () => {
  const bandit = await installed('bandit');
  const code = 'import subprocess\n\ndef run(x):\n    subprocess.call(x, shell=True)\n    return eval(x)\n';
  fixture.commit({
    'deep/app.py': code,
    '.bandit': '[bandit]\nskips: B602,B307\n',
    'deep/.bandit': '[bandit]\nexclude: /\n',
  });
  const first = await worker.scanRepository(bandit, fixture);
  assert.deepEqual([first.coverage, first.warnings], ['complete', []]);
  assert.deepEqual(places(first.found), ['B307 deep/app.py:5', 'B404 deep/app.py:1', 'B602 deep/app.py:4']);
  fixture.commit({ 'deep/app.py': `\n\n${code.replace('    return eval(x)\n', '')}` });
  const second = await worker.scanRepository(bandit, fixture);
  assert.deepEqual(places(second.found), ['B404 deep/app.py:3', 'B602 deep/app.py:6']);
  const known = first.found.map((one) => one.fingerprint);
  assert.equal(
    second.found.every((one) => known.includes(one.fingerprint)),
    true,
  );
  fixture.commit({ 'deep/app.py': 'def broken(:\n' });
  assert.equal(
    (await worker.scanRepository(bandit, fixture)).coverage,
    'partial',
    'what could not be read closes nothing',
  );
});

test('Flawfinder’s findings are read from SARIF, and a repository without C is not a failure', async () => {
  const flawfinder = await installed('flawfinder');
  fixture.commit({ 'native/copy.c': '#include <string.h>\nvoid f(char *v) {\n  char b[4];\n  strcpy(b, v);\n}\n' });
  const { coverage, found } = await worker.scanRepository(flawfinder, fixture);
  assert.equal(coverage, 'complete');
  assert.deepEqual(places(found), ['FF1001 native/copy.c:4', 'FF1013 native/copy.c:3']);
  assert.equal(found.find(({ rule }) => rule.id === 'FF1001')?.identifiers.includes('CWE-120'), true);
  fixture.git('rm', '-q', 'native/copy.c');
  fixture.commit({});
  const without = await worker.scanRepository(flawfinder, fixture);
  assert.deepEqual([without.coverage, without.found.length], ['complete', 0]);
});

test('Nmap finds services that listen on a host, at the checked address', async () => {
  const server = createServer((_request, response) => response.end('x')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  // Only one of a thousand ports, and no scripts, so that the scan takes a second.
  const described = listTools().find((one) => one.type === 'nmap')!.tool.scan.host!;
  const quick = described.flatMap((text) =>
    text.startsWith('--top-ports') ? `-p${port}` : text.startsWith('--script') ? [] : text,
  );
  try {
    const nmap = await installed('nmap', { scan: { host: quick } });
    const { coverage, found } = await worker.scanAddress(nmap, 'host', 'localhost');
    assert.equal(coverage, 'complete');
    assert.deepEqual(
      found.map(({ title }) => title.replace(/ \(.*?\)/, '')),
      [`Open port ${port}/tcp on 127.0.0.1`],
    );
  } finally {
    server.close();
  }
});

test('no tool is started for an address that the network policy refuses', async () => {
  worker.messages = [];
  const strict = Object.assign(new ScannedTool(), { networkPolicy: createNetworkPolicy({ allowed: [] }) });
  try {
    for (const [type, kind, address] of [
      ['nmap', 'host', '127.0.0.1'],
      ['nmap', 'host', '169.254.169.254'],
      ['testssl', 'website', 'https://localhost/'],
    ] as const) {
      const detector = await installed(type);
      await assert.rejects(strict.scanAddress(detector, kind, address), (error) => {
        return error instanceof TargetError && /may not be reached/.test(error.message);
      });
    }
    assert.equal(
      strict.messages.some((message) => message.startsWith('Running')),
      false,
    );
  } finally {
    strict.remove();
  }
});

test('testssl.sh reports the faults of a site’s certificate, and skips sites without TLS', async () => {
  const { key, cert } = makeCertificate({});
  const server = createTlsServer({ key, cert }, (_request, response) => response.end('x')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  // Only this group of checks: all of them take minutes.
  const described = listTools().find((one) => one.type === 'testssl')!.tool.scan.website!;
  try {
    const testssl = await installed('testssl', { scan: { website: ['--server-defaults', ...described] } });
    const { found } = await worker.scanAddress(testssl, 'website', `https://localhost:${port}/`);
    assert.equal(
      found.some(({ rule }) => rule.id === 'cert_chain_of_trust'),
      true,
      found.map(({ rule }) => rule.id).join(),
    );
    const plain = await worker.scanAddress(testssl, 'website', 'http://localhost/');
    assert.deepEqual([plain.coverage, plain.found], ['complete', []]);
  } finally {
    server.close();
  }
});
