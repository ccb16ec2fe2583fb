import { randomBytes, type X509Certificate } from 'node:crypto';
import { connect, isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { type NetworkPolicy, pinnedLookup } from '../../platform/egress/network-policy.ts';
import type { TimeBudget } from './time-budget.ts';
import { type Endpoint, type Handshake, HandshakeRefused, shakeHands } from './tls-handshake.ts';
import { type CertificateReport, type TlsReport, type TlsVersion, tlsVersions } from './tls-report.ts';

/**
 * Cipher suites by IANA number that our own TLS library can't or won't offer, grouped by their weakness.
 */
const broken: Record<number, string> = {
  1: 'TLS_RSA_WITH_NULL_MD5',
  2: 'TLS_RSA_WITH_NULL_SHA',
  59: 'TLS_RSA_WITH_NULL_SHA256',
  49158: 'TLS_ECDHE_ECDSA_WITH_NULL_SHA',
  49168: 'TLS_ECDHE_RSA_WITH_NULL_SHA',
  3: 'TLS_RSA_EXPORT_WITH_RC4_40_MD5',
  6: 'TLS_RSA_EXPORT_WITH_RC2_CBC_40_MD5',
  8: 'TLS_RSA_EXPORT_WITH_DES40_CBC_SHA',
  20: 'TLS_DHE_RSA_EXPORT_WITH_DES40_CBC_SHA',
  4: 'TLS_RSA_WITH_RC4_128_MD5',
  5: 'TLS_RSA_WITH_RC4_128_SHA',
  49159: 'TLS_ECDHE_ECDSA_WITH_RC4_128_SHA',
  49169: 'TLS_ECDHE_RSA_WITH_RC4_128_SHA',
  9: 'TLS_RSA_WITH_DES_CBC_SHA',
  21: 'TLS_DHE_RSA_WITH_DES_CBC_SHA',
  10: 'TLS_RSA_WITH_3DES_EDE_CBC_SHA',
  22: 'TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA',
  49160: 'TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA',
  49170: 'TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA',
  24: 'TLS_DH_anon_WITH_RC4_128_MD5',
  27: 'TLS_DH_anon_WITH_3DES_EDE_CBC_SHA',
  52: 'TLS_DH_anon_WITH_AES_128_CBC_SHA',
  58: 'TLS_DH_anon_WITH_AES_256_CBC_SHA',
  108: 'TLS_DH_anon_WITH_AES_128_CBC_SHA256',
  166: 'TLS_DH_anon_WITH_AES_128_GCM_SHA256',
  167: 'TLS_DH_anon_WITH_AES_256_GCM_SHA384',
  49173: 'TLS_ECDH_anon_WITH_NULL_SHA',
  49174: 'TLS_ECDH_anon_WITH_RC4_128_SHA',
  49176: 'TLS_ECDH_anon_WITH_AES_128_CBC_SHA',
  49177: 'TLS_ECDH_anon_WITH_AES_256_CBC_SHA',
};

const withoutForwardSecrecy: Record<number, string> = {
  47: 'TLS_RSA_WITH_AES_128_CBC_SHA',
  53: 'TLS_RSA_WITH_AES_256_CBC_SHA',
  60: 'TLS_RSA_WITH_AES_128_CBC_SHA256',
  61: 'TLS_RSA_WITH_AES_256_CBC_SHA256',
  156: 'TLS_RSA_WITH_AES_128_GCM_SHA256',
  157: 'TLS_RSA_WITH_AES_256_GCM_SHA384',
};

const cipherSuites = { broken, withoutForwardSecrecy };

const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const counted = (content: Buffer) => Buffer.concat([u16(content.length), content]);
const extension = (type: number, content: Buffer) => Buffer.concat([u16(type), counted(content)]);
const list = (...values: number[]) => counted(Buffer.concat(values.map(u16)));

/** Returns a TLS 1.2 ClientHello (RFC 5246, section 7.4.1.2) that offers these suites and no others. */
function clientHello(host: string, suites: number[]): Buffer {
  const name = Buffer.from(host, 'ascii');
  const extensions = [
    // Server name, curves (X25519, P-256, P-384, P-521), point formats, signature algorithms down to SHA-1.
    ...(isIP(host) === 0 ? [extension(0, counted(Buffer.concat([Buffer.from([0]), counted(name)])))] : []),
    extension(10, list(29, 23, 24, 25)),
    extension(11, Buffer.from([1, 0])),
    extension(13, list(0x0403, 0x0503, 0x0603, 0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601, 0x0203, 0x0201)),
  ];
  const body = Buffer.concat([
    u16(0x0303),
    randomBytes(32),
    Buffer.from([0]),
    list(...suites),
    Buffer.from([1, 0]),
    counted(Buffer.concat(extensions)),
  ]);
  const message = Buffer.concat([Buffer.from([1, 0]), counted(body)]);
  return Buffer.concat([Buffer.from([22, 3, 1]), counted(message)]);
}

/**
 * Reads the server's first record. Returns the number of the chosen suite, null if the server refused (an alert or no
 * TLS), undefined if more bytes are needed.
 */
function readChosenSuite(received: Buffer): number | null | undefined {
  if (received.length > 0 && received[0] !== 22) return null;
  // Record header 5, handshake header 4, version 2, random 32, then a session id with its length.
  if (received.length < 44) return undefined;
  if (received[5] !== 2) return null;
  const at = 44 + received[43]!;
  return received.length < at + 2 ? undefined : received.readUInt16BE(at);
}

const maxMs = 10_000;
const pauseMs = 100;

/** `origin` is the endpoint's: the handshakes use its time in `budget`. */
export type TlsConnection = { policy: NetworkPolicy; signal: AbortSignal; origin: string; budget: TimeBudget };

/** Performs about seven handshakes with a server, one at a time. Reports failed tests with their errors to `warn`. */
export async function probeTls(
  endpoint: Endpoint,
  connection: TlsConnection,
  warn: (warning: string, error?: unknown) => void,
): Promise<TlsReport> {
  const { policy, signal, origin, budget } = connection;
  const ask = async <T>(what: string, question: (timeoutMs: number) => Promise<T>): Promise<T | null> => {
    await pause(pauseMs, undefined, { signal });
    return budget.spend(origin, maxMs, question).catch((error) => {
      signal.throwIfAborted();
      warn(`${endpoint.host} could not be tested for ${what}: ${(error as Error).message.replace(/\.$/, '')}.`, error);
      return null;
    });
  };
  const offered = {} as Record<TlsVersion, boolean | null>;
  for (const version of tlsVersions)
    offered[version] = await ask(version, (timeoutMs) => offers(endpoint, version, { policy, signal, timeoutMs }));
  const isServed = Object.values(offered).includes(true);
  if (!isServed) warn(`${endpoint.host} completed no TLS handshake.`);
  const certificate = isServed
    ? await ask('its certificate', (timeoutMs) =>
        shakeHands(endpoint, null, { policy, signal, timeoutMs }, (socket) =>
          describeCertificate(socket, endpoint.host),
        ),
      )
    : null;
  const choose = (suites: Record<number, string>) => (timeoutMs: number) =>
    chooseSuite(endpoint, suites, { policy, signal, timeoutMs });
  return {
    host: endpoint.host,
    at: new Date(),
    offered,
    certificate,
    brokenSuite: await ask('broken cipher suites', choose(cipherSuites.broken)),
    staticSuite: await ask('cipher suites without forward secrecy', choose(cipherSuites.withoutForwardSecrecy)),
  };
}

async function offers(endpoint: Endpoint, version: TlsVersion, handshake: Handshake) {
  try {
    return await shakeHands(endpoint, version, handshake, () => true);
  } catch (error) {
    if (error instanceof HandshakeRefused) return false;
    throw error;
  }
}

function describeCertificate(socket: TLSSocket, host: string): CertificateReport | null {
  const certificate = socket.getPeerX509Certificate();
  if (!certificate) return null;
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  const error = socket.authorizationError as unknown as Error | string | null;
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : error;
  const oneLine = (name: string) => name.replaceAll('\n', ', ').slice(0, 300);
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    validFrom: certificate.validFromDate,
    validTo: certificate.validToDate,
    names: certificate.subjectAltName ?? oneLine(certificate.subject),
    coversHost: isCovered(certificate, host),
    keyType: asymmetricKeyType ?? 'unknown',
    keyBits: asymmetricKeyDetails?.modulusLength ?? curveBits(asymmetricKeyDetails?.namedCurve),
    signatureAlgorithm: certificate.signatureAlgorithm ?? '',
    // `coversHost` covers a certificate for another host.
    chainError: code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? null : (code ?? null),
  };
}

