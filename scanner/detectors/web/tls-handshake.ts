import { isIP } from 'node:net';
import { connect, getCACertificates, type TLSSocket } from 'node:tls';
import { type NetworkPolicy, pinnedLookup } from '../../platform/egress/network-policy.ts';
import type { TlsVersion } from './tls-report.ts';

export type Endpoint = { host: string; port: number };

export type Handshake = { policy: NetworkPolicy; signal: AbortSignal; timeoutMs: number };

/** Node's certificate authorities and the system's, to which operators add private ones. */
let authorities: string[] | undefined;
const knownAuthorities = () =>
  (authorities ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])]);

/** A handshake that the server refused, as opposed to a connection that failed. */
export class HandshakeRefused extends Error {}

/**
 * Performs one handshake, with a specific version if set, and passes the socket to `look` before closing it. Throws
 * HandshakeRefused or the connection's errors, NetworkRefusal among them.
 */
export async function shakeHands<T>(
  { host, port }: Endpoint,
  version: TlsVersion | null,
  { policy, signal, timeoutMs }: Handshake,
  look: (socket: TLSSocket) => T,
): Promise<T> {
  const { addresses } = await policy.check(host, port);
  signal.throwIfAborted();
  const socket = connect({
    host,
    port,
    lookup: pinnedLookup(addresses),
    rejectUnauthorized: false,
    ca: knownAuthorities(),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    minVersion: version ?? 'TLSv1',
    maxVersion: version ?? 'TLSv1.3',
    ciphers: 'DEFAULT:@SECLEVEL=0',
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
  // Firewalls drop old versions silently, so silence on an established connection counts as a refusal.
  const timer = setTimeout(() => {
    const silence = 'No response in time';
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
