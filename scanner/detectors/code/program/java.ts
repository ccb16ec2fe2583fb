import type { SgNode } from '@ast-grep/napi';
import { argumentsOf, findKinds, kindOf } from '../flow/syntax.ts';
import { countParameters } from '../flow/targets.ts';
import { languages } from '../languages/index.ts';
import { Declarations, enclosing } from './declarations.ts';

const { java } = languages;

const classKinds = ['class_declaration', 'interface_declaration', 'record_declaration', 'enum_declaration'];

/** Returns the names that a file of Java declares and imports. Nested classes have their own names only. */
export function declareJava(root: SgNode): Declarations {
  const names = new Declarations();
  for (const node of root.children()) {
    if (kindOf(node) === 'package_declaration') names.package = node.namedChildren().at(-1)?.text() ?? '';
    if (kindOf(node) === 'import_declaration') addImport(names, node);
  }
  for (const node of findKinds(java, root, classKinds)) addClass(names, node);
  return names;
}

/** `import shop.Users;`, `import static shop.Texts.clean;`, `import shop.*;`, `import static shop.Texts.*;` */
function addImport(names: Declarations, node: SgNode): void {
  const path = node
    .namedChildren()
    .find((child) => /identifier/.test(kindOf(child)))
    ?.text()
    .split('.');
  if (!path) return;
  if (node.namedChildren().some((child) => kindOf(child) === 'asterisk')) {
    names.stars.push(path.join('.'));
    return;
  }
  const start = path.findIndex((part) => /^[A-Z]/.test(part));
  if (start < 0) return;
  const isStatic = node.children().some((child) => child.text() === 'static');
  names.aliases.set(path.at(-1)!, [path.slice(0, start).join('.'), path.slice(isStatic ? -2 : -1).join('.')]);
}

const nameOf = (node: SgNode) => node.field('name')?.text() ?? null;

export const enclosingClassOfJava = (node: SgNode) => {
  const around = enclosing(node, classKinds);
  return around && nameOf(around);
};

/** Returns the class in a type: `Users`, `Users<Long>`, `shop.Users`; null for primitive types and arrays. */
export const typeOfJava = (type: SgNode | null): string | null =>
  /^((?:[a-z]\w*\.)*[A-Z]\w*)(?:<.*>)?$/s.exec(type?.text() ?? '')?.[1] ?? null;

function addClass(names: Declarations, node: SgNode): void {
  const name = nameOf(node);
  if (!name) return;
  names.classes.add(name);
  for (const field of ['superclass', 'interfaces'])
    for (const type of typesIn(node.field(field))) names.addBase(name, type);
  const extended = node.children().find((child) => kindOf(child) === 'extends_interfaces');
  for (const type of typesIn(extended ?? null)) names.addBase(name, type);
  if (kindOf(node) === 'record_declaration') addFields(names, name, node.field('parameters')?.namedChildren() ?? []);
  const members = node.field('body')?.namedChildren() ?? [];
  const inner = members.flatMap((member) => (/declarations$/.test(kindOf(member)) ? member.namedChildren() : [member]));
  addFields(
    names,
    name,
    inner.filter((member) => kindOf(member) === 'field_declaration'),
  );
  addMethods(names, name, inner);
}

/** Returns the names of classes, with the package if it is written. */
const typesIn = (list: SgNode | null): string[] => {
  const types = list
    ?.namedChildren()
    .flatMap((child) => (kindOf(child) === 'type_list' ? child.namedChildren() : [child]));
  return (types ?? []).flatMap((type) => /^(?:[a-z]\w*\.)*[A-Z]\w*/.exec(type.text())?.[0] ?? []);
};

/** Adds the classes of fields; one that the declaration creates is more specific than its type. */
function addFields(names: Declarations, owner: string, fields: SgNode[]): void {
  for (const field of fields) {
    const type = typeOfJava(field.field('type'));
    const variable = field.field('declarator') ?? field;
    const own = nameOf(variable);
    const value = variable.field('value');
    const created = value && createdByJava(value);
    if (own && (created ?? type)) names.aliases.set(`${owner}.${own}`, (created ?? type)!);
  }
}

/** Adds the methods with a body. The names of overloads end with their number of parameters. */
function addMethods(names: Declarations, owner: string, members: SgNode[]): void {
  const methods = members.flatMap((member) => {
    const isConstructor = kindOf(member) === 'constructor_declaration';
    if ((!isConstructor && kindOf(member) !== 'method_declaration') || !member.field('body')) return [];
    return [{ member, name: `${owner}.${isConstructor ? 'constructor' : nameOf(member)}` }];
  });
  for (const { member, name } of methods) {
    const isOverloaded = methods.some((other) => other.name === name && other.member.id() !== member.id());
    names.addFunction(member, isOverloaded ? `${name}.${countParameters(java, member)}` : name);
  }
}

/** Returns the class of an object that an expression creates. */
export const createdByJava = (value: SgNode): string | null =>
  kindOf(value) === 'object_creation_expression' ? typeOfJava(value.field('type')) : null;

/** Returns the class of a variable with a value: the created one, or the declared type. */
export function variableTypeOfJava(value: SgNode): string | null {
  const declaration = value.parent()?.parent();
  const declared = declaration && /^(?:local_variable|field)_declaration$/.test(kindOf(declaration));
  return createdByJava(value) ?? (declared ? typeOfJava(declaration.field('type')) : null);
}

/** The part of a call's name that tells methods with the same name apart. */
export const arityOfJava = (call: SgNode) => `.${argumentsOf(call).length}`;

/** Classes of Java itself that need no import, or that are usually imported together with others. */
const standard =
  /^(?:String|Integer|Long|Double|Float|Short|Byte|Boolean|Character|Number|Math|Object|Objects|System|Runtime|Process|ProcessBuilder|Thread|Class|StringBuilder|StringBuffer|Enum|Record|Iterable|Comparable|Runnable|Optional|List|ArrayList|LinkedList|Set|HashSet|Map|HashMap|TreeMap|Collection|Collections|Arrays|Iterator|Stream|Collectors|Properties|Scanner|Date|UUID|Random|Base64|File|Files|Path|Paths|Pattern|Matcher|URI|URL|\w*(?:Exception|Error))$/;

/** Returns whether a name that the file neither declares nor imports may be a class of the same package. */
export const isOwnNameOfJava = (name: string) => /^[A-Z]\w*$/.test(name) && !standard.test(name);

/** Returns whether a package may be in the same repository. */
export const isOwnPackageOfJava = (name: string) =>
  !/^(?:javax?|jakarta|kotlin|scala|groovy|lombok|reactor|okhttp3|retrofit2|org\.(?:springframework|apache|slf4j|junit|hibernate|w3c|xml|json|jsoup|owasp|eclipse)|com\.(?:fasterxml|google\.(?:common|gson)|amazonaws|sun)|io\.(?:netty|vertx|micrometer))(?:\.|$)/.test(
    name,
  );
