import type { Sight, TlsRule, WebRule } from '../rule.ts';
import { type CertificateReport, soundCertificate, soundReport, type TlsReport } from '../tls-report.ts';

const day = 86_400_000;
const references = ['https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html'];
const date = (time: Date) => time.toISOString().slice(0, 10);
const after = (days: number) => new Date(soundReport.at.getTime() + days * day);
const renewal = 'Renew certificates automatically (ACME), and monitor that the renewed one is served.';

type Change = Partial<CertificateReport>;

/** Builds a rule for the certificate; its samples change a correct one. */
function certificateRule(
  rule: WebRule & { look(certificate: CertificateReport, report: TlsReport): string | null },
  matches: Change[],
  misses: Change[],
): TlsRule {
  const { look, ...texts } = rule;
  const withCertificate = (change: Change) => ({ certificate: { ...soundCertificate, ...change } });
  const find = (report: TlsReport): Sight[] => {
    const evidence = report.certificate && look(report.certificate, report);
    return evidence ? [{ evidence }] : [];
  };
  return { ...texts, find, matches: matches.map(withCertificate), misses: [{}, ...misses.map(withCertificate)] };
}

/**
 * Renewal is late in the last sixth of the lifetime, but at most two weeks before its end: short-lived certificates are
 * renewed late by design.
 */
function isLate({ validFrom, validTo }: CertificateReport, at: Date): boolean {
  const left = validTo.getTime() - at.getTime();
  return left > 0 && left < Math.min(14 * day, (validTo.getTime() - validFrom.getTime()) / 6);
}

const isSelfSigned = ({ chainError }: CertificateReport) => chainError === 'DEPTH_ZERO_SELF_SIGNED_CERT';
// Separate rules cover the dates and self-signed certificates.
const otherChainErrors = new Set(['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

export const certificateRules: TlsRule[] = [
  certificateRule(
    {
      id: 'web-certificate-expired',
      title: 'The certificate has expired',
      severity: 'high',
      cwe: ['CWE-298'],
      risk: 'Browsers warn every visitor, and visitors who get used to dismissing the warning also dismiss it during an attack.',
      remediation: `Renew the certificate. ${renewal}`,
      references,
      look: ({ validTo }, { at }) => (validTo < at ? `valid until ${date(validTo)}` : null),
    },
    [{ validTo: after(-1) }],
    [{ validTo: after(1) }],
  ),
  certificateRule(
    {
      id: 'web-certificate-not-yet-valid',
      title: 'The certificate is not valid yet',
      severity: 'high',
      cwe: ['CWE-298'],
      risk: 'Browsers refuse the site until the certificate’s first day.',
      remediation:
        'Serve a certificate that is valid now, and check the clock of the machine that issues certificates.',
      references,
      look: ({ validFrom }, { at }) => (validFrom > at ? `valid from ${date(validFrom)}` : null),
    },
    [{ validFrom: after(2) }],
    [{ validFrom: after(-1) }],
  ),
  certificateRule(
    {
      id: 'web-certificate-expires-soon',
      title: 'The certificate expires soon',
      severity: 'medium',
      cwe: ['CWE-298'],
      risk: 'Automatic renewal should have happened by now. Once the certificate expires, browsers refuse the site.',
      remediation: renewal,
      references,
      look: (certificate, { at }) => (isLate(certificate, at) ? `valid until ${date(certificate.validTo)}` : null),
    },
    [{ validFrom: after(-80), validTo: after(10) }],
    [
      { validFrom: after(-80), validTo: after(20) },
      { validFrom: after(-3), validTo: after(3) },
      { validTo: after(-1) },
    ],
  ),
  certificateRule(
    {
      id: 'web-certificate-self-signed',
      title: 'The certificate is self-signed',
      severity: 'high',
      cwe: ['CWE-295'],
      risk: 'No authority vouches for it: visitors can’t tell the site from an attacker on the network path.',
      remediation: 'Use a certificate from an authority that visitors’ machines trust.',
      references,
      look: (certificate) => (isSelfSigned(certificate) ? `issued by itself: ${certificate.subject}` : null),
    },
    [{ chainError: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
    [{ chainError: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }],
  ),
  certificateRule(
    {
      id: 'web-certificate-untrusted',
      title: 'The certificate chain does not lead to a trusted authority',
      severity: 'high',
      cwe: ['CWE-295', 'CWE-296'],
      risk: 'The chain is incomplete or ends at an authority that clients don’t trust. Some browsers fetch missing certificates; programs and older phones refuse the site.',
      remediation:
        'Serve the intermediate certificates with the site’s own ("fullchain"), from an authority that clients trust.',
      references,
      look: ({ chainError, issuer }) =>
        chainError && !otherChainErrors.has(chainError) ? `${chainError}; issued by ${issuer}` : null,
    },
    [{ chainError: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, { chainError: 'SELF_SIGNED_CERT_IN_CHAIN' }],
    [{ chainError: 'CERT_HAS_EXPIRED' }, { chainError: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
  ),
  certificateRule(
    {
      id: 'web-certificate-wrong-host',
      title: 'The certificate is for another host',
      severity: 'high',
      cwe: ['CWE-297'],
      risk: 'Browsers warn every visitor; programs refuse the site, or have the check disabled and then don’t notice an attacker either.',
      remediation: 'Issue a certificate that lists this host in its subject alternative names.',
      references,
      look: ({ coversHost, names }, { host }) => (coversHost ? null : `${host} is not among ${names.slice(0, 300)}`),
    },
    [{ coversHost: false }],
    [],
  ),
  certificateRule(
    {
      id: 'web-certificate-weak-key',
      title: 'The certificate’s key is too short',
      severity: 'high',
      cwe: ['CWE-326'],
      risk: 'Well-funded attackers can break keys of this size and then impersonate the site.',
      remediation: 'Generate a new key: ECDSA P-256, or RSA with at minBits 2048 bits.',
      references,
      look: ({ keyType, keyBits }) => {
        const minBits = /^(rsa|rsa-pss|dsa)$/.test(keyType) ? 2048 : 224;
        return keyBits !== null && keyBits < minBits ? `${keyType} with ${keyBits} bits` : null;
      },
    },
    [
      { keyType: 'rsa', keyBits: 1024 },
      { keyType: 'ec', keyBits: 192 },
    ],
    [
      { keyType: 'rsa', keyBits: 2048 },
      { keyType: 'ed25519', keyBits: null },
    ],
  ),
  certificateRule(
    {
      id: 'web-certificate-weak-signature',
      title: 'The certificate is signed with a broken hash function',
      severity: 'high',
      cwe: ['CWE-328'],
      risk: 'Certificates signed with MD5 or SHA-1 can be forged.',
      remediation: 'Have the certificate reissued with SHA-256 or better.',
      references,
      look: ({ signatureAlgorithm }) =>
        /md[245]|sha-?1(?!\d)/i.test(signatureAlgorithm) ? `signed with ${signatureAlgorithm}` : null,
    },
    [{ signatureAlgorithm: 'sha1WithRSAEncryption' }, { signatureAlgorithm: 'ecdsa-with-SHA1' }],
    [{ signatureAlgorithm: 'sha256WithRSAEncryption' }, { signatureAlgorithm: 'ecdsa-with-SHA384' }],
  ),
];
