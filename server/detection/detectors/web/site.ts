import { HostNotFound, NetworkRefusal } from '../../../platform/egress/network-policy.ts';
import { isTransientFailure, isTransientStatus } from '../../../platform/egress/transient-failure.ts';
import { TargetError } from '../../contract/target-error.ts';
import type { Page } from './page.ts';
import type { Requester } from './requester.ts';

/** The responses that the address led through; the last is the site's page. */
export type Site = { hops: Page[]; page: Page; warnings: string[] };

const maxHops = 3;

/**
 * Requests the address and follows redirects within the host, including from http to https, but not to other hosts.
 * Throws TargetError with a sentence when there is nothing to scan.
 */
export async function findSite(address: URL, requester: Requester, signal: AbortSignal): Promise<Site> {
  const hops = [await getFirst(address, requester, signal)];
  const warnings: string[] = [];
  while (hops.length <= maxHops) {
    const next = redirectOf(hops.at(-1)!);
    if (!next) break;
    if (next.hostname !== address.hostname) {
      warnings.push(`The site redirects to ${next.origin}, which was not scanned: add it as a separate website.`);
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
    const message = `${page.url.href} returned ${page.status}: the site could not be scanned. Try again later.`;
    throw new TargetError(message, undefined, isTransientStatus(page.status));
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
    throw new TargetError(explain(url, error), error, isTransientFailure(error));
  }
}

function explain({ origin }: URL, error: unknown): string {
  if (error instanceof NetworkRefusal || error instanceof HostNotFound) return error.message;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ECONNREFUSED')
    return `${origin} refused the connection. Check that the site runs and that its port is right.`;
  if (/^(Timeout|Abort)Error$/.test((error as Error).name) || code === 'ETIMEDOUT')
    return `${origin} did not respond in time.`;
  if (code === 'ECONNRESET') return `${origin} closed the connection without a response.`;
  if (/SSL|TLS|EPROTO/.test(code)) return `The TLS connection to ${origin} failed (${code}).`;
  return `${origin} could not be reached${code ? ` (${code})` : ''}.`;
}
