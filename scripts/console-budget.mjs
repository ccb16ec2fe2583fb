// Fails when a page of the console initially loads more script than its budget, compressed as it is sent.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole } from './build-console.mjs';
import { root } from './node.mjs';

/** In bytes, brotli: for any page, and for pages without a session. */
const budget = 250_000;
const budgetWithoutSession = 120_000;
const withoutSession = ['/sign-in', '/accept-invitation', '/reset-password', '/confirm-email'];

await buildConsole(() => {});
const dist = join(root, 'console', 'dist');

/** The scripts in the HTML of a page, which it loads before it shows anything. */
function sizeOf(file) {
  const html = readFileSync(join(dist, 'pages', file), 'utf8');
  const scripts = new Set([...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, script]) => script));
  return [...scripts].reduce((sum, script) => sum + statSync(join(dist, `${script}.br`)).size, 0);
}

const names = JSON.parse(readFileSync(join(dist, 'pages.json'), 'utf8'));
const pages = Object.entries(names).map(([path, file]) => ({
  path,
  size: sizeOf(file),
  allowed: withoutSession.includes(path) ? budgetWithoutSession : budget,
}));
if (pages.length < 10) throw new Error('The pages of the console were not found in its build.');
for (const { path, size } of pages.sort((a, b) => b.size - a.size))
  console.log(`${(size / 1000).toFixed(1).padStart(6)} kB  ${path}`);
for (const { path, allowed } of pages.filter(({ size, allowed }) => size > allowed)) {
  console.error(`${path} is over its budget of ${allowed / 1000} kB.`);
  process.exitCode = 1;
}
