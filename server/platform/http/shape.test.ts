import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { timeExpectation } from '../times.ts';
import { enumeration, nullable, timeInput } from './schema.ts';
import { compileShape } from './shape.ts';

const errorsOf = (schema: Parameters<typeof compileShape>[0], value: unknown) =>
  compileShape(schema, 'body')(value).map((detail) => `${detail.field}: ${detail.message}`);

const withField = (schema: Parameters<typeof compileShape>[0]) => Type.Object({ field: schema });

const cases: [string, Parameters<typeof compileShape>[0], unknown, string][] = [
  ['a nullable text', nullable(Type.String({ maxLength: 3 })), 'long', 'must have at most 3 characters'],
  ['a nullable text of another type', nullable(Type.String()), 1, 'must be a string or null'],
  ['a nullable enumeration', nullable(enumeration(['a', 'b'])), 'c', 'must be one of a, b or null'],
  ['literals', Type.Union([Type.Literal('a'), Type.Literal(2)]), 'c', 'must be one of a, 2'],
  ['one literal', Type.Literal('a'), 'c', 'must be a'],
  ['a time', timeInput('When.'), 'yesterday', timeExpectation],
  ['a list too short', Type.Array(Type.String(), { minItems: 1 }), [], 'must not be empty'],
  ['a list too long', Type.Array(Type.String(), { maxItems: 1 }), ['a', 'b'], 'must have at most 1 item'],
  [
    'a repeated item',
    Type.Array(Type.String(), { uniqueItems: true }),
    ['a', 'a'],
    'must not contain the same item twice',
  ],
  ['a pattern', Type.String({ pattern: '^x$', description: 'An x.' }), 'y', 'is not valid: An x.'],
  [
    'a sentence of its own',
    Type.String({ pattern: '^x$', errorMessage: 'must be x, please' }),
    'y',
    'must be x, please',
  ],
  ['a minimum', Type.Integer({ minimum: 5 }), 4, 'must be at least 5'],
  ['a text or a list', Type.Union([Type.String(), Type.Array(Type.String())]), 4, 'must be a string, or an array'],
];
for (const [what, schema, value, message] of cases) {
  test(`${what} is explained: ${message}`, () => {
    assert.deepEqual(errorsOf(withField(schema), { field: value }), [`field: ${message}`]);
  });
}

test('an error inside one of several shapes is reported where it is', () => {
  const config = nullable(Type.Object({ url: Type.String({ format: 'uri' }) }));
  assert.deepEqual(errorsOf(withField(config), { field: { url: 'x' } }), ['field.url: must be a URL']);
  assert.deepEqual(errorsOf(withField(config), { field: { url: 'https://a.b', extra: 1 } }), [
    'field.extra: is not a known field: known are url',
  ]);
});

test('free maps stay open, everything else is closed', () => {
  const schema = Type.Object({ map: Type.Record(Type.String(), Type.Integer()) });
  assert.deepEqual(errorsOf(schema, { map: { a: 1, b: 2 } }), []);
  assert.deepEqual(errorsOf(schema, { map: { a: 'x' } }), ['map.a: must be a whole number']);
});

test('at most 20 errors are reported', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, 1]));
  assert.equal(errorsOf(Type.Object({}), many).length, 20);
});
