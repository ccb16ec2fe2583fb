import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { outsideRoutes, routes as prefixed } from '../server/api.ts';
import { checkExamples } from '../server/platform/openapi/document.ts';
import { apiDocument } from '../server/processes/api-document.ts';

const routes = [...prefixed, ...outsideRoutes];
const committed = await readFile(new URL('../openapi.json', import.meta.url), 'utf8');

test('openapi.json matches the routes: node scripts/generate-openapi.ts writes it', () => {
  assert.deepEqual(JSON.parse(committed), JSON.parse(JSON.stringify(apiDocument())));
});

test('every request and response has an example that fits its schema', () => {
  assert.deepEqual(routes.flatMap(checkExamples), []);
});

test('every operation has its own name, summary and description', () => {
  const names = routes.map((route) => route.operationId);
  assert.equal(new Set(names).size, names.length);
  for (const { operationId, summary, description } of routes) {
    assert.match(operationId, /^[a-z][A-Za-z]+$/);
    assert.match(summary, /^[A-Z][^.]{2,60}$/, operationId);
    assert.match(description, /[.)]$/, operationId);
  }
});

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, traversed by its own references
type Json = any;
const document: Json = JSON.parse(committed);
const operations: Json[] = Object.values<Json>(document.paths).flatMap(({ servers: _, ...path }) =>
  Object.values(path),
);

/**
 * Returns the schemas that generators would have to invent a name for: objects and enumerations within other schemas.
 */
function unnamedIn(schema: Json, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const hasFields = schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0;
  // A single value that distinguishes the variants of a union needs no name.
  const isChoice = Array.isArray(schema.enum) && schema.enum.length > 1;
  const found = hasFields || isChoice ? [place] : [];
  return [...found, ...unnamedWithin(schema, place)];
}

const unnamedWithin = (schema: Json, place: string): string[] =>
  Object.entries(schema)
    .filter(([key]) => !['example', 'examples', 'enum', 'default'].includes(key))
    .flatMap(([key, value]) =>
      // The parts of an object that extends another become one type.
      key === 'allOf'
        ? (value as Json[]).flatMap((part) => unnamedWithin(part, `${place}/${key}`))
        : unnamedIn(value, `${place}/${key}`),
    );

test('every body, and every object and enumeration within one, has a name', () => {
  const components = Object.entries<Json>(document.components.schemas);
  assert.deepEqual(
    [
      ...components.flatMap(([name, schema]) => unnamedWithin(schema, name)),
      ...unnamedIn({ paths: document.paths, responses: document.components.responses }, ''),
    ],
    [],
  );
  for (const { operationId, requestBody, responses } of operations) {
    const bodies = [requestBody, ...Object.values(responses)].map((message) => message?.content?.['application/json']);
    for (const body of bodies.filter((one) => one !== undefined)) {
      assert.ok(body.schema.$ref ?? body.schema.anyOf, operationId);
    }
  }
});

test('an operation refers to one response for each failure status, and names its own codes', () => {
  const names = new Map<string, string>();
  for (const { operationId, responses } of operations) {
    assert.ok(responses['405'] && responses['431'], operationId);
    for (const [status, response] of Object.entries<Json>(responses).filter(([status]) => Number(status) >= 400)) {
      const name = response.$ref?.replace('#/components/responses/', '');
      assert.equal(names.get(status) ?? name, name, `${operationId} ${status}`);
      names.set(status, name);
      assert.match(name, /^[A-Za-z]+$/);
    }
  }
  assert.equal(new Set(names.values()).size, names.size);
  const { NotModified: _, ...failures } = document.components.responses;
  for (const response of Object.values<Json>(failures)) {
    assert.equal(response.content['application/json'].schema.$ref, '#/components/schemas/Error');
  }
  const { description } = operations.find(({ operationId }) => operationId === 'exportReport');
  assert.match(description, /Its own error codes: `report_not_ready`, `export_not_ready`, `export_failed`\.$/);
});

test('the contact for technical questions is the one that the operator configures', () => {
  assert.deepEqual(document.info.contact, { name: 'Your Assay administrator' });
  assert.equal(apiDocument('help@example.com').info.contact.email, 'help@example.com');
});

test('an operation returns one JSON media type, except for an export, whose file has the type of its format', () => {
  for (const { operationId, responses } of operations) {
    const types = Object.values<Json>(responses).flatMap(({ content = {} }) => Object.keys(content));
    const json = new Set(types.filter((type) => /[/+]json/.test(type)));
    const allowed =
      operationId === 'exportReport' ? ['application/json', 'application/sarif+json'] : ['application/json'];
    assert.deepEqual([...new Set([...allowed, ...json])], allowed, operationId);
  }
});

test('every list accepts limit and next_cursor, and returns data and next_cursor', () => {
  for (const { operationId, query, responses } of routes) {
    const fields = Object.keys((responses[200]?.schema as { properties?: object } | undefined)?.properties ?? {});
    if (!fields.includes('next_cursor')) continue;
    assert.deepEqual(fields, ['data', 'next_cursor'], operationId);
    assert.ok(query?.limit && query.next_cursor, operationId);
  }
});

// The core operations: all others are extensions.
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

test('x-extension marks everything beyond the core, and nothing in it', () => {
  for (const { method, path, extension } of routes) {
    assert.equal(extension ?? false, !core.has(`${method} ${path}`), `${method} ${path}`);
  }
});
