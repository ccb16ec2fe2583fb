import { defaultBodyLimit } from '../server/platform/http/body/json-body.ts';
import { newId } from '../server/platform/id.ts';
import type { Route } from './harness/requests.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema
type Schema = any;
type Path = (string | number)[];

/** Returns every place of a schema, with the schema there. */
function placesOf(schema: Schema, at: Path = []): { at: Path; schema: Schema }[] {
  const branches: Schema[] = schema.anyOf ?? schema.oneOf ?? [];
  const properties = Object.entries(schema.properties ?? {}).flatMap(([name, item]) => placesOf(item, [...at, name]));
  const items = schema.items ? placesOf(schema.items, [...at, 0]) : [];
  return [{ at, schema }, ...branches.flatMap((branch) => placesOf(branch, at)), ...properties, ...items];
}

/** Returns the JSON of a value with another JSON text at one of its places. */
function withAt(value: unknown, [key, ...rest]: Path, json: string): string {
  if (key === undefined) return json;
  if (typeof key === 'number') return `[${withAt(undefined, rest, json)}]`;
  const object = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const others = Object.entries(object).filter(([name]) => name !== key);
  const members = others.map(([name, item]) => `${JSON.stringify(name)}:${JSON.stringify(item)}`);
  return `{${[...members, `${JSON.stringify(key)}:${withAt(object[key], rest, json)}`].join(',')}}`;
}

const repeated = (text: string, room: number) => text.repeat(Math.max(0, Math.floor(room / text.length)));
const list = (item: string, room: number) => `[${repeated(`${item},`, room - item.length - 2)}${item}]`;
const fields = (room: number, value = '1') => {
  const count = Math.floor(room / (9 + value.length));
  return `{${Array.from({ length: count }, (_, index) => `"${index.toString(36).padStart(5, '_')}":${value}`).join(',')}}`;
};

/** Returns a value with everything that its schema allows: every field, and lists of maximum length. */
function fullest(schema: Schema, index = 0): unknown {
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (choices) return choices[index % choices.length];
  const branches: Schema[] = schema.anyOf ?? schema.oneOf ?? [];
  if (branches[0]) return fullest(branches[0], index);
  const [type] = [schema.type].flat();
  if (type === 'array') {
    const { minItems = 0, maxItems = 100, items = {} } = schema;
    return Array.from({ length: Math.max(minItems, maxItems) }, (_, at) => fullest(items, at));
  }
  if (type === 'object') {
    const properties = Object.entries(schema.properties ?? {});
    return Object.fromEntries(properties.map(([name, item]) => [name, fullest(item, index)]));
  }
  if (type === 'integer' || type === 'number') return schema.maximum ?? 1;
  if (type === 'boolean') return true;
  const prefix = /^\^([a-z]+)_/.exec(schema.pattern ?? '')?.[1];
  if (prefix) return newId(prefix as 'fnd');
  if (schema.format === 'email') return `person${index}@example.com`;
  return schema.examples?.[index] ?? `v${index}`.padEnd(schema.minLength ?? 0, 'x');
}

/** Texts that make careless parsers and expressions slow. */
const units = ['a', ' ', '@', 'a@', '*/', 'a.', '-', '0', ',', '\\u0301', '\\ud834\\udd1e', '\\"', 'https://a,', '\\n'];

const lists = (schema: Schema, room: number) => {
  const good = JSON.stringify(fullest(schema.items ?? {}));
  const distinct = Array.from({ length: Math.floor(room / 10) }, (_, index) => `"t${index}"`);
  const oneWrong = [...Array(Math.min(schema.maxItems ?? 100, Math.floor(room / good.length) - 1)).fill(good), '{}'];
  return [...[1, {}, [[]]].map((item) => list(JSON.stringify(item), room)), `[${distinct}]`, `[${oneWrong}]`];
};

