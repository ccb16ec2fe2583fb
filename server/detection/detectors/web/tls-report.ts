/** The versions of TLS that are asked for, by node:tls's names. */
export const tlsVersions = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;
export type TlsVersion = (typeof tlsVersions)[number];

export type CertificateReport = {
  subject: string;
  issuer: string;
  validFrom: Date;
  validTo: Date;
  /** Whether the certificate names the host that was asked for. */
  coversHost: boolean;
  names: string;
  keyType: string;
  /** Of RSA and DSA keys the modulus, of elliptic curves the order. Null where the type has one size only. */
  keyBits: number | null;
  signatureAlgorithm: string;
  /** OpenSSL's code, such as `DEPTH_ZERO_SELF_SIGNED_CERT`, or null where the chain leads to a known root. */
  chainError: string | null;
};

/** What the handshakes with one host and port showed. */
export type TlsReport = {
  host: string;
  at: Date;
  /** Null where a version could not be asked for. */
  offered: Record<TlsVersion, boolean | null>;
  /** The suite that the server chose out of the broken ones alone, or null. */
  brokenSuite: string | null;
  /** The suite that it chose out of those without forward secrecy alone, or null. */
  staticSuite: string | null;
  certificate: CertificateReport | null;
};

const day = 86_400_000;
const at = new Date('2030-06-01T00:00:00Z');

export const soundCertificate: CertificateReport = {
  ...{ subject: 'CN=www.example.com', issuer: 'CN=Example CA', names: 'DNS:www.example.com', coversHost: true },
  ...{ validFrom: new Date(at.getTime() - 30 * day), validTo: new Date(at.getTime() + 60 * day) },
  ...{ keyType: 'ec', keyBits: 256, signatureAlgorithm: 'ecdsa-with-SHA256', chainError: null },
};

/** A report with nothing wrong in it, that the rules' samples change. */
export const soundReport: TlsReport = {
  ...{ host: 'www.example.com', at, brokenSuite: null, staticSuite: null, certificate: soundCertificate },
  offered: { TLSv1: false, 'TLSv1.1': false, 'TLSv1.2': true, 'TLSv1.3': true },
};
