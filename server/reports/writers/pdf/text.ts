import { showable } from '../../charts/font-coverage.ts';
import { plainText } from '../../plain-text.ts';

/** A text for the template. Lines may break between pieces; a word may also be hyphenated. */
export type Words = string | Array<string | { word: string }>;

/** Words up to this length fit in every column. */
const maxWord = 16;
/** Words of a natural language, such as German compounds; names in code have capitals inside. */
const hyphenated = /^\p{P}*(?:\p{Lu}{2,8}-)?\p{L}\p{Ll}{4,50}(?:-\p{Lu}\p{Ll}{1,50})*\p{P}*$/u;
/** Longer words may break after separators and before brackets, or otherwise after this many characters. */
const partLength = 12;
const separated = /[([{]*[^/\\._\-:?&=@,;|(){}[\]<>+~#%$]*[/\\._\-:?&=@,;|)}\]<>+~#%$]*/g;
/** Lines must not start or end with some marks, so a sequence of only marks needs U+200B. */
const rowOfMarks = /[!-/:-@[-`{-~]{8}/g;
/** Scripts that allow a break between any two characters. */
const breaksAnywhere = /[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF]/;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Matches most texts: nothing to clean, nothing to look up. */
const plainAscii = /^[\x21-\x7E](?:[\x20-\x7E]*[\x21-\x7E])?$/;

/**
 * Returns text of a finding for the template: cleaned, bounded, and divided at possible line breaks. Only words of more
 * than `whole` letters are hyphenated, and none in code.
 */
export function words(
  text: string,
  options: { max?: number; line?: boolean; whole?: number; code?: boolean } = {},
): Words {
  if (text.length <= (options.max ?? text.length) && plainAscii.test(text)) return breakable(text, options);
  return breakable(showable(plainText(text, options).replaceAll('\t', '    ')), options);
}

/** Returns text for one line of the page, such as a title or a name. */
export const lineOf = (text: string, max: number): string =>
  showable(plainText(text, { line: true, max: max })) || '(without a name)';

/** Divides words that would not fit on a line. */
function breakable(text: string, { whole = maxWord, code = false }: { whole?: number; code?: boolean }): Words {
  if (text.length <= maxWord) return text;
  const pieces: Array<string | { word: string }> = [];
  let piece = '';
  for (const [index, part] of text.split(/(\s+)/).entries()) {
    const isWord = !code && part.length > maxWord && hyphenated.test(part);
    if (index % 2 === 1 || part.length <= (isWord ? whole : maxWord)) {
      piece += part;
      continue;
    }
    if (isWord) {
      if (piece !== '') pieces.push(piece);
      pieces.push({ word: part });
      piece = '';
      continue;
    }
    for (const cut of cuts(part)) {
      pieces.push(piece + cut);
      piece = '';
    }
    piece = String(pieces.pop() ?? '');
  }
  if (pieces.length === 0) return piece;
  return piece === '' ? pieces : [...pieces, piece];
}

/** The id of a report, which occurs only in running text. */
const reportId = /^rpt_[0-9a-z]{26}[.,;:)]*$/;

function cuts(word: string): string[] {
  if (reportId.test(word)) return [word];
  const pieces: string[] = [];
  for (const part of word.replace(rowOfMarks, '$&\u200B').match(separated) ?? []) {
    const last = pieces.length - 1;
    if (last >= 0 && pieces[last]!.length + part.length <= partLength) pieces[last] += part;
    else if (part !== '') pieces.push(...cutPart(part));
  }
  return pieces;
}

const everySoMany = new RegExp(`.{1,${partLength}}`, 'g');

function cutPart(part: string): string[] {
  if (part.length <= maxWord || breaksAnywhere.test(part)) return [part];
  return /^[\x21-\x7E]*$/.test(part) ? part.match(everySoMany)! : graphemeCuts(part);
}

/** Keeps joined letters together as long as possible. */
function graphemeCuts(part: string): string[] {
  const pieces: string[] = [''];
  for (const { segment } of graphemes.segment(part)) {
    if (pieces.at(-1)!.length + segment.length > maxWord && pieces.at(-1) !== '') pieces.push('');
    pieces[pieces.length - 1] += segment;
  }
  return pieces;
}

const firstStrong =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hebrew}\p{Script=Arabic}]/u;
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** Returns whether a paragraph runs from right to left; its first letter decides. */
export const runsRightToLeft = (text: string): boolean => rightToLeft.test(firstStrong.exec(text)?.[0] ?? '');
