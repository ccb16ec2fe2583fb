import type { SgNode } from '@ast-grep/napi';
import { type Inputs, inputsOf, type PlaceKind } from '../languages/inputs.ts';
import type { Language } from '../languages/language.ts';
import type { FileIndex } from './file-index.ts';
import type { Change } from './scope.ts';
import { isWithin, type Span, spanOf } from './syntax.ts';
import { addText, type Flow, isOwnObject, mark, type Trail, unknownValue, withCode } from './value.ts';

/**
 * The kind of sink, the source that counts as input in place of requests, and whether only a whole value counts.
 * `collects`: the sink is in another file, so encoders are noted instead of applied.
 */
export type Question = { into?: PlaceKind; source?: RegExp; except?: RegExp; whole?: boolean; collects?: boolean };

/**
 * Parts of objects that are harmless for a sink: the query of an address does not affect its host, nor the text of an
 * element its HTML.
 */
const harmlessParts: Partial<Record<PlaceKind, string[]>> = {
  url: ['search', 'hash', 'searchParams'],
  html: ['value', 'textContent', 'innerText', 'name', 'id', 'className', 'title', 'type', 'placeholder'],
};
const maxCheckedText = 80;
/** `req.query.ids.length`; a parameter itself may be named `length`. */
const lengthOfPart = /^\w+(?:\.\w+){2,}\.(?:length|Length|Count)$/;

/** Decides what is input and what makes it harmless, for the expression that is currently followed. */
export class Input {
  readonly #inputs: Inputs;
  readonly #isRuby: boolean;
  readonly #file: FileIndex;
  readonly #source: string;
  #use: Span = { start: 0, end: 0 };
  #question: Question = {};

  constructor(language: Language, file: FileIndex, source: string) {
    this.#inputs = inputsOf(language.name);
    this.#isRuby = language.name === 'ruby';
    this.#file = file;
    this.#source = source;
  }

  /** Sets the expression that is followed. `use`: where its value is used. */
  ask(question: Question, use: Span): void {
    this.#question = question;
    this.#use = use;
  }

  get question(): Question {
    return this.#question;
  }

  isInput(node: SgNode): boolean {
    const text = this.#beginningOf(node);
    if (this.#question.source) return this.#question.source.test(text);
    return (
      this.#inputs.request.test(text) &&
      !this.#isOwnParameter(text, node) &&
      !this.isNever(node) &&
      !/^[\w.]+\s*=[^=]/.test(text) &&
      !lengthOfPart.test(text)
    );
  }

  /** A method of Ruby may call a parameter `params`, like the method that returns the input of a request. */
  #isOwnParameter(text: string, node: SgNode): boolean {
    const name = this.#isRuby ? (/^(?:params|cookies|request)\b/.exec(text)?.[0] ?? null) : null;
    return name !== null && this.#file.index.around(spanOf(node)).some((scope) => this.#file.parameterOf(scope, name));
  }

  /** Returns whether an expression looks like input but is not controlled by the sender. */
  isNever(node: SgNode): boolean {
    const text = this.#beginningOf(node);
    return (this.#inputs.never?.test(text) ?? false) || (this.#question.except?.test(text) ?? false);
  }

  #beginningOf(node: SgNode): string {
    const { start, end } = node.range();
    return this.#source.slice(start.index, Math.min(end.index, start.index + 200));
  }

  /** Returns whether the result of a function is harmless for the sink. */
  isClean(name: string): boolean {
    const { source, into, collects } = this.#question;
    if (collects) return this.#inputs.cleansEverything(name);
    return (source === undefined || into !== undefined) && this.#inputs.cleans(name, into);
  }

  /** Returns the kinds of sinks for which a function's result is harmless, if the sink is not known yet. */
  encodersOf(name: string): readonly PlaceKind[] {
    return this.#question.collects ? this.#inputs.encodes(name) : [];
  }

  /** Adds input, unless the same expression has been checked: `if (!list.includes(req.query.p)) return`. */
  add(node: SgNode, flow: Flow, nearer: Trail | null): void {
    const text = node.text();
    const place = spanOf(node);
    const [scope] = this.#file.index.around(place);
    if (text.length <= maxCheckedText && scope && this.isChecked(text, scope, place)) addText(flow, unknownValue);
    else mark(flow, 'request', { node, words: withCode('Input', node.text()), nearer });
  }

  /**
   * Returns whether a change of a variable matters: a stored or extracted part is not the whole value. `isPart`:
   * whether only a part of the variable is requested.
   */
  counts(change: Change, isPart: boolean): boolean {
    const [stored] = change.operation === 'store' && !isPart ? change.key : [];
    const harmless = this.#question.into && harmlessParts[this.#question.into];
    if (typeof stored === 'string' && harmless?.includes(stored)) return false;
    if (!this.#question.whole) return true;
    return change.operation !== 'store' && (change.path === null || this.takes(change));
  }

  isChecked(name: string, scope: Span, place: Span): boolean {
    if (this.#question.source && !this.#question.into) return false;
    const isCheckedAt = (at: Span) =>
      this.#file.guards.isChecked(name, scope, at, { byType: this.#question.into === 'nosql' });
    if (isCheckedAt(place)) return true;
    return place.start !== this.#use.start && isWithin(this.#use, scope) && isCheckedAt(this.#use);
  }

  /** `self.next`, which a condition checks or replaces: that does not hold for its parts. */
  isOwnPartChecked(part: SgNode, whole: SgNode): boolean {
    const place = spanOf(part);
    const [scope] = this.#file.index.around(place);
    return isOwnObject.test(whole.text()) && scope !== undefined && this.isChecked(part.text(), scope, place);
  }

  /** Returns whether a pattern extracts a part of a request that is input: `const { query } = req`. */
  takes({ operation, value, path }: Change): boolean {
    const { source } = this.#question;
    if (operation === 'input') return source === undefined;
    return path !== null && (source ?? this.#inputs.request).test(`${value.text().slice(0, maxCheckedText)}.${path}`);
  }
}
