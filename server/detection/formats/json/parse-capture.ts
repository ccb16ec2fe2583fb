import { FormatError, jsonPathName } from '../format-error.ts';
import { type LineCounter, positionAfter } from '../line-counter.ts';
import type { Capture, JsonPath } from './json-scanner-state.ts';

/** Parses a captured value. Throws a FormatError with the line and column at which it stops being JSON. */
export function parseCapture(capture: Capture, lines: LineCounter, path: JsonPath): unknown {
  const bytes = capture.pieces.length === 1 ? capture.pieces[0]! : Buffer.concat(capture.pieces);
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    const offset = Number(/position (\d+)/.exec((error as Error).message)?.[1] ?? 0);
    const start = capture.place ?? lines.positionAt(capture.start);
    const place = positionAfter(bytes, 0, Buffer.byteLength(text.slice(0, offset)), start);
    throw new FormatError('This is not valid JSON.', { ...place, path: jsonPathName(path) });
  }
}
