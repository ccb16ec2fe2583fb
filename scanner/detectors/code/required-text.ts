import { languages } from './languages/index.ts';
import type { LanguageName } from './languages/language.ts';
import { allOf, marked, marks, type Need, needOfPattern, needOfRule } from './needs.ts';
import type { RuleCheck } from './rule.ts';

/** `words`: the same as `anywhere`, with the marks of words. */
type RuleNeeds = { anywhere: Need | null; words: Need | null; inText: Need | null };

const known = new WeakMap<RuleCheck, RuleNeeds>();

function needsOf(rule: RuleCheck): RuleNeeds {
  const own = known.get(rule);
  if (own) return own;
  const { source, containing } = rule.input ?? {};
  const ofSource = source === undefined ? null : needOfPattern(source);
  const words = needOfRule(rule.config, {
    kinds: languages[rule.language].calls,
    // Arguments of Ruby need none, and a template's code is not a file's.
    hasParentheses: !/^(?:ruby|template)$/.test(rule.language),
  });
  const needs = {
    anywhere: allOf([words && withoutMarks(words), ofSource]),
    words,
    inText: containing === undefined ? null : needOfPattern(containing),
  };
  known.set(rule, needs);
  return needs;
}

/** Lines that are comments: words such as `where` and `select` are in most of them. */
const comments = /^[ \t]*(?:\/\/|#|\*).*$/gm;

function withoutMarks(need: Need): Need {
  if (typeof need === 'string') return need.replaceAll(marked, '');
  return 'all' in need ? { all: need.all.map(withoutMarks) } : { any: need.any.map(withoutMarks) };
}

/** The first characters after the name of a called function: of brackets, comments, `?.`, the end of a line. */
const beforeArguments: Partial<Record<LanguageName, string>> = {
  go: '[([/]',
  java: '[(/]',
  csharp: '[(</#!]',
  php: '[(/#]',
  python: '[(#\\\\]',
};
const otherwise = '[(<`?/!]';
const patterns = new Map<string, RegExp>();

/** Returns one pattern for all texts. None of them repeats anything, so it takes linear time. */
function patternOf(texts: string[], language: LanguageName): RegExp {
  const key = [language, ...texts].join('\0');
  const known = patterns.get(key);
  if (known) return known;
  const isEnd = '(?<!\\w\\B)';
  const sources = texts.map((text) =>
    text
      .replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
      .replaceAll(marks.start, '(?!\\B\\w)')
      .replaceAll(marks.end, isEnd)
      .replaceAll(marks.call, `${isEnd}(?=\\s*${beforeArguments[language] ?? otherwise})`),
  );
  const pattern = new RegExp(sources.join('|'), 'i');
  patterns.set(key, pattern);
  return pattern;
}

/** Returns whether a file contains the words of a need. */
function containsWords(source: string, need: Need, language: LanguageName): boolean {
  if (typeof need === 'string') return patternOf([need], language).test(source);
  if ('all' in need) return need.all.every((part) => containsWords(source, part, language));
  const texts = need.any.filter((part) => typeof part === 'string');
  if (texts.length > 0 && patternOf(texts, language).test(source)) return true;
  return need.any.some((part) => typeof part !== 'string' && containsWords(source, part, language));
}

/** Finds the rules that can't report anything in a file because it lacks a text that they need. */
export class RequiredText {
  readonly #source: string;
  readonly #index: TextIndex;
  #code: TextIndex | null = null;

  constructor(source: string) {
    this.#source = source;
    this.#index = new TextIndex(source);
  }

  /** `isProgram`: other files may contain the text around the input. */
  mayMatch(rule: RuleCheck, isProgram = false): boolean {
    const { anywhere, words, inText } = needsOf(rule);
    if (!this.#index.meets(anywhere)) return false;
    if (inText !== null && !isProgram) {
      if (!this.#index.meets(inText)) return false;
      this.#code ??= new TextIndex(this.#source.replace(comments, ''));
      if (!this.#code.meets(inText)) return false;
    }
    return words === null || containsWords(this.#source, words, rule.language);
  }
}

const bits = 16;

/**
 * The sequences of three characters that a file contains: a few microseconds per kilobyte, whereas searching a file for
 * the texts of all rules takes as long as parsing it.
 */
export class TextIndex {
  readonly #seen = new Uint8Array(1 << bits);

  constructor(text: string) {
    let [first, second] = [0, 0];
    for (let at = 0; at < text.length; at++) {
      const third = lowerCode(text.charCodeAt(at));
      this.#seen[hashOf(first, second, third)] = 1;
      [first, second] = [second, third];
    }
  }

  /** Returns whether the file can meet a need. A false `true` is rare and costs only time. */
  meets(need: Need | null): boolean {
    if (need === null) return true;
    if (typeof need === 'string') return this.#contains(need);
    return 'all' in need ? need.all.every((part) => this.meets(part)) : need.any.some((part) => this.meets(part));
  }

  #contains(text: string): boolean {
    for (let at = 2; at < text.length; at++) {
      const hash = hashOf(
        lowerCode(text.charCodeAt(at - 2)),
        lowerCode(text.charCodeAt(at - 1)),
        lowerCode(text.charCodeAt(at)),
      );
      if (!this.#seen[hash]) return false;
    }
    return true;
  }
}

const lowerCode = (code: number) => (code >= 65 && code <= 90 ? code + 32 : code);
const hashOf = (first: number, second: number, third: number) =>
  Math.imul(first * 961 + second * 31 + third, 0x9e3779b1) >>> (32 - bits);
