import type { Scan } from '@assay/client';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { ScanStatusMark } from './marks.tsx';
import { ScanMessages } from './messages.tsx';
import { useSourceNames } from './queries.ts';
import { durationOf, resultOf, secondsOf, triggerNames } from './words.ts';

/** Scans with the numbers of their findings and the parts that they could not cover. */
export function ScanTable({ scans, label }: { scans: readonly Scan[]; label: string }) {
  const nameOf = useSourceNames();
  const now = useNow();
  const columns: Column<Scan>[] = [
    { title: 'Status', cell: ({ status }) => <ScanStatusMark status={status} /> },
    {
      title: 'Scanner',
      cell: ({ id, source }) => (
        <Link to={`${paths.scans}/$id`} params={{ id }}>
          {nameOf(source)}
        </Link>
      ),
    },
    {
      title: 'Result',
      cell: (scan) => (
        <>
          {resultOf(scan)}
          <ScanMessages scan={scan} />
        </>
      ),
    },
    { title: 'Targets', cell: ({ progress }) => `${progress.targets_done} of ${progress.targets_total}` },
    {
      title: 'Started',
      cell: ({ created_at, trigger, requested_by }) => (
        <>
          <Time at={created_at} now={now} />, {triggerNames[trigger].toLowerCase()}
          {requested_by && ` by ${requested_by.name}`}
        </>
      ),
    },
    {
      title: 'Took',
      cell: (scan) => {
        const seconds = secondsOf(scan, now);
        return seconds === null ? '–' : durationOf(seconds);
      },
    },
  ];
  return <Table label={label} columns={columns} rows={scans} keyOf={({ id }) => id} />;
}
