import { IconAlertCircle } from '../ui/icons.ts';
import classes from './filter-box.module.css';
import type { Problem } from './text.ts';

/** The parts of a text that select nothing, each with what was probably meant. */
export function ProblemList({
  id,
  problems,
  text,
  onRepair,
}: {
  id: string;
  problems: Problem[];
  text: string;
  onRepair: (text: string) => void;
}) {
  return (
    <div id={id} role="status" className={classes.problems}>
      {problems.map(({ start, end, message, instead }) => (
        <p key={`${start} ${message}`} className={classes.problem}>
          <IconAlertCircle size={16} aria-hidden />
          <span>
            <mark>{text.slice(start, end)}</mark> {message}
          </span>
          {instead !== null && (
            <button type="button" onClick={() => onRepair(text.slice(0, start) + instead + text.slice(end))}>
              Use <b>{instead}</b>
            </button>
          )}
        </p>
      ))}
    </div>
  );
}
