import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { xlsxOf } from './xlsx.ts';

test('a workbook has every cell in its place: numbers as numbers, and texts that nothing evaluates', () => {
  const texts = ['=1+1', 'a & b <c>', ' spaced ', 'bell \u0007', 'x'.repeat(40_000)];
  const rows = [['Name', 'Open'], ...texts.map((text, index) => [text, index])];
  const parts = unzipSync(xlsxOf('Data sources', rows));
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!);
  const read = [...sheet.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row]) =>
    [
      ...row!.matchAll(/<c><v>(\d+)<\/v><\/c>|<c t="inlineStr"><is><t xml:space="preserve">(.*?)<\/t><\/is><\/c>/gs),
    ].map(([, number, text]) =>
      number === undefined
        ? text!.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
        : Number(number),
    ),
  );
  const shown = ['=1+1', 'a & b <c>', ' spaced ', 'bell \uFFFD', 'x'.repeat(32_767)];
  assert.deepEqual(read, [['Name', 'Open'], ...shown.map((text, index) => [text, index])]);
  assert.ok(strFromU8(parts['xl/workbook.xml']!).includes('name="Data sources"'));
});
