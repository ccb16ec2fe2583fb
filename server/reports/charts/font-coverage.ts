import { readFileSync } from 'node:fs';
import { fontFiles } from '../fonts.ts';

/** One bit for each code point that our fonts cover. */
let covered: Uint8Array | undefined;

/** Private code points: their meaning depends on the font, so they represent no text. */
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

/** Yields the code points for which a TrueType font has a glyph, from its `cmap` table (OpenType 1.9). */
export function* codePointsOf(font: Buffer): Generator<number> {
  const start = findTable(font, 'cmap');
  const maps = Array.from({ length: font.readUInt16BE(start + 2) }, (_, index) => {
    const map = start + font.readUInt32BE(start + 8 + 8 * index);
    return { map, format: font.readUInt16BE(map) };
  });
  // Format 12 includes the contents of the older format 4.
  const whole = maps.find(({ format }) => format === 12);
  const basic = maps.find(({ format }) => format === 4);
  if (whole) yield* readGroups(font, whole.map);
  else if (basic) yield* readSegments(font, basic.map);
  else throw new Error('The font has no character map of format 4 or 12.');
}

function findTable(font: Buffer, tag: string): number {
  for (let record = 12; record < 12 + 16 * font.readUInt16BE(4); record += 16) {
    if (font.toString('latin1', record, record + 4) === tag) return font.readUInt32BE(record + 8);
  }
  throw new Error(`The font has no table ${tag}.`);
}

function* readGroups(font: Buffer, map: number): Generator<number> {
  for (let index = 0; index < font.readUInt32BE(map + 12); index += 1) {
    const group = map + 16 + 12 * index;
    for (let code = font.readUInt32BE(group); code <= font.readUInt32BE(group + 4); code += 1) yield code;
  }
}

function* readSegments(font: Buffer, map: number): Generator<number> {
  const size = font.readUInt16BE(map + 6);
  for (let segment = 0; segment < size; segment += 2) {
    const end = map + 14 + segment;
    const [delta, offset] = [end + 2 * size + 2, end + 3 * size + 2];
    const [first, last] = [font.readUInt16BE(end + size + 2), font.readUInt16BE(end)];
    for (let code = first; code <= last; code += 1) {
      const toGlyph = font.readUInt16BE(offset);
      const glyph = toGlyph === 0 ? code : font.readUInt16BE(offset + toGlyph + 2 * (code - first));
      // Zero is the glyph of missing characters.
      if (glyph !== 0 && ((glyph + font.readUInt16BE(delta)) & 0xffff) !== 0) yield code;
    }
  }
}
