/** Joins parts into one frame, prefixed with its length. Reports and their files pass through pipes as frames. */
export function frame(...parts: Buffer[]): Buffer {
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(parts.reduce((bytes, part) => bytes + part.length, 0));
  return Buffer.concat([length, ...parts]);
}

/** Reads the contents of a stream of frames. Throws if the stream ends within a frame. */
export async function* readFrames(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes >= 4) {
      if (chunks[0]!.length < 4) chunks = [Buffer.concat(chunks)];
      const needed = chunks[0]!.readUInt32BE() + 4;
      if (bytes < needed) break;
      const joined = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      yield joined.subarray(4, needed);
      chunks = bytes > needed ? [joined.subarray(needed)] : [];
      bytes -= needed;
    }
  }
  if (bytes > 0) throw new Error('The report ended before it was complete.');
}
