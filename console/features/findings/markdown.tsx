import type { ComponentProps, ReactNode } from 'react';
import ReactMarkdown from 'react-markdown';
import { linkBareUrls } from './bare-links.ts';
import classes from './detail.module.css';
import { safeUrl } from './words.ts';

/** Headings within a text are not headings of the page. */
const Strong = ({ children }: { children?: ReactNode }) => (
  <p>
    <strong>{children}</strong>
  </p>
);

/** Links open outside the console; images are not loaded, since they would tell others who reads this. */
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

/** Text that scanners and people wrote, as Markdown. HTML in it is shown as text. */
export default function Markdown({ text }: { text: string }) {
  return (
    <div className={classes.markdown}>
      <ReactMarkdown components={components} rehypePlugins={[linkBareUrls]}>
        {text}
      </ReactMarkdown>
    </div>
  );
}
