const probeLength = 8192;

/**
 * Returns the bytes to search: the blob itself, or UTF-16 converted to UTF-8 (with a byte order mark, or recognisably
 * ASCII in two bytes). Null for binary content (a NUL byte in the first 8 KB).
 */
export function searchableBytes(content: Uint8Array): Uint8Array | null {
  if (content.length >= 2) {
    if (content[0] === 0xff && content[1] === 0xfe) return fromUtf16(content.subarray(2), false);
    if (content[0] === 0xfe && content[1] === 0xff) return fromUtf16(content.subarray(2), true);
  }
  const zero = content.subarray(0, probeLength).indexOf(0);
  if (zero === -1) return content;
  return looksUtf16LittleEndian(content) ? fromUtf16(content, false) : null;
}

/** Windows tools also write UTF-16 without a mark: every other byte of the start is then zero, and no others. */
function looksUtf16LittleEndian(content: Uint8Array): boolean {
  const length = Math.min(content.length, 256) & ~1;
  if (length < 8) return false;
  for (let offset = 0; offset < length; offset += 2)
    if (content[offset] === 0 || content[offset + 1] !== 0) return false;
  return true;
}

function fromUtf16(content: Uint8Array, bigEndian: boolean): Uint8Array {
  const even = Buffer.from(content.subarray(0, content.length & ~1));
  return Buffer.from((bigEndian ? even.swap16() : even).toString('utf16le'), 'utf8');
}

/** Decodes one character per byte, so that offsets in the text are offsets in the blob. */
export function toByteText(content: Uint8Array): string {
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
}

/** Decodes a slice of byte text. */
export function fromByteText(text: string): string {
  return /[\x80-\xff]/.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text;
}
