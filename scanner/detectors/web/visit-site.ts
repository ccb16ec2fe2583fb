import { randomBytes } from 'node:crypto';
import { TargetError } from '../../contract/target-error.ts';
import { HostNotFound, type NetworkPolicy, NetworkRefusal } from '../../platform/egress/network-policy.ts';
import { isTransientFailure, isTransientStatus } from '../../platform/egress/transient-failure.ts';
import { readPolicies } from './csp.ts';
import { isShownPage, type Page } from './page.ts';
import { createRequester, type Requester } from './requester.ts';
import type { Asked, Sight, WebRule } from './rule.ts';
import { fileRules, pageRules, tlsRules } from './rules/index.ts';
import { foreignOrigin } from './rules/sharing-rules.ts';
import { siteRules } from './rules/site-rules.ts';
import { createTimeBudget, type TimeBudget } from './time-budget.ts';
import { probeTls } from './tls-probe.ts';

/** The responses along the redirects; the last is the site's page. */
type Site = { hops: Page[]; page: Page; warnings: string[] };

const maxHops = 3;

/**
 * Requests the address and follows redirects within the host, including from http to https, but not to other hosts.
 * Throws TargetError with a sentence if there is nothing to scan.
 */
async function findSite(address: URL, requester: Requester, signal: AbortSignal): Promise<Site> {
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

export type WebProblem = { rule: WebRule; sight: Sight; url: URL };

export type Visit = {
  site: Site;
  problems: WebProblem[];
  isComplete: boolean;
  warnings: string[];
  /** The first warning about a lost or failed connection; null without one. */
  interruption: string | null;
};

export type VisitOptions = {
  policy: NetworkPolicy;
  signal: AbortSignal;
  progress(fraction: number | null, message: string): void;
  /** The total time for each origin; a minute by default. */
  originMs?: number;
};

const fileBytes = 64 * 1024;

/** Checks a website with at most 25 requests and about eight handshakes. Throws if its first page can't be fetched. */
export async function visitSite(address: string, options: VisitOptions): Promise<Visit> {
  const budget = createTimeBudget(options.originMs);
  const requester = createRequester(options.policy, options.signal, budget);
  options.progress(0, 'Requesting the first page');
  const site = await findSite(new URL(address), requester, options.signal);
  const visit: Visit = { site, problems: [], isComplete: true, warnings: [...site.warnings], interruption: null };
  const steps: Array<[string, () => Promise<void>]> = [
    ['Checking TLS', () => checkTls(visit, options, budget)],
    ['Checking the first page', async () => checkPages(visit)],
    ['Requesting the site over plain http', () => checkPlainHttp(visit, requester)],
    ['Requesting the site from another origin', () => checkSharing(visit, requester)],
    ['Requesting a directory', () => checkListing(visit, requester)],
    ['Requesting security.txt', () => checkSecurityTxt(visit, requester)],
    ['Requesting files that should not be public', () => checkFiles(visit, requester)],
  ];
  // A response that is intentionally not HTML (an API's) is checked as far as possible; a refused one can't be.
  if (site.page.status >= 400)
    markPartial(visit, `${site.page.url} returned ${site.page.status}: its pages could not be checked.`);
  for (const [index, [message, step]] of steps.entries()) {
    options.progress((index + 1) / (steps.length + 1), message);
    // A failed step is reported and closes no findings; the other steps continue.
    await step().catch((error) => {
      options.signal.throwIfAborted();
      markPartial(visit, `${message} failed: ${(error as Error).message.replace(/\.$/, '')}.`, error);
    });
  }
  return visit;
}

function markPartial(visit: Visit, warning: string, error?: unknown) {
  visit.warnings.push(warning);
  visit.isComplete = false;
  if (isTransientFailure(error)) visit.interruption ??= warning;
}

function add(visit: Visit, rule: WebRule, url: URL, sights: Sight[]) {
  for (const sight of sights) visit.problems.push({ rule, sight, url: sight.url ? new URL(sight.url) : url });
}

async function checkTls(visit: Visit, { policy, signal }: VisitOptions, budget: TimeBudget) {
  const { url } = visit.site.page;
  if (url.protocol !== 'https:') return;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const endpoint = { host, port: Number(url.port) || 443 };
  const connection = { policy, signal, origin: url.origin, budget };
  const report = await probeTls(endpoint, connection, (warning, error) => markPartial(visit, warning, error));
  for (const rule of tlsRules) add(visit, rule, new URL(url.origin), rule.find(report));
}

/** Redirects set cookies and reveal versions too. */
function checkPages(visit: Visit) {
  for (const page of visit.site.hops) judge(visit, page, page === visit.site.page ? 'page' : 'redirect');
  const { redirectedToHttp } = siteRules;
  const wrong = visit.site.hops.find((hop, index) => {
    const next = visit.site.hops[index + 1];
    return hop.url.protocol === 'https:' && next?.url.protocol === 'http:';
  });
  if (wrong) add(visit, redirectedToHttp, wrong.url, [{ evidence: `${wrong.url.origin} redirects to plain http` }]);
}

function judge(visit: Visit, page: Page, asked: Asked) {
  for (const rule of pageRules) {
    if ((rule.asked ?? ['page']).includes(asked)) add(visit, rule, page.url, rule.find(page));
  }
}

async function checkPlainHttp(visit: Visit, requester: Requester) {
  const { url } = visit.site.page;
  // A site on an unusual port need not serve port 80, and a visit that started there has already requested it.
  if (url.protocol !== 'https:' || url.port !== '') return;
  if (visit.site.hops.some((hop) => hop.url.protocol === 'http:')) return;
  const plain = new URL(url.pathname, `http://${url.host}`);
  const page = await requester.get(plain).catch(() => null);
  if (page && page.status >= 200 && page.status < 300) {
    add(visit, siteRules.notRedirected, plain, [{ evidence: `${plain.origin} returned ${page.status}` }]);
  }
}

async function checkSharing(visit: Visit, requester: Requester) {
  const { page } = visit.site;
  const again = await requester.get(page.url, { headers: { origin: foreignOrigin } });
  judge(visit, again, 'foreign');
  const nonces = (response: Page) => readPolicies(response).flatMap(({ text }) => text.match(/'nonce-[^']+'/g) ?? []);
  const earlier = new Set(nonces(page));
  const repeated = nonces(again).find((nonce) => earlier.has(nonce));
  if (repeated && isShownPage(again)) {
    add(visit, siteRules.nonceRepeated, page.url, [{ evidence: `twice ${repeated.slice(0, 100)}` }]);
  }
}

async function checkFiles(visit: Visit, requester: Requester) {
  const { origin } = visit.site.page.url;
  const missing = await requester.get(new URL(`/${randomBytes(9).toString('hex')}`, origin), { maxBytes: fileBytes });
  judge(visit, { ...missing, url: new URL(origin) }, 'missing');
  for (const rule of fileRules) {
    // A site that returns the same response for every path would have the file under any name.
    if (missing.status < 300 && rule.isExposed(missing.body)) continue;
    for (const path of rule.paths) {
      const url = new URL(path, origin);
      const page = await requester.get(url, { maxBytes: fileBytes, headers: { accept: '*/*' } });
      if (page.status === 429 || page.status === 503) throw new Error(`the site limits requests (${page.status})`);
      if (page.status < 200 || page.status >= 300 || !rule.isExposed(page.body)) continue;
      add(visit, rule, url, [{ key: path, evidence: rule.show(page.body) }]);
    }
  }
}

/** Requests the deepest directory from which the first page loads files. */
async function checkListing(visit: Visit, requester: Requester) {
  const { page } = visit.site;
  const own = [...(page.html?.active ?? []), ...(page.html?.passive ?? [])].filter(
    ({ url }) => url.origin === page.url.origin,
  );
  const directories = new Set(own.map(({ url }) => url.pathname.replace(/[^/]*$/, '')));
  directories.delete('/');
  directories.delete(page.url.pathname);
  const [directory] = [...directories].sort((left, right) => right.split('/').length - left.split('/').length);
  if (!directory) return;
  judge(visit, await requester.get(new URL(directory, page.url)), 'directory');
}

async function checkSecurityTxt(visit: Visit, requester: Requester) {
  const url = new URL('/.well-known/security.txt', visit.site.page.url);
  let page = await requester.get(url, { maxBytes: fileBytes });
  const location = page.headers.location;
  if (page.status >= 300 && page.status < 400 && location && requester.left > 0) {
    const next = URL.parse(String(location), url.href);
    // Other origins are not scanned; a file that is served there counts as present.
    if (next?.origin !== url.origin) return;
    page = await requester.get(next, { maxBytes: fileBytes });
  }
  const isFile = page.status === 200 && !page.html && /^contact:/im.test(page.body);
  const expires = /^expires:\s*(\S+)/im.exec(page.body)?.[1];
  if (!isFile) add(visit, siteRules.contactMissing, url, [{ evidence: `${url.pathname} returned ${page.status}` }]);
  else if (expires && new Date(expires).getTime() < Date.now()) {
    add(visit, siteRules.contactExpired, url, [{ evidence: `Expires: ${expires.slice(0, 60)}` }]);
  }
}
