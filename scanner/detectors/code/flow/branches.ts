import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../languages/language.ts';
import { type Constant, kindOf, type Span, spanOf } from './syntax.ts';

/**
 * The conditions under which a statement is executed. `dead`: never. `within`: the code whose execution always includes
 * the statement; null for the whole file. `half`: the branch of an `if` with two branches that always executes it.
 */
export type Execution = { dead: boolean; within: Span | null; half: Half | null };

/** One of the two branches of an `if`; `around` is the `if` itself. */
type Half = { id: number; side: Side; around: SgNode };

type Side = 'consequence' | 'alternative';

/** Statements and expressions with parts that may not be executed. */
const branching =
  /^(?:if|unless|while|until|for|foreach|enhanced_for|for_in|for_range|for_each|do|else|elsif|elif|else_if|catch|rescue|except|conditional|ternary)(?:_(?:statement|clause|modifier|expression))?$/;
const choosing = /^(?:if|unless|elsif|elif|else_if|conditional|ternary)(?:_(?:statement|clause|modifier|expression))?$/;
const loops =
  /^(?:while|until|for|foreach|enhanced_for|for_in|for_range|for_each|do)(?:_(?:statement|clause|modifier|expression))?$/;
/** Fields of these nodes that are always executed. */
const alwaysExecuted = ['condition', 'initializer', 'init', 'left', 'right', 'value', 'collection'];
/** Statements that select a case, and the field of the value that they compare. */
const switches: Record<string, string[]> = {
  switch_expression: ['condition'],
  switch_statement: ['value', 'condition'],
  expression_switch_statement: ['value'],
  match_statement: ['subject'],
  case: ['value'],
};
const cases =
  /^(?:switch_block_statement_group|switch_rule|switch_case|switch_default|switch_section|case_statement|default_statement|case_clause|expression_case|default_case|when|else)$/;
/** Languages in which a case without `break` continues with the next. */
const fallingThrough = ['java', 'javascript', 'php', 'csharp'];

const hasField = (node: SgNode, fields: string[], child: SgNode) =>
  fields.some((field) => node.field(field)?.id() === child.id());

type Evaluate = (node: SgNode) => Constant | undefined;

/** Returns the conditions under which a statement is executed; `evaluate` returns the values of constant conditions. */
export function executionOf(language: Language, statement: SgNode, evaluate: Evaluate): Execution {
  let child = statement;
  let half: Half | null = null;
  let within: Span | null = null;
  for (const node of statement.ancestors()) {
    const kind = kindOf(node);
    if (language.functions.includes(kind)) return { dead: false, within: within ?? spanOf(node), half };
    const fate = branchFate(language, node, kind, child, evaluate);
    if (fate === 'dead') return { dead: true, within: spanOf(child), half: null };
    if (fate === 'maybe' && !within) {
      within = spanOf(child);
      if (choosing.test(kind))
        half = { id: node.id(), side: isAlternative(node, child) ? 'alternative' : 'consequence', around: node };
    }
    child = node;
  }
  return { dead: false, within, half };
}

function branchFate(
  language: Language,
  node: SgNode,
  kind: string,
  child: SgNode,
  evaluate: Evaluate,
): 'always' | 'maybe' | 'dead' {
  const isSwitch = switches[kind]?.map((field) => node.field(field)).find((value) => value !== null);
  if (isSwitch && isSwitch.id() !== child.id()) return 'always';
  if (cases.test(kind)) {
    const owner = node.ancestors().find((ancestor) => switches[kindOf(ancestor)] !== undefined);
    const isCase = kind !== 'else' || (owner !== undefined && node.parent()?.id() === owner.id());
    if (isCase) return owner ? caseFate(language, owner, node, evaluate) : 'maybe';
  }
  const isSecond = language.binaries.includes(kind) && hasField(node, ['right'], child);
  if (isSecond && /^(?:&&|\|\||\?\?|and|or)$/.test(node.field('operator')?.text() ?? '')) return 'maybe';
  if (!branching.test(kind)) return 'always';
  const condition = conditionOf(node);
  if (condition?.id() === child.id()) return 'always';
  if (!choosing.test(kind)) {
    if (loops.test(kind) && condition && evaluate(condition) === false) return 'dead';
    if (kind === 'else' || kind === 'else_clause') return 'always';
    return hasField(node, alwaysExecuted, child) ? 'always' : 'maybe';
  }
  const value = condition ? evaluate(condition) : undefined;
  if (typeof value !== 'boolean') return 'maybe';
  const isTrue = value !== kind.startsWith('unless');
  if (!isAlternative(node, child)) return isTrue ? 'always' : 'dead';
  if (isTrue) return 'dead';
  return /^(?:elif|elsif|else_if)/.test(kindOf(child)) || countAlternatives(node) > 1 ? 'maybe' : 'always';
}

