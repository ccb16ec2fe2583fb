import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFields, readMessage } from './refusal.ts';

const invalid = {
  code: 'invalid_request',
  message: 'config.url: must not hold blanks (and 2 more: see details)',
  details: [
    { in: 'body' as const, field: 'config.url', message: 'must not hold blanks' },
    { in: 'body' as const, field: 'tags[3]', message: 'must have at most 50 characters' },
    { in: 'body' as const, field: 'tags[4]', message: 'must have at most 50 characters' },
  ],
};

test('a validation error names fields by their labels, has each sentence once, and omits those shown elsewhere', () => {
  assert.equal(readMessage(invalid), 'The URL must not hold blanks. The tags must have at most 50 characters.');
  assert.equal(
    readMessage(invalid, (field) => field.startsWith('tags')),
    'The URL must not hold blanks.',
  );
  assert.deepEqual(readFields(invalid), {
    'config.url': 'Must not hold blanks.',
    'tags[3]': 'Must have at most 50 characters.',
    'tags[4]': 'Must have at most 50 characters.',
  });
});

test('other errors keep their message, and their details are not fields', () => {
  const conflict = { ...invalid, code: 'already_exists', message: 'It is there.' };
  assert.deepEqual([readMessage(conflict), readFields(conflict)], ['It is there.', {}]);
});
