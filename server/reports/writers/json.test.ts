import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bySeverityStatusAndAge, bytesOf, reportHead, reportOf } from '../report.fixture.ts';
import { reportFindings } from '../report-finding.fixture.ts';
import { writeJson } from './json.ts';
import { jsonText } from './json-text.ts';

/** Returns a value with every lone surrogate replaced by U+FFFD. */
const wellFormed = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, member) => (typeof member === 'string' ? member.toWellFormed() : member));

for (const count of [0, 1, 200, 3_000]) {
  test(`a report of ${count} findings is one JSON document with its head and all of them`, async () => {
    const findings = reportFindings(count).sort(bySeverityStatusAndAge);
    const bytes = await bytesOf(writeJson(reportOf(findings)));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const { approval: _, ...report } = reportHead(findings);
    assert.deepEqual(JSON.parse(text), wellFormed({ report, findings }));
    assert.deepEqual(await bytesOf(writeJson(reportOf(findings))), bytes);
  });
}

test('lone surrogates become U+FFFD, and text that looks like their escapes stays', () => {
  const value = { a: '\uD800', b: '\\ud800', c: 'x\\\uDFFF', d: '😀', '\uDC00': ['\\\\ud834'] };
  assert.deepEqual(JSON.parse(jsonText(value)), {
    a: '\uFFFD',
    b: '\\ud800',
    c: 'x\\\uFFFD',
    d: '😀',
    '\uFFFD': ['\\\\ud834'],
  });
});
