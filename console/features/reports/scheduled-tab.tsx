import type { ScheduledReport } from '@assay/client';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/session.ts';
import { useUrl } from '../../api/use-url.ts';
import { List, type ListColumn } from '../../list/list.tsx';
import { Named } from '../../list/named.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconPlus } from '../../ui/icons.ts';
import { Empty } from '../../ui/states.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { showError } from '../../ui/toasts.tsx';
import { editColumns, timetableColumns } from '../schedules/columns.tsx';
import { Coverage } from './coverage.tsx';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { useDeleteScheduledReport, useScheduledReportPages, useSwitchScheduledReport } from './queries.ts';
import classes from './reports.module.css';
import { ScheduledReportDialog } from './scheduled-dialog.tsx';
import { formatNames } from './words.ts';

function useColumns(
  mayWrite: boolean,
  open: (dialog: 'edit' | 'delete' | 'deliveries', id: string) => void,
): ListColumn<ScheduledReport>[] {
  const now = useNow();
  const change = useSwitchScheduledReport();
  const columns: ListColumn<ScheduledReport>[] = [
    {
      title: 'Report',
      cell: ({ title, filters, format }) => (
        <Named
          note={
            <>
              {formatNames[format]}; <Coverage filters={filters} />
            </>
          }
        >
          {title}
        </Named>
      ),
      text: ({ title }) => title,
      by: ({ title }) => title,
    },
    {
      title: 'Recipients',
      width: '18%',
      gives: 2,
      cell: ({ recipients }) => <span title={recipients.join('\n')}>{recipients.join(', ')}</span>,
      text: ({ recipients }) => recipients.join(', '),
    },
    ...timetableColumns(now),
    {
      title: 'Last delivery',
      width: '200px',
      gives: 1,
      cell: ({ id, title, last_run_at, last_report_id, last_error }) => (
        <span title={last_error ?? undefined}>
          {last_run_at === null ? (
            'Not yet'
          ) : last_report_id === null ? (
            <Time at={last_run_at} now={now} />
          ) : (
            <Link to={`${paths.reports}/$id`} params={{ id: last_report_id }}>
              <Time at={last_run_at} now={now} />
            </Link>
          )}
          {last_error && <span className={classes.error}>{last_error}</span>}
          {last_run_at !== null && (
            <Button kind="quiet" size="xs" onClick={() => open('deliveries', id)}>
              All emails<span className="visually-hidden"> of {title}</span>
            </Button>
          )}
        </span>
      ),
      text: ({ last_run_at }) => last_run_at ?? '',
      by: ({ last_run_at }) => last_run_at ?? '',
    },
  ];
  if (!mayWrite) return columns;
  return [
    ...columns,
    ...editColumns<ScheduledReport>({
      nameOf: ({ title }) => title,
      onSwitch: (id, enabled) => change.mutate({ id, enabled }, { onError: showError }),
      onOpen: open,
    }),
  ];
}

function DeleteDialog({ report, onClose }: { report: ScheduledReport; onClose: () => void }) {
  const remove = useDeleteScheduledReport(onClose);
  return (
    <Confirm
      title={`Delete ${report.title}?`}
      action="Delete"
      loading={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(report.id)}
      onClose={onClose}
    >
      It stops creating reports. Existing ones stay.
    </Confirm>
  );
}

/** Reports that are created and mailed automatically, and the outcome of the last delivery. */
export function ScheduledReports() {
  const [search, change] = useUrl();
  const mayWrite = useMay('scheduled_reports:write');
  const query = useScheduledReportPages();
  const close = () => change({ add: '', edit: '', delete: '', deliveries: '' });
  const columns = useColumns(mayWrite, (dialog, id) => change({ [dialog]: id }));
  const button = mayWrite && (
    <Button kind="primary" icon={IconPlus} onClick={() => change({ add: 'scheduled' })}>
      Schedule a report
    </Button>
  );
  const find = (id: string | undefined) => query.data?.find((report) => report.id === id);
  const [edited, deleted, delivered] = [find(search.edit), find(search.delete), find(search.deliveries)];
  return (
    <>
      <List
        label="Scheduled reports"
        name="scheduled_reports"
        query={query}
        columns={columns}
        idOf={({ id }) => id}
        tools={button}
        empty={
          <Empty title="No scheduled reports yet">
            <p>A scheduled report is created on time and emailed to the recipients that you choose.</p>
            {mayWrite ? button : <p>Ask an admin of your organization to add one.</p>}
          </Empty>
        }
      />
      {mayWrite && search.add === 'scheduled' && <ScheduledReportDialog report={null} onClose={close} />}
      {mayWrite && edited && <ScheduledReportDialog report={edited} onClose={close} />}
      {delivered && <DeliveriesDialog report={delivered} onClose={close} />}
      {mayWrite && deleted && <DeleteDialog report={deleted} onClose={close} />}
    </>
  );
}