const isCovered = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) === 0 ? certificate.checkHost(host, { subject: 'never' }) : certificate.checkIP(host)) !== undefined;

/** Reads the size from the curve's name, such as prime256v1 or secp384r1. */
function curveBits(curve: string | undefined): number | null {
  const bits = /\d{3}/.exec(curve ?? '')?.[0];
  return bits ? Number(bits) : null;
}

/** Offers only these suites and returns the server's choice, or null if it refuses them all. */
async function chooseSuite(
  { host, port }: Endpoint,
  suites: Record<number, string>,
  { policy, signal, timeoutMs }: Handshake,
): Promise<string | null> {
  const { addresses } = await policy.check(host, port);
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  const socket = connect({ host, port, lookup: pinnedLookup(addresses), signal });
  let received: Buffer = Buffer.alloc(0);
  let isConnected = false;
  socket.on('connect', () => {
    isConnected = true;
    socket.write(clientHello(host, Object.keys(suites).map(Number)));
  });
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    const suite = readChosenSuite(received);
    if (suite !== undefined) resolve(suite);
  });
  // A closed connection means that the server refuses the offer.
  socket.on('error', (error) => (isConnected && !signal.aborted ? resolve(null) : reject(error)));
  socket.on('close', () => resolve(null));
  const timer = setTimeout(() => (isConnected ? resolve(null) : reject(new Error(`no response in time`))), timeoutMs);
  try {
    const suite = await promise;
    return suite === null ? null : (suites[suite] ?? null);
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}
