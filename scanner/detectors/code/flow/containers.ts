import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../languages/language.ts';
import { armsOf } from './branches.ts';
import type { Constants } from './constants.ts';
import type { Guards } from './guards.ts';
import type { Question } from './input.ts';
import type { Change } from './scope.ts';
import { argumentsOf, calleeName, kindOf } from './syntax.ts';

export type Key = string | number;

/** `unknown`: the value is not a container with its parts in the source. */
export type Entry = SgNode | 'none' | 'unknown';

const lists =
  /^(?:array|list|tuple|array_creation_expression|array_initializer|initializer_expression|implicit_array_creation_expression|collection_expression|composite_literal|literal_value|element_list)$/;
const maps = /^(?:object|dictionary|hash)$/;
const pairs = /^(?:pair|array_element_initializer|keyed_element|assignment_expression)$/;

/** Returns the parts that a container's literal includes directly, without the values of its keys. */
const spreadParts = (node: SgNode): SgNode[] =>
  node.namedChildren().filter((child) => !pairs.test(kindOf(child)) && !/^shorthand/.test(kindOf(child)));

const statement = /^["']?(?:text|sql)["']?(?:\s*:|$)/;
const bound = /^["']?(?:values|params|parameters|replacements|bind|bindings|args)["']?(?:\s*:|$)/;

/**
 * Returns the parts of an object that describes a query that are SQL: `text` of `{ name, text, values }`, or all but the
 * values that the driver binds.
 */
function textsOfQuery(language: Language, node: SgNode): SgNode[] | null {
  // `[text, value, …]` of Rails.
  if (language.name === 'ruby' && kindOf(node) === 'array') return node.namedChildren().slice(0, 1);
  if (!maps.test(kindOf(node))) return null;
  const parts = node.namedChildren();
  const texts = parts.filter((part) => statement.test(part.text()));
  return texts.length > 0 ? texts : parts.filter((part) => !bound.test(part.text()));
}

/** The members of a route's description that determine the host: the others only choose a page of the same site. */
const hostMembers = /^:?(?:host|domain|subdomain|protocol|url)$/;
export const namesHost = (member: string): boolean => hostMembers.test(member);

/** Returns the parts of a route's description that can lead to another site: `{ action: 'show', host: name }`. */
const partsOfRoute = (language: Language, node: SgNode): SgNode[] | null =>
  language.name === 'ruby' && kindOf(node) === 'hash'
    ? node.namedChildren().filter((part) => !pairs.test(kindOf(part)) || namesHost(part.field('key')?.text() ?? ''))
    : null;

/**
 * Returns whether a comprehension includes only parts that pass a check: `[column for column in columns if column in
 * known]`.
 */
function filtersParts(guards: Guards, node: SgNode): boolean {
  const clauses = node.namedChildren();
  const clause = clauses.find((child) => kindOf(child) === 'for_in_clause');
  const name = clause?.field('left')?.text();
  const condition = clauses.find((child) => kindOf(child) === 'if_clause');
  return name !== undefined && condition !== undefined && guards.proves(name, condition);
}

/**
 * Returns whether a part of a value can't contain its text: a length, the last part of a path, the value of an enum.
 */
export function isHarmlessPart(
  language: Language,
  { whole, key }: { whole: SgNode; key: SgNode | string | null },
): boolean {
  if (typeof key !== 'string') return false;
  if (/^(?:length|Length|Count)$/.test(key)) return true;
  if (language.calls[kindOf(whole)] === undefined) return false;
  const name = calleeName(language, whole);
  if (/(?:^|\.)(?:Path|PurePath|PurePosixPath|PureWindowsPath)$/.test(name)) return /^(?:name|stem|suffix)$/.test(key);
  return /(?:^|\.)path\.parse$/.test(name) && /^(?:base|name|ext)$/.test(key);
}

/** Returns the part of a container's literal or constructor under a key. */
export function entryOf(language: Language, value: SgNode, key: Key, constants: Constants): Entry {
  const kind = kindOf(value);
  if (kind === 'parenthesized_expression' || kind === 'expression_list') {
    const [inner] = value.namedChildren();
    return inner ? entryOf(language, inner, key, constants) : 'unknown';
  }
  if (isEmptyConstructor(language, value, kind)) return 'none';
  // A member of an enum: `Kind(text).value`.
  if (key === 'value' && language.name === 'python' && /^[A-Z]\w*\(/.test(value.text())) return 'none';
  const parts = elementsOf(value, kind);
  if (!parts) return isMapOf(language, value) ? mapOfEntry(value, key, constants) : 'unknown';
  const keyed = parts.filter((part) => pairs.test(kindOf(part)) && part.namedChildren().length > 1);
  if (keyed.length !== parts.length) {
    if (keyed.length > 0 || maps.test(kind)) return 'unknown';
    return typeof key === 'number' ? (parts.at(key) ?? 'none') : 'unknown';
  }
  for (const pair of keyed.toReversed()) {
    const [name, content] = [
      pair.field('key') ?? pair.namedChildren()[0]!,
      pair.field('value') ?? pair.namedChildren().at(-1)!,
    ];
    const own = keyText(name, constants);
    if (own === undefined) return 'unknown';
    if (String(own) === String(key)) return content;
  }
  return 'none';
}

function keyText(node: SgNode, constants: Constants): Key | undefined {
  const kind = kindOf(node);
  if (kind === 'property_identifier' || kind === 'hash_key_symbol') return node.text().replace(/:$/, '');
  const inner =
    /^(?:literal_element|element_binding_expression|bracketed_argument_list|implicit_element_access|argument)$/.test(
      kind,
    )
      ? node.namedChildren()[0]
      : node;
  if (inner && inner.id() !== node.id()) return keyText(inner, constants);
  const value = constants.valueOf(node);
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** Returns the elements of a container's literal; null for other values. */
export function elementsOf(value: SgNode, kind: string): SgNode[] | null {
  if (kind === 'composite_literal') {
    const body = value.field('body');
    return body ? elementsOf(body, kindOf(body)) : null;
  }
  if (/creation_expression$/.test(kind)) {
    const body = value
      .namedChildren()
      .find((child) => /^(?:array_initializer|initializer_expression)$/.test(kindOf(child)));
    if (body) return elementsOf(body, kindOf(body));
    if (kind !== 'array_creation_expression' || value.text().startsWith('new')) return null;
  }
  if (!lists.test(kind) && !maps.test(kind)) return null;
  return value
    .namedChildren()
    .filter(
      (child) =>
        !/comment|^type|identifier$/.test(kindOf(child)) || /^(?:identifier|variable_name)$/.test(kindOf(child)),
    )
    .map((child) =>
      /^(?:literal_element|array_element_initializer)$/.test(kindOf(child)) && child.namedChildren().length === 1
        ? child.namedChildren()[0]!
        : child,
    );
}

const constructors = /^(?:[\w.]*\.)?(?:[A-Z]\w*(?:\.new)?|dict|list|OrderedDict|defaultdict)$/;

export function isEmptyConstructor(language: Language, value: SgNode, kind: string): boolean {
  if (!language.calls[kind] && !/object_creation|new_expression/.test(kind)) return false;
  if (argumentsOf(value).length > 0 || /\{[^}]*\S[^}]*\}$/.test(value.text())) return false;
  if (/^new\b/.test(value.text())) return true;
  // In Go and C#, methods start with a capital too.
  const named = language.name === 'go' || language.name === 'csharp' ? /^$/ : constructors;
  return named.test(calleeName(language, value));
}

/** Returns whether a call creates a list of its arguments. */
export const isListOf = (language: Language, value: SgNode) =>
  language.calls[kindOf(value)] !== undefined &&
  /(?:^|\.)(?:List\.of|Arrays\.asList|Lists\.newArrayList|ImmutableList\.of)$/.test(calleeName(language, value));

const isMapOf = (language: Language, value: SgNode) =>
  language.calls[kindOf(value)] !== undefined &&
  /(?:^|\.)(?:Map\.of|List\.of|Arrays\.asList|Set\.of)$/.test(calleeName(language, value));

/** Java's `Map.of("a", p, "b", q)` and `List.of(p, q)`. */
function mapOfEntry(value: SgNode, key: Key, constants: Constants): Entry {
  const parts = argumentsOf(value).map((argument) => argument.value);
  if (typeof key === 'number') return parts.at(key) ?? 'none';
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const own = keyText(parts[index]!, constants);
    if (own === undefined) return 'unknown';
    if (own === key) return parts[index + 1]!;
  }
  return 'none';
}

/**
 * Returns the item of a list at a position after some changes, which are all executed in order; `unknown` if one of
 * them can't be followed.
 */
export function itemOf(language: Language, changes: Change[], position: number, constants: Constants): Entry {
  let items: SgNode[] = [];
  for (const { operation, value, key } of changes) {
    if (operation === 'assign') {
      const kind = kindOf(value);
      const elements = isEmptyConstructor(language, value, kind)
        ? []
        : elementsOf(onlyPart(value), kindOf(onlyPart(value)));
      if (!elements || elements.some((element) => pairs.test(kindOf(element)))) return 'unknown';
      items = elements;
    } else if (operation === 'add') items = [...items, value];
    else if (operation === 'remove') {
      const [place] = key;
      const index = typeof place === 'object' ? constants.valueOf(place) : place;
      if (typeof index !== 'number') return 'unknown';
      items = items.toSpliced(index, 1);
    } else return 'unknown';
  }
  return items.at(position) ?? 'none';
}

const onlyPart = (value: SgNode) => (kindOf(value) === 'expression_list' ? (value.namedChildren()[0] ?? value) : value);

/** Returns the parts of an expression that may be its value, other than those of a call, a variable or a text. */
export function partsOfValue(language: Language, guards: Guards, { into, whole }: Question, node: SgNode): SgNode[] {
  const fields = language.conditionals[kindOf(node)];
  if (fields)
    return filtersParts(guards, node) ? [] : fields.map((field) => node.field(field)).filter((part) => part !== null);
  if (whole) return spreadParts(node);
  if (into === 'url') return partsOfRoute(language, node) ?? armsOf(node);
  return (into === 'sql' ? textsOfQuery(language, node) : null) ?? armsOf(node);
}
