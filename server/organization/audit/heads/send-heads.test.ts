import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificate } from '@assay/scanner/detectors/web/site.fixture.ts';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import pg from 'pg';
import { createTestDatabase } from '../../../../tests/harness/database.ts';
import { createTenant } from '../../../../tests/harness/people.ts';
import { readConfig } from '../../../config/config.ts';
import { openLog, silentLog } from '../../../platform/log.ts';
import { operator, recordAudit } from '../../audit.ts';
import { createHeadChannels } from './channels.ts';
import { sendAuditHeads } from './send-heads.ts';
import { createTimestampAuthority, serveTimestamps } from './timestamp.fixture.ts';
import { readCertificates, verifyTimestamp } from './timestamp.ts';

const db = await createTestDatabase();
const { database } = db;
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
const authority = createTimestampAuthority();
after(async () => {
  authority.remove();
  await admin.end();
  await db.drop();
});

const policy = createNetworkPolicy({
  allowed: ['127.0.0.1'],
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
});

/** Reads settings in the same way as the program, without the prefix. */
const configOf = (settings: Record<string, string>) =>
  readConfig(Object.fromEntries(Object.entries(settings).map(([name, value]) => [`ASSAY_AUDIT_${name}`, value])))
    .auditHeads;

const servicesOf = (settings: Record<string, string>, log = silentLog) => ({
  database,
  headChannels: createHeadChannels(configOf(settings), policy, log),
});

async function record(orgId: string): Promise<void> {
  const target = { id: 'sch_1', name: 'Nightly' };
  await database.transaction(orgId, (tx) =>
    recordAudit(tx, orgId, { actor: operator, action: 'scan_schedule.updated', target, details: { changed: true } }),
  );
}

async function textOfHead(orgId: string): Promise<string> {
  const { rows } = await admin.query(
    `SELECT 'audit head ' || org_id || ' ' || sequence || ':' || encode(hash, 'hex') AS text FROM audit_chains WHERE org_id = $1`,
    [orgId],
  );
  return rows[0].text;
}

const keptOf = async (orgId: string) =>
  (await admin.query('SELECT * FROM audit_heads WHERE org_id = $1 ORDER BY channel, sequence', [orgId])).rows;

/** Moves the times of all recorded, sent and attempted heads back by an hour. */
const passHour = () =>
  admin.query(
    `UPDATE audit_heads SET read_at = read_at - interval '61 minutes', due_at = due_at - interval '61 minutes'`,
  );

/** Starts each test without the organizations of earlier ones. */
const begin = async () => {
  await admin.query('DELETE FROM audit_heads; DELETE FROM audit_chains');
  return createTenant(database);
};

/** Waits for messages that are sent without acknowledgement. */
async function waitFor(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise(setImmediate);
}

test('the head of each chain is sent to the log at any level, to syslog, a webhook and a timestamp authority', async () => {
  const { orgId } = await begin();
  const text = await textOfHead(orgId);
  const lines: string[] = [];
  const log = openLog({ level: 'error', destination: { write: (line: string) => void lines.push(line) } });
  await using syslog = await receiveSyslog(null);
  await using webhook = await receiveWebhooks(() => 202);
  await using timestamps = await serveTimestamps(authority.reply);
  const token = 'a-token-of-the-webhook';
  const services = servicesOf(
    {
      SYSLOG: `tcp://127.0.0.1:${syslog.port}`,
      WEBHOOK: `http://127.0.0.1:${webhook.port}/heads?key=hidden`,
      WEBHOOK_TOKEN: token,
      TIMESTAMP: timestamps.url,
      TIMESTAMP_CA: authority.caFile,
    },
    log,
  );
  await sendAuditHeads(services);
  await waitFor(() => syslog.messages.length > 0);
  assert.equal(JSON.parse(lines.join('')).msg, text);
  assert.match(
    syslog.messages[0]!,
    /^<109>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [\x21-\x7e]+ assay \d+ audit-head - audit head /,
  );
  assert.ok(syslog.messages[0]!.endsWith(text));
  const [, sequence, hash] = /(\d+):(\w+)$/.exec(text)!;
  assert.deepEqual(
    webhook.messages.map(({ headers, body }) => [headers.authorization, body]),
    [[`Bearer ${token}`, { type: 'audit.head', organization: orgId, sequence: Number(sequence), hash, text }]],
  );

  const kept = await keptOf(orgId);
  assert.deepEqual(
    kept.map((row) => [row.channel, row.destination, row.due_at, row.error, row.sent_at instanceof Date]),
    [
      ['log', null, null, null, true],
      ['syslog', `tcp://127.0.0.1:${syslog.port}`, null, null, true],
      ['timestamp', new URL(timestamps.url).origin, null, null, true],
      ['webhook', `http://127.0.0.1:${webhook.port}`, null, null, true],
    ],
  );
  assert.equal(kept[3].receipt.toString(), 'HTTP 202\nreceived');
  authority.verify(kept[2].receipt, text);
  await verifyTimestamp(kept[2].receipt, text, readCertificates(authority.ca));
});

