import { randomBytes } from 'node:crypto';
import type { NetworkPolicy } from '../../../platform/egress/network-policy.ts';
import { readPolicies } from './csp.ts';
import { isShownPage, type Page } from './page.ts';
import { createRequester, type Requester } from './requester.ts';
import type { Asked, Sight, WebRule } from './rule.ts';
import { fileRules, pageRules, tlsRules } from './rules/index.ts';
import { foreignOrigin } from './rules/sharing-rules.ts';
import { siteRules } from './rules/site-rules.ts';
import { findSite, type Site } from './site.ts';
import { probeTls } from './tls-probe.ts';

export type WebProblem = { rule: WebRule; sight: Sight; url: URL };

export type Visit = { site: Site; problems: WebProblem[]; isComplete: boolean; warnings: string[] };

export type VisitOptions = {
  policy: NetworkPolicy;
  signal: AbortSignal;
  progress(fraction: number | null, message: string): void;
};

const fileBytes = 64 * 1024;

/** Looks at a website: at most 25 requests and some eight handshakes. Throws when its first page can't be had. */
export async function visitSite(address: string, options: VisitOptions): Promise<Visit> {
  const requester = createRequester(options.policy, options.signal);
  options.progress(0, 'Asking for the first page');
  const site = await findSite(new URL(address), requester, options.signal);
  const visit: Visit = { site, problems: [], isComplete: true, warnings: [...site.warnings] };
  const steps: Array<[string, () => Promise<void>]> = [
    ['Looking at its TLS', () => lookAtTls(visit, options)],
    ['Looking at its first page', async () => lookAtPages(visit)],
    ['Asking over plain http', () => lookAtPlainHttp(visit, requester)],
    ['Asking as another site', () => lookAtSharing(visit, requester)],
    ['Asking for a list of files', () => lookForListing(visit, requester)],
    ['Asking for security.txt', () => lookForContact(visit, requester)],
    ['Asking for files that should not be there', () => lookForFiles(visit, requester)],
  ];
  // A page that is no HTML on purpose (an API's) is judged as far as it goes; one that was refused could not be.
  if (site.page.status >= 400)
    partly(visit, `${site.page.url} answered ${site.page.status}: its pages could not be judged.`);
  for (const [index, [message, step]] of steps.entries()) {
    options.progress((index + 1) / (steps.length + 1), message);
    // What can't be had is told, and closes nothing; the other steps go on.
    await step().catch((error) => {
      options.signal.throwIfAborted();
      partly(visit, `${message} failed: ${(error as Error).message}`);
    });
  }
  return visit;
}

function partly(visit: Visit, warning: string) {
  visit.warnings.push(warning);
  visit.isComplete = false;
}

function add(visit: Visit, rule: WebRule, url: URL, sights: Sight[]) {
  for (const sight of sights) visit.problems.push({ rule, sight, url: sight.url ? new URL(sight.url) : url });
}

async function lookAtTls(visit: Visit, { policy, signal }: VisitOptions) {
  const { url } = visit.site.page;
  if (url.protocol !== 'https:') return;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const report = await probeTls(policy, { host, port: Number(url.port) || 443 }, signal, (warning) =>
    partly(visit, warning),
  );
  for (const rule of tlsRules) add(visit, rule, new URL(url.origin), rule.find(report));
}

/** Redirects of the site set cookies and tell versions too. */
function lookAtPages(visit: Visit) {
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

async function lookAtPlainHttp(visit: Visit, requester: Requester) {
  const { url } = visit.site.page;
  // Beside an unusual port there is nothing to expect on port 80; and it has been asked if the visit began there.
  if (url.protocol !== 'https:' || url.port !== '') return;
  if (visit.site.hops.some((hop) => hop.url.protocol === 'http:')) return;
  const plain = new URL(url.pathname, `http://${url.host}`);
  const page = await requester.get(plain).catch(() => null);
  if (page && page.status >= 200 && page.status < 300) {
    add(visit, siteRules.notRedirected, plain, [{ evidence: `${plain.origin} answered ${page.status}` }]);
  }
}

async function lookAtSharing(visit: Visit, requester: Requester) {
  const { page } = visit.site;
  const again = await requester.get(page.url, { headers: { origin: foreignOrigin } });
  judge(visit, again, 'foreign');
  const nonces = (one: Page) => readPolicies(one).flatMap(({ text }) => text.match(/'nonce-[^']+'/g) ?? []);
  const earlier = new Set(nonces(page));
  const repeated = nonces(again).find((nonce) => earlier.has(nonce));
  if (repeated && isShownPage(again)) {
    add(visit, siteRules.nonceRepeated, page.url, [{ evidence: `twice ${repeated.slice(0, 100)}` }]);
  }
}

async function lookForFiles(visit: Visit, requester: Requester) {
  const { origin } = visit.site.page.url;
  const missing = await requester.get(new URL(`/${randomBytes(9).toString('hex')}`, origin), { mostBytes: fileBytes });
  judge(visit, { ...missing, url: new URL(origin) }, 'missing');
  for (const rule of fileRules) {
    // A site that answers everything alike would have the file under any name.
    if (missing.status < 300 && rule.isExposed(missing.body)) continue;
    for (const path of rule.paths) {
      const url = new URL(path, origin);
      const page = await requester.get(url, { mostBytes: fileBytes, headers: { accept: '*/*' } });
      if (page.status === 429 || page.status === 503)
        throw new Error(`the site asks to be left alone (${page.status})`);
      if (page.status < 200 || page.status >= 300 || !rule.isExposed(page.body)) continue;
      add(visit, rule, url, [{ key: path, evidence: rule.show(page.body) }]);
    }
  }
}

/** Directories that the first page itself loads from, the deepest first. */
async function lookForListing(visit: Visit, requester: Requester) {
  const { page } = visit.site;
  const own = [...(page.html?.active ?? []), ...(page.html?.passive ?? [])].filter(
    ({ url }) => url.origin === page.url.origin,
  );
  const directories = new Set(own.map(({ url }) => url.pathname.replace(/[^/]*$/, '')));
  directories.delete('/');
  directories.delete(page.url.pathname);
  const [directory] = [...directories].sort((one, other) => other.split('/').length - one.split('/').length);
  if (!directory) return;
  judge(visit, await requester.get(new URL(directory, page.url)), 'directory');
}

async function lookForContact(visit: Visit, requester: Requester) {
  const url = new URL('/.well-known/security.txt', visit.site.page.url);
  let page = await requester.get(url, { mostBytes: fileBytes });
  const location = page.headers.location;
  if (page.status >= 300 && page.status < 400 && location && requester.left > 0) {
    const next = URL.parse(String(location), url.href);
    // Elsewhere is not scanned; a file that lives there is one.
    if (next?.origin !== url.origin) return;
    page = await requester.get(next, { mostBytes: fileBytes });
  }
  const isFile = page.status === 200 && !page.html && /^contact:/im.test(page.body);
  const expires = /^expires:\s*(\S+)/im.exec(page.body)?.[1];
  if (!isFile) add(visit, siteRules.contactMissing, url, [{ evidence: `${url.pathname} answered ${page.status}` }]);
  else if (expires && new Date(expires).getTime() < Date.now()) {
    add(visit, siteRules.contactExpired, url, [{ evidence: `Expires: ${expires.slice(0, 60)}` }]);
  }
}
