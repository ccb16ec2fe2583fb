import type { Position } from '../line-counter.ts';
import type { PatternNode } from './json-patterns.ts';

export type JsonPath = Array<string | number>;

/** `item`: a value that a pattern names; `line` is told where documents follow one another. `end`: an object or array on the way to them is over; `keys` are an object's own (at most 100), null for an array. */
export type JsonEvent =
  | { kind: 'item'; pattern: string; path: JsonPath; value: unknown; line: number | null }
  | { kind: 'end'; pattern: string; path: JsonPath; keys: string[] | null };

/** What may come next. */
export type State = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'done';
/** An object or array that the scanner is in. */
export type Frame = { node: PatternNode; isObject: boolean; key: string; index: number; keys: string[] };

/** One value as bytes: kept when someone asked for it, else only followed to its end. */
export type Capture = {
  purpose: 'key' | 'item' | 'skip';
  pattern: string;
  kind: 'string' | 'container' | 'literal';
  pieces: Buffer[];
  length: number;
  depth: number;
  values: number;
  inString: boolean;
  escaped: boolean;
  start: number;
  place: Position | null;
};
