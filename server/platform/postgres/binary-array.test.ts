import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { BinaryArray, type Element, type ElementType } from './binary-array.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

const arrays: Array<[ElementType, Element[]]> = [
  ['text', ['', 'NULL', '{"a",b}', 'ü€😀', '\\', ' ', null, 'x'.repeat(100_000)]],
  ['text', ['', 'a', null, '~\t\n\x7f', 'x'.repeat(1_023), 'y'.repeat(1_024), 'z'.repeat(70_000)]],
  ['json', ['{"a": [1, "}"]}', null, 'null', '"ü"']],
  ['bigint', ['-9223372036854775808', '9223372036854775807', '0', null]],
  ['integer', [-2_147_483_648, 2_147_483_647, null]],
  ['smallint', [-32_768, 32_767, null]],
  ['double precision', [9.8, -0.5, null]],
  ['boolean', [true, false, null]],
];

for (const [index, [type, elements]] of arrays.entries())
  test(`an array of ${type} arrives in PostgreSQL as it is: ${index}`, async () => {
    for (const sent of [elements, [], [null]]) {
      const rows = await testDatabase.database.single<{ element: string | null }>(null, {
        text: `SELECT u.element::text AS element FROM unnest($1::${type}[]) WITH ORDINALITY AS u(element, ordinal) ORDER BY u.ordinal`,
        values: [new BinaryArray(type, sent)],
      });
      assert.deepEqual(
        rows.map(({ element }) => element),
        sent.map((element) => (element === null ? null : String(element))),
      );
    }
  });
