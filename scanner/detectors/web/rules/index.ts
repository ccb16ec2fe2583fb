import { headerOf, isSecure, isShownPage, type Page } from '../page.ts';
import type { PageRule, TlsRule, WebRule } from '../rule.ts';
import { soundReport, type TlsVersion } from '../tls-report.ts';
import { certificateRules } from './certificate-rules.ts';
import { contentRules } from './content-rules.ts';
import { cookieRules } from './cookie-rules.ts';
import { cspRules } from './csp-rules.ts';
import { fileRules } from './file-rules.ts';
import { headerRules } from './header-rules.ts';
import { sharingRules } from './sharing-rules.ts';
import { siteRules } from './site-rules.ts';

const hsts = 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Strict-Transport-Security';
const hstsSheet = 'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Strict_Transport_Security_Cheat_Sheet.html';
const halfAYear = 180 * 86_400;

/**
 * Returns the policy's lifetime in seconds, or null without a valid one. The first header counts (RFC 6797, section
 * 6.1).
 */
function readMaxAge(page: Page): number | null {
  const value = page.headers['strict-transport-security'];
  const first = Array.isArray(value) ? value[0] : value?.split(',')[0];
  const found = /(?:^|;)\s*max-age\s*=\s*"?(\d+)"?\s*(?:;|$)/i.exec(first ?? '');
  return found ? Number(found[1]) : null;
}

const hasHsts = (page: Page) => headerOf(page, 'strict-transport-security') !== null;
const strict = (value: string) => ({ headers: { 'strict-transport-security': value } });

