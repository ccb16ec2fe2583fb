import { compareSchemas, type Direction, type Schema } from './schema-changes.ts';

type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema: Schema };
type Content = Record<string, { schema?: Schema }>;
type Message = { $ref?: string; required?: boolean; content?: Content; headers?: Record<string, unknown> };
type Operation = {
  parameters?: Parameter[];
  requestBody?: Message;
  responses: Record<string, Message>;
  deprecated?: boolean;
  'x-deprecation'?: { sunset?: string };
  'x-permission'?: unknown;
  security?: unknown;
};
export type ComparableDocument = {
  paths: Record<string, Record<string, Operation>>;
  components?: Record<string, unknown>;
};

/** Resolves the pointer `#/a/b` in a document. */
function resolverOf(document: object) {
  return <T>(ref: string): T => {
    const steps = ref
      .slice(2)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    return steps.reduce((value, step) => (value as Record<string, unknown>)[step], document as unknown) as T;
  };
}

class Comparison {
  readonly found: string[] = [];
  readonly #resolve: [ReturnType<typeof resolverOf>, ReturnType<typeof resolverOf>];
  readonly #today: string;

  constructor(before: ComparableDocument, after: ComparableDocument, today: string) {
    this.#resolve = [resolverOf(before), resolverOf(after)];
    this.#today = today;
  }

  #follow<T extends { $ref?: string }>(side: 0 | 1, value: T): T {
    return value.$ref ? this.#resolve[side]<T>(value.$ref) : value;
  }

  #schemas(before: Schema | undefined, after: Schema | undefined, direction: Direction, where: string): void {
    if (!before || !after) return;
    const pair = { resolve: this.#resolve as [(ref: string) => Schema, (ref: string) => Schema], direction };
    this.found.push(...compareSchemas(before, after, pair).map((change) => `${where} ${change}`));
  }

  #parameters(before: Operation, after: Operation, where: string): void {
    const listOf = (operation: Operation, side: 0 | 1) =>
      new Map(
        (operation.parameters ?? [])
          .map((item) => this.#follow(side, item))
          .map((item) => [`${item.in} ${item.name}`, item]),
      );
    const [olds, news] = [listOf(before, 0), listOf(after, 1)];
    for (const [key, old] of olds) {
      const now = news.get(key);
      if (!now) this.found.push(`${where} parameter ${key}: was removed`);
      else {
        if (now.required && !old.required) this.found.push(`${where} parameter ${key}: is now required`);
        this.#schemas(old.schema, now.schema, 'request', `${where} parameter ${key}`);
      }
    }
    for (const [key, now] of news) {
      if (now.required && !olds.has(key)) this.found.push(`${where} parameter ${key}: is new and required`);
    }
  }

  #contents(before: Content = {}, after: Content = {}, direction: Direction, where: string): void {
    for (const [type, { schema }] of Object.entries(before)) {
      if (!after[type])
        this.found.push(`${where}: no longer ${direction === 'request' ? 'accepts' : 'returns'} ${type}`);
      else this.#schemas(schema, after[type].schema, direction, where);
    }
  }

  #requestBody(before: Operation, after: Operation, where: string): void {
    const old = before.requestBody && this.#follow(0, before.requestBody);
    const now = after.requestBody && this.#follow(1, after.requestBody);
    if (now?.required && !old?.required) this.found.push(`${where} body: is now required`);
    if (old && !now) this.found.push(`${where} body: is no longer accepted`);
    if (old && now) this.#contents(old.content, now.content, 'request', `${where} body`);
  }

  #responses(before: Operation, after: Operation, where: string): void {
    for (const [status, response] of Object.entries(before.responses)) {
      if (Number(status) >= 400) continue;
      const now = after.responses[status];
      if (!now) {
        this.found.push(`${where} response ${status}: was removed`);
        continue;
      }
      const [old, next] = [this.#follow(0, response), this.#follow(1, now)];
      this.#contents(old.content, next.content, 'response', `${where} response ${status}`);
      for (const header of Object.keys(old.headers ?? {})) {
        const stays = Object.keys(next.headers ?? {}).some((name) => name.toLowerCase() === header.toLowerCase());
        if (!stays) this.found.push(`${where} response ${status}: no longer has ${header}`);
      }
    }
  }

  operation(before: Operation, after: Operation | undefined, where: string): void {
    if (!after) {
      const sunset = before['x-deprecation']?.sunset;
      if (sunset === undefined || sunset > this.#today) this.found.push(`${where}: was removed`);
      return;
    }
    // An operation for sessions only may be opened to tokens: sessions can still use it.
    const isOpened = JSON.stringify(before.security) === '[{"session":[]}]' && !before['x-permission'];
    const needs = (operation: Operation) => JSON.stringify([operation['x-permission'], operation.security]);
    if (needs(before) !== needs(after) && !(isOpened && !after['x-permission']))
      this.found.push(`${where}: needs another permission`);
    this.#parameters(before, after, where);
    this.#requestBody(before, after, where);
    this.#responses(before, after, where);
  }
}

/**
 * Lists the changes in `after` that would break a client written for `before`, one line each. An operation may be
 * removed once the sunset date of its deprecation has passed. `today` is a day, `YYYY-MM-DD`.
 */
export function findBreakingChanges(before: ComparableDocument, after: ComparableDocument, today: string): string[] {
  const comparison = new Comparison(before, after, today);
  for (const [path, operations] of Object.entries(before.paths)) {
    // A path may contain `servers`, which is not an operation.
    for (const [method, operation] of Object.entries(operations).filter(([key]) => key !== 'servers')) {
      comparison.operation(operation, after.paths[path]?.[method], `${method.toUpperCase()} ${path}`);
    }
  }
  return comparison.found;
}
