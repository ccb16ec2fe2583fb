import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coveredNow, scannersOf, targetsOf } from './scope.ts';

const places = [
  { id: 'a', name: 'ledger', kind: 'git_repository' as const, tags: ['production'] },
  { id: 'b', name: 'shop', kind: 'website' as const, tags: ['production', 'public'] },
  { id: 'c', name: 'tools', kind: 'git_repository' as const, tags: [] },
];
const scanner = (
  type: string,
  kind: 'git_repository' | 'website',
  status: 'connected' | 'unavailable' = 'connected',
) => ({
  ...{ type, name: type.toUpperCase(), mode: 'scan' as const, status, data_source_kinds: [kind] },
});
const scanners = [
  scanner('secrets', 'git_repository'),
  scanner('web', 'website'),
  scanner('semgrep', 'git_repository', 'unavailable'),
];
const all = { sources: null, data_sources: null, data_source_tags: null };

test('a schedule’s scanners, data sources and tags are named in one sentence', () => {
  assert.equal(scannersOf(all, String), 'All scanners');
  assert.equal(
    scannersOf({ ...all, sources: ['secrets', 'web'] }, (type) => type.toUpperCase()),
    'SECRETS, WEB',
  );
  const words = (data_sources: string[] | null, data_source_tags: string[] | null) =>
    targetsOf({ sources: null, data_sources, data_source_tags }, places);
  assert.equal(words(null, null), 'All data sources');
  assert.equal(words(null, ['production', 'public']), 'Tagged production or public');
  assert.equal(words(['a'], ['public']), 'ledger, tagged public');
  assert.equal(words([], null), 'None left');
});

test('each scanner counts the data sources that it would scan now', () => {
  const counts = (scope: Partial<typeof all> | object) => {
    const { total, scanners: rows } = coveredNow({ ...all, ...scope }, scanners, places);
    return [total, Object.fromEntries(rows.map(({ name, count }) => [name, count]))];
  };
  assert.deepEqual(counts({}), [3, { SECRETS: 2, WEB: 1 }]);
  assert.deepEqual(counts({ data_source_tags: ['production'] }), [2, { SECRETS: 1, WEB: 1 }]);
  assert.deepEqual(counts({ data_sources: ['c'], data_source_tags: ['public'] }), [2, { SECRETS: 1, WEB: 1 }]);
  assert.deepEqual(counts({ sources: ['web'], data_sources: ['a'] }), [0, {}]);
  assert.deepEqual(counts({ data_sources: [] }), [0, {}]);
});
