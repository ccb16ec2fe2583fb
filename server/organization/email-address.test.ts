import assert from 'node:assert/strict';
import test from 'node:test';
import { cpuTimeMs } from '../../tests/harness/cpu-time.ts';
import { normalizeEmail } from './email-address.ts';

test('an address is compared in lower case and without surrounding spaces', () => {
  assert.equal(normalizeEmail('  Ada.Lovelace+assay@Example.ORG '), 'ada.lovelace+assay@example.org');
  assert.equal(normalizeEmail('owner@assay.local'), 'owner@assay.local');
});

test('text that is not an address is refused', () => {
  const wrong = [
    '',
    'ada',
    '@example.org',
    'ada@',
    'ada@example',
    'a b@example.org',
    'ada@exa mple.org',
    'ada@@example.org',
    '.ada@example.org',
    'a..b@example.org',
    'ada@-example.org',
    'ada@example-.org',
    'ada@example..org',
    'ada@example.org\nBcc: eve@example.org',
    'Ada <ada@example.org>',
    `${'a'.repeat(65)}@example.org`,
    `ada@${'a.'.repeat(130)}org`,
  ];
  for (const text of wrong) assert.equal(normalizeEmail(text), null, JSON.stringify(text));
});

test('a long hostile text is refused at once', () => {
  const startedAt = cpuTimeMs();
  for (let round = 0; round < 100; round++) normalizeEmail(`${'a.'.repeat(100_000)}@`);
  assert.ok(cpuTimeMs() - startedAt < 2_000);
});
