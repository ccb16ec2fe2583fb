import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { after, before, describe, test } from 'node:test';
import { eventually, HostedInstallation, type Installation } from './harness/installation.ts';
import { type Certificate, makeCertificate, proxiedName, reverseProxies } from './harness/reverse-proxies.ts';
import { freePort, Service } from './soak/service.ts';

const name = proxiedName;

const importedBytes = 300_000_000;
const blank = Buffer.alloc(1_000_000, ' ');

/** A result file of 300 MB: one result, and blanks between its parts. */
function* largeFile(bytes = importedBytes): Generator<Buffer> {
  yield Buffer.from('{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"large"}},"results":[');
  for (let written = 0; written < bytes; written += blank.length) yield blank;
  const location = { physicalLocation: { artifactLocation: { uri: 'a.ts' }, region: { startLine: 1 } } };
  yield Buffer.from(`${JSON.stringify({ ruleId: 'one', message: { text: 'One' }, locations: [location] })}]}]}`);
}

const proxyNames = Object.keys(reverseProxies);

describe('Assay behind a reverse proxy of Debian, with the shipped file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-proxies-'));
  const agent = new Agent({ keepAlive: false });
  let installation: Installation;
  let certificate: Certificate;
  const running: Record<string, { port: number; securePort: number; services: Service[]; folder: string }> = {};

  type Options = { method?: string; headers?: Record<string, string>; localAddress?: string; body?: Iterable<Buffer> };

  async function open(proxy: string, path: string, { method = 'GET', headers = {}, body, ...rest }: Options = {}) {
    const outgoing = request({
      host: '127.0.0.1',
      port: running[proxy]!.port,
      path,
      method,
      agent,
      headers: { host: name, authorization: `Bearer ${installation.token}`, ...headers },
      ...rest,
    });
    const explain = (error: Error) => new Error(running[proxy]!.services[0]!.describe(), { cause: error });
    const responded = new Promise<IncomingMessage>((resolve, reject) =>
      outgoing.once('response', resolve).once('error', (error) => reject(explain(error))),
    );
    if (body) await pipeline(Readable.from(body), outgoing).catch(() => {});
    else outgoing.end();
    return responded;
  }

  async function call(proxy: string, path: string, options: Options = {}) {
    const response = await open(proxy, path, options);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode!, text };
  }

  type Ask = (
    path: string,
    body?: Buffer,
  ) => Promise<{ status: number; text: string; headers: Record<string, unknown> }>;

  /** Runs `use` with one TLS and HTTP/2 connection for all of its requests. */
  async function withSession<T>(proxy: string, use: (ask: Ask, session: ClientHttp2Session) => Promise<T>): Promise<T> {
    const session = connectHttp2(`https://127.0.0.1:${running[proxy]!.securePort}`, {
      ca: readFileSync(certificate.certificate),
      servername: name,
      // A client that also supports HTTP/1.1 offers both, and the proxy chooses.
      ALPNProtocols: ['h2', 'http/1.1'],
    });
    const broken = new Promise<never>((_resolve, reject) => session.once('error', reject));
    broken.catch(() => {});
    const ask: Ask = async (path, body) => {
      const stream = session.request({
        ':authority': name,
        ':path': path,
        ':method': body ? 'POST' : 'GET',
        authorization: `Bearer ${installation.token}`,
        ...(body && { 'content-type': 'application/json' }),
      });
      stream.end(body);
      // It is read from the start: a stream that is closed before it is read loses its end.
      const read = readText(stream);
      read.catch(() => {});
      const responded = new Promise<Record<string, unknown>>((resolve, reject) =>
        stream.once('response', resolve).once('error', reject),
      );
      const headers = await Promise.race([responded, broken]);
      return { status: Number(headers[':status']), text: await read, headers };
    };
    try {
      return await use(ask, session);
    } finally {
      session.destroy();
    }
  }

  before(async () => {
    const node = await freePort();
    installation = new HostedInstallation({
      PORT: String(node),
      ASSAY_BASE_URL: `https://${name}`,
      ASSAY_TRUSTED_PROXIES: '127.0.0.1',
    });
    certificate = makeCertificate(folder);
    for (const [proxy, { command, write }] of Object.entries(reverseProxies)) {
      const own = mkdtempSync(join(folder, 'proxy-'));
      const [port, securePort] = [await freePort(), await freePort()];
      const createService = (name: string, args: string[], isReady: () => Promise<boolean>) => {
        const options = { cwd: own, env: { PATH: process.env.PATH, HOME: own } };
        const service = new Service({ name, command, args, options, startsWithinMs: 60_000, isReady });
        process.once('exit', () => void service.stop('SIGKILL'));
        return service;
      };
      const plain = write(own, { port, nodes: [node], tls: null });
      const service = createService(proxy, plain, async () => (await call(proxy, '/healthz')).status === 200);
      const secureFolder = mkdtempSync(join(own, 'secure-'));
      const withTls = write(secureFolder, { port: securePort, nodes: [node], tls: certificate });
      const isServing = () => withSession(proxy, async (ask) => (await ask('/healthz')).status === 200);
      const secure = createService(`${proxy} with TLS`, withTls, isServing);
      running[proxy] = { port, securePort, services: [service, secure], folder: own };
    }
    await installation.start();
    for (const { services } of Object.values(running)) for (const service of services) await service.start();
  });
  after(async () => {
    for (const { services } of Object.values(running)) for (const service of services) await service.stop();
    agent.destroy();
    await installation.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const proxy of proxyNames) {
    test(`${proxy} passes on the name and the client's real address, whatever the client claims`, async () => {
      assert.equal((await call(proxy, '/api/v1/organization')).status, 200);
      const spoofed = {
        authorization: 'Bearer asy_wrong',
        'x-forwarded-for': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
      };
      const before = installation.run.errors.length;
      assert.equal(
        (await call(proxy, '/api/v1/organization', { headers: spoofed, localAddress: '127.0.0.7' })).status,
        401,
      );
      const line = await eventually(
        async () => /^.*"refused credential".*$/m.exec(installation.run.errors.slice(before))?.[0],
      );
      assert.equal(JSON.parse(line).address, '127.0.0.7');
      assert.equal((await call(proxy, '/metrics')).status, 403);
      // Caddy serves only its own name; the others pass the request on, and Assay refuses it.
      const other = await call(proxy, '/api/v1/organization', { headers: { host: 'other.example' } });
      assert.doesNotMatch(other.text, /org_/);
    });

    test(`${proxy} passes on each event as it happens`, async () => {
      const stream = await open(proxy, '/api/v1/events');
      assert.equal(stream.statusCode, 200);
      let events = '';
      stream.setEncoding('utf8').on('data', (chunk) => {
        events += chunk;
      });
      stream.on('error', () => {});
      await eventually(async () => events !== '');
      const { id } = await installation.ask('POST', `/imports?data_source_name=events-${proxy}`, {
        version: '2.1.0',
        runs: [{ tool: { driver: { name: 'x' } }, results: [] }],
      });
      await eventually(async () => events.includes(id), 20_000);
      stream.destroy();
    });

    test(`${proxy} lets an import of 300 MB through without storing it`, async () => {
      const path = `/api/v1/imports?data_source_name=large-${proxy}&format=sarif`;
      const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
      const { status, text } = await call(proxy, path, { method: 'POST', headers, body: largeFile() });
      assert.equal(status, 202, text);
      const scan = await installation.ended(JSON.parse(text).id);
      assert.deepEqual([scan.status, scan.findings.new], ['completed', 1]);
      const stored = readdirSync(running[proxy]!.folder, { recursive: true, encoding: 'utf8' });
      assert.deepEqual(
        stored.filter((path) => /(client_body|proxy)\/./.test(path)),
        [],
      );
    });
  }

  for (const proxy of proxyNames) {
    test(`${proxy} serves by TLS and HTTP/2: many requests at once, an upload, and each event as it happens`, async () => {
      await withSession(proxy, async (ask, session) => {
        const { status, headers } = await ask('/api/v1/organization');
        assert.deepEqual([status, session.alpnProtocol], [200, 'h2']);
        assert.match(String(headers['strict-transport-security']), /max-age/);
        const many = await Promise.all(Array.from({ length: 50 }, () => ask('/api/v1/findings?limit=1')));
        assert.deepEqual([...new Set(many.map((response) => response.status))], [200]);
        const events = session.request({
          ':authority': name,
          ':path': '/api/v1/events',
          authorization: `Bearer ${installation.token}`,
        });
        let received = '';
        events.setEncoding('utf8').on('data', (chunk) => {
          received += chunk;
        });
        await eventually(async () => received !== '');
        const large = Buffer.concat([...largeFile(20_000_000)]);
        const sent = await ask(`/api/v1/imports?data_source_name=http2-${proxy}&format=sarif`, large);
        assert.equal(sent.status, 202, sent.text);
        const scan = await installation.ended(JSON.parse(sent.text).id);
        assert.deepEqual([scan.status, scan.findings.new], ['completed', 1]);
        await eventually(async () => received.includes(scan.id), 20_000);
      });
    });
  }

  test('each proxy works again by itself after a restart behind it, and until then says that no node is available', async () => {
    const ended = installation.run.stop();
    await ended;
    const during = await Promise.all(
      proxyNames.map((proxy) => call(proxy, '/readyz', { headers: { 'x-probe': '1' } }).then(({ status }) => status)),
    );
    for (const status of during) assert.ok([502, 503, 504].includes(status), String(status));
    await installation.start();
    for (const proxy of proxyNames) {
      await eventually(async () => (await call(proxy, '/api/v1/organization')).status === 200, 30_000);
      for (let i = 0; i < 10; i++) assert.equal((await call(proxy, '/api/v1/organization')).status, 200);
    }
  });
});
