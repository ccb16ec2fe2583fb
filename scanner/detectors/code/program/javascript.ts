import type { SgNode } from '@ast-grep/napi';
import { argumentsOf, findKinds, kindOf, withoutQuotes } from '../flow/syntax.ts';
import { javascript } from '../languages/javascript.ts';
import { type Alias, Declarations, enclosing } from './declarations.ts';
import { membersOf } from './parts.ts';

/** `*` stands for all exports of a module, `=` for the value of `module.exports`. */
const everything = '*';
const commonJs = '=';

const classKinds = ['class_declaration', 'class', 'abstract_class_declaration'];
const functionKinds = ['arrow_function', 'function_expression', 'generator_function'];

/** Returns the names that a file of JavaScript or TypeScript declares, imports and exports. */
export function declareJavaScript(root: SgNode): Declarations {
  const names = new Declarations();
  for (const node of findKinds(javascript, root, ['import_statement'])) addImport(names, node);
  for (const node of findKinds(javascript, root, classKinds)) addClass(names, node);
  for (const node of findKinds(javascript, root, ['function_declaration', 'generator_function_declaration'])) {
    const name = node.field('name')?.text();
    if (name) names.addFunction(node, name);
  }
  for (const node of findKinds(javascript, root, ['variable_declarator'])) addVariable(names, node);
  for (const node of findKinds(javascript, root, ['assignment_expression'])) addAssignment(names, node);
  for (const node of findKinds(javascript, root, ['export_statement'])) addExport(names, node);
  return names;
}

const moduleOf = (node: SgNode | null | undefined) => (node ? withoutQuotes(node.text()) : '');

function addImport(names: Declarations, node: SgNode): void {
  const module = moduleOf(node.field('source'));
  const clause = node.namedChildren().find((child) => kindOf(child) === 'import_clause');
  for (const part of clause?.namedChildren() ?? []) {
    const kind = kindOf(part);
    if (kind === 'identifier') names.aliases.set(part.text(), [module, 'default']);
    else if (kind === 'namespace_import')
      names.aliases.set(part.namedChildren().at(-1)?.text() ?? '', [module, everything]);
    else if (kind === 'named_imports')
      for (const specifier of part.namedChildren()) {
        const name = specifier.field('name')?.text();
        if (name) names.aliases.set(specifier.field('alias')?.text() ?? name, [module, name]);
      }
  }
}

/** Returns the module in `require('./module')`, possibly with a part of it. */
function requiredBy(value: SgNode): [string, string] | null {
  const kind = kindOf(value);
  if (kind === 'await_expression') {
    const call = value.namedChildren()[0];
    const isImport = call && kindOf(call) === 'call_expression' && call.field('function')?.text() === 'import';
    return isImport ? [moduleOf(argumentsOf(call)[0]?.value), everything] : null;
  }
  if (kind === 'member_expression') {
    const inner = requiredBy(value.field('object')!);
    return inner && [inner[0], `${inner[1]}.${value.field('property')?.text()}`];
  }
  if (kind !== 'call_expression' || value.field('function')?.text() !== 'require') return null;
  const [module] = argumentsOf(value);
  return module && kindOf(module.value) === 'string' ? [moduleOf(module.value), commonJs] : null;
}

function addVariable(names: Declarations, node: SgNode): void {
  const [target, value] = [node.field('name'), node.field('value')];
  if (!target || !value) return;
  const required = requiredBy(value);
  if (kindOf(target) === 'object_pattern') {
    if (!required) return;
    for (const part of target.namedChildren()) {
      const key = (part.field('key') ?? part).text();
      names.aliases.set((part.field('value') ?? part).text(), [required[0], `${required[1]}.${key}`]);
    }
    return;
  }
  if (required) names.aliases.set(target.text(), required);
  else if (functionKinds.includes(kindOf(value))) names.addFunction(value, target.text());
  else if (isTopLevel(node)) addValue(names, target.text(), value);
}

const isTopLevel = (node: SgNode) => {
  const around = node.parent()?.parent();
  return around ? /^(?:program|export_statement)$/.test(kindOf(around)) : false;
};

/** Adds a name for a value: a function, an instance, an object with members, another name. */
function addValue(names: Declarations, name: string, value: SgNode): void {
  const kind = kindOf(value);
  const inner = kind === 'parenthesized_expression' || kind === 'as_expression' ? value.namedChildren()[0] : null;
  if (inner) addValue(names, name, inner);
  else if (functionKinds.includes(kind) || kind === 'method_definition') names.addFunction(value, name);
  else if (kind === 'object')
    for (const member of membersOf(value) ?? []) addMember(names, `${name}.${member.name}`, member.value);
  else {
    const alias = aliasOf(value);
    if (alias !== null && alias !== name) names.aliases.set(name, alias);
  }
}

function addMember(names: Declarations, name: string, value: SgNode): void {
  if (kindOf(value) === 'shorthand_property_identifier') names.aliases.set(name, value.text());
  else addValue(names, name, value);
}

/** Returns the name that a value stands for: the class of an instance, or another name. */
function aliasOf(value: SgNode): Alias | null {
  const kind = kindOf(value);
  if (kind === 'new_expression') return dotted(value.field('constructor'));
  if (kind === 'identifier' || kind === 'member_expression') return requiredBy(value) ?? dotted(value);
  return requiredBy(value);
}

function dotted(node: SgNode | null): string | null {
  const text = node?.text() ?? '';
  return /^[\w$]+(?:\.[\w$]+)*$/.test(text) ? text : null;
}

