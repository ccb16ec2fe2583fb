import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { decodeFile } from './decode.ts';
import { FormatError } from './format-error.ts';
import { chunksOf } from './testing/formats.fixture.ts';

async function decode(content: Buffer, chunkSize?: number): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const chunk of decodeFile(chunksOf(content, chunkSize))) pieces.push(chunk);
  return Buffer.concat(pieces).toString('utf8');
}

test('a truncated or damaged gzip file is refused', async () => {
  const whole = gzipSync(Buffer.from(Array.from({ length: 5_000 }, (_, index) => index).join()));
  await assert.rejects(decode(whole.subarray(0, whole.length - 20)), FormatError);
  await assert.rejects(
    decode(Buffer.concat([whole.subarray(0, 50), Buffer.from('damage'), whole.subarray(56)])),
    FormatError,
  );
});

test('a gzip bomb is refused before it fills memory or disk', async () => {
  const layer = gzipSync(Buffer.alloc(100 * 1024 * 1024));
  let read = 0;
  await assert.rejects(async () => {
    for await (const chunk of decodeFile(chunksOf(layer))) read += chunk.length;
  }, /expands more than 200 times/);
  assert.ok(read <= 65 * 1024 * 1024, `${read}`);
});

test('an empty file and a one-byte file stay unchanged', async () => {
  assert.equal(await decode(Buffer.alloc(0)), '');
  assert.equal(await decode(Buffer.from('x')), 'x');
  assert.equal(await decode(Buffer.from('\uFEFF')), '');
});

test('characters that are split between chunks are decoded correctly', async () => {
  const text = 'é😀漢';
  for (const size of [1, 2, 3]) {
    assert.equal(await decode(Buffer.from(text), size), text);
    assert.equal(await decode(Buffer.from(`\uFEFF${text}`, 'utf16le'), size), text);
  }
});
