import { plainText } from '../../plain-text.ts';
import { showable } from './coverage.ts';

/** A text as the template places it; of several pieces, a line may break between any two. */
export type Words = string | string[];

/** Words up to so many characters fit every column. */
const longestWord = 16;
/** A longer one may break behind what separates its parts and before brackets, or else after so many characters. */
const partLength = 12;
const separated = /[([{]*[^/\\._\-:?&=@,;|(){}[\]<>+~#%$]*[/\\._\-:?&=@,;|)}\]<>+~#%$]*/g;
/** Lines may not begin or end with some marks, whatever stands between: a mere row of marks needs U+200B. */
const rowOfMarks = /[!-/:-@[-`{-~]{8}/g;
/** Scripts that break between any two characters anyway. */
const breaksAnywhere = /[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF]/;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Most texts: nothing to clean, nothing to look up. */
const plainAscii = /^[\x21-\x7E](?:[\x20-\x7E]*[\x21-\x7E])?$/;

/** Text of a finding for the template: cleaned, bounded, and able to break wherever a line may end. */
export function words(text: string, options: { max?: number; line?: boolean } = {}): Words {
  if (text.length <= (options.max ?? text.length) && plainAscii.test(text)) return breakable(text);
  return breakable(showable(plainText(text, options).replaceAll('\t', '    ')));
}

/** For one line of the page: a title, a name. */
export const lineOf = (text: string, max: number): string =>
  showable(plainText(text, { line: true, max: max })) || '(without a name)';

/** Cuts what has no space for so long that it would not fit a line. */
function breakable(text: string): Words {
  if (text.length <= longestWord) return text;
  const pieces: string[] = [];
  let piece = '';
  for (const [index, part] of text.split(/(\s+)/).entries()) {
    if (index % 2 === 1 || part.length <= longestWord) {
      piece += part;
      continue;
    }
    for (const cut of cuts(part)) {
      pieces.push(piece + cut);
      piece = '';
    }
    piece = pieces.pop() ?? '';
  }
  if (pieces.length === 0) return piece;
  return [...pieces, piece];
}

function cuts(word: string): string[] {
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
  if (part.length <= longestWord || breaksAnywhere.test(part)) return [part];
  return /^[\x21-\x7E]*$/.test(part) ? part.match(everySoMany)! : graphemeCuts(part);
}

/** Letters that join stay together as long as they can. */
function graphemeCuts(part: string): string[] {
  const pieces: string[] = [''];
  for (const { segment } of graphemes.segment(part)) {
    if (pieces.at(-1)!.length + segment.length > longestWord && pieces.at(-1) !== '') pieces.push('');
    pieces[pieces.length - 1] += segment;
  }
  return pieces;
}

const firstStrong =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hebrew}\p{Script=Arabic}]/u;
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** Whether a paragraph runs from right to left: its first letter tells. */
export const runsRightToLeft = (text: string): boolean => rightToLeft.test(firstStrong.exec(text)?.[0] ?? '');
