import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIgnoreComments } from './ignore-comments.ts';

const mark = 'assay:ignore';
const find = (text: string, line: number, rule = 'js-eval') => readIgnoreComments(text).find(line, [rule])?.reason;

test('a comment applies to its line, and a comment on a separate line also to the next', () => {
  for (const comment of [
    `// ${mark} js-eval Made by us.`,
    `  # ${mark} js-eval Made by us.`,
    `/* ${mark} js-eval Made by us. */`,
    `<!-- ${mark} js-eval Made by us. -->`,
    `{{/* ${mark} js-eval Made by us. */}}`,
    `-- ${mark} js-eval Made by us.\r`,
    `"//": "${mark} js-eval Made by us.",`,
  ]) {
    assert.equal(find(`x\n${comment}\neval(x)\n`, 3), 'Ignored in the code: Made by us.', comment);
    assert.equal(find(`x\n${comment}\ny\neval(x)\n`, 4), undefined, comment);
  }
  const trailing = `eval(x) // ${mark} js-eval Made by us.\neval(y)\n`;
  assert.equal(find(trailing, 1), 'Ignored in the code: Made by us.');
  assert.equal(find(trailing, 2), undefined);
});

test('a comment needs a rule and a reason, and applies only to its rules', () => {
  for (const comment of [`// ${mark}`, `// ${mark} js-eval`, `// ${mark} js-eval */`, `// ${mark} js-eval -- !`]) {
    const comments = readIgnoreComments(`${comment}\neval(x)\n`);
    assert.equal(comments.find(2, ['js-eval']), null, comment);
    assert.deepEqual(comments.incomplete, [1], comment);
  }
  const two = `// ${mark} JS-eval, other Known to us.\n`;
  assert.ok(find(two, 1));
  assert.ok(find(two, 1, 'Other'));
  assert.equal(find(two, 1, 'js'), undefined);
});
