import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../languages/language.ts';
import { leaving, leavingIf, leavingUnless, raising } from './check-names.ts';
import { type Checked, Checks, type Proof, type Value } from './checks.ts';
import { argumentsOf, findKinds, isWithin, kindOf, receiverOf, type Span, spanOf } from './syntax.ts';
import { parameterNames } from './targets.ts';

const conditionKinds = [
  ...['if_statement', 'if', 'unless', 'elsif', 'elif_clause', 'else_if_clause', 'if_modifier', 'unless_modifier'],
  ...['while_statement', 'while', 'while_modifier', 'conditional', 'ternary_expression', 'conditional_expression'],
];
const switchKinds = [
  'switch_statement',
  'switch_expression',
  'expression_switch_statement',
  'case',
  'match_statement',
  'match_expression',
];
const caseKinds = [
  'switch_block_statement_group',
  'switch_rule',
  'switch_case',
  'switch_section',
  'case_statement',
  'case_clause',
  'expression_case',
  'when',
  'switch_expression_arm',
  'match_conditional_expression',
];
const defaultKinds = ['switch_default', 'default_statement', 'default_case', 'else', 'match_default_expression'];
const leavingKinds = [
  'return_statement',
  'return',
  'throw_statement',
  'throw_expression',
  'raise_statement',
  'continue_statement',
  'break_statement',
  'continue',
  'next',
  'break',
  'exit_statement',
];
const blockKinds = [
  'statement_block',
  'block',
  'compound_statement',
  'colon_block',
  'statement_list',
  'then',
  'else',
  'else_clause',
  'body_statement',
  'block_body',
  'expression_statement',
  'await_expression',
  'case_statement',
];
const orKinds = ['||', 'or'];
const andKinds = ['&&', 'and'];

/** A condition: the code that runs if it is true, and if it is false. */
type Condition = Span & {
  node: SgNode;
  test: SgNode;
  taken: SgNode | null;
  others: SgNode[];
  isNegated: boolean;
  isLoop: boolean;
};
/** A `switch`: the value that it compares, and its cases. */
type Switch = Span & { node: SgNode; subject: SgNode | null; cases: SgNode[]; fallback: SgNode | null };

const maxBefore = 20_000;

/**
 * Finds whether a condition checked a value before its use: the use is in a branch that only a checked value enters, or
 * the other branches leave or replace the value. The check itself is not judged.
 */
export class Guards {
  readonly #language: Language;
  readonly #file: Checked;
  readonly #checks: Checks;
  readonly #conditions: Condition[];
  readonly #switches: Switch[];
  readonly #root: SgNode;
  readonly #raising = new Map<number, boolean>();
  #assertions: SgNode[] | null = null;
  readonly #known = new Map<string, boolean>();

  constructor(language: Language, root: SgNode, file: Checked) {
    this.#language = language;
    this.#file = file;
    this.#checks = new Checks(language, file);
    const nodes = findKinds(language, root, [...conditionKinds, ...binaryKinds(language)]);
    this.#conditions = nodes.flatMap((node) => conditionOf(node) ?? []);
    this.#switches = findKinds(language, root, switchKinds).map(readSwitch);
    this.#root = root;
  }

  /** Returns whether a condition proves something about `name` if it is true: `known.includes(name)`. */
  proves(name: string, test: SgNode): boolean {
    return this.#checks.prove(test, { name, scope: spanOf(test), byType: false })?.whenTrue ?? false;
  }

