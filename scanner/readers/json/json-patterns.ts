/** A node in the tree of patterns: the members and items of a value that lead to a matched value. */
export type PatternNode = {
  pattern: string;
  wanted: boolean;
  members: Map<string, PatternNode> | null;
  anyMember: PatternNode | null;
  items: PatternNode | null;
};

const newNode = (pattern: string): PatternNode => ({
  pattern,
  wanted: false,
  members: null,
  anyMember: null,
  items: null,
});

/**
 * Patterns select values: `runs[*].results[*]` is each item of the array `results` in each item of `runs`,
 * `advisories.*` each member of the object `advisories`, and the empty pattern the whole document. No pattern may lead
 * into another pattern's value.
 */
export function parsePatterns(patterns: string[]): PatternNode {
  const root = newNode('');
  for (const pattern of patterns) {
    let node = root;
    for (const [step] of pattern.matchAll(/\[\*\]|\.?[^.[]+/g)) node = childNode(node, step);
    node.wanted = true;
  }
  return root;
}

function childNode(node: PatternNode, step: string): PatternNode {
  if (step === '[*]') {
    node.items ??= newNode(`${node.pattern}[*]`);
    return node.items;
  }
  const name = step.replace(/^\./, '');
  const pattern = node.pattern === '' ? name : `${node.pattern}.${name}`;
  if (name === '*') {
    node.anyMember ??= newNode(pattern);
    return node.anyMember;
  }
  node.members ??= new Map();
  const child = node.members.get(name) ?? newNode(pattern);
  node.members.set(name, child);
  return child;
}
