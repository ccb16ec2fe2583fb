import { createSocket } from 'node:dgram';
import { connect, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { type NetworkPolicy, pinnedLookup, type ResolvedAddress } from '../../../platform/egress/network-policy.ts';

export type SyslogServer = { transport: 'udp' | 'tcp' | 'tls'; host: string; port: number };

/** Facility 13, "log audit", and severity 5, "notice". */
const priority = 13 * 8 + 5;
const timeoutMs = 10_000;
/** A server that keeps the connection open has had this time to refuse the message. */
const lingerMs = 1_000;

/** Returns the message in the form of RFC 5424, without structured data, which would need a number of our own. */
export function syslogMessage(text: string, at: Date): string {
  const host =
    hostname()
      .replace(/[^\x21-\x7e]/g, '')
      .slice(0, 255) || '-';
  return `<${priority}>1 ${at.toISOString()} ${host} assay ${process.pid} audit-head - ${text}`;
}

/**
 * Sends a message to a syslog server under the network policy: as one datagram (RFC 5426), or with its length before it
 * over TCP (RFC 6587) or TLS (RFC 5425). Syslog has no acknowledgements: it is sent once the server has the bytes and
 * has not closed the connection with an error.
 */
export async function sendSyslog(policy: NetworkPolicy, server: SyslogServer, message: string): Promise<void> {
  const { host, addresses } = await policy.check(server.host, server.port);
  if (server.transport === 'udp') return sendDatagram(addresses[0]!, server.port, message);
  const { port } = server;
  const target = { host, port, lookup: pinnedLookup(addresses) };
  const frame = `${Buffer.byteLength(message)} ${message}`;
  if (server.transport === 'tcp') return writeAndEnd(connect(target), 'connect', frame);
  await writeAndEnd(connectTls({ ...target, servername: isIP(host) ? '' : host }), 'secureConnect', frame);
}

async function sendDatagram({ address, family }: ResolvedAddress, port: number, message: string): Promise<void> {
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.send(message, port, address, (error) => (error ? reject(error) : resolve()));
    });
  } finally {
    socket.close();
  }
}

/** Writes once the connection is `ready`: with TLS, once the certificate is verified. */
function writeAndEnd(socket: Socket, ready: 'connect' | 'secureConnect', frame: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`The syslog server did not respond in ${timeoutMs} ms.`)), timeoutMs);
  let linger: NodeJS.Timeout | undefined;
  socket.once('error', reject);
  socket.once('close', resolve);
  socket.once(ready, () =>
    socket.end(frame, () => {
      linger = setTimeout(resolve, lingerMs);
    }),
  );
  socket.resume();
  return promise.finally(() => {
    clearTimeout(timer);
    clearTimeout(linger);
    socket.destroy();
  });
}
