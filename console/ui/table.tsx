import type { Key, ReactNode } from 'react';
import classes from './table.module.css';

export type Column<T> = {
  title: string;
  cell: (row: T) => ReactNode;
  /** Whether the column has buttons with their own names: its title is then only for screen readers. */
  isActions?: boolean;
};

/** A table of a few dozen rows within a page; on a narrow screen each row becomes a block with its labels. */
export function Table<T>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string;
  columns: Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => Key;
}) {
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, isActions = false }) => (
              <th key={title} scope="col">
                {isActions ? <span className="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isActions = false }) => (
                <td key={title} data-label={isActions ? '' : title} data-actions={isActions || undefined}>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
