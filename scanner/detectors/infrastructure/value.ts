/** Parsed data of a file, of unknown shape. */
export type Value = unknown;
export type Path = Array<string | number>;

export const isRecord = (value: Value): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value at a path, or undefined. */
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
/** Returns a scalar as text; '' for everything else. */
export const textOf = (value: Value): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
/** Returns the texts of a list, or of a single value in place of a list. */
export const textsOf = (value: Value): string[] => (Array.isArray(value) ? value : [value]).map(textOf).filter(Boolean);

/** Also accepts the booleans of YAML 1.1 and Terraform's strings. */
export const isTrue = (value: Value): boolean => value === true || /^(true|yes|on)$/i.test(textOf(value));
export const isFalse = (value: Value): boolean => value === false || /^(false|no|off)$/i.test(textOf(value));
