import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endsWhenWords, scopeWords } from './words.ts';

test('a scope is described in words, and a package name with an invalid escape is shown unchanged', () => {
  const words = (scope: Parameters<typeof scopeWords>[0]) =>
    scopeWords(scope, { dataSource: (id) => `(${id})`, rule: (id) => `rule ${id}` });
  assert.equal(words({ rule: ['B308'], path: ['tests/**'] }), 'rule B308, where the path matches tests/**');
  assert.equal(
    words({ package: ['pkg:npm/%40acme/pad'], versions: 'vers:npm/>=1.0.0|<2.0.0' }),
    '@acme/pad >=1.0.0, <2.0.0',
  );
  assert.equal(words({ package: ['pkg:npm/100%zz'] }), '100%zz');
  assert.deepEqual(
    [words({ finding: ['fnd_1'] }), words({ finding: ['fnd_1', 'fnd_2'] })],
    ['One finding', '2 findings'],
  );
  const known = { dataSource: String, rule: String, finding: () => 'SQL injection' };
  assert.equal(scopeWords({ finding: ['fnd_1'] }, known), 'SQL injection');
});

test('the conditions that end a decision early are said in words', () => {
  assert.equal(
    endsWhenWords({ kev: true, epss_above: 0.5, version_changes: false }),
    'it is known to be exploited or its EPSS score is above 50 %',
  );
  assert.equal(
    endsWhenWords({ severity_above: 'high', fix_available: true, version_changes: true }),
    'its severity is above high, a fix is available, or its version changes',
  );
  assert.deepEqual([endsWhenWords(null), endsWhenWords({ kev: false })], [null, null]);
});
