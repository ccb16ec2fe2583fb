/** A content with its length in front: how a report goes to the process that writes it. */
export function frame(content: Buffer): Buffer {
  const framed = Buffer.allocUnsafe(content.length + 4);
  framed.writeUInt32BE(content.length);
  content.copy(framed, 4);
  return framed;
}

/** The contents of a stream of frames. Throws when it ends within one. */
export async function* readFrames(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes >= 4) {
      if (chunks[0]!.length < 4) chunks = [Buffer.concat(chunks)];
      const wanted = chunks[0]!.readUInt32BE() + 4;
      if (bytes < wanted) break;
      const joined = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      yield joined.subarray(4, wanted);
      chunks = bytes > wanted ? [joined.subarray(wanted)] : [];
      bytes -= wanted;
    }
  }
  if (bytes > 0) throw new Error('The report ended before it was whole.');
}
