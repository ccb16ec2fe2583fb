import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Installation, Run } from './harness/installation.ts';

const program = fileURLToPath(new URL('../server/assay.mjs', import.meta.url));
const execute = promisify(execFile);

describe('an installation that is backed up while it runs, and restored elsewhere', () => {
  const installation = new Installation();
  const backup = () => join(installation.directory, 'backup');
  const assay = (dataDirectory: string, ...args: string[]) =>
    execute(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH, HOME: installation.directory, ASSAY_DATA_DIR: dataDirectory },
    }).catch((error: { stderr: string }) => {
      throw new Error(error.stderr);
    });
  const original = () => join(installation.directory, 'data');
  const elsewhere = () => join(installation.directory, 'elsewhere');

  before(() => installation.start());
  after(() => installation.remove());

  const visible = async () => ({
    findings: (await installation.ask('GET', '/findings?limit=200')).data,
    sources: (await installation.ask('GET', '/data-sources')).data,
    scans: (await installation.ask('GET', '/scans')).data,
  });

  test('it serves the same data to the same token, and its scans continue', async () => {
    const commands = installation.run.output.split('\n').filter((line) => line.startsWith('curl '));
    for (const command of commands) {
      await execute('bash', ['-c', command], { env: { PATH: process.env.PATH, HOME: installation.directory } });
    }
    for (const { id } of (await visible()).scans) await installation.ended(id);
    const before = await visible();
    assert.ok(before.findings.length > 0);
    const { stdout } = await assay(original(), 'backup', backup(), '--json');
    assert.ok(JSON.parse(stdout).rows > 20, stdout);
    assert.equal(JSON.parse(stdout).holdsSecretKey, true);
    assert.equal(statSync(backup()).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(join(backup(), 'files')).sort(), ['sample-repository', 'secret-key.zst']);
    assert.match((await assay(original(), 'restore', backup(), '--check')).stdout, /is whole/);
    const { stdout: drilled } = await assay(original(), 'backup', 'drill', backup());
    const counts = new RegExp(`holds 1 organizations and ${before.findings.length} findings, as its manifest says`);
    assert.match(drilled, counts);
    assert.match((await assay(elsewhere(), 'restore', backup())).stdout, /Restored \d+ rows/);
    await installation.run.stop();
    installation.run = new Run(installation.directory, { ASSAY_DATA_DIR: elsewhere() });
    installation.origin = await installation.run.ready();
    assert.deepEqual(await visible(), before);
    await installation.ask('PATCH', `/findings/${before.findings[0].id}`, { tags: ['restored'] });
  });

  test('a restore over an installation is refused, and changes nothing', async () => {
    await assert.rejects(assay(elsewhere(), 'restore', backup()), /is not empty: it holds postgres/);
    assert.deepEqual((await installation.ask('GET', '/findings?tag=restored')).data.length, 1);
  });

  test('a backup where there is no installation says so, and writes nothing', async () => {
    const nowhere = join(installation.directory, 'nowhere');
    await assert.rejects(assay(nowhere, 'backup', join(installation.directory, 'other')), /no installation/);
    assert.ok(!existsSync(nowhere));
  });
});
