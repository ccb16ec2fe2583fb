import assert from 'node:assert/strict';
import { test } from 'node:test';
import { best, fit, marked, readAsked } from './words.ts';

test('prefixes ask for one kind, and a number after # is that of a finding', () => {
  assert.deepEqual(readAsked('> dark'), { text: 'dark', words: ['dark'], only: 'action' });
  assert.deepEqual(readAsked('@Ana'), { text: 'Ana', words: ['ana'], only: 'person' });
  assert.equal(readAsked('#1042').text, 'F-1042');
  assert.equal(readAsked(' log4j  core ').text, 'log4j  core');
});

test('a text that is the words comes before one that begins with them, and that before one that contains them', () => {
  const names = ['my-log4', 'xlog4', 'log4j', 'log4', 'other'];
  assert.deepEqual(
    best(names, (name) => name, ['log4'], 9),
    ['log4', 'log4j', 'my-log4', 'xlog4'],
  );
  assert.equal(fit('a+b (c)', ['+b', '(c']), 1);
});

test('every occurrence of a word is marked, whatever it is made of', () => {
  assert.deepEqual(
    marked('Log4Shell in log4j', ['log4']).filter(({ isMatch }) => isMatch),
    [
      { text: 'Log4', isMatch: true },
      { text: 'log4', isMatch: true },
    ],
  );
  assert.deepEqual(
    marked('a.b', ['.']).map(({ text }) => text),
    ['a', '.', 'b'],
  );
});
