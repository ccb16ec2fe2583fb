import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { installedPackage } from '../../../scripts/clients/packed-python.mjs';
import { Setting } from '../recipes.fixture.mjs';

const script = fileURLToPath(new URL('./nightly_csv.py', import.meta.url));

describe('the recipe that saves a CSV each night', () => {
  const setting = new Setting();
  const save = (environment) =>
    setting.complete(installedPackage().python, [script, join(setting.folder, 'csv'), '--keep', '2'], environment);
  const saved = async () => (await readdir(join(setting.folder, 'csv'))).sort();

  /** Reads the rows of a CSV file with Python's own reader. */
  async function rows(file) {
    const program = 'import csv, json, sys; print(json.dumps(list(csv.DictReader(open(sys.argv[1], newline="")))))';
    const { output } = await setting.complete(installedPackage().python, [
      '-c',
      program,
      join(setting.folder, 'csv', file),
    ]);
    return JSON.parse(output);
  }

  before(async () => {
    await setting.start();
    await setting.import('payments', [
      { rule: 'injection', text: 'Built from input, "quoted"', path: 'src/app.js' },
      { rule: 'weak-hash', text: '=MD5 of a password', path: 'src/hash.js', level: 'warning' },
      { rule: 'debug', text: 'A message', path: 'src/debug.js', level: 'note' },
    ]);
    const [closed] = await setting.findings('&rule=debug');
    await setting.ask('PATCH', `/findings/${closed.id}`, { status: 'false_positive' });
  });
  after(() => setting.remove());

  test('an unavailable server leaves no file', async () => {
    const { code, errors } = await save({ ASSAY_BASE_URL: 'http://127.0.0.1:1/api/v1' });
    assert.notEqual(code, 0);
    assert.match(errors, /APIConnectionError/);
    assert.deepEqual(await saved(), []);
  });

  test('it saves the open findings of today, and leaves no report behind', async () => {
    const { code, output, errors } = await save();
    assert.equal(code, 0, errors);
    const [file, ...others] = await saved();
    assert.deepEqual(others, []);
    assert.match(file, /^findings-\d{4}-\d\d-\d\d\.csv$/);
    assert.match(output, /^Saved 2 findings to /);
    const open = await setting.findings('&status=new');
    const byId = (a, b) => (a.id < b.id ? -1 : 1);
    const found = (await rows(file)).map(({ id, severity, status }) => ({ id, severity, status }));
    const expected = open.map(({ id, severity, status }) => ({ id, severity, status }));
    assert.deepEqual(found.sort(byId), expected.sort(byId));
    assert.deepEqual((await setting.ask('GET', '/reports')).data, []);
  });

  test('a second run on the same day changes nothing', async () => {
    const [file] = await saved();
    const before = await readFile(join(setting.folder, 'csv', file), 'utf8');
    const { code, errors } = await save();
    assert.deepEqual([code, /is there already/.test(errors)], [1, true]);
    assert.equal(await readFile(join(setting.folder, 'csv', file), 'utf8'), before);
  });

  test('it keeps the newest files', async () => {
    const [today] = await saved();
    for (const day of ['2026-01-01', '2026-01-02', '2026-01-03'])
      await writeFile(join(setting.folder, 'csv', `findings-${day}.csv`), '');
    await setting.complete('rm', [join('csv', today)]);
    assert.equal((await save()).code, 0);
    assert.deepEqual(await saved(), ['findings-2026-01-03.csv', today]);
  });
});
