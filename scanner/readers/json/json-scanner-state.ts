import type { Position } from '../line-counter.ts';
import type { PatternNode } from './json-patterns.ts';
import type { LongText } from './long-text.ts';

export type JsonPath = Array<string | number>;

/**
 * `item` is a value that a pattern selects; `line` is set in a sequence of documents. `end` closes an object or array
 * on the path to such values; `keys` are the object's own (at most 100), or null for an array.
 */
export type JsonEvent =
  | { kind: 'item'; pattern: string; path: JsonPath; value: unknown; line: number | null }
  | { kind: 'end'; pattern: string; path: JsonPath; keys: string[] | null };

/** The tokens that may come next. */
export type State = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'done';
/** An object or array that the scanner has entered. */
export type Frame = { node: PatternNode; isObject: boolean; key: string; index: number; keys: string[] };

/** A value being read: its bytes are stored if a pattern selects it, otherwise it is only scanned to its end. */
export type Capture = {
  purpose: 'key' | 'item' | 'skip';
  pattern: string;
  kind: 'string' | 'container' | 'literal';
  pieces: Buffer[];
  length: number;
  depth: number;
  values: number;
  inString: boolean;
  /** The bytes of the string in which the last chunk ended; 0 if it ended outside of a string. */
  stringBytes: number;
  /** The string that is being truncated, if any. */
  longText: LongText | null;
  escaped: boolean;
  start: number;
  place: Position | null;
};

export const newCapture = (
  purpose: Capture['purpose'],
  pattern: string,
  kind: Capture['kind'],
  start: number,
): Capture => ({
  purpose,
  pattern,
  kind,
  pieces: [],
  length: 0,
  depth: 0,
  values: 0,
  inString: kind === 'string',
  stringBytes: 0,
  longText: null,
  escaped: false,
  start,
  place: null,
});

export const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
export const endsLiteral = (byte: number): boolean => isSpace(byte) || byte === 0x2c || byte === 0x5d || byte === 0x7d;

/** The pattern for the value that comes next in a frame, or null if no pattern leads there. */
export const childOf = ({ node, isObject, key }: Frame): PatternNode | null =>
  isObject ? (node.members?.get(key) ?? node.anyMember) : node.items;
