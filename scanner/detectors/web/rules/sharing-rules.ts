import { headerOf, type Page } from '../page.ts';
import type { PageRule } from '../rule.ts';

/** The `Origin` header of the test request. Nobody can own this name (RFC 2606). */
export const foreignOrigin = 'https://origin-check.assay.invalid';

const references = [
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CORS',
  'https://cheatsheetseries.owasp.org/cheatsheets/HTML5_Security_Cheat_Sheet.html#cross-origin-resource-sharing',
];
const allowed = (page: Page) => headerOf(page, 'access-control-allow-origin')?.trim() ?? '';
const withCredentials = (page: Page) => headerOf(page, 'access-control-allow-credentials')?.trim() === 'true';
const response = (origin: string, credentials?: string) => ({
  headers: {
    'access-control-allow-origin': origin,
    ...(credentials ? { 'access-control-allow-credentials': credentials } : {}),
  },
});

export const sharingRules: PageRule[] = [
  {
    id: 'web-cors-any-origin-with-credentials',
    asked: ['page', 'foreign'],
    title: 'Any other site can read responses with a visitor’s credentials',
    severity: 'high',
    cwe: ['CWE-942', 'CWE-346'],
    risk: 'Any site that a signed-in visitor opens can read everything on this one that the visitor can.',
    remediation:
      'Compare the `Origin` header with a list of known origins before returning it in `Access-Control-Allow-Origin`. Never reflect it unchecked, and never return `null`.',
    references,
    find: (page) =>
      withCredentials(page) && [foreignOrigin, 'null'].includes(allowed(page))
        ? [{ evidence: `Access-Control-Allow-Origin: ${allowed(page)}; Access-Control-Allow-Credentials: true` }]
        : [],
    matches: [response(foreignOrigin, 'true'), response('null', 'true')],
    misses: [response(foreignOrigin), response('https://app.example.com', 'true'), response('*'), {}],
  },
  {
    id: 'web-cors-wildcard-with-credentials',
    asked: ['page', 'foreign'],
    title: 'Cross-origin responses are allowed for every site, with credentials',
    severity: 'low',
    cwe: ['CWE-942'],
    risk: 'Browsers refuse the combination, so the intended access does not work; the usual fix, reflecting every origin, opens the site to all others.',
    remediation: 'List the origins that need credentials, or omit `Access-Control-Allow-Credentials`.',
    references,
    find: (page) =>
      withCredentials(page) && allowed(page) === '*'
        ? [{ evidence: 'Access-Control-Allow-Origin: *; Access-Control-Allow-Credentials: true' }]
        : [],
    matches: [response('*', 'true')],
    misses: [response('*'), response('https://app.example.com', 'true')],
  },
];
