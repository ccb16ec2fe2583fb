import type { SgNode } from '@ast-grep/napi';
import { inputsOf } from '../languages/inputs.ts';
import type { Language, LanguageName } from '../languages/language.ts';
import {
  argumentsOf,
  calleeName,
  findKinds,
  isWithin,
  kindOf,
  partOf,
  receiverOf,
  type Span,
  spanOf,
} from './syntax.ts';
import { parameterNames, targetNames } from './targets.ts';

/**
 * A change of a variable. `assign` replaces its value, `store` sets the part with `key`, `add` appends, `remove`
 * removes the part with `key`, and `input` fills it with input of a request.
 */
export type Change = Span & {
  operation: 'assign' | 'store' | 'add' | 'remove' | 'input' | 'unknown';
  value: SgNode;
  /** The statement or call. */
  node: SgNode;
  key: Array<SgNode | string | number>;
  /** The part of the value that a pattern extracts: `query.id` in `const { query: { id } } = request`. */
  path: string | null;
};

export type Scope = Span & { node: SgNode };

const adding =
  /^(?:append|Append|AppendFormat|AppendLine|push|add|Add|addLast|concat|WriteString|WriteByte|Write|put|extend|insert|addElement|appendChild|set|setdefault|store|Set|write|update|merge|putAll|addAll|AddRange|concat!)$/;
const first = /^(?:shift|removeFirst|poll|array_shift|popleft)$/;
const last = /^(?:pop|removeLast|array_pop)$/;
const removing = /^(?:remove|RemoveAt|delete_at|removeAt)$/;
const reordering =
  /^(?:sort|reverse|splice|unshift|Sort|Reverse|Insert|insertAt|clear|Clear|addFirst|prepend|array_unshift)$/;
const methods = [adding, first, last, removing, reordering].map(({ source }) => source.slice(4, -2)).join('|');
/** Methods that write into their argument. */
const filling = 'nextBytes|NextBytes|ReadFull|Read';
const fills = new RegExp(`^(?:${filling})$`);
const changing = new RegExp(
  `[$@\\w]+\\s*(?:\\.|->|\\?\\.)\\s*(?:${methods}|${filling})\\b|array_(?:push|shift|pop|unshift)\\(`,
  'y',
);
const pointing = /\(\s*&\w+\s*\)$/;

/** Names that refer to the same variable in all methods of an object. */
const shared = /^(?:@|\$?this$|self$)/;
/** Assignments that declare a variable, in languages in which others do not. */
const declaring: Partial<Record<LanguageName, string[]>> = {
  javascript: ['variable_declarator'],
  go: ['short_var_declaration', 'var_spec', 'const_spec', 'range_clause'],
  java: ['variable_declarator', 'enhanced_for_statement', 'resource'],
  csharp: ['variable_declarator', 'foreach_statement'],
};

/**
 * Indexes the functions and changes of variables of a file, because a query to the parser for each name took seconds in
 * a long file.
 */
export class ScopeIndex {
  readonly #language: Language;
  readonly #scopes: Scope[];
  readonly #around = new Map<string, Scope[]>();
  readonly #changes = new Map<string, Change[]>();
  readonly #declared = new Map<string, boolean>();

