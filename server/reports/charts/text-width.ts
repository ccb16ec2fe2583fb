import { showable } from '../formats/pdf/coverage.ts';
import { plainText, shorten } from '../plain-text.ts';

/** Widths of Inter's letters in parts of the font size, rounded up; of other scripts a whole one. */
const widthOf = (character: string): number => {
  if (/[il.,:;'|!j]/.test(character)) return 0.31;
  if (/[ftr()[\]{} /\\-]/.test(character)) return 0.41;
  if (/[mwMW@%—…]/.test(character)) return 0.95;
  if (/[A-Z&]/.test(character)) return 0.75;
  if (/[\0-\u024F]/.test(character)) return 0.64;
  return /[\u0370-\u06FF]/.test(character) ? 0.72 : /\p{M}/u.test(character) ? 0 : 1.05;
};

/** About how wide a text is, without its font at hand: rather too wide than too narrow. */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width * fontSize;
}

/** Emoji that are made of several: pictures of SVG text may not join them. Flags become the letters of their country. */
const joined = /(\p{Extended_Pictographic})(?:[\uFE0E\uFE0F\p{Emoji_Modifier}]|\u200D\p{Extended_Pictographic})+/gu;
const regional = /[\u{1F1E6}-\u{1F1FF}]/gu;
const letterOf = (indicator: string) => String.fromCodePoint(indicator.codePointAt(0)! - 0x1f1e6 + 65);

const simple = (text: string) =>
  text
    .replace(joined, '$1')
    .replace(regional, letterOf)
    .replace(/\p{Cf}/gu, '');

/** A name as pictures can hold it: one line of letters that our fonts have, shortened to about this width. */
export function fittedName(name: string, fontSize: number, maxWidth: number): string {
  const clean = plainText(name, { line: true, max: Math.ceil(maxWidth / (0.3 * fontSize)) });
  const shown = showable(simple(clean)).replaceAll('\uFFFD', '□').trim() || 'without a name';
  let fitted = shown;
  // A character less each time: the text is short by now.
  for (let most = shown.length; textWidth(fitted, fontSize) > maxWidth && most > 1; most--)
    fitted = shorten(shown, most);
  return fitted;
}
