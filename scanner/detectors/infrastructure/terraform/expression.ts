import { type Expression, ExpressionScanner, identifier } from './expression-scanner.ts';

const maxDepth = 60;
const number = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const heredoc = /<<(-?)([A-Za-z_]\w*)\r?\n/y;
const operators = [['||'], ['&&'], ['==', '!='], ['<=', '>=', '<', '>'], ['+', '-'], ['*', '/', '%']];
const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

/**
 * Reads a string of a parsed file, in which `${…}` are expressions: the expression if the string has nothing else,
 * otherwise a template. Throws if it is not an expression of the supported subset.
 */
export function readTemplate(text: string): Expression {
  const parts = new Reader(text).template(text.length, false);
  return parts.length === 1 ? parts[0]! : { type: 'template', parts, text };
}

class Reader extends ExpressionScanner {
  /** Reads literal text and interpolations up to a position, or, in quotes, to the closing quote. */
  template(end: number, isQuoted: boolean): Expression[] {
    const parts: Expression[] = [];
    let literal = '';
    const flush = () => {
      if (literal !== '') parts.push({ type: 'literal', value: literal, text: literal });
      literal = '';
    };
    while (this.at < end) {
      const character = this.text[this.at]!;
      if (isQuoted && character === '"') break;
      if (isQuoted && character === '\\') {
        literal += escapes[this.text[this.at + 1] ?? ''] ?? this.fail();
        this.at += 2;
      } else if (this.text.startsWith('${', this.at)) {
        flush();
        this.at += 2;
        if (this.text[this.at] === '~') this.fail();
        parts.push(this.#expression());
        this.expect('}');
      } else if (this.text.startsWith('%{', this.at)) this.fail();
      else {
        literal += character;
        this.at++;
      }
    }
    flush();
    return parts.length > 0 ? parts : [{ type: 'literal', value: '', text: '' }];
  }

  #expression(): Expression {
    if (++this.depth > maxDepth) this.fail();
    this.skip();
    const start = this.at;
    let result = this.#binary(0);
    if (this.take('?')) {
      const yes = this.#expression();
      this.expect(':');
      const no = this.#expression();
      result = { type: 'condition', test: result, yes, no, text: this.textFrom(start) };
    }
    this.depth--;
    return result;
  }

  #binary(level: number): Expression {
    const choices = operators[level];
    if (!choices) return this.#unary();
    this.skip();
    const start = this.at;
    let left = this.#binary(level + 1);
    for (;;) {
      const operator = choices.find((choice) => this.#takeOperator(choice));
      if (operator === undefined) return left;
      const right = this.#binary(level + 1);
      left = { type: 'binary', operator, left, right, text: this.textFrom(start) };
    }
  }

