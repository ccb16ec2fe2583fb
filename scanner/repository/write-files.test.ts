import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { TargetError } from '../contract/target-error.ts';
import { type SourceFile, type WriteRules, writeFiles } from './write-files.ts';

let outside: string;
let root: string;
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'write-files-'));
  root = mkdtempSync(join(outside, 'root-'));
});
afterEach(() => rmSync(outside, { recursive: true, force: true }));

function write(files: Record<string, string | null>, rules: Partial<WriteRules> = {}) {
  const list = async function* (): AsyncGenerator<SourceFile> {
    for (const [path, text] of Object.entries(files)) yield { path, content: text === null ? null : Buffer.from(text) };
  };
  return writeFiles(root, list(), { leaveOut: [], signal: AbortSignal.timeout(600_000), ...rules });
}

test('files are written at their paths, and none is executable', async () => {
  const { warnings } = await write({ 'a/b/c.txt': 'deep', 'top.sh': '#!/bin/sh', 'a/-rf': 'x' });
  assert.deepEqual(warnings, []);
  assert.equal(readFileSync(join(root, 'a/b/c.txt'), 'utf8'), 'deep');
  assert.equal(statSync(join(root, 'top.sh')).mode & 0o777, 0o600);
});

test('no name leads out of the directory or into a .git', async () => {
  const odd = [
    '../out.txt',
    'a/../../out.txt',
    '/etc/out',
    'a//b',
    './a',
    'a/.git/config',
    '.GIT/hooks/x',
    'x'.repeat(256),
  ];
  const { warnings } = await write(Object.fromEntries(odd.map((path) => [path, 'x'])));
  assert.deepEqual(readdirSync(root), []);
  assert.deepEqual(readdirSync(outside).length, 1);
  assert.match(warnings.join(), /left out: \.\.\/out\.txt.* and 3 more/);
});

test('a name that is both a file and a directory is reported and causes no failure', async () => {
  const { warnings } = await write({ a: 'file', 'a/b': 'below', c: 'other' });
  assert.deepEqual(readdirSync(root).sort(), ['a', 'c']);
  assert.match(warnings.join(), /a\/b/);
});

test('files that would configure a tool are left out, and too large ones are reported', async () => {
  const files = { 'x/.checkov.yaml': 'x', 'x/.CHECKOV.yaml': 'x', '.Checkov.YAML': 'x', 'big.bin': null };
  const { warnings } = await write(files, { leaveOut: ['.checkov.yaml', '.CHECKOV.yaml'] });
  assert.deepEqual(readdirSync(root), []);
  assert.match(warnings.join(), /larger than 32 MiB were left out: big\.bin/);
});

test('a copy that would be too large is refused', async () => {
  await assert.rejects(write({ a: 'x'.repeat(11) }, { maxBytes: 10 }), TargetError);
  await assert.rejects(write({ b: '', c: '' }, { maxFiles: 1 }), TargetError);
});
