import { headerOf, type Page } from '../page.ts';
import type { PageRule } from '../rule.ts';

/** The origin that a site is asked from to see whom it answers. Nobody can own it (RFC 2606). */
export const foreignOrigin = 'https://origin-check.assay.invalid';

const references = [
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CORS',
  'https://cheatsheetseries.owasp.org/cheatsheets/HTML5_Security_Cheat_Sheet.html#cross-origin-resource-sharing',
];
const allowed = (page: Page) => headerOf(page, 'access-control-allow-origin')?.trim() ?? '';
const withCredentials = (page: Page) => headerOf(page, 'access-control-allow-credentials')?.trim() === 'true';
const answer = (origin: string, credentials?: string) => ({
  headers: {
    'access-control-allow-origin': origin,
    ...(credentials ? { 'access-control-allow-credentials': credentials } : {}),
  },
});

export const sharingRules: PageRule[] = [
  {
    id: 'web-cors-any-origin-with-credentials',
    asked: ['page', 'foreign'],
    title: 'Any other site may read answers in a visitor’s name',
    severity: 'high',
    cwe: ['CWE-942', 'CWE-346'],
    risk: 'A site that a signed-in visitor happens to open can read from this one whatever the visitor can.',
    remediation:
      'Compare the `Origin` header with a list of known origins before it is answered in `Access-Control-Allow-Origin`, never by reflecting it, and never answer `null`.',
    references,
    find: (page) =>
      withCredentials(page) && [foreignOrigin, 'null'].includes(allowed(page))
        ? [{ evidence: `Access-Control-Allow-Origin: ${allowed(page)}; Access-Control-Allow-Credentials: true` }]
        : [],
    matches: [answer(foreignOrigin, 'true'), answer('null', 'true')],
    misses: [answer(foreignOrigin), answer('https://app.example.com', 'true'), answer('*'), {}],
  },
  {
    id: 'web-cors-wildcard-with-credentials',
    asked: ['page', 'foreign'],
    title: 'Cross-origin answers are allowed to everyone, with credentials',
    severity: 'low',
    cwe: ['CWE-942'],
    risk: 'Browsers refuse the combination, so what was meant does not work; the usual repair, reflecting every origin, opens the site to all others.',
    remediation: 'Name the origins that need credentials one by one, or leave `Access-Control-Allow-Credentials` out.',
    references,
    find: (page) =>
      withCredentials(page) && allowed(page) === '*'
        ? [{ evidence: 'Access-Control-Allow-Origin: *; Access-Control-Allow-Credentials: true' }]
        : [],
    matches: [answer('*', 'true')],
    misses: [answer('*'), answer('https://app.example.com', 'true')],
  },
];
