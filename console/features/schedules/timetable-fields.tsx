import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { assay } from '../../api/client.ts';
import { explain } from '../../api/errors.ts';
import { Select } from '../../ui/choice-fields.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Note } from '../../ui/states.tsx';
import classes from './schedules.module.css';
import { cronOf, ownTimezone, type Preset, presetNames, type Timetable, weekdayNames } from './timetable.ts';

const format = (time: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    dateStyle: undefined,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(new Date(time));

/** Explains a timetable: in words, and with its next runs in its own time zone and the reader's. */
function TimetablePreview({ cron, timezone }: { cron: string; timezone: string }) {
  const { data, error } = useQuery({
    queryKey: ['timetable', cron, timezone],
    queryFn: ({ signal }) => assay.scanSchedules.preview({ cron, timezone }, { signal }),
    placeholderData: keepPreviousData,
    enabled: cron !== '',
    staleTime: 60_000,
  });
  if (error) return <Note kind="warning">{explain(error).message}</Note>;
  // Keeps the room of the preview, so that nothing below moves.
  if (!data) return <div className={classes.preview} />;
  const local = ownTimezone();
  return (
    <div className={classes.preview} role="status">
      <p>{data.description}</p>
      <table className={classes.times} aria-label="Next times">
        <thead>
          <tr>
            <th scope="col">{timezone}</th>
            {local !== timezone && <th scope="col">Your time ({local})</th>}
          </tr>
        </thead>
        <tbody>
          {data.next_runs.map((time) => (
            <tr key={time}>
              <td>{format(time, timezone)}</td>
              {local !== timezone && <td>{format(time, local)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type FieldsProps = {
  timetable: Timetable;
  change: (values: Partial<Timetable>) => void;
};

const presets = Object.entries(presetNames).map(([value, label]) => ({ value, label }));
const weekdays = weekdayNames.map((label, index) => ({ value: String(index), label }));
const days = Array.from({ length: 28 }, (_, index) => ({ value: String(index + 1), label: String(index + 1) }));

/** A timetable: a preset or cron, with its time zone and an explanation. */
export function TimetableFields({ timetable, change }: FieldsProps) {
  const { preset, time, weekday, day, cron, timezone } = timetable;
  const zones = useMemo(() => {
    const known = new Set(['UTC', timezone, ...Intl.supportedValuesOf('timeZone')]);
    return [...known].map((value) => ({ value, label: value }));
  }, [timezone]);
  return (
    <>
      <div className={classes.row}>
        <Select
          label="When"
          value={preset}
          onChange={(value) => change({ preset: value as Preset, cron: cronOf(timetable) })}
          options={presets}
        />
        {preset === 'weekly' && (
          <Select label="Day" value={weekday} onChange={(value) => change({ weekday: value })} options={weekdays} />
        )}
        {preset === 'monthly' && (
          <Select label="Day" value={day} onChange={(value) => change({ day: value })} options={days} />
        )}
        {preset === 'custom' ? (
          <TextField
            label="Cron"
            description="Minute, hour, day, month, weekday"
            value={cron}
            onChange={(value) => change({ cron: value })}
            field="cron"
          />
        ) : (
          preset !== 'hourly' && (
            <TextField label="Time" type="time" value={time} onChange={(value) => change({ time: value || '00:00' })} />
          )
        )}
        <Select
          label="Time zone"
          searchable
          value={timezone}
          onChange={(value) => change({ timezone: value })}
          options={zones}
          field="timezone"
        />
      </div>
      <TimetablePreview cron={cronOf(timetable)} timezone={timezone} />
    </>
  );
}
