import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { documents } from '../../../scripts/clients/documents.mjs';
import { goFiles } from '../../../scripts/clients/go.mjs';
import { goTool, runGo, runProgram } from '../../../scripts/clients/go-tools.mjs';
import { goModulePath, goVersion, installedModule } from '../../../scripts/clients/packed-go.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const source = join(root, 'clients', 'go');
const readSource = (file) => readFile(join(source, file), 'utf8');

describe('the Go module', () => {
  let folder;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-go-package-'));
  });
  after(() => rm(folder, { recursive: true }));

  test('an installed module contains its sources and documents, and nothing else', async () => {
    const installed = await installedModule(folder);
    const files = await readdir(installed.module);
    for (const file of ['go.mod', 'README.md', 'CHANGELOG.md', 'LICENSE', 'client.go']) assert.ok(files.includes(file));
    assert.deepEqual(
      files.filter((file) => !/^(\w+\.go|go\.mod|README\.md|CHANGELOG\.md|LICENSE)$/.test(file)),
      [],
    );
    assert.deepEqual(
      files.filter((file) => file.endsWith('_test.go')),
      [],
    );
  });

  test('it needs only the standard library and Go 1.23', async () => {
    const listed = await runGo(['list', '-deps', '-f', '{{if not .Standard}}{{.ImportPath}}{{end}}', '.'], source);
    assert.equal(listed.trim(), await goModulePath());
    assert.match(await readSource('go.mod'), /^module \S+\n\ngo 1\.23\n$/);
  });

  test('it has the version of the API, and its path is only in go.mod', async () => {
    const description = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8'));
    assert.equal(await goVersion(), description.info.version);
    assert.ok((await readSource('CHANGELOG.md')).includes(`\n## ${description.info.version}\n`));
    const path = await goModulePath();
    for (const file of (await readdir(source)).filter((name) => name.endsWith('.go'))) {
      assert.ok(!(await readSource(file)).includes(path), file);
    }
  });

  test('the committed types and resources match the output of the generator', async () => {
    for (const [name, text] of Object.entries(await goFiles()))
      assert.ok((await readSource(name)) === text, `${name}: run "npm run generate" and commit the result.`);
  });

  for (const [name, of] of Object.entries({ 'the module': source, 'its tests': join(source, 'tests') })) {
    test(`gofmt, go vet and staticcheck find nothing in ${name}`, async () => {
      assert.equal(await runProgram('gofmt', ['-l', '.'], of), '');
      await runGo(['vet', './...'], of);
      await runProgram(goTool('staticcheck'), ['-checks', 'all,-ST1000', './...'], of);
    });
  }

  test('the release script packs the module and prints how to publish it', async () => {
    const script = join(root, 'scripts', 'release-clients.mjs');
    const output = await runProgram(process.execPath, [script, '--out', join(folder, 'release'), 'go'], root);
    assert.match(output, /^go [\d.]+: \S+\.zip\n {2}To publish it: git tag clients\/go\/v[\d.]+ /);
    assert.ok(existsSync(/: (\S+\.zip)$/m.exec(output)[1]));
  });

  test('the reference names every resource', async () => {
    const text = await readFile(await documents.go(join(folder, 'reference')), 'utf8');
    for (const name of ['Findings', 'Scans', 'Reports', 'NewClient', 'ErrNotFound'])
      assert.match(text, new RegExp(name));
  });
});
