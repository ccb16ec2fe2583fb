import type { SgNode } from '@ast-grep/napi';
import { findKinds, kindOf, withoutQuotes } from '../flow/syntax.ts';
import { languages } from '../languages/index.ts';
import { Declarations, enclosing } from './declarations.ts';

const { go } = languages;

/** Marks the type of a function's result: `NewStore()` is an alias of `Store`. */
const resultMark = '()';

/**
 * Returns the names that a file of Go declares and imports. An imported package is an alias with an empty name; the
 * functions and types of a package are visible in all of its files.
 */
export function declareGo(root: SgNode): Declarations {
  const names = new Declarations();
  for (const node of findKinds(go, root, ['import_spec'])) addImport(names, node);
  for (const node of findKinds(go, root, ['type_spec'])) addType(names, node);
  for (const node of findKinds(go, root, ['function_declaration', 'method_declaration'])) addFunction(names, node);
  for (const node of root.children()) if (kindOf(node) === 'var_declaration') addVariables(names, node);
  return names;
}

/** `"example.com/shop/users"`, `users "example.com/shop/v2"`, `. "example.com/shop/texts"` */
function addImport(names: Declarations, node: SgNode): void {
  const path = withoutQuotes(node.field('path')?.text() ?? '');
  const own = node.field('name')?.text();
  if (own === '.') names.stars.push(path);
  else if (path !== '' && own !== '_') names.aliases.set(own ?? packageName(path), [path, '']);
}

/** Returns the usual name of an imported package: without a version and without a prefix such as `go-`. */
function packageName(path: string): string {
  const parts = path.split('/').filter((part) => !/^v\d+$/.test(part));
  return (parts.at(-1) ?? '').replace(/\.v\d+$/, '').replace(/^go-/, '');
}

/** Returns the named type in a type: `Store`, `*users.Store`, `Store[int]`; null for other types. */
export const typeOfGo = (type: SgNode | null): string | null =>
  /^\*?((?:[a-z]\w*\.)?[A-Za-z_]\w*)(?:\[[\w.*]+\])?$/.exec(type?.text() ?? '')?.[1]?.replace(basicTypes, '') || null;

const basicTypes = /^(?:string|bool|byte|rune|error|any|u?int(?:8|16|32|64)?|uintptr|float(?:32|64)|complex\d+)$/;

function addType(names: Declarations, node: SgNode): void {
  const name = node.field('name')?.text();
  const type = node.field('type');
  if (!name || !type) return;
  names.classes.add(name);
  if (kindOf(type) !== 'struct_type') return;
  for (const field of findKinds(go, type, ['field_declaration'])) {
    const own = typeOfGo(field.field('type'));
    if (own === null) continue;
    const fields = field.namedChildren().filter((child) => kindOf(child) === 'field_identifier');
    if (fields.length === 0) names.addBase(name, own);
    for (const each of fields) names.aliases.set(`${name}.${each.text()}`, own);
  }
}

const receiverOf = (method: SgNode): { name: string; type: string } | null => {
  const [receiver] = method.field('receiver')?.namedChildren() ?? [];
  const type = typeOfGo(receiver?.field('type') ?? null);
  return type === null ? null : { name: receiver?.field('name')?.text() ?? '', type };
};

function addFunction(names: Declarations, node: SgNode): void {
  const own = node.field('name')?.text();
  const isMethod = kindOf(node) === 'method_declaration';
  const receiver = isMethod ? receiverOf(node) : null;
  if (!own || (isMethod && !receiver)) return;
  const name = receiver ? `${receiver.type}.${own}` : own;
  names.addFunction(node, name);
  const result = node.field('result');
  const first = result && kindOf(result) === 'parameter_list' ? result.namedChildren()[0]?.field('type') : result;
  const type = typeOfGo(first ?? null);
  if (type !== null) names.aliases.set(`${name}${resultMark}`, type);
}

function addVariables(names: Declarations, node: SgNode): void {
  for (const variable of findKinds(go, node, ['var_spec'])) {
    const name = variable.field('name')?.text();
    const value = variable.field('value');
    const type = typeOfGo(variable.field('type')) ?? (value && createdByGo(value));
    if (name && type) names.aliases.set(name, type);
  }
}

/** Returns the type of a value: `Store{…}`, `&users.Store{…}`, `new(Store)`, or the result of `users.NewStore(db)`. */
function createdByGo(value: SgNode): string | null {
  const kind = kindOf(value);
  if (/^(?:expression_list|unary_expression|parenthesized_expression)$/.test(kind)) {
    const [inner] = value.namedChildren();
    return inner ? createdByGo(inner) : null;
  }
  if (kind === 'composite_literal') return typeOfGo(value.field('type'));
  if (kind !== 'call_expression') return null;
  const callee = value.field('function')?.text() ?? '';
  if (callee === 'new') return typeOfGo(value.field('arguments')?.namedChildren()[0] ?? null);
  return /^(?:[a-z]\w*\.)?[A-Za-z_]\w*$/.test(callee) ? `${callee}${resultMark}` : null;
}

/** Returns the type of a variable with a value; null if a type is declared: an interface's variable may hold several. */
export function variableTypeOfGo(value: SgNode): string | null {
  const around = [value.parent(), value.parent()?.parent()].find((node) => node && kindOf(node) === 'var_spec');
  return around?.field('type') ? null : createdByGo(value);
}

/** Returns the type of a method's receiver with a name; null if the method around a node has no such receiver. */
export function receiverTypeOfGo(node: SgNode, name: string): string | null {
  const method = kindOf(node) === 'method_declaration' ? node : enclosing(node, ['method_declaration']);
  const receiver = method && receiverOf(method);
  return receiver?.name === name ? receiver.type : null;
}

const builtIn =
  /^(?:append|cap|clear|close|complex|copy|delete|imag|len|make|max|min|new|panic|print|println|real|recover|string|bool|byte|rune|error|any|u?int(?:8|16|32|64)?|uintptr|float(?:32|64))(?:\(\))?$/;

/** Returns whether a name that the file neither declares nor imports may be in another file of the package. */
export const isOwnNameOfGo = (name: string) => /^[A-Za-z_]\w*(?:\(\))?$/.test(name) && !builtIn.test(name);

/** Returns whether a package may be in the same repository: those of Go itself have no domain, and common names. */
export const isOwnPackageOfGo = (path: string) =>
  !/^(?:archive|bufio|builtin|bytes|cmp|compress|container|context|crypto|database|debug|embed|encoding|errors|expvar|flag|fmt|go|hash|html|image|index|io|iter|log|maps|math|mime|net|os|path|plugin|reflect|regexp|runtime|slices|sort|strconv|strings|structs|sync|syscall|testing|text|time|unicode|unique|unsafe|golang\.org\/x|google\.golang\.org|gopkg\.in|go\.uber\.org|k8s\.io|github\.com\/(?:gin-gonic|labstack|gofiber|gorilla|go-chi|spf13|stretchr|sirupsen|google|golang-jwt|jackc|lib|go-sql-driver|jmoiron|aws|pkg))(?:\/|$)/.test(
    path,
  );
