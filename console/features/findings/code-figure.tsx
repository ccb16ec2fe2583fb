import type { ReactNode } from 'react';
import classes from './code-at-place.module.css';

/** Characters that are invisible or change the order in which others appear. */
const hidden = /([\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff])/;

/** Text from a repository. Deceptive characters are shown by code point. */
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

/** The parts of a line that are strings, comments, numbers or keywords in most languages. */
const tokens =
  /(?<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)|(?<note>\/\/.*$|\/\*.*?\*\/|(?<![\w$&"'])#(?![0-9a-fA-F]{3,8}\b).*$)|(?<digits>\b\d[\w.]*\b)|(?<word>\b(?:abstract|as|async|await|break|case|catch|class|const|continue|def|default|defer|del|do|elif|else|enum|except|export|extends|false|False|final|finally|fn|for|from|func|function|if|implements|import|in|interface|let|match|mut|new|nil|None|null|package|private|protected|public|raise|return|self|static|struct|switch|this|throw|throws|true|True|try|type|use|var|void|while|with|yield)\b)/g;

/** A line of code, or a part of one, highlighted where that is safe in any language. */
export function Code({ text }: { text: string }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    const [kind] = Object.entries(match.groups!).find(([, value]) => value !== undefined)!;
    if (match.index > end) parts.push(<Plain key={end} text={text.slice(end, match.index)} />);
    end = match.index + match[0].length;
    parts.push(
      <span key={`${match.index}${kind}`} className={classes[kind]}>
        <Plain text={match[0]} />
      </span>,
    );
  }
  return [...parts, <Plain key="rest" text={text.slice(end)} />];
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
