// Runs test files, each in its own process: two more at a time than there are cores, slowest first.
import { existsSync, globSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { withShortFailures } from './explain-failure.mjs';
import { root } from './node.mjs';
import { printTotals, summarize, totalsAfter } from './summary-reporter.mjs';
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

/** The seconds of each file. With a pattern, only some tests of a file run. */
const seconds = {};

/** Runs files, prints their results, and returns which of them failed. */
async function runFiles(given, concurrency, reporter) {
  const failed = new Set();
  const results = run({
    cwd: root,
    files: given,
    concurrency,
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
  results.on('test:complete', ({ name, nesting, file, details }) => {
    const isFile = nesting === 0 && file !== undefined && resolve(root, name) === resolve(root, file);
    if (isFile && flags.length === 0) seconds[relative(root, file)] = Math.round(details.duration_ms / 1000);
  });
  // A crashed file is a failed test with its name. The runner attributes unhandled errors to a test.
  results.on('test:fail', ({ file }) =>
    failed.add(file === undefined ? 'unknown' : relative(root, resolve(root, file))),
  );
  await pipeline(results, withShortFailures, reporter, process.stdout, { end: false }).catch((error) => {
    process.stderr.write(`The results could not be printed: ${error.stack}\n`);
    process.exit(1);
  });
  return [...failed];
}

/**
 * The number of failed files that CI runs again, alone. A test that failed once on a busy machine is a bug, of the
 * test or of Assay: it is printed, and should be mended, but it doesn't hold up everything else.
 */
const maxRunAgain = 2;

// Files wait for programs, timers and disks about half of their time. More at a time keep the cores no busier.
const concurrency = Number(valuesOf('test-concurrency')[0] ?? availableParallelism() + 2);

/** Returns the time of all processors since the machine started, and the part in which they were idle, in ms. */
function processorTimes() {
  const times = cpus().map(({ times }) => times);
  const all = times.flatMap((time) => Object.values(time)).reduce((sum, ms) => sum + ms, 0);
  return { all, idle: times.reduce((sum, { idle }) => sum + idle, 0) };
}

let failed;
if (process.env.CI) {
  let totals = new Map();
  const before = processorTimes();
  failed = await runFiles(inOrder(files), concurrency, summarize(totals));
  const [all, idle] = [processorTimes().all - before.all, processorTimes().idle - before.idle];
  process.stdout.write(`· The processors were busy ${Math.round(100 - (100 * idle) / all)} % of the time.\n`);
  if (failed.length > 0 && failed.length <= maxRunAgain && failed.every((path) => files.includes(path))) {
    const again = new Map();
    const first = failed;
    process.stdout.write(`Running again what failed, alone: ${first.join(', ')}\n`);
    failed = await runFiles(first, 1, summarize(again));
    for (const path of first.filter((path) => !failed.includes(path)))
      process.stdout.write(`⚠ ${path} failed once and passed when it ran alone. Find out why.\n`);
    totals = totalsAfter(totals, again);
  }
  printTotals(totals);
} else failed = await runFiles(inOrder(files), concurrency, new spec());
// A failed file ended early.
if (failed.length === 0) keepTimes(seconds);
else process.exitCode = 1;
