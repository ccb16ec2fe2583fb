import type { ScanSchedule } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { dataSourceChoicesQuery } from '../../api/pickers.ts';
import { useMay } from '../../api/session.ts';
import { useUrl } from '../../api/use-url.ts';
import { useCommands } from '../../keys/registry.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconPlus } from '../../ui/icons.ts';
import { More } from '../../ui/more.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Load } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { showError } from '../../ui/toasts.tsx';
import { useSourceNames } from '../scans/queries.ts';
import { editColumns, timetableColumns } from './columns.tsx';
import { useDeleteSchedule, useSchedulePages, useSwitchSchedule } from './queries.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import classes from './schedules.module.css';

type Open = (dialog: 'edit' | 'delete', id: string) => void;

function useColumns(mayWrite: boolean, open: Open): Column<ScanSchedule>[] {
  const nameOf = useSourceNames();
  const { data: dataSources } = useQuery(dataSourceChoicesQuery);
  const change = useSwitchSchedule();
  const now = useNow();
  const targetsOf = (ids: string[] | null) =>
    ids === null
      ? 'All it handles'
      : ids.map((id) => dataSources?.find((source) => source.id === id)?.name ?? id).join(', ');
  const columns: Column<ScanSchedule>[] = [
    {
      title: 'Schedule',
      cell: ({ name, last_error }) => (
        <>
          <b>{name}</b>
          {last_error && <span className={classes.error}>{last_error}</span>}
        </>
      ),
    },
    { title: 'Scanner', cell: ({ source }) => nameOf(source) },
    { title: 'Data sources', cell: ({ data_sources }) => targetsOf(data_sources) },
    ...timetableColumns(now),
    {
      title: 'Last',
      cell: ({ last_run_at, last_scan_id }) =>
        last_run_at === null ? (
          'Not yet'
        ) : last_scan_id === null ? (
          <Time at={last_run_at} now={now} />
        ) : (
          <Link to={`${paths.scans}/$id`} params={{ id: last_scan_id }}>
            <Time at={last_run_at} now={now} />
          </Link>
        ),
    },
  ];
  if (!mayWrite) return columns;
  return [
    ...columns,
    ...editColumns<ScanSchedule>({
      nameOf: ({ name }) => name,
      onSwitch: (id, enabled) => change.mutate({ id, enabled }, { onError: showError }),
      onOpen: open,
    }),
  ];
}

function DeleteDialog({ schedule, onClose }: { schedule: ScanSchedule; onClose: () => void }) {
  const remove = useDeleteSchedule(onClose);
  return (
    <Confirm
      title={`Delete ${schedule.name}?`}
      action="Delete"
      loading={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(schedule.id)}
      onClose={onClose}
    >
      It starts no more scans. Those that it started stay.
    </Confirm>
  );
}

export default function SchedulesPage() {
  const [search, change] = useUrl();
  const mayWrite = useMay('schedules:write');
  const query = useSchedulePages();
  const add = () => change({ add: 'yes' });
  const close = () => change({ add: '', edit: '', delete: '' });
  const columns = useColumns(mayWrite, (dialog, id) => change({ [dialog]: id }));
  useCommands(mayWrite ? [{ keys: ['n'], label: 'Add a schedule', section: 'Schedules', run: add }] : []);
  const button = mayWrite && (
    <Button kind="primary" icon={IconPlus} onClick={add}>
      Add a schedule
    </Button>
  );
  const find = (id: string | undefined) => query.data?.find((schedule) => schedule.id === id);
  const [edited, deleted] = [find(search.edit), find(search.delete)];
  return (
    <Page title="Schedules" lead="Scans that start by themselves." actions={button}>
      <Load query={query}>
        {(schedules) =>
          schedules.length === 0 ? (
            <Empty title="No schedules yet">
              <p>A schedule scans again and again: what is fixed closes by itself, and what comes back is reopened.</p>
              {mayWrite ? button : <p>Ask an admin of your organization to add one.</p>}
            </Empty>
          ) : (
            <Table label="Schedules" columns={columns} rows={schedules} keyOf={({ id }) => id} />
          )
        }
      </Load>
      <More query={query} />
      {mayWrite && search.add && <ScheduleDialog schedule={null} onClose={close} />}
      {mayWrite && edited && <ScheduleDialog schedule={edited} onClose={close} />}
      {mayWrite && deleted && <DeleteDialog schedule={deleted} onClose={close} />}
    </Page>
  );
}
