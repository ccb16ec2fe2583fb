// Writes the resources of the TypeScript client, and the types of their parameters, from surface.json and openapi.json.
import { camel, describeResources, linesOf, pascal, queryOf, setByFollow } from './methods.mjs';
import { operationsOf, parameterNamesOf, setByMethodsOf } from './surface.mjs';

const isTime = ({ name }) => /(^|_)(from|to)$/.test(name);
const omit = (type, names) => `Omit<${type}, ${names.map((name) => `'${name}'`).join(' | ')}>`;

/** Returns text as a comment. */
function comment(text, indent) {
  const lines = linesOf(text, 112);
  if (lines.length === 1) return `${indent}/** ${lines[0]} */`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`].join('\n');
}

/** Returns the types of parameters. */
function paramsOf(surface, description) {
  const operations = operationsOf(description);
  const setByMethods = setByMethodsOf(surface);
  return Object.entries(parameterNamesOf(surface)).flatMap(([id, name]) => {
    const query = `Query<'${id}'>`;
    const dated = queryOf(description, operations[id]).some(isTime) ? `WithDates<${query}>` : query;
    const type = setByMethods[id] ? omit(dated, setByMethods[id]) : dated;
    const follow = id === 'listFindings' ? [`export type FindingFollowParams = ${omit(name, setByFollow)};`] : [];
    return [`export type ${name} = ${type};`, ...follow];
  });
}

function methodOf(method) {
  const { name, verb, returns, body, onceWith } = method;
  const path = method.path.map(({ text, id }) => (id ? camel(id) : `'${text}'`)).join(', ');
  const params = [];
  if (method.params) {
    const type = body ? `schema.${body}` : method.params;
    const optional = body ? `params: ${type} = {}` : `params?: ${type}`;
    params.push(method.paramsMayLack ? optional : `params: ${type}`);
  }
  const given = [...method.ids.map((id) => `${camel(id)}: string`), ...params, 'options?: RequestOptions'].join(', ');
  const sent = params.length === 0 ? '' : body ? ', json: params' : ', query: params';
  const once = onceWith ? `, repeatable: params.${onceWith} === undefined` : '';
  const keyed = method.takesKey ? ', takesKey: true' : '';
  const spec = `{ method: '${verb}', path: [${path}]${sent}${once}${keyed} }`;
  const result = method.result ? `schema.${method.result}` : 'void';
  const [type, call] = {
    page: [`PageCall<${result}>`, `this.pages([${path}], params, options)`],
    content: ['Promise<Content>', `download(this.transport, [${path}], params, options)`],
    object: [`Call<${result}>`, `this.call(${spec}, options)`],
    nothing: ['Call<void>', `this.call(${spec}, options)`],
  }[returns];
  const text = comment(`${method.summary}. ${method.text}`, '  ');
  return `${text}\n  ${camel(name)}(${given}): ${type} {\n    return ${call};\n  }`;
}

/** Returns the name of a resource's class; `Methods` ends that of a part, which a class that is written by hand extends. */
function classOf({ name, hasOthers }, description, part) {
  const base = pascal(name.split('.').at(-1));
  if (hasOthers) return part ? `${base}Methods` : base;
  return base in description.components.schemas ? `${base}Resource` : base;
}

/** Returns the texts of the files by their names. */
export function typescriptResources(surface, description) {
  const resources = describeResources(surface, description);
  const byName = Object.fromEntries(resources.map((resource) => [resource.name, resource]));
  const classes = resources
    .filter(({ methods }) => methods.length > 0)
    .map((resource) => {
      const inner = resource.inner.map(
        (name) =>
          `  readonly ${camel(name.split('.')[1])} = new ${classOf(byName[name], description, true)}(this.transport);`,
      );
      return [
        `${comment(resource.about, '')}\nexport class ${classOf(resource, description, true)} extends Resource {`,
        ...(inner.length > 0 ? [inner.join('\n')] : []),
        resource.methods.map(methodOf).join('\n\n'),
        '}',
      ].join('\n');
    });
  const made = resources.flatMap(({ methods }) => methods);
  const names = new Set(made.filter(({ params, body }) => params && !body).map(({ params }) => params));
  const head = `import type { Call, PageCall } from './call.ts';
import type { Content } from './content.ts';
import { download } from './download.ts';
import type { RequestOptions } from './options.ts';
import type { ${[...names].join(', ')} } from './params.ts';
import { Resource } from './resource.ts';
import type * as schema from './schema.ts';`;
  const fields = resources
    .filter(({ name }) => !name.includes('.'))
    .map((resource) => [camel(resource.name), classOf(resource, description, false), resource]);
  const byHand = fields
    .filter(([, , { hasOthers }]) => hasOthers)
    .map(([field, name]) => [name, `./resources/${field}.ts`]);
  const others = resources
    .filter(({ hasOthers }) => !hasOthers)
    .map((resource) => classOf(resource, description, false));
  return {
    'params.ts': ["import type { Query, WithDates } from './query.ts';\n", ...paramsOf(surface, description), ''].join(
      '\n',
    ),
    'resources.ts': `${[head, ...classes].join('\n\n')}\n`,
    'client-resources.ts': `${[
      ...byHand.map(([name, file]) => `import { ${name} } from '${file}';`),
      `import { ${others.join(', ')} } from './resources.ts';`,
      "import type { Transport } from './transport.ts';\n",
      `export type { ${[...byHand.map(([name]) => name), ...others].join(', ')} };\n`,
      '/** The resources of a client. */',
      'export class ClientResources {',
      ...fields.map(([field, name]) => `  readonly ${field}: ${name};`),
      '\n  /** @hidden */',
      '  constructor(transport: Transport) {',
      ...fields.map(([field, name]) => `    this.${field} = new ${name}(transport);`),
      '  }\n}',
    ].join('\n')}\n`,
  };
}
