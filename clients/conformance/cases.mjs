// Reads the exchange files, expands their rows, adds a case for each method and fills in defaults.
import { readdir, readFile } from 'node:fs/promises';
import {
  methodsOf,
  operationsOf,
  readDescription,
  readSurface,
  setByMethodsOf,
} from '../../scripts/clients/surface.mjs';

// Creates a case for each method of the client libraries from openapi.json and surface.json.

const resolveRef = (description, value) =>
  value?.$ref
    ? value.$ref
        .split('/')
        .slice(1)
        .reduce((place, key) => place[key], description)
    : value;

/** Returns a value that a parameter accepts. */
function sampleOf(description, schema, name) {
  const { type, items, enum: values, anyOf, oneOf, minimum } = resolveRef(description, schema);
  if (values) return values[0];
  if (anyOf ?? oneOf) return sampleOf(description, (anyOf ?? oneOf)[0], name);
  if (type === 'array') {
    const item = resolveRef(description, items);
    return item.enum ? item.enum.slice(0, 2) : [sampleOf(description, item, name)];
  }
  if (type === 'integer' || type === 'number') return Math.max(minimum ?? 0, 2);
  if (type === 'boolean') return true;
  return /(^|_)(from|to)$/.test(name) ? '2026-01-31T09:30:00Z' : 'payments-api ü';
}

function argumentsFor(description, operation) {
  const parameters = (operation.parameters ?? []).map((parameter) => resolveRef(description, parameter));
  const ids = {};
  for (const { name, description: text } of parameters.filter((parameter) => parameter.in === 'path')) {
    const prefix = /`(\w+)_…`/.exec(text ?? '')?.[1];
    ids[name] = prefix ? `${prefix}_01jd3x8v6zewv8q6m1b2c3d4e5` : 'secrets';
  }
  const query = {};
  for (const { name, schema } of parameters.filter((parameter) => parameter.in === 'query')) {
    query[name] = sampleOf(description, schema, name);
  }
  return { ids, query };
}

/** Returns the example of a body: its own, its schema's, or, for a page, a page of the example of its items. */
function exampleOf(description, message) {
  const { schema, example } = resolveRef(description, message)?.content?.['application/json'] ?? {};
  const { examples, properties } = resolveRef(description, schema) ?? {};
  if (example !== undefined || examples) return example ?? examples[0];
  const item = resolveRef(description, properties?.data?.items);
  return item && { data: item.examples, next_cursor: null };
}

const asText = (value) => (Array.isArray(value) ? value.map(String) : String(value));

function methodCase(surface, description, operations, [resource, method, entry]) {
  const operation = operations[entry.operation];
  const { ids, query } = argumentsFor(description, operation);
  const [status, success] = Object.entries(operation.responses).find(([code]) =>
    entry.status ? code === String(entry.status) : code.startsWith('2'),
  );
  const setByMethods = setByMethodsOf(surface)[entry.operation] ?? [];
  for (const name of setByMethods) delete query[name];
  const hasBody = operation.requestBody?.content?.['application/json'] !== undefined;
  const sent = { ...query, ...(!hasBody && entry.sets) };
  const result = exampleOf(description, success) ?? null;
  const body = exampleOf(description, operation.requestBody);
  const params = { ...query, ...body };
  const isUpload = entry.arguments.includes('file');
  const given = { ...ids, params, file: { text: '{}' } };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => ids[name]);
  return {
    name: `${resource}.${method} is ${operation.method} ${operation.path}`,
    call: { resource, method, arguments: entry.arguments.map((name) => given[name]) },
    exchanges: [
      {
        request: {
          method: operation.method,
          path,
          ...(Object.keys(sent).length > 0 && {
            query: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, asText(value)])),
          }),
          ...(isUpload ? { text: '{}' } : body !== undefined && { json: { ...body, ...entry.sets } }),
        },
        response: { status: Number(status), ...(result !== null && { json: result }) },
      },
    ],
    expect: { result },
  };
}

/** Returns the topic of the generated cases, in the form of a file of `exchanges/`. */
async function methodCases() {
  const [surface, description] = await Promise.all([readSurface(), readDescription()]);
  const operations = operationsOf(description);
  const cases = methodsOf(surface)
    .filter(([, , { operation, returns }]) => operation in operations && !['content', 'stream'].includes(returns))
    .map((method) => methodCase(surface, description, operations, method));
  return { topic: 'Every method', cases };
}

// Expands the rows of the exchange files into whole cases. README.md describes both.

/** Returns a query as an object; comma-separated values become lists. */
const queryOf = (text) =>
  Object.fromEntries(
    text.split('&').map((pair) => {
      const [name, value] = pair.split(/=(.*)/s);
      return [name, value.includes(',') ? value.split(',') : value];
    }),
  );

/**
 * Expands a request: `GET /findings?limit=2`, a named request of the file with more query parameters, or an object with
 * `is`.
 */
function requestOf(given, named) {
  const { is: text, ...more } = typeof given === 'string' ? { is: given } : given;
  const name = Object.keys(named).find((key) => text === key || text.startsWith(`${key}&`));
  if (name !== undefined) {
    const { query, ...request } = requestOf(named[name], {});
    const added = text === name ? {} : queryOf(text.slice(name.length + 1));
    return { ...request, ...(query && { query: { ...query, ...added } }), ...more };
  }
  const [, method, path, query] = /^(\S+) ([^?]+)(?:\?(.*))?$/s.exec(text);
  return { method, path, ...(query !== undefined && { query: queryOf(query) }), ...more };
}

