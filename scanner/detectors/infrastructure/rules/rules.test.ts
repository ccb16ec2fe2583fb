import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InfrastructureRule } from '../rule.ts';
import { scanFile } from '../scan-file.ts';
import { rules } from './index.ts';

const finds = async (rule: InfrastructureRule, text: string) =>
  (await scanFile(rule.kind, text)).found.some((found) => found.rule.id === rule.id);

for (const kind of new Set(rules.map((rule) => rule.kind))) {
  test(`every ${kind} check finds its matches and skips its near-misses`, async () => {
    for (const rule of rules.filter((candidate) => candidate.kind === kind)) {
      assert.ok(rule.matches.length > 0 && rule.misses.length > 0, `${rule.id} has no proof`);
      for (const text of rule.matches) assert.ok(await finds(rule, text), `${rule.id} misses\n${text}`);
      for (const text of rule.misses) assert.ok(!(await finds(rule, text)), `${rule.id} finds\n${text}`);
    }
  });
}

test('there are at least sixty checks, each documented with a unique id and its names in other tools', () => {
  assert.ok(rules.length >= 60);
  assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length);
  for (const rule of rules) {
    assert.match(rule.id, new RegExp(`^${rule.kind}-[a-z0-9-]+$`));
    assert.ok(rule.cwe.length > 0 && rule.cwe.every((cwe) => /^CWE-\d+$/.test(cwe)), rule.id);
    assert.ok(rule.knownAs.length > 0 && rule.risk.length > 20 && rule.remediation.length > 10, rule.id);
    assert.ok(
      rule.references.every((url) => url.startsWith('https://')),
      rule.id,
    );
  }
});
