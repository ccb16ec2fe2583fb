import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { load, loadAll } from 'js-yaml';
import { sample } from '../scanner/detectors/secrets/sample.ts';
import { RepositoryFixture } from './harness/repository.ts';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const token = (name: string) => `sk_${'live'}_${sample('0-9A-Za-z', 24, name)}\n`;
const environment = { PATH: `${join(root, 'node_modules', 'node', 'bin')}:${process.env.PATH}` };

let fixture: RepositoryFixture;
let base: string;
before(() => {
  fixture = new RepositoryFixture();
  base = fixture.commit({ 'old.txt': token('old') });
  fixture.commit({ 'new.txt': token('new') });
});
after(() => fixture.remove());

function bash(script: string, variables: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: fixture.work,
    env: { ...environment, HOME: fixture.root, ...variables },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const found = (file: string): string[] =>
  JSON.parse(readFileSync(join(fixture.work, file), 'utf8')).runs.flatMap(
    ({
      results,
    }: {
      results: Array<{ locations: Array<{ physicalLocation: { artifactLocation: { uri: string } } }> }>;
    }) => results.map(({ locations }) => locations[0]!.physicalLocation.artifactLocation.uri),
  );

test('the hook for pre-commit stops a commit that adds a secret, and no other', () => {
  const [hook] = load(read('.pre-commit-hooks.yaml')) as Array<{ entry: string; args: string[] }>;
  const file = join(fixture.work, '.git', 'hooks', 'pre-commit');
  writeFileSync(file, `#!/bin/sh\nexec ${root}/${hook!.entry} ${hook!.args.join(' ')}\n`, { mode: 0o755 });
  fixture.write('note.txt', 'nothing\n');
  fixture.write('key.txt', token('key'));
  fixture.git('add', 'note.txt');
  fixture.git('commit', '--quiet', '--message=Note');
  assert.throws(() => fixture.git('commit', '--quiet', '--all', '--message=Nothing'));
  fixture.git('add', 'key.txt');
  assert.throws(() => fixture.git('commit', '--quiet', '--message=Key'), /1 finding in /);
  fixture.git('rm', '--quiet', '--force', 'key.txt');
});

test('the GitHub Action scans, writes SARIF, and fails on what is severe; text of its inputs is never a command', () => {
  const { inputs, runs } = load(read('action.yml')) as {
    inputs: Record<string, { default: string }>;
    runs: { steps: Array<{ run: string; env: Record<string, string> }> };
  };
  const run = (given: Record<string, string>) => {
    const inputOf = (name: string) => given[name] ?? inputs[name]!.default;
    const [step] = runs.steps;
    const variables = Object.entries(step!.env).map(([name, text]) => [
      name,
      text
        .replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, input) => inputOf(input))
        .replace('${{ github.action_path }}', root),
    ]);
    assert.doesNotMatch(step!.run, /\$\{\{/);
    const outputs = join(fixture.root, 'outputs');
    writeFileSync(outputs, '');
    const result = bash(step!.run, { ...Object.fromEntries(variables), GITHUB_OUTPUT: outputs });
    return { ...result, outputs: readFileSync(outputs, 'utf8') };
  };
  const everything = run({});
  assert.equal(everything.status, 3, everything.stderr);
  assert.deepEqual(found('assay.sarif').sort(), ['new.txt', 'old.txt']);
  assert.equal(everything.outputs, 'sarif=assay.sarif\n');
  assert.equal(run({ since: base, sarif: 'since.sarif' }).status, 3);
  assert.deepEqual(found('since.sarif'), ['new.txt']);
  assert.equal(run({ since: 'HEAD', 'fail-on': 'info', path: '.' }).status, 0);
  const failed = run({ since: '$(touch made)`touch made`;touch made' });
  assert.deepEqual([failed.status, failed.outputs], [1, ''], 'an earlier file is not sent');
  assert.ok(!existsSync(join(fixture.work, 'made')));
});

test('the GitLab template checks a merge request for what it adds', () => {
  const [, template] = loadAll(read('templates/assay.yml')) as [
    unknown,
    { assay: { variables: Record<string, string>; before_script: string[]; script: string[] } },
  ];
  const { variables, before_script, script } = template.assay;
  assert.equal(variables.FAIL_ON, '$[[ inputs.fail-on ]]');
  const lines = [...before_script, ...script].join('\n');
  const settings = { ASSAY_HOME: root, FAIL_ON: 'high', BASELINE: '' };
  assert.equal(bash(lines, { ...settings, CI_MERGE_REQUEST_DIFF_BASE_SHA: base }).status, 3);
  assert.deepEqual(found('assay.sarif'), ['new.txt']);
  assert.equal(bash(lines, { ...settings, CI_MERGE_REQUEST_DIFF_BASE_SHA: 'HEAD' }).status, 0);
  assert.deepEqual(found('assay.sarif'), []);
  assert.equal(bash(lines, { ...settings, CI_MERGE_REQUEST_DIFF_BASE_SHA: 'nothing' }).status, 1);
  assert.ok(!existsSync(join(fixture.work, 'assay.sarif')), 'an earlier file is not kept');
});
