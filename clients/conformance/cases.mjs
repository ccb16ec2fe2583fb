// Reads the exchange files, expands their rows, adds a case for each method, and fills in defaults.
import { readdir, readFile } from 'node:fs/promises';
import { expandCase } from './expand.mjs';
import { methodCases } from './method-cases.mjs';

const folder = new URL('./exchanges/', import.meta.url);

/** The token of every case that names none. It is assembled here, so that no file holds anything that looks live. */
export const token = ['asy', 'ConformanceTokenThatMustNeverBeShown0000'].join('_');

const findingId = (number) => `fnd_${String(number).padStart(26, '0')}`;

/**
 * Replaces `{"$ref": "name"}` with the value of that name, `{"$finding": 1}` with the finding of that number, and `{token}`
 * in texts with the token.
 */
function resolve(value, values) {
  if (typeof value === 'string') return value.replaceAll('{token}', token);
  if (Array.isArray(value)) return value.map((item) => resolve(item, values));
  if (value === null || typeof value !== 'object') return value;
  const { $finding, ...others } = value;
  const { $ref, ...rest } = $finding === undefined ? value : { $ref: 'finding', id: findingId($finding), ...others };
  if ($ref !== undefined && !(typeof $ref === 'string' && $ref in values))
    throw new Error(`There is no value ${$ref}.`);
  const base = $ref === undefined ? {} : resolve(values[$ref], values);
  const own = Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, resolve(item, values)]));
  return { ...base, ...own };
}

/** Returns the topics by their names, in order: those of the files, and `methods`. */
async function readTopics() {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
  const read = async (file) => [file.slice(0, -5), JSON.parse(await readFile(new URL(file, folder), 'utf8'))];
  const topics = await Promise.all(files.map(read));
  const common = JSON.parse(await readFile(new URL('./values.json', import.meta.url), 'utf8'));
  const written = topics.map(([name, { topic, values, cases, ...file }]) => {
    const resolved = cases.map((row) => resolve(expandCase(row, file), { ...common, ...values }));
    return [name, { topic, cases: resolved }];
  });
  return [...written, ['methods', await methodCases()]].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns all cases in the order of their topics, each with `id`, `topic`, `client.token` and `waits_ms`. */
export async function readCases() {
  const topics = await readTopics();
  return topics.flatMap(([name, { topic, cases }]) =>
    cases.map((item, index) => {
      const { client, exchanges = [], waits_ms = [], ...rest } = item;
      return { id: `${name}-${index + 1}`, topic, ...rest, client: { token, ...client }, exchanges, waits_ms };
    }),
  );
}
