import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { compileManyPatterns } from '../../../tests/harness/many-patterns.ts';
import { registerGrammars } from './languages/index.ts';
import { languageNames } from './languages/language.ts';
import { builtInRulesDirectory, proveRule, type RuleFolder, readRules } from './read-rules.ts';

let folder: RuleFolder;
before(async () => {
  registerGrammars();
  folder = await readRules(builtInRulesDirectory, false);
});

test('every rule can be read', () => {
  assert.deepEqual(folder.errors, []);
  assert.ok(folder.rules.length >= 80, `${folder.rules.length} rules`);
});

test('every rule finds all its matches and none of its misses', () => {
  const wrong = folder.rules.flatMap((rule) => proveRule(rule).map((sentence) => `${rule.id} ${sentence}`));
  assert.deepEqual(wrong, []);
});

test('every rule also does so in a process that has compiled thousands of patterns', () => {
  compileManyPatterns();
  const wrong = folder.rules.flatMap((rule) => proveRule(rule).map((sentence) => `${rule.id} ${sentence}`));
  assert.deepEqual(wrong, []);
});

test('every rule is named after its file and language, and ids are unique', () => {
  for (const rule of folder.rules) {
    const file = join(builtInRulesDirectory, rule.language, `${rule.id.slice(rule.language.length + 1)}.yml`);
    assert.match(readFileSync(file, 'utf8'), new RegExp(`^id: ${rule.id}$`, 'm'));
  }
  assert.equal(new Set(folder.rules.map((rule) => rule.id)).size, folder.rules.length);
});

test('every language has rules, and every rule a prefilter', () => {
  for (const language of languageNames)
    assert.ok(
      folder.rules.some((rule) => rule.language === language),
      language,
    );
  assert.deepEqual(
    folder.rules.filter((rule) => rule.keywords.length === 0).map((rule) => rule.id),
    [],
  );
});
