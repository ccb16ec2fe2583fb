import type { ReactNode } from 'react';
import classes from './badge.module.css';
import type { Icon } from './button.tsx';

export type Tone = 'ok' | 'warn' | 'danger' | 'muted' | 'accent';

/** A short state: sign, word and colour. */
export function Badge({ tone, icon: Icon, children }: { tone: Tone; icon: Icon; children: ReactNode }) {
  return (
    <span className={`${classes.badge} ${classes[tone]}`}>
      <Icon size={16} stroke={1.5} aria-hidden />
      {children}
    </span>
  );
}
