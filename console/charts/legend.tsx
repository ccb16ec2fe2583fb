import classes from './charts.module.css';

type Entry = { name: string; color: string; isLine?: boolean };

/** The colours of a chart with their names. For screen readers, its table has the same content. */
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
