import assert from 'node:assert/strict';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'node:test';
import { installedPackage } from '../../../scripts/clients/packed-typescript.mjs';
import { readExamples, testExamples } from '../../conformance/examples.fixture.mjs';

async function install(folder) {
  const { project } = await installedPackage();
  await cp(project, folder, { recursive: true });
  const examples = await readExamples(new URL('../README.md', import.meta.url));
  assert.deepEqual(
    [...examples.keys()],
    ['scan.mjs', 'triage.mjs', 'report.mjs', 'import.mjs', 'follow.mjs', 'listen.mjs'],
  );
  for (const [name, code] of examples) await writeFile(join(folder, name), code);
  return (name) => [process.execPath, `${name}.mjs`];
}

describe('the installed TypeScript client against a real server', () => testExamples({ install }));
