/** Both count from 1; columns in bytes. */
export type Position = { line: number; column: number };

/** Tells the line and column of offsets in a file that comes in chunks. Asked in ascending order, it looks at each byte once. */
export class LineCounter {
  #chunk: Buffer = Buffer.alloc(0);
  #start: Position = { line: 1, column: 1 };
  #last = { at: 0, line: 1, column: 1 };

  enter(chunk: Buffer): void {
    this.#chunk = chunk;
  }

  /** Of an offset in the current chunk. */
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

/** The position at `end`, counted from the one at `start`. */
export function positionAfter(bytes: Buffer, start: number, end: number, from: Position): Position {
  let { line } = from;
  let lineStart = -1;
  for (let at = bytes.indexOf(0x0a, start); at !== -1 && at < end; at = bytes.indexOf(0x0a, at + 1)) {
    line += 1;
    lineStart = at;
  }
  return { line, column: lineStart === -1 ? from.column + end - start : end - lineStart };
}
