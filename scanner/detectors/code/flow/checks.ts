import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../languages/language.ts';
import * as known from './check-names.ts';
import type { Constants } from './constants.ts';
import type { Functions } from './functions.ts';
import type { ScopeIndex } from './scope.ts';
import {
  argumentsOf,
  calleeName,
  findKinds,
  kindOf,
  partOf,
  receiverOf,
  type Span,
  spanOf,
  withoutQuotes,
} from './syntax.ts';
import { parameterNames } from './targets.ts';

/** Whether a value is known to be harmless if a condition is true, and if it is false. */
export type Proof = { whenTrue: boolean; whenFalse: boolean };

/**
 * The value to check: a variable or another expression. `byType`: whether it is enough that the value is text.
 * `isClass`: it is a class, of which its base classes and methods are checked.
 */
export type Value = { name: string; scope: Span; byType: boolean; isClass?: boolean };

/** The parts of a file's index that are needed to evaluate conditions. */
export type Checked = {
  readonly index: ScopeIndex;
  readonly constants: Constants;
  readonly functions: Functions;
  readonly guards: { isChecked(name: string, scope: Span, use: Span): boolean };
  isCertainAt(node: SgNode, place: Span): boolean;
};

const onlyTrue: Proof = { whenTrue: true, whenFalse: false };
const onlyFalse: Proof = { whenTrue: false, whenFalse: true };
const either: Proof = { whenTrue: true, whenFalse: true };
const nothing: Proof = { whenTrue: false, whenFalse: false };

const swapped = (proof: Proof | null): Proof | null =>
  proof && { whenTrue: proof.whenFalse, whenFalse: proof.whenTrue };

/** A condition about something else says nothing about the value, whether it is true or false. */
function both(left: Proof | null, right: Proof | null): Proof | null {
  if (!left || !right) return left ?? right;
  return { whenTrue: left.whenTrue || right.whenTrue, whenFalse: left.whenFalse && right.whenFalse };
}

const equalities = ['==', '===', 'is', '!=', '!==', '<>', 'is not'];
const inequalities = ['!=', '!==', '<>', 'is not'];
const conjunctions = ['&&', 'and'];
const disjunctions = ['||', 'or'];
const wrappers = [
  'parenthesized_expression',
  'parenthesized_statements',
  'await_expression',
  'await',
  'if_clause',
  'condition_clause',
  'expression_list',
];
const wrappedAssignments = ['assignment_expression', 'named_expression', 'assignment'];
const negations = ['!', 'not'];
const joins = ['+', '.', '/', '%'];

/**
 * Characters that lead out of a folder in file names and addresses, and quotes. If a text consists of only these,
 * checking that a value lacks it refuses hostile values.
 */
const refusedCharacters = './\\\'"`;|&$<>\n\0';

const maxDepth = 8;

/** Evaluates what the conditions of a file prove about a value. */
export class Checks {
  readonly #language: Language;
  readonly #file: Checked;
  readonly #identifiers: Set<string>;

  constructor(language: Language, file: Checked) {
    this.#language = language;
    this.#file = file;
    this.#identifiers = new Set([...language.identifiers, 'constant']);
  }

