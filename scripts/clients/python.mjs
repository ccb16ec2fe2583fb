// Generates the Python client's types from openapi.json, and its synchronous half from the asynchronous one.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonEnums } from './python-enums.mjs';
import { requestSchemas, responseSchemas } from './python-schemas.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const home = 'clients/python';
const library = `${home}/src/assay`;
const requirements = join(root, home, 'tools', 'requirements.txt');

/** Returns the modules of a half of the client. Where the halves differ, each is written by hand. */
const modulesOf = (half) =>
  readdirSync(join(root, library, half))
    .filter((name) => name.endsWith('.py') && name !== '_runtime.py')
    .sort();

const environment = () => ({ PATH: process.env.PATH, HOME: process.env.HOME, PYTHONDONTWRITEBYTECODE: '1' });

/** Runs a program and returns its output; throws its error output when it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...options });
  if (result.status !== 0) {
    const said = `${result.stdout ?? ''}${result.stderr ?? result.error?.message ?? ''}`;
    throw new Error(`${[command, ...args].join(' ')} failed:\n${said}`);
  }
  return result.stdout;
}

/**
 * Returns the interpreter of an environment with tools/requirements.txt, creating it if necessary. It needs Python 3 with its
 * module venv. Two processes may create it at once: complete environments are moved into place.
 */
export function pythonTools(say = () => undefined) {
  const cache = join(root, 'node_modules', '.cache', 'python');
  const name = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const python = join(cache, name, 'bin', 'python3');
  if (existsSync(join(cache, name))) return python;
  say('Installing what generates, documents and tests the Python client …');
  mkdirSync(cache, { recursive: true });
  const made = mkdtempSync(join(cache, 'new-'));
  run('python3', ['-m', 'venv', made]);
  const options = ['--quiet', '--disable-pip-version-check', '-r', requirements];
  run(join(made, 'bin', 'python3'), ['-m', 'pip', 'install', ...options]);
  try {
    renameSync(made, join(cache, name));
  } catch (error) {
    rmSync(made, { recursive: true });
    if (!existsSync(python)) throw error;
  }
  return python;
}

const generatorOptions = [
  ...['--input-file-type', 'openapi', '--target-python-version', '3.10', '--disable-timestamp'],
  ...['--use-union-operator', '--use-standard-collections', '--enum-field-as-literal', 'all'],
  ...['--use-schema-description', '--use-field-description', '--collapse-root-models', '--formatters', 'builtin'],
  ...['--output-datetime-class', 'datetime'],
  ...['--custom-file-header', '# Generated from openapi.json by scripts/generate-clients.mjs. Do not edit.'],
];
const modelOptions = ['--output-model-type', 'pydantic_v2.BaseModel', '--base-class', 'assay._models.Model'];

/** Writes everything that is generated into a copy of the library. */
export function writePython(target) {
  const python = pythonTools();
  const module = (...args) => run(python, ['-I', '-m', ...args], { env: environment() });
  const folder = mkdtempSync(join(tmpdir(), 'assay-python-'));
  try {
    const description = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
    const types = (name, schemas, options) => {
      const input = join(folder, `${name}.json`);
      writeFileSync(input, JSON.stringify(schemas));
      // Outside the library: the generator would take the line length of its settings, and break lines differently in a copy.
      const output = join(folder, `${name}.py`);
      module('datamodel_code_generator', '--input', input, ...generatorOptions, ...options, '--output', output);
      copyFileSync(output, join(target, `${name}.py`));
    };
    types('types', responseSchemas(description), [...modelOptions, '--use-annotated']);
    types('params', requestSchemas(description), ['--output-model-type', 'typing.TypedDict']);
    writeFileSync(join(target, 'enums.py'), pythonEnums(description));
  } finally {
    rmSync(folder, { recursive: true });
  }
  const halves = ['_async', '_sync'].map((half) => join(target, half));
  run(python, ['-I', join(root, home, 'tools', 'make_sync.py'), ...halves], { env: environment() });
  const written = [halves[1], ...['types', 'params', 'enums'].map((name) => join(target, `${name}.py`))];
  const settings = ['--config', join(root, home, 'pyproject.toml'), '--no-cache', '--quiet'];
  module('ruff', 'check', ...settings, '--fix', '--exit-zero', ...written);
  module('ruff', 'format', ...settings, ...written);
}

export const python = {
  files: [
    `${library}/types.py`,
    `${library}/params.py`,
    `${library}/enums.py`,
    ...modulesOf('_async').map((name) => `${library}/_sync/${name}`),
  ],
  sources: [
    `${home}/tools/make_sync.py`,
    `${home}/tools/requirements.txt`,
    ...modulesOf('_async').map((name) => `${library}/_async/${name}`),
  ],
  generate: async () => writePython(join(root, library)),
};