  /**
   * Returns whether the value of `name`, which is a variable or an expression, was checked before `use` in `scope`.
   * `byType`: whether it is enough to check that it is text.
   */
  isChecked(name: string, scope: Span, use: Span, as: { byType?: boolean; isClass?: boolean } = {}): boolean {
    const { byType = false, isClass = false } = as;
    const key = `${scope.start} ${use.start} ${use.end} ${byType} ${isClass} ${name}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    // A function may call itself.
    this.#known.set(key, false);
    const value = { name, scope, byType, isClass };
    // A check is close to the use: searching everything before it would take seconds in a long file.
    const from = Math.max(scope.start, use.start - maxBefore);
    const isBefore = ({ start }: Span) => start >= from && start < use.start;
    const isChecked =
      this.#conditions.some((one) => isBefore(one) && this.#guards(one, value, use)) ||
      this.#switches.some((one) => isBefore(one) && this.#selects(one, value, use)) ||
      this.#asserting().some((one) => isBefore(spanOf(one)) && this.#asserts(one, value, use));
    this.#known.set(key, isChecked);
    return isChecked;
  }

  /** Returns whether the class in a variable is checked in a scope: at its end, or before each use outside of conditions. */
  isClassChecked(name: string, scope: Span): boolean {
    const as = { isClass: true };
    if (this.isChecked(name, scope, { start: scope.end, end: scope.end }, as)) return true;
    const uses = findKinds(this.#language, this.#root, this.#language.identifiers)
      .filter((node) => node.text() === name && isWithin(spanOf(node), scope) && !isTarget(this.#language, node))
      .map(spanOf)
      .filter((use) => !this.#conditions.some(({ test }) => isWithin(use, spanOf(test))));
    return uses.length > 0 && uses.every((use) => this.isChecked(name, scope, use, as));
  }

  #guards(condition: Condition, value: Value, use: Span): boolean {
    const { node, taken, others, end } = condition;
    const isIn = (part: SgNode | null) => part !== null && isWithin(use, spanOf(part));
    const isInOther = others.some(isIn);
    if (isIn(taken) || isInOther) {
      const proof = this.#proofOf(condition, value);
      return proof !== null && (isInOther ? proof.whenFalse : proof.whenTrue);
    }
    if (end > use.start || !this.#file.isCertainAt(node, use)) return false;
    return this.#isCheckedAfter(condition, value);
  }

  #proofOf({ test, isNegated }: Condition, value: Value): Proof | null {
    const proof = this.#checks.prove(test, value);
    return proof && isNegated ? { whenTrue: proof.whenFalse, whenFalse: proof.whenTrue } : proof;
  }

  /** Returns whether each branch of a condition proves the value, replaces it, or leaves, and at least one does so. */
  #isCheckedAfter(condition: Condition, value: Value): boolean {
    const { taken, others, isLoop } = condition;
    const isTakenOver = taken !== null && this.#ends(taken, value);
    if (!isTakenOver && others.length === 0 && !isLoop) return false;
    const proof = this.#proofOf(condition, value);
    if (!proof) return false;
    if (isLoop) return proof.whenFalse;
    if (!isTakenOver && !proof.whenTrue) return false;
    if (others.length === 0) return proof.whenFalse;
    if (isTakenOver && proof.whenFalse) return true;
    if (others.every((other) => this.#ends(other, value))) return proof.whenTrue;
    const next = others.length === 1 && this.#conditions.find(({ node }) => node.id() === nested(others[0]!).id());
    return next ? this.#isCheckedAfter(next, value) : false;
  }

  /** Returns whether a branch skips the code that follows, or assigns another value to the variable. */
  #ends = (branch: SgNode, value: Value) => this.leaves(branch) || this.#replaces(branch, value.name);

  /** `value = 'a'`, but not `value = '/' + value`. */
  #replaces(branch: SgNode, name: string): boolean {
    return findKinds(this.#language, branch, Object.keys(this.#language.assignments)).some((node) => {
      const [left, right] = this.#language.assignments[kindOf(node)]!;
      const [target, given] = [node.field(left), right ? node.field(right) : null];
      if (target?.text() !== name || this.#language.augmented.includes(kindOf(node))) return false;
      return !given || !findKinds(this.#language, given, this.#language.identifiers).some((own) => own.text() === name);
    });
  }

  leaves(node: SgNode): boolean {
    const kind = kindOf(node);
    if (leavingKinds.includes(kind)) return true;
    if (this.#language.calls[kind]) return leaving.has(this.#checks.nameOf(node));
    if (kind === 'identifier') return leaving.has(node.text());
    if (blockKinds.includes(kind)) return node.namedChildren().some((child) => this.leaves(child));
    if (this.#language.binaries.includes(kind)) return node.namedChildren().some((child) => this.leaves(child));
    const condition = conditionKinds.includes(kind) ? conditionOf(node) : null;
    if (!condition?.taken || condition.isLoop || condition.others.length === 0) return false;
    return this.leaves(condition.taken) && condition.others.every((other) => this.leaves(other));
  }

  #selects({ node, subject, cases, fallback, start, end }: Switch, value: Value, use: Span): boolean {
    const own = cases.find((one) => isWithin(use, spanOf(one)));
    if (!subject) {
      const test = own?.field('value');
      return !!test && (this.#checks.prove(test, value)?.whenTrue ?? false);
    }
    if (start < value.scope.start || !this.#checks.about(subject, value)) return false;
    if (own) return true;
    return end <= use.start && fallback !== null && this.leavesSwitch(fallback) && this.#file.isCertainAt(node, use);
  }

  /** A `break` ends only the `switch`. */
  leavesSwitch = (fallback: SgNode) =>
    fallback.namedChildren().some((child) => kindOf(child) !== 'break_statement' && this.leaves(child));

  /** Returns the statements that may raise an error for a value, judging by the functions that they call. */
  #asserting(): SgNode[] {
    const kinds = ['assert_statement', ...Object.keys(this.#language.calls)];
    this.#assertions ??= findKinds(this.#language, this.#root, kinds).filter((node) => {
      if (!isStatement(node)) return false;
      if (kindOf(node) === 'assert_statement') return true;
      const name = this.#checks.nameOf(node);
      if (raising.has(name) || leavingIf.has(name) || leavingUnless.has(name)) return true;
      const definition = this.#file.functions.called(node, this.#checks.calleeOf(node));
      return definition !== null && this.#raises(definition);
    });
    return this.#assertions;
  }

  /** A statement that raises an error unless a condition about the value is true. */
  #asserts(statement: SgNode, value: Value, use: Span): boolean {
    if (spanOf(statement).end > use.start || !this.#file.isCertainAt(statement, use)) return false;
    const isAbout = (node: SgNode | null | undefined) => !!node && this.#checks.about(node, value) !== null;
    if (kindOf(statement) === 'assert_statement') {
      const [test] = statement.namedChildren();
      return !!test && (this.#checks.prove(test, value)?.whenTrue ?? false);
    }
    const name = this.#checks.nameOf(statement);
    const values = argumentsOf(statement).map((argument) => argument.value);
    const [first] = values;
    if (raising.has(name) && (isAbout(receiverOf(this.#language, statement)) || isAbout(first))) return true;
    const proof = first && (leavingIf.has(name) || leavingUnless.has(name)) ? this.#checks.prove(first, value) : null;
    if (proof) return leavingIf.has(name) ? proof.whenFalse : proof.whenTrue;
    return this.#raisesIn(statement, values.findIndex(isAbout));
  }

  /** A function of the file that raises an error unless its parameter passes. */
  #raisesIn(call: SgNode, position: number): boolean {
    const definition = position < 0 ? null : this.#file.functions.called(call, this.#checks.calleeOf(call));
    const name = definition && parameterNames(this.#language, definition)[position];
    if (!definition || !name) return false;
    const { start, end } = spanOf(definition);
    const inside = { start: end - 1, end };
    return this.isChecked(name, { start, end }, inside);
  }

  #raises(definition: SgNode): boolean {
    const known = this.#raising.get(definition.id());
    if (known !== undefined) return known;
    const isRaised =
      findKinds(this.#language, definition, ['throw_statement', 'raise_statement', 'throw_expression']).length > 0 ||
      findKinds(this.#language, definition, Object.keys(this.#language.calls)).some((call) =>
        leaving.has(this.#checks.nameOf(call)),
      );
    this.#raising.set(definition.id(), isRaised);
    return isRaised;
  }
}

const binaryKinds = (language: Language) => [...language.binaries, 'boolean_operator'];

/** Returns the statement in an `else`: the next condition of a chain. */
function nested(other: SgNode): SgNode {
  const children = other.namedChildren();
  return kindOf(other) === 'else_clause' && children.length === 1 ? children[0]! : other;
}

function conditionOf(node: SgNode): Condition | null {
  const kind = kindOf(node);
  const span = spanOf(node);
  if (!conditionKinds.includes(kind)) {
    const operator = node.field('operator')?.text() ?? '';
    const [test, taken] = [node.field('left'), node.field('right')];
    if (!test || !taken || ![...orKinds, ...andKinds].includes(operator)) return null;
    return { ...span, node, test, taken, others: [], isNegated: orKinds.includes(operator), isLoop: false };
  }
  const isLoop = kind.startsWith('while');
  // Python's `a if condition else b` has no fields.
  const isPython = kind === 'conditional_expression' && node.field('condition') === null;
  const children = node.namedChildren();
  const test = isPython ? children[1] : node.field('condition');
  if (!test) return null;
  const taken = isPython ? children[0]! : (node.field('consequence') ?? node.field('body'));
  const others = isPython ? children.slice(2, 3) : alternativesOf(node);
  return { ...span, node, test, taken, others, isNegated: kind.startsWith('unless'), isLoop };
}

/** Python and PHP have all branches of a chain in one statement. */
function alternativesOf(node: SgNode): SgNode[] {
  const chained = node
    .namedChildren()
    .filter((child) => ['elif_clause', 'else_if_clause', 'else_clause'].includes(kindOf(child)));
  if (chained.length > 0) return chained;
  const alternative = node.field('alternative');
  return alternative ? [alternative] : [];
}

function readSwitch(node: SgNode): Switch {
  const fields = ['value', 'condition', 'subject'].map((field) => node.field(field));
  const isFirst = kindOf(node) === 'switch_expression' || kindOf(node) === 'switch_statement';
  const subject = fields.find((field) => field !== null) ?? (isFirst ? (node.namedChildren()[0] ?? null) : null);
  const parts = [...(node.field('body') ?? node).namedChildren()];
  const isDefault = (part: SgNode) =>
    defaultKinds.includes(kindOf(part)) || (caseKinds.includes(kindOf(part)) && hasDefaultLabel(part));
  return {
    ...spanOf(node),
    node,
    subject,
    cases: parts.filter((part) => caseKinds.includes(kindOf(part)) && !isDefault(part)),
    fallback: parts.find(isDefault) ?? null,
  };
}

/** `default:`, also after the label of a case, and Python's and C#'s `_`. */
function hasDefaultLabel(part: SgNode): boolean {
  return part.children().some((child) => {
    const kind = kindOf(child);
    if (kind === 'default' || kind === 'discard') return true;
    if (kind === 'case_pattern') return child.text() === '_';
    return kind === 'switch_label' && child.children().some((token) => kindOf(token) === 'default');
  });
}

function isTarget(language: Language, node: SgNode): boolean {
  const parent = node.parent();
  const fields = parent && language.assignments[kindOf(parent)];
  return !!fields && parent.field(fields[0])?.id() === node.id();
}

const isStatement = (node: SgNode) => {
  if (kindOf(node) === 'assert_statement') return true;
  const parent = node.parent();
  return (
    parent !== null &&
    ['expression_statement', 'body_statement', 'block_body', 'then', 'program'].includes(kindOf(parent))
  );
};
