import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { ApiError } from '../errors.ts';
import { createCursorCodec, pageOf } from './cursor.ts';

const cursors = createCursorCodec(Buffer.alloc(32, 1));
const binding = { operation: 'list', orgId: 'org_1', filters: { severity: ['high', 'low'], q: 'x' }, sort: '-id' };
const position = fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)), { maxLength: 4 });
const isRefused = (error: unknown) => error instanceof ApiError && error.code === 'invalid_cursor';

test('a cursor returns the position that it was created from', () => {
  checkProperty(
    fc.property(position, (keys) => assert.deepEqual(cursors.decode(binding, cursors.encode(binding, keys)), keys)),
  );
});

test('the order of filters and of their values does not matter, and unset filters are ignored', () => {
  const cursor = cursors.encode(binding, ['a']);
  const same = {
    sort: '-id',
    orgId: 'org_1',
    operation: 'list',
    filters: { q: 'x', severity: ['low', 'high'], tag: undefined },
  };
  assert.deepEqual(cursors.decode(same, cursor), ['a']);
});

test('a cursor of another list, organization, filter, sort or key is refused', () => {
  const cursor = cursors.encode(binding, ['a']);
  const others = [
    { ...binding, operation: 'other' },
    { ...binding, orgId: 'org_2' },
    { ...binding, sort: 'id' },
    { ...binding, filters: { ...binding.filters, q: 'y' } },
    { ...binding, filters: { q: 'x' } },
    { ...binding, filters: { severity: 'high,low', q: 'x' } },
  ];
  for (const other of others) assert.throws(() => cursors.decode(other, cursor), isRefused);
  assert.throws(() => createCursorCodec(Buffer.alloc(32, 2)).decode(binding, cursor), isRefused);
});

test('a cursor of a former key is accepted while that key is set, and new cursors use the current key', () => {
  const [former, present] = [Buffer.alloc(32, 3), Buffer.alloc(32, 4)];
  const old = createCursorCodec(former).encode(binding, ['a']);
  const both = createCursorCodec(present, [former]);
  assert.deepEqual(both.decode(binding, old), ['a']);
  assert.deepEqual(createCursorCodec(present).decode(binding, both.encode(binding, ['b'])), ['b']);
  assert.throws(() => createCursorCodec(present).decode(binding, old), isRefused);
});

test('any changed character makes a cursor invalid', () => {
  const cursor = cursors.encode(binding, ['2026-01-01T00:00:00.123456Z', 'fnd_1']);
  for (let index = 0; index < cursor.length; index += 1) {
    const other = cursor[index] === 'A' ? 'B' : 'A';
    assert.throws(() => cursors.decode(binding, cursor.slice(0, index) + other + cursor.slice(index + 1)), isRefused);
  }
});

test('any text that is not a cursor is refused with 400', () => {
  checkProperty(fc.property(fc.string(), (text) => assert.throws(() => cursors.decode(binding, text), isRefused)));
  for (const text of ['', '..', 'null', 'A'.repeat(100_000)])
    assert.throws(() => cursors.decode(binding, text), isRefused);
});

test('a page has a cursor only when there are more rows', () => {
  const page = (count: number) => pageOf([1, 2, 3].slice(0, count), 2, cursors, binding, (row) => [row]);
  assert.deepEqual(page(0), { data: [], next_cursor: null });
  assert.deepEqual(page(2), { data: [1, 2], next_cursor: null });
  assert.deepEqual(page(3).data, [1, 2]);
  assert.deepEqual(cursors.decode(binding, page(3).next_cursor!), [2]);
});
