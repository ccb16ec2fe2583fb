import { Link } from '@tanstack/react-router';
import { scaleBand, scaleLinear } from '@visx/scale';
import { BarRounded } from '@visx/shape';
import { useElementSize } from '../ui/hooks.ts';
import { type Column, Table } from '../ui/table.tsx';
import classes from './charts.module.css';
import { Legend } from './legend.tsx';
import { downloadPng } from './png.ts';

type FlowDay = { date: string; opened: number; closed: number };
type LinkOf = (date: string) => { to: string; search: Record<string, string> };

const height = 180;
const margin = { left: 36, right: 4, top: 8, bottom: 22 };
const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayName = (date: string) => short.format(new Date(`${date}T00:00:00Z`));

type DrawingProps = { days: FlowDay[]; width: number; openedLink: LinkOf; closedLink: LinkOf };

/** Opened minus closed since the first day, at the end of each day. */
function netOf(days: readonly FlowDay[]): number[] {
  let net = 0;
  return days.map(({ opened, closed }) => (net += opened - closed));
}

/** Opened above the axis and closed below it for each day, with the net change as a line. */
function Drawing({ days, width, openedLink, closedLink }: DrawingProps) {
  const nets = netOf(days);
  const top = Math.max(...days.map((day) => day.opened), ...nets, 1);
  const bottom = Math.max(...days.map((day) => day.closed), ...nets.map((net) => -net), 1);
  const x = scaleBand({
    domain: days.map(({ date }) => date),
    range: [margin.left, width - margin.right],
    padding: 0.25,
  });
  const y = scaleLinear({ domain: [-bottom, top], range: [height - margin.bottom, margin.top], nice: true });
  const every = Math.max(1, Math.ceil(days.length / Math.max(2, Math.floor(width / 90))));
  const band = x.bandwidth();
  return (
    <svg height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {y.ticks(5).map((tick) => (
        <g key={tick}>
          <line
            className={tick === 0 ? classes.axis : classes.grid}
            x1={margin.left}
            x2={width - margin.right}
            y1={y(tick)}
            y2={y(tick)}
          />
          <text x={margin.left - 6} y={y(tick)} dy="0.32em" textAnchor="end">
            {Number.isInteger(tick) ? Math.abs(tick).toLocaleString('en') : ''}
          </text>
        </g>
      ))}
      {days.map(({ date, opened: up, closed: down }, index) => (
        <g key={date}>
          {up > 0 && (
            <Link {...openedLink(date)} tabIndex={-1} className={classes.mark ?? ''}>
              <title>{`${dayName(date)}: ${up} opened`}</title>
              <BarRounded
                className={classes.opened ?? ''}
                x={x(date) ?? 0}
                y={y(up)}
                width={band}
                height={y(0) - y(up)}
                radius={Math.min(2, band / 2)}
                top
              />
            </Link>
          )}
          {down > 0 && (
            <Link {...closedLink(date)} tabIndex={-1} className={classes.mark ?? ''}>
              <title>{`${dayName(date)}: ${down} closed`}</title>
              <BarRounded
                className={classes.closed ?? ''}
                x={x(date) ?? 0}
                y={y(0)}
                width={band}
                height={y(-down) - y(0)}
                radius={Math.min(2, band / 2)}
                bottom
              />
            </Link>
          )}
          {index % every === 0 && (
            <text x={(x(date) ?? 0) + band / 2} y={height - 6} textAnchor="middle">
              {dayName(date)}
            </text>
          )}
        </g>
      ))}
      <polyline
        className={classes.net}
        points={days.map(({ date }, index) => `${(x(date) ?? 0) + band / 2},${y(nets[index]!)}`).join(' ')}
      />
    </svg>
  );
}

/** Returns the days as CSV with a header row. */
const csvOf = (days: readonly FlowDay[]) =>
  ['day,opened,closed', ...days.map(({ date, opened, closed }) => `${date},${opened},${closed}`)].join('\r\n');

type FlowProps = { label: string; days: FlowDay[]; openedLink: LinkOf; closedLink: LinkOf };

/** The numbers of findings opened and closed on each day, as a chart and as a table. */
export function FlowChart({ label, days, openedLink, closedLink }: FlowProps) {
  const { ref, width } = useElementSize();
  const columns: Column<FlowDay>[] = [
    { title: 'Day', cell: ({ date }) => dayName(date) },
    { title: 'Opened', cell: ({ date, opened }) => <Link {...openedLink(date)}>{opened}</Link> },
    { title: 'Closed', cell: ({ date, closed }) => <Link {...closedLink(date)}>{closed}</Link> },
  ];
  const busy = days.filter(({ opened, closed }) => opened + closed > 0).reverse();
  return (
    <figure className={classes.chart} aria-label={label}>
      <Legend
        entries={[
          { name: 'Opened (up)', color: 'var(--chart-in)' },
          { name: 'Closed (down)', color: 'var(--chart-out)' },
          { name: 'Net', color: 'var(--text)', isLine: true },
        ]}
      />
      <div ref={ref} style={{ minHeight: height }}>
        {width > 0 && <Drawing days={days} width={width} openedLink={openedLink} closedLink={closedLink} />}
      </div>
      <details className={classes.table}>
        <summary>As a table</summary>
        <a href={`data:text/csv;charset=utf-8,${encodeURIComponent(csvOf(days))}`} download="opened-and-closed.csv">
          Download as CSV
        </a>{' '}
        <button
          type="button"
          className="link"
          onClick={({ currentTarget }) => {
            const svg = currentTarget.closest('figure')?.querySelector('svg');
            if (svg) void downloadPng(svg, 'opened-and-closed.png');
          }}
        >
          Download as PNG
        </button>
        <div className={classes.scroll}>
          <Table label={label} columns={columns} rows={busy} keyOf={({ date }) => date} />
        </div>
      </details>
    </figure>
  );
}
