import { readPolicies } from '../csp.ts';
import { headerOf, isShownPage, type Page } from '../page.ts';
import type { PageRule } from '../rule.ts';

const mdn = (name: string) => `https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/${name}`;
const owasp = 'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html';

/**
 * Returns the last policy in the list that browsers recognise, which is the effective one (Referrer Policy, section
 * 4.1).
 */
function referrerPolicyOf(page: Page): string | null {
  const known =
    /^(no-referrer|no-referrer-when-downgrade|same-origin|origin|strict-origin|origin-when-cross-origin|strict-origin-when-cross-origin|unsafe-url)$/;
  const values = `${headerOf(page, 'referrer-policy') ?? page.html?.referrerPolicy ?? ''}`.toLowerCase().split(',');
  return values.map((value) => value.trim()).findLast((value) => known.test(value)) ?? null;
}

function isFrameable(page: Page): boolean {
  const option = headerOf(page, 'x-frame-options')?.split(',')[0]?.trim().toLowerCase();
  if (option === 'deny' || option === 'sameorigin') return false;
  // The directive has no effect in a meta element.
  return !readPolicies(page).some(({ isMeta, directives }) => !isMeta && 'frame-ancestors' in directives);
}

/** A product name alone reveals little; with a version, its known vulnerabilities can be looked up. */
const versioned = /\/v?\d+(\.\d+)|\b\d+\.\d+\.\d+|^\d+(\.\d+)+$/;
const versionHeaders = ['server', 'x-powered-by', 'x-aspnet-version', 'x-aspnetmvc-version', 'x-generator'];

export const headerRules: PageRule[] = [
  {
    id: 'web-nosniff-missing',
    title: 'Browsers may guess content types',
    severity: 'low',
    cwe: ['CWE-693', 'CWE-430'],
    risk: 'A browser that guesses can run an uploaded text or image as a script.',
    remediation: 'Send `X-Content-Type-Options: nosniff` with every response.',
    references: [mdn('X-Content-Type-Options'), owasp],
    find: (page) => {
      const value = headerOf(page, 'x-content-type-options');
      if (value?.split(',')[0]?.trim().toLowerCase() === 'nosniff' || page.status >= 300) return [];
      return [{ evidence: value === null ? 'no X-Content-Type-Options header' : `X-Content-Type-Options: ${value}` }];
    },
    matches: [{}, { headers: { 'x-content-type-options': 'no-sniff' } }],
    misses: [{ headers: { 'x-content-type-options': 'NoSniff' } }, { status: 404 }],
  },
  {
    id: 'web-frameable',
    title: 'The site can be framed by any other site',
    severity: 'medium',
    cwe: ['CWE-1021'],
    risk: 'Another site can overlay this one invisibly and trick visitors into clicking what they don’t see (clickjacking).',
    remediation:
      "Send `Content-Security-Policy: frame-ancestors 'self'` (or `'none'`), and `X-Frame-Options: SAMEORIGIN` for old browsers.",
    references: [
      mdn('Content-Security-Policy/frame-ancestors'),
      'https://cheatsheetseries.owasp.org/cheatsheets/Clickjacking_Defense_Cheat_Sheet.html',
    ],
    find: (page) =>
      isShownPage(page) && isFrameable(page)
        ? [{ evidence: 'neither frame-ancestors nor X-Frame-Options is set' }]
        : [],
    matches: [
      {},
      { headers: { 'x-frame-options': 'ALLOW-FROM https://a.example/' } },
      { body: '<meta http-equiv="Content-Security-Policy" content="frame-ancestors \'none\'">' },
    ],
    misses: [
      { headers: { 'x-frame-options': 'sameorigin' } },
      { headers: { 'content-security-policy': "default-src *; frame-ancestors 'self'" } },
      { headers: { 'content-type': 'application/json' }, body: '{}' },
    ],
  },
  {
    id: 'web-referrer-unsafe',
    title: 'Full URLs are sent to other sites',
    severity: 'low',
    cwe: ['CWE-200'],
    risk: 'Data in the URL (tokens, search terms, names) is sent to every site that the page links to or loads from.',
    remediation: 'Send `Referrer-Policy: strict-origin-when-cross-origin` or a stricter one.',
    references: [mdn('Referrer-Policy'), owasp],
    find: (page) => {
      const policy = isShownPage(page) ? referrerPolicyOf(page) : null;
      return policy === 'unsafe-url' || policy === 'no-referrer-when-downgrade'
        ? [{ evidence: `Referrer-Policy: ${policy}` }]
        : [];
    },
    matches: [
      { headers: { 'referrer-policy': 'unsafe-url' } },
      { body: '<meta name="referrer" content="no-referrer-when-downgrade">' },
    ],
    misses: [{}, { headers: { 'referrer-policy': 'no-referrer-when-downgrade, strict-origin' } }],
  },
  {
    id: 'web-version-leak',
    asked: ['page', 'redirect'],
    title: 'The server reveals its version',
    severity: 'low',
    cwe: ['CWE-200', 'CWE-497'],
    risk: 'Attackers can look up the known vulnerabilities of that version, and find sites that run it by searching for it.',
    remediation:
      'Leave the version out: `ServerTokens Prod` (Apache), `server_tokens off` (nginx), `expose_php = Off`, `<httpRuntime enableVersionHeader="false">`, or drop the header in the proxy in front.',
    references: [
      'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/01-Information_Gathering/02-Fingerprint_Web_Server',
      mdn('Server'),
    ],
    find: (page) =>
      versionHeaders.flatMap((name) => {
        const value = headerOf(page, name);
        return value && versioned.test(value) ? [{ key: name, evidence: `${name}: ${value.slice(0, 200)}` }] : [];
      }),
    matches: [
      { headers: { server: 'Apache/2.4.41 (Ubuntu)' } },
      { headers: { 'x-powered-by': 'PHP/7.4.3' } },
      { headers: { 'x-aspnet-version': '4.0.30319' } },
    ],
    misses: [
      { headers: { server: 'nginx' } },
      { headers: { 'x-powered-by': 'Express' } },
      { headers: { server: 'cloudflare' } },
    ],
  },
];
