import type { Scan } from '@assay/client';
import { Link } from '@tanstack/react-router';
import type { ListColumn } from '../../list/list.tsx';
import { Remark } from '../../list/named.tsx';
import { paths } from '../../paths.ts';
import { Table } from '../../ui/table.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { ScanStatusMark } from './marks.tsx';
import { ScanMessages } from './messages.tsx';
import { useSourceNames } from './queries.ts';
import { durationOf, nothingClosed, resultOf, scanStatusNames, secondsOf, triggerNames } from './words.ts';

/** The first message of a scan about missing coverage, in one line. */
function Message({ scan: { errors, warnings } }: { scan: Scan }) {
  const [first, ...others] = [...errors, ...warnings];
  if (!first) return null;
  return (
    <Remark>
      {first.data_source_name}: {first.message} {errors.length > 0 && nothingClosed}
      {others.length > 0 && ` And ${others.length} more.`}
    </Remark>
  );
}

/** The columns of scans: the findings of each, and what it could not cover. */
export function useScanColumns(): ListColumn<Scan>[] {
  const nameOf = useSourceNames();
  const now = useNow();
  const lengthOf = (scan: Scan) => secondsOf(scan, now);
  return [
    {
      title: 'Scanner',
      cell: ({ id, source }) => (
        <Link to={`${paths.scans}/$id`} params={{ id }}>
          {nameOf(source)}
        </Link>
      ),
      text: ({ source }) => nameOf(source),
      by: ({ source }) => nameOf(source),
    },
    {
      title: 'Status',
      width: '116px',
      phone: 'end',
      cell: ({ status }) => <ScanStatusMark status={status} />,
      text: ({ status }) => scanStatusNames[status],
      by: ({ status }) => scanStatusNames[status],
    },
    {
      title: 'Result',
      width: '30%',
      phone: 'line',
      cell: (scan) => (
        <>
          {resultOf(scan)}
          <Message scan={scan} />
        </>
      ),
      text: resultOf,
    },
    {
      title: 'Targets',
      width: '80px',
      gives: 2,
      cell: ({ progress }) => `${progress.targets_done} of ${progress.targets_total}`,
      text: ({ progress }) => `${progress.targets_done} of ${progress.targets_total}`,
    },
    {
      title: 'Started',
      width: '25%',
      gives: 2,
      cell: ({ created_at, trigger, requested_by }) => (
        <>
          <Time at={created_at} now={now} />, {triggerNames[trigger].toLowerCase()}
          {requested_by && ` by ${requested_by.name}`}
        </>
      ),
      text: ({ created_at }) => created_at,
      by: ({ created_at }) => created_at,
    },
    {
      title: 'Took',
      width: '88px',
      isNumber: true,
      gives: 1,
      cell: (scan) => {
        const seconds = lengthOf(scan);
        return seconds === null ? '–' : durationOf(seconds);
      },
      text: (scan) => lengthOf(scan) ?? '',
      by: (scan) => lengthOf(scan) ?? -1,
    },
  ];
}

/** A few scans within a page, with everything that they could not cover. */
export function ScanTable({ scans, label }: { scans: readonly Scan[]; label: string }) {
  const result = (scan: Scan) => (
    <>
      {resultOf(scan)}
      <ScanMessages scan={scan} />
    </>
  );
  const columns = useScanColumns().map((column) => (column.title === 'Result' ? { ...column, cell: result } : column));
  return <Table label={label} columns={columns} rows={scans} keyOf={({ id }) => id} />;
}
