import { blank } from './templates.ts';

/** Builds an otherwise empty copy of a text with some code at its original position. */
export class Places {
  readonly #text: string;
  readonly #pieces: Array<{ start: number; code: string }> = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Writes a statement that starts at `start`. */
  put(start: number, code: string): void {
    this.#pieces.push({ start, code });
  }

  /** Returns the text with only the code; an empty text without any code. */
  toString(): string {
    if (this.#pieces.length === 0) return '';
    const text = this.#text;
    let written = '';
    for (const { start, code } of this.#pieces.toSorted((left, right) => left.start - right.start)) {
      if (start < written.length) continue;
      written += blank(text.slice(written.length, start));
      const end = start + code.length;
      written += text.startsWith(code, start) ? code : this.#aligned(code, start);
      if (end < text.length && text[end] !== '\n') written += ';';
    }
    return written + blank(text.slice(written.length));
  }

  /** Returns code with the line breaks of its original position. */
  #aligned(code: string, start: number): string {
    const own = code
      .slice(0, this.#text.length - start)
      .replaceAll('\n', ' ')
      .split('');
    return own.map((character, at) => (this.#text[start + at] === '\n' ? '\n' : character)).join('');
  }
}

/** A part of a text between two marks, without them; `start` is the position of the first mark. */
export type Part = { start: number; inner: string };

const maxPart = 2_000;

/** Returns the parts of a text between two marks. Beside the marks, `-` and `~` control white space. */
export function partsBetween(text: string, opening: string, closing: string): Part[] {
  const parts: Part[] = [];
  for (let start = text.indexOf(opening); start >= 0; ) {
    const inside = start + opening.length;
    const end = text.indexOf(closing, inside);
    if (end < 0) break;
    if (end - inside <= maxPart) parts.push({ start, inner: text.slice(inside, end) });
    start = text.indexOf(opening, end - inside <= maxPart ? end : inside);
  }
  return parts;
}
