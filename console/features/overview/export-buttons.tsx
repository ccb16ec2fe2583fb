import { type DrawnTable, downloadTablePng } from '../../charts/table-png.ts';
import { csvOf, download } from '../../list/csv.ts';
import classes from './overview.module.css';

/** Saves a chart's table as a picture and as CSV. */
export const ExportButtons = ({ name, table }: { name: string; table: DrawnTable }) => (
  <span className={classes.exports}>
    <button type="button" className="link" onClick={() => void downloadTablePng(table, `${name}.png`)}>
      <span className="visually-hidden">{table.title} as </span>PNG
    </button>
    <button
      type="button"
      className="link"
      onClick={() => download(`${name}.csv`, csvOf([table.header, ...table.rows.map(({ cells }) => cells)]))}
    >
      <span className="visually-hidden">{table.title} as </span>CSV
    </button>
  </span>
);
