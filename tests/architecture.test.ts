import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';

const server = resolve(import.meta.dirname, '../server');

/** The slices in the one order in which they may import: a later one an earlier one, never the other way. */
const order = [
  'platform',
  'organization',
  'identity',
  'data-sources',
  'findings',
  'detection',
  'reports',
  'schedules',
  'events',
];

const files = readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
  .map((file) => join(server, file));

const importPattern = /^(?:import|export)\s[^;]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gms;

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(importPattern)].map((match) => resolve(dirname(file), match[1] ?? match[2]!));

/** The slice that a file belongs to; null for the tables of contents in the root. */
function sliceOf(file: string): string | null {
  const [first, ...rest] = relative(server, file).split(sep);
  return rest.length > 0 ? first! : null;
}

const shown = (file: string) => relative(server, file);

test('every folder of the server is a slice that the order names', () => {
  const folders = new Set(files.map(sliceOf).filter((slice) => slice !== null && slice !== 'migrations'));
  assert.deepEqual(
    [...folders].filter((folder) => !order.includes(folder!)),
    [],
  );
});

test('imports run one way', () => {
  const wrong = files.flatMap((file) => {
    const own = sliceOf(file);
    if (own === null || file.endsWith('.test.ts')) return [];
    return importsOf(file)
      .filter((target) => order.indexOf(sliceOf(target) ?? own) > order.indexOf(own))
      .map((target) => `${shown(file)} imports ${shown(target)}`);
  });
  assert.deepEqual(wrong, []);
});

test('a slice takes from the root only its context and the manifest', () => {
  const allowed = ['context.ts', 'package.json'];
  const wrong = files.flatMap((file) =>
    sliceOf(file) === null || file.endsWith('.test.ts')
      ? []
      : importsOf(file)
          .filter((target) => sliceOf(target) === null && !allowed.includes(shown(target)))
          .map((target) => `${shown(file)} imports ${shown(target)}`),
  );
  assert.deepEqual(wrong, []);
});

test('only api.ts imports routes', () => {
  const wrong = files.flatMap((file) =>
    /\.(test|fixture)\.ts$/.test(file)
      ? []
      : importsOf(file)
          .filter((target) => target.endsWith(`${sep}routes.ts`) && shown(file) !== 'api.ts')
          .map((target) => `${shown(file)} imports ${shown(target)}`),
  );
  assert.deepEqual(wrong, []);
});

test('only config.ts reads the environment; programs that we start are given our PATH and no more', () => {
  const reads = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .some((line) => /^[^'"`]*process\.env\b/.test(line) && !/^\s*(\*|\/\/)/.test(line));
  // The sample repository's files hold program text.
  const isSample = (file: string) => file.endsWith('sample-commits.ts');
  const readers = files.filter((file) => !file.endsWith('.test.ts') && !isSample(file) && reads(file)).map(shown);
  assert.deepEqual(readers.sort(), ['config.ts', 'platform/child-process.ts']);
});

const tenantTables = readdirSync(join(server, 'migrations'))
  .filter((file) => file !== 'schema.sql')
  .flatMap((file) => [
    ...readFileSync(join(server, 'migrations', file), 'utf8').matchAll(/^CREATE TABLE (\w+) \(\s*org_id /gm),
  ])
  .map((match) => match[1]!);

test('every statement on a table of organizations names the organization', () => {
  const onTenantTable = new RegExp(`\\b(FROM|JOIN|UPDATE|INTO) (${tenantTables.join('|')})\\b`);
  const forgetful = files
    .filter((file) => !/\.(test|fixture)\.ts$/.test(file))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/`[^`]*`|'[^'\n]*'/g)]
        .map(([text]) => text)
        .filter((text) => onTenantTable.test(text) && !/org_id|\$\{/.test(text))
        .map((text) => `${shown(file)}: ${text.replace(/\s+/g, ' ').slice(0, 100)}`),
    );
  assert.ok(tenantTables.length > 10);
  assert.deepEqual(forgetful, []);
});
