import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { test } from 'node:test';
import fc from 'fast-check';
import { SMTPServer } from 'smtp-server';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { createMailer, isMailAddress, MailRefused } from './mail.ts';

type Received = { from: string; to: string[]; content: string };

async function startSmtpServer(refuse: (address: string) => boolean = () => false) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (auth, _session, done) => done(auth.password === 'right' ? null : new Error('no'), { user: auth.username }),
    onRcptTo: ({ address }, _session, done) => done(refuse(address) ? new Error('unknown here') : null),
    onData: (stream, { envelope }, done) => {
      readText(stream).then((content) => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), content });
        done(null);
      }, done);
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `smtp://127.0.0.1:${port}`, port, received, [Symbol.asyncDispose]: close };
}

async function temporaryDirectory() {
  const path = await mkdtemp(join(tmpdir(), 'assay-mail-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

const lines: object[] = [];
const log = { info: (fields: object) => void lines.push(fields) };
const from = 'Assay Security <assay@example.com>';
const mailerFor = (smtpUrl: string | null, directory = '/nonexistent') =>
  createMailer({ smtpUrl, directory, from, log });

test('a mail reaches its recipients with its subject, both bodies and the attachment', async () => {
  await using smtp = await startSmtpServer();
  const mailer = mailerFor(smtp.url);
  await mailer.send({
    to: ['ada@example.org', 'grace@example.org'],
    subject: 'Rapport prêt ✓',
    text: 'Plain words',
    html: '<p>Rich words</p>',
    attachments: [{ filename: 'findings.csv', content: Buffer.from('a,b\n'), contentType: 'text/csv' }],
  });
  const [mail] = smtp.received as [Received];
  assert.equal(mail.from, 'assay@example.com');
  assert.deepEqual(mail.to, ['ada@example.org', 'grace@example.org']);
  assert.match(mail.content, /^From: Assay Security <assay@example\.com>\r?$/m);
  assert.match(mail.content, /^Subject: =\?UTF-8\?/m);
  assert.match(mail.content, /Plain words[\s\S]*<p>Rich words<\/p>[\s\S]*filename=findings\.csv[\s\S]*YSxiCg==/);
  mailer.close();
});

test('credentials in the URL are used, and wrong ones are an error', async () => {
  await using smtp = await startSmtpServer();
  await mailerFor(`smtp://me:right@127.0.0.1:${smtp.port}`).send({ to: 'ada@example.org', subject: 's', text: 't' });
  assert.equal(smtp.received.length, 1);
  const wrong = mailerFor(`smtp://me:wrong@127.0.0.1:${smtp.port}`);
  await assert.rejects(wrong.send({ to: 'ada@example.org', subject: 's', text: 't' }), { code: 'EAUTH' });
});

test('a refused recipient or an unavailable server is an error, never a lost mail', async () => {
  await using smtp = await startSmtpServer((address) => address === 'nobody@example.org');
  await assert.rejects(mailerFor(smtp.url).send({ to: 'nobody@example.org', subject: 's', text: 't' }), {
    code: 'EENVELOPE',
  });
  const closed = await startSmtpServer();
  await closed[Symbol.asyncDispose]();
  await assert.rejects(mailerFor(closed.url).send({ to: 'ada@example.org', subject: 's', text: 't' }), {
    code: 'ESOCKET',
  });
});

test('without an SMTP server a mail becomes a private file and a log line', async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'mail');
  await mailerFor(null, path).send({ to: 'ada@example.org', subject: 'Welcome', text: 'Open the link' });
  const [file, ...others] = await readdir(path);
  assert.equal(others.length, 0);
  assert.match(file!, /^\d{4}-.*\.eml$/);
  const content = await readFile(join(path, file!), 'utf8');
  assert.match(content, /^To: ada@example\.org\r$/m);
  assert.match(content, /Open the link/);
  assert.equal((await stat(join(path, file!))).mode & 0o077, 0);
  assert.deepEqual(lines.at(-1), { file: join(path, file!), subject: 'Welcome' });
});

test('no field can add a header or a recipient', async () => {
  await using smtp = await startSmtpServer();
  const mailer = mailerFor(smtp.url);
  const good = { to: 'ada@example.org', subject: 'Subject', text: 'Text' };
  const attach = (filename: string, contentType = 'text/csv') => ({
    ...good,
    attachments: [{ filename, contentType, content: '' }],
  });
  const attacks = [
    { ...good, subject: 'Hi\r\nBcc: eve@example.org' },
    { ...good, subject: 'Hi\nX: y' },
    { ...good, to: 'ada@example.org\r\nBcc: eve@example.org' },
    { ...good, to: 'ada@example.org, eve@example.org' },
    { ...good, to: ['ada@example.org', 'Eve <eve@example.org>'] },
    { ...good, to: 'ada@example.org> SIZE=1\r\nRCPT TO:<eve@example.org' },
    { ...good, to: [] },
    attach('a.csv\r\nX-Evil: 1'),
    attach('a.csv', 'text/csv\r\nX-Evil: 1'),
  ];
  for (const attack of attacks) await assert.rejects(mailer.send(attack), MailRefused, JSON.stringify(attack));
  assert.equal(smtp.received.length, 0);
});

test('whatever the subject and text, the mail has one recipient and only our headers', async () => {
  await using smtp = await startSmtpServer();
  const mailer = mailerFor(smtp.url);
  await checkProperty(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), async (subject, text) => {
      const sent = await mailer.send({ to: 'ada@example.org', subject, text }).then(
        () => true,
        (error) => {
          assert.ok(error instanceof MailRefused);
          return false;
        },
      );
      if (!sent) return;
      const mail = smtp.received.pop()!;
      assert.deepEqual(mail.to, ['ada@example.org']);
      assert.match(mail.content, /^Auto-Submitted: auto-generated\r$/m);
      const headers = mail.content
        .split('\r\n\r\n')[0]!
        .split(/\r\n(?![ \t])/)
        .map((line) => line.split(':')[0]!.toLowerCase());
      const known = [
        'from',
        'to',
        'subject',
        'message-id',
        'content-transfer-encoding',
        'date',
        'mime-version',
        'content-type',
        'auto-submitted',
      ];
      assert.deepEqual(
        headers.filter((name) => !known.includes(name)),
        [],
      );
    }),
    { numRuns: 25 },
  );
});

test('a mail address is a single bare address', () => {
  for (const good of ['a@b', "o'neil+tag@example.co.uk", 'jürgen@exämple.de']) assert.ok(isMailAddress(good), good);
  for (const bad of [
    '',
    'a',
    '@b',
    'a@',
    'a b@c',
    '"a b"@c',
    'a@[127.0.0.1]',
    'a@b@c',
    'a..b@c',
    '.a@b',
    'a.@b',
    'a@b.',
    'a@-b',
    'a@b,c@d',
    'a@b\n',
  ]) {
    assert.ok(!isMailAddress(bad), bad);
  }
});

test('an invalid sender address is reported at startup', () => {
  for (const sender of ['', 'Assay', 'Assay <>', 'a@b\r\nX: y', 'A\nB <a@b>']) {
    assert.throws(() => createMailer({ smtpUrl: null, directory: '/tmp', from: sender, log }), sender);
  }
});
