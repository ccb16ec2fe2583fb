// Generates the types of the TypeScript client with openapi-typescript.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installTools } from './tools.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const target = 'clients/typescript/src/schema.ts';

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

/** Returns the types that the generator makes from the current openapi.json. */
export async function typescriptTypes() {
  const modules = installTools();
  const folder = await mkdtemp(join(tmpdir(), 'assay-schema-'));
  try {
    const description = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8'));
    const [input, output] = [join(folder, 'openapi.json'), join(folder, 'schema.ts')];
    await writeFile(input, JSON.stringify(withoutPlumbing(description)));
    const program = join(modules, 'openapi-typescript', 'bin', 'cli.js');
    const options = ['--root-types', '--root-types-no-schema-prefix'];
    const run = spawnSync(process.execPath, [program, input, '-o', output, ...options], {
      encoding: 'utf8',
      cwd: folder,
    });
    if (run.status !== 0) throw new Error(`openapi-typescript failed:\n${run.stdout}${run.stderr}`);
    const text = await readFile(output, 'utf8');
    const note = '// Generated from openapi.json by scripts/generate-clients.mjs. Do not edit.\n';
    return `${note}${withoutTags(text.replace(/^\/\*\*[\s\S]*?\*\/\s*/, ''))}`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const generate = async () => writeFile(join(root, target), await typescriptTypes());

export const typescript = { files: [target], generate };