  constructor(language: Language, root: SgNode, source: string) {
    this.#language = language;
    const functions = findKinds(language, root, language.functions);
    // Outer functions start first, so reversing puts the innermost first.
    this.#scopes = [root, ...functions].map((node) => ({ node, ...spanOf(node) })).reverse();
    // The parser would compile regular expressions for each file.
    for (const node of findKinds(language, root, [
      ...Object.keys(language.assignments),
      ...(language.name === 'ruby' ? ['binary'] : []),
    ]))
      this.#add(node);
    for (const node of findKinds(language, root, Object.keys(language.calls))) {
      const { start, end } = spanOf(node);
      changing.lastIndex = start;
      if (changing.test(source) || pointing.test(source.slice(Math.max(start, end - 40), end))) this.#addCall(node);
    }
    if (language.name === 'php')
      for (const node of findKinds(language, root, ['foreach_statement'])) this.#addForeach(node);
    if (language.name === 'ruby')
      for (const node of findKinds(language, root, ['block', 'do_block'])) this.#addBlock(node);
    for (const changes of this.#changes.values()) changes.sort((left, right) => left.start - right.start);
  }

  /** Returns the functions around a place, the innermost first, then the file. */
  around(place: Span): Scope[] {
    const key = `${place.start} ${place.end}`;
    const known = this.#around.get(key);
    if (known) return known;
    const scopes = this.#scopes.filter((scope, index) => index === this.#scopes.length - 1 || isWithin(place, scope));
    this.#around.set(key, scopes);
    return scopes;
  }

  /** Returns the changes of a variable within a scope, in source order. */
  changes(scope: Scope, name: string): Change[] {
    const all = this.#changes.get(name)?.filter((change) => isWithin(change, scope)) ?? [];
    return shared.test(name) ? all : all.filter((change) => this.#isVisible(change, scope, name));
  }

  /**
   * Returns the changes before a place. In Go, a variable of the package that another function sets holds what any
   * goroutine wrote last, so its value is unknown.
   */
  earlierChanges(scope: Scope, name: string, place: Span): Change[] {
    const isPackage = this.#language.name === 'go' && scope === this.#scopes.at(-1);
    return this.changes(scope, name).filter(
      (change) => change.end <= place.start && !(isPackage && this.around(spanOf(change.node))[0] !== scope),
    );
  }

  /** A variable of an inner function is a different variable, even with the same name. */
  #isVisible(change: Change, scope: Scope, name: string): boolean {
    const inner = this.around(spanOf(change.node))[0]!;
    if (inner.start <= scope.start && scope.end <= inner.end) return true;
    return !this.#declares(inner, name);
  }

  #declares(scope: Scope, name: string): boolean {
    const key = `${scope.start} ${scope.end} ${name}`;
    const known = this.#declared.get(key);
    if (known !== undefined) return known;
    const isDeclared =
      parameterNames(this.#language, scope.node).includes(name) ||
      this.#changes
        .get(name)!
        .some(
          ({ node, operation, ...span }) =>
            operation === 'assign' &&
            isWithin(span, scope) &&
            (declaring[this.#language.name]?.includes(kindOf(node)) ?? true),
        );
    const isGlobal = () =>
      findKinds(this.#language, scope.node, ['global_statement', 'nonlocal_statement', 'global_declaration']).some(
        (node) => node.namedChildren().some((child) => child.text() === name),
      );
    this.#declared.set(key, isDeclared && !isGlobal());
    return this.#declared.get(key)!;
  }

  /** Returns the variables of a scope whose assigned value contains the place. */
  namesThatGet(place: Span, scope: Scope): string[] {
    return [...this.#changes].flatMap(([name, changes]) =>
      changes.some((one) => one.operation === 'assign' && isWithin(place, one) && isWithin(one, scope)) ? [name] : [],
    );
  }

  #add(node: SgNode): void {
    const kind = kindOf(node);
    const fields = this.#language.assignments[kind];
    if (kind === 'binary') this.#addBinary(node);
    else if (fields) this.#addAssignment(node, kind, fields);
  }

  #addAssignment(node: SgNode, kind: string, fields: [string, string]): void {
    const value = assignedValue(node, fields);
    const target = node.field(fields[0]);
    if (!value || !target) return;
    const adds = this.#language.augmented.includes(kind) || isAugmentedByOperator(node);
    // In a comprehension, the source comes after the use.
    const { start } = spanOf(kind === 'for_in_clause' ? (node.parent() ?? node) : value);
    const span = { start, end: kind === 'for_in_clause' ? start : spanOf(value).end };
    const part = partOf(this.#language, onlyChild(target)) ?? attributeOf(this.#language, target);
    if (part) {
      const name = part.whole.text();
      if (!/^[$@\w]+$/.test(name)) return;
      const key = part.key === null ? [] : [part.key];
      this.#put(name, { ...span, operation: key.length > 0 ? 'store' : 'add', value, node, key, path: null });
      return;
    }
    for (const { name, path } of targetNames(this.#language, target))
      this.#put(name, { ...span, operation: adds ? 'add' : 'assign', value, node, key: [], path });
  }

  #addBinary(node: SgNode): void {
    const [left, right] = [node.field('left'), node.field('right')];
    if (left && right && node.field('operator')?.text() === '<<')
      this.#put(left.text(), { ...spanOf(right), operation: 'add', value: right, node, key: [], path: null });
  }

  #addCall(node: SgNode): void {
    const values = argumentsOf(node).map((argument) => argument.value);
    const text = node.text();
    const pointer = /\(\s*&(\w+)\s*\)$/.exec(text)?.[1];
    const callee = calleeName(this.#language, node);
    const span = spanOf(node);
    if (pointer && !/^\w+\.Read$/.test(callee)) {
      const isInput = inputsOf(this.#language.name).fills?.test(callee) ?? false;
      this.#put(pointer, { ...span, operation: isInput ? 'input' : 'add', value: node, node, key: [], path: null });
      return;
    }
    const method = /^\w+$/.test(callee) ? callee : (/(\w+!?)$/.exec(callee)?.[1] ?? '');
    const isFunction = method.startsWith('array_');
    const name = isFunction ? (values.shift()?.text() ?? '') : (/^[$@\w]+/.exec(text)?.[0] ?? '');
    const [value] = values;
    if (fills.test(method)) {
      // The argument's earlier contents are gone; the new ones come from the reader.
      const target = method === 'ReadFull' ? values[1] : value;
      const reader = (method === 'ReadFull' ? value : receiverOf(this.#language, node)) ?? node;
      if (target) this.#put(target.text(), { ...span, operation: 'assign', value: reader, node, key: [], path: null });
      return;
    }
    const change = { ...span, node, key: [] as Change['key'], path: null };
    if (first.test(method)) this.#put(name, { ...change, operation: 'remove', value: node, key: [0] });
    else if (last.test(method) && !value) this.#put(name, { ...change, operation: 'remove', value: node, key: [-1] });
    else if (removing.test(method) || last.test(method))
      this.#put(name, { ...change, operation: 'remove', value: node, key: value ? [value] : [] });
    else if (reordering.test(method))
      this.#put(name, { ...change, operation: 'unknown', value: node.field('arguments') ?? node });
    else if (values.length > 1 && /^(?:set|put|Add|Set|store|setdefault|push|add)$/.test(method))
      this.#put(name, { ...change, operation: 'store', value: values.at(-1)!, key: values.slice(0, -1) });
    else if (value && values.length === 1 && !/All|Range|extend|update|merge/.test(method))
      this.#put(name, { ...change, operation: 'add', value });
    else this.#put(name, { ...change, operation: 'unknown', value: node.field('arguments') ?? node });
  }

  /** PHP's `foreach ($values as $key => $value)`, which has no fields. */
  #addForeach(node: SgNode): void {
    const [value, target] = node.namedChildren();
    if (!value || !target) return;
    const variables = kindOf(target) === 'pair' ? target.namedChildren() : [target];
    for (const variable of variables)
      this.#put(variable.text().replace(/^&/, ''), {
        ...spanOf(value),
        operation: 'assign',
        value,
        node,
        key: [],
        path: null,
      });
  }

  /** The parameters of a Ruby block receive parts of the object whose method receives the block. */
  #addBlock(block: SgNode): void {
    const value = block.parent()?.field('receiver');
    const parameters = block.field('parameters');
    if (!value || !parameters) return;
    const { start } = spanOf(value);
    for (const parameter of parameters.namedChildren())
      this.#put(parameter.text(), { start, end: start, operation: 'assign', value, node: block, key: [], path: null });
  }

  #put(name: string, change: Change): void {
    const list = this.#changes.get(name);
    if (list) list.push(change);
    else this.#changes.set(name, [change]);
  }
}

/** Ruby's `object.name = value`. */
function attributeOf(language: Language, target: SgNode): { whole: SgNode; key: string } | null {
  const receiver = language.calls[kindOf(target)] ? target.field('receiver') : null;
  return receiver ? { whole: receiver, key: target.field('method')?.text() ?? '' } : null;
}

const onlyChild = (target: SgNode): SgNode => {
  const children = /list$/.test(kindOf(target)) ? target.namedChildren() : [];
  return children.length === 1 ? children[0]! : target;
};

const isAugmentedByOperator = (node: SgNode) =>
  node.children().some((child) => /^(?:\+|\.|\|\||\?\?|&&|<<)=$/.test(child.text()));

function assignedValue(node: SgNode, [left, right]: [string, string]): SgNode | null {
  if (right) return node.field(right);
  const target = node.field(left)?.id();
  const value = node.namedChildren().findLast((child) => child.id() !== target) ?? null;
  return value && kindOf(value) === 'equals_value_clause' ? (value.namedChildren()[0] ?? null) : value;
}
