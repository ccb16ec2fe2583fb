import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../languages/language.ts';
import type { Execution } from './branches.ts';
import type { Change, ScopeIndex } from './scope.ts';
import { argumentsOf, type Constant, calleeName, kindOf, partOf, receiverOf, spanOf } from './syntax.ts';

const maxDepth = 12;

/** Folds expressions whose value the file determines: arithmetic, comparisons, text and variables that are set once. */
export class Constants {
  readonly #language: Language;
  readonly #index: ScopeIndex;
  readonly #executionOf: (change: Change) => Execution;

  constructor(language: Language, index: ScopeIndex, executionOf: (change: Change) => Execution) {
    this.#language = language;
    this.#index = index;
    this.#executionOf = executionOf;
  }

  /** Returns the value of an expression; undefined if it is unknown. */
  valueOf(node: SgNode, depth = 0): Constant | undefined {
    if (depth > maxDepth) return undefined;
    const kind = kindOf(node);
    const text = node.text();
    if (text.length > 300) return undefined;
    const literal = literalOf(text, kind);
    if (literal !== undefined) return literal;
    if (this.#language.identifiers.includes(kind)) return this.#variable(node, text, depth);
    if (this.#language.calls[kind]) return this.#call(node, depth);
    const part = partOf(this.#language, node);
    if (part && text.endsWith(']')) {
      if (part.key === null || typeof part.key === 'string') return undefined;
      return characterAt(this.valueOf(part.whole, depth + 1), this.valueOf(part.key, depth + 1));
    }
    return this.#operation(node, depth);
  }

  #operation(node: SgNode, depth: number): Constant | undefined {
    const children = node.children();
    if (children.length === 2) {
      const value = this.valueOf(children[1]!, depth + 1);
      const operator = children[0]!.text();
      if ((operator === '!' || operator === 'not') && typeof value === 'boolean') return !value;
      return operator === '-' && typeof value === 'number' ? -value : undefined;
    }
    if (children.length !== 3) return undefined;
    const [first, middle, last] = children as [SgNode, SgNode, SgNode];
    if (first.text() === '(') return last.text() === ')' ? this.valueOf(middle, depth + 1) : undefined;
    const operator = middle.text();
    if (!(operator in operators) && !/^(?:&&|and|\|\||or)$/.test(operator)) return undefined;
    const left = this.valueOf(first, depth + 1);
    const right = this.valueOf(last, depth + 1);
    if (/^(?:&&|and)$/.test(operator))
      return left === false || right === false ? false : left === true && right === true ? true : undefined;
    if (/^(?:\|\||or)$/.test(operator))
      return left === true || right === true ? true : left === false && right === false ? false : undefined;
    if (left === undefined || right === undefined) return undefined;
    return operators[operator]!(left as never, right as never);
  }

  /** A variable with a single assignment that is always executed. */
  #variable(node: SgNode, name: string, depth: number): Constant | undefined {
    const place = spanOf(node);
    for (const scope of this.#index.around(place)) {
      const changes = this.#index.changes(scope, name);
      if (changes.length === 0) continue;
      const [only] = changes;
      if (changes.length !== 1 || only!.operation !== 'assign' || only!.path !== null) return undefined;
      if (/for|each|range|resource|fill/.test(kindOf(only!.node)) || this.#language.calls[kindOf(only!.node)])
        return undefined;
      const { within } = this.#executionOf(only!);
      if (within && !(within.start <= place.start && place.end <= within.end)) return undefined;
      const value = /list$/.test(kindOf(only!.value)) ? only!.value.namedChildren()[0] : only!.value;
      return value ? this.valueOf(value, depth + 1) : undefined;
    }
    return undefined;
  }

  #call(node: SgNode, depth: number): Constant | undefined {
    const name = calleeName(this.#language, node);
    const receiver = receiverOf(this.#language, node);
    if (!receiver || !/\.(?:charAt|length|at)$/.test(name)) return undefined;
    const text = this.valueOf(receiver, depth + 1);
    const [argument] = argumentsOf(node);
    if (typeof text === 'string' && name.endsWith('.length')) return text.length;
    return argument ? characterAt(text, this.valueOf(argument.value, depth + 1)) : undefined;
  }
}

const characterAt = (text: Constant | undefined, at: Constant | undefined) =>
  typeof text === 'string' && typeof at === 'number' ? text.at(at) : undefined;

/** Returns the value of a literal without interpolation. */
function literalOf(text: string, kind: string): Constant | undefined {
  if (/^-?\d[\d_]*(?:\.\d+)?[lLfFdD]?$/.test(text)) return Number(text.replace(/[_lLfFdD]/g, ''));
  if (/^(?:true|false)$/i.test(text) && !/string/.test(kind)) return /^true$/i.test(text);
  const quoted = /^@?(["'`])((?:(?!\1)[^\\])*)\1$/.exec(text);
  if (quoted && /string|char|rune|literal/.test(kind)) {
    const isInterpolated =
      (quoted[1] === '`' && quoted[2]!.includes('${')) || quoted[2]!.includes('#{') || /[{$]\$?\w/.test(quoted[2]!);
    return isInterpolated ? undefined : quoted[2];
  }
  // Ruby's symbols and bare keys.
  return kind === 'simple_symbol' || kind === 'hash_key_symbol' ? text.replace(/^:|:$/g, '') : undefined;
}

const compared = (compare: (left: number, right: number) => boolean) => (left: Constant, right: Constant) =>
  typeof left === 'number' && typeof right === 'number' ? compare(left, right) : undefined;
const counted = (count: (left: number, right: number) => number) => (left: Constant, right: Constant) =>
  typeof left === 'number' && typeof right === 'number' ? count(left, right) : undefined;

const operators: Record<string, (left: Constant, right: Constant) => Constant | undefined> = {
  '+': (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return left + right;
    return typeof left === 'string' && typeof right === 'string' ? left + right : undefined;
  },
  '-': counted((left, right) => left - right),
  '*': counted((left, right) => left * right),
  '%': counted((left, right) => left % right),
  '/': (left, right) =>
    typeof left === 'number' && typeof right === 'number' && right !== 0 && left % right === 0
      ? left / right
      : undefined,
  '<': compared((left, right) => left < right),
  '<=': compared((left, right) => left <= right),
  '>': compared((left, right) => left > right),
  '>=': compared((left, right) => left >= right),
  '==': (left, right) => left === right,
  '===': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '!==': (left, right) => left !== right,
};
