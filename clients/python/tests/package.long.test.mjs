import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { documentPython } from '../../../scripts/clients/documents.mjs';
import { installedPackage } from '../../../scripts/clients/packed-python.mjs';
import { pythonTools } from '../../../scripts/clients/python.mjs';
import { installTools } from '../../../scripts/clients/tools.mjs';
import { runPytest } from './pytest.fixture.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const library = join(root, 'clients', 'python', 'src', 'assay');
const own = fileURLToPath(new URL('./', import.meta.url));

/** Runs a program; its output is the error message if it fails. */
const passes = (...command) => run(...command).catch((error) => assert.fail(`${error.stdout}${error.stderr}`));

describe('the Python package, installed from its wheel', () => {
  let installed;
  let folder;
  let version;
  before(async () => {
    installed = installedPackage();
    folder = await mkdtemp(join(tmpdir(), 'assay-package-'));
    version = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8')).info.version;
  });
  after(() => rm(folder, { recursive: true }));

  const inPython = async (code) => JSON.parse((await run(installed.python, ['-I', '-c', code])).stdout);

  test('the wheel contains the library, its types and its documents, and nothing else', async () => {
    const files = await inPython(
      `import json, zipfile; print(json.dumps(zipfile.ZipFile(${JSON.stringify(installed.wheel)}).namelist()))`,
    );
    const sources = (await readdir(library, { recursive: true })).filter((name) => /\.(py|typed)$/.test(name));
    const info = `assay_client-${version}.dist-info`;
    const about = ['METADATA', 'RECORD', 'WHEEL', 'licenses/LICENSE'].map((name) => `${info}/${name}`);
    assert.deepEqual(files.sort(), [...sources.map((name) => `assay/${name}`), ...about].sort());
  });

  test('it has the version of the API and needs only httpx and pydantic', async () => {
    const [requires, distribution, own] = await inPython(
      `import json, assay; from importlib.metadata import requires, version
print(json.dumps([requires("assay-client"), version("assay-client"), assay.__version__]))`,
    );
    assert.deepEqual(requires.map((requirement) => /^[\w-]+/.exec(requirement)[0]).sort(), ['httpx', 'pydantic']);
    assert.deepEqual([distribution, own], [version, version]);
  });

  test('it offers the surface, shows no token, uploads and downloads whole files, and preserves unknown fields', async () => {
    const surface = join(root, 'clients', 'conformance', 'surface.json');
    assert.ok((await runPytest('test_package.py', { ASSAY_CONFORMANCE_SURFACE: surface })) > 20);
  });

  test('its types pass strict mypy and pyright, which reject arguments that the API does not accept', async () => {
    await cp(join(own, 'types_use.py'), join(folder, 'use.py'));
    const options = ['--strict', '--python-version', '3.10', '--cache-dir', join(folder, 'mypy')];
    const mypy = ['-I', '-m', 'mypy', ...options, '-p', 'assay', '-m', 'use'];
    await passes(installed.python, mypy, { cwd: folder, env: { PATH: process.env.PATH, MYPYPATH: folder } });
    const place = dirname(await inPython('import assay, json; print(json.dumps(assay.__file__))'));
    await cp(place, join(folder, 'library'), { recursive: true });
    const settings = {
      include: ['use.py', 'library'],
      strict: ['use.py'],
      pythonVersion: '3.10',
      enableTypeIgnoreComments: false,
      reportUnnecessaryTypeIgnoreComment: 'error',
    };
    await writeFile(join(folder, 'pyrightconfig.json'), JSON.stringify(settings));
    const pyright = join(installTools(undefined, 'python'), 'pyright', 'index.js');
    await passes(process.execPath, [pyright, '--pythonpath', installed.python, '-p', folder], { cwd: folder });
  });

  test('its sources are formatted and pass ruff', async () => {
    const ruff = ['-I', '-m', 'ruff'];
    const options = ['--no-cache', join(root, 'clients', 'python')];
    await passes(pythonTools(), [...ruff, 'check', ...options]);
    await passes(pythonTools(), [...ruff, 'format', '--check', ...options]);
  });

  test('the release script builds the wheel and prints how to publish it', async () => {
    const script = join(root, 'scripts', 'release-clients.mjs');
    const out = join(folder, 'release');
    const { stdout } = await run(process.execPath, [script, '--out', out, 'python']);
    assert.match(stdout, /^python .*assay_client-[\d.]+-py3-none-any\.whl\n {2}To publish it: twine upload /);
    assert.deepEqual(
      (await readdir(out)).sort(),
      [`assay_client-${version}-py3-none-any.whl`, `assay_client-${version}.tar.gz`].sort(),
    );
  });

  test('the reference is generated without a warning', async () => {
    const target = documentPython(join(folder, 'reference'));
    assert.match(await readFile(join(target, 'assay', 'resources.html'), 'utf8'), /update_many/);
  });
});
