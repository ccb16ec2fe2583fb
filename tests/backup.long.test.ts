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
    days: (await installation.ask('GET', '/findings/summary')).daily.filter(
      (day: { opened: number; closed: number }) => day.opened + day.closed > 0,
    ),
  });

  test('it serves the same data to the same token, and its scans still work', async () => {
    const commands = installation.run.output.split('\n').filter((line) => line.startsWith('curl '));
    for (const command of commands) {
      await execute('bash', ['-c', command], { env: { PATH: process.env.PATH, HOME: installation.directory } });
    }
    for (const { id } of (await visible()).scans) await installation.ended(id);
    const before = await visible();
    assert.ok(before.findings.length > 0 && before.days.length > 0);
    const { stdout } = await assay(original(), 'backup', backup(), '--json');
    assert.ok(JSON.parse(stdout).rows > 20, stdout);
    assert.equal(JSON.parse(stdout).holdsSecretKey, true);
    assert.equal(statSync(backup()).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(join(backup(), 'files')).sort(), ['sample-repository', 'secret-key.zst']);
    assert.match((await assay(original(), 'restore', backup(), '--check')).stdout, /is intact/);
    const { stdout: drilled } = await assay(original(), 'backup', 'drill', backup());
    const counts = new RegExp(`holds 1 organizations and ${before.findings.length} findings, as its manifest says`);
    assert.match(drilled, counts);
    assert.match((await assay(elsewhere(), 'restore', backup())).stdout, /Restored \d+ rows/);
    // The command runs beside the server, and reports the backup and its drill.
    const running = JSON.parse((await assay(original(), 'doctor', '--json')).stdout);
    assert.notEqual(running.state, 'failed', JSON.stringify(running));
    const check = (name: string) => running.checks.find((found: { name: string }) => found.name === name);
    assert.match(check('backup').summary, /One was test-restored/);
    assert.match(check('room').summary, /are free for/);
    await installation.run.stop();
    assert.match((await assay(original(), 'doctor')).stdout, /ok +database +The database responds\./);
    installation.run = new Run(installation.directory, { ASSAY_DATA_DIR: elsewhere() });
    installation.origin = await installation.run.ready();
    assert.deepEqual(await visible(), before);
    await installation.ask('PATCH', `/findings/${before.findings[0].id}`, { tags: ['restored'] });
  });

  test('a restore over an installation is refused, and changes nothing', async () => {
    await assert.rejects(assay(elsewhere(), 'restore', backup()), /is not empty: it holds postgres/);
    assert.deepEqual((await installation.ask('GET', '/findings?tag=restored')).data.length, 1);
  });

  test('a check without an installation or a database says so, fails, and creates nothing', async () => {
    const nowhere = join(installation.directory, 'nowhere');
    const run = (more: Record<string, string>) =>
      execute(process.execPath, [program, 'doctor'], {
        env: { PATH: process.env.PATH, HOME: installation.directory, ASSAY_DATA_DIR: nowhere, ...more },
      });
    const failsWith = (pattern: RegExp) => (error: { code: number; stdout: string }) => {
      assert.equal(error.code, 1);
      assert.match(error.stdout, pattern);
      return true;
    };
    await assert.rejects(run({}), failsWith(/FAILED +database +.*no installation in .*nowhere/));
    const away = { DATABASE_URL: 'postgresql://assay@127.0.0.1:9/assay', ASSAY_SECRET_KEY: 'k'.repeat(40) };
    await assert.rejects(run(away), failsWith(/FAILED +database +The database can't be reached: .*ECONNREFUSED/));
    assert.ok(!existsSync(nowhere));
  });

  test('a backup without an installation says so, and writes nothing', async () => {
    const nowhere = join(installation.directory, 'nowhere');
    await assert.rejects(assay(nowhere, 'backup', join(installation.directory, 'other')), /no installation/);
    assert.ok(!existsSync(nowhere));
  });
});
