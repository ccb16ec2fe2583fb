import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { installedPackage } from '../../../scripts/clients/packed-typescript.mjs';
import { installTools } from '../../../scripts/clients/tools.mjs';
import { startConformanceServer } from '../../conformance/server.mjs';

const run = promisify(execFile);
const modules = installTools();
const bin = join(modules, '.bin');
/** Deno's binary itself: its wrapper package can't be locked when the registry lacks a platform's build. */
const deno = join(modules, '@deno', 'linux-x64-glibc', 'deno');
const script = fileURLToPath(new URL('./run-conformance.mjs', import.meta.url));
const surface = new URL('../../conformance/surface.json', import.meta.url).href;

const runtimes = {
  'Node.js 20': [join(bin, 'node')],
  ...(process.platform === 'linux' && process.arch === 'x64'
    ? { Deno: [deno, 'run', '--allow-net=127.0.0.1', '--allow-env', '--allow-read', '--no-lock', '--no-config'] }
    : {}),
  Bun: [join(bin, 'bun')],
};

describe('the installed package passes every exchange', () => {
  let server;
  before(async () => {
    server = await startConformanceServer();
  });
  after(() => server.close());

  for (const [name, [command, ...options]] of Object.entries(runtimes)) {
    test(`on ${name}`, async () => {
      const { entry } = await installedPackage();
      const { stdout } = await run(command, [...options, script, pathToFileURL(entry).href, server.url, surface], {
        env: { ...process.env, DENO_NO_UPDATE_CHECK: '1', NODE_OPTIONS: '' },
        maxBuffer: 16 * 1024 * 1024,
      });
      const { cases, failures } = JSON.parse(stdout.trim().split('\n').at(-1));
      assert.equal(cases, server.cases.length);
      assert.deepEqual(failures, []);
    });
  }
});
