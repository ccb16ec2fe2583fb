import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pythonWith } from '../server/reports/writers/python.fixture.ts';
import { goProgram, npmPackages } from './harness/generators.ts';

const run = promisify(execFile);
const description = fileURLToPath(new URL('../openapi.json', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'assay-generators-'));
after(() => rm(folder, { recursive: true, force: true }));

/** Creating an environment costs more than what runs in it. */
const pythonTools = () => pythonWith('openapi-spec-validator==0.9.0', 'openapi-python-client==0.29.1');
const runtime = 'github.com/oapi-codegen/runtime';

test('Spectral finds nothing in the description', async () => {
  const modules = await npmPackages('@stoplight/spectral-cli@6.16.3');
  const rules = join(folder, 'spectral.json');
  await writeFile(rules, JSON.stringify({ extends: ['spectral:oas'] }));
  const program = join(modules, '@stoplight/spectral-cli/dist/index.js');
  const lint = ['lint', '--fail-severity', 'hint', '-f', 'json', '-r', rules, description];
  const { stdout } = await run(process.execPath, [program, ...lint]);
  assert.deepEqual(JSON.parse(stdout.slice(stdout.indexOf('['), stdout.lastIndexOf(']') + 1)), []);
});

test('openapi-spec-validator finds nothing in the description', async () => {
  const python = await pythonTools();
  const { stdout } = await run(python, ['-m', 'openapi_spec_validator', description]);
  assert.match(stdout, /OK/);
});

test('the types that openapi-typescript generates compile', async () => {
  const modules = await npmPackages('openapi-typescript@7.13.0', 'typescript@5.9.3');
  const types = join(folder, 'types.ts');
  const generator = join(modules, 'openapi-typescript/bin/cli.js');
  // Both read files of the working directory: redocly.yaml, and the types of the workspace.
  await run(process.execPath, [generator, description, '-o', types], { cwd: folder });
  await run(process.execPath, [join(modules, 'typescript/bin/tsc'), '--noEmit', '--strict', types], { cwd: folder });
});

test('the client that openapi-python-client generates has every endpoint and imports', async () => {
  const python = await pythonTools();
  const config = join(folder, 'python.json');
  await writeFile(config, JSON.stringify({ post_hooks: [] }));
  const output = join(folder, 'assay_client');
  const options = ['generate', '--path', description, '--output-path', output, '--meta', 'none', '--config', config];
  // Run as a module: the environment was moved into place, and its scripts contain the path where it was created.
  const generator = ['-m', 'openapi_python_client', ...options, '--fail-on-warning'];
  const { stdout } = await run(python, generator, { env: { ...process.env, NO_COLOR: '1' } });
  assert.doesNotMatch(stdout, /warning/i);
  const importAll = `import importlib, pkgutil, assay_client
modules = [module.name for module in pkgutil.walk_packages(assay_client.__path__, 'assay_client.')]
for name in modules: importlib.import_module(name)
print(len(modules))`;
  const imported = await run(python, ['-c', importAll], { cwd: folder, env: { ...process.env, PYTHONPATH: folder } });
  assert.ok(Number(imported.stdout) > 100);
});

test('the client that oapi-codegen generates compiles', async () => {
  const program = await goProgram('github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen', 'v2.8.2');
  const module = await mkdtemp(join(folder, 'go-'));
  const { stdout } = await run(program, ['-generate', 'types,client', '-package', 'assay', description], {
    maxBuffer: 64 * 1024 * 1024,
  });
  await writeFile(join(module, 'assay.go'), stdout);
  await writeFile(join(module, 'go.mod'), `module assay.example/client\n\ngo 1.24\n\nrequire ${runtime} v1.8.0\n`);
  await run('go', ['mod', 'tidy'], { cwd: module });
  await run('go', ['build', './...'], { cwd: module });
});
