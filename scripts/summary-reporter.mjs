// A reporter for logs: failures in full, slow files by name, the time of each lane, and the runner's closing lines.
import { appendFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { inspect } from 'node:util';
import { root } from './node.mjs';
import { laneOf, slowTests } from './test-files.mjs';

const slowMs = 60_000;

const seconds = (ms) => `${Math.round(ms / 1000)} s`;

/** The part of a file's standard error that is stored in case it crashes. */
const maxErrorOutput = 4_000;

function describeFailure({ name, file, line, details }, errorOutput = '') {
  const place = file ? ` (${relative(process.cwd(), file)}:${line})` : '';
  const { cause, exitCode, signal } = details.error ?? {};
  // A crashed file reports no error itself.
  const how = signal ? `was ended by ${signal}` : `ended with code ${exitCode}`;
  const ended = `The process ${how}.\n${errorOutput}`.trimEnd();
  const text = cause === 'test failed' ? ended : inspect(cause ?? details.error, { depth: 4 });
  return `✖ ${name}${place}\n${text}\n\n`;
}

/** A suite fails because of a test in it, which is reported already. */
const isOwnFailure = ({ details }) => details.error?.failureType !== 'subtestsFailed';

/** The runner reports each file as a test around the tests in it. */
const isFile = ({ name, nesting, file }) => nesting === 0 && file !== undefined && resolve(root, name) === file;

function* describeSlow(path, ms, known) {
  if (ms > slowMs && !(path in known)) yield `· ${path} took ${seconds(ms)} and is not in scripts/slow-tests.json\n`;
}

function describeLanes(files) {
  const lanes = new Map();
  for (const [path, ms] of files) {
    const lane = lanes.get(laneOf(path)) ?? { files: 0, ms: 0 };
    lanes.set(laneOf(path), { files: lane.files + 1, ms: lane.ms + ms });
  }
  const slowestFirst = [...lanes].sort(([, a], [, b]) => b.ms - a.ms);
  return slowestFirst.map(([name, lane]) => `· ${name}: ${seconds(lane.ms)} in ${lane.files} files\n`).join('');
}

/** When several runs follow each other, `test-totals.mjs` prints the runner's closing lines for all of them. */
const totalsFile = process.env.ASSAY_TEST_TOTALS;

/** Prints the runner's closing lines from the figures of a run: tests, suites, pass, fail and so on. */
export function printTotals(totals) {
  const lines = [...totals].map(([name, figure]) => `${name} ${figure}\n`);
  if (totalsFile) appendFileSync(totalsFile, lines.join(''));
  process.stdout.write(lines.map((line) => (totalsFile ? `  ${line}` : `ℹ ${line}`)).join(''));
}

/** Returns the figures of a run after its failed files ran again, alone, with these figures. */
export function totalsAfter(first, again) {
  const of = (totals, name) => totals.get(name) ?? 0;
  const failed = (totals) => of(totals, 'fail') + of(totals, 'cancelled');
  return new Map([
    ...first,
    ['pass', of(first, 'pass') + failed(first) - failed(again)],
    ['fail', of(again, 'fail')],
    ['cancelled', of(again, 'cancelled')],
    ['duration_ms', of(first, 'duration_ms') + of(again, 'duration_ms')],
  ]);
}

/** Prints the failures of a run, and stores the figures of its closing lines in `totals`. */
export const summarize = (totals) => (events) => describeRun(events, totals);

async function* describeRun(events, totals) {
  const known = slowTests();
  const files = new Map();
  const errorOutputs = new Map();
  let isClosing = false;
  for await (const { type, data } of events) {
    const file = data.file && resolve(root, data.file);
    if (type === 'test:stderr')
      errorOutputs.set(file, `${errorOutputs.get(file) ?? ''}${data.message}`.slice(-maxErrorOutput));
    if (type === 'test:fail' && isOwnFailure(data)) yield describeFailure(data, errorOutputs.get(file));
    if (type === 'test:complete' && isFile(data)) {
      const path = relative(root, data.file);
      files.set(path, data.details.duration_ms);
      yield* describeSlow(path, data.details.duration_ms, known);
    }
    if (type !== 'test:diagnostic' || data.nesting !== 0 || data.file !== undefined) continue;
    if (!isClosing && files.size > 1) yield describeLanes(files);
    isClosing = true;
    const [name, figure] = data.message.split(' ');
    totals.set(name, Number(figure));
  }
}
