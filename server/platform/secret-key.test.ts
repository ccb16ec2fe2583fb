import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ensureSecretKey } from './secret-key.ts';

test('the key is created once, stays the same, and is readable by nobody else', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'assay-key-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const key = await ensureSecretKey(directory);
  assert.ok(key.length >= 32);
  assert.equal(await ensureSecretKey(directory), key);
  assert.equal(statSync(join(directory, 'secret-key')).mode & 0o777, 0o600);
  writeFileSync(join(directory, 'secret-key'), '');
  await assert.rejects(ensureSecretKey(directory), /is damaged/);
});
