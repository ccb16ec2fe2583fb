/**
 * Writes openapi.json from the route table. With `--check` it writes nothing, and fails when the file is outdated.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { apiDocument } from '../server/processes/api-document.ts';

const file = fileURLToPath(new URL('../openapi.json', import.meta.url));

const width = 120;

/** Returns a value as JSON on one line. */
function onOneLine(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${onOneLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

const isReference = (value: unknown) => value !== null && typeof value === 'object' && '$ref' in value;

/**
 * Returns a value as JSON with the line width of the repository. `before` is the start of its first line. References
 * are put on one line as far as they fit: each operation has about fifteen.
 */
function print(value: unknown, before = ''): string {
  const line = onOneLine(value);
  if (value === null || typeof value !== 'object' || before.length + line.length < width) return line;
  const [indent = ''] = /^ */.exec(before) ?? [];
  const parts = Array.isArray(value)
    ? value.map((item) => ['', item])
    : Object.entries(value).map(([name, member]) => [`${JSON.stringify(name)}: `, member]);
  const lines: string[] = [];
  let filled = false;
  for (const [name, part] of parts) {
    const text = `${name}${print(part, `${indent}  ${name}`)}`;
    const line = `${lines.at(-1)}, ${text}`;
    const joins = filled && isReference(part) && line.length < width;
    if (joins) lines.pop();
    lines.push(joins ? line : `${indent}  ${text}`);
    filled = isReference(part);
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

const text = `${print(JSON.parse(JSON.stringify(apiDocument())))}\n`;

if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed !== text) {
    console.error('openapi.json is stale: run "node scripts/generate-openapi.ts" and commit the result.');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
}
