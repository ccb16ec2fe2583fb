import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterSeconds } from './exports.ts';
import { contentDisposition, exportFilenames } from './filename.ts';

const headerOf = (title: string) =>
  contentDisposition(exportFilenames({ title, taken_at: '2026-11-20T12:00:00Z' }, 'pdf'));

test('a file has an ASCII name, and one with the letters of its title', () => {
  assert.equal(headerOf('Q3: payments'), 'attachment; filename="Q3-payments-2026-11-20.pdf"');
  assert.equal(
    headerOf('Prüfung / "Zahlung"'),
    'attachment; filename="Prufung-Zahlung-2026-11-20.pdf"; filename*=UTF-8\'\'Pr%C3%BCfung-Zahlung-2026-11-20.pdf',
  );
  assert.equal(
    headerOf('報告書'),
    'attachment; filename="report-2026-11-20.pdf"; filename*=UTF-8\'\'%E5%A0%B1%E5%91%8A%E6%9B%B8-2026-11-20.pdf',
  );
});

test('documents of one report differ in their names by template and language', () => {
  const head = { title: 'Q3', taken_at: '2026-11-20T12:00:00Z' };
  assert.equal(exportFilenames(head, 'pdf', ['audit', 'de']).full, 'Q3-audit-de-2026-11-20.pdf');
});

test('no title breaks the header or escapes its folder', () => {
  for (const title of [
    '../../etc/passwd',
    'a"; filename=evil',
    "it's (*) half \uD800",
    'line\r\nSet-Cookie: x=1',
    '\u202Egnp.exe',
  ]) {
    assert.match(
      headerOf(title),
      /^attachment; filename="[A-Za-z0-9-]+\.pdf"(?:; filename\*=UTF-8''(?:[A-Za-z0-9.-]|%[0-9A-F]{2})+\.pdf)?$/,
    );
  }
});

test('the estimate is the rest of the usual time, and grows with the elapsed time after that', () => {
  assert.equal(retryAfterSeconds({ elapsed: 3, usual: 20 }), 17);
  assert.equal(retryAfterSeconds({ elapsed: 19.5, usual: 20 }), 2);
  assert.equal(retryAfterSeconds({ elapsed: 100, usual: 20 }), 20);
  assert.equal(retryAfterSeconds({ elapsed: 1, usual: 900 }), 120);
  assert.equal(retryAfterSeconds({ elapsed: 0, usual: null }), 10);
});