function conditionOf(node: SgNode): SgNode | null {
  // Python's `a if condition else b` has no fields.
  const kind = kindOf(node);
  return node.field('condition') ?? (/^(?:conditional|ternary)/.test(kind) ? (node.namedChildren()[1] ?? null) : null);
}

/**
 * Returns the parts of an expression that its value may come from, without the value that a `switch` or `match`
 * compares.
 */
export function armsOf(node: SgNode): SgNode[] {
  const children = node.namedChildren();
  if (!/^(?:switch_expression|match_expression|case)$/.test(kindOf(node))) return children;
  const subject = node.field('condition') ?? node.field('value') ?? children[0];
  return children.filter((child) => child.id() !== subject?.id());
}

/** Returns both sides of `condition ? a : b`, or the one that a constant condition selects. */
export function chosenBy(node: SgNode, constants: { valueOf(node: SgNode): Constant | undefined }): SgNode[] {
  const condition = conditionOf(node);
  const children = node.namedChildren();
  const isPython = node.field('condition') === null;
  const [first, second] = isPython
    ? [children[0], children[2]]
    : [node.field('consequence') ?? node.field('body') ?? condition, node.field('alternative')];
  const value = condition ? constants.valueOf(condition) : undefined;
  const chosen = value === true ? [first] : value === false ? [second] : [first, second];
  return chosen.filter((part) => part !== null && part !== undefined);
}

function isAlternative(node: SgNode, child: SgNode): boolean {
  if (/^(?:else|elif|elsif|else_if)/.test(kindOf(child))) return true;
  if (node.field('alternative')?.id() === child.id()) return true;
  return node.field('condition') === null && node.namedChildren()[2]?.id() === child.id();
}

const countAlternatives = (node: SgNode) => node.children().filter((child) => isAlternative(node, child)).length;

/** Returns which cases of a `switch` on a constant are executed. */
function caseFate(language: Language, owner: SgNode, own: SgNode, evaluate: Evaluate): 'always' | 'maybe' | 'dead' {
  const subject = switches[kindOf(owner)]!.map((field) => owner.field(field)).find((value) => value !== null);
  const value = subject ? evaluate(subject) : undefined;
  if (value === undefined || value === null) return 'maybe';
  const all =
    own
      .parent()
      ?.children()
      .filter((child) => cases.test(kindOf(child))) ?? [];
  const labels = all.map((node) => labelsOf(node.text()));
  if (labels.some((label) => label.values.length === 0 && !label.isDefault)) return 'maybe';
  const matching = labels.findIndex((label) => label.values.includes(String(value)));
  const chosen = matching >= 0 ? matching : labels.findIndex((label) => label.isDefault);
  const place = all.findIndex((node) => node.id() === own.id());
  if (chosen < 0 || place < chosen) return 'dead';
  if (place === chosen) return 'always';
  const falls = fallingThrough.includes(language.name) && !all.slice(chosen, place).some((node) => leaves(node.text()));
  return falls ? 'always' : 'dead';
}

const leaves = (text: string) => /\b(?:break|return|throw|continue|exit|die)\b|->/.test(text);

/** Returns the constants in a case's label. */
function labelsOf(text: string): { values: string[]; isDefault: boolean } {
  const header = /^(?:(?:case|when|default|else|_)\b[^\n:]*?(?::(?!:)|->|=>|\n|\bthen\b|$)\s*)+/.exec(text)?.[0] ?? '';
  const values = [...header.matchAll(/'([^']*)'|"([^"]*)"|(?<![\w.])(\d+)(?![\w.])/g)].map(
    (match) => match[1] ?? match[2] ?? match[3]!,
  );
  return { values, isDefault: /\b(?:default|else)\b|\bcase _/.test(header) };
}
