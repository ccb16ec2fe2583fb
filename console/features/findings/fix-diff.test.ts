import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixDiff } from './fix-diff.ts';

const code = { start_line: 10, lines: ['a', 'query(x + y)', 'b', 'c'] };
const whole = { start_column: null, end_column: null };
const at = (
  start_line: number,
  end_line: number,
  text: string,
  columns: { start_column: number | null; end_column: number | null } = whole,
) => ({
  path: 'a.js',
  start_line,
  end_line,
  ...columns,
  text,
});
const signs = { same: ' ', removed: '-', added: '+', gap: '@' };
const shown = (changes: ReturnType<typeof at>[], given: typeof code | null = code, path = 'a.js') =>
  fixDiff({ description: null, changes }, given, path).flatMap(({ lines }) =>
    lines.map((line) => `${signs[line.kind]}${line.old ?? ''}:${line.new ?? ''} ${line.text}`),
  );

test('a fix within the shown code is a diff with both line numbers', () => {
  assert.deepEqual(
    shown([
      at(11, 11, 'bind', { start_column: 1, end_column: 6 }),
      at(11, 11, ', ', { start_column: 8, end_column: 11 }),
    ]),
    [' 10:10 a', '-11: query(x + y)', '+:11 bind(x, y)', ' 12:12 b', ' 13:13 c'],
  );
  assert.deepEqual(shown([at(11, 12, 'one\ntwo\nb'), at(13, 13, '')]), [
    ' 10:10 a',
    '-11: query(x + y)',
    '+:11 one',
    '+:12 two',
    ' 12:13 b',
    '-13: c',
  ]);
});

test('a fix of missing, truncated or redacted lines shows only its own text', () => {
  const expected = ['@: Line 11, from column 2 to before column 3: replaced by', '+: safe'];
  const change = at(11, 11, 'safe', { start_column: 2, end_column: 3 });
  assert.deepEqual(shown([change], null), expected);
  assert.deepEqual(shown([change], code, 'other.js'), expected);
  assert.deepEqual(shown([change], { start_line: 10, lines: ['a', 'key = "…(redacted)"'] }), expected);
  assert.deepEqual(shown([at(13, 14, '')]), ['@: Lines 13 to 14: removed']);
});
