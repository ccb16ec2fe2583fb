import type { SgNode } from '@ast-grep/napi';
import { kindOf } from '../flow/syntax.ts';

/** A name of the same file, or a name that another module exports: `['./users', 'find']`. */
export type Alias = string | [module: string, name: string];

/**
 * The names that a file declares. Members are joined by dots: `UserService.find`. A module's name is resolved when all
 * files are known.
 */
export class Declarations {
  /** Names that stand for another name: imports, instances of a class, members of an object. */
  readonly aliases = new Map<string, Alias>();
  readonly exports = new Map<string, Alias>();
  /** Modules whose names are all exported. */
  readonly stars: string[] = [];
  /** The base classes of each class that has any, with its interfaces, traits and included modules. */
  readonly bases = new Map<string, string[]>();
  readonly classes = new Set<string>();
  readonly functions = new Map<number, { name: string; node: SgNode }>();
  /** Names that stand for several values of the file, as if a function returned them. */
  readonly values = new Map<string, SgNode[]>();
  /** The package or namespace of the file, for languages that have them. */
  package = '';

  addFunction(node: SgNode, name: string): void {
    if (!this.functions.has(node.id())) this.functions.set(node.id(), { name, node });
  }

  addValue(name: string, value: SgNode): void {
    const values = this.values.get(name);
    if (values) values.push(value);
    else this.values.set(name, [value]);
  }

  /** Returns whether a function has a name, or one that ends with the number of its parameters. */
  hasFunction(name: string): boolean {
    this.#names ??= new Set([...this.functions.values()].map((one) => one.name.replace(/\.\d+$/, '')));
    return this.#names.has(name);
  }

  #names: Set<string> | null = null;

  addBase(name: string, base: string): void {
    const bases = this.bases.get(name);
    if (bases) bases.push(base);
    else this.bases.set(name, [base]);
  }

  /**
   * Returns whether the file declares a name, or one that starts with it and a dot, or imports it from a module that may
   * be in the same repository.
   */
  knows(name: string, isOwnModule: (module: string) => boolean): boolean {
    let own = name;
    for (let hops = 0; hops < 8; hops++) {
      const alias = this.aliases.get(own);
      if (alias === undefined) return this.#declares(own);
      if (typeof alias !== 'string') return isOwnModule(alias[0]);
      own = headOf(alias);
    }
    return false;
  }

  #declares(name: string): boolean {
    this.#heads ??= new Set(
      [
        ...[...this.aliases.keys()].filter((alias) => alias.includes('.')),
        ...this.classes,
        ...[...this.functions.values()].map((one) => one.name),
      ].map(headOf),
    );
    return this.#heads.has(name);
  }

  #heads: Set<string> | null = null;
}

export const headOf = (name: string) => name.split('.', 1)[0]!;

/** Returns the innermost node of some kinds around a node; null if there is none. */
export function enclosing(node: SgNode, kinds: readonly string[]): SgNode | null {
  return node.ancestors().find((ancestor) => kinds.includes(kindOf(ancestor))) ?? null;
}
