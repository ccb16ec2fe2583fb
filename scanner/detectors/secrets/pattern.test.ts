import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analysePattern, toJavaScript } from './pattern.ts';

test('the maximum length of a match is known', () => {
  for (const [pattern, length] of [
    ['abc', 3],
    ['a{2,5}b?', 6],
    ['(?:ab|cde){3}', 9],
    ['\\bAK[A-Z0-9]{16}\\b', 18],
    ['\\x41\\u0042', 2],
    ['[^\\]\\n]{4}', 4],
    ['(?<secret>a|bc)$', 2],
    ['a+', Infinity],
    ['a{2,}', Infinity],
  ] as const) {
    assert.equal(analysePattern(pattern).maxLength, length, pattern);
  }
});

test('patterns that can match across lines are distinguished from those that cannot', () => {
  for (const pattern of ['a\\s', '[^a]', '[\\s\\S]', '\\n', '\\W', '[a\\n]']) {
    assert.equal(analysePattern(toJavaScript(pattern).source).crossesLines, true, pattern);
  }
  for (const pattern of ['a.b', '[^\\n]', '[^a\\s]', '\\w\\d', '\\S']) {
    assert.equal(analysePattern(toJavaScript(pattern).source).crossesLines, false, pattern);
  }
});

test('repetitions that could make a backtracking engine run away are recognised', () => {
  for (const pattern of ['(?:a+)+', '(?:a*b?)*', '(?:[a-z]+,?){20}', '(a|b+)*']) {
    assert.equal(analysePattern(pattern).nested, true, pattern);
  }
  for (const pattern of ['a+b+', '(?:abc){2,50}', '(?:a{1,3}){1,20}', '(?:a+,){1,5}']) {
    assert.equal(analysePattern(pattern).nested, false, pattern);
  }
});

test('patterns that no linear engine can run are refused', () => {
  for (const pattern of ['(?=a)', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>', '(a', 'a)', '[a']) {
    assert.throws(() => analysePattern(pattern), pattern);
  }
});

test('RE2 syntax keeps its meaning in JavaScript', () => {
  const { source, ignoreCase } = toJavaScript('(?i)(?P<secret>[[:alnum:]_\\s]+)\\S\\z');
  assert.equal(ignoreCase, true);
  assert.equal(source, '(?<secret>[0-9A-Za-z_\\t-\\r ]+)[^\\t-\\r ]$');
  // In JavaScript, `\s` matches the no-break space, whose byte is part of many UTF-8 characters.
  assert.equal(new RegExp(toJavaScript('\\s').source).test('\u00a0'), false);
});
