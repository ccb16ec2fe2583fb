import { type DrawnTable, downloadTablePng } from '../../charts/table-png.ts';
import { csvOf, download } from '../../list/csv.ts';
import classes from './overview.module.css';

type Props = { name: string; table: DrawnTable | undefined };

/** Saves a chart's table as a picture and as CSV, once it is loaded. */
export const ExportButtons = ({ name, table }: Props) => (
  <span className={classes.exports}>
    <button
      type="button"
      className="link"
      disabled={!table}
      onClick={() => table && void downloadTablePng(table, `${name}.png`)}
    >
      <span className="visually-hidden">{name.replaceAll('-', ' ')} as </span>PNG
    </button>
    <button
      type="button"
      className="link"
      disabled={!table}
      onClick={() => table && download(`${name}.csv`, csvOf([table.header, ...table.rows.map(({ cells }) => cells)]))}
    >
      <span className="visually-hidden">{name.replaceAll('-', ' ')} as </span>CSV
    </button>
  </span>
);
