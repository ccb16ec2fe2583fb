import type { ComponentProps } from 'react';
import ReactMarkdown from 'react-markdown';
import classes from './detail.module.css';
import { safeUrl } from './words.ts';

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
  h1: ({ children }: ComponentProps<'h1'>) => <h4>{children}</h4>,
  h2: ({ children }: ComponentProps<'h2'>) => <h4>{children}</h4>,
  h3: ({ children }: ComponentProps<'h3'>) => <h4>{children}</h4>,
};

/** Text that scanners and people wrote, as Markdown. HTML in it is shown as text. */
export default function Markdown({ text }: { text: string }) {
  return (
    <div className={classes.markdown}>
      <ReactMarkdown components={components}>{text}</ReactMarkdown>
    </div>
  );
}
