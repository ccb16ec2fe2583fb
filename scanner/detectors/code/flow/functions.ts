import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../languages/language.ts';
import { argumentsOf, calleeName, findKinds, isWithin, kindOf, receiverOf, spanOf } from './syntax.ts';
import { countParameters, isVariadic } from './targets.ts';

const maxCallers = 8;
const maxNames = 30;

/** The functions of a file and the calls between them. */
export class Functions {
  readonly #language: Language;
  readonly #root: SgNode;
  #byName: Map<string, SgNode[]> | null = null;
  readonly #callers = new Map<string, SgNode[]>();
  readonly #results = new Map<number, SgNode[]>();

  constructor(language: Language, root: SgNode) {
    this.#language = language;
    this.#root = root;
  }

  /** Returns the function in the file that a call certainly invokes; null if it is in another file or uncertain. */
  called(call: SgNode, name: string): SgNode | null {
    const own = literalCallee(call);
    if (own) return own;
    const method = /([$\w]+[?!]?)$/.exec(name)?.[1];
    const found = method ? this.#definitions().get(method) : undefined;
    if (found?.length !== 1) return null;
    const [only] = found as [SgNode];
    if (isWithin(spanOf(call), spanOf(only))) return null;
    if (countParameters(this.#language, only) < argumentsOf(call).length && !isVariadic(this.#language, only))
      return null;
    const receiver = receiverOf(this.#language, call);
    const on = receiver?.text() ?? /^([\w$]+)(?:::|\.)/.exec(name)?.[1] ?? '';
    const isOwn =
      on === '' || /^(?:this|self|static|cls|\$this|super)$/.test(on) || /^new\b/.test(on) || /^\(?\s*new \w+/.test(on);
    return isOwn || /^[A-Z]\w*(?:\.new)?(?:\([^()]*\))?$/.test(on) ? only : null;
  }

  /** Returns the calls of a function of the file. */
  callersOf(definition: SgNode): SgNode[] {
    const name = nameOf(definition);
    if (!name) return [];
    const known = this.#callers.get(name);
    if (known || this.#callers.size >= maxNames) return known ?? [];
    const isMethod = kindOf(definition).startsWith('method');
    const pattern = `^${isMethod ? '(?:(?:this|self|\\$this|[A-Z]\\w*|new \\w+\\([^()]*\\))(?:\\.|->|::))?' : ''}${name.replaceAll('$', '\\$')}\\(`;
    const kinds = Object.keys(this.#language.calls).map((kind) => ({ kind, regex: pattern }));
    const own = spanOf(definition);
    const isOnly = this.#definitions().get(name)?.length === 1;
    const found: SgNode[] = isOnly ? this.#root.findAll({ rule: { any: kinds } } as never) : [];
    const callers = found.filter(
      (call) => !isWithin(spanOf(call), own) && calleeName(this.#language, call).endsWith(name),
    );
    this.#callers.set(name, callers.slice(0, maxCallers));
    return this.#callers.get(name)!;
  }

  /** Returns the expressions that a function may return. */
  resultsOf(definition: SgNode): SgNode[] {
    const known = this.#results.get(definition.id());
    if (known) return known;
    const body = definition.field('body');
    const nested = findKinds(this.#language, definition, this.#language.functions).filter(
      (node) => node.id() !== definition.id(),
    );
    const returns = findKinds(this.#language, definition, [
      'return_statement',
      'return',
      'arrow_expression_clause',
    ]).filter((node) => !nested.some((inner) => isWithin(spanOf(node), spanOf(inner))));
    const results = returns.flatMap((node) =>
      node
        .namedChildren()
        .filter((child) => !/comment/.test(kindOf(child)))
        .slice(0, 1),
    );
    if (
      body &&
      !/^(?:statement_block|block|block_body|compound_statement|body_statement|constructor_body)$/.test(kindOf(body))
    )
      results.push(body);
    if (body && /^(?:body_statement|block_body)$/.test(kindOf(body)))
      results.push(
        ...body
          .namedChildren()
          .filter((child) => kindOf(child) !== 'comment')
          .slice(-1),
      );
    this.#results.set(definition.id(), results);
    return results;
  }

  #definitions(): Map<string, SgNode[]> {
    if (this.#byName) return this.#byName;
    this.#byName = new Map();
    for (const definition of findKinds(this.#language, this.#root, this.#language.functions)) {
      const name = nameOf(definition);
      if (name) this.#byName.set(name, [...(this.#byName.get(name) ?? []), definition]);
    }
    return this.#byName;
  }
}

/** Returns the function of a call that is written in its place: `func() []byte { … }()`. */
function literalCallee(call: SgNode): SgNode | null {
  const callee = call.field('function');
  const [inner] = callee && kindOf(callee) === 'parenthesized_expression' ? callee.namedChildren() : [callee];
  return inner && /^(?:func_literal|arrow_function|function_expression)$/.test(kindOf(inner)) ? inner : null;
}

/** Returns the name of a function, or of the variable that it is assigned to. */
function nameOf(definition: SgNode): string | null {
  const own = definition.field('name')?.text();
  if (own) return own;
  const parent = definition.parent();
  const isValue = parent && /^(?:variable_declarator|assignment)$/.test(kindOf(parent));
  return isValue ? ((parent.field('name') ?? parent.field('left'))?.text() ?? null) : null;
}
