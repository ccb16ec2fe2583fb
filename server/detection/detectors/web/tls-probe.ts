import type { X509Certificate } from 'node:crypto';
import { connect, isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { type NetworkPolicy, pinnedLookup } from '../../../platform/egress/network-policy.ts';
import { cipherSuites, clientHello, readChosenSuite } from './client-hello.ts';
import type { TimeBudget } from './time-budget.ts';
import { type Endpoint, type Handshake, HandshakeRefused, shakeHands } from './tls-handshake.ts';
import { type CertificateReport, type TlsReport, type TlsVersion, tlsVersions } from './tls-report.ts';

const maxMs = 10_000;
const pauseMs = 100;

/** `origin` is that of the endpoint, whose time in `budget` the handshakes take. */
export type TlsConnection = { policy: NetworkPolicy; signal: AbortSignal; origin: string; budget: TimeBudget };

/** Performs some seven handshakes with a server, one at a time. Reports failed tests to `warn`, with their errors. */
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

/** Offers only these suites and returns the one that the server chooses, or null when it refuses them all. */
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
  // A server that closes the connection refuses the offer.
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
