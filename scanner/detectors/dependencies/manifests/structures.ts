import { load } from 'js-yaml';
import { parse as parseToml } from 'smol-toml';

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const object = (value: unknown): Json => (isObject(value) ? value : {});

/**
 * Returns the entries of a table of a lockfile. Throws a sentence if the table or one of its entries is something else.
 */
export function entries(value: unknown, name: string): Array<[string, Json]> {
  if (!isObject(value)) throw new Error(`Its "${name}" is ${value === undefined ? 'missing' : 'not an object'}.`);
  return Object.entries(value).map(([key, entry]) => {
    if (!isObject(entry)) throw new Error(`The entry "${key.slice(0, 100)}" of its "${name}" is not an object.`);
    return [key, entry];
  });
}

/**
 * Returns the entries of a list of a lockfile. Throws a sentence if the list or one of its entries is something else.
 */
export function list(value: unknown, name: string): Json[] {
  if (!Array.isArray(value)) throw new Error(`Its "${name}" is ${value === undefined ? 'missing' : 'not a list'}.`);
  if (!value.every(isObject)) throw new Error(`An entry of its "${name}" is not an object.`);
  return value;
}

/** Returns the version of an entry, or null. Throws a sentence if it is not a string. */
export function versionOf({ version }: Json): string | null {
  if (version !== undefined && version !== null && typeof version !== 'string') {
    throw new Error('The version of a package is not a text.');
  }
  return text(version);
}

export const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
export const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

function requireObject(value: unknown, form: string): Json {
  if (isObject(value)) return value;
  throw new Error(`It is ${form}, but not an object.`);
}

/** Returns the first line of a parser's message, without the excerpt after it. */
const reason = (error: unknown) => (error as Error).message.split('\n', 1)[0]!.slice(0, 200);

function parse(content: string, form: string, parser: (content: string) => unknown): Json {
  let value: unknown;
  try {
    value = parser(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Error(`It is not ${form}: ${reason(error)}.`);
  }
  return requireObject(value, form);
}

/** These throw a sentence if the content is not an object in that format. */
export const readJson = (content: string): Json => parse(content, 'JSON', JSON.parse);
export const readToml = (content: string): Json => parse(content, 'TOML', parseToml);
export const readYaml = (content: string): Json => parse(content, 'YAML', (text) => load(text) ?? {});

const keyPattern = /^(?:name = )?(?:"([^"]*)"|'([^']*)'|([^\s'"#][^:]*(?=:)))/;

/**
 * Finds the first line that starts with a key or a name, in JSON, YAML or TOML in the tools' formatting. Finds nothing
 * in minified files.
 */
export function createLineIndex(content: string): (key: string) => number | null {
  const lines = new Map<string, number>();
  let number = 0;
  for (const line of content.split('\n')) {
    number++;
    const match = keyPattern.exec(line.slice(0, 1_000).trimStart());
    const key = match?.[1] ?? match?.[2] ?? match?.[3]?.trimEnd();
    if (key !== undefined && !lines.has(key)) lines.set(key, number);
  }
  return (key) => lines.get(key) ?? null;
}

/** Finds the line of `"name": "…"`, in JSON with one member per line. */
export function createNameIndex(content: string): (name: string) => number | null {
  const lines = new Map<string, number>();
  for (const [index, line] of content.split('\n').entries()) {
    const [, name] = /^"name": "([^"]*)"/.exec(line.slice(0, 1_000).trimStart()) ?? [];
    if (name !== undefined && !lines.has(name)) lines.set(name, index + 1);
  }
  return (name) => lines.get(name) ?? null;
}
