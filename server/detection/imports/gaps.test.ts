import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gapsOf, sentencesOn } from './gaps.ts';

const given = { code: { partial: [], uncovered: ['a.py', 'b.py'] } };

test('a file of one branch closes no secrets of a data source that searches all', () => {
  const all = gapsOf(given, 'secrets', { config: { url: 'https://git.example.com/a.git', branches: 'all' } });
  assert.deepEqual(sentencesOn('secrets', all), ['secrets: Only one branch was searched, not all.']);
  assert.deepEqual(gapsOf(given, 'secrets', { config: {} }), { partial: [], uncovered: [] });
});

test('other sources have the gaps that the file names, in sentences', () => {
  const gaps = gapsOf(given, 'code', { config: { branches: 'all' } });
  assert.deepEqual(gaps, given.code);
  assert.deepEqual(sentencesOn('code', gaps), [
    'code: a.py and 1 more could not be checked. Findings there stay as they are.',
  ]);
});
