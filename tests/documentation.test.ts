import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { test } from 'node:test';
import { builtInSources } from '../scanner/contract/built-in-sources.ts';
import { samples as manifests } from '../scanner/detectors/dependencies/manifests/samples.fixture.ts';
import { formats } from '../scanner/readers/index.ts';
import { listTools } from '../server/detection/external/index.ts';
import { detectors } from '../server/detection/registry.ts';
import { reportFormatNames } from '../server/reports/writers/index.ts';

const root = resolve(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Returns the names in backticks in the first column of the table whose heading starts with `heading`. */
function namesInTable(page: string, heading: string): string[] {
  const [, table] = read(page).split(`\n| ${heading} |`);
  assert.ok(table, `${page} has no table that begins with “| ${heading} |”`);
  const rows = table.split('\n\n', 1)[0]!.split('\n').slice(2);
  return rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!));
}

const tables: Array<[what: string, page: string, heading: string, names: readonly string[]]> = [
  ['result format', 'docs/result-formats.md', '`format`', formats.map(({ name }) => name)],
  ['report format', 'docs/reports.md', 'format', reportFormatNames],
  ['shipped tool', 'docs/tools.md', 'source', listTools().map(({ type }) => type)],
];

for (const [what, page, heading, names] of tables) {
  test(`every ${what} has its row in ${page}, and every row its ${what}`, () => {
    const documented = namesInTable(page, heading);
    const missing = names.filter((name) => !documented.includes(name));
    const unknown = documented.filter((name) => !names.includes(name));
    assert.deepEqual({ missing, unknown }, { missing: [], unknown: [] }, `Add or remove these rows of ${page}.`);
  });
}

test('every supported manifest is named in docs/dependencies.md', () => {
  const [, section] = read('docs/dependencies.md').split('\n## What it reads\n');
  const patterns = [...section!.split('\n\n', 1)[0]!.matchAll(/`([^`]+)`/g)].map(
    ([, name]) => new RegExp(`(^|/)${name!.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`),
  );
  const missing = manifests.map(({ path }) => path).filter((path) => !patterns.some((pattern) => pattern.test(path)));
  assert.deepEqual(missing, [], 'Name these files in the table “What it reads”.');
});

test('every built-in detection source has its detector, its page in docs/ and its link in the README', () => {
  assert.deepEqual(
    detectors.map(({ type }) => type),
    builtInSources,
  );
  const readme = read('README.md');
  const missing = builtInSources
    .map((type) => `docs/${type}.md`)
    .filter((page) => !existsSync(join(root, page)) || !readme.includes(`(${page})`));
  assert.deepEqual(missing, [], 'Write these pages, and link them from “Further reading” in the README.');
});

test('CONTRIBUTING names every folder of the server as a room', () => {
  const rooms = namesInTable('CONTRIBUTING.md', 'room').map((name) => name.replace(/^server\/|\/$/g, ''));
  const folders = readdirSync(join(root, 'server'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => name);
  const missing = folders.filter((folder) => !rooms.includes(folder));
  assert.deepEqual(missing, [], 'Add these folders to the table of rooms.');
});

const decisions = readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`);
const pages = ['CONTRIBUTING.md', 'SECURITY.md', 'docs/README.md', 'docs/architecture.md', ...decisions];

/** The tracked files, for looking up names without their folder. */
const files = ['scanner', 'server', 'scripts', 'tests', 'bench', 'clients', 'docs'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.includes('node_modules'))
    .map((path) => `${folder}/${path}`),
);
const isFile = (name: string): boolean =>
  existsSync(join(root, name)) || files.some((path) => path === name || path.endsWith(`/${name}`));

test('every file and folder that these pages name exists', () => {
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(/`([\w./-]+(?:\.(?:ts|mjs|sql|json|md|typ|sh|yaml|yml)|\/))`/g)]
      .map((match) => match[1]!.replace(/\/$/, ''))
      .filter((name) => !isFile(name) && !/NAME|TYPE|LANGUAGE/.test(name))
      .map((name) => `${page}: ${basename(name) === name ? name : `${name} (from the root, or the end of a path)`}`),
  );
  assert.deepEqual(missing, [], 'Name files as they are, or put what is only an example into another form.');
});

/** Returns the anchors of a page's headings in GitHub's form. */
const anchorsOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('every link of these pages to a heading leads to one', () => {
  const missing = ['README.md', ...pages].flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#]*)#([^)]+)\)/g)]
      .map(([, target, anchor]) => ({ file: resolve(join(root, page), target === '' ? '.' : '..', target!), anchor }))
      .filter(({ file, anchor }) => !anchorsOf(file).includes(anchor!))
      .map(({ file, anchor }) => `${page}: ${file}#${anchor}`),
  );
  assert.deepEqual(missing, []);
});

test('every relative link of these pages leads to a file', () => {
  const missing = ['README.md', ...pages].flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)]
      .map((match) => match[1]!)
      .filter((target) => !existsSync(resolve(join(root, page), '..', target)))
      .map((target) => `${page}: ${target}`),
  );
  assert.deepEqual(missing, []);
});