/** Expands a response. `first` is the number of the request of the first attempt. */
function responseOf(given, first) {
  if (typeof given === 'number') return { status: given };
  if (typeof given === 'string') return { [given]: true };
  if (Array.isArray(given)) {
    const [status, code, message, { details, ...more } = {}] = given;
    const error = { code, message, ...(details && { details }), request_id: `req_${first}` };
    return { status, json: { error }, ...more };
  }
  const { page, next = null, events, ...response } = given;
  if (response.reset || response.hang) return response;
  return {
    status: 200,
    ...(events && { headers: { 'Content-Type': 'text/event-stream' }, chunks: events }),
    ...(page && { json: { data: page, next_cursor: next } }),
    ...response,
  };
}

/** Expands rows, each a request with the responses to it and to its repetitions. */
function exchangesOf(rows, named) {
  const exchanges = [];
  for (const [request, ...responses] of rows) {
    const first = exchanges.length + 1;
    responses.forEach((response, index) => {
      const part = index === 0 ? { request: requestOf(request, named) } : { retry: true };
      exchanges.push({ ...part, response: responseOf(response, first) });
    });
  }
  return exchanges;
}

function callOf([name, ...given]) {
  const dot = name.lastIndexOf('.');
  return { resource: name.slice(0, dot), method: name.slice(dot + 1), arguments: given };
}

/** Expands the expected outcome: by default the last response. */
function expectationOf({ expect, items, error }, exchanges) {
  const responses = exchanges.map(({ response }) => response);
  const { status, json } = responses.at(-1) ?? {};
  if (expect === undefined && items === undefined && error === undefined) return { result: json };
  const all = items === 'all' ? responses.flatMap((response) => response.json?.data ?? []) : items;
  const failure = typeof error === 'string' ? { class: error, status, ...json.error } : error;
  return { ...expect, ...(items && { items: all }), ...(error !== undefined && { error: failure }) };
}

/** Returns a row of an error (its class and the response) as an object. */
function errorRow([error, ...response]) {
  const article = /^[AEIOU]/.test(error) ? 'an' : 'a';
  const name = `${response[0]} ${response[1]} is ${article} ${error}`;
  return { name, client: { max_retries: 0 }, responses: [response], error };
}

/** Returns the whole case of a row. `file` has the default call and request of its rows, and its named requests. */
function expandCase(given, file) {
  const row = Array.isArray(given) ? errorRow(given) : given;
  const { name, client, call = file.call, as, take, times, options, cancel, waits_ms } = row;
  const { request = file.request, responses = [], exchanges: rows } = row;
  const exchanges = exchangesOf(rows ?? (responses.length > 0 ? [[request, ...responses]] : []), file.requests ?? {});
  return {
    name,
    ...(client && { client }),
    call: {
      ...callOf(call),
      ...(as && { as }),
      ...(take && { take }),
      ...(times && { times }),
      ...(options && { options }),
    },
    ...(cancel && { cancel }),
    exchanges,
    ...(waits_ms && { waits_ms }),
    expect: expectationOf(row, exchanges),
  };
}

const folder = new URL('./exchanges/', import.meta.url);

/** The default token. It is assembled here, so that no file contains a token that looks live. */
export const token = ['asy', 'ConformanceTokenThatMustNeverBeShown0000'].join('_');

const findingId = (number) => `fnd_${String(number).padStart(26, '0')}`;

/**
 * Replaces `{"$ref": "name"}` with the value of that name, `{"$finding": 1}` with the finding of that number, and
 * `{token}` in strings with the token.
 */
function resolve(value, values) {
  if (typeof value === 'string') return value.replaceAll('{token}', token);
  if (Array.isArray(value)) return value.map((item) => resolve(item, values));
  if (value === null || typeof value !== 'object') return value;
  const { $finding, ...others } = value;
  const { $ref, ...rest } = $finding === undefined ? value : { $ref: 'finding', id: findingId($finding), ...others };
  if ($ref !== undefined && !(typeof $ref === 'string' && $ref in values))
    throw new Error(`There is no value ${$ref}.`);
  const base = $ref === undefined ? {} : resolve(values[$ref], values);
  const own = Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, resolve(item, values)]));
  return { ...base, ...own };
}

/** Returns the topics in order, by name: the files of `exchanges/`, and `methods`. */
async function readTopics() {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
  const read = async (file) => [file.slice(0, -5), JSON.parse(await readFile(new URL(file, folder), 'utf8'))];
  const topics = await Promise.all(files.map(read));
  const common = JSON.parse(await readFile(new URL('./values.json', import.meta.url), 'utf8'));
  const written = topics.map(([name, { topic, values, cases, ...file }]) => {
    const resolved = cases.map((row) => resolve(expandCase(row, file), { ...common, ...values }));
    return [name, { topic, cases: resolved }];
  });
  return [...written, ['methods', await methodCases()]].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns all cases in the order of their topics, each with `id`, `topic`, `client.token` and `waits_ms`. */
export async function readCases() {
  const topics = await readTopics();
  return topics.flatMap(([name, { topic, cases }]) =>
    cases.map((item, index) => {
      const { client, exchanges = [], waits_ms = [], ...rest } = item;
      return { id: `${name}-${index + 1}`, topic, ...rest, client: { token, ...client }, exchanges, waits_ms };
    }),
  );
}
