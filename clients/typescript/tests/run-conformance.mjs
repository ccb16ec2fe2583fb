// Runs every exchange in the current runtime (Node.js, Deno, Bun) and prints the failures as JSON.
//   run-conformance.mjs ENTRY SERVER SURFACE     the installed package's entry, the exchange server's URL, surface.json
import { inspect } from 'node:util';
import { runCase } from './conformance.fixture.mjs';

const [entry, server, surfacePath] = process.argv.slice(-3);
const library = await import(entry);
const { default: surface } = await import(surfacePath, { with: { type: 'json' } });
const show = (value) => inspect(value, { depth: 10, showHidden: true });
const cases = await (await fetch(`${server}/cases`)).json();
const failures = [];
for (const conformanceCase of cases) {
  try {
    await runCase(library, conformanceCase, server, surface, show);
  } catch (error) {
    failures.push(`${conformanceCase.id} (${conformanceCase.name}): ${error.message}`);
  }
}
console.log(JSON.stringify({ cases: cases.length, failures }));
process.exit(0);
