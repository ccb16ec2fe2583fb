type Header = { kind: string; type: string; name: string };
type Lines = { startLine: number; endLine: number };

const header =
  /^([ \t]*)(resource|data|provider|module)[ \t]+(?:"([^"\n]*)"|([\w-]+))(?:[ \t]+(?:"([^"\n]*)"|([\w-]+)))?[ \t]*\{/;

const keyOf = (kind: string, type: string, name: string) => `${kind} ${type} ${name}`;

/**
 * Finds the lines of a file's blocks, which the parser does not report: a block starts with its header and ends at the
 * closing brace of the same indentation. Equal headers are matched in order.
 */
export class BlockLines {
  readonly #found = new Map<string, Lines[]>();

  constructor(text: string) {
    const open = new Map<string, Lines[]>();
    for (const [index, line] of text.split('\n').entries()) {
      const match = header.exec(line);
      if (match) {
        const [, indent = '', kind = '', quoted, bare, quotedName, bareName] = match;
        const lines = { startLine: index + 1, endLine: index + 1 };
        const key = keyOf(kind, quoted ?? bare ?? '', quotedName ?? bareName ?? '');
        this.#found.set(key, [...(this.#found.get(key) ?? []), lines]);
        if (!/\}\s*$/.test(line)) open.set(indent, [...(open.get(indent) ?? []), lines]);
        continue;
      }
      const end = /^([ \t]*)\}/.exec(line);
      if (!end) continue;
      for (const lines of open.get(end[1]!) ?? []) lines.endLine = index + 1;
      open.delete(end[1]!);
    }
  }

  /** Returns the lines of the next block with this header. */
  next({ kind, type, name }: Header): Lines {
    return this.#found.get(keyOf(kind, type, name))?.shift() ?? { startLine: 1, endLine: 1 };
  }
}
