import { isIP } from 'node:net';
import { connect, getCACertificates, type TLSSocket } from 'node:tls';
import { type NetworkPolicy, pinnedLookup } from '../../../platform/egress/network-policy.ts';
import type { TlsVersion } from './tls-report.ts';

export type Endpoint = { host: string; port: number };

const timeoutMs = 10_000;

/** Our own list and the system's, in which an operator keeps the authorities of the house. */
let authorities: string[] | undefined;
const knownAuthorities = () =>
  (authorities ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])]);

/** A handshake that the server refused, as against a connection that could not be made. */
export class HandshakeRefused extends Error {}

/**
 * Shakes hands once, with one version if given, and hands the socket to `look` before it is closed.
 * Throws HandshakeRefused, or what the connection throws (NetworkRefusal among it).
 */
export async function shakeHands<T>(
  policy: NetworkPolicy,
  { host, port }: Endpoint,
  version: TlsVersion | null,
  signal: AbortSignal,
  look: (socket: TLSSocket) => T,
): Promise<T> {
  const { addresses } = await policy.check(host, port);
  signal.throwIfAborted();
  const socket = connect({
    ...{ host, port, lookup: pinnedLookup(addresses), rejectUnauthorized: false, ca: knownAuthorities() },
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...{ minVersion: version ?? 'TLSv1', maxVersion: version ?? 'TLSv1.3', ciphers: 'DEFAULT:@SECLEVEL=0' },
  });
  let isConnected = false;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop);
  socket.once('connect', () => {
    isConnected = true;
  });
  socket.on('error', (error) => reject(isConnected ? new HandshakeRefused(error.message, { cause: error }) : error));
  socket.once('close', () => reject(new HandshakeRefused('The connection was closed')));
  // Firewalls drop old versions without a word: on a connection that stands, silence is a refusal.
  const timer = setTimeout(() => {
    const silence = `No answer within ${timeoutMs / 1000} seconds`;
    reject(isConnected ? new HandshakeRefused(silence) : new Error(silence));
  }, timeoutMs);
  socket.once('secureConnect', () => {
    try {
      resolve(look(socket));
    } catch (error) {
      reject(error);
    }
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}
