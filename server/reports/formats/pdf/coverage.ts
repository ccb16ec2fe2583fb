import { readFileSync } from 'node:fs';
import { fontFiles } from '../../fonts.ts';
import { codePointsOf } from './character-map.ts';

/** One bit for each code point that our fonts cover. */
let covered: Uint8Array | undefined;

/** Private code points: their meaning is the font's own, so they stand for no text. */
const isPrivate = (code: number) => (code >= 0xe000 && code <= 0xf8ff) || code >= 0xf0000;

function readCoverage(): Uint8Array {
  const bits = new Uint8Array(0x110000 / 8);
  for (const file of fontFiles()) {
    for (const code of codePointsOf(readFileSync(file))) if (!isPrivate(code)) bits[code >> 3]! |= 1 << (code & 7);
  }
  return bits;
}

/** Invisible characters that shape or break the text around them: soft hyphen, joiners, variation selectors. */
const shapes = (code: number) =>
  code === 0xad || (code >= 0x200b && code <= 0x200f) || code === 0x2060 || (code >= 0xfe00 && code <= 0xfe0f);

function isShown(character: string): boolean {
  covered ??= readCoverage();
  const code = character.codePointAt(0)!;
  return (covered[code >> 3]! & (1 << (code & 7))) !== 0 || shapes(code);
}

/** Replaces characters that our fonts do not cover with U+FFFD, because PDF/UA requires a glyph for every character. */
export function showable(text: string): string {
  if (/^[\n\x20-\x7E]*$/.test(text)) return text;
  return text.replace(/[^\n\x20-\x7E]/gu, (character) => (isShown(character) ? character : '\uFFFD'));
}
