import { Component, type ComponentProps, type ReactNode } from 'react';
import ReactMarkdown from 'react-markdown';
import { linkBareUrls } from './bare-links.ts';
import classes from './detail.module.css';
import { safeUrl } from './words.ts';

/**
 * Texts beyond these bounds are shown as plain text. Quotes and lists nest by recursion, here and in React; the time
 * for emphasis and brackets grows with the square of their number: 2,000 take 50 ms.
 */
const maxCharacters = 100_000;
const maxNesting = 50;
const maxMarks = 2_000;

const container = /[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;

function opensTooMany(line: string): boolean {
  container.lastIndex = 0;
  let opened = 0;
  while (opened <= maxNesting && container.test(line)) opened += 1;
  return opened > maxNesting;
}

function hasManyMarks(text: string): boolean {
  let marks = 0;
  for (const character of text) if ('*_[]'.includes(character)) marks += 1;
  return marks > maxMarks;
}

/** Returns whether a text is within the bounds for Markdown. */
function isPlainEnough(text: string): boolean {
  return text.length <= maxCharacters && !hasManyMarks(text) && !text.split('\n').some(opensTooMany);
}

/** Headings within a text are not headings of the page. */
const Strong = ({ children }: { children?: ReactNode }) => (
  <p>
    <strong>{children}</strong>
  </p>
);

/** Links open outside the console; images are not loaded, since that would reveal the reader to others. */
const components = {
  a: ({ href, children }: ComponentProps<'a'>) => {
    const url = safeUrl(href);
    return url ? (
      <a href={url} target="_blank" rel="noreferrer noopener nofollow">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    );
  },
  img: ({ alt }: ComponentProps<'img'>) => <span>[image: {alt}]</span>,
  h1: Strong,
  h2: Strong,
  h3: Strong,
  h4: Strong,
  h5: Strong,
  h6: Strong,
};

const Plain = ({ text }: { text: string }) => <p className={classes.plain}>{text}</p>;

/** Shows plain text if rendering as Markdown fails, so that the rest of the page stays. */
class PlainOnError extends Component<{ text: string; children: ReactNode }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <Plain text={this.props.text} /> : this.props.children;
  }
}

/**
 * Renders text of scanners and people as Markdown. HTML in it is shown as text, and overly nested text as plain text.
 */
export default function Markdown({ text }: { text: string }) {
  return (
    <div className={classes.markdown}>
      {isPlainEnough(text) ? (
        <PlainOnError key={text} text={text}>
          <ReactMarkdown components={components} rehypePlugins={[linkBareUrls]}>
            {text}
          </ReactMarkdown>
        </PlainOnError>
      ) : (
        <Plain text={text} />
      )}
    </div>
  );
}
