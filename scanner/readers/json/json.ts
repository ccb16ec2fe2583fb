import type { Chunks } from '../format.ts';
import { FormatError, jsonPathName } from '../format-error.ts';
import { JsonScanner } from './json-scanner.ts';
import type { JsonEvent, JsonPath } from './json-scanner-state.ts';

export type { JsonEvent, JsonPath } from './json-scanner-state.ts';

/** Streams the values that `patterns` select (see json-patterns.ts), in the order of the file. Throws FormatError. */
export async function* readJson(
  chunks: Chunks,
  patterns: string[],
  { manyRoots = false }: { manyRoots?: boolean } = {},
): AsyncGenerator<JsonEvent> {
  const scanner = new JsonScanner(patterns, manyRoots);
  for await (const chunk of chunks) yield* scanner.push(chunk);
  yield* scanner.finish();
}

/** An object with unknown members; read them with the functions of values.ts. */
export type JsonObject = Record<string, unknown>;

/** Returns a value that must be an object. */
export function objectAt(value: unknown, path: JsonPath): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new FormatError('This must be an object.', { path: jsonPathName(path) });
}

/** Returns a member that must be a non-empty string. */
export function requiredText(object: JsonObject, name: string, path: JsonPath): string {
  const value = object[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new FormatError(`The member “${name}” must be a text.`, { path: jsonPathName([...path, name]) });
}

/**
 * Refuses a file whose root, or an item of whose root array, has none of the format's members: it has another format
 * and would otherwise count as a file without results. Call it with every event of readJson, before any are skipped:
 * the members are known with the event that ends the root.
 */
export function requireRootMember(event: JsonEvent, names: string[], title: string): void {
  if (event.kind !== 'end' || (event.pattern !== '' && event.pattern !== '[*]') || event.keys === null) return;
  const { keys } = event;
  if (names.some((name) => keys.includes(name))) return;
  throw new FormatError(`This is not a file of ${title}: it has no “${names.join('” or “')}”.`, {
    path: jsonPathName(event.path),
  });
}

/** Reads one of several documents; errors in it are reported with its line. */
export function atLine<T>(event: JsonEvent & { kind: 'item' }, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FormatError) || event.line === null) throw error;
    throw new FormatError(error.sentence, { line: event.line, path: error.place.path });
  }
}
