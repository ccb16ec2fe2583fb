// Reads the exchange files, adds a case for each method, and fills in defaults.
import { readdir, readFile } from 'node:fs/promises';
import { methodCases } from './method-cases.mjs';

const folder = new URL('./exchanges/', import.meta.url);

/** The token of every case that names none. It is assembled here, so that no file holds anything that looks live. */
export const token = ['asy', 'ConformanceTokenThatMustNeverBeShown0000'].join('_');

/** Replaces `{"$ref": "name"}` with the value of that name in the file's `values`, and `{token}` in texts with the token. */
function resolve(value, values) {
  if (typeof value === 'string') return value.replaceAll('{token}', token);
  if (Array.isArray(value)) return value.map((item) => resolve(item, values));
  if (value === null || typeof value !== 'object') return value;
  const { $ref, ...rest } = value;
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
  const topics = await Promise.all([...files.map(read), methodCases().then((topic) => ['methods', topic])]);
  return topics.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns all cases in the order of their topics, each with `id`, `topic`, `client.token` and `waits_ms`. */
export async function readCases() {
  const topics = await readTopics();
  return topics.flatMap(([name, { topic, values = {}, cases }]) =>
    cases.map((item, index) => {
      const { client, exchanges = [], waits_ms = [], ...rest } = resolve(item, values);
      return { id: `${name}-${index + 1}`, topic, ...rest, client: { token, ...client }, exchanges, waits_ms };
    }),
  );
}
