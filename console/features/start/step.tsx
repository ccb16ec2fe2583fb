import type { ReactNode } from 'react';
import { IconCheck } from '../../ui/icons.ts';
import classes from './start.module.css';

export type StepState = 'done' | 'current' | 'later';

/** One step: its number or a tick, and what there is to do. */
export function Step({ number, title, state, children }: StepProps) {
  return (
    <li
      className={`${classes.step} ${state === 'done' ? classes.done : ''}`}
      aria-current={state === 'current' ? 'step' : undefined}
    >
      <span className={classes.number}>
        {state === 'done' ? <IconCheck size={18} stroke={2.2} aria-hidden /> : number}
      </span>
      <div className={classes.body}>
        <h2>
          {title}
          {state === 'done' && <span className="visually-hidden"> (done)</span>}
        </h2>
        {children}
      </div>
    </li>
  );
}

type StepProps = { number: number; title: string; state: StepState; children: ReactNode };
