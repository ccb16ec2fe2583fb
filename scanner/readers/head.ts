/** The start of a file, by which its format is recognised: the first 64 KiB as text, and the names in it. */
export type Head = {
  text: string;
  kind: 'json' | 'xml' | 'text';
  /** JSON: the paths of members, up to four levels deep, e.g. `runs[].tool`; several documents are merged into one. */
  paths: Set<string>;
  /** JSON: the first string value at each of these paths, e.g. `bomFormat`. */
  values: Map<string, string>;
  /** XML: the name of the root element without its prefix, and its namespace. */
  element: string;
  namespace: string;
};

export const headBytes = 65_536;
const maxDepth = 4;

/** Reads the start of a decoded file. Never throws: an unreadable file is not recognised. */
export function readHead(bytes: Buffer): Head {
  const text = bytes.toString('utf8').trimStart();
  const head: Head = { text, kind: 'text', paths: new Set(), values: new Map(), element: '', namespace: '' };
  if (/^[[{]|^null\s*$/.test(text)) {
    head.kind = 'json';
    outline(text, head);
  } else if (text.startsWith('<')) {
    head.kind = 'xml';
    rootElement(text, head);
  }
  return head;
}

const tokenPattern = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g;

/** Reads the tokens without validating them: the text is truncated anyway. */
function outline(text: string, head: Head): void {
  const stack: Array<{ prefix: string; isObject: boolean }> = [];
  let path = '';
  let name: string | null = null;
  for (const [token] of text.matchAll(tokenPattern)) {
    const parent = stack.at(-1);
    if (token === '{' || token === '[') {
      const own = name === null ? (parent && !parent.isObject ? `${parent.prefix}[]` : '') : path;
      stack.push({ prefix: own, isObject: token === '{' });
      name = null;
    } else if (token === '}' || token === ']') {
      stack.pop();
      name = null;
    } else if (token === ',') name = null;
    else if (token[0] === '"' && parent?.isObject && name === null) {
      name = token.slice(1, -1);
      path = parent.prefix === '' ? name : `${parent.prefix}.${name}`;
      if (stack.length <= maxDepth) head.paths.add(path);
    } else if (token[0] === '"' && name !== null && stack.length <= maxDepth && !head.values.has(path)) {
      head.values.set(path, token.slice(1, -1));
    }
  }
}

function rootElement(text: string, head: Head): void {
  const element = /<(?:([\w.-]+):)?([\w.-]+)((?:\s[^<>]*)?)>/.exec(
    text.slice(0, 8_192).replace(/<!--[\s\S]*?-->|<[?!][^>]*>/g, ''),
  );
  if (!element) return;
  const [, prefix, name, attributes] = element;
  head.element = name!;
  const declaration = new RegExp(
    `\\sxmlns${prefix ? `:${prefix.replaceAll('.', '\\.')}` : ''}\\s*=\\s*["']([^"']*)["']`,
  );
  head.namespace = declaration.exec(attributes!)?.[1] ?? '';
}

/** Returns whether all of these are among the head's paths. */
export const hasPaths = (head: Head, ...paths: string[]): boolean => paths.every((path) => head.paths.has(path));
