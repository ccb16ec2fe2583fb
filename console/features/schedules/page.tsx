import type { ScanSchedule } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { dataSourceChoicesQuery } from '../../api/pickers.ts';
import { useMay } from '../../api/session.ts';
import { useUrl } from '../../api/use-url.ts';
import { useCommands } from '../../keys/registry.ts';
import { List, type ListColumn } from '../../list/list.tsx';
import { Named } from '../../list/named.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { TextField } from '../../ui/fields.tsx';
import { IconPlus } from '../../ui/icons.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, Load } from '../../ui/states.tsx';
import { tabsOf } from '../../ui/tabs.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { showError } from '../../ui/toasts.tsx';
import { useSourceNames } from '../scans/queries.ts';
import { editColumns, timetableColumns } from './columns.tsx';
import { useDeleteSchedule, useSchedulePages, useSwitchSchedule } from './queries.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import classes from './schedules.module.css';
import { scannersOf, targetsOf } from './scope.ts';

type Open = (dialog: 'edit' | 'delete', id: string) => void;

function LastRun({ schedule, now }: { schedule: ScanSchedule; now: number }) {
  const { last_run_at: at, last_scan_ids: ids } = schedule;
  if (at === null) return 'Not yet';
  const [id] = ids;
  if (id === undefined) return <Time at={at} now={now} />;
  if (ids.length === 1)
    return (
      <Link to={`${paths.scans}/$id`} params={{ id }}>
        <Time at={at} now={now} />
      </Link>
    );
  return (
    <Link to={paths.scans} title={`${ids.length} scans`}>
      <Time at={at} now={now} />
    </Link>
  );
}

function useColumns(mayWrite: boolean, open: Open): ListColumn<ScanSchedule>[] {
  const nameOf = useSourceNames();
  const { data: dataSources } = useQuery(dataSourceChoicesQuery);
  const change = useSwitchSchedule();
  const now = useNow();
  const scanners = (schedule: ScanSchedule) => scannersOf(schedule, nameOf);
  const targets = (schedule: ScanSchedule) => targetsOf(schedule, dataSources ?? []);
  const columns: ListColumn<ScanSchedule>[] = [
    {
      title: 'Schedule',
      cell: ({ name, last_error }) => (
        <Named note={last_error && <span className={classes.error}>{last_error}</span>}>{name}</Named>
      ),
      text: ({ name }) => name,
      by: ({ name }) => name,
    },
    {
      title: 'Scanners',
      width: '11%',
      gives: 2,
      cell: (schedule) => <span title={scanners(schedule)}>{scanners(schedule)}</span>,
      text: scanners,
      by: scanners,
    },
    {
      title: 'Data sources',
      width: '12%',
      gives: 1,
      cell: (schedule) => <span title={targets(schedule)}>{targets(schedule)}</span>,
      text: targets,
      by: targets,
    },
    ...timetableColumns(now),
    {
      title: 'Last',
      width: '112px',
      gives: 2,
      text: ({ last_run_at }) => last_run_at ?? '',
      by: ({ last_run_at }) => last_run_at ?? '',
      cell: (schedule) => <LastRun schedule={schedule} now={now} />,
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
      It starts no more scans. Past scans are kept.
    </Confirm>
  );
}

/** Returns the schedules whose name, scanners or data sources contain the text, for which it loads all pages. */
function useFound(query: ReturnType<typeof useSchedulePages>, text: string): ScanSchedule[] | undefined {
  const nameOf = useSourceNames();
  const { data: places = [] } = useQuery(dataSourceChoicesQuery);
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const isAsked = text !== '';
  useEffect(() => {
    if (isAsked && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isAsked, hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (!isAsked) return data;
  const textsOf = (schedule: ScanSchedule) => [
    schedule.name,
    scannersOf(schedule, nameOf),
    targetsOf(schedule, places),
  ];
  return data?.filter((schedule) => textsOf(schedule).some((words) => words.toLowerCase().includes(text)));
}

/** Up to this many schedules leave room for what they run. */
const fewSchedules = 12;

const Calendar = lazy(() => import('./calendar-tab.tsx'));

const tabs = { list: 'List', calendar: 'Calendar' };

export default function SchedulesPage() {
  const [search, change] = useUrl();
  const mayWrite = useMay('schedules:write');
  const query = useSchedulePages();
  const tab = search.tab === 'calendar' ? 'calendar' : 'list';
  const add = () => change({ add: 'yes' });
  const close = () => change({ add: '', edit: '', delete: '' });
  const columns = useColumns(mayWrite, (dialog, id) => change({ [dialog]: id }));
  const text = (search.q ?? '').trim().toLowerCase();
  const found = useFound(query, text);
  const onOpen = mayWrite ? (id: string) => change({ edit: id }) : undefined;
  const isShort = found !== undefined && found.length <= fewSchedules && found.some(({ enabled }) => enabled);
  useCommands(mayWrite ? [{ keys: ['n'], label: 'Add a schedule', section: 'Schedules', run: add }] : []);
  const button = mayWrite && (
    <Button kind="primary" icon={IconPlus} onClick={add}>
      Add a schedule
    </Button>
  );
  const find = (id: string | undefined) => query.data?.find((schedule) => schedule.id === id);
  const [edited, deleted] = [find(search.edit), find(search.delete)];
  return (
    <Page title="Schedules" tabs={tabsOf(paths.schedules, tabs, tab)} actions={button}>
      {tab === 'calendar' ? (
        <Load query={query}>
          {(schedules) => (
            <Suspense>
              <Calendar schedules={schedules} onOpen={onOpen} />
            </Suspense>
          )}
        </Load>
      ) : (
        <>
          <List
            label="Schedules"
            name="schedules"
            query={{ ...query, data: found }}
            columns={columns}
            idOf={({ id }) => id}
            filters={
              <TextField
                label="Search"
                value={search.q ?? ''}
                onChange={(q) => change({ q }, { replace: true })}
                placeholder="Name, scanner or data source"
              />
            }
            onClear={text === '' ? null : () => change({ q: '' })}
            noMatch="No matching schedules"
            empty={
              <Empty title="No schedules yet">
                <p>
                  A schedule scans regularly: fixed findings close automatically, and findings that return are reopened.
                </p>
                {mayWrite ? button : <p>Ask an admin of your organization to add one.</p>}
              </Empty>
            }
          />
          {isShort && (
            <Section title="The next seven days">
              <Suspense>
                <Calendar schedules={found} onOpen={onOpen} />
              </Suspense>
            </Section>
          )}
        </>
      )}
      {mayWrite && search.add && <ScheduleDialog schedule={null} onClose={close} />}
      {mayWrite && edited && <ScheduleDialog schedule={edited} onClose={close} />}
      {mayWrite && deleted && <DeleteDialog schedule={deleted} onClose={close} />}
    </Page>
  );
}
