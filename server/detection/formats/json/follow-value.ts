import type { Capture } from './json-scanner-state.ts';

export const maxDepth = 256;
/** Values within one item: `[[],[],…]` takes 30 times its bytes once parsed. */
const maxValues = 500_000;

type Place = {
  begin: number;
  /** Where the value, or its part in this chunk, begins: before `begin` when the rest of a text was left out. */
  from: number;
  /** The brackets that end what is open, by depth; at least `maxDepth`. */
  closers: Uint8Array;
};

/**
 * Follows a string, object or array in a chunk and keeps its state in the capture. Returns the offset behind its end, the
 * chunk's length when it goes on, or the offset of a problem.
 */
export function followValue(
  capture: Capture,
  chunk: Uint8Array,
  { begin, from, closers }: Place,
): { at: number; ended: boolean; problem: string | null } {
  let { inString, escaped, depth, values } = capture;
  let opened = from - capture.stringBytes;
  const bounded = capture.purpose !== 'skip';
  for (let at = begin; at < chunk.length; at += 1) {
    const byte = chunk[at]!;
    if (inString) {
      if (escaped) escaped = false;
      else if (byte === 0x5c) escaped = true;
      else if (byte === 0x22) {
        inString = false;
        if (depth === 0) return { at: at + 1, ended: true, problem: null };
      }
    } else if (byte === 0x22) {
      inString = true;
      opened = at;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (depth === maxDepth) return problem(at, `Values are nested more than ${maxDepth} deep.`);
      closers[depth] = byte + 2;
      depth += 1;
      values += 1;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1;
      if (closers[depth] !== byte) return problem(at, 'This is not valid JSON: brackets do not match.');
      if (depth === 0) return { at: at + 1, ended: true, problem: null };
    } else if (byte === 0x2c) values += 1;
    if (bounded && values > maxValues) return problem(at, `One value holds more than ${maxValues} others.`);
  }
  capture.inString = inString;
  capture.escaped = escaped;
  capture.depth = depth;
  capture.values = values;
  capture.stringBytes = inString ? chunk.length - opened : 0;
  return { at: chunk.length, ended: false, problem: null };
}

const problem = (at: number, sentence: string) => ({ at, ended: false, problem: sentence });
