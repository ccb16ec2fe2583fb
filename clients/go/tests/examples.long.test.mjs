import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runGo } from '../../../scripts/clients/go-tools.mjs';
import { goModulePath, installedModule } from '../../../scripts/clients/packed-go.mjs';
import { readExamples, testExamples } from '../../conformance/examples.fixture.mjs';

const readme = new URL('../README.md', import.meta.url);
let use;

async function install(folder) {
  use = await installedModule(folder);
  const examples = await readExamples(readme);
  const names = [...examples.keys()].map((name) => name.replace(/\.go$/, ''));
  assert.deepEqual(names, ['scan', 'triage', 'report', 'import', 'follow', 'listen', 'findings_test']);
  for (const name of names) {
    await mkdir(join(use.folder, name));
    await writeFile(join(use.folder, name, `${name}.go`), examples.get(`${name}.go`));
  }
  await mkdir(join(folder, 'bin'));
  const programs = names.filter((name) => !name.endsWith('_test')).map((name) => `./${name}`);
  await runGo(['build', '-o', `${join(folder, 'bin')}/`, ...programs], use.folder, use.env);
  return (name) => [join(folder, 'bin', name)];
}

describe('the Go client against a real server', () => {
  testExamples({ install });

  test('the README names its module, and an example that tests code without a server', async () => {
    assert.ok((await readFile(readme, 'utf8')).includes(`go get ${await goModulePath()}\n`));
    await runGo(['test', './findings_test'], use.folder, use.env);
  });
});
