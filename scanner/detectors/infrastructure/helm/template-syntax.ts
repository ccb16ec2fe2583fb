import type { Value } from '../value.ts';

/** Function calls joined by `|`. Each receives the previous result as its last argument. */
export type Pipeline = Operand[][];
export type Operand =
  | { type: 'literal'; value: Value }
  /** `.a.b`, `$.a` or `$x.a`; `root` is empty for the dot. */
  | { type: 'field'; root: string; path: string[] }
  | { type: 'function'; name: string }
  | { type: 'group'; pipeline: Pipeline; path: string[] };

export type Node =
  | { type: 'text'; text: string; line: number }
  | { type: 'print'; pipeline: Pipeline; line: number }
  | { type: 'assign'; name: string; pipeline: Pipeline }
  | { type: 'if' | 'with'; name: string; pipeline: Pipeline; body: Node[]; otherwise: Node[] }
  | { type: 'range'; names: string[]; pipeline: Pipeline; body: Node[]; otherwise: Node[] }
  | { type: 'define'; name: string; body: Node[] }
  | { type: 'template'; name: string; pipeline: Pipeline; line: number };

class TemplateError extends Error {}

const maxDepth = 40;
const maxNodes = 20_000;
const action = /\{\{(-(?=\s))?(\s*\/\*[\s\S]*?\*\/\s*?|(?:"(?:[^"\\]|\\.)*"|`[^`]*`|[^"`])*?)(\s-)?\}\}/g;
const token =
  /\s*(?:("(?:[^"\\]|\\.)*")|`([^`]*)`|(-?\d+(?:\.\d+)?)(?![\w.])|(:=|=|\||\(|\)|,)|(\$?\w*(?:\.\w+)+|\$\w*|\.|\w+))/y;

type Token = { text: string; kind: 'string' | 'number' | 'sign' | 'word'; isAdjacent: boolean };
type Step = { text: string; line: number } | { words: Token[]; line: number };

/** Reads a template in Go’s template language. Throws if it uses something that isn’t supported. */
export function readTemplateNodes(text: string): Node[] {
  const reader = new NodeReader(stepsOf(text));
  const nodes = reader.nodes(0);
  if (reader.end !== null) throw new TemplateError('an end without a beginning');
  return nodes;
}

function stepsOf(text: string): Step[] {
  const steps: Step[] = [];
  let at = 0;
  let line = 1;
  let trimsNext = false;
  const addText = (end: number, trimsEnd: boolean) => {
    const raw = text.slice(at, end);
    const skipped = trimsNext ? /^\s*/.exec(raw)![0] : '';
    const rest = raw.slice(skipped.length);
    const kept = trimsEnd ? rest.trimEnd() : rest;
    if (kept !== '') steps.push({ text: kept, line: line + skipped.split('\n').length - 1 });
    line += raw.split('\n').length - 1;
  };
  for (const match of text.matchAll(action)) {
    addText(match.index, match[1] !== undefined);
    if (!match[2]!.trimStart().startsWith('/*')) steps.push({ words: tokensOf(match[2]!), line });
    line += match[0].split('\n').length - 1;
    at = match.index + match[0].length;
    trimsNext = match[3] !== undefined;
    if (steps.length > maxNodes) throw new TemplateError('too many actions');
  }
  addText(text.length, false);
  if (text.slice(at).includes('{{')) throw new TemplateError('an action that does not end');
  return steps;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    token.lastIndex = at;
    const match = token.exec(text);
    if (!match) throw new TemplateError('an unknown sign');
    const isAdjacent = !/^\s/.test(match[0]) && at > 0;
    at = token.lastIndex;
    const [, quoted, raw, number, sign, word] = match;
    if (quoted !== undefined) tokens.push({ text: unquoted(quoted), kind: 'string', isAdjacent });
    else if (raw !== undefined) tokens.push({ text: raw, kind: 'string', isAdjacent });
    else if (number !== undefined) tokens.push({ text: number, kind: 'number', isAdjacent });
    else if (sign !== undefined) tokens.push({ text: sign, kind: 'sign', isAdjacent });
    else tokens.push({ text: word!, kind: 'word', isAdjacent });
  }
  return tokens;
}

function unquoted(text: string): string {
  try {
    return JSON.parse(text);
  } catch {
    throw new TemplateError('a text with an unknown escape');
  }
}

class NodeReader {
  /** The words of the `end` or `else` that ended the last list of nodes. */
  end: Token[] | null = null;
  readonly #steps: Step[];
  #at = 0;

  constructor(steps: Step[]) {
    this.#steps = steps;
  }

  nodes(depth: number): Node[] {
    if (depth > maxDepth) throw new TemplateError('nested too deeply');
    const nodes: Node[] = [];
    this.end = null;
    while (this.#at < this.#steps.length) {
      const step = this.#steps[this.#at++]!;
      if ('text' in step) nodes.push({ type: 'text', ...step });
      else {
        const [first] = step.words;
        if (first?.kind === 'word' && (first.text === 'end' || first.text === 'else')) {
          this.end = step.words;
          return nodes;
        }
        const node = this.#node(step.words, step.line, depth);
        if (node) nodes.push(node);
      }
    }
    this.end = null;
    return nodes;
  }

  #node(words: Token[], line: number, depth: number): Node | null {
    const [first, second] = words;
    if (!first) return null;
    const rest = words.slice(1);
    if (first.kind === 'word') {
      if (first.text === 'if' || first.text === 'with') return this.#branch(first.text, rest, depth);
      if (first.text === 'range') return this.#range(rest, depth);
      if (first.text === 'define' || first.text === 'block') {
        const body = this.#block(depth);
        if (first.text === 'block') throw new TemplateError('block is not supported');
        return { type: 'define', name: second?.text ?? '', body };
      }
      if (first.text === 'template') {
        return { type: 'template', name: second?.text ?? '', pipeline: readPipeline(words.slice(2)), line };
      }
      if (first.text === 'break' || first.text === 'continue')
        throw new TemplateError(`${first.text} is not supported`);
      if (first.text.startsWith('$') && (second?.text === ':=' || second?.text === '=') && second.kind === 'sign')
        return { type: 'assign', name: first.text, pipeline: readPipeline(words.slice(2)) };
    }
    return { type: 'print', pipeline: readPipeline(words), line };
  }

  #block(depth: number): Node[] {
    const body = this.nodes(depth + 1);
    if (this.end === null) throw new TemplateError('a block that does not end');
    return body;
  }

  #otherwise(depth: number): Node[] {
    const ending = this.end ?? [];
    if (ending[0]?.text !== 'else') return [];
    if (ending.length === 1) return this.#block(depth);
    const kind = ending[1]!.text;
    if (kind !== 'if' && kind !== 'with') throw new TemplateError('an unknown else');
    return [this.#branch(kind, ending.slice(2), depth + 1)];
  }

  #branch(type: 'if' | 'with', words: Token[], depth: number): Node {
    const isNamed = words[1]?.text === ':=' && words[1].kind === 'sign';
    const name = isNamed ? words[0]!.text : '';
    const pipeline = readPipeline(isNamed ? words.slice(2) : words);
    const body = this.#block(depth);
    return { type, name, pipeline, body, otherwise: this.#otherwise(depth) };
  }

  #range(words: Token[], depth: number): Node {
    const assigned = words.findIndex(({ text, kind }) => kind === 'sign' && text === ':=');
    const names = words.slice(0, Math.max(assigned, 0)).filter(({ kind }) => kind === 'word');
    const pipeline = readPipeline(words.slice(assigned + 1));
    const body = this.#block(depth);
    return { type: 'range', names: names.map(({ text }) => text), pipeline, body, otherwise: this.#otherwise(depth) };
  }
}

