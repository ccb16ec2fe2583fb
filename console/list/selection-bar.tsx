import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import classes from './selection-bar.module.css';

type BarProps = { label: string; children: ReactNode; floats?: boolean; onClear: () => void };

/** Describes the selection, with the actions on it. `floats`: on a page that scrolls as a whole. */
export const SelectionBar = ({ label, children, floats = false, onClear }: BarProps) => (
  <div className={floats ? `${classes.bar} ${classes.floats}` : classes.bar}>
    <strong>{label}</strong>
    {children}
    <Button size="xs" kind="quiet" onClick={onClear}>
      Clear
    </Button>
  </div>
);
