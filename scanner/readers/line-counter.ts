/** Line and column, both from 1; columns count bytes. */
export type Position = { line: number; column: number };

/** Converts offsets in a chunked file to lines and columns. Offsets must ascend; each byte is read once. */
export class LineCounter {
  #chunk: Buffer = Buffer.alloc(0);
  #start: Position = { line: 1, column: 1 };
  #last = { at: 0, line: 1, column: 1 };

  enter(chunk: Buffer): void {
    this.#chunk = chunk;
  }

  /** Returns the position of an offset in the current chunk. */
  positionAt(at: number): Position {
    if (at < this.#last.at) return positionAfter(this.#chunk, 0, at, this.#start);
    this.#last = { at, ...positionAfter(this.#chunk, this.#last.at, at, this.#last) };
    return { line: this.#last.line, column: this.#last.column };
  }

  leave(): void {
    this.#start = this.positionAt(this.#chunk.length);
    this.#last = { at: 0, ...this.#start };
    this.#chunk = Buffer.alloc(0);
  }
}

/** Returns the position of `end`, given that of `start`. */
export function positionAfter(bytes: Buffer, start: number, end: number, from: Position): Position {
  let { line } = from;
  let lineStart = -1;
  for (let at = bytes.indexOf(0x0a, start); at !== -1 && at < end; at = bytes.indexOf(0x0a, at + 1)) {
    line += 1;
    lineStart = at;
  }
  return { line, column: lineStart === -1 ? from.column + end - start : end - lineStart };
}
