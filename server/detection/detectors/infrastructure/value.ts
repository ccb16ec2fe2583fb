/** What a file's data may be: nothing about it is certain. */
export type Value = unknown;
export type Path = Array<string | number>;

export const isRecord = (value: Value): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands at a path; undefined where the way ends. */
export function at(value: Value, ...path: Path): Value {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string | number, Value>)[step];
  }
  return here;
}

export const listOf = (value: Value): Value[] => (Array.isArray(value) ? value : []);
export const entriesOf = (value: Value): Array<[string, Value]> => (isRecord(value) ? Object.entries(value) : []);
/** Scalars as text; '' for everything else. */
export const textOf = (value: Value): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
/** A list of texts, also where a single one may stand for a list. */
export const textsOf = (value: Value): string[] => (Array.isArray(value) ? value : [value]).map(textOf).filter(Boolean);

/** Booleans as YAML 1.1 and Terraform read them too. */
export const isTrue = (value: Value): boolean => value === true || /^(true|yes|on)$/i.test(textOf(value));
export const isFalse = (value: Value): boolean => value === false || /^(false|no|off)$/i.test(textOf(value));
