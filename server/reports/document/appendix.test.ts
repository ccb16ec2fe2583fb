import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportHead } from '../report.fixture.ts';
import { defaultDocument, reportLanguages } from '../report-document.ts';
import { reportFormatNames } from '../writers/index.ts';
import { appendixBlocks } from './appendix.ts';

test('the appendix lists every export format', () => {
  for (const language of reportLanguages) {
    const text = JSON.stringify(appendixBlocks(reportHead([], { document: { ...defaultDocument, language } })));
    for (const format of reportFormatNames) assert.ok(text.includes(format.toUpperCase().split('-')[0]!), format);
  }
});
