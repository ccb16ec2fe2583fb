// Generates the types of the TypeScript client with openapi-typescript, and its resources. They are not in git.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readDescription, readSurface } from './surface.mjs';
import { typescriptResources } from './typescript-resources.mjs';
import { writtenOut } from './written-out.mjs';

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
  'scripts/clients/typescript-resources.mjs',
  'scripts/clients/written-out.mjs',
];

/** Returns the first line of the files: what they are made from. */
async function headLine() {
  const hash = createHash('sha256');
  for (const path of inputs) hash.update(await readFile(join(root, path)));
  return `// Made from openapi.json and surface.json (${hash.digest('hex').slice(0, 16)}) by scripts/generate-clients.mjs. Do not edit.\n`;
}

/** Returns the types that the generator makes of a description. */
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

/** Writes the files unless they are current, or packages for development were left out. */
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

/** Builds the package in its folder: `dist`, and the licence that it carries. */
export function buildTypescript() {
  const run = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', home], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`tsc failed:\n${run.stdout}${run.stderr ?? run.error?.message}`);
  copyFileSync(join(root, 'LICENSE'), join(home, 'LICENSE'));
}
