import { printable, printableJson } from '@assay/scanner/platform/terminal-text.ts';
import { type Command, InvalidArgumentError } from 'commander';
import type { Database } from './postgres/database.ts';

/** Connects a command to the database of the installation, and disconnects it afterwards. `main.ts` provides it. */
export type WithDatabase = (run: (database: Database) => Promise<void>) => Promise<void>;

/** Adds the `--json` option of all commands with a result. */
export const addJsonOption = (command: Command): Command => command.option('--json', 'print one JSON object');

/** Prints a command's result on standard output: one JSON object with `--json`, text otherwise. */
export function printResult(command: Command, result: object, lines: readonly string[]): void {
  const { json } = command.opts<{ json?: boolean }>();
  const text = json ? printableJson(JSON.stringify(result)) : lines.map(printable).join('\n');
  command.configureOutput().writeOut!(`${text}\n`);
}

/** Formats rows as a table with aligned columns and a heading. */
export function tableLines(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = heading.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) => cells.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
  return [heading, ...rows].map((cells) => line(cells).trimEnd());
}

/** Parses an option's value that must be a whole number above 0. Anything else is a usage error. */
export function parsePositiveInteger(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value > 0 && value <= 2_147_483_647) return value;
  throw new InvalidArgumentError('It must be a whole number above 0.');
}

const units = { m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Parses an option's value such as `90d`, `12h`, `30m` or `2w` into milliseconds. Anything else is a usage error. */
export function parseDuration(text: string): number {
  const match = /^([1-9]\d{0,5})([mhdw])$/.exec(text);
  if (!match) throw new InvalidArgumentError('It must be a number and a unit: 90d (m, h, d or w).');
  return Number(match[1]) * units[match[2] as keyof typeof units] * 1_000;
}
