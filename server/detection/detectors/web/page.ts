import { type Html, readHtml } from './html.ts';

/** One answer of the site. `body` is bounded, and is empty where it is no text. */
export type Page = {
  url: URL;
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** Null where the answer is no HTML. */
  html: Html | null;
};

export type PageSample = { url?: string; status?: number; headers?: Page['headers']; body?: string };

/** Builds a page from an answer; names of headers in lower case. */
export function toPage(answer: Omit<Page, 'html'>): Page {
  const isHtml = /^\s*(text\/html|application\/xhtml\+xml)/i.test(headerOf(answer, 'content-type') ?? '');
  return { ...answer, html: isHtml ? readHtml(answer.body, answer.url) : null };
}

/** A sound answer over https with what the sample says otherwise. */
export function samplePage({ url, status = 200, headers = {}, body = '' }: PageSample): Page {
  const all = { 'content-type': 'text/html; charset=utf-8', ...headers };
  return toPage({ url: new URL(url ?? 'https://www.example.com/'), status, headers: all, body });
}

/** A header's value; several of one name are joined as HTTP says. Null when it is not there. */
export function headerOf(page: Pick<Page, 'headers'>, name: string): string | null {
  const value = page.headers[name];
  if (value === undefined) return null;
  return Array.isArray(value) ? value.join(', ') : value;
}

export const isSecure = (page: Page): boolean => page.url.protocol === 'https:';

/** Whether the answer is what a browser would show as the site: a page that was found. */
export const isShownPage = (page: Page): boolean => page.html !== null && page.status >= 200 && page.status < 300;
