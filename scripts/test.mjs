// Runs the tests: all, or the files and flags that are given. Few lines where nobody watches (CI), every test otherwise.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findNode, root } from './node.mjs';

const given = process.argv.slice(2);
const flags = given.filter((argument) => argument.startsWith('-'));
const files = given.filter((argument) => !argument.startsWith('-'));
const reporter = process.env.CI ? join(root, 'scripts', 'summary-reporter.mjs') : 'spec';

// Installs what these files need, and nothing else.
const prepare = [join(root, 'scripts', 'prepare.mjs'), '--test', ...files];
const prepared = spawnSync(process.execPath, prepare, { cwd: root, stdio: 'inherit' });
if (prepared.status !== 0) process.exit(prepared.status ?? 1);

const result = spawnSync(
  findNode(),
  [
    '--test',
    // More than two at once only wait for each other on a small machine, and the figures in failures stop meaning anything.
    '--test-concurrency=2',
    // No single test waits for ever: a hang is a failure with a name. On a machine that is busy otherwise, the longest
    // has taken ten times its usual half minute.
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
  // Every file is a process: what one has made ready for running, the next need not.
  {
    cwd: root,
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'), ...process.env },
  },
);
process.exit(result.status ?? 1);
