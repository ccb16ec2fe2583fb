import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { compareAlpine } from './alpine.ts';
import type { Compare } from './compare.ts';
import { compareCran } from './cran.ts';
import { compareDebian } from './debian.ts';
import { compareMaven } from './maven.ts';
import { compareNuget } from './nuget.ts';
import { comparePackagist } from './packagist.ts';
import { comparePypi } from './pypi.ts';
import { compareRedhat } from './redhat.ts';
import { compareRubygems } from './rubygems.ts';
import { compareSemver } from './semver.ts';

const orders: Record<string, Compare> = {
  alpine: compareAlpine,
  cran: compareCran,
  debian: compareDebian,
  maven: compareMaven,
  nuget: compareNuget,
  packagist: comparePackagist,
  pypi: comparePypi,
  redhat: compareRedhat,
  rubygems: compareRubygems,
  semver: compareSemver,
};

const signOf = { '<': -1, '=': 0, '>': 1 } as const;

function wrongPairs(compare: Compare, text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const pair = /^(?!#|\/\/)(\S+)\s+([<=>])\s+(\S+)\s*$/.exec(line);
    if (!pair) return [];
    const [, one, sign, other] = pair as unknown as [string, string, keyof typeof signOf, string];
    const [order, reverse] = [Math.sign(compare(one, other)), Math.sign(compare(other, one))];
    return order === signOf[sign] && reverse + signOf[sign] === 0 ? [] : [line];
  });
}

const data = process.env.ASSAY_TEST_DATA ? join(process.env.ASSAY_TEST_DATA, 'versions') : null;
const skip = data && existsSync(data) ? false : 'ASSAY_TEST_DATA names no directory with versions';

for (const file of skip ? [] : readdirSync(data!)) {
  test(`every pair of ${file} is in its ecosystem's order`, () => {
    const compare = orders[file.split('-', 1)[0]!]!;
    assert.deepEqual(wrongPairs(compare, readFileSync(join(data!, file), 'utf8')), []);
  });
}
test('pairs of versions from other sources are in order', { skip }, () => {});

const own: Record<string, string> = {
  semver:
    '1.0.0-rc.1 < 1.0.0\n1.0.0-2 < 1.0.0-10\n1.0.0-9 < 1.0.0-a\nv1.2 = 1.2.0+x\n0.0.0-20210101000000-abc < 0.0.0-20220101000000-aaa',
  pypi: '1.0.dev1 < 1.0a1\n1.0a1 < 1.0\n1.0 < 1.0.post1\n1.0 = 1\n2024.1 < 1!0.1\n1.0+local > 1.0\n1.0-1 = 1.0.post1',
  maven:
    '1.0-alpha-1 < 1.0-beta\n1.0-SNAPSHOT < 1.0\n1.0.Final = 1\n1.0-rc1 < 1.0\n31.0-android < 31.0-jre\n1.0 < 1.0-sp',
  rubygems: '1.0.0.pre1 < 1.0.0\n1.0.a < 1.0.b\n1.10 > 1.9\n1.0 = 1.0.0',
  nuget: '1.0.0-ALPHA = 1.0.0-alpha\n1.0.0.1 > 1.0.0\n1.0 = 1.0.0.0',
  packagist: '1.0.0-beta1 < 1.0.0-RC1\n1.0.0-RC1 < 1.0.0\n1.0.0 < 1.0.0-pl1\ndev-main < 1.0',
  debian: '1.0~rc1 < 1.0\n1:0.1 > 9\n1.0-1 < 1.0-1+b1',
  alpine: '1.0_rc1 < 1.0\n1.0 < 1.0_p1\n1.0-r1 < 1.0-r10\n1.0a < 1.0b',
  redhat: '1.0~rc1 < 1.0\n1.0-2.el8 > 1.0-1.el9\n1:1.0 > 2.0',
  cran: '1.0-1 < 1.0-2\n1.9 < 1.10',
};

for (const [name, pairs] of Object.entries(own)) {
  test(`versions of ${name} are in its order`, () => assert.deepEqual(wrongPairs(orders[name]!, pairs), []));
}

const piece = fc.constantFrom(
  '0',
  '1',
  '01',
  '10',
  '.',
  '-',
  '_',
  '~',
  '^',
  '+',
  'a',
  'b',
  'rc',
  'alpha',
  'beta',
  'dev',
  'final',
  'r',
  'p',
  'x',
  ':',
  '!',
  '#',
  'é',
);
const version = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''));

for (const [name, compare] of Object.entries(orders)) {
  test(`${name}'s order accepts any text and is antisymmetric`, () => {
    checkProperty(
      fc.property(version, version, (one, other) => {
        assert.equal(Math.sign(compare(one, one)), 0);
        assert.equal(Math.sign(compare(one, other)) + Math.sign(compare(other, one)), 0);
      }),
      { numRuns: 500 },
    );
  });
}
