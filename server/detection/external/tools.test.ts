import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { TargetError } from '@assay/scanner/contract/target-error.ts';
import { setSandboxSettings } from '@assay/scanner/platform/sandbox/sandbox.ts';
import { eventually } from '../../../tests/harness/installation.ts';
import { RepositoryFixture } from '../../../tests/harness/repository.ts';
import { createToolDetector } from './create-tool-detector.ts';
import { loadTools } from './load-tools.ts';
import { ScannedTool } from './scanned-tool.fixture.ts';
import { setToolSettings } from './tool-settings.ts';

let folder: string;
let fixture: RepositoryFixture;
let worker: ScannedTool;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-tools-'));
  fixture = new RepositoryFixture();
  fixture.commit({ 'src/a.txt': 'TODO first\nTODO second\n', 'b.txt': 'nothing\n', 'settings.yaml': 'x\n' });
  worker = new ScannedTool();
});
afterEach(() => {
  assert.deepEqual(worker.leftovers(), []);
  rmSync(folder, { recursive: true, force: true });
  fixture.remove();
  worker.remove();
});

const standard = {
  type: 'todo-finder',
  name: 'TODO finder',
  description: 'Finds TODO.',
  program: './todo-finder',
  version: { arguments: ['--version'] },
  format: 'sarif',
  network: 'none',
  scan: { git_repository: ['{directory}', '{output}'] },
  exit_codes: { clean: [0], findings: [3] },
};

/**
 * Puts a shell script and its description into the operator's folder (JSON is valid YAML). Returns the loaded tools.
 */
function describe(script: string, more: Record<string, unknown> = {}) {
  const path = join(folder, 'todo-finder');
  writeFileSync(path, `#!/bin/sh\nif [ "$1" = --version ]; then echo 'todo-finder 1.2.3'; exit; fi\n${script}\n`);
  chmodSync(path, 0o755);
  writeFileSync(join(folder, 'todo-finder.yaml'), JSON.stringify({ ...standard, ...more }));
  return loadTools(folder);
}

function detector(script: string, more: Record<string, unknown> = {}) {
  const { tools, errors } = describe(script, more);
  assert.deepEqual(errors, []);
  return tools[0]!;
}

/** Writes SARIF with one result for each line that contains TODO, found by grep. */
const findTodos = `
grep -rn TODO "$1" | awk -F: 'BEGIN { printf "{\\"version\\":\\"2.1.0\\",\\"runs\\":[{\\"tool\\":{\\"driver\\":{\\"name\\":\\"TODO finder\\"}},\\"results\\":[" }
  { printf "%s{\\"ruleId\\":\\"todo\\",\\"message\\":{\\"text\\":\\"%s\\"},\\"locations\\":[{\\"physicalLocation\\":{\\"artifactLocation\\":{\\"uri\\":\\"file://%s\\"},\\"region\\":{\\"startLine\\":%s}}}]}", (NR > 1 ? "," : ""), $3, $1, $2 }
  END { printf "]}]}" }' > "$2"`;

test('a program that writes SARIF becomes a detection source just by a file', async () => {
  const tool = detector(`${findTodos}; exit 3`);
  assert.equal(await tool.unavailableReason({} as never), null);
  assert.equal(await eventually(async () => (await tool.unavailableReason({} as never)) ?? tool.version), '1.2.3');
  assert.deepEqual(tool.dataSourceKinds, ['git_repository']);
  const first = await worker.scanRepository(tool, fixture);
  assert.deepEqual([first.coverage, first.warnings], ['complete', []]);
  assert.deepEqual(first.found.map(({ location }) => `${location.path}:${location.start_line}`).sort(), [
    'src/a.txt:1',
    'src/a.txt:2',
  ]);
  fixture.commit({ 'src/a.txt': 'moved\nTODO first\nTODO second\n' });
  const second = await worker.scanRepository(tool, fixture);
  assert.deepEqual(
    second.found.map((one) => one.fingerprint).sort(),
    first.found.map((one) => one.fingerprint).sort(),
    'a problem has one identity wherever our copy of the files lies',
  );
});

