import { isDeepStrictEqual } from 'node:util';

type Json = Record<string, unknown>;

/** Our own keywords in schemas, which are not published. */
const private_ = new Set([
  '$id',
  'errorMessage',
  'x-about',
  'x-filter',
  'x-sorts',
  'x-markup',
  'x-name',
  'x-parameter',
  'x-time',
]);

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const isPlainType = (schema: Json) => typeof schema.type === 'string' && !('enum' in schema) && !('const' in schema);

const anyName = '^.*$';

/**
 * Converts a map with any keys, which the schema library writes as a pattern, to the form that generators understand.
 */
function simplifyMap({ patternProperties, ...rest }: Json): Json {
  const patterns = (patternProperties ?? {}) as Json;
  const isMap = Object.keys(patterns).join() === anyName && !('additionalProperties' in rest);
  if (isMap) return { ...rest, additionalProperties: patterns[anyName] };
  return patternProperties === undefined ? rest : { ...rest, patternProperties };
}

/** Writes `anyOf: [a string, null]` as `type: [string, null]`, and adds the type of its values to an enumeration. */
function simplify(schema: Json): Json {
  if (
    Array.isArray(schema.enum) &&
    schema.type === undefined &&
    schema.enum.every((value) => typeof value === 'string')
  ) {
    return { type: 'string', ...schema };
  }
  if (!Array.isArray(schema.anyOf) || schema.anyOf.length !== 2) return schema;
  const [first, second] = schema.anyOf as [Json, Json];
  if (second.type !== 'null') return schema;
  const { anyOf: _, ...rest } = schema;
  if (isPlainType(first)) return { ...first, ...rest, type: [first.type as string, 'null'] };
  const { description, ...shape } = first;
  return { anyOf: [shape, second], ...(description === undefined ? {} : { description }), ...rest };
}

/** Collects named schemas (`$id`) as components while schemas are written into the document. */
export class SchemaRegistry {
  readonly components: Json = {};
  /** The parameters that several operations share: their schema has a name in `x-parameter`. */
  readonly parameters: Json = {};

  /** Returns the schema as published: named parts become references. `closed` forbids other fields. */
  publish(schema: unknown, closed = false): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.publish(item, closed));
    if (!isJson(schema)) return schema;
    const written = simplifyMap(simplify(this.#write(schema, closed)));
    return typeof schema.$id === 'string' ? this.#refer(schema.$id, written, schema['x-about']) : written;
  }

  /**
   * Returns a reference to the named schema. A name must always have the same shape; its description may differ
   * between places. `about` is the general description (`x-about`); without it, the description of the first place is
   * used.
   */
  #refer(name: string, { description, ...shape }: Json, about?: unknown): Json {
    const { description: known, ...knownShape } = (this.components[name] ?? shape) as Json;
    if (!isDeepStrictEqual(knownShape, shape)) {
      throw new Error(
        `Two different schemas are named ${name}. One in requests is closed, so it needs a name of its own.`,
      );
    }
    const published = known ?? about ?? description;
    this.components[name] = { ...(published === undefined ? {} : { description: published }), ...shape };
    const own = description !== undefined && description !== published ? { description } : {};
    return { $ref: `#/components/schemas/${name}`, ...own };
  }

  /** Writes an object that has all fields of a named one (`x-extends`) as that one plus its additional fields. */
  #extend({ 'x-extends': base, ...schema }: Json, closed: boolean): Json {
    const { properties: inherited, required: always = [] } = base as { properties: Json; required?: string[] };
    const isOwn = (name: string) => !(name in inherited);
    const {
      description,
      properties,
      required = [],
      ...rest
    } = this.#write(schema, closed) as {
      description?: string;
      properties: Json;
      required?: string[];
    };
    const own = Object.fromEntries(Object.entries(properties).filter(([name]) => isOwn(name)));
    const needed = required.filter((name) => isOwn(name) || !always.includes(name));
    return {
      ...(description === undefined ? {} : { description }),
      allOf: [this.publish(base, closed), { ...rest, required: needed, properties: own }],
    };
  }

  #write(schema: Json, closed: boolean): Json {
    if ('x-extends' in schema) return this.#extend(schema, closed);
    const written: Json = {};
    for (const [key, value] of Object.entries(schema)) {
      if (private_.has(key)) continue;
      if (['enum', 'const', 'default', 'examples', 'required', 'discriminator'].includes(key)) written[key] = value;
      else if (key === 'properties') {
        written[key] = Object.fromEntries(
          Object.entries(value as Json).map(([name, item]) => [name, this.publish(item, closed)]),
        );
      } else written[key] = this.publish(value, closed);
    }
    if (closed && 'properties' in written && !('additionalProperties' in written)) written.additionalProperties = false;
    return written;
  }
}
