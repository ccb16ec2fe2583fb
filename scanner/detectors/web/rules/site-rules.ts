import type { WebRule } from '../rule.ts';

/** Rules for the site as a whole, which visit-site.ts checks with more than one request. */
export const siteRules = {
  notRedirected: {
    id: 'web-http-not-redirected',
    title: 'Plain http is not redirected to https',
    severity: 'medium',
    cwe: ['CWE-319'],
    risk: 'Visitors who type the name or follow an old link stay unencrypted: everything can be read and changed in transit.',
    remediation: 'Redirect every http request to the same URL over https with a 301 or 308.',
    references: ['https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html'],
  },
  redirectedToHttp: {
    id: 'web-redirect-to-http',
    title: 'https is redirected to plain http',
    severity: 'high',
    cwe: ['CWE-319', 'CWE-757'],
    risk: 'Even visitors who ask for https end up unencrypted.',
    remediation:
      'Redirect to https addresses only; behind a proxy, pass the application the original scheme (`X-Forwarded-Proto`).',
    references: ['https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html'],
  },
  nonceRepeated: {
    id: 'web-csp-static-nonce',
    title: 'The nonce of the content security policy is always the same',
    severity: 'medium',
    cwe: ['CWE-330', 'CWE-79'],
    risk: 'Anyone who knows the nonce can put it on an injected script: the policy does not protect against cross-site scripting.',
    remediation: 'Generate a random nonce of at least 128 bits for every response; cached pages need hashes instead.',
    references: ['https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CSP#nonces'],
  },
  contactMissing: {
    id: 'web-security-txt-missing',
    title: 'No security.txt says where to report vulnerabilities',
    severity: 'info',
    cwe: ['CWE-1059'],
    risk: 'People who find a vulnerability don’t know whom to tell, and may publish it instead.',
    remediation: 'Serve `/.well-known/security.txt` with `Contact:` and `Expires:` (RFC 9116).',
    references: ['https://www.rfc-editor.org/rfc/rfc9116', 'https://securitytxt.org/'],
  },
  contactExpired: {
    id: 'web-security-txt-expired',
    title: 'The security.txt has expired',
    severity: 'info',
    cwe: ['CWE-1059'],
    risk: 'Readers should no longer rely on an expired file.',
    remediation: 'Check the contact and set `Expires:` to a date within a year.',
    references: ['https://www.rfc-editor.org/rfc/rfc9116#section-2.5.5'],
  },
} satisfies Record<string, WebRule>;
