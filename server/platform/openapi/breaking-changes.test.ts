import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type, { type TProperties, type TSchema } from 'typebox';
import { defineRoute, libraryInfo, libraryRoutes } from '../http/library.fixture.ts';
import { enumeration, nullable } from '../http/schema.ts';
import { type ComparableDocument, findBreakingChanges } from './breaking-changes.ts';
import { createOpenApiDocument } from './document.ts';

type Parts = {
  query?: TProperties;
  body?: TSchema;
  response?: TSchema;
  role?: string;
  status?: number;
  headers?: Record<string, string>;
};

const documentOf = (parts: Parts): ComparableDocument => {
  const route = defineRoute({
    method: 'POST',
    path: '/things',
    operationId: 'thing',
    tag: 'Tests',
    summary: 'Thing',
    description: 'Thing.',
    permission: { role: parts.role ?? 'viewer', scope: 'things:write' },
    query: parts.query ?? {},
    body: parts.body ?? Type.Object({}),
    responses: {
      [parts.status ?? 200]: {
        schema: parts.response ?? Type.Object({}),
        description: 'x',
        headers: parts.headers ?? {},
      },
    },
    errors: [],
    handler: async () => ({}) as never,
  });
  return createOpenApiDocument([route], libraryInfo) as unknown as ComparableDocument;
};
const changes = (before: Parts, after: Parts) =>
  findBreakingChanges(documentOf(before), documentOf(after), '2026-11-20').map((line) =>
    line.replace('POST /things ', ''),
  );

const text = Type.String();
const maybe = Type.Optional(text);
const object = (properties: TProperties, options = {}) => Type.Object(properties, options);

const Base = object({ a: text }, { $id: 'Base' });
const extended = (base: TSchema, properties: TProperties) => object(properties, { $id: 'Extended', 'x-extends': base });

const breaking: [string, Parts, Parts, string][] = [
  ['a removed query parameter', { query: { q: maybe } }, {}, 'parameter query q: was removed'],
  [
    'a parameter that becomes required',
    { query: { q: maybe } },
    { query: { q: text } },
    'parameter query q: is now required',
  ],
  ['a new required parameter', {}, { query: { q: text } }, 'parameter query q: is new and required'],
  [
    'a lower maximum',
    { query: { n: Type.Optional(Type.Integer({ maximum: 9 })) } },
    { query: { n: Type.Optional(Type.Integer({ maximum: 8 })) } },
    'parameter query n : maximum was lowered',
  ],
  [
    'a new required field',
    { body: object({ a: text }) },
    { body: object({ a: text, b: text }) },
    'body b: is now required',
  ],
  ['a request field that goes', { body: object({ a: maybe }) }, { body: object({}) }, 'body a: was removed'],
  [
    'a request value that goes',
    { body: object({ a: enumeration(['x', 'y']) }) },
    { body: object({ a: enumeration(['x']) }) },
    'body a: no longer accepts y',
  ],
  [
    'free text that becomes a choice',
    { body: object({ a: text }) },
    { body: object({ a: enumeration(['x']) }) },
    'body a: no longer accepts any other value',
  ],
  [
    'a new pattern',
    { body: object({ a: text }) },
    { body: object({ a: Type.String({ pattern: '^x' }) }) },
    'body a: pattern was added or changed',
  ],
  [
    'null that is no longer accepted',
    { body: object({ a: nullable(text) }) },
    { body: object({ a: text }) },
    'body a: the type was null and is string',
  ],
  [
    'a number that must be whole',
    { body: object({ a: Type.Number() }) },
    { body: object({ a: Type.Integer() }) },
    'body a: the type was number and is integer',
  ],
  [
    'a response field that goes',
    { response: object({ a: object({ b: text }) }) },
    { response: object({ a: object({}) }) },
    'response 200 a.b: was removed',
  ],
  [
    'a response field that may be absent',
    { response: object({ a: text }) },
    { response: object({ a: maybe }) },
    'response 200 a: may now be absent',
  ],
  [
    'a response field that may be null',
    { response: object({ a: text }) },
    { response: object({ a: nullable(text) }) },
    'response 200 a: the type was string and is null',
  ],
  [
    'another type in a list',
    { response: object({ a: Type.Array(text) }) },
    { response: object({ a: Type.Array(Type.Integer()) }) },
    'response 200 a[]: the type was string and is integer',
  ],
  [
    'a response field that goes from an object that another extends',
    { response: extended(Base, { a: text, b: text }) },
    { response: extended(object({}, { $id: 'Base' }), { b: text }) },
    'response 200 a: was removed',
  ],
  [
    'a response field that goes from an object that extends another',
    { response: extended(Base, { a: text, b: text }) },
    { response: extended(Base, { a: text }) },
    'response 200 b: was removed',
  ],
  ['another status', { status: 200 }, { status: 201 }, 'response 200: was removed'],
  ['a header that goes', { headers: { Location: 'x' } }, {}, 'response 200: no longer has Location'],
];
for (const [what, before, after, change] of breaking) {
  test(`${what} breaks clients`, () => {
    assert.deepEqual(changes(before, after), [change]);
  });
}