/** `exports.find = …`, `module.exports = …`, `Users.prototype.find = …` */
function addAssignment(names: Declarations, node: SgNode): void {
  const [left, value] = [node.field('left')?.text() ?? '', node.field('right')];
  if (!value) return;
  const method = /^(\w+)\.prototype\.([\w$]+)$/.exec(left);
  if (method) {
    names.classes.add(method[1]!);
    addValue(names, `${method[1]}.${method[2]}`, value);
    return;
  }
  const exported = /^(?:module\.)?exports(?:\.([\w$]+))?$/.exec(left);
  if (!exported || (left === 'exports' && !exported[1])) return;
  // `exports = module.exports = …`
  const own = kindOf(value) === 'assignment_expression' ? value.field('right')! : value;
  const name = exported[1] ?? commonJs;
  if (classKinds.includes(kindOf(own))) names.exports.set(name, classNameOf(own) ?? name);
  else {
    addValue(names, `exports.${name}`, own);
    names.exports.set(name, `exports.${name}`);
  }
}

function addExport(names: Declarations, node: SgNode): void {
  const source = node.field('source');
  const declared = node.field('declaration');
  const value = node.field('value');
  const isDefault = node.children().some((child) => kindOf(child) === 'default');
  if (declared) {
    const name = declared.field('name')?.text();
    if (name) names.exports.set(isDefault ? 'default' : name, name);
    else if (isDefault) names.addFunction(declared, 'default');
    for (const variable of declared.namedChildren()) {
      const own = kindOf(variable) === 'variable_declarator' ? variable.field('name')?.text() : undefined;
      if (own) names.exports.set(own, own);
    }
    if (isDefault && !name) names.exports.set('default', 'default');
  } else if (value && isDefault) {
    if (classKinds.includes(kindOf(value))) names.exports.set('default', classNameOf(value) ?? 'default');
    else {
      addValue(names, 'exports.default', value);
      names.exports.set('default', 'exports.default');
    }
  } else addClause(names, node, source);
}

/** `export { find as search }`, `export * from './users'` */
function addClause(names: Declarations, node: SgNode, source: SgNode | null): void {
  const module = moduleOf(source);
  for (const part of node.namedChildren()) {
    if (kindOf(part) === 'namespace_export')
      names.exports.set(part.namedChildren().at(-1)?.text() ?? '', [module, everything]);
    if (kindOf(part) !== 'export_clause') continue;
    for (const specifier of part.namedChildren()) {
      const name = specifier.field('name')?.text();
      if (name) names.exports.set(specifier.field('alias')?.text() ?? name, source ? [module, name] : name);
    }
  }
  if (source && node.children().some((child) => child.text() === '*')) names.stars.push(module);
}

/** Returns the name of a class, or of the variable that it is assigned to. */
function classNameOf(node: SgNode): string | null {
  const own = node.field('name')?.text();
  if (own) return own;
  const parent = node.parent();
  if (parent && kindOf(parent) === 'variable_declarator') return parent.field('name')?.text() ?? null;
  return parent && kindOf(parent) === 'export_statement' ? 'default' : null;
}

export const enclosingClassOfJavaScript = (node: SgNode) => {
  const around = enclosing(node, classKinds);
  return around && classNameOf(around);
};

function addClass(names: Declarations, node: SgNode): void {
  const name = classNameOf(node);
  if (!name) return;
  names.classes.add(name);
  const heritage = node.children().find((child) => kindOf(child) === 'class_heritage');
  const base = /^(?:extends\s+)?([\w$.]+)/.exec(heritage?.text() ?? '')?.[1];
  if (base) names.addBase(name, base);
  for (const member of node.field('body')?.namedChildren() ?? []) {
    const kind = kindOf(member);
    const own = (member.field('name') ?? member.field('property'))?.text();
    if (!own) continue;
    if (kind === 'method_definition') {
      names.addFunction(member, `${name}.${own}`);
      if (own === 'constructor') addInjected(names, name, member);
    } else if (/field_definition$/.test(kind)) {
      const value = member.field('value');
      const type = typeName(member.field('type'));
      if (value && functionKinds.includes(kindOf(value))) names.addFunction(value, `${name}.${own}`);
      else if (value && kindOf(value) === 'new_expression') addValue(names, `${name}.${own}`, value);
      else if (type) names.aliases.set(`${name}.${own}`, type);
    }
  }
}

/** Returns the name in a type annotation: `: UserService`. */
export const typeName = (type: SgNode | null): string | null => {
  const text = type?.text() ?? '';
  return /^:?\s*([A-Z][\w$]*)(?:\s*\|\s*(?:null|undefined))?$/.exec(text)?.[1] ?? null;
};

/** `constructor(private users: Users)`, and `this.users = users` or `this.users = new Users()` in its body. */
function addInjected(names: Declarations, name: string, method: SgNode): void {
  const types = new Map<string, string>();
  for (const parameter of method.field('parameters')?.namedChildren() ?? []) {
    const own = (parameter.field('pattern') ?? parameter).text();
    const type = typeName(parameter.field('type'));
    if (!type) continue;
    types.set(own, type);
    const isProperty = parameter
      .children()
      .some((child) => /^(?:accessibility_modifier|readonly)$/.test(kindOf(child)));
    if (isProperty) names.aliases.set(`${name}.${own}`, type);
  }
  for (const assignment of findKinds(javascript, method, ['assignment_expression'])) {
    const field = /^this\.([\w$]+)$/.exec(assignment.field('left')?.text() ?? '')?.[1];
    const value = assignment.field('right');
    if (!field || !value) continue;
    const type = types.get(value.text());
    if (type) names.aliases.set(`${name}.${field}`, type);
    else if (kindOf(value) === 'new_expression' || kindOf(value) === 'call_expression')
      addValue(names, `${name}.${field}`, value);
  }
}
