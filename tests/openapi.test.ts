import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { routes } from '../server/api.ts';
import { apiDocument } from '../server/api-document.ts';
import { checkExamples } from '../server/platform/openapi/examples.ts';

const committed = await readFile(new URL('../openapi.json', import.meta.url), 'utf8');

test('openapi.json is what the routes say: node scripts/generate-openapi.ts writes it', () => {
  assert.deepEqual(JSON.parse(committed), JSON.parse(JSON.stringify(apiDocument())));
});

test('every request and answer has an example, and it fits its schema', () => {
  assert.deepEqual(routes.flatMap(checkExamples), []);
});

test('every operation has a name, a summary and a description of its own', () => {
  const names = routes.map((route) => route.operationId);
  assert.equal(new Set(names).size, names.length);
  for (const { operationId, summary, description } of routes) {
    assert.match(operationId, /^[a-z][A-Za-z]+$/);
    assert.match(summary, /^[A-Z][^.]{2,60}$/, operationId);
    assert.match(description, /[.)]$/, operationId);
  }
});

test('every list takes limit and next_cursor, and answers data and next_cursor', () => {
  for (const { operationId, query, responses } of routes) {
    const fields = Object.keys((responses[200]?.schema as { properties?: object } | undefined)?.properties ?? {});
    if (!fields.includes('next_cursor')) continue;
    assert.deepEqual(fields, ['data', 'next_cursor'], operationId);
    assert.ok(query?.limit && query.next_cursor, operationId);
  }
});

// What the platform's own description names: everything else is an extension.
const core = new Set([
  'GET /findings',
  'GET /findings/{id}',
  'PATCH /findings/{id}',
  'POST /findings/{id}/comment',
  'GET /detection-sources',
  'POST /detection-sources/{type}/scan',
  'GET /scan-schedules',
  'POST /scan-schedules',
  'PATCH /scan-schedules/{id}',
  'DELETE /scan-schedules/{id}',
  'GET /reports',
  'POST /reports',
  'GET /reports/{id}/export',
  'GET /scheduled-reports',
  'POST /scheduled-reports',
  'GET /data-sources',
  'POST /data-sources',
  'DELETE /data-sources/{id}',
  'GET /organization',
  'GET /organization/members',
  'POST /organization/invitations',
]);

test('x-extension marks what goes beyond the core, and nothing of the core', () => {
  for (const { method, path, extension } of routes) {
    assert.equal(extension ?? false, !core.has(`${method} ${path}`), `${method} ${path}`);
  }
});