function readPipeline(words: Token[]): Pipeline {
  const { pipeline, next } = readUntil(words, 0, 0);
  if (next < words.length) throw new TemplateError('an unknown sign');
  return pipeline;
}

function readUntil(words: Token[], start: number, depth: number): { pipeline: Pipeline; next: number } {
  if (depth > maxDepth) throw new TemplateError('nested too deeply');
  const pipeline: Pipeline = [[]];
  let at = start;
  for (; at < words.length; at++) {
    const { text, kind } = words[at]!;
    const command = pipeline.at(-1)!;
    if (kind === 'sign' && text === ')') break;
    if (kind === 'sign' && text === '|') pipeline.push([]);
    else if (kind === 'sign' && text === '(') {
      const inner = readUntil(words, at + 1, depth + 1);
      if (words[inner.next]?.text !== ')') throw new TemplateError('a bracket that does not close');
      at = inner.next;
      const following = words[at + 1];
      const hasPath = following?.kind === 'word' && following.isAdjacent && following.text.startsWith('.');
      if (hasPath) at++;
      command.push({
        type: 'group',
        pipeline: inner.pipeline,
        path: hasPath ? following.text.slice(1).split('.') : [],
      });
    } else if (kind === 'sign') throw new TemplateError('an unknown sign');
    else command.push(operandOf(words[at]!));
  }
  if (pipeline.some((command) => command.length === 0)) throw new TemplateError('an empty command');
  return { pipeline, next: at };
}

function operandOf({ text, kind }: Token): Operand {
  if (kind === 'string') return { type: 'literal', value: text };
  if (kind === 'number') return { type: 'literal', value: Number(text) };
  if (/^(?:true|false|nil)$/.test(text)) return { type: 'literal', value: text === 'nil' ? null : text === 'true' };
  if (!text.startsWith('.') && !text.startsWith('$')) {
    if (text.includes('.')) throw new TemplateError('a function with a field');
    return { type: 'function', name: text };
  }
  const [root = '', ...path] = text.split('.');
  return { type: 'field', root, path: path.filter(Boolean) };
}