  /** Returns what a condition proves about a value; null for a condition about something else. */
  prove(node: SgNode, value: Value, depth = 0): Proof | null {
    if (depth > maxDepth) return null;
    const inner = unwrapped(node);
    if (inner) return this.prove(inner, value, depth);
    const kind = kindOf(node);
    const operand = negatedBy(node);
    if (operand) return swapped(this.prove(operand, value, depth + 1));
    const binary = binaryOf(node);
    if (binary) {
      const { left, operator, right } = binary;
      if (conjunctions.includes(operator))
        return both(this.prove(left, value, depth + 1), this.prove(right, value, depth + 1));
      if (disjunctions.includes(operator))
        return swapped(both(swapped(this.prove(left, value, depth + 1)), swapped(this.prove(right, value, depth + 1))));
      return this.#compared(left, operator, right, value, depth + 1);
    }
    if (kind === 'is_pattern_expression') return this.#pattern(node, value);
    const about = this.about(node, value);
    if (about === 'same') return onlyFalse;
    if (this.#language.calls[kind]) return this.#call(node, value, depth + 1);
    const part = partOf(this.#language, node);
    if (
      part &&
      typeof part.key === 'object' &&
      part.key &&
      this.about(part.key, value) &&
      !this.about(part.whole, value)
    )
      return onlyTrue;
    if (about)
      return part && typeof part.key === 'string' && known.hostParts.has(known.plainName(part.key)) ? onlyFalse : null;
    return this.#identifiers.has(kind) ? this.#result(node, value, depth + 1) : null;
  }

  /** Returns whether an expression is the value itself, another form or a part of the value, or neither. */
  about(node: SgNode, value: Value, depth = 0): 'same' | 'derived' | null {
    if (depth > maxDepth) return null;
    const text = node.text();
    const kind = kindOf(node);
    // The text of a constant may equal the name.
    if (this.#language.templateTexts.includes(kind) || this.#language.literals.includes(kind)) return null;
    if (text === value.name) return 'same';
    const inner = unwrapped(node);
    if (inner) return this.about(inner, value, depth);
    const isAbout = (part: SgNode | null | undefined) => !!part && this.about(part, value, depth + 1) !== null;
    if (this.#identifiers.has(kind)) return this.#assigned(node, text, value, depth);
    if (this.#language.calls[kind]) {
      const name = this.nameOf(node);
      const receiver = receiverOf(this.#language, node);
      if (known.lengths.has(name)) return null;
      const from = receiver && this.about(receiver, value, depth + 1);
      if (from) return from === 'derived' || known.deriving.has(name) || known.textParts.has(name) ? 'derived' : null;
      const owner = receiver ? known.plainName(receiver.text()) : '';
      const isDeriving =
        known.deriving.has(name) || (known.derivingOfOwner.has(name) && known.derivingOwners.has(owner));
      return isDeriving && argumentsOf(node).some((argument) => isAbout(argument.value)) ? 'derived' : null;
    }
    const part = partOf(this.#language, node);
    if (part) {
      const name = typeof part.key === 'string' ? known.plainName(part.key) : null;
      const from = name !== null && known.lengths.has(name) ? null : this.about(part.whole, value, depth + 1);
      return from === 'derived' || (from && (name === null || known.textParts.has(name))) ? 'derived' : null;
    }
    const binary = binaryOf(node);
    const isJoined = binary ? joins.includes(binary.operator) : this.#language.templates.includes(kind);
    const isList = kind === 'list' || kind === 'tuple' || kind === 'array' || kind === 'interpolation';
    const isChild = isJoined || isList || kind === 'template_substitution' || kind === 'unary_op_expression';
    return isChild && node.namedChildren().some(isAbout) ? 'derived' : null;
  }

  calleeOf = (call: SgNode) => calleeName(this.#language, call);

  nameOf = (call: SgNode) => known.plainName(/[\w$]+[?!]?$/.exec(calleeName(this.#language, call))?.[0] ?? '');

  #assigned(node: SgNode, name: string, value: Value, depth: number): 'same' | 'derived' | null {
    const place = spanOf(node);
    for (const scope of this.#file.index.around(place)) {
      const changes = this.#file.index
        .changes(scope, name)
        .filter(({ operation, end }) => operation === 'assign' && end <= place.start);
      if (changes.length === 0) continue;
      const last = changes.at(-1)!;
      // `value, err := parse(name)`: an error is not part of the value.
      return isFurtherResult(last.node, name) ? null : this.about(last.value, value, depth + 1);
    }
    return null;
  }

  #compared(left: SgNode, operator: string, right: SgNode, value: Value, depth: number): Proof | null {
    if (operator === '=~' || operator === '!~')
      return this.about(left, value) || this.about(right, value) ? either : null;
    if (operator === 'in' || operator === 'not in') {
      const proof = this.#isMember(left, right, value);
      return operator === 'in' ? proof : swapped(proof);
    }
    const located =
      this.#located(left, operator, right, value) ?? this.#located(right, turned[operator] ?? operator, left, value);
    if (located) return located;
    // In Ruby, `type < Import` tells whether a class is derived from another.
    if (value.isClass && /^<=?$/.test(operator) && this.about(left, value)) return onlyTrue;
    if (!equalities.includes(operator)) return null;
    const isSigned = this.#isSignature(left, value) || this.#isSignature(right, value);
    const proof = isSigned
      ? onlyTrue
      : (this.#equal(left, right, value, depth) ?? this.#equal(right, left, value, depth));
    return inequalities.includes(operator) ? swapped(proof) : proof;
  }

  #equal(left: SgNode, right: SgNode, value: Value, depth: number): Proof | null {
    const isType = kindOf(left) === 'unary_expression' && left.field('operator')?.text() === 'typeof';
    if (isType) {
      const argument = left.field('argument');
      return argument && this.about(argument, value) ? (value.byType ? onlyTrue : onlyFalse) : null;
    }
    // A missing value is a constant, and so is a value that equals a constant.
    if (this.about(left, value)) return onlyTrue;
    const compared = this.prove(left, value, depth);
    if (!compared) return null;
    return isFalsy(right) ? swapped(compared) : compared;
  }

  #isMember(left: SgNode, right: SgNode, value: Value): Proof | null {
    if (this.about(left, value)) return this.about(right, value) ? nothing : onlyTrue;
    if (!this.about(right, value)) return null;
    return isQuoted(left) ? refusal(left) : onlyTrue;
  }

  /** `value.indexOf('..') !== -1`, `strpos($value, $base) === 0`. */
  #located(call: SgNode, operator: string, position: SgNode, value: Value): Proof | null {
    const inner = unwrapped(call);
    if (inner) return this.#located(inner, operator, position, value);
    if (!this.#language.calls[kindOf(call)] || !known.locating.has(this.nameOf(call))) return null;
    const [first, second] = argumentsOf(call).map((argument) => argument.value);
    const receiver = receiverOf(this.#language, call);
    const isIn = (node: SgNode | null | undefined) => !!node && this.about(node, value) !== null;
    const isText = isIn(receiver) || (isIn(first) && second !== undefined);
    const needle = isIn(receiver) ? first : second;
    const isMember = !isText && (isIn(first) || isIn(second));
    if (!isText && !isMember) return null;
    const at = position.text().replaceAll(' ', '');
    if (at === '0' && equalities.includes(operator)) return isText ? either : nothing;
    const found = isMember ? onlyTrue : needle && isQuoted(needle) ? refusal(needle) : nothing;
    const isNegative = at === '-1' || isFalsy(position);
    if (!isNegative) return nothing;
    if (operator === '<' || ((operator === '<=' || equalities.includes(operator)) && !inequalities.includes(operator)))
      return swapped(found);
    return found;
  }

  /** Returns whether an expression is a signature of the value: who sends an equal one knows the key. */
  #isSignature(node: SgNode, value: Value): boolean {
    const signed = this.#identifiers.has(kindOf(node)) ? (this.#singleValue(node) ?? node) : node;
    if (!/hmac/i.test(signed.text())) return false;
    const calls = findKinds(this.#language, signed, Object.keys(this.#language.calls));
    const isKeyed = calls.some((call) => /hmac/i.test(calleeName(this.#language, call)));
    return (
      isKeyed && findKinds(this.#language, signed, [...this.#identifiers]).some((part) => part.text() === value.name)
    );
  }

  #pattern(node: SgNode, value: Value): Proof | null {
    const [left] = node.namedChildren();
    if (!left || !this.about(left, value)) return null;
    const pattern = node.namedChildren().at(-1)!;
    const isNegated = kindOf(pattern).startsWith('negated');
    return isNegated ? onlyFalse : onlyTrue;
  }

  #call(node: SgNode, value: Value, depth: number): Proof | null {
    const name = this.nameOf(node);
    const receiver = receiverOf(this.#language, node);
    const values = argumentsOf(node).map((argument) => argument.value);
    const places = values.flatMap((argument, index) => (this.about(argument, value) ? [index] : []));
    if (receiver && this.about(receiver, value)) return this.#method(name, receiver, values, value);
    const [own] = places;
    if (values.length > 1 && values.some((argument) => this.#isSignature(argument, value))) return onlyTrue;
    // `isset($table[$value])`
    if (own === undefined) {
      const part = known.present.has(name) && values[0] ? this.prove(values[0], value, depth) : null;
      return part;
    }
    if (known.absent.has(name)) return onlyTrue;
    if (known.present.has(name)) return onlyFalse;
    const definition = this.#file.functions.called(node, calleeName(this.#language, node));
    if (definition) return this.#summary(definition, own, depth);
    if (known.irrelevant.has(name)) return null;
    if (known.containing.has(name) && own === 0 && values.length > 1) return refusal(values[1]!);
    if (known.needleFirst.has(name) && own !== 0) return nothing;
    if (known.membership.has(name)) return onlyTrue;
    if (known.exclusion.has(name)) return onlyFalse;
    // Any other function that receives the value counts as a check of it.
    return either;
  }

  /** Returns what a method of the value itself proves. */
  #method(name: string, receiver: SgNode, values: SgNode[], value: Value): Proof | null {
    const [first] = values;
    if (known.absent.has(name)) return onlyTrue;
    if (known.present.has(name)) return onlyFalse;
    if (known.matching.has(name) && (first || !name.startsWith('test'))) return either;
    if (known.ending.has(name)) return this.about(receiver, value) === 'derived' ? onlyTrue : nothing;
    if (known.containing.has(name) || known.locating.has(name)) return first ? refusal(first) : null;
    if (known.classifying.has(name) || known.membership.has(name)) return onlyTrue;
    if (value.isClass && known.describingClasses.has(name)) return onlyTrue;
    return known.hostParts.has(name) ? onlyFalse : null;
  }

  /** The result of a function in the file proves the same about its parameter as its return expressions. */
  #summary(definition: SgNode, position: number, depth: number): Proof | null {
    const name = parameterNames(this.#language, definition)[position];
    if (!name || depth > maxDepth) return null;
    const scope = spanOf(definition);
    const value = { name, scope, byType: false };
    const results = this.#file.functions.resultsOf(definition).map((all) => {
      // `return false, err`: a condition is about the first of several results.
      const result = kindOf(all) === 'expression_list' ? (all.namedChildren()[0] ?? all) : all;
      const constant = this.#file.constants.valueOf(result);
      const isChecked = this.#file.guards.isChecked(name, scope, spanOf(result));
      if (isChecked || constant !== undefined) return { constant, proof: isChecked ? either : nothing };
      return { constant, proof: this.prove(result, value, depth + 1) ?? nothing };
    });
    if (results.length === 0) return null;
    return {
      whenTrue: results.every(({ constant, proof }) => proof.whenTrue || constant === false),
      whenFalse: results.every(({ constant, proof }) => proof.whenFalse || constant === true),
    };
  }

  /** A variable that holds the result of a check, or a flag that a checked branch sets. */
  #result(node: SgNode, value: Value, depth: number): Proof | null {
    const single = this.#singleValue(node);
    if (single) return this.prove(single, value, depth);
    const set = this.#changesOf(node).filter(({ value: flag }) => this.#file.constants.valueOf(flag) === true);
    const isSet = set.length > 0 && set.every((change) => this.#file.guards.isChecked(value.name, value.scope, change));
    return isSet ? onlyTrue : null;
  }

  #changesOf(node: SgNode) {
    const place = spanOf(node);
    const scope = this.#file.index
      .around(place)
      .find((around) => this.#file.index.changes(around, node.text()).length > 0);
    return scope ? this.#file.index.changes(scope, node.text()).filter(({ end }) => end <= place.start) : [];
  }

  /** Returns the only value of a variable before a place; null if it has several, or is a flag. */
  #singleValue(node: SgNode): SgNode | null {
    const changes = this.#changesOf(node).filter(({ operation }) => operation === 'assign');
    const last = changes.at(-1);
    if (!last || changes.some(({ value }) => this.#file.constants.valueOf(value) !== undefined)) return null;
    const isCall = this.#language.calls[kindOf(unwrapped(last.value) ?? last.value)] !== undefined;
    return isCall && isFurtherResult(last.node, node.text()) ? null : last.value;
  }
}

/** Returns whether a name is not the first of several targets of an assignment. */
function isFurtherResult(assignment: SgNode, name: string): boolean {
  const target = assignment.field('left') ?? assignment.field('name');
  const names = target && kindOf(target).endsWith('list') ? target.namedChildren() : [];
  return names.length > 1 && names[0]!.text() !== name;
}

const turned: Record<string, string> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };

/** Returns the expression within parentheses, `await` or an assignment in a condition; null for others. */
function unwrapped(node: SgNode): SgNode | null {
  const kind = kindOf(node);
  if (wrappedAssignments.includes(kind)) return node.field('right') ?? node.field('value');
  const children = wrappers.includes(kind) ? node.namedChildren() : [];
  return children.length === 1 ? children[0]! : null;
}

function negatedBy(node: SgNode): SgNode | null {
  const children = node.children();
  return children.length === 2 && negations.includes(children[0]!.text()) ? children[1]! : null;
}

function binaryOf(node: SgNode): { left: SgNode; operator: string; right: SgNode } | null {
  const children = node.children();
  if (children.length < 3 || children.length > 4 || children[0]!.text() === '(' || kindOf(node).includes('call'))
    return null;
  const [left, right] = [children[0]!, children.at(-1)!];
  const operator = children
    .slice(1, -1)
    .map((child) => child.text())
    .join(' ');
  const isOperator = children.slice(1, -1).every((child) => !child.isNamed() || /operator/.test(kindOf(child)));
  return left.isNamed() && right.isNamed() && isOperator ? { left, operator, right } : null;
}

const isQuoted = (node: SgNode) => {
  const [first] = node.text();
  return first === '"' || first === "'" || first === '`';
};

/** Returns the proof from a search of the value for a text. */
function refusal(needle: SgNode): Proof {
  const text = isQuoted(needle) ? withoutQuotes(needle.text()) || needle.text() : '';
  return text !== '' && [...text].every((char) => refusedCharacters.includes(char)) ? onlyFalse : nothing;
}

const falsy = ['false', 'null', 'nil', 'none', 'undefined', '-1', '0'];
const isFalsy = (node: SgNode) => falsy.includes(node.text().toLowerCase());