test('syslog is sent by UDP, and by TLS only to a server whose certificate is trusted', async () => {
  const { orgId } = await begin();
  const text = await textOfHead(orgId);
  await using datagrams = await receiveDatagrams();
  await sendAuditHeads(servicesOf({ SYSLOG: `udp://127.0.0.1:${datagrams.port}` }));
  await waitFor(() => datagrams.messages.length > 0);
  assert.ok(datagrams.messages[0]!.endsWith(` ${text}`));

  const certificate = makeCertificate({ name: 'logs.example.com' });
  await using syslog = await receiveSyslog(certificate);
  const overTls = servicesOf({ SYSLOG: `tls://logs.example.com:${syslog.port}` });
  await passHour();
  await assert.rejects(sendAuditHeads(overTls), /certificate/i);
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, certificate.cert.toString()]);
  try {
    await passHour();
    await assert.rejects(sendAuditHeads(servicesOf({ SYSLOG: `tls://other.example.com:${syslog.port}` })), /altnames/);
    assert.equal(syslog.messages.length, 0);
    await passHour();
    await sendAuditHeads(overTls);
    await waitFor(() => syslog.messages.length > 0);
    assert.ok(syslog.messages[0]!.endsWith(` ${text}`));
  } finally {
    setDefaultCACertificates(trusted);
  }
});

test('each head is sent once an hour, however many nodes run, and again if the chain has not grown', async () => {
  const organizations = [(await begin()).orgId, (await createTenant(database)).orgId];
  const heads = await Promise.all(organizations.map(textOfHead));
  await using webhook = await receiveWebhooks(() => 200);
  await using timestamps = await serveTimestamps(authority.reply);
  const services = servicesOf({
    WEBHOOK: `http://127.0.0.1:${webhook.port}/`,
    TIMESTAMP: timestamps.url,
    TIMESTAMP_CA: authority.caFile,
  });
  const runOnNodes = () => Promise.all(Array.from({ length: 5 }, () => sendAuditHeads(services)));
  const sent = () => webhook.messages.map(({ body }) => body.text).toSorted();
  await runOnNodes();
  await runOnNodes();
  assert.deepEqual(sent(), heads.toSorted());
  const [receipt] = (await keptOf(organizations[0]!)).filter(({ channel }) => channel === 'timestamp');

  await passHour();
  await record(organizations[1]!);
  await runOnNodes();
  assert.deepEqual(sent(), [...heads, heads[0]!, await textOfHead(organizations[1]!)].toSorted());
  const stamped = async (orgId: string) => (await keptOf(orgId)).filter(({ channel }) => channel === 'timestamp');
  assert.deepEqual(
    (await stamped(organizations[0]!)).map((row) => row.receipt),
    [receipt.receipt],
  );
  assert.equal((await stamped(organizations[1]!)).length, 2);
});

test('after an outage all recorded heads are sent in order, and other channels do not wait', async () => {
  const { orgId } = await begin();
  let status = 503;
  await using syslog = await receiveSyslog(null);
  await using webhook = await receiveWebhooks(() => status);
  const services = servicesOf({
    SYSLOG: `tcp://127.0.0.1:${syslog.port}`,
    WEBHOOK: `http://127.0.0.1:${webhook.port}/`,
  });
  const heads: string[] = [];
  for (let hour = 0; hour < 3; hour += 1) {
    await record(orgId);
    heads.push(await textOfHead(orgId));
    await assert.rejects(sendAuditHeads(services), /webhook: Error: The webhook returned status 503/);
    await passHour();
  }
  await waitFor(() => syslog.messages.length === 3);
  const waiting = (await keptOf(orgId)).filter(({ channel }) => channel === 'webhook');
  assert.deepEqual(
    waiting.map(({ sent_at, error }) => [sent_at, error]),
    Array.from({ length: 3 }, () => [null, 'The webhook returned status 503.']),
  );
  status = 200;
  await sendAuditHeads(services);
  assert.deepEqual(
    webhook.messages.map(({ body }) => body.text),
    heads,
  );
  await sendAuditHeads(services);
  assert.equal(webhook.messages.length, 3);
});

