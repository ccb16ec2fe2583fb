import { type Bits, listRows } from './bits.ts';
import type { FindingColumns } from './finding-columns.ts';
import type { ListColumn, TextColumn } from './term.ts';

/** Counts the rows of a set by a code. */
function countCodes(bits: Bits, codes: Uint32Array | Uint8Array, count: number): Uint32Array {
  const counts = new Uint32Array(count);
  for (let index = 0; index < bits.length; index++) {
    for (let word = bits[index]!; word !== 0; word &= word - 1) {
      counts[codes[index * 32 + 31 - Math.clz32(word & -word)]!]! += 1;
    }
  }
  return counts;
}

/** Counts the rows of a set by severity, the stored rank (0-4). */
export const countSeverities = (columns: FindingColumns, bits: Bits): Uint32Array =>
  countCodes(bits, columns.numbers('severity') as Uint8Array, 5);

/** Counts the rows of a set by the values of a column. Those of a list count once for each of its different values. */
export function countValues(
  columns: FindingColumns,
  bits: Bits,
  column: TextColumn | ListColumn,
): Map<string | null, number> {
  if (column in columns.texts) {
    const { codes, values } = columns.texts[column as TextColumn];
    const counts = countCodes(bits, codes, values.length);
    return new Map(values.map((value, code) => [value, counts[code]!] as const).filter(([, count]) => count > 0));
  }
  const { codes, values } = columns.lists[column as ListColumn];
  const found = new Map<string, number>();
  countCodes(bits, codes, values.length).forEach((count, code) => {
    if (count === 0) return;
    for (const value of new Set(values[code]!)) found.set(value, (found.get(value) ?? 0) + count);
  });
  return found;
}

/** The findings with a value: how many of each severity (by its rank), and when one of them was last seen, in microseconds. */
export type Group = { value: string; count: number; bySeverity: number[]; lastSeenAt: number };

/** Groups the rows of a set by a column; those without a value are in no group. */
export function groupRows(columns: FindingColumns, bits: Bits, column: TextColumn): Group[] {
  const { codes, values } = columns.texts[column];
  const severities = columns.numbers('severity');
  const sightings = columns.numbers('lastSeenAt');
  const [sources, dataSources] = [columns.texts.source, columns.texts.dataSourceId];
  const sourceCount = sources.values.length;
  /** The time of a data source's last scan by a source, by both their codes; NaN until it is looked up. */
  const scans = new Float64Array(dataSources.values.length * sourceCount).fill(Number.NaN);
  const lastScan = (dataSource: number, source: number): number => {
    const place = dataSource * sourceCount + source;
    if (Number.isNaN(scans[place]))
      scans[place] = columns.dataSource(dataSources.values[dataSource]!)?.lastScans[sources.values[source]!] ?? 0;
    return scans[place]!;
  };
  const isSeenLast = columns.flagTest('seenLast');
  const counts = new Uint32Array(values.length * 5);
  const last = new Float64Array(values.length);
  for (const row of listRows(bits)) {
    const code = codes[row]!;
    counts[code * 5 + severities[row]!]! += 1;
    // A scan that saw a finding again wrote nothing.
    const scan = isSeenLast(row) ? lastScan(dataSources.codes[row]!, sources.codes[row]!) : 0;
    const seen = Math.max(sightings[row]!, scan);
    if (seen > last[code]!) last[code] = seen;
  }
  return values.flatMap((value, code) => {
    const bySeverity = [...counts.subarray(code * 5, code * 5 + 5)];
    const count = bySeverity.reduce((sum, some) => sum + some, 0);
    return value === null || count === 0 ? [] : [{ value, count, bySeverity, lastSeenAt: last[code]! }];
  });
}
