import type { SgNode } from '@ast-grep/napi';
import { calleeName, findKinds, kindOf } from '../flow/syntax.ts';
import { languages } from '../languages/index.ts';
import { Declarations, enclosing } from './declarations.ts';

const { python } = languages;
const everything = '*';

/** Returns the names that a file of Python declares and imports. Every name of a module is exported. */
export function declarePython(root: SgNode): Declarations {
  const names = new Declarations();
  for (const node of findKinds(python, root, ['import_statement'])) addImport(names, node);
  for (const node of findKinds(python, root, ['import_from_statement'])) addFrom(names, node);
  for (const node of findKinds(python, root, ['class_definition'])) addClass(names, node);
  for (const node of findKinds(python, root, ['function_definition'])) {
    const name = node.field('name')?.text();
    const owner = ownerOf(node);
    if (name) names.addFunction(node, owner === null ? name : `${owner}.${name}`);
  }
  for (const node of findKinds(python, root, ['assignment'])) addAssignment(names, node);
  return names;
}

function addImport(names: Declarations, node: SgNode): void {
  for (const part of node.namedChildren()) {
    const name = part.field('name')?.text();
    if (kindOf(part) === 'aliased_import' && name) names.aliases.set(part.field('alias')!.text(), [name, everything]);
    else if (kindOf(part) === 'dotted_name') names.aliases.set(part.text(), [part.text(), everything]);
  }
}

function addFrom(names: Declarations, node: SgNode): void {
  const source = node.field('module_name');
  const module = source?.text().replace(/\s+/g, '') ?? '';
  for (const part of node.namedChildren()) {
    if (part.id() === source?.id()) continue;
    const name = part.field('name')?.text();
    if (kindOf(part) === 'wildcard_import') names.stars.push(module);
    else if (kindOf(part) === 'aliased_import' && name) names.aliases.set(part.field('alias')!.text(), [module, name]);
    else if (kindOf(part) === 'dotted_name') names.aliases.set(part.text(), [module, part.text()]);
  }
}

/** Returns the class whose body contains a method directly; null for other functions. */
function ownerOf(definition: SgNode): string | null {
  const around = enclosing(definition, ['class_definition', 'function_definition']);
  return around && kindOf(around) === 'class_definition' ? (around.field('name')?.text() ?? null) : null;
}

export const enclosingClassOfPython = (node: SgNode) =>
  enclosing(node, ['class_definition'])?.field('name')?.text() ?? null;

function addClass(names: Declarations, node: SgNode): void {
  const name = node.field('name')?.text();
  if (!name) return;
  names.classes.add(name);
  const base = node
    .field('superclasses')
    ?.namedChildren()
    .find((child) => /^(?:identifier|attribute)$/.test(kindOf(child)));
  if (base) names.addBase(name, base.text());
}

/** Returns the class in an annotation: `Users`, `Optional[Users]`, `Annotated[Users, Depends(users)]`, `"Users"`. */
export function annotatedClass(type: SgNode | null): string | null {
  const text = type?.text() ?? '';
  const inner = /^(?:\w+\.)?(?:Optional|Annotated)\[\s*([\w.]+)/.exec(text)?.[1] ?? text.replace(/\s*\|\s*None$/, '');
  const name = inner.replaceAll(/^["']|["']$/g, '');
  return /^(?:\w+\.)*[A-Z]\w*$/.test(name) ? name : null;
}

/** Returns the class of which a value is an instance: `Users(…)`, `users.Users(…)`. */
export function constructedBy(names: Declarations, value: SgNode): string | null {
  if (kindOf(value) !== 'call') return null;
  const name = calleeName(python, value);
  return /^(?:\w+\.)*_?[A-Z]\w*$/.test(name) || names.classes.has(name) ? name : null;
}

/** `users = Users()` of a module or a class, `self.users = Users()` of a method, and annotated names. */
function addAssignment(names: Declarations, node: SgNode): void {
  const target = node.field('left');
  const value = node.field('right');
  if (!target) return;
  const field = /^self\.(\w+)$/.exec(target.text())?.[1];
  if (field === undefined && kindOf(target) !== 'identifier') return;
  // Most assignments need no search for what is around them.
  const own = annotatedClass(node.field('type')) ?? (value && (constructedBy(names, value) ?? otherName(value)));
  if (!own && (!value || kindOf(value) !== 'identifier')) return;
  const around = enclosing(node, ['function_definition', 'class_definition']);
  const owner = enclosingClassOfPython(node);
  const isOwn = around === null || kindOf(around) === 'class_definition';
  if (field === undefined && !isOwn) return;
  const name = field !== undefined || owner !== null ? `${owner}.${field ?? target.text()}` : target.text();
  const type = own ?? (value && parameterType(value, around));
  if (type && type !== name && !names.aliases.has(name)) names.aliases.set(name, type);
}

const otherName = (value: SgNode) =>
  /^[A-Z]\w*$/.test(value.text()) || (kindOf(value) === 'attribute' && /^(?:\w+\.)+\w+$/.test(value.text()))
    ? value.text().replace(/^self\..*/, '')
    : null;

/** `self.users = users`, where the constructor has `users: Users`. */
function parameterType(value: SgNode, method: SgNode | null): string | null {
  if (kindOf(value) !== 'identifier' || !method) return null;
  const parameter = method
    .field('parameters')
    ?.namedChildren()
    .find(
      (one) => /^typed_/.test(kindOf(one)) && (one.field('name') ?? one.namedChildren()[0])?.text() === value.text(),
    );
  return annotatedClass(parameter?.field('type') ?? null);
}
