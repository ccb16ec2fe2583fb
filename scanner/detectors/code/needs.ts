/**
 * The text that a file must contain for a match: a lower-case string, all of several, or any of several. A string may
 * have marks at its ends: of the start and the end of a word, and of the end of what a call names.
 */
export type Need = string | { all: Need[] } | { any: Need[] };

export const marks = { start: '\u0001', end: '\u0002', call: '\u0003' };
export const marked = /[\u0001-\u0003]/g;

/** The marks for `^` and `$`; empty where a text may start and end anywhere. */
type Anchors = { start: string; end: string };
const noAnchors: Anchors = { start: '', end: '' };

/**
 * `exact`: all texts that a part of a pattern can match; null if there are many. `needs`: text that each of them
 * contains.
 */
type Part = { exact: string[] | null; needs: Need | null };

const maxTexts = 48;
const minLength = 3;
const unknown: Part = { exact: null, needs: null };
const nothing: Part = { exact: [''], needs: null };

/**
 * Returns what a text must contain to match a regular expression in the syntax that Rust and JavaScript share; null if
 * that is unknown. Case is ignored.
 */
export function needOfPattern(pattern: string, anchors = noAnchors): Need | null {
  try {
    const reader = new PatternReader(pattern, anchors);
    return needOf(reader.read());
  } catch {
    return null;
  }
}

class PatternReader {
  readonly #pattern: string;
  readonly #anchors: Anchors;
  #at = 0;

  constructor(pattern: string, anchors: Anchors) {
    // Type arguments may follow the name.
    this.#pattern = anchors.end === '' ? pattern : pattern.replaceAll('(<.*>)?$', '$');
    this.#anchors = anchors;
  }

  read(): Part {
    const part = this.#alternatives();
    if (this.#at < this.#pattern.length) throw new Error('unbalanced');
    return part;
  }

  #alternatives(): Part {
    const parts = [this.#sequence()];
    while (this.#pattern[this.#at] === '|') {
      this.#at++;
      parts.push(this.#sequence());
    }
    if (parts.length === 1) return parts[0]!;
    const exact = parts.every((part) => part.exact) ? parts.flatMap((part) => part.exact!) : null;
    if (exact && exact.length <= maxTexts) return { exact, needs: null };
    return { exact: null, needs: anyOf(parts.map(needOf)) };
  }

  #sequence(): Part {
    const needs: Need[] = [];
    let isExact = true;
    let texts = [''];
    const flush = (next: string[]) => {
      const need = needOf({ exact: texts, needs: null });
      if (need !== null) needs.push(need);
      texts = next;
    };
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#pattern[this.#at]!)) {
      const part = this.#quantified(this.#atom());
      if (part.needs !== null) needs.push(part.needs);
      if (part.exact && texts.length * part.exact.length <= maxTexts) {
        texts = texts.flatMap((text) => part.exact!.map((next) => text + next));
        continue;
      }
      isExact = false;
      flush(part.exact ?? ['']);
    }
    if (isExact) return { exact: texts, needs: null };
    flush(['']);
    return { exact: null, needs: allOf(needs) };
  }

  #quantified(part: Part): Part {
    const quantifier = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})[?+]?/.exec(this.#pattern.slice(this.#at, this.#at + 20));
    if (!quantifier) return part;
    this.#at += quantifier[0].length;
    const mark = quantifier[0][0];
    if (mark === '?') return part.exact ? { exact: [...part.exact, ''], needs: null } : unknown;
    if (mark === '*' || quantifier[1] === '0') return unknown;
    return { exact: null, needs: needOf(part) };
  }

  #atom(): Part {
    const char = this.#pattern[this.#at++]!;
    if (char === '^') return { exact: [this.#anchors.start], needs: null };
    if (char === '$') return { exact: [this.#anchors.end], needs: null };
    if (char === '.') return unknown;
    if (char === '[') return this.#characters();
    if (char === '(') return this.#group();
    if (char === '\\') return this.#escaped();
    if (/[*+?]/.test(char)) throw new Error('nothing to repeat');
    return { exact: [char.toLowerCase()], needs: null };
  }

  #group(): Part {
    const opening = /^\?(?:([a-z]*)(?:-[a-z]+)?([:)])|P?<\w+>|(<?[=!]))/.exec(
      this.#pattern.slice(this.#at, this.#at + 60),
    );
    if (this.#pattern[this.#at] === '?' && !opening) throw new Error('unknown group');
    this.#at += opening?.[0].length ?? 0;
    if (opening?.[1]?.includes('x')) throw new Error('unknown flag');
    if (opening?.[2] === ')') return nothing;
    const part = this.#alternatives();
    if (this.#pattern[this.#at++] !== ')') throw new Error('unbalanced');
    return opening?.[3] === undefined ? part : nothing;
  }

  #escaped(): Part {
    const char = this.#pattern[this.#at++];
    if (char === undefined || /[pPuxkc0-9]/.test(char)) throw new Error('unknown escape');
    if (/[bBAz]/.test(char)) return nothing;
    if (/[wWdDsS]/.test(char)) return unknown;
    const control = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' }[char];
    return { exact: [control ?? char.toLowerCase()], needs: null };
  }

  /** Returns the characters of a class with few of them, without ranges. */
  #characters(): Part {
    const text = /^\^?\]?(?:\\.|[^\]\\[])*\]/s.exec(this.#pattern.slice(this.#at))?.[0];
    if (!text) throw new Error('unknown class');
    this.#at += text.length;
    const own = text.slice(0, -1);
    if (own.startsWith('^') || /\\[a-zA-Z0-9]|.-./.test(own)) return unknown;
    const characters = new Set(own.replaceAll(/\\(.)/g, '$1').toLowerCase());
    return characters.size <= 4 ? { exact: [...characters], needs: null } : unknown;
  }
}

