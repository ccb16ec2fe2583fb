import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shapePattern, shapePlaceholder, shapePrefix, shapeSample } from './shape.ts';

const shapes = [
  'glsa_{alnum:32}_{hex:8}',
  'sk-proj-{url:58}T3BlbkFJ{url:58}',
  '{b64:86}==',
  'api-{uuid}',
  'access$live${lower:16-20}',
];

test('a sample has its shape, and no other length fits', () => {
  for (const shape of shapes) {
    const pattern = new RegExp(`^(?:${shapePattern(shape)})$`);
    assert.match(shapeSample(shape), pattern);
    assert.doesNotMatch(shapeSample(shape, -1), pattern);
    assert.doesNotMatch(shapeSample(shape, 1), pattern);
  }
});

test('samples are the same in every run and start with the literal prefix', () => {
  for (const shape of shapes) {
    assert.equal(shapeSample(shape), shapeSample(shape));
    assert.ok(shapeSample(shape).startsWith(shapePrefix(shape)));
    assert.ok(shapePlaceholder(shape).startsWith(shapePrefix(shape)));
  }
});

test('an unknown alphabet is refused', () => {
  assert.throws(() => shapePattern('x_{klingon:4}'), /Unknown alphabet/);
});
