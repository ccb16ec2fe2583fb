const maxNesting = 50;

export const markupExpectation = `must not nest quotes and lists deeper than ${maxNesting} levels`;

const container = /[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;

function opensTooMany(line: string): boolean {
  container.lastIndex = 0;
  let opened = 0;
  while (opened <= maxNesting && container.test(line)) opened += 1;
  return opened > maxNesting;
}

/**
 * Returns whether no line of a Markdown text nests so many quotes and lists that a parser could overflow its stack.
 */
export const isFlatMarkup = (text: string): boolean => !text.split('\n').some(opensTooMany);
