// Shortens failures: prints only the parts in which two large values differ, instead of the runner's dump, and the
// line of code that read a property of undefined.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { root } from './node.mjs';

/** The runner's output for smaller values is readable. */
const maxShownLength = 1_500;

const maxDifferences = 10;

const show = (value) => {
  const text = inspect(value, { depth: 4, breakLength: Number.POSITIVE_INFINITY });
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

const isObject = (value) => typeof value === 'object' && value !== null;

/** Returns the items of a list that are missing in the other one, counting duplicates. */
function itemsWithout(items, others) {
  const left = new Map();
  for (const other of others) left.set(show(other), (left.get(show(other)) ?? 0) + 1);
  return items.map(show).filter((item) => {
    const count = left.get(item) ?? 0;
    left.set(item, count - 1);
    return count <= 0;
  });
}

function* differencesOfLists(actual, expected, path) {
  const missing = itemsWithout(expected, actual);
  const unexpected = itemsWithout(actual, expected);
  if (actual.length === expected.length && missing.length > 0 && actual.some(isObject)) {
    yield* differencesOfMembers(actual, expected, path);
    return;
  }
  for (const item of missing) yield `${path} lacks ${item}`;
  for (const item of unexpected) yield `${path} has ${item}, which is not expected`;
  if (missing.length > 0 || unexpected.length > 0) return;
  const at = actual.findIndex((item, index) => show(item) !== show(expected[index]));
  if (at >= 0) yield `${path} has another order: at ${at} it has ${show(actual[at])} instead of ${show(expected[at])}`;
}

function* differencesOfMembers(actual, expected, path) {
  for (const [name, value] of Object.entries(expected)) {
    if (!Object.hasOwn(actual, name)) yield `${path} lacks ${name}: ${show(value)}`;
    else yield* differencesOf(actual[name], value, `${path}.${name}`);
  }
  for (const [name, value] of Object.entries(actual))
    if (!Object.hasOwn(expected, name)) yield `${path} has ${name}, which is not expected: ${show(value)}`;
}

const listOf = (value) => (value instanceof Set || value instanceof Map ? [...value] : value);

function* differencesOf(givenActual, givenExpected, path) {
  const [actual, expected] = [listOf(givenActual), listOf(givenExpected)];
  if (Array.isArray(actual) && Array.isArray(expected)) yield* differencesOfLists(actual, expected, path);
  else if (isObject(actual) && isObject(expected)) yield* differencesOfMembers(actual, expected, path);
  else if (show(actual) !== show(expected)) yield `${path} is ${show(actual)} instead of ${show(expected)}`;
}

/** Returns a line for each part in which the values differ, at most ten; null if there is no short description. */
export function explainDifference(actual, expected) {
  if (!isObject(actual) || !isObject(expected)) return null;
  const differences = [...differencesOf(actual, expected, 'the value')];
  if (differences.length === 0) return null;
  const more = differences.length - maxDifferences;
  return [...differences.slice(0, maxDifferences), ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

const isLarge = (value) => inspect(value, { depth: 6, maxArrayLength: 500 }).length > maxShownLength;

/** Returns the error of a failed comparison, with the differing parts of large values instead of their dump. */
export function shortened(error) {
  if (error?.name !== 'AssertionError' || !(isLarge(error.actual) || isLarge(error.expected))) return error;
  const difference = explainDifference(error.actual, error.expected);
  if (difference === null) return error;
  const [said] = error.generatedMessage ? ['The values differ'] : error.message.split('\n+ actual - expected');
  const short = new Error(`${said}:\n${difference}`);
  const places = error.stack?.match(/^ +at .*$/gm) ?? [];
  short.stack = [`AssertionError: ${short.message}`, ...places].join('\n');
  return short;
}

/** Adds the line of code to an error that only says that something was undefined. */
export function withLine(error) {
  if (error?.name !== 'TypeError' || !/undefined|null/.test(error.message)) return error;
  const [, url, line] = /^ +at .*?(file:[^()\s]+):(\d+):\d+\)?$/m.exec(error.stack ?? '') ?? [];
  const path = url && fileURLToPath(url);
  if (!path?.startsWith(root) || !existsSync(path)) return error;
  const code = readFileSync(path, 'utf8').split('\n')[Number(line) - 1]?.trim();
  const explained = new Error(`${error.message}, in ${relative(root, path)}:${line}:\n  ${code}`);
  explained.stack = error.stack.replace(error.message, explained.message);
  return explained;
}

/** Passes the events of a run on to a reporter, with shortened failures. */
export async function* withShortFailures(events) {
  for await (const event of events) {
    const { error } = event.data.details ?? {};
    if (event.type === 'test:fail' && error?.cause) error.cause = withLine(shortened(error.cause));
    yield event;
  }
}
