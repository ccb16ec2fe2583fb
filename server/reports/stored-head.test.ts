import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportHead } from './report.fixture.ts';
import { completeHead } from './stored-head.ts';

test('a report of an earlier version stays readable: it has every detail, and no analysis', () => {
  const { template: _, document: __, analysis: ___, snapshot_sha256: sha256, ...earlier } = reportHead([]);
  const head = completeHead(earlier, null);
  assert.deepEqual([head.template, head.document.language, head.analysis], ['technical', 'en', null]);
  assert.equal(head.snapshot_sha256, null);
  assert.deepEqual(completeHead(reportHead([]), Buffer.from(sha256!, 'hex')), reportHead([]));
});
