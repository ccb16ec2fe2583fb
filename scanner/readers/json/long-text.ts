/** The longest escape, `\\u0000`: behind as many bytes without a backslash, a text can be cut. */
const escapeLength = 6;

/** Follows a JSON string to its end and finds where it can be cut: between two characters, never inside an escape. */
export class LongText {
  /** Whether a place to cut was found. The rest of the text is left out. */
  cut = false;
  #escaped: boolean;
  #sinceBackslash = 0;

  /** `escaped` says whether the byte before was a backslash that escapes the next. */
  constructor(escaped: boolean) {
    this.#escaped = escaped;
  }

  /**
   * Reads on at `from`. Returns the offset of the closing quote, or the chunk's length when the text goes on, and the
   * offset at which it is cut when that was found in this chunk.
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

/** Whether a byte continues a character of UTF-8. */
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;
