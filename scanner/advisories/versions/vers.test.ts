import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVersionRange } from './vers.ts';

function versionsIn(range: string, versions: string[]): string[] {
  const read = readVersionRange(range);
  assert.ok(typeof read !== 'string', String(read));
  return versions.filter((version) => read.contains(version));
}

test('a range contains the versions between its bounds, inclusive or exclusive', () => {
  const versions = ['0.9.0', '1.0.0', '1.5.0', '2.0.0-rc.1', '2.0.0', '2.1.0'];
  for (const [range, expected] of [
    ['vers:npm/>=1.0.0|<2.0.0', ['1.0.0', '1.5.0', '2.0.0-rc.1']],
    ['vers:npm/>1.0.0|<=2.0.0', ['1.5.0', '2.0.0-rc.1', '2.0.0']],
    ['vers:npm/<1.0.0|>=2.1.0', ['0.9.0', '2.1.0']],
    ['vers:npm/1.5.0', ['1.5.0']],
    ['vers:npm/=1.5.0|2.0.0', ['1.5.0', '2.0.0']],
    ['vers:npm/>=1.0.0|!=1.5.0|<2.0.0', ['1.0.0', '2.0.0-rc.1']],
    ['vers:npm/<2.0.0|>=1.0.0', ['1.0.0', '1.5.0', '2.0.0-rc.1']],
    ['vers:npm/*', versions],
    ['vers:npm/!=1.5.0', ['0.9.0', '1.0.0', '2.0.0-rc.1', '2.0.0', '2.1.0']],
  ] as const)
    assert.deepEqual(versionsIn(range, versions), expected, range);
});

test('versions are compared by the rules of their ecosystem', () => {
  assert.deepEqual(versionsIn('vers:pypi/<1.0', ['1.0rc1', '1.0.post1', '1!0.5']), ['1.0rc1']);
  assert.deepEqual(versionsIn('vers:maven/<1.0', ['1.0-SNAPSHOT', '1.0-1']), ['1.0-SNAPSHOT']);
  assert.deepEqual(versionsIn('vers:deb/<1%3A2.0-1', ['9.0', '1:1.9', '1:2.0-1']), ['9.0', '1:1.9']);
  assert.deepEqual(versionsIn('vers:golang/>=v1.10.0', ['v1.9.0', 'v1.10.1']), ['v1.10.1']);
});

test('a range that cannot be read says why', () => {
  for (const [range, why] of [
    ['>=1.0.0', /must be a range/],
    ['vers:npm/', /must be a range/],
    ['vers:npm/>=1.0.0 |<2', /must be a range/],
    ['vers:cobol/1', /scheme cobol/],
    ['vers:npm/>=', /">="/],
    ['vers:npm/*|1', /"\*"/],
    ['vers:npm/%ZZ', /"%ZZ"/],
    ['vers:npm/>=1.0.0|<1.0.0', /1\.0\.0 twice/],
  ] as const)
    assert.match(String(readVersionRange(range)), why, range);
});

test('a range of hundreds of versions is compared with a version by few comparisons', () => {
  const many = Array.from({ length: 500 }, (_, index) => index);
  const range = `vers:npm/${many.join('|')}`;
  const started = process.cpuUsage().user;
  const versions = Array.from({ length: 20_000 }, (_, index) => `${index % 1_000}.0.${index % 2}`);
  assert.equal(versionsIn(range, versions).length, 5_000);
  assert.ok(process.cpuUsage().user - started < 2_000_000);
});
