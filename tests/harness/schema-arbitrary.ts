import fc from 'fast-check';
import { resolved } from './documented.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema
type Schema = any;

/** Texts that have broken servers: control characters, lone surrogates, prototypes, SQL, formats, paths, sizes. */
const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u0001\u001f\u007f\u0085\u2028',
  '\ud800',
  'x\udfff',
  '\ufeff',
  '\u202egnp.exe',
  'e\u0301'.repeat(40),
  '🔑'.repeat(70),
  'x'.repeat(10_000),
  '%s%n%x%d',
  '%',
  '%00',
  '${7*7}{{7*7}}',
  "'; DROP TABLE findings; --",
  "' OR '1'='1",
  '\\',
  '"',
  '*',
  '../../../etc/passwd',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-0',
  '1e309',
  '-1',
  '99999999999999999999',
  '0x10',
  '2026-02-30T00:00:00Z',
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '0000-01-01T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
  '{}',
  '[]',
  '&|!()<->:*',
  "a:* & 'b'",
  '@',
  'a@b',
  'none,me,,',
];

export const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 80 }) },
);

/** Any JSON, of any depth. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 4, arbitrary: hostileText },
  {
    weight: 3,
    arbitrary: fc.constantFrom(null, true, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, 2 ** 63, [], {}, [[]]),
  },
  {
    weight: 1,
    arbitrary: fc.nat(200).map((depth) => Array.from({ length: depth }).reduce((inner) => [inner], 1 as unknown)),
  },
  {
    weight: 1,
    arbitrary: fc.nat(90).map((depth) => Array.from({ length: depth }).reduce((inner) => ({ a: inner }), 1 as unknown)),
  },
  { weight: 1, arbitrary: fc.array(hostileText, { minLength: 100, maxLength: 1_200 }) },
);

function textOf(schema: Schema): fc.Arbitrary<unknown> {
  const { minLength = 0, maxLength = 60 } = schema;
  const plain = fc.string({
    minLength: Math.min(minLength, 60),
    maxLength: Math.max(minLength, Math.min(maxLength, 60)),
  });
  const examples: string[] = schema.examples ?? [];
  const time = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
  const known = [
    ...examples.map((example) => fc.constant(example)),
    time.map((date) => `${date.toISOString().slice(0, 19)}Z`),
  ];
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 2, arbitrary: fc.oneof(...known) });
}

function objectOf(schema: Schema): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {}).map(([name, one]) => [name, likeSchema(one)] as const);
  return fc.record(Object.fromEntries(properties), { requiredKeys: schema.required ?? [] });
}

/** Generates values that fit a schema of the document, except that patterns match only by chance. */
export function likeSchema(given: Schema): fc.Arbitrary<unknown> {
  const schema = resolved(given) ?? {};
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(likeSchema));
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: string) => likeSchema({ ...schema, type })));
  switch (schema.type) {
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? -5, max: schema.maximum ?? 500 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(likeSchema(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 4 });
    case 'object':
      return objectOf(schema);
    default:
      return hostileJson;
  }
}

/** Returns the value with one part, selected by `at`, replaced. */
function spoiled(value: unknown, at: number, by: unknown): unknown {
  if (typeof value !== 'object' || value === null || at % 3 === 0) return by;
  const keys = Object.keys(value);
  const key = keys[at % Math.max(1, keys.length)];
  if (key === undefined) return by;
  if (at % 7 === 0) return { ...value, [typeof by === 'string' ? by : 'more']: by };
  const copy = Array.isArray(value) ? [...value] : { ...value };
  (copy as Record<string, unknown>)[key] = spoiled((value as Record<string, unknown>)[key], Math.floor(at / 3), by);
  return copy;
}

/** Generates the example, mostly with one field of the schema set to a valid value or to a hostile text. */
function variedExample(schema: Schema, example: object): fc.Arbitrary<unknown> {
  const properties = Object.entries(resolved(schema)?.properties ?? {});
  if (properties.length === 0) return fc.constant(example);
  const changes = properties.map(([name, one]) =>
    fc.oneof(likeSchema(one), hostileText).map((value) => ({ ...example, [name]: value })),
  );
  return fc.oneof(fc.constant(example), ...changes);
}

/** Generates mostly values of the schema, often with a hostile value in place of a part. */
export function nearSchema(schema: Schema, example: object): fc.Arbitrary<unknown> {
  const good = fc.oneof(likeSchema(schema), variedExample(schema, example));
  const bad = fc.tuple(good, fc.nat(10_000), hostileJson).map(([value, at, by]) => spoiled(value, at, by));
  return fc.oneof({ weight: 6, arbitrary: good }, { weight: 3, arbitrary: bad }, { weight: 1, arbitrary: hostileJson });
}
