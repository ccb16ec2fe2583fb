import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTimeMs } from '../../../tests/harness/cpu-time.ts';
import { readAll } from './formats.fixture.ts';
import { samples } from './samples.fixture.ts';

const texts = [
  ' ',
  '"',
  "'",
  '“',
  'CWE ',
  'cwe-',
  'password',
  'password=',
  '[',
  '{0}',
  '<',
  '<p',
  'https://',
  '/',
  './',
  '\\',
  'at ',
  'line ',
  '-----BEGIN ',
  'AKIA',
  'a.',
  '\n',
  ' \n',
  '\t1',
  '0',
  '*',
  '%',
  '%41',
  '\ud800',
  '漢',
];

/** Replaces every text of a document with the hostile one. */
function withText(value: unknown, text: string): unknown {
  if (typeof value === 'string') return `${text}x`;
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => withText(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withText(item, text)]));
}

test('texts that are designed to slow a pattern down are read quickly', { timeout: 600_000 }, async () => {
  for (const [format, content] of samples) {
    if (!/^[[{]/.test(content)) continue;
    let document: unknown;
    try {
      document = JSON.parse(content);
    } catch {
      continue;
    }
    for (const text of texts) {
      const hostile = JSON.stringify(withText(document, text.repeat(Math.ceil(20_000 / text.length))));
      const started = cpuTimeMs();
      await readAll(hostile.replace(/"version":"[^"]*"/, '"version":"2.1.0"'), { format }).catch(() => {});
      assert.ok(cpuTimeMs() - started < 5_000, `${format}: ${JSON.stringify(text)}`);
    }
  }
});
