import { formatTime, useNow } from '../../ui/time.tsx';
import classes from './marks.module.css';

const dayMs = 86_400_000;

/** How long there is to fix a finding, in words as short as `in 3 d` or `2 d late`. */
function dueWords(at: string, now: number): string {
  const days = (Date.parse(at) - now) / dayMs;
  if (days < 0) return days > -1 ? 'late' : `${Math.floor(-days)} d late`;
  return days < 1 ? 'today' : `in ${Math.floor(days)} d`;
}

function DueMark({ at, now }: { at: string; now: number }) {
  const late = Date.parse(at) < now;
  return (
    <time dateTime={at} title={`Due ${formatTime(at)}`} className={late ? classes.late : undefined}>
      {dueWords(at, now)}
    </time>
  );
}

const Ticking = ({ at }: { at: string }) => <DueMark at={at} now={useNow()} />;

/** When a finding is due; nothing where it is not. Give `now` where many are shown. */
export function Due({ at, now }: { at: string | null; now?: number }) {
  if (at === null) return null;
  return now === undefined ? <Ticking at={at} /> : <DueMark at={at} now={now} />;
}
