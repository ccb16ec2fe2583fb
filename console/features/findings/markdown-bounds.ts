/**
 * Texts beyond these bounds are shown as they are written. Quotes and lists nest by recursion, here and in React; the
 * time for emphasis and brackets grows with the square of their number: 2,000 take 50 ms.
 */
const maxCharacters = 100_000;
const maxNesting = 50;
const maxMarks = 2_000;

const container = /[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;

function opensTooMany(line: string): boolean {
  container.lastIndex = 0;
  let opened = 0;
  while (opened <= maxNesting && container.test(line)) opened += 1;
  return opened > maxNesting;
}

function hasManyMarks(text: string): boolean {
  let marks = 0;
  for (const character of text) if ('*_[]'.includes(character)) marks += 1;
  return marks > maxMarks;
}

/** Returns whether a text can be read as Markdown at once. */
export function isPlainEnough(text: string): boolean {
  return text.length <= maxCharacters && !hasManyMarks(text) && !text.split('\n').some(opensTooMany);
}
