import assert from 'node:assert/strict';
import { test } from 'node:test';

const { faultsOf } = (await import(new URL('../scripts/wording.mjs', import.meta.url).href)) as {
  faultsOf(text: string, options?: { isMarkdown: boolean }): string[];
};

test('comments that open with a question word are found in every language, with their line', () => {
  for (const mark of ['//', '#', '--', '/**', ' *']) {
    for (const word of ['What', 'Who', 'Whoever', 'One that', 'How', 'As', 'Of', 'Has', 'Knows']) {
      const [fault] = faultsOf(`first\n  ${mark} ${word} is in the file.`);
      assert.match(fault ?? '', new RegExp(`^2: opens with "${word}"`), `${mark} ${word}`);
    }
  }
});

test('the examples of the guide are found', () => {
  const wrong = [
    'Keeps what the pages show current by one connection.',
    '/** A part of what is shown of a finding. */',
    "// What is wrong with the body is the sender's to know.",
    '/** Days more for what is in test code. */',
    '// Whoever takes it sees the error.',
    '// What a role may never do is left out.',
    'What was found at one moment, to hand on.',
    'Each may do everything that the ones before it may.',
    'None is running, and none has failed.',
    'separated by commas, in the same order or another on every node, but the same ones',
    '// No id lies between one and the same with a tilde.',
    '/** Chooses the walk of a list. */',
  ];
  for (const text of wrong) assert.notDeepEqual(faultsOf(text), [], text);
});

test('plain words, real questions, headings of a document and words within a sentence are accepted', () => {
  const right = [
    '/** Returns the page of a list. */',
    '// What if the file is empty?',
    '// A list says what it holds.',
    '// Ask whether it was seen before.',
    'const host = "What a day";',
  ];
  for (const text of right) assert.deepEqual(faultsOf(text), [], text);
  assert.deepEqual(faultsOf('# How lists are read', { isMarkdown: true }), []);
});