test('a head claimed by a worker that died is sent by another', async () => {
  const { orgId } = await begin();
  await using webhook = await receiveWebhooks(() => 200);
  const services = servicesOf({ WEBHOOK: `http://127.0.0.1:${webhook.port}/` });
  const dying = { ...services.headChannels[1]!, send: () => new Promise<never>(() => {}) };
  void sendAuditHeads({ database, headChannels: [services.headChannels[0]!, dying] });
  while (!(await keptOf(orgId)).some(({ channel, due_at }) => channel === 'webhook' && due_at > new Date()));
  await sendAuditHeads(services);
  assert.equal(webhook.messages.length, 0);
  await admin.query(`UPDATE audit_heads SET due_at = due_at - interval '10 minutes' WHERE channel = 'webhook'`);
  await sendAuditHeads(services);
  assert.equal(webhook.messages.length, 1);
});

test('no connection is made to an address that the network policy refuses', async () => {
  const { orgId } = await begin();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await using datagrams = await receiveDatagrams();
  const strict = createNetworkPolicy({ allowed: [], resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
  const ways: Record<string, Record<string, string>> = {
    syslog: { SYSLOG: `tcp://logs.example.com:${port}` },
    'syslog by UDP': { SYSLOG: `udp://logs.example.com:${datagrams.port}` },
    webhook: { WEBHOOK: `http://logs.example.com:${port}/` },
    timestamp: { TIMESTAMP: `http://logs.example.com:${port}/`, TIMESTAMP_CA: authority.caFile },
  };
  for (const [name, settings] of Object.entries(ways)) {
    const services = { database, headChannels: createHeadChannels(configOf(settings), strict, silentLog) };
    await passHour();
    await assert.rejects(sendAuditHeads(services), /may not be reached from here/, name);
  }
  server.close();
  assert.deepEqual([connections, datagrams.messages], [0, []]);
  assert.ok((await keptOf(orgId)).length >= 4);
});

test('a timestamp of another request or of an untrusted authority is not stored', async () => {
  const { orgId } = await begin();
  let first: Buffer | null = null;
  const stranger = createTimestampAuthority();
  after(() => stranger.remove());
  await using replayed = await serveTimestamps((request) => (first ??= authority.reply(request)));
  await using strange = await serveTimestamps(stranger.reply);
  const through = (url: string) => servicesOf({ TIMESTAMP: url, TIMESTAMP_CA: authority.caFile });
  await sendAuditHeads(through(replayed.url));
  await admin.query(
    `UPDATE audit_heads SET due_at = now(), receipt = NULL, sent_at = NULL WHERE channel = 'timestamp'`,
  );
  await assert.rejects(sendAuditHeads(through(replayed.url)), /nonce/);
  await passHour();
  await assert.rejects(sendAuditHeads(through(strange.url)), /can't be trusted/);
  const [kept] = (await keptOf(orgId)).filter(({ channel }) => channel === 'timestamp');
  assert.deepEqual([kept.receipt, kept.sent_at], [null, null]);
});

test('the application can neither remove a head nor change its identity', async () => {
  const { orgId } = await begin();
  await sendAuditHeads(servicesOf({}));
  for (const text of [
    'DELETE FROM audit_heads',
    'TRUNCATE audit_heads',
    'UPDATE audit_heads SET sequence = 1',
    `UPDATE audit_heads SET hash = ''`,
    'UPDATE audit_heads SET noted_at = now()',
  ]) {
    await assert.rejects(database.single(orgId, { text }), /permission denied/, text);
  }
});

/** A server with the messages that it received, in order of arrival. */
type Receiver<Message> = { port: number; messages: Message[]; [Symbol.asyncDispose](): Promise<void> };

async function listen<Message>(server: Server, messages: Message[]): Promise<Receiver<Message>> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    messages,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

/** Receives the frames of syslog over TCP, or over TLS with a certificate. */
function receiveSyslog(tls: { key: Buffer; cert: Buffer } | null): Promise<Receiver<string>> {
  const messages: string[] = [];
  const onConnection = (socket: Socket) => {
    socket.on('error', () => {});
    text(socket).then(
      (frame) => {
        const [, length, message] = /^(\d+) (.*)$/s.exec(frame) ?? [];
        if (Number(length) === Buffer.byteLength(message ?? '')) messages.push(message!);
      },
      () => {},
    );
  };
  const server = tls ? createTlsServer(tls, onConnection) : createServer(onConnection);
  server.on('tlsClientError', () => {});
  return listen(server, messages);
}

async function receiveDatagrams(): Promise<Receiver<string>> {
  const socket = createSocket('udp4');
  const messages: string[] = [];
  socket.on('message', (message) => messages.push(message.toString()));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    messages,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

type Call = { headers: IncomingHttpHeaders; body: Record<string, unknown> };

/** Receives a webhook's calls. `status` returns the status of each response. */
function receiveWebhooks(status: () => number): Promise<Receiver<Call>> {
  const messages: Call[] = [];
  const server = createHttpServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    const code = status();
    if (code < 300) messages.push({ headers: request.headers, body });
    response.writeHead(code, { connection: 'close' }).end('received');
  });
  return listen(server, messages);
}
