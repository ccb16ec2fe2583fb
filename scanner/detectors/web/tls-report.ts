/** The tested TLS versions, by node:tls's names. */
export const tlsVersions = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;
export type TlsVersion = (typeof tlsVersions)[number];

export type CertificateReport = {
  subject: string;
  issuer: string;
  validFrom: Date;
  validTo: Date;
  /** Whether the certificate covers the requested host. */
  coversHost: boolean;
  names: string;
  keyType: string;
  /** The modulus of RSA and DSA keys, the order of elliptic curves. Null for types with a single size. */
  keyBits: number | null;
  signatureAlgorithm: string;
  /** OpenSSL's code, such as `DEPTH_ZERO_SELF_SIGNED_CERT`, or null if the chain leads to a trusted root. */
  chainError: string | null;
};

/** The results of the handshakes with one host and port. */
export type TlsReport = {
  host: string;
  at: Date;
  /** Null for a version that could not be tested. */
  offered: Record<TlsVersion, boolean | null>;
  /** The suite that the server chose from an offer of only broken ones, or null. */
  brokenSuite: string | null;
  /** The suite that the server chose from an offer of only suites without forward secrecy, or null. */
  staticSuite: string | null;
  certificate: CertificateReport | null;
};

const day = 86_400_000;
const at = new Date('2030-06-01T00:00:00Z');

export const soundCertificate: CertificateReport = {
  subject: 'CN=www.example.com',
  issuer: 'CN=Example CA',
  names: 'DNS:www.example.com',
  coversHost: true,
  validFrom: new Date(at.getTime() - 30 * day),
  validTo: new Date(at.getTime() + 60 * day),
  keyType: 'ec',
  keyBits: 256,
  signatureAlgorithm: 'ecdsa-with-SHA256',
  chainError: null,
};

/** A report without problems, the base for the rules' samples. */
export const soundReport: TlsReport = {
  host: 'www.example.com',
  at,
  brokenSuite: null,
  staticSuite: null,
  certificate: soundCertificate,
  offered: { TLSv1: false, 'TLSv1.1': false, 'TLSv1.2': true, 'TLSv1.3': true },
};
