/**
 * Writes openapi.json from the route table. With `--check` it writes nothing and fails when the file is stale.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { apiDocument } from '../server/api-document.ts';

const file = fileURLToPath(new URL('../openapi.json', import.meta.url));
const text = `${JSON.stringify(apiDocument(), null, 2)}\n`;

if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed !== text) {
    console.error('openapi.json is stale: run "node scripts/generate-openapi.ts" and commit the result.');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
}
