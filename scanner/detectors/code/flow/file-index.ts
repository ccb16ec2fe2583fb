import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../languages/language.ts';
import { type Execution, executionOf } from './branches.ts';
import { Constants } from './constants.ts';
import { Functions } from './functions.ts';
import { Guards } from './guards.ts';
import { type Scope, ScopeIndex } from './scope.ts';
import { isWithin, type Span, spanOf } from './syntax.ts';
import { type Parameter, parameterOf } from './targets.ts';

/** An index of a file. Each part is built on demand: most files need none. */
export class FileIndex {
  readonly #language: Language;
  readonly #root: SgNode;
  readonly #source: string;
  readonly #executions = new Map<number, Execution>();
  readonly #parameters = new Map<string, Parameter | null>();
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
    this.#guards ??= new Guards(this.#language, this.#root, this);
    return this.#guards;
  }

  get functions(): Functions {
    this.#functions ??= new Functions(this.#language, this.#root);
    return this.#functions;
  }

  get constants(): Constants {
    this.#constants ??= new Constants(this.#language, this.index, (change) => this.executionOf(change.node));
    return this.#constants;
  }

  /** Returns whether a name is that of a class or a module, which contributes no input. */
  isModule(node: SgNode): boolean {
    const text = node.text();
    if (!/^[\w$]+(?:(?:\.|::)[\w$]+)*$/.test(text) || /^(?:this|self|super)\b/.test(text)) return false;
    const name = /^[\w$]+/.exec(text)![0];
    const scopes = this.index.around(spanOf(node));
    return scopes.every(
      (scope) => this.index.changes(scope, name).length === 0 && this.parameterOf(scope, name) === null,
    );
  }

  /**
   * Returns whether the file declares a variable of this name: `const location = …` hides an input of the same name.
   */
  isAssigned(node: SgNode): boolean {
    const place = spanOf(node);
    return this.index
      .around(place)
      .some((scope) =>
        this.index
          .changes(scope, node.text())
          .some(({ operation, end }) => operation === 'assign' && end <= place.start),
      );
  }

  parameterOf(scope: Scope, name: string): Parameter | null {
    const key = `${scope.start} ${scope.end} ${name}`;
    const known = this.#parameters.get(key);
    if (known !== undefined) return known;
    const parameter = parameterOf(this.#language, scope.node, name);
    this.#parameters.set(key, parameter);
    return parameter;
  }

  /** Returns the conditions under which a statement is executed. */
  executionOf(node: SgNode): Execution {
    const id = node.id();
    const known = this.#executions.get(id);
    if (known) return known;
    // Prevents endless recursion if a condition depends on the statement itself.
    this.#executions.set(
      id,
      executionOf(this.#language, node, () => undefined),
    );
    const execution = executionOf(this.#language, node, (condition) => this.constants.valueOf(condition));
    this.#executions.set(id, execution);
    return execution;
  }

  /** Returns whether a statement is never executed. */
  isDead(node: SgNode): boolean {
    return this.executionOf(node).dead;
  }

  /**
   * Returns whether a variable with the value of `node` is checked later: `file = folder.resolve(name)` before `if
   * (!file.startsWith(folder)) throw …`.
   */
  isCheckedAfter(node: SgNode): boolean {
    return this.#isLater(node, (name, after) =>
      this.guards.isChecked(name, after, { start: after.end, end: after.end }),
    );
  }

  /** Returns whether a variable with the class that `node` looks up is checked later, such as for its base class. */
  isClassCheckedAfter(node: SgNode): boolean {
    return this.#isLater(node, (name, after) => this.guards.isClassChecked(name, after));
  }

  #isLater(node: SgNode, isChecked: (name: string, after: Span) => boolean): boolean {
    const place = spanOf(node);
    const [scope] = this.index.around(place);
    const after = { start: place.end, end: scope!.end };
    return this.index.namesThatGet(place, scope!).some((name) => isChecked(name, after));
  }

  /** Returns whether a statement is executed whenever a later place is executed. */
  isCertainAt(node: SgNode, place: Span): boolean {
    const { within, dead } = this.executionOf(node);
    return !dead && (within === null || isWithin(place, within));
  }
}
