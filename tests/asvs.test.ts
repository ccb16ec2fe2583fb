import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

/** The last requirement number of each section, and the requirements of level 3. */
const sections: Record<string, { last: number; without?: number[] }> = {
  '1.1': { last: 2 },
  '1.2': { last: 9 },
  '1.3': { last: 11 },
  '1.4': { last: 3 },
  '1.5': { last: 2 },
  '2.1': { last: 3 },
  '2.2': { last: 3 },
  '2.3': { last: 4 },
  '2.4': { last: 1 },
  '3.2': { last: 2 },
  '3.3': { last: 4 },
  '3.4': { last: 6 },
  '3.5': { last: 5 },
  '3.7': { last: 2 },
  '4.1': { last: 3 },
  '4.2': { last: 1 },
  '4.3': { last: 2 },
  '4.4': { last: 4 },
  '5.1': { last: 1 },
  '5.2': { last: 3 },
  '5.3': { last: 2 },
  '5.4': { last: 3 },
  '6.1': { last: 3 },
  '6.2': { last: 12 },
  '6.3': { last: 4 },
  '6.4': { last: 4 },
  '6.5': { last: 5 },
  '6.6': { last: 3 },
  '6.8': { last: 4 },
  '7.1': { last: 3 },
  '7.2': { last: 4 },
  '7.3': { last: 2 },
  '7.4': { last: 5 },
  '7.5': { last: 2 },
  '7.6': { last: 2 },
  '8.1': { last: 2 },
  '8.2': { last: 3 },
  '8.3': { last: 1 },
  '8.4': { last: 1 },
  '9.1': { last: 3 },
  '9.2': { last: 4 },
  '10.1': { last: 2 },
  '10.2': { last: 2 },
  '10.3': { last: 4 },
  '10.4': { last: 11 },
  '10.5': { last: 5 },
  '10.6': { last: 2 },
  '10.7': { last: 3 },
  '11.1': { last: 2 },
  '11.2': { last: 3 },
  '11.3': { last: 3 },
  '11.4': { last: 4 },
  '11.5': { last: 1 },
  '11.6': { last: 1 },
  '12.1': { last: 3 },
  '12.2': { last: 2 },
  '12.3': { last: 4 },
  '13.1': { last: 1 },
  '13.2': { last: 5 },
  '13.3': { last: 2 },
  '13.4': { last: 5 },
  '14.1': { last: 2 },
  '14.2': { last: 4 },
  '14.3': { last: 3 },
  '15.1': { last: 3 },
  '15.2': { last: 3 },
  '15.3': { last: 7 },
  '16.1': { last: 1 },
  '16.2': { last: 5 },
  '16.3': { last: 4 },
  '16.4': { last: 3 },
  '16.5': { last: 3 },
  '17.1': { last: 1 },
  '17.2': { last: 4 },
  '17.3': { last: 2 },
};

/** The numbers of the requirements of levels 1 and 2 in version 5.0.0. */
const numbers = Object.entries(sections).flatMap(([section, { last, without = [] }]) =>
  Array.from({ length: last }, (_, index) => index + 1)
    .filter((number) => !without.includes(number))
    .map((number) => `${section}.${number}`),
);

const states = ['met', 'met (documented)', 'partly', 'not met', 'not applicable', "operator's"];

const page = readFileSync(join(root, 'docs/security-model.md'), 'utf8').split('\n## OWASP ASVS 5.0.0\n')[1] ?? '';
const rows = page
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [number = '', words = '', state = '', how = '', shownBy = '', ...rest] = line.slice(2, -2).split(' | ');
    return { number, words, state, how, shownBy, rest };
  });

test('every requirement of levels 1 and 2 of ASVS 5.0.0 is in the table of docs/security-model.md, once', () => {
  assert.equal(numbers.length, 253);
  assert.deepEqual(
    rows.map(({ number }) => number),
    numbers,
  );
});

test('every requirement has a state and says how it is met, or why it is not', () => {
  for (const { number, words, state, how, shownBy, rest } of rows) {
    assert.ok(states.includes(state), `${number}: ${state}`);
    assert.ok(words.length > 5 && how.length > 10, `${number} says nothing.`);
    assert.deepEqual(rest, [], `${number} has too many cells.`);
    if (state.startsWith('met')) assert.notEqual(shownBy, 'none', `${number} is met and names no test.`);
  }
});

/** Returns whether a file contains a text as a complete string: the name of a test, or of a group of tests. */
function hasName(file: string, name: string): boolean {
  const text = readFileSync(join(root, file), 'utf8');
  return ["'", '"', '`'].some((quote) => text.includes(`${quote}${name.replaceAll(quote, `\\${quote}`)}${quote}`));
}

test('every test that the table names exists', () => {
  const missing: string[] = [];
  let count = 0;
  for (const { number, shownBy } of rows) {
    if (shownBy === 'none') continue;
    for (const entry of shownBy.split('<br>')) {
      const [, file, name] = /^`([^`]+\.test\.(?:ts|mjs))`: “(.+)”$/.exec(entry) ?? [];
      if (!file || !name || !existsSync(join(root, file)) || !hasName(file, name)) missing.push(`${number}: ${entry}`);
      count += 1;
    }
  }
  assert.ok(count > 200, `${count}`);
  assert.deepEqual(missing, [], 'Name a test that exists, or change the state.');
});
