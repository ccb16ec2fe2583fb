import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { explain } from '../../api/errors.ts';
import { Note } from '../../ui/states.tsx';
import classes from './schedules.module.css';
import { ownTimezone } from './timetable.ts';

type Preview = { description: string; next_runs: string[] };

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

/** Explains a timetable: in words, and by its next times in its own zone and the reader's. */
export function TimetablePreview({ cron, timezone }: { cron: string; timezone: string }) {
  const { data, error } = useQuery({
    queryKey: ['timetable', cron, timezone],
    queryFn: ({ signal }) => callApi<Preview>('scan-schedules/preview', { cron, timezone }, signal),
    placeholderData: keepPreviousData,
    enabled: cron !== '',
    staleTime: 60_000,
  });
  if (error) return <Note kind="warning">{explain(error).message}</Note>;
  if (!data) return null;
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