/** Browsers ignore the header on IP addresses (RFC 6797, section 8.1.1). */
const isNamed = (page: Page) => !/^[\d.]+$|^\[/.test(page.url.hostname);

const transportRules: PageRule[] = [
  {
    id: 'web-hsts-missing',
    title: 'HTTP Strict Transport Security is not set',
    severity: 'medium',
    cwe: ['CWE-319', 'CWE-523'],
    risk: 'The first request of a visit may use plain http, where an attacker on the network path can read and answer it.',
    remediation:
      'Send `Strict-Transport-Security: max-age=31536000; includeSubDomains` with every https response, once the whole site works over https.',
    references: [hsts, hstsSheet],
    find: (page) =>
      isSecure(page) && isNamed(page) && !hasHsts(page) ? [{ evidence: 'no Strict-Transport-Security header' }] : [],
    matches: [{}],
    misses: [strict('max-age=31536000'), { url: 'http://www.example.com/' }, { url: 'https://192.0.2.1/' }],
  },
  {
    id: 'web-hsts-short',
    title: 'HTTP Strict Transport Security is too short-lived or disabled',
    severity: 'low',
    cwe: ['CWE-319'],
    risk: 'Between visits, browsers forget to use only https for the site.',
    remediation: 'Set `max-age` to a year: `Strict-Transport-Security: max-age=31536000; includeSubDomains`.',
    references: [hsts, hstsSheet],
    find: (page) => {
      if (!isSecure(page) || !hasHsts(page)) return [];
      const age = readMaxAge(page);
      if (age !== null && age >= halfAYear) return [];
      return [{ evidence: `Strict-Transport-Security: ${headerOf(page, 'strict-transport-security')}` }];
    },
    matches: [strict('max-age=86400'), strict('max-age=0'), strict('includeSubDomains')],
    misses: [strict('max-age=15768000'), strict('includeSubDomains; Max-Age="31536000"'), {}],
  },
  {
    id: 'web-unencrypted',
    title: 'The site is served without encryption',
    severity: 'medium',
    cwe: ['CWE-319'],
    risk: 'Everything that visitors send and see can be read and changed in transit.',
    remediation: 'Serve the site over https and redirect http there with a 301 or 308.',
    references: [
      'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
      'https://developer.mozilla.org/en-US/docs/Web/Security/Practical_implementation_guides/TLS',
    ],
    find: (page) =>
      !isSecure(page) && page.status >= 200 && page.status < 300
        ? [{ evidence: `${page.url.origin} returned ${page.status} over plain http` }]
        : [],
    matches: [{ url: 'http://www.example.com/' }],
    misses: [{}, { url: 'http://www.example.com/', status: 301 }],
  },
  {
    id: 'web-password-over-http',
    title: 'A password form is loaded or sent without encryption',
    severity: 'high',
    cwe: ['CWE-319', 'CWE-523'],
    risk: 'Passwords can be read in transit, and a form loaded unencrypted may have been changed to send them elsewhere.',
    remediation: 'Serve pages with a password field over https, and submit their forms over https too.',
    references: ['https://developer.mozilla.org/en-US/docs/Web/Security/Insecure_passwords'],
    find: (page) =>
      (isShownPage(page) ? page.html!.forms : [])
        .filter((form) => form.hasPassword && (!isSecure(page) || form.action.protocol === 'http:'))
        .slice(0, 1)
        .map((form) => ({ evidence: `a form with a password field is sent to ${form.action.origin}` })),
    matches: [
      { url: 'http://www.example.com/', body: '<form method=post><input type="password" name=p></form>' },
      { body: '<form action="http://www.example.com/login"><input type=PASSWORD></form>' },
    ],
    misses: [
      { body: '<form method=post action="/login"><input type="password"></form>' },
      { url: 'http://www.example.com/', body: '<form><input type=text></form><p>type=password' },
    ],
  },
];

const mozilla = 'https://wiki.mozilla.org/Security/Server_Side_TLS';
const owasp = 'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html';

const offering = (version: TlsVersion, offered: boolean | null) => ({
  offered: { ...soundReport.offered, [version]: offered },
});

function oldVersion(version: TlsVersion, name: string): TlsRule {
  return {
    id: `web-tls-${name.slice(-3).replace('.', '-')}`,
    title: `${name} is accepted`,
    severity: 'medium',
    cwe: ['CWE-327', 'CWE-757'],
    risk: `${name} relies on broken hash functions and was deprecated by RFC 8996. An attacker on the network path can downgrade old clients to it.`,
    remediation: 'Accept TLS 1.2 and 1.3 only, in the web server, the load balancer and the CDN in front of it.',
    references: [mozilla, 'https://www.rfc-editor.org/rfc/rfc8996', owasp],
    find: ({ offered, host }) => (offered[version] ? [{ evidence: `${host} completed a handshake with ${name}` }] : []),
    matches: [offering(version, true)],
    misses: [offering(version, false), offering(version, null)],
  };
}

const protocolRules: TlsRule[] = [
  oldVersion('TLSv1', 'TLS 1.0'),
  oldVersion('TLSv1.1', 'TLS 1.1'),
  {
    id: 'web-tls-outdated',
    title: 'Neither TLS 1.2 nor TLS 1.3 is accepted',
    severity: 'high',
    cwe: ['CWE-327'],
    risk: 'Current browsers refuse to connect, and clients that still connect use broken cryptography.',
    remediation: 'Update the TLS library and accept TLS 1.2 and 1.3.',
    references: [mozilla, owasp],
    find: ({ offered, host }) =>
      offered['TLSv1.2'] === false && offered['TLSv1.3'] === false && (offered.TLSv1 || offered['TLSv1.1'])
        ? [{ evidence: `${host} completed no handshake with TLS 1.2 or 1.3` }]
        : [],
    matches: [{ offered: { TLSv1: true, 'TLSv1.1': true, 'TLSv1.2': false, 'TLSv1.3': false } }],
    misses: [offering('TLSv1.2', false), { offered: { ...soundReport.offered, 'TLSv1.2': null, 'TLSv1.3': false } }],
  },
  {
    id: 'web-tls-1-3-missing',
    title: 'TLS 1.3 is not offered',
    severity: 'info',
    cwe: ['CWE-326'],
    risk: 'TLS 1.2 can be configured safely, but TLS 1.3 has no weak options and encrypts more of the handshake.',
    remediation: 'Offer TLS 1.3 beside TLS 1.2.',
    references: [mozilla, owasp],
    find: ({ offered, host }) =>
      offered['TLSv1.3'] === false && offered['TLSv1.2']
        ? [{ evidence: `${host} completed no handshake with TLS 1.3` }]
        : [],
    matches: [offering('TLSv1.3', false)],
    misses: [offering('TLSv1.3', null), {}],
  },
  {
    id: 'web-tls-broken-cipher',
    title: 'A broken cipher suite is accepted',
    severity: 'high',
    cwe: ['CWE-327', 'CWE-326'],
    risk: 'Suites without encryption or authentication, export suites, RC4, DES and 3DES allow traffic to be read or changed.',
    remediation:
      'Remove NULL, anonymous, EXPORT, RC4, DES and 3DES suites from the cipher list; Mozilla’s "intermediate" list is a good choice.',
    references: [mozilla, 'https://sweet32.info/', owasp],
    find: ({ brokenSuite }) => (brokenSuite ? [{ evidence: `The server chose ${brokenSuite}` }] : []),
    matches: [{ brokenSuite: 'TLS_RSA_WITH_RC4_128_SHA' }],
    misses: [{}],
  },
  {
    id: 'web-tls-no-forward-secrecy',
    title: 'Cipher suites without forward secrecy are accepted',
    severity: 'info',
    cwe: ['CWE-326'],
    risk: 'Anyone who records such a connection and later obtains the private key can decrypt it.',
    remediation: 'Offer suites with ECDHE key exchange only.',
    references: [mozilla, owasp],
    find: ({ staticSuite }) => (staticSuite ? [{ evidence: `The server chose ${staticSuite}` }] : []),
    matches: [{ staticSuite: 'TLS_RSA_WITH_AES_128_CBC_SHA' }],
    misses: [{}],
  },
];

export const tlsRules: TlsRule[] = [...protocolRules, ...certificateRules];
export const pageRules: PageRule[] = [
  ...transportRules,
  ...headerRules,
  ...cspRules,
  ...cookieRules,
  ...contentRules,
  ...sharingRules,
];
export { fileRules };
export const allRules: WebRule[] = [...tlsRules, ...pageRules, ...fileRules, ...Object.values(siteRules)];
