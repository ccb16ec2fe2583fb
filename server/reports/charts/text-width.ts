import { plainText, shorten } from '../plain-text.ts';
import { showable } from './font-coverage.ts';

/** Widths of Inter's letters as fractions of the font size, rounded up; letters of other scripts count as 1. */
const widthOf = (character: string): number => {
  if (/[il.,:;'|!j]/.test(character)) return 0.31;
  if (/[ftr()[\]{} /\\-]/.test(character)) return 0.41;
  if (/[mwMW@%—…]/.test(character)) return 0.95;
  if (/[A-Z&]/.test(character)) return 0.75;
  if (/[acekosuvxyz]/.test(character)) return 0.61;
  if (/[\0-\u024F]/.test(character)) return 0.64;
  return /[\u0370-\u06FF]/.test(character) ? 0.72 : /\p{M}/u.test(character) ? 0 : 1.05;
};

/** The widths of ASCII, which almost all letters are. */
const asciiWidths = Array.from({ length: 128 }, (_, code) => widthOf(String.fromCharCode(code)));
const knownWidthOf = (character: string): number => asciiWidths[character.codePointAt(0)!] ?? widthOf(character);

/** Estimates the width of a text without its font, slightly too wide. */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const character of text) width += knownWidthOf(character);
  return width * fontSize;
}

/** Returns as much of a line as fits; a shortened line ends in an ellipsis. */
export function fittedText(line: string, fontSize: number, maxWidth: number): string {
  const max = maxWidth / fontSize;
  let width = 0;
  let kept = 0;
  for (const character of line) {
    width += knownWidthOf(character);
    if (width > max) return `${line.slice(0, kept).trimEnd()}…`;
    if (width <= max - knownWidthOf('…')) kept += character.length;
  }
  return line;
}

/** Returns as much of the end of a line as fits: the end of a path says more than its start. */
export function fittedEnd(line: string, fontSize: number, maxWidth: number): string {
  const letters = [...line];
  if (textWidth(line, fontSize) <= maxWidth) return line;
  let width = knownWidthOf('…') * fontSize;
  let start = letters.length;
  while (start > 0 && width + knownWidthOf(letters[start - 1]!) * fontSize <= maxWidth)
    width += knownWidthOf(letters[--start]!) * fontSize;
  return `…${letters.slice(start).join('')}`;
}

/** Joined emoji, which SVG renderers may not join. Flags become the letters of their country. */
const joined = /(\p{Extended_Pictographic})(?:[\uFE0E\uFE0F\p{Emoji_Modifier}]|\u200D\p{Extended_Pictographic})+/gu;
const regional = /[\u{1F1E6}-\u{1F1FF}]/gu;
const letterOf = (indicator: string) => String.fromCodePoint(indicator.codePointAt(0)! - 0x1f1e6 + 65);

const simple = (text: string) =>
  text
    .replace(joined, '$1')
    .replace(regional, letterOf)
    .replace(/\p{Cf}/gu, '');

/** Returns a name for a sentence, where the full name fits. */
export const nameInSentence = (name: string): string => plainText(name, { line: true, max: 120 }) || 'without a name';

/** Returns a name for charts: one line of letters that our fonts cover, shortened to about this width. */
export function fittedName(name: string, fontSize: number, maxWidth: number): string {
  const clean = plainText(name, { line: true, max: Math.ceil(maxWidth / (0.3 * fontSize)) });
  const shown = showable(simple(clean)).replaceAll('\uFFFD', '□').trim() || 'without a name';
  let fitted = shown;
  // Removing one character at a time is fast enough: the text is already short.
  for (let most = shown.length; textWidth(fitted, fontSize) > maxWidth && most > 1; most--)
    fitted = shorten(shown, most);
  return fitted;
}
