// Generates the parts of the client libraries that openapi.json determines: types, an exchange for each method, and the
// tables of clients/README.md.
//   node scripts/generate-clients.mjs [LANGUAGE …]     everything, or only the named languages and their shared parts
//   node scripts/generate-clients.mjs --check          writes nothing, needs no generator, and fails when something is stale
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { explainSurface, methodsFile, readmeFile, readSurface } from './clients/conformance.mjs';
import { languages } from './clients/languages.mjs';

const root = new URL('../', import.meta.url);
const read = (path) => readFile(new URL(path, root), 'utf8').catch(() => '');
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

const command = 'node scripts/generate-clients.mjs';
const recordPath = 'clients/generated.json';
const shared = [
  ['clients/conformance/exchanges/methods.json', methodsFile],
  ['clients/README.md', readmeFile],
];

const hashes = async (paths) =>
  Object.fromEntries(await Promise.all(paths.map(async (path) => [path, sha256(await read(path))])));

/** The committed state of a language: hashes of the description, of other sources, and of each generated file. */
async function describe({ files, sources }) {
  return {
    description: sha256(await read('openapi.json')),
    ...(sources && { sources: await hashes(sources) }),
    files: await hashes(files),
  };
}

async function findStale() {
  const stale = explainSurface(await readSurface(), JSON.parse(await read('openapi.json')));
  for (const [path, make] of shared) if ((await read(path)) !== (await make())) stale.push(`${path} is stale.`);
  const record = JSON.parse((await read(recordPath)) || '{}');
  for (const [name, language] of Object.entries(languages)) {
    const [now, then] = [await describe(language), record[name]];
    if (now.description !== then?.description) stale.push(`The types of ${name} are older than openapi.json.`);
    for (const path of language.sources ?? []) {
      if (now.sources[path] !== then?.sources?.[path]) stale.push(`What is made of ${path} is older than it.`);
    }
    for (const path of language.files) {
      if (now.files[path] !== then?.files[path]) stale.push(`${path} is not what the generator wrote.`);
    }
  }
  return stale;
}

async function generate(names) {
  const record = JSON.parse((await read(recordPath)) || '{}');
  for (const name of names.length > 0 ? names : Object.keys(languages)) {
    const language = languages[name];
    if (!language) throw new Error(`There is no language ${name}. There are ${Object.keys(languages).join(', ')}.`);
    await language.generate();
    record[name] = await describe(language);
  }
  const sorted = Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeFile(new URL(recordPath, root), `${JSON.stringify(sorted, null, 2)}\n`);
  for (const [path, make] of shared) await writeFile(new URL(path, root), await make());
}

const given = process.argv.slice(2);
if (!given.includes('--check')) {
  await generate(given);
} else {
  const stale = await findStale();
  if (stale.length > 0) {
    console.error(`${stale.join('\n')}\nRun "${command}" and commit the result.`);
    process.exitCode = 1;
  }
}
