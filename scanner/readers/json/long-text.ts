/** The length of the longest escape, `\\u0000`: after as many bytes without a backslash, a string can be cut. */
const escapeLength = 6;

/** Scans a JSON string to its end and finds a position to cut it: between two characters, never inside an escape. */
export class LongText {
  /** Whether a position to cut was found. The rest of the string is left out. */
  cut = false;
  #escaped: boolean;
  #sinceBackslash = 0;

  /** `escaped` says whether the byte before was a backslash that escapes the next. */
  constructor(escaped: boolean) {
    this.#escaped = escaped;
  }

  /**
   * Continues at `from`. Returns the offset of the closing quote, or the chunk's length if the string continues, and
   * the offset of the cut if it was found in this chunk.
   */
  read(chunk: Uint8Array, from: number): { cutAt: number | null; end: number } {
    let cutAt: number | null = null;
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (byte === 0x22 && !this.#escaped) return { cutAt, end: at };
      if (!this.cut && this.#sinceBackslash >= escapeLength && !isContinuation(byte)) {
        this.cut = true;
        cutAt = at;
      }
      if (!this.#escaped && byte === 0x5c) {
        this.#escaped = true;
        this.#sinceBackslash = 0;
      } else {
        this.#escaped = false;
        this.#sinceBackslash += 1;
      }
    }
    return { cutAt, end: chunk.length };
  }
}

/** Returns whether a byte continues a UTF-8 character. */
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;
