// Generates the tables of clients/README.md, which all client libraries share.
import { readFile } from 'node:fs/promises';
import { readCases } from '../../clients/conformance/cases.mjs';
import { methodsOf, operationsOf, readDescription, readSurface } from './surface.mjs';

export const readmePath = 'clients/README.md';

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const pascal = (name) => camel(`_${name}`).replace(/\.(\w)/g, (_, letter) => `.${letter.toUpperCase()}`);

function surfaceTable(surface, operations) {
  const rows = methodsOf(surface).map(([resource, method, entry]) => {
    const given = entry.arguments.join(', ');
    const operation = operations[entry.operation ?? entry.uses];
    const does = operation ? `\`${operation.method} ${operation.path}\`` : '';
    const typescript = `client.${camel(resource)}.${camel(method)}(${given})`;
    const python = `client.${resource}.${method}(${given})`;
    const go = `c.${pascal(resource)}.${pascal(method)}(${['ctx', given].filter(Boolean).join(', ')})`;
    return `| \`${typescript}\` | \`${python}\` | \`${go}\` | ${entry.uses ? `${does}, repeatedly` : does} |`;
  });
  return ['| TypeScript | Python | Go | request |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function casesTable(cases) {
  const topics = new Map();
  for (const item of cases) topics.set(item.topic, [...(topics.get(item.topic) ?? []), item]);
  const cell = (text) => text.replaceAll('|', '\\|');
  return [...topics]
    .map(([topic, items]) =>
      [`### ${topic}`, '', ...items.map(({ id, name }) => `- \`${id}\` ${cell(name)}`)].join('\n'),
    )
    .join('\n\n');
}

function fill(text, name, content) {
  const [start, end] = [`<!-- ${name}: generated -->`, `<!-- ${name}: end -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < 0) throw new Error(`clients/README.md has lost its marks for ${name}.`);
  return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`;
}

/** Returns the complete text of clients/README.md. */
export async function makeReadme() {
  const [surface, description] = await Promise.all([readSurface(), readDescription()]);
  const text = await readFile(new URL(`../../${readmePath}`, import.meta.url), 'utf8');
  const withSurface = fill(text, 'surface', surfaceTable(surface, operationsOf(description)));
  return fill(withSurface, 'exchanges', casesTable(await readCases()));
}
