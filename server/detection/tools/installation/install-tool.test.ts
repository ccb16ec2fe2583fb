import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { eventually } from '../../../../tests/harness/installation.ts';
import { ProgramError } from '../../../platform/child-process.ts';
import { listTools } from '../index.ts';
import { explainFailure } from './installer-error.ts';
import { pinnedTools, requirementsOf } from './pinned-tools.ts';

const root = resolve(import.meta.dirname, '../../../..');
const home = mkdtempSync(join(tmpdir(), 'installed-tools-'));
after(() => rmSync(home, { recursive: true, force: true }));
const directory = join(home, 'data', 'tools');

const commandOf = (commandLine: string[]) => [join(root, 'server', 'assay.mjs'), 'tools', ...commandLine];
const environmentOf = (more: Record<string, string>) => ({
  ...process.env,
  ASSAY_DATA_DIR: join(home, 'data'),
  ...more,
});

function assay(commandLine: string[], more: Record<string, string> = {}) {
  const env = environmentOf(more);
  const { status, stdout, stderr } = spawnSync(process.execPath, commandOf(commandLine), { encoding: 'utf8', env });
  return { status, stdout, stderr };
}

/** Returns a folder with these programs of the machine and a script for each other name, for a PATH of its own. */
function folderOf(name: string, scripts: Record<string, string>): string {
  const folder = join(home, name);
  mkdirSync(folder);
  for (const [program, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, program), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, program), 0o755);
  }
  return folder;
}

const folders = () =>
  readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'bin')
    .map(({ name }) => name);

test('every scanner that can be installed is described, and its requirements pin all packages with hashes', () => {
  const types = listTools().map(({ type }) => type);
  for (const [type, tool] of Object.entries(pinnedTools())) {
    assert.ok(types.includes(type), type);
    if (!('pypi' in tool)) continue;
    const entries = readFileSync(requirementsOf(type), 'utf8').replaceAll('\\\n', '').trim().split('\n');
    for (const entry of entries) assert.match(entry, /^[a-z0-9._-]+==\S+ .*--hash=sha256:[0-9a-f]{64}/);
    assert.ok(entries.some((entry) => entry.startsWith(`${tool.pypi}==${tool.version} `)));
  }
});

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
  // A failure later leaves it as it is, and nothing half installed.
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

test('an installation that is killed leaves nothing installed, and the next command cleans up', async () => {
  const slow = folderOf('slow-python', { python3: 'case "$2" in venv) echo $$ > "$3/pid"; exec sleep 600;; esac' });
  const child = spawn(process.execPath, commandOf(['install', 'flawfinder']), {
    env: environmentOf({ PATH: `${slow}:/usr/bin:/bin` }),
    stdio: 'ignore',
  });
  const half = await eventually(
    async () => folders().find((name) => existsSync(join(directory, name, 'pid'))) ?? false,
  );
  const refused = assay(['upgrade']);
  assert.deepEqual([refused.status, /Another command is changing/.test(refused.stderr)], [1, true]);
  const exited = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await exited;
  process.kill(Number(readFileSync(join(directory, half, 'pid'), 'utf8')));
  assert.equal(assay(['upgrade']).stdout, 'No scanner is installed.\n');
  assert.deepEqual(folders(), []);
});

test('a missing program, module or network is reported with what to do', () => {
  const none = assay(['install', 'flawfinder', 'gitleaks'], { PATH: home });
  assert.equal(none.status, 1);
  assert.match(
    none.stderr,
    /flawfinder was not installed: it needs Python 3\.10 [^\n]+ python3 was not found in PATH\. On Debian: apt-get install python3 python3-venv/,
  );
  assert.match(none.stderr, /gitleaks was not installed: it needs Go, and go was not found/);
  const old = folderOf('old-python', { python3: 'echo "it has no module ensurepip"' });
  assert.match(
    assay(['install', 'flawfinder'], { PATH: old }).stderr,
    /but it has no module ensurepip\. On Debian: apt-get/,
  );
  const offline = { GOPROXY: 'http://127.0.0.1:9', GOFLAGS: '', GOMODCACHE: join(home, 'modules'), GONOSUMDB: '*' };
  const unreachable = assay(['install', 'gitleaks'], offline);
  assert.equal(unreachable.status, 1);
  assert.match(
    unreachable.stderr,
    /the Go module proxy could not be reached\. Check the network, and Go's own settings/,
  );
  assert.deepEqual(folders(), []);
});

test('wrong names are refused with the names that are right', () => {
  const unknown = assay(['install', 'nothing']);
  assert.deepEqual(
    [unknown.status, /there is no scanner nothing\. It can install bandit, /.test(unknown.stderr)],
    [2, true],
  );
  assert.match(assay(['install', 'nmap']).stderr, /nmap has to be installed in another way: https:/);
  const absent = assay(['remove', 'bandit']);
  assert.deepEqual([absent.status, /has not installed bandit\. Installed are: none\./.test(absent.stderr)], [2, true]);
});

test('an installer’s failure is explained', () => {
  const explain = (said: string) =>
    explainFailure('x', 'PyPI', new ProgramError('exit', 'pip failed.', 1, said)).message;
  assert.match(
    explain('ERROR: THESE PACKAGES DO NOT MATCH THE HASHES'),
    /serves something else than the files that are pinned/,
  );
  assert.match(
    explain('NewConnectionError: Failed to establish a new connection'),
    /PyPI could not be reached\. Check the network, and pip's own settings/,
  );
  assert.match(
    explain('ERROR: No matching distribution found for x==1'),
    /does not have it in the pinned version for this system/,
  );
  assert.match(
    explain('x@v1 requires go >= 1.27.0 (running go 1.26.8; GOTOOLCHAIN=local)'),
    /it needs Go 1\.27\.0, and this is Go 1\.26\.8\.$/,
  );
  assert.match(explain('OSError: [Errno 28] No space left on device'), /the disk is full\.$/);
});
