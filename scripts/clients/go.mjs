// Generates the types of the Go client with oapi-codegen. They are in git, since Go builds a module from its tag alone.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { goSchemas } from './go-schemas.mjs';
import { goTool, runGo, runProgram } from './go-tools.mjs';
import { readSurface } from './surface.mjs';
import { writtenOut } from './written-out.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const target = 'clients/go/types_gen.go';

const extra = `
	// Extra holds the fields that this version of the library does not know.
	Extra  map[string]json.RawMessage \`json:"-"\`
	absent []string
`;

const methods = (name, isResponse) =>
  isResponse
    ? `
// UnmarshalJSON reads the ${name} and keeps the fields that it does not know.
func (v *${name}) UnmarshalJSON(data []byte) error { return decodeObject(data, v, &v.Extra, &v.absent) }

// MarshalJSON writes the ${name} as it was read, with what changed since.
func (v ${name}) MarshalJSON() ([]byte, error) { return encodeObject(v, v.Extra, v.absent) }
`
    : `
// MarshalJSON writes the fields that are set.
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

/** Removes the generator's phrases: it repeats names before descriptions, and adds a method that says which values it knows. */
const withoutPhrases = (text) =>
  text
    .replace(/^\/\/ Valid indicates[\s\S]*?^\}\n/gm, '')
    .replace(/^\/\/ (\w+) defines model for \1\.\n/gm, '')
    .replace(
      /^\/\/ Defines values for (\w+)\.$/gm,
      '// The values of $1 that this version knows. Others are kept, and can be sent.',
    )
    .replace(/^(\/\/ \w+) (.*\n(?:\/\/ .*\n)*type )/gm, '$1: $2')
    .replace(/(\{\n|\n\n)(\t\/\/ )\w+ /g, '$1$2');

/** Returns the types that the generator makes from the current openapi.json. */
export async function goTypes() {
  const folder = await mkdtemp(join(tmpdir(), 'assay-go-types-'));
  try {
    const openapi = writtenOut(JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8')));
    const { description, responses } = goSchemas(openapi, await readSurface());
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
    await writeFile(output, `${head}\n${withMethods(withoutPhrases(body), responses)}`);
    await runGo(['fmt', output], folder);
    const text = `\n${await readFile(output, 'utf8')}`;
    const note = '// Code generated from openapi.json by scripts/generate-clients.mjs. DO NOT EDIT.\n';
    return `${note}${await stampOf(text)}${text}`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const writeGo = async () => writeFile(join(root, target), await goTypes());

const sources = [
  'openapi.json',
  'clients/conformance/surface.json',
  'scripts/clients/go.mjs',
  'scripts/clients/go-schemas.mjs',
  'scripts/clients/written-out.mjs',
  'clients/go/tools/go.mod',
  'clients/go/tools/oapi-codegen.yaml',
];

const hashOf = (texts) =>
  texts
    .reduce((hash, text) => hash.update(text), createHash('sha256'))
    .digest('hex')
    .slice(0, 16);

/** Returns the second line of the types: from it, `explainGo` sees without Go whether they are current. */
async function stampOf(body) {
  const texts = await Promise.all(sources.map((path) => readFile(join(root, path), 'utf8')));
  return `// Sources ${hashOf(texts)}, content ${hashOf([body])}.\n`;
}

/** Returns a sentence if the committed types are older than their sources or were edited. */
export async function explainGo() {
  const [, stamp, ...body] = (await readFile(join(root, target), 'utf8')).split('\n');
  return `${stamp}\n` === (await stampOf(body.join('\n'))) ? [] : [`${target} is not what the generator wrote.`];
}
