/** A node of parsed Markdown, with the members that links need. */
export type Node = {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, string>;
  children?: Node[];
};

const address = /\bhttps?:\/\/[^\s<>\p{P}][^\s<>]*/giu;
const punctuation = '.,:;!?\'"*_~]}';

/** Excludes trailing punctuation and an unmatched closing bracket from an address. */
function trim(url: string): string {
  const outside = url.includes('(') ? punctuation : `${punctuation})`;
  let end = url.length;
  while (outside.includes(url[end - 1]!)) end--;
  return url.slice(0, end);
}

function split(text: string): Node[] {
  const nodes: Node[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    const href = trim(found);
    if (index > end) nodes.push({ type: 'text', value: text.slice(end, index) });
    nodes.push({ type: 'element', tagName: 'a', properties: { href }, children: [{ type: 'text', value: href }] });
    end = index + href.length;
  }
  if (end < text.length) nodes.push({ type: 'text', value: text.slice(end) });
  return nodes;
}

function link(node: Node): void {
  if (!node.children || ['a', 'code', 'pre'].includes(node.tagName ?? '')) return;
  node.children = node.children.flatMap((child) => (child.type === 'text' ? split(child.value ?? '') : child));
  for (const child of node.children) link(child);
}

/** Turns addresses in a text into links. Markdown itself links only those in angle brackets. */
export const linkBareUrls = () => link;
