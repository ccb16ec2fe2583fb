import { endsEarly, FormatError, jsonPathName } from '../format-error.ts';
import { LineCounter, positionAfter } from '../line-counter.ts';
import { maxPartBytes, maxTextBytes, maxValueBytes } from '../value-limits.ts';
import { type PatternNode, parsePatterns } from './json-patterns.ts';
import {
  type Capture,
  childOf,
  endsLiteral,
  type Frame,
  isSpace,
  type JsonEvent,
  type JsonPath,
  newCapture,
  type State,
} from './json-scanner-state.ts';
import { LongText } from './long-text.ts';

const maxDepth = 256;
/** The maximum number of values within one item: `[[],[],…]` takes 30 times its bytes once parsed. */
const maxValues = 500_000;

type Place = {
  begin: number;
  /** The start of the value, or of its part in this chunk: before `begin` if the rest of a string was left out. */
  from: number;
  /** The closing brackets of the open values, by depth; at least `maxDepth`. */
  closers: Uint8Array;
};

/**
 * Scans a string, object or array in a chunk and stores its state in the capture. Returns the offset after its end, the
 * chunk's length if it continues, or the offset of a problem.
 */
function followValue(
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

/**
 * Finds the values that patterns select in chunked JSON, and parses each with the engine's own parser. A general
 * streaming parser builds every token in JavaScript and took three times the processor time on SARIF (0.7 s for 50,000
 * results here): this scanner only looks for the end of each value. Values that no pattern selects are skipped.
 */
export class JsonScanner {
  readonly #root: PatternNode;
  readonly #manyRoots: boolean;
  readonly #frames: Frame[] = [];
  readonly #closers = new Uint8Array(maxDepth);
  #state: State = 'value';
  #roots = 0;
  #capture: Capture | null = null;
  #chunk: Buffer = Buffer.alloc(0);
  readonly #lines = new LineCounter();
  #events: JsonEvent[] = [];

  /** `manyRoots` accepts several values in a row, as in JSON Lines. */
  constructor(patterns: string[], manyRoots: boolean) {
    this.#root = parsePatterns(patterns);
    this.#manyRoots = manyRoots;
  }

  /** Returns the events that this chunk completes. Throws FormatError. */
  push(chunk: Buffer): JsonEvent[] {
    this.#events = [];
    this.#chunk = chunk;
    this.#lines.enter(chunk);
    let at = 0;
    while (at < chunk.length) {
      if (this.#capture) at = this.#follow(this.#capture, at);
      else if (isSpace(chunk[at]!)) at += 1;
      else at = this.#structure(chunk[at]!, at);
    }
    this.#leaveChunk();
    return this.#events;
  }

  /** Returns the events that the end of the file completes. Throws FormatError if the file is truncated. */
  finish(): JsonEvent[] {
    this.#events = [];
    this.#chunk = Buffer.alloc(0);
    this.#lines.enter(this.#chunk);
    if (this.#capture?.kind === 'literal') this.#complete(this.#capture, 0);
    if (this.#roots === 0 && !this.#capture && this.#frames.length === 0) {
      if (!this.#manyRoots) throw new FormatError('The file is empty; JSON was expected.', { line: 1 });
    } else if (this.#capture || this.#frames.length > 0) throw this.#error(endsEarly, 0);
    return this.#events;
  }

  #path(): JsonPath {
    return this.#frames.map((frame) => (frame.isObject ? frame.key : frame.index));
  }

  #error(sentence: string, at: number): FormatError {
    const place = this.#lines.positionAt(at);
    const path = this.#path();
    return new FormatError(sentence, path.length > 0 ? { ...place, path: jsonPathName(path) } : place);
  }

  #leaveChunk(): void {
    const capture = this.#capture;
    if (capture) {
      capture.place ??= this.#lines.positionAt(capture.start);
      if (capture.purpose !== 'skip' && !capture.longText?.cut) this.#keep(capture, this.#chunk.length);
      capture.start = 0;
    }
    this.#lines.leave();
  }

  #keep(capture: Capture, end: number): void {
    capture.length += end - capture.start;
    const max = capture.pattern.endsWith('[*]') ? maxValueBytes : maxPartBytes;
    if (capture.length > max) {
      const at = Math.min(end, this.#chunk.length);
      throw this.#error(`One value is larger than ${max / 1024 / 1024} MiB.`, at);
    }
    capture.pieces.push(this.#chunk.subarray(capture.start, end));
  }

  #structure(byte: number, at: number): number {
    const frame = this.#frames.at(-1);
    switch (this.#state) {
      case 'done':
        throw this.#error('Something follows the end of the JSON.', at);
      case 'colon':
        if (byte !== 0x3a) throw this.#error('This is not valid JSON: a colon was expected.', at);
        this.#state = 'value';
        return at + 1;
      case 'comma-or-end':
        if (byte === 0x2c) {
          this.#state = frame!.isObject ? 'key' : 'value';
          if (!frame!.isObject) frame!.index += 1;
          return at + 1;
        }
        return this.#leave(byte, at);
      case 'key-or-end':
        if (byte === 0x7d) return this.#leave(byte, at);
        return this.#startKey(byte, at);
      case 'key':
        return this.#startKey(byte, at);
      case 'value-or-end':
        if (byte === 0x5d) return this.#leave(byte, at);
        return this.#startValue(byte, at);
      case 'value':
        return this.#startValue(byte, at);
    }
  }

  #startKey(byte: number, at: number): number {
    if (byte !== 0x22) throw this.#error('This is not valid JSON: a name in double quotes was expected.', at);
    return this.#start('key', '', byte, at);
  }

  #startValue(byte: number, at: number): number {
    const frame = this.#frames.at(-1);
    const node = frame ? childOf(frame) : this.#root;
    if (!node) return this.#start('skip', '', byte, at);
    if (node.wanted) return this.#start('item', node.pattern, byte, at);
    if (byte === 0x6e) return this.#start('skip', '', byte, at);
    const isObject = byte === 0x7b;
    if (isObject ? node.members === null && node.anyMember === null : byte !== 0x5b || node.items === null) {
      throw this.#error(
        `This must be ${node.items === null ? 'an object' : node.members ? 'an object or array' : 'an array'}.`,
        at,
      );
    }
    this.#frames.push({ node, isObject, key: '', index: 0, keys: [] });
    this.#state = isObject ? 'key-or-end' : 'value-or-end';
    return at + 1;
  }

  #leave(byte: number, at: number): number {
    const frame = this.#frames.at(-1)!;
    if (byte !== (frame.isObject ? 0x7d : 0x5d)) {
      throw this.#error('This is not valid JSON: a comma or the end was expected.', at);
    }
    this.#frames.pop();
    this.#events.push({
      kind: 'end',
      pattern: frame.node.pattern,
      path: this.#path(),
      keys: frame.isObject ? frame.keys : null,
    });
    this.#afterValue();
    return at + 1;
  }

  #afterValue(): void {
    if (this.#frames.length > 0) this.#state = 'comma-or-end';
    else {
      this.#roots += 1;
      this.#state = this.#manyRoots ? 'value' : 'done';
    }
  }

  #start(purpose: Capture['purpose'], pattern: string, byte: number, at: number): number {
    const kind = byte === 0x22 ? 'string' : byte === 0x7b || byte === 0x5b ? 'container' : 'literal';
    if (kind === 'literal' && !/[-0-9tfn]/.test(String.fromCharCode(byte))) {
      throw this.#error('This is not valid JSON: a value was expected.', at);
    }
    const kept = purpose === 'skip' && kind === 'literal' ? 'item' : purpose;
    this.#capture = newCapture(kept, purpose === 'item' ? pattern : '\0', kind, at);
    return kind === 'string' ? at + 1 : at;
  }

  /** Continues to scan a value. Returns the offset after it, or the chunk's length if it continues in the next. */
  #follow(capture: Capture, from: number): number {
    const chunk = this.#chunk;
    if (capture.kind === 'literal') {
      let at = from;
      while (at < chunk.length && !endsLiteral(chunk[at]!)) at += 1;
      if (at < chunk.length) this.#complete(capture, at);
      return at;
    }
    let begin = from;
    if (capture.stringBytes >= maxTextBytes && capture.purpose !== 'skip') begin = this.#cutText(capture, from);
    const { at, ended, problem } = followValue(capture, chunk, { begin, from, closers: this.#closers });
    if (problem !== null) throw this.#error(problem, at);
    return ended ? this.#complete(capture, at) : at;
  }

  /** Skips the rest of a string that is too long. Returns the offset of its end. */
  #cutText(capture: Capture, from: number): number {
    capture.longText ??= new LongText(capture.escaped);
    const { cutAt, end } = capture.longText.read(this.#chunk, from);
    if (cutAt !== null) this.#keep(capture, cutAt);
    if (end < this.#chunk.length) {
      if (capture.longText.cut) capture.start = end;
      capture.escaped = false;
      capture.longText = null;
    }
    return end;
  }

  #complete(capture: Capture, end: number): number {
    if (capture.purpose !== 'skip') {
      this.#keep(capture, end);
      const value = parseCapture(capture, this.#lines, this.#path());
      if (capture.purpose === 'key') this.#enterKey(value as string);
      else if (capture.pattern !== '\0') {
        const line = this.#manyRoots ? (capture.place ?? this.#lines.positionAt(capture.start)).line : null;
        this.#events.push({ kind: 'item', pattern: capture.pattern, path: this.#path(), value, line });
      }
    }
    this.#capture = null;
    if (capture.purpose === 'key') this.#state = 'colon';
    else this.#afterValue();
    return end;
  }

  #enterKey(key: string): void {
    const frame = this.#frames.at(-1)!;
    frame.key = key;
    if (frame.keys.length < 100 && key.length <= 200) frame.keys.push(key);
  }
}

/** Parses a captured value. Throws a FormatError with the line and column at which it stops being JSON. */
function parseCapture(capture: Capture, lines: LineCounter, path: JsonPath): unknown {
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
