// Fails when a page of the console loads more script than its budget at first, compressed as it is sent.
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { addScripts, buildConsole } from './build-console.mjs';
import { root } from './node.mjs';

/** In bytes, brotli. */
const budget = 250_000;

await buildConsole(() => {});
const dist = join(root, 'console', 'dist');
const { outputs } = JSON.parse(readFileSync(join(dist, 'metafile.json'), 'utf8'));
const sizeOf = (path) => statSync(join(dist, 'assets', `${basename(path)}.br`)).size;

const outputOf = (source) => Object.keys(outputs).find((path) => outputs[path].entryPoint === source);
const main = addScripts(outputs, outputOf('console/main.tsx'), new Set());
const isPage = ([path, { entryPoint }]) => path.endsWith('.js') && /\/(.*-)?page\.tsx$/.test(entryPoint ?? '');
const pages = Object.entries(outputs)
  .filter(isPage)
  .map(([path, { entryPoint }]) => ({
    page: entryPoint.replace('console/features/', ''),
    size: [...addScripts(outputs, path, new Set(main))].reduce((sum, script) => sum + sizeOf(script), 0),
  }))
  .sort((a, b) => b.size - a.size);
if (pages.length < 10) throw new Error('The pages of the console were not found in its build.');
for (const { page, size } of pages) console.log(`${(size / 1000).toFixed(1).padStart(6)} kB  ${page}`);
const large = pages.filter(({ size }) => size > budget);
if (large.length > 0) {
  console.error(`Over the budget of ${budget / 1000} kB: ${large.map(({ page }) => page).join(', ')}.`);
  process.exitCode = 1;
}
