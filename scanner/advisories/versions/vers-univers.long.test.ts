import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sampleValues } from '../../../tests/harness/properties.ts';
import { readVersionRange } from './vers.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-univers-'));
after(() => rmSync(folder, { recursive: true }));

/** Versions of each scheme, unordered: close ones, ones with zeros, and pre-releases. */
const versions: Record<string, string[]> = {
  npm: ['0.9.0', '1.0.0-alpha.1', '1.0.0-rc.1', '1.0.0', '1.0.1', '1.2.0', '1.10.0', '2.0.0-beta', '2.0.0', '10.0.0'],
  pypi: ['0.9', '1.0a1', '1.0rc1', '1.0', '1.0.post1', '1.0.1', '1.2', '1.10', '2.0.dev1', '2.0', '1!0.1'],
  deb: ['0.9-1', '1.0~rc1-1', '1.0-1', '1.0-1+b1', '1.0-2', '1.2-1', '1.10-1', '2.0-1'],
  golang: ['v0.9.0', 'v1.0.0-rc.1', 'v1.0.0', 'v1.2.0', 'v1.10.0', 'v2.0.0'],
  maven: ['0.9', '1.0-alpha-1', '1.0-rc1', '1.0', '1.0.1', '1.2', '1.10', '2.0'],
  gem: ['0.9', '1.0.pre1', '1.0', '1.0.1', '1.2', '1.10', '2.0'],
};

const comparators = fc.constantFrom('>=', '>', '<=', '<', '!=', '=');

/** A range with up to three constraints of different versions, in the order of `versions`. */
const rangeOf = (scheme: string) =>
  fc
    .uniqueArray(fc.nat(versions[scheme]!.length - 1), { minLength: 1, maxLength: 3 })
    .chain((indexes) =>
      fc
        .array(comparators, { minLength: indexes.length, maxLength: indexes.length })
        .map((chosen) =>
          indexes.map((index, at) => `${chosen[at]}${versions[scheme]![index]!.replace('!', '%21')}`.replace(/^=/, '')),
        ),
    )
    .map((constraints) => `vers:${scheme}/${constraints.join('|')}`);

const program = `
import json, sys
from univers.version_range import VersionRange
out = []
for text, versions in json.load(sys.stdin):
    try:
        read = VersionRange.from_string(text)
        out.append([read.contains(read.version_class(version)) for version in versions])
    except Exception as error:
        out.append(str(error))
print(json.dumps(out))
`;

test('a range contains the same versions as in univers, the reference of the specification', () => {
  const python = join(folder, 'bin/python');
  execFileSync('python3', ['-m', 'venv', folder]);
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', 'univers==32.0.1']);
  const cases = Object.keys(versions).flatMap((scheme, use) =>
    sampleValues(rangeOf(scheme), 200, use).map((text) => [text, versions[scheme]!] as const),
  );
  const output = execFileSync(python, ['-c', program], { input: JSON.stringify(cases), encoding: 'utf8' });
  const differences: string[] = [];
  let compared = 0;
  for (const [at, expected] of (JSON.parse(output) as Array<boolean[] | string>).entries()) {
    const [text, all] = cases[at]!;
    const range = readVersionRange(text);
    // The library refuses some orders of comparators that are valid by the specification's algorithm.
    if (typeof expected === 'string') continue;
    assert.ok(typeof range !== 'string', `${text}: ${String(range)}`);
    compared += 1;
    for (const [index, version] of all.entries())
      if (range.contains(version) !== expected[index]) differences.push(`${text} ${version}: ${expected[index]}`);
  }
  assert.deepEqual(differences, []);
  assert.ok(compared > cases.length / 2, `${compared} of ${cases.length} were compared`);
});