test('a tool that exits unexpectedly, or leaves no complete result, fails and reports nothing', async () => {
  const cases: Array<[string, RegExp, Record<string, unknown>?]> = [
    [`${findTodos}; exit 7`, /^TODO finder failed: it ended with exit code 7\. Nothing was closed\.$/],
    ['exit 0', /left no result/],
    [': > "$2"', /left an empty result/],
    [`${findTodos}; truncate -s -5 "$2"`, /^The result of TODO finder can't be read\..*Nothing was closed/],
    ['echo "all well" > "$2"', /can't be read/],
    ['echo "{}" > "$2"', /can't be read/],
    ['ln -s /etc/passwd "$2"', /left no result/],
    [`${findTodos}; kill -9 $$`, /was killed/],
    ['head -c 3000000 /dev/zero > "$2"', /failed|was killed/, { output_mb: 1 }],
    ['head -c 3000000 /dev/zero', /more than is allowed/, { output_mb: 1 }],
    ['yes', /more than is allowed/, { output_mb: 1, scan: { git_repository: ['{directory}'] } }],
  ];
  for (const [script, expected, more] of cases) {
    const tool = detector(script, more);
    await assert.rejects(
      worker.scanRepository(tool, fixture),
      (error) => error instanceof TargetError && expected.test(error.message),
      script,
    );
    assert.deepEqual(worker.leftovers(), []);
  }
});

test('a tool that was killed, or whose network failed, may succeed later; another failure stays', async () => {
  const cases: Array<[string, boolean, Record<string, unknown>?]> = [
    ['kill -9 $$', true],
    ['kill -TERM $$', true],
    ['kill -ABRT $$', false],
    ['echo "dial tcp 192.0.2.1:443: i/o timeout" >&2; exit 1', true, { network: 'proxy' }],
    ['echo "unexpected status code 503 Service Unavailable" >&2; exit 1', true, { network: 'proxy' }],
    ['echo "GET https://registry.example.com/v2/: 401 Unauthorized" >&2; exit 1', false, { network: 'proxy' }],
    ['echo "connection refused" >&2; exit 1', false],
  ];
  for (const [script, isTransient, more] of cases) {
    const error = await worker.scanRepository(detector(script, more), fixture).then(
      () => null,
      (error: unknown) => error,
    );
    assert.ok(error instanceof TargetError, script);
    assert.deepEqual([script, error.isTransient], [script, isTransient]);
  }
});

test('a tool that hangs is ended with all its processes when its time is up or the scan is cancelled', async () => {
  const described = detector('sleep 300 & sleep 300').tool;
  const impatient = createToolDetector({ ...described, timeout_minutes: 0.005 });
  await assert.rejects(worker.scanRepository(impatient, fixture), /took longer than/);
  worker.messages = [];
  const cancelled = new AbortController();
  const scan = worker.scanRepository(createToolDetector(described), fixture, cancelled.signal);
  while (!worker.messages.includes('Running TODO finder')) await new Promise((resolve) => setTimeout(resolve, 5));
  cancelled.abort(new Error('cancelled'));
  await assert.rejects(scan, /cancelled/);
});

test('a run that the tool reports as incomplete closes nothing', async () => {
  const partial = await worker.scanRepository(
    detector(`${findTodos}; exit 4`, { exit_codes: { clean: [0], partial: [4] } }),
    fixture,
  );
  assert.deepEqual([partial.coverage, partial.found.length], ['partial', 2]);
  fixture.commit({ 'src/a.txt': 'clean\n' });
  const odd = await worker.scanRepository(detector(`${findTodos}; exit 3`), fixture);
  assert.deepEqual([odd.coverage, odd.found.length], ['partial', 0]);
  assert.match(odd.warnings.join(), /as if it had found something/);
});

test('a tool gets a copy of the newest files and a separate environment, and nothing of ours', async () => {
  process.env.ASSAY_TEST_SECRET = 'hidden';
  const tool = detector(`cd "$1" && { find . -type f | sort; env; pwd; ls -la "$HOME"; } >&2; exit 9`, {
    environment: { RULES: '{folder}/rules' },
    leave_out: ['settings.yaml'],
  });
  const error = await worker.scanRepository(tool, fixture).then(
    () => assert.fail('it should fail'),
    (thrown) => thrown,
  );
  delete process.env.ASSAY_TEST_SECRET;
  const said: string = error.toolSaid;
  assert.match(said, /^\.\/b\.txt\n\.\/src\/a\.txt\n[A-Z]/);
  assert.match(said, new RegExp(`RULES=${folder}/rules\n`));
  assert.match(said, /https_proxy=http:\/\/127\.0\.0\.1:9\n/);
  assert.equal(said.includes('ASSAY_') || said.includes('hidden'), false);
});

test('a tool is not run, and finds nothing, when there are no files of its kind', async () => {
  const go = await worker.scanRepository(detector('exit 9', { needs_files: ['*.go', '/a.txt'] }), fixture);
  assert.deepEqual([go.coverage, go.found.length], ['complete', 0]);
  assert.match(go.warnings.join(), /was not run: there is no \*\.go or \/a\.txt/);
  await assert.rejects(worker.scanRepository(detector('exit 9', { needs_files: ['a.txt'] }), fixture), /exit code 9/);
});

test('a tool’s data is fetched separately, kept, and not fetched again before it is due', async () => {
  const update = { arguments: ['update', '{database}'], every_hours: 1 };
  const script = `if [ "$1" = update ]; then echo x >> "$2/data"; exit; fi
    [ "$(wc -l < "$3/data")" = 1 ] || exit 9
    ${findTodos}`;
  const scan = { git_repository: ['{directory}', '{output}', '{database}'] };
  for (let run = 0; run < 2; run++) {
    const { found } = await worker.scanRepository(detector(script, { update, scan }), fixture);
    assert.equal(found.length, 2);
  }
  const failing = detector('exit 5', { type: 'other', update, scan });
  await assert.rejects(worker.scanRepository(failing, fixture), /no data yet, and could not download it/);
});

test('an invalid description is reported, and the others work', () => {
  writeFileSync(join(folder, 'a.yaml'), 'type: [');
  writeFileSync(join(folder, 'b.yml'), JSON.stringify({ ...standard, type: 'Bad Type', colour: 'red' }));
  writeFileSync(join(folder, 'c.yaml'), JSON.stringify({ ...standard, type: 'secrets' }));
  writeFileSync(join(folder, 'd.yaml'), JSON.stringify({ ...standard, format: 'papyrus' }));
  writeFileSync(join(folder, 'e.yaml'), JSON.stringify({ ...standard, scan: { host: ['{directory}'] } }));
  writeFileSync(join(folder, 'f.yaml'), JSON.stringify({ ...standard, network: 'address' }));
  writeFileSync(join(folder, 'g.yaml'), JSON.stringify({ ...standard, exit_codes: { clean: [0], findings: [0] } }));
  mkdirSync(join(folder, 'h.yaml'));
  const { tools, errors } = describe('exit 0');
  assert.deepEqual(
    tools.map(({ type }) => type),
    ['todo-finder'],
  );
  const expected = [
    /a\.yaml: it is not YAML/,
    /b\.yml: .*colour/,
    /c\.yaml: type "secrets" is that of a built-in/,
    /d\.yaml: format "papyrus" is not known; it can be: sarif/,
    /e\.yaml: scan\.host has \{directory\}; it can have .*\{ip\}/,
    /f\.yaml: network: address is for tools that are given \{ip\}/,
    /g\.yaml: exit_codes has the same code twice/,
    /h\.yaml: EISDIR/,
  ];
  assert.equal(errors.length, expected.length, errors.join('\n'));
  for (const [index, pattern] of expected.entries()) assert.match(errors[index]!, pattern);
  assert.deepEqual(loadTools(join(folder, 'nowhere')), { tools: [], errors: [] });
});

test('a program that is missing or does not run makes its source unavailable with the reason', async () => {
  const missing = detector('exit 0', { program: 'no-such-program', homepage: 'https://example.com' });
  assert.equal(
    await missing.unavailableReason({} as never),
    'Not installed: no-such-program was not found. How to install it: https://example.com',
  );
  const needy = detector('exit 0', { needs_programs: ['no-such-compiler'] });
  assert.match((await needy.unavailableReason({} as never)) ?? '', /it needs no-such-compiler, which was not found/);
  writeFileSync(join(folder, 'broken'), '#!/no/such/interpreter\n', { mode: 0o755 });
  const broken = detector('exit 0', { program: './broken' });
  assert.match(await eventually(() => broken.unavailableReason({} as never)), /does not run/);
});

test('a process that starts no programs has the versions that another one read', async () => {
  const versions = join(folder, 'versions');
  const started = join(folder, 'started');
  const { tool } = detector('exit 0');
  const script = `#!/bin/sh\necho x >> ${started}\necho 'todo-finder 4.5'\n`;
  writeFileSync(join(folder, 'todo-finder'), script);
  const settings = { installed: null, versions, startsPrograms: false };
  // If it were confined, the program could not leave a trace.
  setSandboxSettings({ mode: 'off', hides: [], reads: [] });
  try {
    setToolSettings(settings);
    const api = createToolDetector(tool);
    assert.deepEqual([await api.unavailableReason({} as never), api.version], [null, null]);
    assert.equal(existsSync(started), false);
    setToolSettings({ ...settings, startsPrograms: true });
    await createToolDetector(tool).installed.learn();
    setToolSettings(settings);
    assert.deepEqual([await api.unavailableReason({} as never), api.version], [null, '4.5']);
    assert.equal(readFileSync(started, 'utf8'), 'x\n');
  } finally {
    setSandboxSettings({ mode: 'auto', hides: [], reads: [] });
    setToolSettings({ installed: null, versions: null, startsPrograms: true });
  }
});

test('rules that the operator put beside the installed tools are read without network access', async () => {
  const script = `echo "RULES $3 $https_proxy" >&2; exit 9`;
  const changed = { rules: { online: 'p/default' }, network: 'proxy' };
  const scan = { git_repository: ['{directory}', '{output}', '{rules}'] };
  const scanner = detector(script, { ...changed, scan });
  worker.egressProxyUrl = 'http://127.0.0.1:49877';
  const said = () => worker.scanRepository(scanner, fixture).catch((error) => error.toolSaid as string);
  assert.equal(await said(), 'RULES p/default (redacted)\n');
  const own = join(folder, 'installed', 'rules', 'todo-finder');
  mkdirSync(own, { recursive: true });
  try {
    setToolSettings({ installed: join(folder, 'installed'), versions: null, startsPrograms: true });
    assert.equal(await said(), `RULES ${own} http://127.0.0.1:9\n`);
  } finally {
    setToolSettings({ installed: null, versions: null, startsPrograms: true });
  }
  writeFileSync(join(folder, 'i.yaml'), JSON.stringify({ ...standard, type: 'unruly', scan }));
  assert.match(loadTools(folder).errors.join(), /it uses \{rules\} and does not say which/);
});
