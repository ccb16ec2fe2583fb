import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export type Part = { contentType: string; filename: string | null; content: Buffer };

/** A received mail. `parts` are its leaves in order: text, HTML, attachments. */
export type ReceivedMail = { to: string[]; headers: Map<string, string>; parts: Part[] };

const decodeWords = (value: string) =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('latin1')
        : decodeQuoted(text.replaceAll('_', ' ')).toString('latin1'),
    );

/** Decodes a header. Encoded words may end within a character, so bytes are joined before they are decoded. */
const decodeHeader = (value: string) =>
  value.includes('=?') ? Buffer.from(decodeWords(value), 'latin1').toString() : value;

const decodeQuoted = (text: string) =>
  Buffer.from(
    text
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

function readHeaders(block: string): Map<string, string> {
  const lines = block.split(/\r\n(?![ \t])/);
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [
        line.slice(0, colon).toLowerCase(),
        line
          .slice(colon + 1)
          .replaceAll(/\r\n\s*/g, ' ')
          .trim(),
      ] as const;
    }),
  );
}

function readEntity(entity: string): { headers: Map<string, string>; parts: Part[] } {
  const end = entity.indexOf('\r\n\r\n');
  const headers = readHeaders(entity.slice(0, end));
  const body = entity.slice(end + 4);
  const contentType = headers.get('content-type') ?? 'text/plain';
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary) {
    const sections = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1);
    return { headers, parts: sections.flatMap((section) => readEntity(section.replace(/^\s*\r\n/, '')).parts) };
  }
  const encoding = headers.get('content-transfer-encoding');
  const content =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? decodeQuoted(body)
        : Buffer.from(body, 'latin1');
  const filename = /filename="?([^";]+)"?/.exec(headers.get('content-disposition') ?? '')?.[1] ?? null;
  return { headers, parts: [{ contentType, filename, content }] };
}

const refusal = (reply: string) =>
  Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });

/** The receiver's decision: null to accept, or a reply such as `550 mailbox unavailable`. Tests may change it. */
type Policy = { recipient(address: string): string | null; size(bytes: number): string | null };

/** A real SMTP server on loopback, which stores the mails that it accepts. */
export async function startMailReceiver(port = 0) {
  const received: ReceivedMail[] = [];
  const policy: Policy = { recipient: () => null, size: () => null };
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => {
      const reply = policy.recipient(address);
      done(reply === null ? null : refusal(reply));
    },
    onData: (stream, { envelope }, done) => {
      stream.setEncoding('latin1');
      readText(stream).then((content) => {
        const reply = policy.size(content.length);
        if (reply !== null) return done(refusal(reply));
        const { headers, parts } = readEntity(content);
        const decoded = new Map([...headers].map(([name, value]) => [name, decodeHeader(value)]));
        received.push({ to: envelope.rcptTo.map(({ address }) => address), headers: decoded, parts });
        done(null);
      }, done);
    },
  });
  server.on('error', () => {});
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address() as AddressInfo;
  return {
    received,
    policy,
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
export type MailReceiver = Awaited<ReturnType<typeof startMailReceiver>>;
