import type { SgNode } from '@ast-grep/napi';
import { inputsOf } from '../languages/inputs.ts';
import type { Language } from '../languages/language.ts';
import { calleeName, kindOf } from './syntax.ts';

type Target = { name: string; path: string | null };

const joinedPath = (path: string | null, key: string) => (path === null ? key : `${path}.${key}`);

/**
 * Returns the names in the target of an assignment: `name = …`, `[name, other] = …` and `{ name, part: other } = …`, but
 * neither `name.part = …` nor `other[name] = …`.
 */
export function targetNames(language: Language, left: SgNode, path: string | null = null): Target[] {
  const kind = kindOf(left);
  if (kind === 'shorthand_property_identifier_pattern')
    return [{ name: left.text(), path: joinedPath(path, left.text()) }];
  if (kind === 'pair_pattern') {
    const [key, value] = [left.field('key'), left.field('value')];
    return key && value ? targetNames(language, value, joinedPath(path, key.text())) : [];
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

/**
 * A parameter: its position, and whether it comes from a request, may contain text or can't. `isAssumed`: the function
 * has the form of a handler, but nothing in the file makes it one. `isTyped`: its declaration has more than a name.
 */
export type Parameter = {
  node: SgNode;
  name: string;
  position: number;
  source: 'request' | 'text' | 'harmless';
  isAssumed: boolean;
  isTyped: boolean;
  /** The part of the argument that a pattern extracts: `host` in `function f({ host })`. */
  path: string | null;
};

/** Names of objects that a function receives beside a request. */
const objects = /^(?:user|form|model|obj|instance|queryset|backend|view|view_func|response)$/;

/** Defaults of options that other code sets: a route passes text. */
const optionDefault = /=\s*(?:[[({]|True\b|False\b)/;

/** Returns the parameter of a function that binds the name, or null. */
export function parameterOf(language: Language, scope: SgNode, name: string): Parameter | null {
  const parameters = parametersOf(language, scope);
  const own = parameters.find((parameter) => declares(parameter, name));
  if (!own) return null;
  const declared = parameters.map((parameter) => namesIn(language, parameter));
  const at = parameters.indexOf(own);
  const position = declared.slice(0, at).flat().length + Math.max(0, declared[at]!.indexOf(name));
  const { parameters: inputs } = inputsOf(language.name);
  const text = language.name === 'csharp' && takesRest(own) ? `${own.prev()!.text()} ${own.text()}` : own.text();
  const isHandler = () => inputs.requestFunction?.test(headerOf(scope)) || isCallbackOfRequest(language, scope);
  // A view gets only the parts of its path; a helper that is passed the request may take any options.
  const isHelper = isBare(scope) && parameters.some((parameter) => kindOf(parameter) === 'dictionary_splat_pattern');
  const source = () => {
    if (isPartOfRequest(language, own, parameters, name)) return 'request';
    if (inputs.numbers?.test(text)) return 'harmless';
    if (inputs.harmless?.test(text) && !inputs.request?.test(text))
      return inputs.objects?.test(text) && isHandler() ? 'request' : 'harmless';
    if (inputs.request?.test(text)) return 'request';
    if (inputs.ignored.test(name)) return 'harmless';
    const isObject = objects.test(name) && !/\bstr(?:ing)?\b/i.test(text);
    if (isObject) return 'harmless';
    return isHandler() && !optionDefault.test(text) && !isHelper ? 'request' : 'text';
  };
  const path = /pattern/.test(kindOf(own.field('pattern') ?? own))
    ? (targetNames(language, own.field('pattern') ?? own).find((target) => target.name === name)?.path ?? null)
    : null;
  const from = source();
  const isAssumed = from === 'request' && language.name === 'python' && isBare(scope) && !inputs.request?.test(text);
  return { node: own, name, position, source: from, isAssumed, isTyped: text !== name, path };
}

/** Returns whether a route calls an anonymous function: `app.MapGet("/users", (string name) => …)`. */
function isCallbackOfRequest(language: Language, scope: SgNode): boolean {
  const { requestCallback } = inputsOf(language.name).parameters;
  const call = requestCallback ? scope.parent()?.parent()?.parent() : null;
  return !!call && !!language.calls[kindOf(call)] && requestCallback!.test(calleeName(language, call));
}

/** Returns whether a function is neither decorated nor a method. */
function isBare(scope: SgNode): boolean {
  const around = scope.parent();
  return around !== null && kindOf(around) !== 'decorated_definition' && !scope.ancestors().some(isClass);
}

const isClass = (node: SgNode) => kindOf(node) === 'class_definition';

/** Returns the parameters of a function in order, without the object itself. */
function parametersOf(language: Language, scope: SgNode): SgNode[] {
  if (!language.functions.includes(kindOf(scope))) return [];
  const list = language.parameterFields.map((field) => scope.field(field)).find((field) => field !== null);
  if (!list) return [];
  const parameters = list.namedChildren().length > 0 ? list.namedChildren() : [list];
  // The grammar of C# takes the type of `params string[] names` for a parameter of its own.
  return parameters.filter(
    (parameter) => !/comment|^array_type$/.test(kindOf(parameter)) && !/^(?:self|cls)$/.test(parameter.text()),
  );
}

/** Returns the names that a declaration of parameters binds, null for a pattern: one, or several as in `a, b string`. */
function namesIn(language: Language, parameter: SgNode): Array<string | null> {
  const named = parameter.field('name') ?? parameter.field('pattern') ?? parameter;
  const isName = (node: SgNode) => language.identifiers.includes(kindOf(node));
  const names = language.name === 'go' ? parameter.namedChildren().filter(isName) : [];
  if (names.length > 1) return names.map((name) => name.text());
  return [(isName(named) ? named : named.namedChildren().find(isName))?.text() ?? null];
}

/** Returns the name that each parameter of a function binds; null for a pattern. */
export const parameterNames = (language: Language, scope: SgNode): Array<string | null> =>
  parametersOf(language, scope).flatMap((parameter) => namesIn(language, parameter));

/** Returns whether a parameter takes any number of values: `ids ...string` in Go, `params string[] ids` in C#. */
export const takesRest = (parameter: SgNode): boolean =>
  kindOf(parameter) === 'variadic_parameter_declaration' ||
  (kindOf(parameter) === 'identifier' && kindOf(parameter.prev() ?? parameter) === 'array_type');

/** Returns whether a function takes any number of values in its last parameter. */
export function isVariadic(language: Language, scope: SgNode): boolean {
  const last = parametersOf(language, scope).at(-1);
  return last !== undefined && takesRest(last);
}

export const countParameters = (language: Language, scope: SgNode) => parameterNames(language, scope).length;

/** Returns whether a handler extracts the name from its request: `({ query }, response) => …`. */
function isPartOfRequest(language: Language, own: SgNode, parameters: SgNode[], name: string): boolean {
  const hasResponse = parameters.some((parameter) => /^(?:res|resp|response|reply|next)\b/.test(parameter.text()));
  if (!hasResponse || own.id() !== parameters[0]?.id()) return false;
  const target = targetNames(language, own).find((one) => one.name === name);
  return typeof target?.path === 'string' && inputsOf(language.name).request.test(`req.${target.path}`);
}

/** Returns whether a parameter's declaration binds the name, outside its type, default and annotation. */
function declares(parameter: SgNode, name: string): boolean {
  const kind = kindOf(parameter);
  if (/type|annotation|decorator|modifiers|attribute_list/.test(kind) && !/^typed_/.test(kind)) return false;
  if (parameter.text() === name && (parameter.isNamedLeaf() || kind === 'variable_name')) return true;
  // In a pattern, this field contains the extracted part; elsewhere it contains the default.
  const value = kind === 'pair_pattern' ? null : parameter.field('value');
  const fallback = (value ?? parameter.field('default_value') ?? parameter.field('right'))?.id();
  return parameter.namedChildren().some((child) => child.id() !== fallback && declares(child, name));
}

const named = /^(?:decorated_definition|assignment_expression|variable_declarator)$/;

/** Returns a function's text before its body, including decorators and the name that it is assigned to. */
function headerOf(scope: SgNode): string {
  const parent = scope.parent();
  const whole = parent && named.test(kindOf(parent)) ? parent : scope;
  const body = scope.field('body')?.range().start.index ?? whole.range().end.index;
  return whole.text().slice(0, Math.max(0, body - whole.range().start.index));
}
