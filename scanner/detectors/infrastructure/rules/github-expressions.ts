/** An expression of GitHub Actions, as far as it matters which values its result may have. */
type Expression =
  | { kind: 'literal' }
  | { kind: 'path'; steps: string[] }
  | { kind: 'call'; name: string; parts: Expression[] }
  /** `&&` and `||`, of which either side may be the result. */
  | { kind: 'either'; parts: Expression[] }
  /** A comparison or a negation, whose result is true or false. */
  | { kind: 'boolean' };

const tokens = /\s*(?:'((?:[^']|'')*)'|(&&|\|\||==|!=|<=|>=|[<>!()[\],.*])|([A-Za-z_][\w-]*)|(-?\d[\w.]*))/y;

type Token = { text: string; kind: 'string' | 'operator' | 'name' | 'number' };

function tokensOf(text: string): Token[] {
  const found: Token[] = [];
  tokens.lastIndex = 0;
  for (;;) {
    const [, string, operator, name, number] = tokens.exec(text) ?? [];
    if (string !== undefined) found.push({ text: string.replaceAll("''", "'"), kind: 'string' });
    else if (operator !== undefined) found.push({ text: operator, kind: 'operator' });
    else if (name !== undefined) found.push({ text: name.toLowerCase(), kind: 'name' });
    else if (number !== undefined) found.push({ text: number, kind: 'number' });
    else return found;
  }
}

const literal: Expression = { kind: 'literal' };
const maxDepth = 50;

/** Reads an expression by recursive descent. What it does not understand counts as a literal. */
class Parser {
  readonly #tokens: Token[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  parse(): Expression {
    if (++this.#depth > maxDepth) return literal;
    const parts = [this.#comparison()];
    let operator = '';
    while (this.#isNext('&&', '||')) {
      operator = this.#take()!.text;
      const part = this.#comparison();
      // The result of `condition && value` is the value, or a condition that is empty.
      if (operator === '&&') parts[parts.length - 1] = part;
      else parts.push(part);
    }
    this.#depth--;
    return parts.length === 1 ? parts[0]! : { kind: 'either', parts };
  }

  #comparison(): Expression {
    const left = this.#value();
    if (!this.#isNext('==', '!=', '<', '>', '<=', '>=')) return left;
    while (this.#isNext('==', '!=', '<', '>', '<=', '>=')) {
      this.#take();
      this.#value();
    }
    return { kind: 'boolean' };
  }

  #value(): Expression {
    const token = this.#take();
    if (token?.text === '!' && token.kind === 'operator') {
      this.#value();
      return { kind: 'boolean' };
    }
    if (token?.text === '(' && token.kind === 'operator') {
      const inner = this.parse();
      this.#skip(')');
      return inner;
    }
    if (token?.kind !== 'name') return literal;
    return this.#isNext('(') ? this.#call(token.text) : this.#path(token.text);
  }

  #call(name: string): Expression {
    this.#take();
    const parts: Expression[] = [];
    while (this.#at < this.#tokens.length && !this.#isNext(')')) {
      parts.push(this.parse());
      if (!this.#isNext(',')) break;
      this.#take();
    }
    this.#skip(')');
    return { kind: 'call', name, parts };
  }

  #path(first: string): Expression {
    const steps = [first];
    for (;;) {
      if (this.#isNext('.')) {
        this.#take();
        steps.push(this.#take()?.text ?? '');
      } else if (this.#isNext('[')) {
        this.#take();
        const key = this.#take();
        steps.push(key?.kind === 'string' ? key.text.toLowerCase() : '*');
        while (this.#at < this.#tokens.length && !this.#isNext(']')) this.#take();
        this.#skip(']');
      } else return { kind: 'path', steps };
    }
  }

  #isNext(...texts: string[]): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === 'operator' && texts.includes(token.text);
  }

  #take(): Token | undefined {
    return this.#tokens[this.#at++];
  }

  #skip(text: string): void {
    if (this.#isNext(text)) this.#at++;
  }
}

/** Functions whose result has text of their arguments. */
const passing = /^(?:format|join|fromjson|tojson)$/;

/** A value that an expression may have: the path of a context, such as `github.event.issue.title`; `isWhole`: as JSON, with all its members. */
export type ContextValue = { path: string; isWhole: boolean };

function valuesOf(expression: Expression, isWhole = false): ContextValue[] {
  if (expression.kind === 'path') return [{ path: expression.steps.join('.'), isWhole }];
  if (expression.kind === 'either') return expression.parts.flatMap((part) => valuesOf(part, isWhole));
  if (expression.kind !== 'call' || !passing.test(expression.name)) return [];
  return expression.parts.flatMap((part) => valuesOf(part, isWhole || expression.name === 'tojson'));
}

const maxText = 20_000;

/** Returns the expressions in a text, each with the values that it may have. */
export const expressionsIn = (text: string): Array<{ text: string; values: ContextValue[] }> =>
  [...text.slice(0, maxText).matchAll(/\$\{\{((?:[^}']|'[^']*'|\}(?!\}))*)\}\}/g)].map(([whole, inner = '']) => ({
    text: whole,
    values: valuesOf(new Parser(inner).parse()),
  }));

/** Paths of texts that anyone who opens an issue or a pull request controls. */
const foreign =
  /^github\.(?:head_ref|event\.(?:issue\.(?:title|body)|pull_request\.(?:title|body|head\.(?:ref|label|repo\.default_branch))|comment\.body|review\.body|review_comment\.body|discussion\.(?:title|body)|pages\..*page_name|head_commit\.(?:message|author\.(?:email|name))|commits\..*(?:message|author\.(?:email|name))|workflow_run\.(?:head_branch|head_commit\.message)))$/;
/** Objects that have such texts. */
const withForeign =
  /^github(?:\.event(?:\.(?:issue|pull_request(?:\.head)?|comment|review|review_comment|discussion|head_commit|commits|workflow_run))?)?$/;

/** Returns whether outsiders control a value. `isAlias` knows paths that a workflow sets to such values, such as `env.TITLE`. */
export const isForeign = ({ path, isWhole }: ContextValue, isAlias: (path: string) => boolean = () => false): boolean =>
  foreign.test(path) || (isWhole && withForeign.test(path)) || isAlias(path);
