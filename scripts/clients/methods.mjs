// Describes the methods of the client libraries for the TypeScript and Go generators, from surface.json and
// openapi.json.
import { operationsOf } from './surface.mjs';

export const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
export const pascal = (name) => camel(`_${name}`);

/** Parameters of the list of findings that `follow` sets itself. */
export const setByFollow = ['sort', 'limit', 'next_cursor', 'updated_from', 'fields'];

const schemaOf = ({ content } = {}) => content?.['application/json']?.schema?.$ref?.split('/').at(-1);

/** Returns the query parameters of an operation. */
export const queryOf = (description, { parameters = [] }) =>
  parameters
    .map((item) => (item.$ref ? description.components.parameters[item.$ref.split('/').at(-1)] : item))
    .filter((item) => item.in === 'query');

/** Wraps text into lines of at most `width` characters. */
export function linesOf(text, width) {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    if (lines.at(-1).length + word.length >= width) lines.push('');
    lines.push(`${lines.pop()} ${word}`.trim());
  }
  return lines;
}

/** Returns whether a library's method is generated: streams, uploads and waiting are written by hand. */
const isGenerated = ({ operation, arguments: given, returns }) =>
  operation !== undefined && !given.includes('file') && returns !== 'stream';

function describeMethod(description, operations, [name, entry]) {
  const operation = operations[entry.operation];
  const { schemas } = description.components;
  const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith(`${entry.status ?? 2}`));
  const body = schemaOf(operation.requestBody);
  const isPage = entry.returns === 'page';
  const response = schemaOf(success);
  const ids = entry.arguments.filter((argument) => argument !== 'params');
  const places = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, place]) => place);
  const [summary, text] = (entry.says ?? `${operation.summary}. ${operation.description}`).split(/\. (.*)/s);
  const required = schemas[body]?.required ?? schemas[body]?.oneOf;
  return {
    name,
    returns: entry.returns ?? (response ? 'object' : 'nothing'),
    result: isPage ? schemas[response].properties.data.items.$ref.split('/').at(-1) : response,
    verb: operation.method,
    /** Each segment is `{ text }`, or `{ id }` with the name of an argument. */
    path: operation.path
      .slice(1)
      .split('/')
      .map((text) => (text.startsWith('{') ? { id: ids[places.indexOf(text.slice(1, -1))] } : { text })),
    ids,
    body,
    params: entry.arguments.includes('params') ? (body ?? entry.params) : undefined,
    paramsMayLack: body
      ? required === undefined && operation.method === 'POST'
      : !queryOf(description, operation).some((item) => item.required),
    onceWith: entry.once_with,
    takesKey:
      operation.method !== 'POST' && (operation.parameters ?? []).some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')),
    sets: body && entry.sets,
    summary,
    text: text.split('\n')[0],
  };
}

/**
 * Returns the resources: `name` from surface.json, `about`, generated `methods`, whether some are written by hand
 * (`hasOthers`), and the names of nested resources (`inner`). Nested resources come first.
 */
export function describeResources(surface, description) {
  const operations = operationsOf(description);
  const names = Object.keys(surface.resources);
  const resources = Object.entries(surface.resources).map(([name, entries]) => {
    const methods = Object.entries(entries);
    const generated = methods.filter(([, entry]) => isGenerated(entry));
    return {
      name,
      about: surface.about[name],
      methods: generated.map((method) => describeMethod(description, operations, method)),
      hasOthers: generated.length < methods.length,
      inner: names.filter((other) => other.startsWith(`${name}.`)),
    };
  });
  return resources.sort((a, b) => Number(b.name.includes('.')) - Number(a.name.includes('.')));
}
