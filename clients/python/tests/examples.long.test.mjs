import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'node:test';
import { installedPackage } from '../../../scripts/clients/packed-python.mjs';
import { readExamples, testExamples } from '../../conformance/examples.fixture.mjs';

async function install(folder) {
  const { python } = installedPackage();
  const examples = await readExamples(new URL('../README.md', import.meta.url));
  assert.deepEqual(
    [...examples.keys()],
    ['scan.py', 'triage.py', 'report.py', 'import_results.py', 'follow.py', 'listen.py'],
  );
  for (const [name, code] of examples) await writeFile(join(folder, name), code);
  return (name) => [python, name === 'import' ? 'import_results.py' : `${name}.py`];
}

describe('the installed Python client against a real server', () =>
  testExamples({ install, variables: { PYTHONWARNINGS: 'default' }, stop: 'SIGINT' }));
