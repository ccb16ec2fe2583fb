import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { readBook } from './rule-book.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'code-rules-'));
  mkdirSync(join(folder, 'python'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const own = `id: own-print
title: Print left in
severity: low
cwe: [CWE-489]
description: Prints stay out of what is shipped.
remediation: Use the log.
keywords: [print]
rule: { kind: call, has: { field: function, regex: '^print$' } }
matches: ['print(1)']
misses: ['log(1)']
`;

test("an operator's rule joins the built-in ones, and invalidates earlier results", async () => {
  const before = (await readBook(null)).book;
  writeFileSync(join(folder, 'python', 'own.yml'), own);
  const { book, errors } = await readBook(folder);
  assert.deepEqual(errors, []);
  assert.equal(book.rules.size, before.rules.size + 1);
  assert.equal(book.rules.get('own-print')!.language, 'python');
  assert.notEqual(book.hash, before.hash);
});

test('an invalid rule is left out and reported with its file, and the others stay', async () => {
  writeFileSync(join(folder, 'python', 'a.yml'), own);
  writeFileSync(join(folder, 'python', 'b.yml'), own.replace('low', 'grave').replace('own-print', 'b'));
  writeFileSync(join(folder, 'python', 'c.yml'), own.replace('kind: call', 'kind: nothing').replace('own-print', 'c'));
  writeFileSync(join(folder, 'python', 'd.yml'), own.replace("'log(1)'", "'print(2)'").replace('own-print', 'd'));
  writeFileSync(join(folder, 'python', 'e.yml'), ': [');
  const { book, errors } = await readBook(folder);
  assert.ok(book.rules.has('own-print'));
  assert.equal(errors.length, 4);
  assert.match(errors[0]!, /b\.yml: severity must be/);
  assert.match(errors[1]!, /c\.yml: .*[Kk]ind/);
  assert.match(errors[2]!, /d\.yml: finds an example that it should not: print\(2\)/);
});

test('a missing folder is reported', async () => {
  const { errors } = await readBook(join(folder, 'nowhere'));
  assert.match(errors[0]!, /could not be read/);
});

test('the rule in the documentation works', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/code.md'), 'utf8');
  mkdirSync(join(folder, 'javascript'));
  writeFileSync(join(folder, 'javascript', 'own.yml'), /```yaml\n([^`]*(?:`[^`]+`[^`]*)*)```/.exec(page)![1]!);
  const { book, errors } = await readBook(folder);
  assert.deepEqual(errors, []);
  assert.ok(book.rules.has('own-raw-query'));
});
