// Generates the TypeScript client's types with openapi-typescript, and its resources. They are not in git.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { camel, describeResources, linesOf, pascal, queryOf, setByFollow } from './methods.mjs';
import { operationsOf, parameterNamesOf, readDescription, readSurface, setByMethodsOf } from './surface.mjs';
import { writtenOut } from './written-out.mjs';

// Writes the resources of the TypeScript client, and the types of their parameters, from surface.json and openapi.json.

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

/** Returns the expression of a body, with the fields that the method sets itself. */
const bodyOf = ({ sets }) =>
  sets
    ? `{ ...params, ${Object.entries(sets)
        .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
        .join(', ')} }`
    : 'params';

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
  const sent = params.length === 0 ? '' : body ? `, json: ${bodyOf(method)}` : ', query: params';
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

/** Returns the name of a resource's class. It ends in `Methods` when a hand-written class extends it. */
function classOf({ name, hasOthers }, description, part) {
  const base = pascal(name.split('.').at(-1));
  if (hasOthers) return part ? `${base}Methods` : base;
  return base in description.components.schemas ? `${base}Resource` : base;
}

/** Returns the texts of the files by name. */
function typescriptResources(surface, description) {
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

const root = fileURLToPath(new URL('../../', import.meta.url));
const home = join(root, 'clients', 'typescript');
const targets = ['client-resources.ts', 'params.ts', 'resources.ts', 'schema.ts'];
const pathOf = (name) => join(home, 'src', name);

/** Returns the description without error responses and headers, for which the library has its own types. */
function withoutPlumbing(description) {
  const { parameters, ...components } = description.components;
  const resolve = (item) => (item.$ref ? parameters[item.$ref.split('/').at(-1)] : item);
  const { Error: ErrorBody, ...schemas } = components.schemas;
  const paths = {};
  for (const [path, item] of Object.entries(description.paths)) {
    paths[path] = {};
    for (const [method, operation] of Object.entries(item)) {
      if (!operation.operationId) continue;
      const responses = Object.entries(operation.responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([status, { headers: _, ...response }]) => [status, response]);
      paths[path][method] = {
        ...operation,
        parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])]
          .map(resolve)
          .filter((parameter) => parameter.in !== 'header'),
        responses: Object.fromEntries(responses),
      };
    }
  }
  return { ...description, paths, components: { schemas: { ...schemas, ErrorBody } } };
}

/** Removes the generator's tags from comments. */
const withoutTags = (text) =>
  text
    .replace(/^(\s*(?:\/\*)?\*+ )@description /gm, '$1')
    .replace(/^\s*\* Format: .*\n/gm, '')
    .replace(/^\s*\* @(enum|constant|default)\b.*\n/gm, '')
    .replace(/^\s*\/\*\* @(enum|constant|default)\b.*\*\/\n/gm, '');

const hasGenerator = () => {
  try {
    return Boolean(findGenerator());
  } catch {
    return false;
  }
};

const findGenerator = () => createRequire(join(home, 'package.json')).resolve('openapi-typescript');

const inputs = [
  'openapi.json',
  'clients/conformance/surface.json',
  'scripts/clients/typescript.mjs',
  'scripts/clients/methods.mjs',
  'scripts/clients/written-out.mjs',
];

/** Returns the first line of the files, which identifies their sources. */
async function headLine() {
  const hash = createHash('sha256');
  for (const path of inputs) hash.update(await readFile(join(root, path)));
  return `// Made from openapi.json and surface.json (${hash.digest('hex').slice(0, 16)}) by scripts/generate-clients.mjs. Do not edit.\n`;
}

/** Returns the types that the generator creates from a description. */
async function makeTypes(description) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-schema-'));
  try {
    const [input, output] = [join(folder, 'openapi.json'), join(folder, 'schema.ts')];
    await writeFile(input, JSON.stringify(withoutPlumbing(writtenOut(description))));
    const program = join(dirname(findGenerator()), '..', 'bin', 'cli.js');
    const options = ['--root-types', '--root-types-no-schema-prefix'];
    const run = spawnSync(process.execPath, [program, input, '-o', output, ...options], {
      encoding: 'utf8',
      cwd: folder,
    });
    if (run.status !== 0) throw new Error(`openapi-typescript failed:\n${run.stdout}${run.stderr}`);
    const text = await readFile(output, 'utf8');
    return withoutTags(text.replace(/^\/\*\*[\s\S]*?\*\/\s*/, ''));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes the files unless they are current or development packages are not installed. */
export async function writeTypescript() {
  const head = await headLine();
  const present = await Promise.all(targets.map((name) => readFile(pathOf(name), 'utf8').catch(() => '')));
  if (present.every((text) => text.startsWith(head)) || !hasGenerator()) return;
  const description = await readDescription();
  const texts = {
    ...typescriptResources(await readSurface(), description),
    'schema.ts': await makeTypes(description),
  };
  for (const name of targets) {
    const unfinished = `${pathOf(name)}.${process.pid}`;
    await writeFile(unfinished, `${head}${texts[name]}`);
    await rename(unfinished, pathOf(name));
  }
}

/** Builds the package in its folder: `dist`, and the licence that it contains. */
export function buildTypescript() {
  const run = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', home], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`tsc failed:\n${run.stdout}${run.stderr ?? run.error?.message}`);
  copyFileSync(join(root, 'LICENSE'), join(home, 'LICENSE'));
}
