// Runs test files, each in its own process: two more at a time than there are cores, slowest first.
import { existsSync, globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { withShortFailures } from './explain-failure.mjs';
import { root } from './node.mjs';
import { summarize } from './summary-reporter.mjs';
import { inOrder, keepTimes, listTests, withFolders } from './test-files.mjs';

const { tokens } = parseArgs({ strict: false, allowPositionals: true, tokens: true });
const named = tokens.filter(({ kind }) => kind === 'positional').map(({ value }) => value);
const flags = tokens.filter(({ kind, name }) => kind === 'option' && name !== 'long');
const valuesOf = (flag) => flags.filter(({ name }) => name === flag).map(({ value }) => value);
const long = tokens.some(({ name }) => name === 'long');

const expand = (path) => (existsSync(join(root, path)) ? [path] : globSync(path, { cwd: root }));
const files = named.length > 0 ? [...new Set(withFolders(named, { long }).flatMap(expand))] : listTests({ long });
if (files.length === 0) {
  process.stderr.write(`No test file matches ${named.join(' ')}.\n`);
  process.exit(1);
}
if (process.env.ASSAY_TEST_SEED)
  process.stdout.write(`Generated values have the seed ${process.env.ASSAY_TEST_SEED}.\n`);

const ownFlags = ['test-name-pattern', 'test-skip-pattern', 'test-only', 'test-concurrency', 'test-timeout'];
const toRegExp = (pattern) => {
  const [, body, options] = /^\/(.*)\/([a-z]*)$/.exec(pattern) ?? [undefined, pattern];
  return new RegExp(body, options);
};
const patternsOf = (flag) => (valuesOf(flag).length > 0 ? valuesOf(flag).map(toRegExp) : undefined);

const results = run({
  cwd: root,
  files: inOrder(files),
  // Files wait for programs, timers and disks about half of their time.
  concurrency: Number(valuesOf('test-concurrency')[0] ?? availableParallelism() + 2),
  // A test that hangs fails with its name. On a busy machine, the slowest test takes ten times its usual half minute.
  timeout: Number(valuesOf('test-timeout')[0] ?? 900_000),
  testNamePatterns: patternsOf('test-name-pattern'),
  testSkipPatterns: patternsOf('test-skip-pattern'),
  only: flags.some(({ name }) => name === 'test-only'),
  execArgv: [
    '--import',
    new URL('../server/processes/bundled-packages.mjs', import.meta.url).href,
    ...flags
      .filter(({ name }) => !ownFlags.includes(name))
      .map(({ rawName, value }) => `${rawName}${value === undefined ? '' : `=${value}`}`),
  ],
});
/** The seconds of each file. With a pattern, only some tests of a file run. */
const seconds = {};
results.on('test:complete', ({ name, nesting, file, details }) => {
  const isFile = nesting === 0 && file !== undefined && resolve(root, name) === resolve(root, file);
  if (isFile && flags.length === 0) seconds[relative(root, file)] = Math.round(details.duration_ms / 1000);
});
// A crashed file is a failed test with its name.
results.on('test:fail', () => {
  process.exitCode = 1;
});
// The runner attributes unhandled errors to a test.
await pipeline(results, withShortFailures, process.env.CI ? summarize : new spec(), process.stdout, {
  end: false,
}).catch((error) => {
  process.stderr.write(`The results could not be printed: ${error.stack}\n`);
  process.exit(1);
});
// A failed file ended early.
if (process.exitCode !== 1) keepTimes(seconds);
