import type { LeftOut } from './format.ts';

type CutText = 'title' | 'description' | 'rule id' | 'rule name' | 'evidence' | 'remediation' | 'reason' | 'path';
type CutList = 'tags' | 'identifiers' | 'references' | 'places';

const english = (count: number): string => count.toLocaleString('en');
const results = (count: number) => `${english(count)} ${count === 1 ? 'result' : 'results'}`;

/** Truncates a text to at most `length` UTF-16 units and marks the cut. */
const shorten = (value: string, length: number): string =>
  value.length <= length ? value : `${value.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

const leftOutNames: Record<LeftOut, string> = {
  'several flows': 'more than 1 flow: the rest was left out',
  'a long flow': 'a flow that is longer than 50 steps or 16 kB: steps in its middle were left out',
  'several fixes': 'more than 1 fix: the rest was left out',
  'a fix without lines': 'a fix that names no file of the data source, or no lines: it was left out',
  'a large fix': 'a fix of more than 20 changes or 8 kB: it was left out',
};

/** Counts the results of a file whose texts or lists are truncated. */
export class CutTexts {
  readonly #counts = new Map<string, number>();

  /** Returns the text, truncated and counted if it is longer than `length`. */
  shorten(what: CutText, value: string, length: number): string {
    if (value.length > length) this.countText(what, length);
    return shorten(value, length);
  }

  countText(what: CutText, length: number): void {
    this.#count(`a ${what} longer than ${english(length)} characters: the rest was left out`);
  }

  countList(what: CutList, length: number): void {
    this.#count(`more than ${english(length)} ${what}: the rest was left out`);
  }

  countLeftOut(what: LeftOut): void {
    this.#count(leftOutNames[what]);
  }

  #count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  /** Returns a sentence for each kind of truncated text. */
  sentences(): string[] {
    return [...this.#counts].map(([what, count]) => `${results(count)} had ${what}.`);
  }
}
