const lineBreak = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;
/** Embeddings, overrides and isolates reorder the text around them; the others change how text is shaped. */
const invisible = /[\u202A-\u202E\u2066-\u206F\uFEFF\uFFF9-\uFFFB]/g;
/**
 * Characters that XML, fonts or terminals can't show: controls, non-characters of every plane, the object placeholder.
 */
const unshowable = /[\0-\x08\x0E-\x1F\x7F-\x9F\uFDD0-\uFDEF\uFFFC]|\p{Noncharacter_Code_Point}/gu;
/** No script stacks more marks on a letter; "zalgo" text stacks thousands, across the lines around it. */
const stackedMarks = /(\p{M}{8})\p{M}+/gu;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Shortens a text to `max` graphemes; a shortened text ends in an ellipsis. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  let kept = 0;
  let keptUntil = 0;
  for (const { index } of graphemes.segment(text)) {
    if (kept === max - 1) keptUntil = index;
    if (kept === max) return `${text.slice(0, keptUntil).trimEnd()}…`;
    kept++;
  }
  return text;
}

/**
 * Returns text that any document can contain: well-formed, with `\n` as the only line break and no other control
 * characters except the tab. Lone surrogates, controls and non-characters become U+FFFD, so that they leave a visible
 * mark; bidirectional embeddings, overrides and isolates are removed. Letters of every script, direction marks and
 * joined emoji are kept. `line` makes it one line; `max` is its maximum length in graphemes.
 */
export function plainText(text: string, options: { max?: number; line?: boolean } = {}): string {
  const clean = text
    .toWellFormed()
    .replace(lineBreak, '\n')
    .replace(invisible, '')
    .replace(unshowable, '\uFFFD')
    .replace(stackedMarks, '$1');
  const shown = options.line ? clean.replace(/\s+/g, ' ').trim() : clean;
  return options.max === undefined ? shown : shorten(shown, options.max);
}
