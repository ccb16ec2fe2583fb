import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../languages/language.ts';

export type Span = { start: number; end: number };

export type Constant = string | number | boolean | null;

export function spanOf(node: SgNode): Span {
  const { start, end } = node.range();
  return { start: start.index, end: end.index };
}

export const isWithin = (inner: Span, outer: Span) => outer.start <= inner.start && inner.end <= outer.end;

export const kindOf = (node: SgNode) => String(node.kind());

/** Returns the kinds of a language's nodes, in sets. */
export const kindSets = ({ identifiers, literals, templates, templateTexts, binaries, inert }: Language) => ({
  identifiers: new Set(identifiers),
  literals: new Set(literals),
  templates: new Set(templates),
  texts: new Set(templateTexts),
  binaries: new Set(binaries),
  inert: new Set(inert),
});

/** The kinds of a list that exist in a grammar: a query for an unknown kind throws an error. */
const knownKinds = new Map<string, string[]>();

/** Returns the nodes of some kinds in source order. The grammar may lack some kinds. */
export function findKinds(language: Language, root: SgNode, kinds: string[]): SgNode[] {
  const list = `${language.name} ${kinds.join(' ')}`;
  let known = knownKinds.get(list);
  if (!known) {
    known = kinds.filter((kind) => isKnown(root, kind));
    knownKinds.set(list, known);
  }
  return known.length === 0 ? [] : root.findAll({ rule: { any: known.map((kind) => ({ kind })) } } as never);
}

function isKnown(root: SgNode, kind: string): boolean {
  try {
    root.find({ rule: { kind } } as never);
    return true;
  } catch {
    return false;
  }
}

/** Returns the name of the called function as written: `this.db.query`. */
export function calleeName(language: Language, call: SgNode): string {
  const fields = language.calls[kindOf(call)]?.name ?? [];
  const parts = fields.map((field) => call.field(field)?.text()).filter((part) => part !== undefined);
  if (parts.length > 0) return parts.join('.').replace(/<[^<>]*>$/, '');
  return call.namedChildren()[0]?.text() ?? '';
}

/** Returns the object that a method is called on; null for functions and constructors. */
export function receiverOf(language: Language, call: SgNode): SgNode | null {
  const field = language.calls[kindOf(call)]?.receiver;
  const receiver = field ? call.field(field) : null;
  if (!receiver || field !== 'function') return receiver;
  // The field contains `object.method`: the receiver is the object.
  // `user?.Name()` in C#
  const isConditional = kindOf(receiver) === 'conditional_access_expression';
  const member = isConditional ? 'condition' : language.members[kindOf(receiver)];
  return member ? receiver.field(member) : null;
}

/** Returns the arguments of a call in order, with their names if any. */
export function argumentsOf(call: SgNode): Array<{ name: string | null; value: SgNode }> {
  const list =
    call.field('arguments') ?? call.children().find((child) => /^argument(?:s|_list)$/.test(String(child.kind())));
  // A comprehension may be the only argument, without its own brackets.
  if (list && kindOf(list) === 'generator_expression') return [{ name: null, value: list }];
  const values = list ? list.namedChildren().filter((child) => !kindOf(child).includes('comment')) : [];
  return values.flatMap((value) => {
    const kind = kindOf(value);
    if (kind === 'keyword_argument') return [{ name: value.field('name')!.text(), value: value.field('value')! }];
    if (kind === 'pair')
      return [{ name: value.field('key')!.text().replace(/:$/, ''), value: value.field('value') ?? value }];
    if (kind !== 'argument') return [{ name: null, value }];
    const inner = value.namedChildren().at(-1);
    return inner ? [{ name: value.field('name')?.text() ?? null, value: inner }] : [];
  });
}

export const withoutQuotes = (literal: string) => literal.replace(/^[a-zA-Z@]*["'`]+|["'`]+$/g, '');

/** Returns the object and the key of an access to a part: `table[key]`, `table.key`; null for the key of `list[]`. */
export function partOf(language: Language, node: SgNode): { whole: SgNode; key: SgNode | string | null } | null {
  const field = language.members[kindOf(node)];
  if (field === undefined) return null;
  const children = node.namedChildren();
  const whole = field ? node.field(field) : (children[0] ?? null);
  if (!whole) return null;
  let last = children.at(-1);
  if (!last || last.id() === whole.id()) return { whole, key: null };
  if (!node.text().endsWith(']')) return { whole, key: last.text() };
  while (/argument/.test(kindOf(last)) && last.namedChildren().length === 1) last = last.namedChildren()[0]!;
  return { whole, key: last };
}
