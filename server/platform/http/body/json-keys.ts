/** The keys of a JSON text. Outside of strings, a colon follows a key, so that nothing else needs to be understood. */

/** Returns the index of the quote that ends the string that begins at `start`; the text's length without one. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === '\\') before -= 1;
  return (at - before) % 2 === 0;
}

/** Returns the number of keys of all objects, repeated ones included. The text need not be JSON. */
export function countKeys(text: string): number {
  let keys = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') at = endOfString(text, at);
    else if (text[at] === ':') keys += 1;
  }
  return keys;
}

/** Returns the first key that an object has twice, in a text that JSON.parse accepts; undefined when there is none. */
export function findDuplicateKey(text: string): string | undefined {
  const open: Set<string>[] = [];
  let last = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{') open.push(new Set());
    else if (character === '}') open.pop();
    else if (character === '"') {
      const end = endOfString(text, at);
      last = text.slice(at, end + 1);
      at = end;
    } else if (character === ':') {
      const key = JSON.parse(last) as string;
      const keys = open.at(-1)!;
      if (keys.has(key)) return key;
      keys.add(key);
    }
  }
  return undefined;
}
