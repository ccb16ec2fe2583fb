import type { SgNode } from '@ast-grep/napi';
import type { Language } from './languages/language.ts';

/** `always`: whether the assignment surely happened before this use, so that what was there before is gone. */
export type AssignedValue = { end: number; value: SgNode; always(use: SgNode): boolean };

/** The functions around a node, innermost first, then the file. */
export function scopesOf(language: Language, node: SgNode): SgNode[] {
  const ancestors = node.ancestors();
  const functions = ancestors.filter((one) => language.functions.includes(String(one.kind())));
  const root = ancestors.at(-1);
  return root ? [...functions, root] : functions;
}

const addingMethods =
  '(?:append|Append|AppendFormat|AppendLine|push|add|Add|concat|WriteString|put|extend|insert|addElement|appendChild)';

/** What is assigned to a name within a scope, in the order in which it stands; adding to a list or a builder counts. */
export function listAssignments(language: Language, scope: SgNode, name: string): AssignedValue[] {
  const escaped = name.replace(/[$\\^.*+?()[\]{}|]/g, '\\$&');
  const whole = `(^|[^\\w$])${escaped}([^\\w]|$)`;
  const any = Object.entries(language.assignments).map(([kind, [left]]) => ({
    kind,
    has: { field: left, regex: whole },
  }));
  const calls = Object.keys(language.calls).map((kind) => ({
    kind,
    regex: `^${escaped}\\s*(\\.|->)\\s*${addingMethods}\\s*\\(`,
  }));
  const found = scope.findAll({ rule: { any: [...any, ...calls] } } as never);
  return found.flatMap((node) => {
    const kind = String(node.kind());
    const fields = language.assignments[kind];
    const value = fields ? assignedValue(node, fields) : (node.field('arguments') ?? node);
    if (!value || (fields && !isTarget(language, node.field(fields[0]), name))) return [];
    const adds = !fields || language.augmented.includes(kind) || isAugmentedByOperator(node);
    // A comprehension names its source after its use.
    const end = kind === 'for_in_clause' ? 0 : value.range().end.index;
    return [{ end, value, always: (use) => !adds && blockHolds(language, node, use) }];
  });
}

const isAugmentedByOperator = (node: SgNode) =>
  node.children().some((child) => /^(?:\+|\.|\|\||<<)=$/.test(child.text()));

function assignedValue(node: SgNode, [left, right]: [string, string]): SgNode | null {
  if (right) return node.field(right);
  const target = node.field(left)?.id();
  return node.namedChildren().findLast((child) => child.id() !== target) ?? null;
}

/** `name = …` and `[name, other] = …`, but neither `name.part = …` nor `other[name] = …`. */
function isTarget(language: Language, left: SgNode | null, name: string): boolean {
  if (!left) return false;
  if (language.identifiers.includes(String(left.kind())) || left.isNamedLeaf()) return left.text() === name;
  if (language.members[String(left.kind())] !== undefined) return false;
  return left.namedChildren().some((child) => isTarget(language, child, name));
}

function blockHolds(language: Language, assignment: SgNode, use: SgNode): boolean {
  const block = assignment.ancestors().find((one) => language.blocks.includes(String(one.kind())));
  if (!block) return true;
  const [outer, inner] = [block.range(), use.range()];
  return outer.start.index <= inner.start.index && inner.end.index <= outer.end.index;
}

/** What kind of parameter of the function `name` is, or null when it is none. */
export function isParameterOf(language: Language, scope: SgNode, name: string): 'request' | 'text' | 'harmless' | null {
  if (!language.functions.includes(String(scope.kind()))) return null;
  const { ignored, harmless, request, requestFunction } = language.parameters;
  for (const field of language.parameterFields) {
    const list = scope.field(field);
    if (!list) continue;
    const parameters = list.namedChildren().length > 0 ? list.namedChildren() : [list];
    const own = parameters.find((one) => declares(one, name));
    if (!own) continue;
    const text = own.text();
    if (harmless.test(text) && !request?.test(text)) return 'harmless';
    if (request?.test(text)) return 'request';
    if (ignored.test(name)) return 'harmless';
    return requestFunction?.test(headerOf(scope)) ? 'request' : 'text';
  }
  return null;
}

/** Whether a parameter's declaration binds the name: not in its type, its default or its annotation. */
function declares(parameter: SgNode, name: string): boolean {
  const kind = String(parameter.kind());
  if (/type|annotation|decorator|modifiers|attribute_list/.test(kind) && !/^typed_/.test(kind)) return false;
  if (parameter.text() === name && (parameter.isNamedLeaf() || kind === 'variable_name')) return true;
  const fallback = (parameter.field('value') ?? parameter.field('default_value') ?? parameter.field('right'))?.id();
  return parameter.namedChildren().some((child) => child.id() !== fallback && declares(child, name));
}

/** A function's text up to its body, with the decorators before it. */
function headerOf(scope: SgNode): string {
  const parent = scope.parent();
  const whole = parent && String(parent.kind()) === 'decorated_definition' ? parent : scope;
  const body = scope.field('body')?.range().start.index ?? whole.range().end.index;
  return whole.text().slice(0, Math.max(0, body - whole.range().start.index));
}
