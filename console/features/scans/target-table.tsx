import type { Scan, ScanTarget } from '@assay/client';
import { Link } from '@tanstack/react-router';
import { assay } from '../../api/client.ts';
import { pagesQuery, usePages } from '../../api/pages.ts';
import { More } from '../../list/more.tsx';
import { paths } from '../../paths.ts';
import { Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useNow } from '../../ui/time.tsx';
import { ScanStatusMark } from './marks.tsx';
import { isRunning } from './queries.ts';
import classes from './scans.module.css';
import { durationOf, resultOf, secondsOf } from './words.ts';

/** The polling interval of a running scan's targets. */
const runningMs = 5_000;

function useColumns(): Column<ScanTarget>[] {
  const now = useNow();
  return [
    {
      title: 'Data source',
      cell: ({ data_source: { id, name } }) => (
        <Link to={`${paths.dataSources}/$id`} params={{ id }}>
          {name}
        </Link>
      ),
    },
    { title: 'Status', cell: ({ status }) => <ScanStatusMark status={status} /> },
    {
      title: 'Result',
      cell: (target) => (
        <>
          {target.status === 'queued' ? '' : resultOf(target)}
          {target.errors.map((text) => (
            <p key={text} className={`${classes.message} ${classes.error}`}>
              {text}
            </p>
          ))}
          {target.warnings.map((text) => (
            <p key={text} className={`${classes.message} ${classes.warning}`}>
              {text}
            </p>
          ))}
          {target.closed_nothing_because && (
            <p className={classes.message}>Closed nothing: {target.closed_nothing_because.message}</p>
          )}
        </>
      ),
    },
    {
      title: 'Took',
      cell: (target) => {
        const seconds = secondsOf(target, now);
        return seconds === null ? '–' : durationOf(seconds);
      },
    },
  ];
}

/** Shows the result of a scan for each of its data sources, and the reason if it closed no findings there. */
export function TargetTable({ scan }: { scan: Scan }) {
  const targets = usePages(
    pagesQuery<ScanTarget>(['scans', 'targets', scan.id], (cursor, options) =>
      assay.scans.targets(scan.id, { limit: 100, ...cursor }, options),
    ),
    { refetchInterval: () => (isRunning(scan) ? runningMs : false) },
  );
  const columns = useColumns();
  return (
    <Section title="Data sources">
      <Load query={targets}>
        {(rows) =>
          rows.length === 0 ? (
            <p>None yet.</p>
          ) : (
            <Table label="Data sources" columns={columns} rows={rows} keyOf={({ data_source }) => data_source.id} />
          )
        }
      </Load>
      <More query={targets} />
    </Section>
  );
}
