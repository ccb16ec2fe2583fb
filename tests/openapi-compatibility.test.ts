import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { apiDocument } from '../server/api-document.ts';
import { type ComparableDocument, findBreakingChanges } from '../server/platform/openapi/breaking-changes.ts';

const baseline = await readFile(new URL('./openapi-baseline.json', import.meta.url), 'utf8');

// See docs/versioning.md. A release makes its own description the next baseline: node scripts/generate-openapi.ts --release.
test('a client of the last release still works: nothing in v1 was removed, narrowed or newly required', () => {
  const document = JSON.parse(JSON.stringify(apiDocument())) as ComparableDocument;
  const today = new Date().toISOString().slice(0, 10);
  assert.deepEqual(findBreakingChanges(JSON.parse(baseline), document, today), []);
});
