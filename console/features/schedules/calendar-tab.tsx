import type { ScanSchedule } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { dataSourceChoicesQuery } from '../../api/pickers.ts';
import { Empty } from '../../ui/states.tsx';
import { useNow } from '../../ui/time.tsx';
import { useSourceNames } from '../scans/queries.ts';
import classes from './calendar.module.css';
import { calendarOf } from './calendar.ts';
import { scannersOf, targetsOf } from './scope.ts';

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'short' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** The next seven days with what runs when, in the reader's time. */
export default function Calendar({
  schedules,
  onOpen,
}: {
  schedules: ScanSchedule[];
  onOpen: ((id: string) => void) | undefined;
}) {
  const now = useNow();
  const nameOf = useSourceNames();
  const { data: places = [] } = useQuery(dataSourceChoicesQuery);
  const enabled = schedules.filter((schedule) => schedule.enabled);
  const scopes = new Map(enabled.map((one) => [one.id, `${scannersOf(one, nameOf)} · ${targetsOf(one, places)}`]));
  if (enabled.length === 0)
    return (
      <Empty title="Nothing is scheduled">
        <p>All schedules are switched off.</p>
      </Empty>
    );
  return (
    <ol className={classes.days} aria-label="The next seven days">
      {calendarOf(enabled, now).map(({ start, runs }, index) => (
        <li key={start} className={classes.day}>
          <h2>{index === 0 ? 'Today' : weekday.format(start)}</h2>
          {runs.length === 0 ? (
            <p className={classes.none}>Nothing runs</p>
          ) : (
            <ul>
              {runs.map(({ id, name, at, often }) => (
                <li key={`${id} ${at}`}>
                  <span className={classes.time}>{at === null ? often : clock.format(at)}</span>
                  <span className={classes.run}>
                    {onOpen ? (
                      <button type="button" className={classes.name} onClick={() => onOpen(id)}>
                        {name}
                      </button>
                    ) : (
                      name
                    )}
                    <span className={classes.scope} title={scopes.get(id)}>
                      {scopes.get(id)}
                    </span>
                  </span>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  );
}
