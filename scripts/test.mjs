// Runs the tests. Plain JavaScript for the machine's own Node.js.
//   npm test                  every guarantee once
//   npm run test:long         the long tests: kills in bulk, five minutes of soak, long fuzzing, third-party software
//   … -- FILE… [FLAG…]        these files, folders or patterns, with Node.js flags such as --test-name-pattern=…
// In CI it only prints failures and slow tests. ASSAY_TEST_SEED=N repeats the generated values of an earlier run.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { findNode, root } from './node.mjs';
import { listTests, withFolders } from './test-files.mjs';

const long = process.argv.includes('--long');
const given = process.argv.slice(2).filter((argument) => argument !== '--long');
const files = given.filter((argument) => !argument.startsWith('-'));

function run(program, ...args) {
  const env = {
    // Every file is a process, and later ones use the code that it compiled.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
    ASSAY_TEST_SEED: String(randomInt(1, 2 ** 31)),
    ASSAY_TEST_PROPERTIES: process.env.ASSAY_TEST_SEED ? 'repeated' : long ? 'long' : 'short',
    ...process.env,
  };
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}

// Installs only the programs that these files need.
const prepare = join(root, 'scripts', 'prepare.mjs');
run(process.execPath, prepare, '--test', ...(files.length > 0 ? withFolders(files, { long }) : listTests({ long })));
run(findNode(), join(root, 'scripts', 'run-tests.mjs'), ...(long ? ['--long'] : []), ...given);
