import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodeColumn } from './stored.ts';

test('a column lists the rows with a value while moved rows are merged and more rows move', () => {
  const column = new CodeColumn<string>();
  column.codes = new Uint8Array(4_000);
  const texts: string[] = [];
  const set = (row: number, text: string) => {
    texts[row] = text;
    column.set(row, text, text);
  };
  for (let row = 0; row < 3_000; row++) set(row, `value ${row % 150}`);
  column.prepare();
  let joined = 0;
  for (let round = 0; round < 400; round++) {
    for (let index = 0; index < 20; index++)
      set((round * 7_919 + index * 331) % texts.length, `value ${(round + index) % 160}`);
    set(texts.length, `value ${round}`);
    if (column.fold({ minMoved: 60, maxRows: 700 })) joined += 1;
    const chosen = [round % 150, (round + 5) % 160].map((number) => column.find(`value ${number}`) ?? 0);
    const found = column.list(chosen, (code) => chosen.includes(code))!;
    const expected = texts.flatMap((text, row) => (chosen.includes(column.find(text)!) ? [row] : []));
    assert.deepEqual(
      [...found].sort((row, other) => row - other),
      expected,
      `round ${round}`,
    );
  }
  assert.ok(joined > 100);
});
