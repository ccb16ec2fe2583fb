import { type Html, readHtml } from './html.ts';

/** A response of the site. `body` is truncated at a limit, and empty if it is not text. */
export type Page = {
  url: URL;
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** Null if the response is not HTML. */
  html: Html | null;
};

export type PageSample = { url?: string; status?: number; headers?: Page['headers']; body?: string };

/** Builds a page from a response. Header names are in lower case. */
export function toPage(response: Omit<Page, 'html'>): Page {
  const isHtml = /^\s*(text\/html|application\/xhtml\+xml)/i.test(headerOf(response, 'content-type') ?? '');
  return { ...response, html: isHtml ? readHtml(response.body, response.url) : null };
}

/** Returns a correct https response with the sample's changes. */
export function samplePage({ url, status = 200, headers = {}, body = '' }: PageSample): Page {
  const all = { 'content-type': 'text/html; charset=utf-8', ...headers };
  return toPage({ url: new URL(url ?? 'https://www.example.com/'), status, headers: all, body });
}

/** Returns a header's value, or null without it. Several headers of one name are joined by commas, as HTTP defines. */
export function headerOf(page: Pick<Page, 'headers'>, name: string): string | null {
  const value = page.headers[name];
  if (value === undefined) return null;
  return Array.isArray(value) ? value.join(', ') : value;
}

export const isSecure = (page: Page): boolean => page.url.protocol === 'https:';

/** Returns whether the response is a page that a browser would show: HTML with a 2xx status. */
export const isShownPage = (page: Page): boolean => page.html !== null && page.status >= 200 && page.status < 300;
