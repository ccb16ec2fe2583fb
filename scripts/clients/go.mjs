// Generates the resources of the Go client, and its types with oapi-codegen. They are in git, since Go builds a
// module directly from its tag.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { goResources } from './go-resources.mjs';
import { goSchemas } from './go-schemas.mjs';
import { goTool, runGo, runProgram } from './go-tools.mjs';
import { readDescription, readSurface } from './surface.mjs';
import { writtenOut } from './written-out.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const targets = ['resources_gen.go', 'types_gen.go'];
const pathOf = (name) => join(root, 'clients', 'go', name);

const extra = `
	// Extra contains the fields that this version of the library does not define.
	Extra  map[string]json.RawMessage \`json:"-"\`
	absent []string
`;

/** Methods for JSON: a response keeps unknown fields, a request omits unset ones. doc.go documents this once. */
const methods = (name, isResponse) =>
  isResponse
    ? `
func (v *${name}) UnmarshalJSON(data []byte) error { return decodeObject(data, v, &v.Extra, &v.absent) }

func (v ${name}) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }
`
    : `
func (v ${name}) MarshalJSON() ([]byte, error) { return encodeObject(v, nil, nil) }
`;

/**
 * Adds the methods that keep unknown fields (responses) and omit unset ones (requests) to each struct, and removes the
 * generator's empty lines between fields.
 */
function withMethods(text, responses) {
  const structs = /^type (\w+) struct \{\n([\s\S]*?)^\}\n/gm;
  return text.replace(structs, (_, name, fields) => {
    const isResponse = responses.has(name);
    const close = fields.replaceAll('\n\n', '\n');
    return `type ${name} struct {\n${close}${isResponse ? extra : ''}}\n${methods(name, isResponse)}`;
  });
}

/**
 * Removes the generator's boilerplate: it repeats names before descriptions, and adds a method that lists the known
 * values.
 */
const withoutPhrases = (text) =>
  text
    .replace(/^\/\/ Valid indicates[\s\S]*?^\}\n/gm, '')
    .replace(/^\/\/ (\w+) defines model for \1\.\n/gm, '')
    .replace(/^\/\/ Defines values for \w+\.\n/gm, '')
    .replace(/^(\/\/ \w+) (.*\n(?:\/\/ .*\n)*type )/gm, '$1: $2')
    .replace(/(\{\n|\n\n)(\t\/\/ )\w+ /g, '$1$2');

/** Returns the types from the generator. */
async function typesOf(surface, openapi, folder) {
  const { description, responses } = goSchemas(writtenOut(openapi), surface);
  const [input, output] = [join(folder, 'openapi.json'), join(folder, 'types.go')];
  await writeFile(input, JSON.stringify(description));
  const config = join(root, 'clients', 'go', 'tools', 'oapi-codegen.yaml');
  await runProgram(goTool('oapi-codegen'), ['-config', config, '-o', output, input], folder);
  const generated = await readFile(output, 'utf8');
  const head = `package assay

import (
	"encoding/json"
	"time"
)
`;
  const body = generated.slice(generated.indexOf('// Defines values'));
  return `${head}\n${withMethods(withoutPhrases(body), responses)}`;
}

/** Returns the texts of the files by name, generated from the current openapi.json and surface.json. */
export async function goFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'assay-go-files-'));
  try {
    const [surface, openapi] = await Promise.all([readSurface(), readDescription()]);
    const texts = {
      'resources_gen.go': goResources(surface, openapi),
      'types_gen.go': await typesOf(surface, openapi, folder),
    };
    const made = {};
    for (const [name, text] of Object.entries(texts)) {
      const file = join(folder, name);
      await writeFile(file, text);
      await runGo(['fmt', file], folder);
      const formatted = `\n${await readFile(file, 'utf8')}`;
      const note =
        '// Code generated from openapi.json and surface.json by scripts/generate-clients.mjs. DO NOT EDIT.\n';
      made[name] = `${note}${await stampOf(formatted)}${formatted}`;
    }
    return made;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes the files. */
export async function writeGo() {
  for (const [name, text] of Object.entries(await goFiles())) await writeFile(pathOf(name), text);
}

const sources = [
  'openapi.json',
  'clients/conformance/surface.json',
  'scripts/clients/go.mjs',
  'scripts/clients/go-resources.mjs',
  'scripts/clients/go-schemas.mjs',
  'scripts/clients/methods.mjs',
  'scripts/clients/written-out.mjs',
  'clients/go/tools/go.mod',
  'clients/go/tools/oapi-codegen.yaml',
];

const hashOf = (texts) =>
  texts
    .reduce((hash, text) => hash.update(text), createHash('sha256'))
    .digest('hex')
    .slice(0, 16);

/** Returns the second line of a file, from which `explainGo` can tell without Go whether the file is current. */
async function stampOf(body) {
  const texts = await Promise.all(sources.map((path) => readFile(join(root, path), 'utf8')));
  return `// Sources ${hashOf(texts)}, content ${hashOf([body])}.\n`;
}

/** Returns a sentence for each committed file that is outdated or was edited. */
export async function explainGo() {
  const stale = [];
  for (const name of targets) {
    const [, stamp, ...body] = (await readFile(pathOf(name), 'utf8')).split('\n');
    if (`${stamp}\n` !== (await stampOf(body.join('\n'))))
      stale.push(`clients/go/${name} is not what the generator wrote.`);
  }
  return stale;
}
