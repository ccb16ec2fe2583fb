import type { SgNode } from '@ast-grep/napi';
import type { Language } from './languages/language.ts';

export type Span = { start: number; end: number };

/**
 * `always`: whether the assignment certainly happened before this use, and so replaced earlier values. `path`: the part
 * of the value that a pattern takes, as in `const { query: { id } } = request`: `query.id`.
 */
export type AssignedValue = Span & { value: SgNode; path: string | null; always(use: Span): boolean };

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
    const names = target
      ? targetNames(this.#language, target)
      : [{ name: /^[$@\w]+/.exec(node.text())?.[0] ?? '', path: null }];
    const adds = !fields || this.#language.augmented.includes(kind) || isAugmentedByOperator(node);
    const { start, end } = spanOf(value);
    // A comprehension names its source after the use.
    const before = kind === 'for_in_clause' ? start : end;
    const branch = branchOf(this.#language, node);
    const always = ({ start, end }: Span) => !adds && (!branch || (branch.start <= start && end <= branch.end));
    for (const { name, path } of names) {
      const assigned = { start, end: before, value, path, always };
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
  node.children().some((child) => /^(?:\+|\.|\|\||\?\?|&&|<<)=$/.test(child.text()));

function assignedValue(node: SgNode, [left, right]: [string, string]): SgNode | null {
  if (right) return node.field(right);
  const target = node.field(left)?.id();
  return node.namedChildren().findLast((child) => child.id() !== target) ?? null;
}

type Target = { name: string; path: string | null };

/**
 * Returns the names in the target of an assignment: `name = …`, `[name, other] = …` and `{ name, part: other } = …`, but
 * neither `name.part = …` nor `other[name] = …`.
 */
function targetNames(language: Language, left: SgNode, path: string | null = null): Target[] {
  const kind = String(left.kind());
  if (kind === 'shorthand_property_identifier_pattern') return [{ name: left.text(), path: joined(path, left.text()) }];
  if (kind === 'pair_pattern') {
    const [key, value] = [left.field('key'), left.field('value')];
    return key && value ? targetNames(language, value, joined(path, key.text())) : [];
  }
  // A pattern with a default value.
  if (kind === 'object_assignment_pattern' || kind === 'assignment_pattern') {
    const pattern = left.field('left');
    return pattern ? targetNames(language, pattern, path) : [];
  }
  if (language.identifiers.includes(kind)) return [{ name: left.text(), path }];
  if (language.members[kind] !== undefined) return [];
  return left.isNamedLeaf()
    ? [{ name: left.text(), path }]
    : left.namedChildren().flatMap((child) => targetNames(language, child, path));
}

const joined = (path: string | null, key: string) => (path === null ? key : `${path}.${key}`);

/** Statements and expressions of which a part may not be executed. */
const branching =
  /^(?:if|unless|while|until|for|foreach|enhanced_for|for_in|for_range|for_each|do|else|elsif|elif|else_if|catch|rescue|conditional|ternary)(?:_(?:statement|clause|modifier|expression))?$/;
/** Fields of these that are always executed. */
const alwaysExecuted = ['condition', 'initializer', 'init', 'left', 'right', 'value', 'collection'];

const hasField = (node: SgNode, fields: string[], child: SgNode) =>
  fields.some((field) => node.field(field)?.id() === child.id());

/** Returns the part of the code that is executed whenever the assignment is; null for the whole file. */
function branchOf(language: Language, assignment: SgNode): Span | null {
  let child = assignment;
  for (const node of assignment.ancestors()) {
    const kind = String(node.kind());
    if (language.blocks.includes(kind)) return spanOf(node);
    if (branching.test(kind) && !hasField(node, alwaysExecuted, child)) return spanOf(child);
    const isSecond = language.binaries.includes(kind) && hasField(node, ['right'], child);
    if (isSecond && /^(?:&&|\|\||\?\?|and|or)$/.test(node.field('operator')?.text() ?? '')) return spanOf(child);
    child = node;
  }
  return null;
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
    if (isPartOfRequest(language, own, parameters, name)) return 'request';
    if (harmless.test(text) && !request?.test(text)) return 'harmless';
    if (request?.test(text)) return 'request';
    if (ignored.test(name)) return 'harmless';
    return requestFunction?.test(headerOf(scope)) ? 'request' : 'text';
  }
  return null;
}

/** Returns whether a handler takes the name out of its request: `({ query }, response) => …`. */
function isPartOfRequest(language: Language, own: SgNode, parameters: SgNode[], name: string): boolean {
  const hasResponse = parameters.some((parameter) => /^(?:res|resp|response|reply|next)\b/.test(parameter.text()));
  if (!hasResponse || own.id() !== parameters[0]?.id()) return false;
  const target = targetNames(language, own).find((one) => one.name === name);
  return typeof target?.path === 'string' && language.request.test(`req.${target.path}`);
}

/** Returns whether a parameter's declaration binds the name, outside its type, default and annotation. */
function declares(parameter: SgNode, name: string): boolean {
  const kind = String(parameter.kind());
  if (/type|annotation|decorator|modifiers|attribute_list/.test(kind) && !/^typed_/.test(kind)) return false;
  if (parameter.text() === name && (parameter.isNamedLeaf() || kind === 'variable_name')) return true;
  // What a pattern takes out of a part is in the field that has the default elsewhere.
  const value = kind === 'pair_pattern' ? null : parameter.field('value');
  const fallback = (value ?? parameter.field('default_value') ?? parameter.field('right'))?.id();
  return parameter.namedChildren().some((child) => child.id() !== fallback && declares(child, name));
}

/** Returns a function's text before its body, including decorators. */
function headerOf(scope: SgNode): string {
  const parent = scope.parent();
  const whole = parent && String(parent.kind()) === 'decorated_definition' ? parent : scope;
  const body = scope.field('body')?.range().start.index ?? whole.range().end.index;
  return whole.text().slice(0, Math.max(0, body - whole.range().start.index));
}
