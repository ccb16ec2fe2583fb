import type { ReactNode } from 'react';
import classes from './code-at-place.module.css';

/** Characters that are not seen, or that change the order in which others are. */
const hidden = /([\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff])/;

/** A text of a repository: characters that deceive the reader are shown by their number. */
export function Plain({ text }: { text: string }) {
  return text.split(hidden).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text don't move
      <span key={index} className={classes.hidden}>
        U+{part.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}
      </span>
    ),
  );
}

type FigureProps = { label: string; title: string; severity?: string; actions?: ReactNode; children: ReactNode };

export function CodeFigure({ label, title, severity, actions, children }: FigureProps) {
  return (
    <figure className={classes.figure} aria-label={label} data-severity={severity}>
      <figcaption className={classes.file}>
        <span className={classes.path}>
          <Plain text={title} />
        </span>
        {actions}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, by keyboard too */}
      <pre className={classes.lines} tabIndex={0}>
        {children}
      </pre>
    </figure>
  );
}
