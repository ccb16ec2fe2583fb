import type { Value } from '../value.ts';

/** An expression of Terraform's language. `text` is its source, which represents the value while it is unknown. */
export type Expression = { text: string } & (
  | { type: 'literal'; value: Value }
  | { type: 'template'; parts: Expression[] }
  | { type: 'name'; name: string }
  | { type: 'member'; of: Expression; key: Expression }
  | { type: 'splat'; of: Expression; path: Expression[] }
  | { type: 'call'; name: string; args: Expression[]; spreads: boolean }
  | { type: 'list'; items: Expression[] }
  | { type: 'object'; entries: Array<[Expression, Expression]> }
  | {
      type: 'for';
      names: string[];
      over: Expression;
      key: Expression | null;
      value: Expression;
      test: Expression | null;
    }
  | { type: 'condition'; test: Expression; yes: Expression; no: Expression }
  | { type: 'binary'; operator: string; left: Expression; right: Expression }
  | { type: 'not' | 'negative'; of: Expression }
);

const space = /(?:\s|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
export const identifier = /[A-Za-z_][\w-]*/y;

/** A position in the text of an expression. White space and comments before a token are skipped. */
export class ExpressionScanner {
  protected readonly text: string;
  protected at = 0;
  protected depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  protected fail(): never {
    throw new Error('it is not an expression of the supported subset');
  }

  protected skip(): void {
    space.lastIndex = this.at;
    space.exec(this.text);
    this.at = space.lastIndex;
  }

  /** Consumes the match of a sticky pattern at the current position. */
  protected match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  protected take(token: string): boolean {
    this.skip();
    if (!this.text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  protected expect(token: string): void {
    if (!this.take(token)) this.fail();
  }

  protected takeWord(word: string): boolean {
    this.skip();
    const start = this.at;
    if (this.match(identifier)?.[0] === word) return true;
    this.at = start;
    return false;
  }

  protected textFrom(start: number): string {
    return this.text.slice(start, this.at).trim();
  }
}
