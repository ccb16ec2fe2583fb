import classes from './progress.module.css';

/** A progress bar, from 0 to 100. */
export function Progress({ label, percent }: { label: string; percent: number }) {
  const value = Math.min(100, Math.max(0, Math.round(percent)));
  return (
    <div
      className={classes.track}
      role="progressbar"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <div className={classes.bar} style={{ width: `${Math.max(value, 2)}%` }} />
    </div>
  );
}
