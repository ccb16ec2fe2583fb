import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { installedPackage } from '../../../scripts/clients/packed-python.mjs';
import { crc32Base62 } from '../../../server/detection/detectors/secrets/checksums.ts';
import { sample } from '../../../server/detection/detectors/secrets/sample.ts';
import { eventually, HostedInstallation } from '../../../tests/harness/installation.ts';
import { RepositoryFixture } from '../../../tests/harness/repository.ts';
import { runPytest } from './pytest.fixture.mjs';

const run = promisify(execFile);

const githubToken = (seed) => {
  const body = sample('0-9A-Za-z', 30, seed);
  return `${'ghp'}_${body}${crc32Base62(body)}`;
};

const place = { physicalLocation: { artifactLocation: { uri: 'src/app.py' }, region: { startLine: 3 } } };
const sarif = JSON.stringify({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'Pipeline', rules: [{ id: 'R1', shortDescription: { text: 'Injection' } }] } },
      results: [{ ruleId: 'R1', level: 'error', message: { text: 'Built from input.' }, locations: [place] }],
    },
  ],
});

describe('the installed Python client against a real server', () => {
  const repository = new RepositoryFixture('payments');
  const url = pathToFileURL(repository.work).href;
  const installation = new HostedInstallation({ ASSAY_LOCAL_REPOSITORIES: repository.root });
  const access = () => ({ ASSAY_TOKEN: installation.token, ASSAY_BASE_URL: `${installation.origin}/api/v1` });
  const examples = {};
  let folder;
  let python;

  before(async () => {
    repository.commit({ 'README.md': '# Payments\n', 'deploy.env': `GITHUB_TOKEN=${githubToken('one')}\n` });
    repository.commit({
      'pay.env': `TOKEN=${githubToken('two')}\n`,
      'test/fake.env': `TOKEN=${githubToken('three')}\n`,
    });
    await installation.start();
    ({ python } = installedPackage());
    folder = await mkdtemp(join(tmpdir(), 'assay-examples-'));
    const text = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    for (const [, code, name] of text.matchAll(/^```python\n(# (\w+\.py)\n[\s\S]*?)^```$/gm)) {
      examples[name] = code;
      await writeFile(join(folder, name), code);
    }
  });
  after(async () => {
    await installation.remove();
    repository.remove();
    await rm(folder, { recursive: true });
  });

  test('a repository is added, scanned, paged through, triaged, reported and downloaded, and a person invited', async () => {
    assert.equal(await runPytest('test_journey.py', { ...access(), ASSAY_TEST_REPOSITORY: url }), 8);
  });

  describe('each example of the README, as it stands', () => {
    const environment = () => ({ PATH: process.env.PATH, PYTHONWARNINGS: 'default', ...access() });
    const runExample = async (name, ...given) => {
      assert.ok(examples[name], `The README has no ${name}.`);
      return (await run(python, [name, ...given], { cwd: folder, env: environment() })).stdout;
    };

    test('scans a repository', async () => {
      assert.match(await runExample('scan.py', url), /^The scan is completed: 0 new, 3 seen again\.$/m);
    });

    test('triages', async () => {
      const { data } = await installation.ask('GET', '/organization/members');
      const output = await runExample('triage.py', data[0].email);
      assert.match(output, /^\d+ findings are assigned[\s\S]*^Closed .*test\/fake/m);
    });

    test('reports', async () => {
      assert.equal(await runExample('report.py', 'findings.csv'), 'Saved 2 findings to findings.csv.\n');
      assert.match(await readFile(join(folder, 'findings.csv'), 'utf8'), /deploy\.env/);
    });

    test('imports', async () => {
      await writeFile(join(folder, 'results.sarif'), sarif);
      const output = await runExample('import_results.py', 'results.sarif');
      assert.match(output, new RegExp(`^Sent ${sarif.length} of ${sarif.length} bytes\\.$`, 'm'));
      assert.match(output, /^The import is completed: 1 new findings\.$/m);
    });

    test('follows from where it stopped', async () => {
      const follow = async (count) => {
        const child = spawn(python, ['follow.py', 'position.txt'], { cwd: folder, env: environment() });
        const ended = new Promise((resolve) => child.once('exit', resolve));
        let output = '';
        let errors = '';
        child.stdout.on('data', (chunk) => {
          output += chunk;
        });
        child.stderr.on('data', (chunk) => {
          errors += chunk;
        });
        await eventually(async () => output.split('\n').length > count || child.exitCode !== null);
        child.kill('SIGINT');
        assert.equal(await ended, 0, errors);
        assert.match(output, /^Stopped at \d\d:\d\d\.$/m);
        return output.split('\n').filter((line) => line.startsWith('fnd_'));
      };
      assert.equal(new Set((await follow(4)).map((line) => line.split(' ')[0])).size, 4);
      const position = Date.parse(await readFile(join(folder, 'position.txt'), 'utf8'));
      assert.ok((await follow(1)).every((line) => Date.parse(line.split(' ')[2]) >= position));
    });

    test('has been run', () => assert.equal(Object.keys(examples).length, 5));
  });
});
