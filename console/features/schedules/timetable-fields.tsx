import { useMemo } from 'react';
import { Select, TextField } from '../../ui/fields.tsx';
import { TimetablePreview } from './preview.tsx';
import classes from './schedules.module.css';
import { cronOf, type Preset, presetNames, type Timetable, weekdayNames } from './timetable.ts';

type FieldsProps = {
  timetable: Timetable;
  change: (values: Partial<Timetable>) => void;
};

const presets = Object.entries(presetNames).map(([value, label]) => ({ value, label }));
const weekdays = weekdayNames.map((label, index) => ({ value: String(index), label }));
const days = Array.from({ length: 28 }, (_, index) => ({ value: String(index + 1), label: String(index + 1) }));

/** When something runs: by words or as cron, with its time zone and what that means. */
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
