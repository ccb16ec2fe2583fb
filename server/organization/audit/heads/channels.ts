import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { connect, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { createGuardedFetch, type GuardedFetch } from '@assay/scanner/platform/egress/guarded-request.ts';
import {
  type NetworkPolicy,
  pinnedLookup,
  type ResolvedAddress,
} from '@assay/scanner/platform/egress/network-policy.ts';
import { whyUnreadable } from '@assay/scanner/platform/why-unreadable.ts';
import type { Log } from '../../../platform/log.ts';
import { type AuditHead, headText } from './audit-head.ts';
import type { ChannelName } from './head-queries.ts';

type SyslogServer = { transport: 'udp' | 'tcp' | 'tls'; host: string; port: number };

/** Facility 13, "log audit", and severity 5, "notice". */
const priority = 13 * 8 + 5;
const syslogTimeoutMs = 10_000;
/** The time that a server has to refuse the message while it keeps the connection open. */
const lingerMs = 1_000;

/** Returns the message in the format of RFC 5424, without structured data, which would need an enterprise number. */
function syslogMessage(text: string, at: Date): string {
  const host =
    hostname()
      .replace(/[^\x21-\x7e]/g, '')
      .slice(0, 255) || '-';
  return `<${priority}>1 ${at.toISOString()} ${host} assay ${process.pid} audit-head - ${text}`;
}

/**
 * Sends a message to a syslog server under the network policy: as one datagram (RFC 5426), or prefixed with its length
 * over TCP (RFC 6587) or TLS (RFC 5425). Syslog has no acknowledgements: the message counts as sent once the server has
 * received the bytes and has not closed the connection with an error.
 */
async function sendSyslog(policy: NetworkPolicy, server: SyslogServer, message: string): Promise<void> {
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
  const timer = setTimeout(
    () => reject(new Error(`The syslog server did not respond in ${syslogTimeoutMs} ms.`)),
    syslogTimeoutMs,
  );
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

/** The destinations of heads, besides the log. */
export type AuditHeadsConfig = {
  syslog: SyslogServer | null;
  webhook: { url: string; token: string | null } | null;
  /** A timestamp authority (RFC 3161), and the file with the trusted certificates of its issuers. */
  timestamps: { url: string; caFile: string } | null;
  /** Also used without an authority: `assay audit verify` checks the stored timestamps. */
  timestampCaFile: string | null;
};

/**
 * A channel for heads. `send` returns the response, which is stored as the receipt, and throws if the head must be sent
 * again.
 */
export type HeadChannel = {
  name: ChannelName;
  /** The server, without credentials; null for the log of this process. */
  destination: string | null;
  send(head: AuditHead): Promise<Buffer | null>;
};

const timeoutMs = 15_000;
const maxReceiptBytes = 1_024;
const maxTimestampBytes = 65_536;

/** Heads are logged at every LOG_LEVEL, except when logging is off. */
function logChannel(log: Log): HeadChannel {
  const always = log.child({}, { level: log.level === 'silent' ? 'silent' : 'info' });
  return {
    name: 'log',
    destination: null,
    async send(head) {
      always.info({ organization: head.orgId }, headText(head));
      return null;
    },
  };
}

function syslogChannel(server: NonNullable<AuditHeadsConfig['syslog']>, policy: NetworkPolicy): HeadChannel {
  return {
    name: 'syslog',
    destination: `${server.transport}://${server.host}:${server.port}`,
    async send(head) {
      await sendSyslog(policy, server, syslogMessage(headText(head), new Date()));
      return null;
    },
  };
}

/** Sends JSON whose `text` member is also the one that chat services show. */
function webhookChannel(webhook: NonNullable<AuditHeadsConfig['webhook']>, guardedFetch: GuardedFetch): HeadChannel {
  return {
    name: 'webhook',
    destination: new URL(webhook.url).origin,
    async send(head) {
      const { orgId: organization, sequence, hash } = head;
      const response = await guardedFetch(webhook.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(webhook.token !== null && { authorization: `Bearer ${webhook.token}` }),
        },
        body: JSON.stringify({ type: 'audit.head', organization, sequence, hash, text: headText(head) }),
        maxRedirects: 0,
        timeoutMs,
      });
      const beginning = await readBeginning(response.body);
      if (response.status < 200 || response.status > 299) {
        throw new Error(`The webhook returned status ${response.status}.`);
      }
      return Buffer.concat([Buffer.from(`HTTP ${response.status}\n`), beginning]);
    },
  };
}

async function readBeginning(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxReceiptBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxReceiptBytes);
}

/** Gets a timestamp of the head's text. Only verified timestamps are stored. */
function timestampChannel(
  { url, caFile }: NonNullable<AuditHeadsConfig['timestamps']>,
  guardedFetch: GuardedFetch,
): HeadChannel {
  const pem = readPem(caFile);
  return {
    name: 'timestamp',
    destination: new URL(url).origin,
    async send(head) {
      const { checkTimestampResponse, createTimestampRequest, readCertificates } = await import('./timestamp.ts');
      const text = headText(head);
      const { request, nonce } = createTimestampRequest(text);
      const response = await guardedFetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
        body: request,
        maxRedirects: 0,
        maxBytes: maxTimestampBytes,
        timeoutMs,
      });
      const bytes = await response.bytes();
      if (response.status !== 200) throw new Error(`The authority returned status ${response.status}.`);
      await checkTimestampResponse(bytes, { text, nonce, trusted: readCertificates(pem) });
      return bytes;
    },
  };
}

/** Reads the file at startup, so that an invalid one is reported immediately. */
function readPem(file: string): string {
  try {
    const pem = readFileSync(file, 'utf8');
    if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`${file} has no certificate in PEM.`);
    return pem;
  } catch (cause) {
    throw new Error(`ASSAY_AUDIT_TIMESTAMP_CA can't be used: ${whyUnreadable(cause, file)}`, { cause });
  }
}

/** Returns the configured channels: the log, which is always included, and external ones. */
export function createHeadChannels(config: AuditHeadsConfig, policy: NetworkPolicy, log: Log): HeadChannel[] {
  const guardedFetch = createGuardedFetch(policy);
  const { syslog, webhook, timestamps } = config;
  return [
    logChannel(log),
    ...(syslog ? [syslogChannel(syslog, policy)] : []),
    ...(webhook ? [webhookChannel(webhook, guardedFetch)] : []),
    ...(timestamps ? [timestampChannel(timestamps, guardedFetch)] : []),
  ];
}
