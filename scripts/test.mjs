// Runs the tests: all, or the given files with the given flags. In CI it prints failures and slow tests only.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findNode, root } from './node.mjs';

const given = process.argv.slice(2);
const flags = given.filter((argument) => argument.startsWith('-'));
const files = given.filter((argument) => !argument.startsWith('-'));
const reporter = process.env.CI ? join(root, 'scripts', 'summary-reporter.mjs') : 'spec';

// Installs the programs that these files need, and nothing else.
const prepare = [join(root, 'scripts', 'prepare.mjs'), '--test', ...files];
const prepared = spawnSync(process.execPath, prepare, { cwd: root, stdio: 'inherit' });
if (prepared.status !== 0) process.exit(prepared.status ?? 1);

const result = spawnSync(
  findNode(),
  [
    '--test',
    // More than two at once only wait for each other on a small machine, and the figures in failures stop meaning anything.
    '--test-concurrency=2',
    // A test that hangs fails with its name. On a machine that is busy otherwise, the slowest takes ten times its usual
    // half minute.
    '--test-timeout=900000',
    `--test-reporter=${reporter}`,
    '--test-reporter-destination=stdout',
    ...flags,
    ...(files.length > 0
      ? files
      : [
          'server/**/*.test.ts',
          'tests/**/*.test.ts',
          'clients/**/*.test.ts',
          'console/**/*.test.ts',
          'clients/**/*.test.mjs',
          'docs/**/*.test.mjs',
        ]),
  ],
  // Every file is a process, and the next one uses the code that this one compiled.
  {
    cwd: root,
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'), ...process.env },
  },
);
process.exit(result.status ?? 1);
