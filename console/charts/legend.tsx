import classes from './charts.module.css';

type Entry = { name: string; color: string; isLine?: boolean; isHatched?: boolean };

/** The colours of a chart with their names. For screen readers, its table has the same content. */
export const Legend = ({ entries }: { entries: Entry[] }) => (
  <div className={classes.legend} aria-hidden="true">
    {entries.map(({ name, color, isLine, isHatched }) => (
      <span key={name}>
        <i
          className={isLine ? classes.line : isHatched ? classes.hatched : undefined}
          style={isHatched ? { color } : { background: color }}
        />
        {name}
      </span>
    ))}
  </div>
);
