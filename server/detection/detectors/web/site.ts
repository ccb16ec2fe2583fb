import { HostNotFound, NetworkRefusal } from '../../../platform/egress/network-policy.ts';
import { TargetError } from '../../contract/target-error.ts';
import type { Page } from './page.ts';
import type { Requester } from './requester.ts';

/** Where the address led: every answer on the way, the last of which is the site's page. */
export type Site = { hops: Page[]; page: Page; warnings: string[] };

const mostHops = 3;

/**
 * Asks for the address and follows redirects within the host, from http to https too. Others' hosts are not asked.
 * Throws TargetError with a sentence when there is nothing to look at.
 */
export async function findSite(address: URL, requester: Requester, signal: AbortSignal): Promise<Site> {
  const hops = [await getFirst(address, requester, signal)];
  const warnings: string[] = [];
  while (hops.length <= mostHops) {
    const next = redirectOf(hops.at(-1)!);
    if (!next) break;
    if (next.hostname !== address.hostname) {
      warnings.push(`The site redirects to ${next.origin}, which was not looked at: add it as a website of its own.`);
      break;
    }
    if (hops.some((hop) => hop.url.href === next.href)) {
      warnings.push(`The site redirects in a circle at ${next.href}.`);
      break;
    }
    hops.push(await getFirst(next, requester, signal));
  }
  const page = hops.at(-1)!;
  if (page.status >= 500 || page.status === 429) {
    throw new TargetError(
      `${page.url.href} answered ${page.status}: the site could not be looked at. Try again later.`,
    );
  }
  return { hops, page, warnings };
}

function redirectOf(page: Page): URL | null {
  const { location } = page.headers;
  if (page.status < 300 || page.status >= 400 || typeof location !== 'string') return null;
  const next = URL.parse(location, page.url.href);
  if (next) next.hash = '';
  return next && /^https?:$/.test(next.protocol) ? next : null;
}

async function getFirst(url: URL, requester: Requester, signal: AbortSignal): Promise<Page> {
  try {
    return await requester.get(url);
  } catch (error) {
    signal.throwIfAborted();
    throw new TargetError(explain(url, error), error);
  }
}

function explain({ origin }: URL, error: unknown): string {
  if (error instanceof NetworkRefusal || error instanceof HostNotFound) return error.message;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ECONNREFUSED')
    return `${origin} refused the connection. Check that the site runs and that its port is right.`;
  if (/^(Timeout|Abort)Error$/.test((error as Error).name) || code === 'ETIMEDOUT')
    return `${origin} did not answer in time.`;
  if (code === 'ECONNRESET') return `${origin} closed the connection without an answer.`;
  if (/SSL|TLS|EPROTO/.test(code)) return `${origin} could not be talked to over TLS (${code}).`;
  return `${origin} could not be reached${code ? ` (${code})` : ''}.`;
}
