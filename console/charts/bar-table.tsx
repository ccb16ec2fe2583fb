import { Link } from '@tanstack/react-router';
import { scaleLinear } from '@visx/scale';
import type { ReactNode } from 'react';
import classes from './charts.module.css';

export type BarPart = { count: number; color: string };
type BarRow = {
  key: string;
  name: string;
  /** Shown in place of the text. */
  label?: ReactNode;
  parts: BarPart[];
  to: string;
  search: Record<string, string>;
};

const sum = (parts: BarPart[]) => parts.reduce((total, { count }) => total + count, 0);

function Bar({ parts, max }: { parts: BarPart[]; max: number }) {
  const scale = scaleLinear({ domain: [0, Math.max(max, 1)], range: [0, 100] });
  let start = 0;
  return (
    <svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ count, color }) => {
        const x = scale(start);
        start += count;
        return <rect key={color} x={x} y={0} width={scale(count)} height={12} fill={color} />;
      })}
    </svg>
  );
}

type BarTableProps = { label: string; unit: string; rows: BarRow[] };

/** Bars with names and numbers: a chart and a table in one. Each row links to its list. */
export function BarTable({ label, unit, rows }: BarTableProps) {
  const max = Math.max(...rows.map(({ parts }) => sum(parts)), 0);
  return (
    <table className={classes.bars} aria-label={label}>
      <colgroup>
        <col className={classes.names} />
        <col />
        <col className={classes.numbers} />
      </colgroup>
      <thead className={classes.head}>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Name</span>
          </th>
          <th scope="col">
            <span className="visually-hidden">Share</span>
          </th>
          <th scope="col">
            <span className="visually-hidden">{unit}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, label: shown, parts, to, search }) => (
          <tr key={key}>
            <th scope="row" title={name}>
              <Link to={to} search={search}>
                {shown ?? name}
              </Link>
            </th>
            <td>
              <Bar parts={parts} max={max} />
            </td>
            <td>{sum(parts).toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
