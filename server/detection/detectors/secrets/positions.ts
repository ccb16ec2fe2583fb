/** Line and column from 1, the column in UTF-16 units; `lineStart` is a byte offset. */
export type Position = { line: number; column: number; lineStart: number };

/** Finds the positions of ascending byte offsets in one pass over the blob, however long its lines are. */
export function createPositionReader(content: Uint8Array): (offset: number) => Position {
  let line = 1;
  let column = 1;
  let lineStart = 0;
  let at = 0;
  let newline = content.indexOf(10);
  return (offset) => {
    while (newline !== -1 && newline < offset) {
      line += 1;
      column = 1;
      lineStart = newline + 1;
      at = lineStart;
      newline = content.indexOf(10, at);
    }
    for (; at < offset; at += 1) column += unitsOf(content[at]!);
    return { line, column, lineStart };
  };
}

/** Returns the UTF-16 units that a UTF-8 byte starts: 0 for a continuation byte, 2 beyond the basic plane. */
function unitsOf(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xc0) return 0;
  return byte >= 0xf0 ? 2 : 1;
}
