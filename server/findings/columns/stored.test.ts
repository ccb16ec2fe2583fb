import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId, newIdsAt } from '../../platform/id.ts';
import { IdTable, readId } from './id-words.ts';
import { TextTable } from './sequences.ts';
import { ListCodes, TextCodes } from './stored.ts';

test('a column lists the rows with a value while moved rows are merged and more rows move', () => {
  const column = new TextCodes();
  column.codes = new Uint8Array(4_000);
  const texts: string[] = [];
  const set = (row: number, text: string) => {
    texts[row] = text;
    column.set(row, text);
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
    const found = column.list(chosen, (code) => chosen.includes(code));
    const expected = texts.flatMap((text, row) => (chosen.includes(column.find(text)!) ? [row] : []));
    assert.deepEqual(
      [...found].sort((row, other) => row - other),
      expected,
      `round ${round}`,
    );
  }
  assert.ok(joined > 100);
});

test('each text has one code, whatever its characters and length', () => {
  const special = [null, '', 'ÿ', 'naïve/файл.ts', '文件', '🙂', 'x'.repeat(5_000), '文'.repeat(3_000)];
  const texts = [...special, ...Array.from({ length: 3_000 }, (_, index) => `src/${index}/файл.ts`)];
  const table = new TextTable();
  assert.equal(table.find('unknown'), undefined);
  for (const round of [1, 2])
    for (const [code, text] of texts.entries()) assert.equal(table.codeOf(text), code, `${text} in round ${round}`);
  for (const [code, text] of texts.entries()) assert.equal(table.text(code), text);
  assert.equal(table.find('unknown'), undefined);
});

test('lists with an item are found by its spelling and in any case, and each counts once', () => {
  const column = new ListCodes();
  column.codes = new Uint8Array(4);
  for (const [row, list] of [['CWE-1', 'a'], ['cwe-1', 'CWE-1', 'CWE-1'], [], ['b']].entries()) column.set(row, list);
  assert.deepEqual(column.withAny(['CWE-1'], false), [0, 1]);
  assert.deepEqual(column.withAny(['cwe-1'], false), [1]);
  assert.deepEqual(column.withAny(['Cwe-1', 'b', 'c'], true), [0, 1, 3]);
  assert.equal(column.find([]), 2);
  assert.equal(column.find(['a', 'CWE-1']), undefined);
  assert.deepEqual(column.values(), [['CWE-1', 'a'], ['cwe-1', 'CWE-1', 'CWE-1'], [], ['b']]);
  assert.deepEqual(Object.fromEntries(column.countItems([2, 3, 4, 0])), { 'CWE-1': 5, a: 2, 'cwe-1': 3 });
  assert.deepEqual(
    column.itemsWith((item) => item.includes('cwe')),
    [{ item: 'CWE-1', codes: [0, 1] }],
  );
});

test('an id is found whether its row arrived in the order of ids or not', () => {
  const ids = newIdsAt('fnd', Date.UTC(2026, 0, 1), 5_000);
  for (const inOrder of [5_000, 3_000, 1, 0]) {
    const given = [...ids.slice(0, inOrder), ...ids.slice(inOrder).toReversed()];
    const words = new Uint32Array(given.length * 4);
    const table = new IdTable();
    for (const [row, id] of given.entries()) {
      readId(id, words.subarray(row * 4, row * 4 + 4));
      table.add(words, row);
    }
    const word = new Uint32Array(4);
    const rowOf = (id: string) => {
      readId(id, word);
      return table.find(words, word);
    };
    assert.deepEqual(given.map(rowOf), [...given.keys()]);
    assert.equal(rowOf(newId('fnd')), -1);
  }
});
