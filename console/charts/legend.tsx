import classes from './charts.module.css';

type Entry = { name: string; color: string; isLine?: boolean };

/** The colours of a chart with their names. Its table says the same to screen readers. */
export const Legend = ({ entries }: { entries: Entry[] }) => (
  <div className={classes.legend} aria-hidden="true">
    {entries.map(({ name, color, isLine }) => (
      <span key={name}>
        <i className={isLine ? classes.line : undefined} style={{ background: color }} />
        {name}
      </span>
    ))}
  </div>
);
