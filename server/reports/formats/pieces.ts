const pieceBytes = 128 * 1024;

/** Text of any length as UTF-8 in pieces of 128 KiB; only the last is shorter. Half surrogates become U+FFFD. */
export async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const text of texts) {
    const bytes = Buffer.from(text);
    held.push(bytes);
    size += bytes.length;
    if (size < pieceBytes) continue;
    const all = Buffer.concat(held, size);
    let at = 0;
    for (; size - at >= pieceBytes; at += pieceBytes) yield all.subarray(at, at + pieceBytes);
    held = [all.subarray(at)];
    size -= at;
  }
  if (size > 0) yield Buffer.concat(held, size);
}
