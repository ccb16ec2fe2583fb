import assert from 'node:assert/strict';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { load } from 'js-yaml';
import { installedPackage } from '../../../scripts/clients/packed-typescript.mjs';
import { RepositoryFixture } from '../../../tests/harness/repository.ts';
import { Setting } from '../recipes.fixture.mjs';

const here = fileURLToPath(new URL('./', import.meta.url));
const root = fileURLToPath(new URL('../../../', import.meta.url));
const vulnerable =
  'const { exec } = require("child_process");\nmodule.exports = (request) => exec(`ls ${request.query.path}`);\n';
const safe = 'module.exports = () => "ok";\n';

const readWorkflow = async (name) => load(await readFile(join(here, name), 'utf8'));

describe('the recipe for a gate in a pipeline', () => {
  const setting = new Setting();
  const repository = new RepositoryFixture('payments');
  /** The addresses of Assay and its client for both pipelines, which work without a network. */
  let tools;

  before(async () => {
    await setting.start();
    tools = { ASSAY_HOME: root, ASSAY_CLIENT: (await installedPackage()).tarball, npm_config_offline: 'true' };
    await mkdir(join(repository.work, '.ci'));
    await cp(join(here, 'import-results.mjs'), join(repository.work, '.ci', 'import-results.mjs'));
    repository.commit({ 'src/list.js': safe });
  });
  after(async () => {
    await setting.remove();
    repository.remove();
  });

  /** Runs a shell like a CI runner; returns its exit code and its output. */
  async function shell(options, script, environment) {
    const file = join(setting.folder, 'step.sh');
    await writeFile(file, script);
    const path = `${join(root, 'node_modules', 'node', 'bin')}:${process.env.PATH}`;
    const program = setting.run('bash', [...options, file], { PATH: path, ...tools, ...environment });
    const code = await program.ended;
    return { code, said: `${program.output}${program.errors}` };
  }

  /** Evaluates a GitHub condition on the branch main, with the outputs of the step `scan`. */
  async function isMet(condition, file) {
    const outputs = Object.fromEntries((await readFile(file, 'utf8')).split('\n').map((line) => line.split('=')));
    const terms = {
      'cancelled()': 'false',
      'github.ref': "'refs/heads/main'",
      'steps.scan.outputs.code': JSON.stringify(outputs.code ?? ''),
    };
    const expression = Object.entries(terms).reduce((text, [term, value]) => text.replaceAll(term, value), condition);
    return runInNewContext(expression.replace(/^\$\{\{(.*)\}\}$/, '$1'));
  }

  /** Runs the job's script steps by GitHub's rules: each in its own shell, the last even after a failure. */
  async function runGithub() {
    const { steps, env } = (await readWorkflow('github-actions.yml')).jobs.assay;
    assert.deepEqual(Object.keys(env), ['ASSAY_REPOSITORY', 'ASSAY_CLIENT', 'ASSAY_HOME']);
    const temporary = join(setting.folder, 'runner');
    await mkdir(temporary, { recursive: true });
    const environment = { ...setting.environment, RUNNER_TEMP: temporary, GITHUB_REPOSITORY: 'octo/payments' };
    const results = [];
    const outputs = join(temporary, 'outputs');
    await writeFile(outputs, '');
    environment.GITHUB_OUTPUT = outputs;
    for (const { name, run, if: condition } of steps.filter((step) => step.run)) {
      if (results.some(({ code }) => code !== 0) && !condition?.includes('!cancelled()')) continue;
      if (condition && !(await isMet(condition, outputs))) continue;
      const script = `cd ${repository.work}\n${run}`;
      results.push({ name, ...(await shell(['--noprofile', '--norc', '-eo', 'pipefail'], script, environment)) });
    }
    return results;
  }

  /** Runs the job's script by GitLab's rules: one shell, which stops at the first failure. */
  async function runGitlab(branch = 'main') {
    const { before_script, script } = (await readWorkflow('gitlab-ci.yml')).assay;
    const environment = {
      ...setting.environment,
      TMPDIR: setting.folder,
      CI_COMMIT_BRANCH: branch,
      CI_DEFAULT_BRANCH: 'main',
      CI_PROJECT_PATH: 'group/payments',
    };
    const lines = ['set -eo pipefail', `cd ${repository.work}`, ...before_script, ...script];
    return shell([], lines.join('\n'), environment);
  }

  const openFindings = async (name) =>
    (await setting.findings('&status=new')).filter((finding) => finding.data_source.name === name);

  test('GitHub: a clean repository passes, and its results arrive', async () => {
    const results = await runGithub();
    for (const { code, said } of results) assert.equal(code, 0, said);
    assert.equal(results.length, 3);
    assert.match(results.at(-1).said, /^The import is completed: 0 new/m);
  });

  test('GitHub: a severe finding fails the gate, and still arrives', async () => {
    repository.commit({ 'src/list.js': vulnerable });
    const results = await runGithub();
    assert.deepEqual(
      results.map(({ code }) => code),
      [0, 3, 0],
      JSON.stringify(results),
    );
    const [finding] = await openFindings('octo/payments');
    assert.equal(finding.location.path, 'src/list.js');
  });

  test('GitHub: after the fix the gate opens, and the finding is resolved', async () => {
    repository.commit({ 'src/list.js': safe });
    assert.deepEqual(
      (await runGithub()).map(({ code }) => code),
      [0, 0, 0],
    );
    assert.deepEqual(await openFindings('octo/payments'), []);
  });

  test('GitLab: a severe finding fails the gate; main sends its results, and a branch does not', async () => {
    repository.commit({ 'src/list.js': vulnerable });
    const branch = await runGitlab('feature');
    assert.equal(branch.code, 3, branch.said);
    assert.deepEqual(await openFindings('group/payments'), []);
    const main = await runGitlab();
    assert.equal(main.code, 3, main.said);
    assert.equal((await openFindings('group/payments')).length, 1, main.said);
  });

  test('GitLab: after the fix the gate opens', async () => {
    repository.commit({ 'src/list.js': safe });
    const { code, said } = await runGitlab();
    assert.equal(code, 0, said);
    assert.deepEqual(await openFindings('group/payments'), []);
  });

  test('a scan that fails sends nothing, and fails the job', async () => {
    const scans = async () => (await setting.ask('GET', '/scans?limit=200')).data.length;
    const before = await scans();
    const tree = repository.git('rev-parse', 'HEAD^{tree}');
    const object = join(repository.work, '.git', 'objects', tree.slice(0, 2), tree.slice(2));
    await chmod(object, 0o644);
    await writeFile(object, 'damaged');
    assert.deepEqual(
      (await runGithub()).map(({ code }) => code),
      [0, 1],
    );
    const { code, said } = await runGitlab();
    assert.equal(code, 1, said);
    assert.equal(await scans(), before);
  });

  test('Assay itself finds no problem in the pipelines', async () => {
    await mkdir(join(setting.folder, 'pipelines', '.github', 'workflows'), { recursive: true });
    await cp(join(here, 'github-actions.yml'), join(setting.folder, 'pipelines', '.github', 'workflows', 'assay.yml'));
    await cp(join(here, 'gitlab-ci.yml'), join(setting.folder, 'pipelines', '.gitlab-ci.yml'));
    const command = [join(root, 'node_modules', '.bin', 'assay'), 'scan', join(setting.folder, 'pipelines')];
    const { output, errors } = await setting.complete(process.execPath, [...command, '--format', 'json']);
    assert.deepEqual(JSON.parse(output), [], errors);
  });
});