function texts(schema: Schema, room: number): string[] {
  const plain = `"${repeated('a', room - 2)}"`;
  // Texts longer than the schema allows are refused at once.
  const characters = Math.min(schema.maxLength ?? room, room) - 2;
  return [
    plain,
    ...units.flatMap((unit) => {
      const long = repeated(unit, Math.min(characters * (unit.length > 4 ? unit.length / 2 : 1), room - 12));
      return [`"${long}"`, `"a${long}\\u0001"`];
    }),
  ];
}

const seen = new Set<string>();

/**
 * Returns the JSON texts of maximum size that are worst at a place with this schema. Many routes share schemas: all
 * but the first get only one of the texts.
 */
function worstAt(schema: Schema, room: number): string[] {
  const key = JSON.stringify(schema);
  if (seen.has(key)) return [list('1', room)];
  seen.add(key);
  const types = [schema.type].flat();
  if (types.includes('array')) return lists(schema, room);
  if (types.includes('object')) return [fields(room), list('{}', room)];
  return types.includes('string') ? texts(schema, room) : [];
}

const readRooms = new Set<number>();

/** Returns the JSON texts that are worst to parse, before a route's schema matters: once for each body limit. */
function worstToRead(room: number): string[] {
  if (readRooms.has(room)) return [];
  readRooms.add(room);
  const half = Math.floor(room / 2) - 1;
  return [
    `${'['.repeat(half)}${']'.repeat(half)}`,
    `${'{"a":'.repeat(room / 8)}1${'}'.repeat(room / 8)}`,
    `{${repeated('"a":1,', room - 8)}"a":1}`,
    `{${repeated('"a":1,', 5_000)}"a":1}`,
    `"${repeated('\\u0000', room - 8)}"`,
    `["${repeated('\\\\', room - 8)}"]`,
    repeated('{"a":"\\\\', room),
    list('"\\u0061"', room),
    list('1', room),
    list('{"a":1}', room),
    fields(room, '"\\n"'),
  ];
}

/** Returns the worst bodies for a route, within its limit. */
export function worstBodiesOf(route: Route, room = route.bodyLimit ?? defaultBodyLimit): string[] {
  const anywhere = [...worstToRead(room), fields(room)];
  const example = route.requestExample;
  const rest = room - JSON.stringify(example ?? {}).length - 100;
  const inside = placesOf(route.body ?? {}).flatMap(({ at, schema }) =>
    worstAt(schema, rest).map((json) => withAt(example, at, json)),
  );
  const full = route.body ? fullest(route.body) : {};
  const valid = [
    full,
    ...Object.keys(full as object).map((name) => ({ ...(example as object), [name]: (full as never)[name] })),
  ];
  return [...anywhere, ...inside, ...valid.map((value) => JSON.stringify(value))].filter(
    (body) => Buffer.byteLength(body) <= room,
  );
}

/** The space in a request line: 16 KiB with its headers. */
const queryRoom = 15_000;

/** Returns the worst query strings for a route. */
export function worstQueriesOf(route: Route): string[] {
  const names = Object.entries(route.query ?? {}) as [string, Schema][];
  const text = (schema: Schema) => [fullest(schema)].flat().join(',');
  const anywhere = [
    repeated('a&', queryRoom),
    fields(queryRoom, '')
      .replaceAll(/["{}:]/g, '')
      .replaceAll(',', '&'),
    repeated('%00=%00&', queryRoom),
    repeated('limit=1&', queryRoom),
    names
      .map(([name, schema]) => `${name}=${encodeURIComponent(text(schema))}`)
      .join('&')
      .slice(0, queryRoom),
  ];
  const each = names.flatMap(([name]) => [
    `${name}=${repeated(',', queryRoom)}`,
    `${name}=${repeated('a,', queryRoom)}`,
    `${name}=${repeated('1', queryRoom)}x`,
    `${name}=${repeated('+', queryRoom)}x`,
    repeated(`${name}=a&`, queryRoom),
  ]);
  return [...anywhere, ...each].map((query) => query.slice(0, queryRoom).replace(/%\w?$/, ''));
}
