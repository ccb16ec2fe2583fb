import type { SgNode } from '@ast-grep/napi';
import type { Language } from './languages/language.ts';

type Span = { start: number; end: number };

/** `always`: whether the assignment certainly happened before this use, and so replaced earlier values. */
export type AssignedValue = Span & { value: SgNode; always(use: Span): boolean };

export type Scope = Span & { node: SgNode };

const addingMethods =
  '(append|Append|AppendFormat|AppendLine|push|add|Add|concat|WriteString|put|extend|insert|addElement|appendChild)';

/**
 * Indexes the functions and assignments of a file, because a query to the parser for each name took seconds in a long
 * file.
 */
export class ScopeIndex {
  readonly #language: Language;
  readonly #scopes: Scope[];
  readonly #assignments = new Map<string, AssignedValue[]>();

  constructor(language: Language, root: SgNode) {
    this.#language = language;
    const functions = root.findAll({ rule: { any: language.functions.map((kind) => ({ kind })) } } as never);
    // Outer functions start first, so the reversed order has the innermost first.
    this.#scopes = [root, ...functions].map((node) => ({ node, ...spanOf(node) })).reverse();
    const calls = Object.keys(language.calls).map((kind) => ({
      kind,
      regex: `^[$@\\w]+\\s*(\\.|->)${addingMethods}\\s*\\(`,
    }));
    const kinds = Object.keys(language.assignments).map((kind) => ({ kind }));
    for (const node of root.findAll({ rule: { any: [...kinds, ...calls] } } as never)) this.#add(node);
  }

  /** Returns the functions around a place, innermost first, then the file. */
  around({ start, end }: Span): Scope[] {
    return this.#scopes.filter(
      (scope, index) => index === this.#scopes.length - 1 || (scope.start <= start && end <= scope.end),
    );
  }

  /** Returns the assignments to a name within a scope, in source order, including additions to a list or a builder. */
  assignments(scope: Scope, name: string): AssignedValue[] {
    return (
      this.#assignments
        .get(name)
        ?.filter((assignment) => scope.start <= assignment.start && assignment.end <= scope.end) ?? []
    );
  }

  #add(node: SgNode): void {
    const kind = String(node.kind());
    const fields = this.#language.assignments[kind];
    const value = fields ? assignedValue(node, fields) : (node.field('arguments') ?? node);
    if (!value) return;
    const target = fields ? node.field(fields[0]) : null;
    const names = target ? targetNames(this.#language, target) : [/^[$@\w]+/.exec(node.text())?.[0] ?? ''];
    const adds = !fields || this.#language.augmented.includes(kind) || isAugmentedByOperator(node);
    const { start, end } = spanOf(value);
    // A comprehension names its source after the use.
    const before = kind === 'for_in_clause' ? start : end;
    const assigned = {
      start,
      end: before,
      value,
      always: (use: Span) => !adds && blockHolds(this.#language, node, use),
    };
    for (const name of names) {
      const list = this.#assignments.get(name);
      if (list) list.push(assigned);
      else this.#assignments.set(name, [assigned]);
    }
  }
}

export function spanOf(node: SgNode): Span {
  const { start, end } = node.range();
  return { start: start.index, end: end.index };
}

const isAugmentedByOperator = (node: SgNode) =>
  node.children().some((child) => /^(?:\+|\.|\|\||<<)=$/.test(child.text()));

function assignedValue(node: SgNode, [left, right]: [string, string]): SgNode | null {
  if (right) return node.field(right);
  const target = node.field(left)?.id();
  return node.namedChildren().findLast((child) => child.id() !== target) ?? null;
}

/** Matches `name = …` and `[name, other] = …`, but neither `name.part = …` nor `other[name] = …`. */
function targetNames(language: Language, left: SgNode): string[] {
  const kind = String(left.kind());
  if (language.identifiers.includes(kind)) return [left.text()];
  if (language.members[kind] !== undefined) return [];
  return left.isNamedLeaf() ? [left.text()] : left.namedChildren().flatMap((child) => targetNames(language, child));
}

function blockHolds(language: Language, assignment: SgNode, use: Span): boolean {
  const block = assignment.ancestors().find((node) => language.blocks.includes(String(node.kind())));
  if (!block) return true;
  const { start, end } = spanOf(block);
  return start <= use.start && use.end <= end;
}

/** Returns what kind of parameter of the function `name` is, or null when it is none. */
export function isParameterOf(language: Language, scope: SgNode, name: string): 'request' | 'text' | 'harmless' | null {
  if (!language.functions.includes(String(scope.kind()))) return null;
  const { ignored, harmless, request, requestFunction } = language.parameters;
  for (const field of language.parameterFields) {
    const list = scope.field(field);
    if (!list) continue;
    const parameters = list.namedChildren().length > 0 ? list.namedChildren() : [list];
    const own = parameters.find((parameter) => declares(parameter, name));
    if (!own) continue;
    const text = own.text();
    if (harmless.test(text) && !request?.test(text)) return 'harmless';
    if (request?.test(text)) return 'request';
    if (ignored.test(name)) return 'harmless';
    return requestFunction?.test(headerOf(scope)) ? 'request' : 'text';
  }
  return null;
}

/** Returns whether a parameter's declaration binds the name, outside its type, default and annotation. */
function declares(parameter: SgNode, name: string): boolean {
  const kind = String(parameter.kind());
  if (/type|annotation|decorator|modifiers|attribute_list/.test(kind) && !/^typed_/.test(kind)) return false;
  if (parameter.text() === name && (parameter.isNamedLeaf() || kind === 'variable_name')) return true;
  const fallback = (parameter.field('value') ?? parameter.field('default_value') ?? parameter.field('right'))?.id();
  return parameter.namedChildren().some((child) => child.id() !== fallback && declares(child, name));
}

/** Returns a function's text before its body, including decorators. */
function headerOf(scope: SgNode): string {
  const parent = scope.parent();
  const whole = parent && String(parent.kind()) === 'decorated_definition' ? parent : scope;
  const body = scope.field('body')?.range().start.index ?? whole.range().end.index;
  return whole.text().slice(0, Math.max(0, body - whole.range().start.index));
}
