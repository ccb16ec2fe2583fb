import { dueWords } from '../../ui/relative-time.ts';
import { formatTime, useNow } from '../../ui/time.tsx';
import classes from './marks.module.css';

function DueMark({ at, now }: { at: string; now: number }) {
  const late = Date.parse(at) < now;
  return (
    <time dateTime={at} title={`Due ${formatTime(at)}`} className={late ? classes.late : undefined}>
      {dueWords(at, now)}
    </time>
  );
}

const Ticking = ({ at }: { at: string }) => <DueMark at={at} now={useNow()} />;

/** The due time of a finding; empty without one. Pass `now` if many are shown. */
export function Due({ at, now }: { at: string | null; now?: number }) {
  if (at === null) return null;
  return now === undefined ? <Ticking at={at} /> : <DueMark at={at} now={now} />;
}
