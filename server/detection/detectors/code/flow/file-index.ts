import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../languages/language.ts';
import { type Reach, reachOf } from './branches.ts';
import { Constants } from './constants.ts';
import { Functions } from './functions.ts';
import { Guards } from './guards.ts';
import { ScopeIndex } from './scope.ts';
import { isWithin, type Span } from './syntax.ts';

/** What is known of a file. Each part is made when it is needed: most files need none. */
export class FileIndex {
  readonly #language: Language;
  readonly #root: SgNode;
  readonly #source: string;
  readonly #reaches = new Map<number, Reach>();
  #index: ScopeIndex | null = null;
  #guards: Guards | null = null;
  #constants: Constants | null = null;
  #functions: Functions | null = null;

  constructor(language: Language, root: SgNode, source: string) {
    this.#language = language;
    this.#root = root;
    this.#source = source;
  }

  get index(): ScopeIndex {
    this.#index ??= new ScopeIndex(this.#language, this.#root, this.#source);
    return this.#index;
  }

  get guards(): Guards {
    this.#guards ??= new Guards(this.#language, this.#root, this.#source);
    return this.#guards;
  }

  get functions(): Functions {
    this.#functions ??= new Functions(this.#language, this.#root);
    return this.#functions;
  }

  get constants(): Constants {
    this.#constants ??= new Constants(this.#language, this.index, (change) => this.reach(change.node));
    return this.#constants;
  }

  /** Returns where a statement is executed. */
  reach(node: SgNode): Reach {
    const id = node.id();
    const known = this.#reaches.get(id);
    if (known) return known;
    // A condition that depends on the statement itself must not be evaluated for ever.
    this.#reaches.set(
      id,
      reachOf(this.#language, node, () => undefined),
    );
    const reach = reachOf(this.#language, node, (condition) => this.constants.valueOf(condition));
    this.#reaches.set(id, reach);
    return reach;
  }

  /** Returns whether a statement is executed whenever a later place is. */
  isCertainAt(node: SgNode, place: Span): boolean {
    const { within, dead } = this.reach(node);
    return !dead && (within === null || isWithin(place, within));
  }
}
