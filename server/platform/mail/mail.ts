import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inSpan, type SpanDescription } from '@assay/scanner/platform/tracing.ts';
import { createTransport } from 'nodemailer';

type MailAttachment = { filename: string; content: string | Uint8Array; contentType: string };

/** A mail. Addresses are bare (`name@example.com`), without display names, one per string. */
export type Mail = {
  to: string | string[];
  subject: string;
  text: string;
  html?: string;
  attachments?: MailAttachment[];
};

export type Mailer = {
  /**
   * Sends the mail to the SMTP server, or writes it to a file when none is set. Throws MailRefused when an address,
   * the subject or a file name is not allowed in a header, or when every recipient was refused. Throws the
   * connection's error when the server can't be reached.
   */
  send(mail: Mail): Promise<void>;
  /** Whether mails become files, which people other than the recipient can read. */
  writesFiles?: boolean;
  close(): void;
};

export class MailRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MailRefused';
  }
}

export type MailerOptions = {
  /** `smtp://user:password@host:port` or `smtps://…`; null writes each mail as an `.eml` file. */
  smtpUrl: string | null;
  /** The directory of the files; created when the first one is written. */
  directory: string;
  /** The sender: an address, or `Name <address>`. */
  from: string;
  log: { info(fields: object, message: string): void };
};

/** Creates a mailer. It does not connect until the first mail is sent. */
export function createMailer(options: MailerOptions): Mailer {
  const sender = parseSender(options.from);
  // A mail never includes files or URLs named by its fields.
  const defaults = { from: sender, disableFileAccess: true, disableUrlAccess: true };
  return options.smtpUrl === null
    ? fileMailer(options, defaults)
    : smtpMailer(options.smtpUrl, sender.address, defaults);
}

type Defaults = { from: Sender; disableFileAccess: boolean; disableUrlAccess: boolean };
type Sender = { name: string; address: string };

function smtpMailer(smtpUrl: string, from: string, defaults: Defaults): Mailer {
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000, dnsTimeout: 10_000 };
  const transport = createTransport({ url: smtpUrl, ...timeouts }, defaults);
  const attributes = { 'network.protocol.name': 'smtp', 'server.address': new URL(smtpUrl).hostname };
  const describe = (): SpanDescription => ({ name: 'send mail', kind: 'client', attributes });
  return {
    async send(mail) {
      const message = compose(mail);
      const to = message.to.map(({ address }) => address);
      await inSpan(describe, () => transport.sendMail({ ...message, envelope: { from, to } }));
    },
    close: () => transport.close(),
  };
}

function fileMailer(options: MailerOptions, defaults: Defaults): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' }, defaults);
  return {
    async send(mail) {
      const message = compose(mail);
      const { message: content } = await transport.sendMail(message);
      const file = join(
        options.directory,
        `${new Date().toISOString().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}.eml`,
      );
      await mkdir(options.directory, { recursive: true, mode: 0o700 });
      // The file has a temporary name until it is complete, for programs that watch the directory. It is private,
      // since mails contain sign-in links.
      await writeFile(`${file}.part`, content as Buffer, { mode: 0o600, flag: 'wx' });
      await rename(`${file}.part`, file);
      options.log.info({ file, subject: mail.subject }, 'mail written to a file, because SMTP_URL is not set');
    },
    writesFiles: true,
    close: () => {},
  };
}

function compose(mail: Mail) {
  const to = [mail.to].flat().map((address) => ({ name: '', address: checkAddress(address) }));
  if (to.length === 0) throw new MailRefused('A mail needs a recipient.');
  const attachments = (mail.attachments ?? []).map((attachment) => ({
    filename: checkHeader('file name', attachment.filename),
    content: typeof attachment.content === 'string' ? attachment.content : Buffer.from(attachment.content),
    contentType: checkHeader('content type', attachment.contentType),
  }));
  return {
    to,
    subject: checkHeader('subject', mail.subject),
    text: mail.text,
    html: mail.html,
    attachments,
    // RFC 3834: no out-of-office replies and the like.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

function checkHeader(what: string, text: string): string {
  if (/[\x00-\x1f\x7f\u2028\u2029]/.test(text))
    throw new MailRefused(`The ${what} of a mail can't hold line breaks or control characters.`);
  return text;
}

// Deliberately stricter than RFC 5322: quoted local parts, comments and address literals only help smuggling.
const addressShape = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,251}[\p{L}\p{N}])?$/u;

/** Returns whether `text` is a single bare address to which a mail can be sent. */
export function isMailAddress(text: string): boolean {
  return addressShape.test(text) && !text.includes('..') && !text.startsWith('.') && !text.includes('.@');
}

function checkAddress(text: string): string {
  if (!isMailAddress(text)) throw new MailRefused('A recipient is not a mail address: write it as name@example.com.');
  return text;
}

function parseSender(from: string): Sender {
  const named = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(from);
  const address = (named?.[2] ?? from).trim();
  if (!isMailAddress(address))
    throw new RangeError('The sender of mails must be an address, or a name and an address: Assay <assay@example.com>');
  return { name: checkHeader('sender', named?.[1] ?? ''), address };
}
