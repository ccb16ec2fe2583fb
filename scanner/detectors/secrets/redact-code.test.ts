import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeAt, createFileRedactor, redactLines } from './redact-code.ts';
import { sample } from './sample.ts';

const place = (start_line: number, more: { end_line?: number; start_column?: number } = {}) => ({
  start_line,
  end_line: more.end_line ?? start_line,
  start_column: more.start_column ?? null,
});
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);
const codeOf = (text: string, at: ReturnType<typeof place>) =>
  codeAt(createFileRedactor(Buffer.from(text), 'a.txt')(at), at);

test('nine lines are centred on the location, and fewer at the ends of a file', () => {
  const text = numbered(100).join('\n');
  assert.deepEqual(codeOf(text, place(50)), { start_line: 46, lines: numbered(100).slice(45, 54) });
  assert.deepEqual(codeOf(text, place(2)), { start_line: 1, lines: numbered(9) });
  assert.deepEqual(codeOf('one\r\ntwo\r\n', place(2)), { start_line: 1, lines: ['one', 'two'] });
  assert.deepEqual(codeOf(text, place(100)), { start_line: 96, lines: numbered(100).slice(95) });
  assert.deepEqual(codeOf(text, place(50, { end_line: 90 }))!.start_line, 50);
  for (const missing of [101, 10_000]) assert.equal(codeOf(text, place(missing)), null);
  assert.equal(codeOf('\n\n\n', place(2)), null);
  assert.equal(codeOf(`\0${text}`, place(2)), null);
});

test('4 kB are kept around the location, and the part of a long line around the column', () => {
  const wide = 'é'.repeat(399);
  const code = codeOf([...Array(8).fill(wide), 'here', ...Array(8).fill(wide)].join('\n'), place(9))!;
  assert.ok(Buffer.byteLength(code.lines.join('\n')) <= 4_096);
  assert.equal(code.lines[9 - code.start_line], 'here');
  const line = `${'a'.repeat(100_000)} eval(x) ${'b'.repeat(100_000)}`;
  const [shown] = codeOf(line, place(1, { start_column: 100_002 }))!.lines;
  assert.match(shown!, /^…a+ eval\(x\) b+…$/);
  assert.ok(shown!.length <= 400);
});

test('in a file of megabytes, the part around the location is searched for secrets', () => {
  const token = `sk_${'live'}_${sample('0-9A-Za-z', 24, 'large')}`;
  const lines = [...numbered(100_000), `key = ${token}`, ...numbered(100_000)];
  const code = codeOf(lines.join('\n'), place(100_001))!;
  assert.deepEqual([code.start_line, code.lines.length, code.lines[4]], [99_997, 9, 'key = …(redacted)']);
  const content = Buffer.from(lines.join('\n'));
  const redact = createFileRedactor(content, 'a.txt');
  // Locations at the borders of parts, at the ends, and beyond.
  for (const line of [1, 5, 6_000, 6_001, 100_000, 150_000, 200_000, 200_001]) {
    const { start_line, lines: shown } = codeAt(redact(place(line)), place(line))!;
    const expected = lines.slice(start_line - 1, start_line - 1 + shown.length);
    assert.deepEqual(
      shown,
      expected.map((text) => text.replace(token, '…(redacted)')),
      `line ${line}`,
    );
  }
  assert.equal(redact(place(200_002)), null);
});

test('lines of an otherwise unknown file hide a key that starts before them', () => {
  const key = Array.from({ length: 6 }, (_, line) => sample('0-9A-Za-z', 64, `k${line}`));
  const redacted = redactLines({ start: 10, lines: ['before', ...key] }, 'a.pem');
  assert.deepEqual(codeAt(redacted, place(12)), { start_line: 10, lines: ['before', ...key.map(() => '…(redacted)')] });
});

test('control characters are replaced, and a cut leaves no half of a character', () => {
  const code = codeOf(`\u001b[31mred\u0007\n${'😀'.repeat(500)}`, place(1))!;
  assert.equal(code.lines[0], '\uFFFD[31mred\uFFFD');
  assert.ok(code.lines.every((line) => line.isWellFormed()));
});
