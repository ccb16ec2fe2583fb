export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Detects the encoding by the byte order mark, or by the position of the zero bytes of the first ASCII characters. */
export function encodingOf(head: Buffer): { encoding: Encoding; markBytes: number } {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', markBytes: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', markBytes: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', markBytes: 2 };
  if (head.length >= 2 && head[0] !== 0 && head[1] === 0) return { encoding: 'utf-16le', markBytes: 0 };
  if (head.length >= 2 && head[0] === 0 && head[1] !== 0) return { encoding: 'utf-16be', markBytes: 0 };
  return { encoding: 'utf-8', markBytes: 0 };
}

/** Decodes a whole file: UTF-8 or UTF-16, with or without byte order mark. */
export function decodeText(content: Buffer): string {
  const { encoding, markBytes } = encodingOf(content);
  return encoding === 'utf-8' ? content.toString('utf8', markBytes) : new TextDecoder(encoding).decode(content);
}

/** Returns a file's text as UTF-8, converted from UTF-16 if it has a byte order mark; null for a binary file. */
export function textContentOf(content: Buffer): Buffer | null {
  const { encoding, markBytes } = encodingOf(content);
  if (encoding !== 'utf-8' && markBytes > 0) return Buffer.from(decodeText(content));
  return content.includes(0) ? null : content;
}
