import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needOfPattern, needOfRule } from './needs.ts';
import { RequiredText, TextIndex } from './required-text.ts';
import type { RuleCheck } from './rule.ts';

const meets = (pattern: string, text: string) => new TextIndex(text).meets(needOfPattern(pattern));

test('a text that a pattern matches always meets its need', () => {
  const examples: Array<[pattern: string, text: string]> = [
    ['(\\.|^)(query|execute)(<.*>)?$', 'query'],
    ['(?i)hostnameverifier\\(', 'setHostnameVerifier('],
    ['^["\'](?i:des|rc4)["\']', "'RC4'"],
    ['(?i)(token|otp$|api_?key)', 'otp'],
    ['^(?:this\\.)?req\\.(?:body|query)', 'req.body'],
    ['ab{0,2}cd+e', 'acdde'],
    ['colou?r', 'color'],
    ['x{3}', 'xxx'],
    ['[sS]elect[^;]+from', 'Select a from'],
    ['^(?!location)[\\w-]+:', 'other:'],
    ['a|bcd', 'a'],
    ['[\\w\\\\]*\\\\Response', 'A\\Response'],
    ['\\bLIBXML_NOENT\\b', 'LIBXML_NOENT'],
    ['^\\{\\s*return true;\\s*\\}$', '{ return true; }'],
  ];
  for (const [pattern, text] of examples) assert.ok(meets(pattern, text), `${pattern} ${text}`);
});

test('a text that lacks the need of a pattern is left out', () => {
  assert.ok(!meets('(\\.|^)(query|execute)(<.*>)?$', 'db.exec("a")'));
  assert.ok(!meets('^jwt\\.verify\\(', 'jwt.decode(a)'));
  assert.ok(!meets('\\b(select\\b.+\\bfrom|insert\\s+into)\\b', 'delete from a'));
});

test('a pattern that may match anything, or is not understood, needs nothing', () => {
  for (const pattern of ['.', '^$', 'a|', '(abc)?', '\\p{L}abc', '(?x) abc ', '[[:alpha:]]abc'])
    assert.equal(needOfPattern(pattern), null, pattern);
});

test('a rule needs all of its parts, one of its alternatives, and nothing that it excludes', () => {
  const rule = {
    kind: 'call',
    all: [{ has: { field: 'name', regex: '^load$' } }],
    any: [{ regex: 'first' }, { pattern: '$A.second($B)' }],
    not: { regex: 'excluded' },
  };
  assert.deepEqual(needOfRule({ rule }), { all: ['load', { any: ['first', 'second'] }] });
  assert.equal(needOfRule({ rule: { any: [{ regex: 'first' }, { kind: 'call' }] } }), null);
});

test('what a call names must be in the file as a word that arguments follow', () => {
  const rule = (language: RuleCheck['language'], kind: string, field: string, regex: string): RuleCheck => ({
    ...{ id: 'own', language, keywords: [], fileContaining: null, input: null },
    config: { rule: { kind, has: { field, regex } } },
  });
  const query = rule('csharp', 'invocation_expression', 'function', '\\.(Query|Execute)(<.*>)?$');
  const open = rule('python', 'call', 'function', '^(os\\.)?open$');
  const raw = rule('ruby', 'call', 'method', '^raw$');
  const made = rule('php', 'object_creation_expression', 'name', '^Command$');
  const cases: Array<[check: RuleCheck, source: string, mayMatch: boolean]> = [
    [query, 'db.Query<User>(sql)', true],
    [query, 'db.Execute /* all */ (sql)', true],
    [query, 'request.Query["a"]; db.Executed(sql)', false],
    [open, 'file = os.open(name)', true],
    [open, 'open \\\n  (name)', true],
    [open, 'reopen(name); opened = open', false],
    [raw, 'raw value', true],
    [raw, 'draw value; raws', false],
    [made, 'new Commands()', true],
  ];
  for (const [check, source, mayMatch] of cases)
    assert.equal(new RequiredText(source).mayMatch(check), mayMatch, source);
});
