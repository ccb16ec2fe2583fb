import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { runGo, runProgram } from '../../../scripts/clients/go-tools.mjs';
import { goModulePath, installedModule } from '../../../scripts/clients/packed-go.mjs';
import { crc32Base62 } from '../../../server/detection/detectors/secrets/checksums.ts';
import { sample } from '../../../server/detection/detectors/secrets/sample.ts';
import { eventually, HostedInstallation } from '../../../tests/harness/installation.ts';
import { RepositoryFixture } from '../../../tests/harness/repository.ts';
import { reportGoTests, runGoTests } from './go.fixture.mjs';

const githubToken = (seed) => {
  const body = sample('0-9A-Za-z', 30, seed);
  return `${'ghp'}_${body}${crc32Base62(body)}`;
};

const sarif = JSON.stringify({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'Pipeline', rules: [{ id: 'R1', shortDescription: { text: 'Injection' } }] } },
      results: [
        {
          ruleId: 'R1',
          level: 'error',
          message: { text: 'A query is built from input.' },
          locations: [{ physicalLocation: { artifactLocation: { uri: 'src/app.js' }, region: { startLine: 3 } } }],
        },
      ],
    },
  ],
});

const repository = new RepositoryFixture('payments');
const installation = new HostedInstallation({ ASSAY_LOCAL_REPOSITORIES: repository.root });
const url = pathToFileURL(repository.work).href;
after(async () => {
  await installation.remove();
  repository.remove();
});
repository.commit({ 'README.md': '# Payments\n', 'deploy.env': `GITHUB_TOKEN=${githubToken('one')}\n` });
repository.commit({
  'pay.env': `TOKEN=${githubToken('two')}\n`,
  'test/fake.env': `TOKEN=${githubToken('three')}\n`,
});
await installation.start();
const environment = { ASSAY_TOKEN: installation.token, ASSAY_BASE_URL: `${installation.origin}/api/v1` };
const results = await runGoTests('./journey', { ...environment, REPOSITORY_URL: url });

describe('the Go client against a real server', () => reportGoTests(results, 7));

describe('each example of the README, as it stands in an empty project', () => {
  let folder;
  let use;
  const examples = [];
  const runExample = (name, ...given) => runProgram(join(folder, 'bin', name), given, folder, environment);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-go-journey-'));
    use = await installedModule(folder);
    const text = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const path = await goModulePath();
    assert.ok(text.includes(`go get ${path}\n`), `The README names another module than ${path}.`);
    for (const [, code, name] of text.matchAll(/^```go\n(\/\/ (\w+)\.go\n[\s\S]*?)^```$/gm)) {
      await mkdir(join(use.folder, name));
      await writeFile(join(use.folder, name, `${name}.go`), code);
      if (!name.endsWith('_test')) examples.push(name);
    }
    await mkdir(join(folder, 'bin'));
    await runGo(
      ['build', '-o', `${join(folder, 'bin')}/`, ...examples.map((name) => `./${name}`)],
      use.folder,
      use.env,
    );
  });
  after(() => rm(folder, { recursive: true }));

  test('scans a repository', async () => {
    assert.match(await runExample('scan', url), /^The scan is completed: 0 new, 3 seen again\.$/m);
  });

  test('triages', async () => {
    const { email } = (await installation.ask('GET', '/organization/members')).data[0];
    assert.match(await runExample('triage', email), /^\d+ findings are assigned[\s\S]*^Closed /m);
  });

  test('reports', async () => {
    assert.equal(await runExample('report', 'findings.csv'), 'Saved 1 findings to findings.csv.\n');
    assert.match(await readFile(join(folder, 'findings.csv'), 'utf8'), /pay\.env/);
  });

  test('imports', async () => {
    await writeFile(join(folder, 'results.sarif'), sarif);
    const output = await runExample('import', 'results.sarif');
    assert.match(output, new RegExp(`^Sent ${sarif.length} of ${sarif.length} bytes\\.$`, 'm'));
    assert.match(output, /^The import is completed: 1 new findings\.$/m);
  });

  test('follows from where it stopped', async () => {
    const follow = async (count) => {
      const env = { ...process.env, ...environment };
      const child = spawn(join(folder, 'bin', 'follow'), ['position.txt'], { cwd: folder, env });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const said = { stdout: '', stderr: '' };
      for (const stream of ['stdout', 'stderr']) {
        child[stream].on('data', (chunk) => {
          said[stream] += chunk;
        });
      }
      await eventually(async () => said.stdout.split('\n').length > count || child.exitCode !== null);
      child.kill('SIGTERM');
      assert.equal(await ended, 0, said.stderr);
      return said.stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' '));
    };
    assert.equal(new Set((await follow(4)).map(([id]) => id)).size, 4);
    const position = await readFile(join(folder, 'position.txt'), 'utf8');
    const again = await follow(1);
    assert.ok(again.every(([, , updatedAt]) => updatedAt >= position));
  });

  test('tests code without a server', async () => {
    await runGo(['test', './findings_test'], use.folder, use.env);
  });

  test('has been run', () => assert.deepEqual(examples, ['scan', 'triage', 'report', 'import', 'follow']));
});
