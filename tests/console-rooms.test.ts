import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';

const console = resolve(import.meta.dirname, '../console');

/** The rooms that each room may import. */
const rooms: Record<string, string[]> = {
  'paths.ts': [],
  api: [],
  filters: ['api', 'ui'],
  list: ['api', 'ui'],
  ui: ['api'],
  charts: ['ui'],
  keys: ['ui'],
  features: ['paths.ts', 'api', 'filters', 'list', 'ui', 'charts', 'keys'],
  shell: ['paths.ts', 'api', 'ui', 'keys', 'features'],
  'first-requests.ts': ['paths.ts', 'api', 'filters', 'features'],
  'first-requests.test.ts': ['first-requests.ts'],
  'early.ts': ['api', 'first-requests.ts'],
  'pages.ts': ['paths.ts', 'features'],
  'loaders.ts': ['api', 'filters', 'features', 'pages.ts'],
  'routes.tsx': ['paths.ts', 'api', 'ui', 'shell', 'pages.ts', 'loaders.ts'],
  'render.tsx': ['api', 'ui'],
  'signed-in.tsx': ['paths.ts', 'api', 'routes.tsx', 'render.tsx'],
  'signed-out.tsx': ['pages.ts', 'render.tsx'],
  'design.tsx': ['api', 'features', 'render.tsx'],
  'main.tsx': ['paths.ts', 'theme.css', 'ui', 'signed-in.tsx', 'signed-out.tsx', 'design.tsx'],
};

/** The files of a feature that other features use, and those features. */
const shared: Record<string, { files: string[]; by: string[] }> = {
  findings: {
    files: [
      'actions.tsx',
      'density.ts',
      'due.tsx',
      'marks.tsx',
      'source-url.ts',
      'use-triage.tsx',
      'views.ts',
      'words.ts',
    ],
    by: [
      'decisions',
      'design',
      'organization',
      'overview',
      'profile',
      'reports',
      'scans',
      'schedules',
      'search',
      'start',
    ],
  },
  scans: {
    files: ['marks.tsx', 'messages.tsx', 'queries.ts', 'running-scan.tsx', 'scan-table.tsx', 'words.ts'],
    by: ['data-sources', 'design', 'overview', 'schedules', 'start'],
  },
  decisions: {
    files: ['demotion.tsx', 'limits.ts', 'queries.ts', 'requests.tsx', 'words.ts'],
    by: ['audit', 'findings', 'overview', 'search'],
  },
  feeds: { files: ['feed-note.tsx'], by: ['data-sources', 'findings', 'overview', 'scans'] },
  profile: { files: ['recent-password.tsx', 'scope-words.ts'], by: ['organization'] },
  'sign-in': { files: ['frame.tsx'], by: ['profile'] },
  schedules: { files: ['columns.tsx', 'timetable-fields.tsx', 'timetable.ts'], by: ['reports'] },
};

const files = readdirSync(console, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && !/^(dist|node_modules)\b/.test(file))
  .map((file) => join(console, file));

const importPattern = /^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import '([^']+)'|import\('([^']+)'\)/gms;

/** Own files as paths, packages as names. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(importPattern)]
    .map((match) => match[1] ?? match[2] ?? match[3]!)
    .map((name) => (name.startsWith('.') ? resolve(dirname(file), name) : name));

const shown = (file: string) => relative(console, file);
const roomOf = (file: string) => shown(file).split(sep)[0]!;
/** The page that a file belongs to; undefined outside of features/. */
const featureOf = (file: string) => (roomOf(file) === 'features' ? shown(file).split(sep)[1] : undefined);

const wrongImports = (isWrong: (file: string, target: string) => boolean): string[] =>
  files.flatMap((file) =>
    importsOf(file)
      .filter((target) => isWrong(file, target))
      .map((target) => `${shown(file)} imports ${target.startsWith(console) ? shown(target) : target}`),
  );
const isOwn = (target: string) => target.startsWith(console);

test('every file of the console is in a room', () => {
  assert.deepEqual(
    files.map(roomOf).filter((room) => rooms[room] === undefined),
    [],
  );
});

test('a room imports only itself and the rooms below it', () => {
  const isWrong = (file: string, target: string) =>
    isOwn(target) && roomOf(target) !== roomOf(file) && !rooms[roomOf(file)]?.includes(roomOf(target));
  assert.deepEqual(wrongImports(isWrong), []);
});

test('a feature uses only what another one shares with it, and nothing is shared without a use', () => {
  const used = new Set<string>();
  const isWrong = (file: string, target: string) => {
    const [own, other] = [featureOf(file), featureOf(target)];
    if (own === undefined || other === undefined || own === other) return false;
    const name = relative(join(console, 'features', other), target);
    used.add(`${other}/${name}`).add(`${other} by ${own}`);
    return !shared[other]?.files.includes(name) || !shared[other].by.includes(own);
  };
  assert.deepEqual(wrongImports(isWrong), []);
  const declared = Object.entries(shared).flatMap(([feature, { files: names, by }]) => [
    ...names.map((name) => `${feature}/${name}`),
    ...by.map((other) => `${feature} by ${other}`),
  ]);
  assert.deepEqual(
    declared.filter((entry) => !used.has(entry)),
    [],
  );
});

test('no files of the console import each other in a circle, types included', () => {
  const visited = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: string[]) => {
    const start = path.indexOf(file);
    if (start >= 0) circles.push([...path.slice(start), file].map(shown).join(' → '));
    if (visited.has(file)) return;
    visited.add(file);
    for (const target of files.includes(file) ? importsOf(file) : []) visit(target, [...path, file]);
  };
  for (const file of files) visit(file, []);
  assert.deepEqual(circles, []);
});

test('only ui/ uses the component library, and only api/ sends requests', () => {
  const isWrong = (file: string, target: string) =>
    target.startsWith('@mantine/') && !['ui', 'main.tsx', 'render.tsx'].includes(roomOf(file));
  assert.deepEqual(wrongImports(isWrong), []);
  const senders = files.filter((file) => /(?<![.\w])fetch\(|new EventSource\(/.test(readFileSync(file, 'utf8')));
  assert.deepEqual([...new Set(senders.map(roomOf))], ['api']);
});

test('a file of the console has at most 400 lines', () => {
  const long = files
    .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > 400)
    .map(({ file, lines }) => `${shown(file)} has ${lines} lines`);
  assert.deepEqual(long, []);
});
