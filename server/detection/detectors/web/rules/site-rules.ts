import type { WebRule } from '../rule.ts';

/** Rules over the site as a whole, that visit-site.ts finds by asking more than once. */
export const siteRules = {
  notRedirected: {
    id: 'web-http-not-redirected',
    title: 'Plain http is not redirected to https',
    severity: 'medium',
    cwe: ['CWE-319'],
    risk: 'Visitors who type the name or follow an old link stay unencrypted: everything can be read and changed on the way.',
    remediation: 'Answer every request over http with a 301 or 308 to the same address over https.',
    references: ['https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html'],
  },
  redirectedToHttp: {
    id: 'web-redirect-to-http',
    title: 'https is redirected to plain http',
    severity: 'high',
    cwe: ['CWE-319', 'CWE-757'],
    risk: 'Even visitors who ask for https end up unencrypted.',
    remediation:
      'Redirect to https addresses only; behind a proxy, let the application know the original scheme (`X-Forwarded-Proto`).',
    references: ['https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html'],
  },
  nonceRepeated: {
    id: 'web-csp-static-nonce',
    title: 'The nonce of the content security policy is always the same',
    severity: 'medium',
    cwe: ['CWE-330', 'CWE-79'],
    risk: 'Who knows the nonce can put it on an injected script: against cross-site scripting the policy does nothing.',
    remediation:
      'Make a new random nonce of 128 bits or more for every answer; pages from a cache need hashes instead.',
    references: ['https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CSP#nonces'],
  },
  contactMissing: {
    id: 'web-security-txt-missing',
    title: 'No security.txt tells where to report problems',
    severity: 'info',
    cwe: ['CWE-1059'],
    risk: 'Who finds a hole does not learn whom to tell, and may tell everyone.',
    remediation: 'Serve `/.well-known/security.txt` with `Contact:` and `Expires:` (RFC 9116).',
    references: ['https://www.rfc-editor.org/rfc/rfc9116', 'https://securitytxt.org/'],
  },
  contactExpired: {
    id: 'web-security-txt-expired',
    title: 'The security.txt has expired',
    severity: 'info',
    cwe: ['CWE-1059'],
    risk: 'Readers are told not to rely on it any more.',
    remediation: 'Check the contact and set `Expires:` to a date within a year.',
    references: ['https://www.rfc-editor.org/rfc/rfc9116#section-2.5.5'],
  },
} satisfies Record<string, WebRule>;
