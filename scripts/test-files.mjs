// Lists the test files, and sorts them in the order in which they run. Plain JavaScript for the machine's own
// Node.js.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './node.mjs';

const folders = ['scanner', 'server', 'tests', 'clients', 'console', 'docs'];
const isTest = (path) => /\.test\.(ts|mjs)$/.test(path) && !path.includes('node_modules');

/** Tests that take minutes, kill processes in bulk or need third-party software are marked in their file's name. */
const isLong = (path) => /\.long\.test\.(ts|mjs)$/.test(path);

const readText = (path) => readFileSync(join(root, path), 'utf8');

/** Returns whether a file checks properties of generated values; a long run tries more of them. */
const hasProperties = (path) => /^import .*\bcheckProperty\b.*from '.*\/properties\.ts';$/m.test(readText(path));

function filesIn(folder) {
  const entries = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return entries.map((entry) => join(folder, entry)).filter(isTest);
}

/** Returns the test files of a lane, relative to the root: every guarantee once, or the long tests. */
export function listTests({ long = false } = {}) {
  const files = folders.flatMap(filesIn);
  return long ? files.filter((path) => isLong(path) || hasProperties(path)) : files.filter((path) => !isLong(path));
}

/** Returns the command's arguments with folders replaced by the tests in them; patterns stay. */
export function withFolders(given, { long = false } = {}) {
  const isFolder = (path) => existsSync(join(root, path)) && statSync(join(root, path)).isDirectory();
  return given.flatMap((argument) => {
    const path = relative(root, join(root, argument));
    return isFolder(path) ? filesIn(path).filter((file) => isLong(file) === long) : [path];
  });
}

/** The approximate seconds of the slowest files on two quiet cores. They only determine the order. */
export const slowTests = () => JSON.parse(readText('scripts/slow-tests.json'));

const measuredTimes = join(root, 'node_modules', '.cache', 'test-seconds.json');

/** The seconds that files took in their last run here. */
const measured = () => (existsSync(measuredTimes) ? JSON.parse(readFileSync(measuredTimes, 'utf8')) : {});

export function keepTimes(seconds) {
  mkdirSync(dirname(measuredTimes), { recursive: true });
  writeFileSync(measuredTimes, JSON.stringify({ ...measured(), ...seconds }));
}

/** Returns the files, slowest first: a slow file that started last would run alone. */
export function inOrder(files, seconds = { ...slowTests(), ...measured() }) {
  const secondsOf = (path) => seconds[path] ?? 0;
  return [...files].sort((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1));
}

/** Returns the lane of a file: a slice of the server, a room of the scanner, or another folder. */
export function laneOf(path) {
  const [first, second, third] = path.split('/');
  return ['scanner', 'server', 'tests', 'clients'].includes(first) && third !== undefined
    ? `${first}/${second}`
    : first;
}
