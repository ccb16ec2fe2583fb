import type { TProperties, TSchema } from 'typebox';
import { type ErrorDetail, invalid } from '../errors.ts';

type Values = Map<string, string[]>;

function decode(text: string): string {
  return text.includes('%') || text.includes('+') ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
}

/**
 * Parses a raw query string into its parameters, in the order of their first occurrence. Throws 400 unless it is
 * URL-encoded UTF-8.
 */
export function readQueryString(url: string): Values {
  const values: Values = new Map();
  const start = url.indexOf('?');
  if (start < 0) return values;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    try {
      const name = decode(equals < 0 ? pair : pair.slice(0, equals));
      const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
      const known = values.get(name);
      if (known) known.push(value);
      else values.set(name, [value]);
    } catch {
      throw invalid('query', 'query string', 'must be URL-encoded UTF-8');
    }
  }
  return values;
}

type Json = { type?: string; items?: Json; default?: unknown; maxItems?: number };

/**
 * Decimal numbers by type. Programs write very small or large numbers with an exponent (Python: 5e-05), and a
 * fraction with up to 17 digits after its zeros.
 */
const numberShapes: Record<string, RegExp> = {
  integer: /^-?\d{1,15}(\.\d{1,15})?$/,
  number: /^-?\d{1,15}(\.\d{1,25})?(e[+-]?\d{1,3})?$/i,
};

/**
 * Converts a parameter's text to its type. Returns the text unchanged when that is impossible: validation then
 * refuses it.
 */
function coerce(schema: Json, text: string): unknown {
  if (numberShapes[schema.type ?? '']?.test(text)) return Number.isFinite(Number(text)) ? Number(text) : text;
  if (schema.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/**
 * Converts query parameters to the types of their schemas: lists can have several values, other types one. Fills in
 * defaults.
 */
export function coerceQuery(properties: TProperties, values: Values): { query: object; wrong: ErrorDetail[] } {
  const query: Record<string, unknown> = Object.create(null);
  const wrong: ErrorDetail[] = [];
  for (const [name, texts] of values) {
    const schema = (Object.hasOwn(properties, name) ? properties[name] : {}) as TSchema & Json;
    if (schema.type === 'array') {
      const items = texts.flatMap((text) => text.split(',')).map((text) => text.trim());
      // Repetitions count against the limit too, or a request could contain any number of them.
      const { maxItems = items.length } = schema;
      query[name] = (items.length > maxItems ? items : [...new Set(items)]).map((text) =>
        coerce(schema.items ?? {}, text),
      );
      continue;
    }
    if (texts.length > 1 && Object.hasOwn(properties, name)) {
      wrong.push({ in: 'query', field: name, message: 'must be given once only' });
    }
    query[name] = coerce(schema, texts[0]!);
  }
  for (const [name, schema] of Object.entries(properties)) {
    const fallback = (schema as Json).default;
    if (!(name in query) && fallback !== undefined) query[name] = fallback;
  }
  return { query, wrong };
}
