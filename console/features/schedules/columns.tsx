import type { ListColumn } from '../../list/list.tsx';
import { Remark } from '../../list/named.tsx';
import { Switch } from '../../ui/choice-fields.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconPencil, IconTrash } from '../../ui/icons.ts';
import { formatTime, Time } from '../../ui/time.tsx';
import classes from './schedules.module.css';
import { wordsOf } from './timetable.ts';

type Scheduled = { id: string; enabled: boolean; cron: string; timezone: string; next_run_at: string | null };

/** The columns of a timetable: the timetable in words, and its next run. */
export const timetableColumns = (now: number): ListColumn<Scheduled>[] => [
  {
    title: 'When',
    width: '20%',
    phone: 'line',
    cell: ({ cron, timezone }) => (
      <>
        {wordsOf(cron)}
        <Remark>{timezone}</Remark>
      </>
    ),
    text: ({ cron, timezone }) => `${wordsOf(cron)} (${timezone})`,
    by: ({ cron }) => wordsOf(cron),
  },
  {
    title: 'Next',
    width: '216px',
    phone: 'named line',
    text: ({ next_run_at }) => next_run_at ?? '',
    by: ({ next_run_at }) => next_run_at ?? '',
    cell: ({ next_run_at }) =>
      next_run_at === null ? (
        'Off'
      ) : (
        <>
          <Time at={next_run_at} now={now} />
          <Remark>{formatTime(next_run_at)}</Remark>
        </>
      ),
  },
];

type Edits<T> = {
  nameOf: (row: T) => string;
  onSwitch: (id: string, enabled: boolean) => void;
  onOpen: (dialog: 'edit' | 'delete', id: string) => void;
};

/** The columns that turn a schedule on or off, edit it and delete it. */
export const editColumns = <T extends Scheduled>({ nameOf, onSwitch, onOpen }: Edits<T>): ListColumn<T>[] => [
  {
    title: 'On',
    width: '64px',
    phone: 'end',
    text: ({ enabled }) => (enabled ? 'yes' : 'no'),
    by: ({ enabled }) => (enabled ? 0 : 1),
    cell: (row) => (
      <Switch
        label={<span className="visually-hidden">{`${nameOf(row)} is on`}</span>}
        checked={row.enabled}
        onChange={(checked) => onSwitch(row.id, checked)}
      />
    ),
  },
  {
    title: 'Actions',
    width: '96px',
    isActions: true,
    cell: (row) => (
      <span className={classes.buttons}>
        <IconButton label={`Edit ${nameOf(row)}`} icon={IconPencil} onClick={() => onOpen('edit', row.id)} />
        <IconButton label={`Delete ${nameOf(row)}`} icon={IconTrash} onClick={() => onOpen('delete', row.id)} />
      </span>
    ),
  },
];
