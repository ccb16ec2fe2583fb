import type { ReportDelivery, ScheduledReport } from '@assay/client';
import { Link } from '@tanstack/react-router';
import { assay } from '../../api/client.ts';
import { unlessLive } from '../../api/live.ts';
import { pagesQuery, usePages } from '../../api/pages.ts';
import { More } from '../../list/more.tsx';
import { paths } from '../../paths.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import type { Icon } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconAlertCircle, IconCheck, IconClock } from '../../ui/icons.ts';
import { Load } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { formatTime, Time } from '../../ui/time.tsx';
import classes from './reports.module.css';

const marks: Record<ReportDelivery['status'], { tone: Tone; icon: Icon; name: string }> = {
  pending: { tone: 'accent', icon: IconClock, name: 'Not sent yet' },
  sent: { tone: 'ok', icon: IconCheck, name: 'Sent' },
  failed: { tone: 'danger', icon: IconAlertCircle, name: 'Failed' },
};

const columns: Column<ReportDelivery>[] = [
  {
    title: 'Report of',
    cell: ({ report_id, created_at }) => (
      <Link to={`${paths.reports}/$id`} params={{ id: report_id }}>
        {formatTime(created_at)}
      </Link>
    ),
  },
  { title: 'Recipient', cell: ({ recipient }) => recipient },
  {
    title: 'Mail',
    cell: ({ status, sent_at, attempts, error }) => {
      const { name, ...mark } = marks[status];
      return (
        <>
          <Badge {...mark}>{name}</Badge> {sent_at && <Time at={sent_at} />}
          {error && (
            <span className={classes.error}>
              {error} (tried {attempts === 1 ? 'once' : `${attempts} times`})
            </span>
          )}
        </>
      );
    },
  },
];

const idleMs = 30_000;

/** The emails of a scheduled report: to whom each report was sent, or why it was not. */
export function DeliveriesDialog({ report, onClose }: { report: ScheduledReport; onClose: () => void }) {
  const query = usePages(
    pagesQuery<ReportDelivery>(['scheduled-reports', 'deliveries', report.id], (cursor, options) =>
      assay.scheduledReports.deliveries(report.id, { limit: 50, ...cursor }, options),
    ),
    { refetchInterval: () => unlessLive(idleMs) },
  );
  return (
    <Dialog title={`Emails of ${report.title}`} onClose={onClose} size="xl">
      <Load query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <p className={classes.muted}>No emails yet.</p>
          ) : (
            <Table
              label="Emails"
              columns={columns}
              rows={rows}
              keyOf={({ report_id, recipient }) => `${report_id} ${recipient}`}
            />
          )
        }
      </Load>
      <More query={query} />
    </Dialog>
  );
}
