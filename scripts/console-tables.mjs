// Writes the console's tables of openapi.json's lists: filters and orders of findings, the formats of result files,
// and the ecosystems of advisories. Plain JavaScript for the machine's own Node.js.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './node.mjs';

const types = { array: 'list', boolean: 'boolean', integer: 'number', number: 'number', string: 'string' };

/** The language of the console. */
const inEnglish = ({ label, ...value }) => (label ? { ...value, label: label.en } : value);

/**
 * Returns the console's data about a parameter: its name, its type and limits, and the server's description of the
 * filter.
 */
function filterOf({ name, schema, 'x-filter': { control, ...filter } }) {
  const { type, minimum, maximum } = schema;
  const values = control.values?.map(inEnglish);
  return inEnglish({
    name,
    type: types[type],
    minimum,
    maximum,
    ...filter,
    control: { ...control, values },
  });
}

/** The filters in the order of the list's parameters, and its orders. */
function filterTable({ paths, components }) {
  const named = (part, kind) => (part.$ref ? components[kind][part.$ref.split('/').at(-1)] : part);
  const parameters = paths['/findings'].get.parameters.map((parameter) => named(parameter, 'parameters'));
  const filters = parameters
    .filter((parameter) => parameter['x-filter'])
    .map((parameter) => filterOf({ ...parameter, schema: named(parameter.schema, 'schemas') }));
  const sorts = parameters.find(({ name }) => name === 'sort')['x-sorts'].map(inEnglish);
  return { filters, sorts };
}

/** Writes the console's tables. An unchanged file is not written. */
export function writeConsoleTables() {
  const description = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
  const tables = {
    'filters/table.json': filterTable(description),
    'features/data-sources/import-formats.json': description.components.schemas.ImportFormat['x-titles'],
    'features/data-sources/ecosystems.json': description.components.schemas.Ecosystem.enum,
  };
  for (const [name, table] of Object.entries(tables)) {
    const text = `${JSON.stringify(table, null, 2)}\n`;
    const file = join(root, 'console', name);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    writeFileSync(file, text);
    // The compiler does not notice changes of a data file.
    rmSync(join(root, 'node_modules', '.cache', 'types.tsbuildinfo'), { force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeConsoleTables();
