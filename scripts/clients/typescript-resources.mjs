// Writes the resources of the TypeScript client, and the types of their parameters, from surface.json and openapi.json.
import { parameterNames, setByMethods } from './parameters.mjs';
import { operationsOf } from './surface.mjs';

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const pascal = (name) => camel(`_${name}`);

/** Parameters that `follow` sets itself. */
const followed = ['sort', 'limit', 'next_cursor', 'updated_from', 'fields'];
const isTime = ({ name }) => /(^|_)(from|to)$/.test(name);
const omit = (type, names) => `Omit<${type}, ${names.map((name) => `'${name}'`).join(' | ')}>`;

const schemaOf = ({ content } = {}) => content?.['application/json']?.schema?.$ref?.split('/').at(-1);

/** Returns the first paragraph of a description in lines of a comment. */
function comment(text, indent) {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    if (lines.at(-1).length + word.length > 110) lines.push('');
    lines.push(`${lines.pop()} ${word}`.trim());
  }
  if (lines.length === 1) return `${indent}/** ${lines[0]} */`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`].join('\n');
}

class Writer {
  constructor(surface, description) {
    this.surface = surface;
    this.schemas = description.components.schemas;
    this.parameters = description.components.parameters;
    this.operations = operationsOf(description);
  }

  queryOf = ({ parameters = [] }) =>
    parameters
      .map((item) => (item.$ref ? this.parameters[item.$ref.split('/').at(-1)] : item))
      .filter((item) => item.in === 'query');

  /** Returns the types of parameters. */
  params() {
    return Object.entries(parameterNames).flatMap(([id, name]) => {
      const query = `Query<'${id}'>`;
      const dated = this.queryOf(this.operations[id]).some(isTime) ? `WithDates<${query}>` : query;
      const type = setByMethods[id] ? omit(dated, setByMethods[id]) : dated;
      const follow = id === 'listFindings' ? [`export type FindingFollowParams = ${omit(name, followed)};`] : [];
      return [`export type ${name} = ${type};`, ...follow];
    });
  }

  /** Whether the library has the method from here: transport, streams and uploads are written by hand. */
  isMade = ({ operation, arguments: given, returns }) =>
    operation !== undefined && !given.includes('file') && !['content', 'stream'].includes(returns);

  method([name, entry]) {
    const operation = this.operations[entry.operation];
    const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
    const body = schemaOf(operation.requestBody);
    const ids = entry.arguments.filter((argument) => argument !== 'params').map(camel);
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    const segments = operation.path.slice(1).split('/');
    const path = segments.map((segment) =>
      /^\{/.test(segment) ? ids[names.indexOf(segment.slice(1, -1))] : `'${segment}'`,
    );
    const isPage = entry.returns === 'page';
    const result = isPage
      ? this.schemas[schemaOf(success)].properties.data.items.$ref.split('/').at(-1)
      : schemaOf(success);
    const params = [];
    if (entry.arguments.includes('params')) {
      const { required, oneOf } = this.schemas[body] ?? {};
      const mayLack = body
        ? required === undefined && oneOf === undefined && operation.method === 'POST'
        : !this.queryOf(operation).some((item) => item.required);
      const type = body ? `schema.${body}` : parameterNames[entry.operation];
      params.push(body && mayLack ? `params: ${type} = {}` : `params${mayLack ? '?' : ''}: ${type}`);
    }
    const given = [...ids.map((id) => `${id}: string`), ...params, 'options?: RequestOptions'].join(', ');
    const sent = params.length === 0 ? '' : body ? ', json: params' : ', query: params';
    const once = entry.once_with ? `, repeatable: params.${entry.once_with} === undefined` : '';
    const keyed = operation.method !== 'POST' && this.takesKey(operation) ? ', takesKey: true' : '';
    const spec = `{ method: '${operation.method}', path: [${path.join(', ')}]${sent}${once}${keyed} }`;
    const type = isPage ? `PageCall<schema.${result}>` : `Call<${result ? `schema.${result}` : 'void'}>`;
    const call = isPage ? `this.pages([${path.join(', ')}], params, options)` : `this.call(${spec}, options)`;
    const text = `${operation.summary}. ${operation.description.split('\n')[0]}`;
    return `${comment(text, '  ')}\n  ${camel(name)}(${given}): ${type} {\n    return ${call};\n  }`;
  }

  takesKey = ({ parameters = [] }) => parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'));

  className(resource, methods) {
    const name = pascal(resource.split('.').at(-1));
    if (methods.some(([, entry]) => !this.isMade(entry))) return `${name}Methods`;
    return name in this.schemas ? `${name}Resource` : name;
  }

  resource([resource, entries]) {
    const methods = Object.entries(entries);
    const made = methods.filter(([, entry]) => this.isMade(entry));
    if (made.length === 0) return [];
    const children = Object.entries(this.surface.resources)
      .filter(([name]) => name.startsWith(`${resource}.`))
      .map(
        ([name, child]) =>
          `  readonly ${camel(name.split('.')[1])} = new ${this.className(name, Object.entries(child))}(this.transport);`,
      );
    const about = this.surface.about[resource];
    const head = `${comment(about, '')}\nexport class ${this.className(resource, methods)} extends Resource {`;
    return [
      [
        head,
        ...(children.length > 0 ? [children.join('\n')] : []),
        made.map((method) => this.method(method)).join('\n\n'),
        '}',
      ].join('\n'),
    ];
  }

  resources() {
    // Resources within others come before them.
    const inner = ([resource]) => Number(resource.includes('.'));
    const order = Object.entries(this.surface.resources).sort((a, b) => inner(b) - inner(a));
    const made = Object.values(this.surface.resources).flatMap(Object.values).filter(this.isMade);
    const names = made.map(({ operation }) => parameterNames[operation]).filter(Boolean);
    const head = `import type { Call, PageCall } from './call.ts';
import type { RequestOptions } from './options.ts';
import type { ${names.join(', ')} } from './params.ts';
import { Resource } from './resource.ts';
import type * as schema from './schema.ts';`;
    return `${[head, ...order.flatMap((entry) => this.resource(entry))].join('\n\n')}\n`;
  }
}

/** Returns the texts of the files by their names. */
export function typescriptResources(surface, description) {
  const writer = new Writer(surface, description);
  const params = ["import type { Query, WithDates } from './query.ts';\n", ...writer.params(), ''].join('\n');
  return { 'params.ts': params, 'resources.ts': writer.resources() };
}
