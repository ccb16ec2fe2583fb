import { fromString, typeidUnboxed } from 'typeid-js';

/** Prefixes of the API's ids: a TypeID is `prefix_` and 26 characters of base32 UUIDv7. */
export type IdPrefix = 'fnd' | 'cmt' | 'ds' | 'scan' | 'sch' | 'rpt' | 'srp' | 'org' | 'usr' | 'inv' | 'tok' | 'whk';

export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}

/** Whether `text` has the shape of an id of that kind; one that has not is answered like an unknown one (404). */
export function isId(prefix: IdPrefix, text: string): boolean {
  if (!text.startsWith(`${prefix}_`)) return false;
  try {
    fromString(text, prefix);
    return true;
  } catch {
    return false;
  }
}
