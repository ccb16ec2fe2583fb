// Makes a case for each method of the client libraries from openapi.json and surface.json.
import {
  methodsOf,
  operationsOf,
  readDescription,
  readSurface,
  setByMethodsOf,
} from '../../scripts/clients/surface.mjs';

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

/** Returns the example of a body: its own, that of its schema, or for a page one with the example of its items. */
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
  const sent = { ...query, ...entry.sets };
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
          ...(isUpload ? { text: '{}' } : body !== undefined && { json: body }),
        },
        response: { status: Number(status), ...(result !== null && { json: result }) },
      },
    ],
    expect: { result },
  };
}

/** Returns the topic of all methods, as the files of `exchanges/` have theirs. */
export async function methodCases() {
  const [surface, description] = await Promise.all([readSurface(), readDescription()]);
  const operations = operationsOf(description);
  const cases = methodsOf(surface)
    .filter(([, , { operation, returns }]) => operation in operations && !['content', 'stream'].includes(returns))
    .map((method) => methodCase(surface, description, operations, method));
  return { topic: 'Every method', cases };
}
