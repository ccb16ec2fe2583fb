/** A node of a plan as returned by EXPLAIN (VERBOSE, FORMAT JSON). */
export type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  Alias?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  'Parent Relationship'?: string;
  'Subplan Name'?: string;
  'Presorted Key'?: string[];
  Plans?: PlanNode[];
};

/** The tables with enough rows for the choice of a plan to matter, and the number of entries of each index. */
export type Sizes = { tables: Map<string, { rows: number; keys: string[][] }>; entries: Map<string, number> };

/** Fewer rows are read as fast without an index. */
export const largeFrom = 1_000;

/** Findings written together share these times, so that only a part of the input is sorted at once. */
const isByTime = ({ 'Presorted Key': keys = [] }: PlanNode) => /[.](first_seen|updated)_at$/.test(keys.at(-1) ?? '');

/** Returns whether a node reads its whole input before it returns the first row. */
const isBlocking = (node: PlanNode) =>
  /^(Sort|Aggregate|Hash|HashAggregate|SetOp|WindowAgg)$/.test(node['Node Type']) ||
  (node['Node Type'] === 'Incremental Sort' && !isByTime(node));

/** Returns the columns of the relation that a condition compares by equality. */
function equalColumns(condition: string, alias: string): Set<string> {
  const column = `"?${alias}"?\\.(\\w+)`;
  const [before, after] = [new RegExp(`${column}\\)?(?:::\\w+)? = `, 'g'), new RegExp(` = \\(?${column}`, 'g')];
  return new Set([...condition.matchAll(before), ...condition.matchAll(after)].map((match) => match[1]!));
}

/** Returns the index scans of a node that reads a table. */
const indexScansOf = (node: PlanNode): PlanNode[] =>
  node['Index Name'] !== undefined
    ? [node]
    : node['Node Type'].startsWith('Bitmap')
      ? (node.Plans ?? []).flatMap(indexScansOf)
      : [];

/**
 * Returns why the scan of this node reads more than it needs; null for a good one. `stopsEarly` means that the scan stops
 * at a limit.
 */
function faultOf(node: PlanNode, { tables, entries }: Sizes, stopsEarly: boolean): string | null {
  const name = node['Relation Name'] ?? '';
  const table = tables.get(name);
  if (!table || !/Scan$/.test(node['Node Type'])) return null;
  if (node['Node Type'] === 'Seq Scan') return `reads all rows of ${name}`;
  const indexes = indexScansOf(node);
  // A partial index, for example of unfinished work.
  if (indexes.some((index) => entries.get(index['Index Name']!)! < largeFrom)) return null;
  const alias = node.Alias ?? name;
  const condition = indexes.map((index) => index['Index Cond'] ?? '').join(' ');
  const found = equalColumns(condition, alias);
  const filtered = equalColumns(node.Filter ?? '', alias);
  const isFound = (key: string[]) => key.every((column) => found.has(column));
  const missed = table.keys.find((key) => key.every((column) => found.has(column) || filtered.has(column)));
  if (missed && !table.keys.some(isFound))
    return `only filters ${name} by ${missed.filter((column) => !found.has(column)).join()}`;
  const columns = [...condition.matchAll(new RegExp(`"?${alias}"?\\.(\\w+)`, 'g'))].map((match) => match[1]);
  if (!stopsEarly && columns.every((column) => column === 'org_id'))
    return `reads all rows of the organization in ${name}`;
  return null;
}

/** Returns the faults of the scans of a plan. */
export function faultsOf(plan: PlanNode, sizes: Sizes): string[] {
  const faults = new Set<string>();
  const visit = (node: PlanNode, stopsEarly: boolean) => {
    const fault = faultOf(node, sizes, stopsEarly);
    if (fault) faults.add(fault);
    const isLimit = node['Node Type'] === 'Limit';
    for (const child of node.Plans ?? []) visit(child, isLimit || (stopsEarly && !isBlocking(node)));
  };
  visit(plan, false);
  return [...faults];
}
