import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecretEngine } from '../engine.ts';
import type { SecretRule } from '../rule.ts';
import { sample, sampleWithCrc32Base62 } from '../sample.ts';
import { providerRules } from './index.ts';
import { leaveToProviders } from './malformed.ts';

const assignment: SecretRule = {
  id: 'assignment',
  name: 'Assignment',
  severity: 'medium',
  risk: 'Risk.',
  remediation: 'Rotate it.',
  keywords: ['token', 'key'],
  pattern: '(?:TOKEN|KEY)=(?<secret>[^\\s]{8,200})',
  generic: true,
  matches: [],
  misses: [],
};
const engine = createSecretEngine([...providerRules, leaveToProviders(assignment)]);
const found = (text: string) => engine.find(Buffer.from(text), '.env').map((hit) => hit.rule.id);

test('a token with a provider’s prefix and a wrong checksum is possibly made up, under any name', () => {
  assert.deepEqual(found(`DEPLOY_TOKEN=ghp_${sample('0-9A-Za-z', 36)}\n`), ['github-pat-unverified']);
  assert.deepEqual(found(`DEPLOY_TOKEN=${sampleWithCrc32Base62('ghp_', 30)}\n`), ['github-pat']);
});

test('a truncated token or one in the wrong case is not found by its name', () => {
  assert.deepEqual(found(`DEPLOY_TOKEN=dop_v1_${sample('0-9a-f', 63)}\n`), []);
  assert.deepEqual(found(`DEPLOY_TOKEN=DOP_V1_${sample('0-9a-f', 64)}\n`), []);
});

test('a vendor’s key with a missing character is not found by its name', () => {
  assert.deepEqual(found(`DATADOG_API_KEY=${sample('0-9a-f', 31)}\n`), []);
  assert.deepEqual(found(`DATADOG_API_KEY=${sample('0-9a-f', 32)}\n`), ['datadog-api-key']);
});

test('values without a provider’s format are left to the rules for names', () => {
  assert.deepEqual(found(`SESSION_KEY=${sample('0-9A-Za-z', 31)}\n`), ['assignment']);
  assert.deepEqual(found('DATADOG_KEY=correct-horse-battery\n'), ['assignment']);
});
