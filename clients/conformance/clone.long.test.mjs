import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packGo } from '../../scripts/clients/packed-go.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

const run = (cwd, command, ...args) => {
  const result = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  assert.equal(result.status, 0, `${command} ${args.join(' ')}:\n${result.stdout}${result.stderr ?? result.error}`);
  return result.stdout;
};

// Code generated from openapi.json is not in git: each package generates it when it is built.
describe('in a fresh clone with nothing installed or built,', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-clone-'));
  const clone = join(folder, 'clone');
  after(() => rmSync(folder, { recursive: true }));

  before(() => {
    // Includes uncommitted changes.
    const listed = run(root, 'git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
    for (const path of listed.filter((path) => path !== '' && existsSync(join(root, path)))) {
      mkdirSync(dirname(join(clone, path)), { recursive: true });
      copyFileSync(join(root, path), join(clone, path));
    }
    run(clone, 'git', 'init', '--quiet');
    run(clone, 'git', 'add', '--all');
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
    run(clone, 'git', ...who, 'commit', '--quiet', '--message', 'All');
  });

  /** Installs into a separate environment and returns the package's files. */
  const pipInstall = (name, what) => {
    const environment = join(folder, name);
    run(folder, 'python3', '-m', 'venv', environment);
    const python = join(environment, 'bin', 'python3');
    run(folder, python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', what);
    const list = `import assay.types, importlib.metadata as m; print(assay.AsyncAssay, assay.Assay);
print(*m.files('assay-client'), sep='\\n')`;
    return run(folder, python, '-c', list).split('\n');
  };
  const holdsAll = (files) => {
    for (const file of [
      'assay/_sync/_resources.py',
      'assay/resources.py',
      'assay/types.py',
      'assay/params.py',
      'assay/enums.py',
    ]) {
      assert.ok(files.includes(file), file);
    }
    assert.ok(files.some((file) => /dist-info\/licenses\/LICENSE$/.test(file)));
  };

  test('pip installs the folder of the Python client, complete and with its licence', () => {
    holdsAll(pipInstall('folder', join(clone, 'clients', 'python')));
  });

  test('pip installs it from the address of the repository with its subdirectory', () => {
    holdsAll(pipInstall('address', `git+file://${clone}#subdirectory=clients/python`));
  });

  test('pip can install from its source archive alone', () => {
    const out = join(folder, 'dist');
    run(folder, 'python3', '-m', 'venv', join(folder, 'builder'));
    const python = join(folder, 'builder', 'bin', 'python3');
    run(folder, python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'build');
    run(folder, python, '-m', 'build', '--sdist', '--outdir', out, join(clone, 'clients', 'python'));
    holdsAll(pipInstall('archive', join(out, readdirSync(out)[0])));
  });

  test('npm packs the TypeScript client with its types and its licence', () => {
    const [{ files }] = JSON.parse(run(join(clone, 'clients', 'typescript'), 'npm', 'pack', '--json', '--silent'));
    const paths = files.map(({ path }) => path);
    for (const file of ['dist/index.js', 'dist/index.d.ts', 'dist/schema.d.ts', 'LICENSE', 'README.md']) {
      assert.ok(paths.includes(file), file);
    }
  });

  test('the Go module is packed with the types and resources in git', async () => {
    const { file } = await packGo(join(folder, 'go'), join(clone, 'clients', 'go'));
    for (const name of ['types_gen.go', 'resources_gen.go']) assert.ok(readFileSync(file).includes(`/${name}`), name);
  });

  test('an installation has the types of TypeScript, for editors', () => {
    assert.equal(run(clone, 'node_modules/.bin/tsc', '-p', 'clients/typescript', '--noEmit'), '');
  });

  test('none of this changes a file in git', () => {
    assert.equal(run(clone, 'git', 'status', '--porcelain').replaceAll(/^.*\.tgz\n/gm, ''), '');
  });
});