const harmless: [string, Parts, Parts][] = [
  ['a new optional parameter', {}, { query: { q: maybe } }],
  ['a new optional field', { body: object({ a: text }) }, { body: object({ a: text, b: maybe }) }],
  ['a field that need not be sent any more', { body: object({ a: text }) }, { body: object({ a: maybe }) }],
  [
    'a wider range',
    { body: object({ a: Type.String({ maxLength: 5 }) }) },
    { body: object({ a: Type.String({ maxLength: 9 }) }) },
  ],
  [
    'another alternative of a pattern',
    { body: object({ a: Type.String({ pattern: '^x$' }) }) },
    { body: object({ a: Type.String({ pattern: '^x$|^y$' }) }) },
  ],
  [
    'a value more to choose from',
    { body: object({ a: enumeration(['x']) }) },
    { body: object({ a: enumeration(['x', 'y']) }) },
  ],
  ['null that is taken too', { body: object({ a: text }) }, { body: object({ a: nullable(text) }) }],
  ['a new response field', { response: object({ a: text }) }, { response: object({ a: text, b: text }) }],
  [
    'a new value in a response',
    { response: object({ a: enumeration(['x']) }) },
    { response: object({ a: enumeration(['x', 'y']) }) },
  ],
  [
    'a response field that is never null any more',
    { response: object({ a: nullable(text) }) },
    { response: object({ a: text }) },
  ],
];
for (const [what, before, after] of harmless) {
  test(`${what} breaks nobody`, () => {
    assert.deepEqual(changes(before, after), []);
  });
}

const library = (routes = libraryRoutes) => createOpenApiDocument(routes, libraryInfo) as unknown as ComparableDocument;

test('a document is compatible with itself', () => {
  assert.deepEqual(findBreakingChanges(library(), library(), '2026-11-20'), []);
});

test('an operation may be removed only when it was deprecated and its sunset is past', () => {
  const without = (id: string) => library(libraryRoutes.filter((route) => route.operationId !== id));
  assert.deepEqual(findBreakingChanges(library(), without('findBook'), '2030-01-01'), ['GET /books/{id}: was removed']);
  assert.deepEqual(findBreakingChanges(library(), without('lendBook'), '2026-11-20'), [
    'POST /books/{id}/lend: was removed',
  ]);
  assert.deepEqual(findBreakingChanges(library(), without('lendBook'), '2027-01-01'), []);
});

test('an operation for sessions only may be opened to tokens, and not the other way round', () => {
  const guarded = (scheme: string) => {
    const document = documentOf({});
    for (const operation of Object.values(document.paths['/things']!)) {
      Object.assign(operation as object, { security: [{ [scheme]: [] }], 'x-permission': undefined });
    }
    return document;
  };
  assert.deepEqual(findBreakingChanges(guarded('session'), guarded('bearer'), '2026-11-20'), []);
  assert.deepEqual(findBreakingChanges(guarded('bearer'), guarded('session'), '2026-11-20'), [
    'POST /things: needs another permission',
  ]);
});

test('an operation that needs another permission breaks clients', () => {
  assert.deepEqual(findBreakingChanges(documentOf({}), documentOf({ role: 'admin' }), '2026-11-20'), [
    'POST /things: needs another permission',
  ]);
});
