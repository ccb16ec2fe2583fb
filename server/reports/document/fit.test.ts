import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportHead } from '../report.fixture.ts';
import { reportFinding } from '../report-finding.fixture.ts';
import { fittedDetails } from './document.ts';

const findings = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) => reportFinding(index, { description: text, evidence: text }));

test('usual findings are never shortened, however many there are', () => {
  const shown = JSON.stringify(
    fittedDetails(findings(2_000, 'A sentence that says what is wrong. '.repeat(8)), reportHead([])),
  );
  assert.ok(!shown.includes('Truncated'));
});

test('a few findings keep long texts', () => {
  const shown = JSON.stringify(fittedDetails(findings(20, 'A long story. '.repeat(500)), reportHead([])));
  assert.ok(!shown.includes('Truncated'));
});

test('findings that fit in total are not shortened, even if the first ones are long', () => {
  const given = [...findings(50, 'A long story with *emphasis*. '.repeat(250)), ...findings(1_000, 'Short.')];
  assert.ok(!JSON.stringify(fittedDetails(given, reportHead([]))).includes('Truncated'));
});

test('many long texts are shortened to what can be typeset, with a note', () => {
  for (const text of ['- *a* `b`\n'.repeat(60), '漢字'.repeat(1_000)]) {
    const shown = fittedDetails(findings(2_000, text), reportHead([])).map((blocks) => JSON.stringify(blocks));
    assert.ok(Buffer.byteLength(shown.join('')) < 14_000_000);
    assert.ok(shown.join('').split('"kind"').length < 200_000);
    assert.ok(shown.filter((blocks) => blocks.includes('Truncated')).length > 1_000);
  }
});
