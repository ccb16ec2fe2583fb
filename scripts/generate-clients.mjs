// Generates the parts of the client libraries that depend on openapi.json: Go's types and the tables of clients/README.md,
// which are committed, and TypeScript's types, which every installation generates. Python's package generates its own
// (hatch_build.py).
//   node scripts/generate-clients.mjs             everything; needs Go
//   node scripts/generate-clients.mjs --types     TypeScript's types, if they are older than openapi.json
//   node scripts/generate-clients.mjs --check     writes nothing, needs no generator, and fails when anything is outdated
import { readFile, writeFile } from 'node:fs/promises';
import { explainGo, writeGo } from './clients/go.mjs';
import { makeReadme, readmePath } from './clients/readme.mjs';
import { explainSurface, readDescription, readSurface } from './clients/surface.mjs';
import { writeTypescript } from './clients/typescript.mjs';

const readme = new URL(`../${readmePath}`, import.meta.url);

async function findStale() {
  const stale = explainSurface(await readSurface(), await readDescription());
  if ((await readFile(readme, 'utf8')) !== (await makeReadme())) stale.push(`${readmePath} is stale.`);
  return [...stale, ...(await explainGo())];
}

if (process.argv.includes('--check')) {
  const stale = await findStale();
  if (stale.length > 0) {
    console.error(`${stale.join('\n')}\nRun "node scripts/generate-clients.mjs" and commit the result.`);
    process.exitCode = 1;
  }
} else {
  await writeTypescript();
  if (!process.argv.includes('--types')) {
    await writeGo();
    await writeFile(readme, await makeReadme());
    // The clients have no method for some operation, or a wrong one.
    const missing = explainSurface(await readSurface(), await readDescription());
    if (missing.length > 0) {
      console.error(missing.join('\n'));
      process.exitCode = 1;
    }
  }
}
