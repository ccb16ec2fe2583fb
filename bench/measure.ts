import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

/** A row of the table. `bound` is an operator and a number, such as `<= 50`; null for figures without a limit. */
export type Row = { question: string; value: number; unit: string; bound: string | null };

/** Returns the value below which this share of the values is. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

function isReached({ value, bound }: Row): boolean | null {
  if (bound === null) return null;
  const [operator, number] = bound.split(' ') as [string, string];
  return operator === '>=' ? value >= Number(number) : value <= Number(number);
}

export const machineName = (): string => {
  const [processor] = cpus();
  const system = /PRETTY_NAME="([^"]+)"/.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? process.platform;
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} × ${processor?.model.trim() || process.arch}, ${memory} GB of memory, ${system}, Node.js ${process.version}`;
};

/** Returns the number with three significant digits, or rounded to an integer from 1,000 on. */
export const digits = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));

const verdicts = new Map([
  [true, 'ok'],
  [false, 'missed'],
  [null, ''],
]);

/**
 * Returns rows of cells, heading first, as a Markdown table with aligned columns, which is readable in a terminal
 * too.
 */
export function markdownTable(rows: string[][]): string {
  const [heading, ...others] = rows as [string[], ...string[][]];
  const widths = heading.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)));
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(heading), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('\n');
}

/** Returns the rows as a Markdown table. */
export function tableOf(rows: Row[]): string {
  const cells = rows.map((row) => [
    row.question,
    `${digits(row.value)} ${row.unit}`.trim(),
    row.bound ?? '',
    verdicts.get(isReached(row))!,
  ]);
  return markdownTable([['Question', 'Value', 'Bound', ''], ...cells]);
}
