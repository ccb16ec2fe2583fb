import { allOf, type Need, needOfPattern, needOfRule } from './needs.ts';
import type { RuleCheck } from './rule.ts';

type RuleNeeds = { anywhere: Need | null; inText: Need | null };

const known = new WeakMap<RuleCheck, RuleNeeds>();

function needsOf(rule: RuleCheck): RuleNeeds {
  const own = known.get(rule);
  if (own) return own;
  const { source, containing } = rule.input ?? {};
  const needs = {
    anywhere: allOf([needOfRule(rule.config), source === undefined ? null : needOfPattern(source)]),
    inText: containing === undefined ? null : needOfPattern(containing),
  };
  known.set(rule, needs);
  return needs;
}

/** Lines that are comments: words such as `where` and `select` are in most of them. */
const comments = /^[ \t]*(?:\/\/|#|\*).*$/gm;

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
    const { anywhere, inText } = needsOf(rule);
    if (!this.#index.meets(anywhere)) return false;
    if (inText === null || isProgram) return true;
    if (!this.#index.meets(inText)) return false;
    this.#code ??= new TextIndex(this.#source.replace(comments, ''));
    return this.#code.meets(inText);
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
