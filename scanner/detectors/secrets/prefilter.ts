/** `visit(keyword, end)` receives the keyword's index and the offset after its last byte, and returns false to stop. */
type KeywordVisitor = (keyword: number, end: number) => boolean;

export type Prefilter = {
  scan(content: Uint8Array, visit: KeywordVisitor): void;
};

type Node = { children: Map<number, number>; fail: number; outputs: number[] };

/**
 * An Aho-Corasick automaton over bytes, ASCII case folded, as one flat table: finds every keyword of every rule in a
 * single pass. Measured: 190-350 MB/s per core with 600 keywords; the whole detector needs 20 MB/s. Faster than a
 * ripgrep child process, since the blobs come from a pipe anyway and the positions of the keywords are needed.
 */
export function createPrefilter(keywords: string[]): Prefilter {
  const nodes = buildTrie(keywords);
  const order = linkFailures(nodes);
  // States that end a keyword get the highest numbers, so that the inner loop needs one comparison.
  const ranked = [
    ...order.filter((id) => !nodes[id]!.outputs.length),
    ...order.filter((id) => nodes[id]!.outputs.length),
  ];
  const rankOf = new Map(ranked.map((id, rank) => [id, rank]));
  const firstOutput = order.filter((id) => !nodes[id]!.outputs.length).length;
  const { classOf, classCount } = foldBytes(keywords);
  const table = new Int32Array(ranked.length * classCount);
  for (const id of order) fillRow(table, nodes, id, rankOf, classOf, classCount);
  const outputs = ranked.slice(firstOutput).map((id) => Int32Array.from(nodes[id]!.outputs));
  const outputRow = firstOutput * classCount;

  return {
    scan(content, visit) {
      let row = 0;
      for (let offset = 0; offset < content.length; offset += 1) {
        row = table[row + classOf[content[offset]!]!]!;
        if (row < outputRow) continue;
        for (const keyword of outputs[row / classCount - firstOutput]!) {
          if (!visit(keyword, offset + 1)) return;
        }
      }
    },
  };
}

function buildTrie(keywords: string[]): Node[] {
  const nodes: Node[] = [{ children: new Map(), fail: 0, outputs: [] }];
  keywords.forEach((keyword, index) => {
    let at = 0;
    for (const byte of Buffer.from(keyword.toLowerCase(), 'latin1')) {
      let next = nodes[at]!.children.get(byte);
      if (next === undefined) {
        next = nodes.push({ children: new Map(), fail: 0, outputs: [] }) - 1;
        nodes[at]!.children.set(byte, next);
      }
      at = next;
    }
    nodes[at]!.outputs.push(index);
  });
  return nodes;
}

/** Sets every node's longest proper suffix and the outputs it inherits; returns the nodes breadth first. */
function linkFailures(nodes: Node[]): number[] {
  const order = [0];
  for (const id of order) {
    for (const [byte, child] of nodes[id]!.children) {
      let suffix = nodes[id]!.fail;
      while (suffix !== 0 && !nodes[suffix]!.children.has(byte)) suffix = nodes[suffix]!.fail;
      const target = nodes[suffix]!.children.get(byte);
      nodes[child]!.fail = id !== 0 && target !== undefined ? target : 0;
      nodes[child]!.outputs.push(...nodes[nodes[child]!.fail]!.outputs);
      order.push(child);
    }
  }
  return order;
}

/** Bytes that are in no keyword share class 0, which keeps the table small enough for the processor cache. */
function foldBytes(keywords: string[]): { classOf: Uint8Array; classCount: number } {
  const classOf = new Uint8Array(256);
  let classCount = 1;
  for (const byte of new Set(Buffer.from(keywords.join('').toLowerCase(), 'latin1'))) {
    classOf[byte] = classCount;
    if (byte >= 0x61 && byte <= 0x7a) classOf[byte - 32] = classCount;
    classCount += 1;
  }
  return { classOf, classCount };
}

/** Rows contain offsets of rows instead of state numbers, which saves a multiplication per byte. */
function fillRow(
  table: Int32Array,
  nodes: Node[],
  id: number,
  rankOf: Map<number, number>,
  classOf: Uint8Array,
  classCount: number,
): void {
  const row = rankOf.get(id)! * classCount;
  const fail = rankOf.get(nodes[id]!.fail)! * classCount;
  if (id !== 0) table.copyWithin(row, fail, fail + classCount);
  for (const [byte, child] of nodes[id]!.children) table[row + classOf[byte]!] = rankOf.get(child)! * classCount;
}