  /** `=>` follows the key of an object, and `=` its name. */
  #takeOperator(operator: string): boolean {
    this.skip();
    return !this.text.startsWith('=>', this.at) && this.take(operator);
  }

  #unary(): Expression {
    this.skip();
    const start = this.at;
    const type = this.take('!') ? 'not' : this.take('-') ? 'negative' : null;
    if (type === null) return this.#postfix();
    if (++this.depth > maxDepth) this.fail();
    const of = this.#unary();
    this.depth--;
    return { type, of, text: this.textFrom(start) };
  }

  #postfix(): Expression {
    this.skip();
    const start = this.at;
    let result = this.#primary();
    for (;;) {
      if (this.text.startsWith('[*]', this.at) || this.text.startsWith('.*', this.at)) {
        this.at += this.text[this.at] === '[' ? 3 : 2;
        const path: Expression[] = [];
        for (let key = this.#key(); key; key = this.#key()) path.push(key);
        result = { type: 'splat', of: result, path, text: this.textFrom(start) };
        continue;
      }
      const key = this.#key();
      if (!key) return result;
      result = { type: 'member', of: result, key, text: this.textFrom(start) };
    }
  }

  /** Reads `.name`, `.0` or `[key]`. */
  #key(): Expression | null {
    const next = this.text[this.at];
    if (next === '.' && this.text[this.at + 1] !== '.' && this.text[this.at + 1] !== '*') {
      this.at++;
      const name = (this.match(identifier) ?? this.match(/\d+/y) ?? this.fail())[0];
      return { type: 'literal', value: name, text: name };
    }
    if (next !== '[' || this.text.startsWith('[*]', this.at)) return null;
    this.at++;
    const key = this.#expression();
    this.expect(']');
    return key;
  }

  #primary(): Expression {
    const start = this.at;
    const digits = this.match(number);
    if (digits) return { type: 'literal', value: Number(digits[0]), text: digits[0] };
    if (this.take('"')) {
      const parts = this.template(this.text.length, true);
      this.expect('"');
      const [only] = parts;
      const text = this.textFrom(start);
      return parts.length === 1 && only?.type === 'literal' ? { ...only, text } : { type: 'template', parts, text };
    }
    const document = this.match(heredoc);
    if (document) return this.#heredoc(document[1] === '-', document[2]!);
    if (this.take('(')) {
      const inner = this.#expression();
      this.expect(')');
      return inner;
    }
    if (this.take('[')) return this.takeWord('for') ? this.#for(start, ']') : this.#list(start);
    if (this.take('{')) return this.takeWord('for') ? this.#for(start, '}') : this.#object(start);
    const name = (this.match(identifier) ?? this.fail())[0];
    if (/^(?:true|false|null)$/.test(name)) return { type: 'literal', value: JSON.parse(name), text: name };
    if (this.text[this.at] !== '(') return { type: 'name', name, text: name };
    this.at++;
    const { items, spreads } = this.#items(')');
    return { type: 'call', name, args: items, spreads, text: this.textFrom(start) };
  }

  #items(end: string): { items: Expression[]; spreads: boolean } {
    const items: Expression[] = [];
    let spreads = false;
    while (!this.take(end)) {
      items.push(this.#expression());
      if (this.take('...')) spreads = true;
      if (!this.take(',')) {
        this.expect(end);
        break;
      }
    }
    return { items, spreads };
  }

  #list(start: number): Expression {
    const { items } = this.#items(']');
    return { type: 'list', items, text: this.textFrom(start) };
  }

  #object(start: number): Expression {
    const entries: Array<[Expression, Expression]> = [];
    while (!this.take('}')) {
      const name = this.#takeName();
      const key = name ?? this.#expression();
      if (!this.take('=') && !this.take(':')) this.fail();
      entries.push([key, this.#expression()]);
      this.take(',');
    }
    return { type: 'object', entries, text: this.textFrom(start) };
  }

  /** A bare name is a key, not a reference. */
  #takeName(): Expression | null {
    this.skip();
    const start = this.at;
    const name = this.match(identifier)?.[0];
    this.skip();
    if (name !== undefined && /[=:]/.test(this.text[this.at] ?? ''))
      return { type: 'literal', value: name, text: name };
    this.at = start;
    return null;
  }

  #for(start: number, end: ']' | '}'): Expression {
    const names: string[] = [];
    do {
      this.skip();
      names.push((this.match(identifier) ?? this.fail())[0]);
    } while (this.take(','));
    if (!this.takeWord('in')) this.fail();
    const over = this.#expression();
    this.expect(':');
    let value = this.#expression();
    let key: Expression | null = null;
    if (end === '}') {
      this.expect('=>');
      key = value;
      value = this.#expression();
      if (this.take('...')) this.fail();
    }
    const test = this.takeWord('if') ? this.#expression() : null;
    this.expect(end);
    return { type: 'for', names, over, key, value, test, text: this.textFrom(start) };
  }

  #heredoc(isIndented: boolean, word: string): Expression {
    const start = this.at;
    const end = new RegExp(`^[ \\t]*${word}[ \\t]*\\r?$`, 'm').exec(this.text.slice(start));
    if (!end) this.fail();
    let body = this.text.slice(start, start + end.index);
    if (isIndented) {
      const indents = [...body.matchAll(/^[ \t]*(?=\S)/gm)].map(([indent]) => indent.length);
      const least = Math.min(...indents.slice(0, 10_000));
      if (indents.length > 0) body = body.replace(new RegExp(`^[ \\t]{${least}}`, 'gm'), '');
    }
    this.at = start + end.index + end[0].length;
    const parts = new Reader(body).template(body.length, false);
    return { type: 'template', parts, text: body };
  }
}
