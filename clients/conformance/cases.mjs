// Reads the exchange files and fills in their defaults.
import { readdir, readFile } from 'node:fs/promises';

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

/** Returns all cases in the order of their files, each with `id`, `topic`, `client.token` and `waits_ms`. */
export async function readCases() {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  const topics = await Promise.all(
    files.map(async (file) => {
      const { topic, values = {}, cases } = JSON.parse(await readFile(new URL(file, folder), 'utf8'));
      return cases.map((item, index) => {
        const { client, exchanges = [], waits_ms = [], ...rest } = resolve(item, values);
        return {
          id: `${file.slice(0, -5)}-${index + 1}`,
          topic,
          ...rest,
          client: { token, ...client },
          exchanges,
          waits_ms,
        };
      });
    }),
  );
  return topics.flat();
}
