import type { TlsRule } from '../rule.ts';
import { soundReport, type TlsVersion } from '../tls-report.ts';

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

export const protocolRules: TlsRule[] = [
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