function needOf({ exact, needs }: Part): Need | null {
  if (!exact) return needs;
  const texts = [...new Set(exact)];
  if (texts.some((text) => text.replaceAll(marked, '').length < minLength)) return null;
  // If one text contains another, the shorter is enough.
  return anyOf(texts.filter((text) => !texts.some((other) => other !== text && text.includes(other))));
}

/** Returns one need that combines all of these; null if nothing is known. */
export function allOf(needs: Array<Need | null>): Need | null {
  const known = needs.filter((need) => need !== null);
  return known.length > 1 ? { all: known } : (known[0] ?? null);
}

function anyOf(needs: Array<Need | null>): Need | null {
  const known = needs.filter((need) => need !== null);
  if (known.length < needs.length || known.length === 0) return null;
  return known.length > 1 ? { any: known } : known[0]!;
}

type RuleObject = { [key: string]: unknown };

const relations = ['has', 'inside', 'follows', 'precedes'];

/** The calls of a language: the fields that name them, by kind. `hasParentheses`: whether these always follow the name. */
type Calls = { kinds: Readonly<Record<string, { name: string[] }>>; hasParentheses: boolean };

/** The kind of the node that a rule is about, if it is known, and the marks of the text of the node. */
type About = { kind: string | null; anchors: Anchors };

/**
 * Returns the text that a file must contain for an ast-grep rule to match; null if that is unknown. With `calls`, the
 * texts of what is called have marks.
 */
export function needOfRule(config: { rule: object; utils?: object }, calls: Calls | null = null): Need | null {
  return new RuleReader(config.utils, calls).read(config.rule, { kind: null, anchors: noAnchors }, 0);
}

class RuleReader {
  readonly #utils: RuleObject | undefined;
  readonly #calls: Calls | null;

  constructor(utils: object | undefined, calls: Calls | null) {
    this.#utils = utils as RuleObject | undefined;
    this.#calls = calls;
  }

  read(rule: object, about: About, depth: number): Need | null {
    if (depth > 20) return null;
    const { regex, pattern, all, any, matches, kind, ...others } = rule as RuleObject;
    const own: About = typeof kind === 'string' ? { ...about, kind } : about;
    const inner = (part: unknown) => this.read(part as object, own, depth + 1);
    const util = typeof matches === 'string' ? this.#utils?.[matches] : undefined;
    return allOf([
      typeof regex === 'string' ? needOfPattern(regex, own.anchors) : null,
      typeof pattern === 'string' ? needOfCode(pattern) : null,
      Array.isArray(all) ? allOf(all.map(inner)) : null,
      Array.isArray(any) ? anyOf(any.map(inner)) : null,
      ...relations.map((relation) => {
        const other = others[relation] as RuleObject | undefined;
        const anchors = relation === 'has' && other ? this.#anchorsOf(own.kind, other) : noAnchors;
        return other ? this.read(other, { kind: null, anchors }, depth + 1) : null;
      }),
      util ? inner(util) : null,
    ]);
  }

  /** Returns the marks of what a call names: a word, after which the arguments follow. */
  #anchorsOf(kind: string | null, { field, stopBy }: RuleObject): Anchors {
    const names = (kind !== null && this.#calls?.kinds[kind]?.name) || [];
    if (stopBy !== undefined || typeof field !== 'string' || !names.includes(field)) return noAnchors;
    const isFollowed = this.#calls!.hasParentheses && field === names.at(-1) && /call|invocation/.test(kind!);
    return { start: marks.start, end: isFollowed ? marks.call : marks.end };
  }
}

/** The words of a code pattern, without its variables. */
function needOfCode(pattern: string): Need | null {
  const words = pattern.replaceAll(/\$+[A-Z_]\w*/g, ' ').match(/\w{3,}/g) ?? [];
  return allOf(words.map((word) => word.toLowerCase()));
}
