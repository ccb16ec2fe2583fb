/** The parts of the document's JSON Schema that are compared. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  format?: string;
  pattern?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
} & Record<string, unknown>;

export type Direction = 'request' | 'response';

/** The two documents. `resolve` follows references in the old (0) or the new one (1). */
export type SchemaPair = { resolve: [(ref: string) => Schema, (ref: string) => Schema]; direction: Direction };

const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

/** Returns an object with the required and the declared properties of all parts. */
function mergeOf(parts: Schema[], resolve: (ref: string) => Schema): Schema {
  const objects = parts.flatMap((part) => variantsOf(part, resolve));
  const properties = Object.assign({}, ...objects.map((object) => object.properties));
  return Object.assign({}, ...objects, { properties, required: objects.flatMap(({ required = [] }) => required) });
}

/** Returns the variants that a schema allows, each with one type. */
function variantsOf(schema: Schema, resolve: (ref: string) => Schema): Schema[] {
  if (schema.$ref) return variantsOf(resolve(schema.$ref), resolve);
  if (schema.allOf) return variantsOf(mergeOf(schema.allOf, resolve), resolve);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.flatMap((alternative) => variantsOf(alternative, resolve));
  if (!Array.isArray(schema.type)) return [schema];
  return schema.type.map((type) => (type === 'null' ? { type } : { ...schema, type }));
}

const isType = (narrow: Schema, wide: Schema) =>
  wide.type === undefined || narrow.type === wide.type || (narrow.type === 'integer' && wide.type === 'number');

const valuesOf = (schema: Schema): unknown[] | undefined => ('const' in schema ? [schema.const] : schema.enum);

/** Finds changes that would make a previously valid request invalid. */
function narrowings(before: Schema, after: Schema, where: string): string[] {
  const found: string[] = [];
  const values = valuesOf(after);
  if (values) {
    const gone = (valuesOf(before) ?? ['any other value']).filter((value) => !values.includes(value));
    if (gone.length > 0) found.push(`${where}: no longer accepts ${gone.join(', ')}`);
  }
  for (const key of lowerBounds) {
    // The number of required fields is a lower bound of the number of fields.
    const least =
      key === 'minProperties' ? Math.max(Number(before.minProperties ?? 0), before.required?.length ?? 0) : before[key];
    if (typeof after[key] === 'number' && !((least as number) >= after[key])) found.push(`${where}: ${key} was raised`);
  }
  for (const key of upperBounds) {
    if (typeof after[key] === 'number' && !((before[key] as number) <= after[key]))
      found.push(`${where}: ${key} was lowered`);
  }
  for (const key of ['pattern', 'format'] as const) {
    if (after[key] === undefined || after[key] === before[key]) continue;
    // A pattern with an additional alternative accepts everything that it did before.
    if (key === 'pattern' && before.pattern && after.pattern?.startsWith(`${before.pattern}|`)) continue;
    found.push(`${where}: ${key} was added or changed`);
  }
  return found;
}

/** Returns the schema of a map's values, for both notations of maps. */
const valuesOfMap = ({ additionalProperties, patternProperties }: Schema): Schema | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : Object.values(patternProperties ?? {})[0];

function compareObjects(before: Schema, after: Schema, pair: SchemaPair, where: string, seen: Set<string>): string[] {
  const found: string[] = [];
  const known = after.properties ?? {};
  for (const [name, schema] of Object.entries(before.properties ?? {})) {
    const field = where === '' ? name : `${where}.${name}`;
    if (known[name]) found.push(...compareSchemas(schema, known[name], pair, field, seen));
    else if (pair.direction === 'response' || after.additionalProperties === false) found.push(`${field}: was removed`);
  }
  const [fewer, more] = pair.direction === 'request' ? [before, after] : [after, before];
  for (const name of more.required ?? []) {
    if (fewer.required?.includes(name) || (pair.direction === 'response' && !known[name])) continue;
    found.push(
      `${where === '' ? name : `${where}.${name}`}: ${pair.direction === 'request' ? 'is now required' : 'may now be absent'}`,
    );
  }
  const [map, newMap] = [before, after].map(valuesOfMap);
  if (map && newMap) found.push(...compareSchemas(map, newMap, pair, `${where}.*`, seen));
  return found;
}

function compareVariants(before: Schema, after: Schema, pair: SchemaPair, where: string, seen: Set<string>): string[] {
  const [narrow, wide] = pair.direction === 'request' ? [before, after] : [after, before];
  if (!isType(narrow, wide)) return [`${where}: the type was ${before.type} and is ${after.type}`];
  const found = pair.direction === 'request' ? narrowings(before, after, where) : [];
  if (pair.direction === 'response' && before.format !== undefined && before.format !== after.format) {
    found.push(`${where}: the format was ${before.format} and is ${after.format ?? 'none'}`);
  }
  if (before.items && after.items) found.push(...compareSchemas(before.items, after.items, pair, `${where}[]`, seen));
  return [...found, ...compareObjects(before, after, pair, where, seen)];
}

/**
 * Finds changes of a schema that break clients. A request must still accept every variant that it accepted. A
 * response may only have variants that it had before, with all their fields. New fields, and new enumeration values
 * in responses, break nothing.
 */
export function compareSchemas(
  before: Schema,
  after: Schema,
  pair: SchemaPair,
  where = '',
  seen = new Set<string>(),
): string[] {
  if (before.$ref && after.$ref) {
    const step = `${before.$ref} ${after.$ref}`;
    if (seen.has(step)) return [];
    seen = new Set(seen).add(step);
  }
  const olds = variantsOf(before, pair.resolve[0]);
  const news = variantsOf(after, pair.resolve[1]);
  const isRequest = pair.direction === 'request';
  return (isRequest ? olds : news).flatMap((variant) => {
    const attempts = (isRequest ? news : olds).map((other) =>
      isRequest
        ? compareVariants(variant, other, pair, where, seen)
        : compareVariants(other, variant, pair, where, seen),
    );
    // The variant with the fewest differences is the counterpart.
    return (
      attempts.sort(
        (a, b) => a.length - b.length || Number(/: the type/.test(a[0] ?? '')) - Number(/: the type/.test(b[0] ?? '')),
      )[0] ?? []
    );
  });
}
