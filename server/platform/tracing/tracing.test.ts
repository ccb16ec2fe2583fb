import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { createGuardedFetch } from '@assay/scanner/platform/egress/guarded-request.ts';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { inSpan, openChild, type Recorder, setRecorder, traceContext } from '@assay/scanner/platform/tracing.ts';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { eventually } from '../../../tests/harness/installation.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../../../tests/harness/otlp-receiver.ts';
import { createMailer } from '../mail/mail.ts';
import { type OpenTelemetryOptions, openRecorder } from './open-telemetry.ts';

let receiver: OtlpReceiver;
let recorder: Recorder | null = null;
const lines: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });

before(async () => {
  receiver = await startOtlpReceiver();
});
after(() => receiver.close());
afterEach(async () => {
  setRecorder(null);
  await recorder?.close();
});

/** Opens a recorder for a collector, like a process whose environment names it. */
async function record(url = receiver.url, options: Partial<OpenTelemetryOptions> = {}): Promise<void> {
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = url;
  const settings = { protocol: 'http/json', sampler: 'parentbased_always_on', ratio: 1, delayMs: 20 } as const;
  recorder = await openRecorder({ ...settings, service: 'assay-test', version: '1.2.3', log, ...options });
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  setRecorder(recorder);
}

const spanCalled = (name: string): Promise<ReceivedSpan> =>
  eventually(async () => receiver.spans.find((span) => span.name === name));

const serverSpan = (name: string) => () => ({ name, kind: 'server' as const });

test('without a collector, nothing is recorded or passed on', async () => {
  assert.deepEqual(traceContext(), {});
  assert.equal(await inSpan(serverSpan('nothing'), async (span) => span), null);
});

test('an outgoing request is part of its trace, passes it on, and shows nothing of its URL but the host', async () => {
  await record();
  const received: Array<string | undefined> = [];
  const server = createServer((request, response) => {
    received.push(request.headers.traceparent as string | undefined);
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }];
  const guardedFetch = createGuardedFetch(createNetworkPolicy({ allowed: ['127.0.0.1'], resolve }));
  const url = `http://name:word@hooks.example.com:${port}/hidden/path?token=hidden-token`;
  await inSpan(serverSpan('outer'), async () => {
    const headers = { authorization: 'Bearer hidden-bearer' };
    await (await guardedFetch(url, { method: 'POST', headers, body: 'hidden-body' })).bytes();
  });
  server.close();
  const [outer, request] = [await spanCalled('outer'), await spanCalled('POST')];
  assert.deepEqual([request.traceId, request.parentSpanId], [outer.traceId, outer.spanId]);
  assert.deepEqual(received, [`00-${request.traceId}-${request.spanId}-01`]);
  assert.deepEqual(request.attributes, {
    'http.request.method': 'POST',
    'server.address': 'hooks.example.com',
    'http.response.status_code': 204,
  });
  assert.doesNotMatch(receiver.bodies.join(), /hidden|name:word/);
});

test('a mail is a span without its sender, recipients, subject and text', async () => {
  await record();
  const smtp = new SMTPServer({ authOptional: true, disableReverseLookup: true, disabledCommands: ['STARTTLS'] });
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const { port } = smtp.server.address() as AddressInfo;
  const mailer = createMailer({
    smtpUrl: `smtp://user:hidden-password@127.0.0.1:${port}`,
    directory: '/nonexistent',
    from: 'hidden@example.com',
    log,
  });
  // The server refuses the password.
  await assert.rejects(mailer.send({ to: 'hidden@example.org', subject: 'hidden', text: 'hidden' }));
  mailer.close();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
  const span = await spanCalled('send mail');
  assert.deepEqual(span.attributes, {
    'network.protocol.name': 'smtp',
    'server.address': '127.0.0.1',
    'error.type': 'EAUTH',
  });
  assert.doesNotMatch(receiver.bodies.join(), /hidden/);
});

test('a statement outside requests and jobs is not a span, and the message of an error is not recorded', async () => {
  await record();
  assert.equal(openChild(serverSpan('tick')), null);
  await assert.rejects(
    inSpan(serverSpan('failing'), async () => {
      throw Object.assign(new Error('hidden-value is wrong'), { code: '23505' });
    }),
  );
  assert.deepEqual((await spanCalled('failing')).attributes, { 'error.type': '23505' });
  assert.doesNotMatch(receiver.bodies.join(), /hidden/);
});

test('the sampler decides which traces are recorded; the others are still passed on', async () => {
  await record(receiver.url, { sampler: 'parentbased_traceidratio', ratio: 0 });
  const passedOn = await inSpan(serverSpan('not sampled'), async () => traceContext().traceparent);
  assert.match(passedOn!, /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  const parent = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
  await inSpan(
    () => ({ ...serverSpan('sampled by the caller')(), parent }),
    async () => {},
  );
  const span = await spanCalled('sampled by the caller');
  assert.deepEqual([span.traceId, span.parentSpanId], ['a'.repeat(32), 'b'.repeat(16)]);
  assert.ok(!receiver.spans.some(({ name }) => name === 'not sampled'));
});

test('an unavailable collector costs one line in the log', async () => {
  const closed = await startOtlpReceiver();
  await closed.close();
  lines.length = 0;
  await record(closed.url);
  for (const name of ['one', 'two', 'three']) await inSpan(serverSpan(name), async () => {});
  await recorder!.close();
  recorder = null;
  await eventually(async () => lines.length > 0);
  assert.match(lines.join(''), /^[^\n]*Spans could not be sent\.[^\n]*\n$/);
});
