import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportFinding } from '../../report-finding.fixture.ts';
import { printFindings } from './fit.ts';

const findings = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) => reportFinding(index, { description: text, evidence: text }));

test('usual findings are never shortened, however many there are', () => {
  const printed = JSON.stringify(printFindings(findings(2_000, 'A sentence that says what is wrong. '.repeat(8)), {}));
  assert.ok(!printed.includes('Truncated'));
});

test('a few findings keep long texts', () => {
  const printed = JSON.stringify(printFindings(findings(20, 'A long story. '.repeat(500)), {}));
  assert.ok(!printed.includes('Truncated'));
});

test('many long texts are shortened to what can be set, and say so', () => {
  for (const text of ['- *a* `b`\n'.repeat(60), '漢字'.repeat(1_000)]) {
    const printed = printFindings(findings(2_000, text), {}).map((finding) => JSON.stringify(finding));
    assert.ok(Buffer.byteLength(printed.join('')) < 14_000_000);
    assert.ok(printed.join('').split('"kind"').length < 200_000);
    assert.ok(printed.filter((finding) => finding.includes('Truncated')).length > 1_000);
  }
});
