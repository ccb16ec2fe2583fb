import type { ScanSchedule } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { dataSourceChoicesQuery, detectionSourcesQuery } from '../../api/pickers.ts';
import { useMay } from '../../api/session.ts';
import { useUrl } from '../../api/use-url.ts';
import { useCommands } from '../../keys/registry.ts';
import { List, type ListColumn } from '../../list/list.tsx';
import { Named } from '../../list/named.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { MultiSelect, Select } from '../../ui/choice-fields.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { IconPlus } from '../../ui/icons.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Load } from '../../ui/states.tsx';
import { tabsOf } from '../../ui/tabs.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { showError } from '../../ui/toasts.tsx';
import { useSourceNames } from '../scans/queries.ts';
import { editColumns, timetableColumns } from './columns.tsx';
import { useDeleteSchedule, useSaveSchedule, useSchedulePages, useSwitchSchedule } from './queries.ts';
import classes from './schedules.module.css';
import { cronOf, newTimetable, scheduleName, timetableOf } from './timetable.ts';
import { TimetableFields } from './timetable-fields.tsx';

/** Creates or changes a schedule. */
function ScheduleDialog({ schedule, onClose }: { schedule: ScanSchedule | null; onClose: () => void }) {
  const [name, setName] = useState(schedule?.name ?? '');
  const [source, setSource] = useState(schedule?.source ?? '');
  const [targets, setTargets] = useState<string[]>(schedule?.data_sources ?? []);
  const [timetable, setTimetable] = useState(() =>
    schedule ? timetableOf(schedule.cron, schedule.timezone) : newTimetable(),
  );
  const scanners = useQuery(detectionSourcesQuery);
  const dataSources = useQuery(dataSourceChoicesQuery);
  const save = useSaveSchedule(schedule?.id ?? null, onClose);
  const chosen = scanners.data?.find(({ type }) => type === source);
  const fitting = (dataSources.data ?? []).filter(({ kind }) => chosen?.data_source_kinds.includes(kind) ?? true);
  const send = () =>
    save.mutate({
      name: name.trim() || scheduleName(chosen?.name ?? source, cronOf(timetable)),
      source,
      data_sources: targets.length === 0 ? null : targets,
      cron: cronOf(timetable),
      timezone: timetable.timezone,
    });
  return (
    <Dialog title={schedule ? `Edit ${schedule.name}` : 'Add a schedule'} onClose={onClose} size="lg">
      <Load query={scanners}>
        {(sources) => (
          <Form
            submit={schedule ? 'Save' : 'Add'}
            loading={save.isPending}
            error={save.error}
            disabledReason={source === '' ? 'Choose a scanner.' : null}
            onSubmit={send}
            onCancel={onClose}
          >
            <Select
              label="Scanner"
              required
              searchable
              placeholder="Choose a scanner"
              value={source === '' ? null : source}
              onChange={setSource}
              options={sources
                .filter(({ mode, status, type }) => mode === 'scan' && (status === 'connected' || type === source))
                .map(({ type, name: label }) => ({ value: type, label }))}
              field="source"
            />
            <MultiSelect
              label="Data sources"
              description="Leave empty for all that the scanner supports, including ones added later."
              searchable
              value={targets}
              onChange={setTargets}
              options={fitting.map(({ id, name: label }) => ({ value: id, label }))}
              field="data_sources"
            />
            <TimetableFields timetable={timetable} change={(values) => setTimetable({ ...timetable, ...values })} />
            <TextField
              label="Name"
              description="Leave empty to name it after the scanner and the time."
              value={name}
              onChange={setName}
              field="name"
            />
          </Form>
        )}
      </Load>
    </Dialog>
  );
}

type Open = (dialog: 'edit' | 'delete', id: string) => void;

function useColumns(mayWrite: boolean, open: Open): ListColumn<ScanSchedule>[] {
  const nameOf = useSourceNames();
  const { data: dataSources } = useQuery(dataSourceChoicesQuery);
  const change = useSwitchSchedule();
  const now = useNow();
  const targetsOf = (ids: string[] | null) =>
    ids === null
      ? 'All that it supports'
      : ids.map((id) => dataSources?.find((source) => source.id === id)?.name ?? id).join(', ');
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
      title: 'Scanner',
      width: '12%',
      gives: 2,
      cell: ({ source }) => nameOf(source),
      text: ({ source }) => nameOf(source),
      by: ({ source }) => nameOf(source),
    },
    {
      title: 'Data sources',
      width: '14%',
      gives: 1,
      cell: ({ data_sources }) => <span title={targetsOf(data_sources)}>{targetsOf(data_sources)}</span>,
      text: ({ data_sources }) => targetsOf(data_sources),
      by: ({ data_sources }) => targetsOf(data_sources),
    },
    ...timetableColumns(now),
    {
      title: 'Last',
      width: '112px',
      gives: 2,
      text: ({ last_run_at }) => last_run_at ?? '',
      by: ({ last_run_at }) => last_run_at ?? '',
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
      It starts no more scans. Past scans are kept.
    </Confirm>
  );
}

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
              <Calendar schedules={schedules} onOpen={mayWrite ? (id) => change({ edit: id }) : undefined} />
            </Suspense>
          )}
        </Load>
      ) : (
        <List
          label="Schedules"
          name="schedules"
          query={query}
          columns={columns}
          idOf={({ id }) => id}
          empty={
            <Empty title="No schedules yet">
              <p>
                A schedule scans regularly: fixed findings close automatically, and findings that return are reopened.
              </p>
              {mayWrite ? button : <p>Ask an admin of your organization to add one.</p>}
            </Empty>
          }
        />
      )}
      {mayWrite && search.add && <ScheduleDialog schedule={null} onClose={close} />}
      {mayWrite && edited && <ScheduleDialog schedule={edited} onClose={close} />}
      {mayWrite && deleted && <DeleteDialog schedule={deleted} onClose={close} />}
    </Page>
  );
}
