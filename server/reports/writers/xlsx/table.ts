import { type Severity, severities } from '@assay/scanner/contract/severity.ts';
import { severityNames } from '../../labels.ts';
import type { Cell } from './cells.ts';
import type { Column } from './workbook.ts';

/** A sheet that is small enough to be kept in memory. */
export type Table = { name: string; columns: Column[]; rows: Cell[][] };

export const columnsOf = (...columns: Array<[header: string, width: number]>): Column[] =>
  columns.map(([header, width]) => ({ header, width }));
export const severityColumns: Array<[string, number]> = severities.map((severity) => [severityNames[severity], 10]);
export const severityCells = (counts: Record<Severity, number>): Cell[] =>
  severities.map((severity) => counts[severity]);

/** Returns the id of a finding, as a link if the URL of the console is known. */
export type Linked = (id: string) => Cell;
