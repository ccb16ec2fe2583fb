import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The forms in which a result writes a directory's path before a file name: plain, escaped in JSON, and as a URI. */
export function prefixesOf(directory: string): string[] {
  const uri = pathToFileURL(directory).href;
  const escaped = JSON.stringify(directory).slice(1, -1);
  const xml = directory.replaceAll('&', '&amp;');
  // Some tools write it relative to their working directory, which is beside it.
  const name = basename(directory);
  const relative = [`/../${name}`, `../${name}`, `/${name}`, name];
  const forms = [
    uri,
    uri.replace('file://', 'file:'),
    uri.slice('file://'.length),
    escaped,
    xml,
    directory,
    ...relative,
  ];
  return [...new Set(forms)].map((form) => `${form}/`).sort((a, b) => b.length - a.length);
}

/** The form in which Semgrep puts the path of a folder of rules before their ids. */
export const ruleIdPrefixOf = (folder: string): string => `${folder.replace(/^\//, '').replaceAll('/', '.')}.`;

/**
 * Removes these texts from the bytes. Tools name files by the path of our private copy, which differs each time and
 * would make every finding new. Where several texts match, the first of the list wins.
 */
export async function* withoutPrefix(chunks: AsyncIterable<Buffer>, prefixes: string[]): AsyncGenerator<Buffer> {
  const needles = prefixes.map((prefix) => Buffer.from(prefix));
  const longest = Math.max(...needles.map((needle) => needle.length));
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    // A possible beginning of a prefix waits for the next chunk.
    const safe = Math.max(0, data.length - longest + 1);
    const { pieces, end } = cut(data, needles, safe);
    yield* pieces;
    rest = data.subarray(end);
  }
  yield* cut(rest, needles, rest.length).pieces;
}

/** Returns the bytes between the needles that begin before `until`; `end` is the offset at which to continue. */
function cut(data: Buffer, needles: Buffer[], until: number): { pieces: Buffer[]; end: number } {
  const pieces: Buffer[] = [];
  let position = 0;
  for (;;) {
    let found = -1;
    let length = 0;
    for (const needle of needles) {
      const at = data.indexOf(needle, position);
      if (at >= 0 && at < until && (found < 0 || at < found)) [found, length] = [at, needle.length];
    }
    if (found < 0) break;
    if (found > position) pieces.push(data.subarray(position, found));
    position = found + length;
  }
  const end = Math.max(position, until);
  if (end > position) pieces.push(data.subarray(position, end));
  return { pieces, end };
}
