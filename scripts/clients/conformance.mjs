// Makes the parts that all client libraries share from openapi.json and surface.json: an exchange for each method, and
// the tables of clients/README.md.
import { readFile } from 'node:fs/promises';
import { readCases } from '../../clients/conformance/cases.mjs';
import { setByMethods } from './parameter-names.mjs';

const root = new URL('../../', import.meta.url);
const readJson = async (path) => JSON.parse(await readFile(new URL(path, root), 'utf8'));

export const readSurface = () => readJson('clients/conformance/surface.json');

/** Returns the operations of the description by their ids, each with its method and path. */
export function operationsOf(description) {
  const operations = {};
  for (const [path, item] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (operation.operationId)
        operations[operation.operationId] = { path, method: method.toUpperCase(), ...operation };
    }
  }
  return operations;
}

/** Returns the methods of the surface: `[resource, method, its entry in surface.json]`. */
export const methodsOf = (surface) =>
  Object.entries(surface.resources).flatMap(([resource, methods]) =>
    Object.entries(methods).map(([method, entry]) => [resource, method, entry]),
  );

/** Returns sentences that say where surface.json and the description disagree. */
export function explainSurface(surface, description) {
  const operations = operationsOf(description);
  const offered = new Set(methodsOf(surface).map(([, , { operation }]) => operation));
  const uses = methodsOf(surface).map(([, , entry]) => entry.operation ?? entry.uses);
  const known = new Set([...offered, ...Object.keys(surface.omitted)]);
  const file = 'clients/conformance/surface.json';
  return [
    ...Object.keys(operations)
      .filter((id) => !known.has(id))
      .map(
        (id) => `${id}: add the method that offers it to ${file} and to each library, or the reason under "omitted".`,
      ),
    ...[...uses, ...Object.keys(surface.omitted)]
      .filter((id) => !(id in operations))
      .map((id) => `${id}: ${file} names it, but openapi.json does not have it.`),
  ];
}

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

const asText = (value) => (Array.isArray(value) ? value.map(String) : String(value));

function methodCase(description, operations, [resource, method, entry]) {
  const operation = operations[entry.operation];
  const { ids, query } = argumentsFor(description, operation);
  const [status, success] = Object.entries(operation.responses).find(([code]) =>
    entry.status ? code === String(entry.status) : code.startsWith('2'),
  );
  for (const name of setByMethods[entry.operation] ?? []) delete query[name];
  const sent = { ...query, ...entry.sets };
  const result = resolveRef(description, success).content?.['application/json']?.example ?? null;
  const body =
    operation.requestBody && resolveRef(description, operation.requestBody).content['application/json']?.example;
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

function methodCases(surface, description) {
  const operations = operationsOf(description);
  const cases = methodsOf(surface)
    .filter(([, , { operation, returns }]) => operation in operations && !['content', 'stream'].includes(returns))
    .map((method) => methodCase(description, operations, method));
  return { topic: 'Every method', cases };
}

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const pascal = (name) => camel(`_${name}`).replace(/\.(\w)/g, (_, letter) => `.${letter.toUpperCase()}`);

function surfaceTable(surface, operations) {
  const rows = methodsOf(surface).map(([resource, method, entry]) => {
    const given = entry.arguments.join(', ');
    const operation = operations[entry.operation ?? entry.uses];
    const does = operation ? `\`${operation.method} ${operation.path}\`` : '';
    const typescript = `client.${camel(resource)}.${camel(method)}(${given})`;
    const python = `client.${resource}.${method}(${given})`;
    const go = `c.${pascal(resource)}.${pascal(method)}(${['ctx', given].filter(Boolean).join(', ')})`;
    return `| \`${typescript}\` | \`${python}\` | \`${go}\` | ${entry.uses ? `${does}, repeatedly` : does} |`;
  });
  return ['| TypeScript | Python | Go | request |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function casesTable(cases) {
  const topics = new Map();
  for (const item of cases) topics.set(item.topic, [...(topics.get(item.topic) ?? []), item]);
  const cell = (text) => text.replaceAll('|', '\\|');
  return [...topics]
    .map(([topic, items]) =>
      [`### ${topic}`, '', ...items.map(({ id, name }) => `- \`${id}\` ${cell(name)}`)].join('\n'),
    )
    .join('\n\n');
}

function fill(text, name, content) {
  const [start, end] = [`<!-- ${name}: generated -->`, `<!-- ${name}: end -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < 0) throw new Error(`clients/README.md has lost its marks for ${name}.`);
  return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`;
}

/** Returns the expected files: path to text. `methods.json` must be written before the README, which lists its cases. */
export async function methodsFile() {
  const [surface, description] = [await readSurface(), await readJson('openapi.json')];
  return `${JSON.stringify(methodCases(surface, description), null, 2)}\n`;
}

export async function readmeFile() {
  const [surface, description] = [await readSurface(), await readJson('openapi.json')];
  const text = await readFile(new URL('clients/README.md', root), 'utf8');
  const withSurface = fill(text, 'surface', surfaceTable(surface, operationsOf(description)));
  return fill(withSurface, 'exchanges', casesTable(await readCases()));
}
