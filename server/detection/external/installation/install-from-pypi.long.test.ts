import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assay, directory, folderOf, folders, home } from './install-tool.fixture.ts';
import { pinnedTools } from './pinned-tools.ts';

test('a scanner from PyPI is installed, listed, not installed twice, and removed with all its files', () => {
  const { version } = pinnedTools().flawfinder!;
  const first = assay(['install', 'flawfinder', '--json']);
  assert.deepEqual(
    [first.status, first.stdout],
    [0, `{"tools":[{"type":"flawfinder","result":"installed","version":"${version}"}]}\n`],
    first.stderr,
  );
  const { tools } = JSON.parse(assay(['list', '--json'], { PATH: home }).stdout);
  const listed = tools.find(({ type }: { type: string }) => type === 'flawfinder');
  assert.deepEqual(listed, {
    type: 'flawfinder',
    version,
    path: join(directory, 'bin', 'flawfinder'),
    installed: true,
    pinned: version,
    source: 'PyPI flawfinder',
  });
  assert.match(assay(['upgrade']).stdout, /^flawfinder \S+ is installed already\.\n$/);
  // A later failure leaves the installation unchanged, and nothing half installed.
  const python = folderOf('broken-python', { python3: 'case "$2" in venv) exit 1;; esac' });
  const record = join(directory, folders()[0]!, 'tool.json');
  writeFileSync(record, readFileSync(record, 'utf8').replace(`"pinned":"${version}"`, '"pinned":"0.1"'));
  const failed = assay(['upgrade'], { PATH: `${python}:/usr/bin:/bin` });
  assert.equal(failed.status, 1);
  assert.match(failed.stderr, /flawfinder was not installed/);
  assert.equal(folders().length, 1);
  assert.match(spawnSync(join(directory, 'bin', 'flawfinder'), ['--version'], { encoding: 'utf8' }).stdout, /\d/);
  assert.match(assay(['remove', 'flawfinder']).stdout, /^flawfinder removed\.\n$/);
  assert.deepEqual([folders(), readdirSync(join(directory, 'bin'))], [[], []]);
});
