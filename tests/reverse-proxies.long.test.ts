import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, before, describe, test } from 'node:test';
import { eventually, HostedInstallation, type Installation } from './harness/installation.ts';
import { freePort, Service } from './soak/service.ts';

const files = join(import.meta.dirname, '../deploy/proxies');
const name = 'assay.example.com';

/** Returns the shipped file without TLS, for these ports. A line that is no longer there is an error. */
function adapted(file: string, replacements: [string, string][]): string {
  let text = readFileSync(join(files, file), 'utf8');
  for (const [from, to] of replacements) {
    assert.ok(text.includes(from), `deploy/proxies/${file} has no ${JSON.stringify(from)}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

type Proxy = { command: string; write(folder: string, port: number, node: number): string[] };

const proxies: Record<string, Proxy> = {
  nginx: {
    command: '/usr/sbin/nginx',
    write(folder, port, node) {
      const site = adapted('nginx.conf', [
        ['listen 443 ssl http2;', `listen 127.0.0.1:${port};`],
        ['ssl_certificate /etc/ssl/assay.pem;', ''],
        ['ssl_certificate_key /etc/ssl/assay.key;', ''],
        ['server 127.0.0.1:8080', `server 127.0.0.1:${node}`],
      ]);
      writeFileSync(join(folder, 'site.conf'), site);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${folder}/${kind};`,
      );
      const user = process.getuid?.() === 0 ? 'user root;' : '';
      writeFileSync(
        join(folder, 'nginx.conf'),
        `daemon off; pid ${folder}/pid; error_log stderr; ${user} events {}
         http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`,
      );
      return ['-c', join(folder, 'nginx.conf'), '-p', folder];
    },
  },
  HAProxy: {
    command: '/usr/sbin/haproxy',
    write(folder, port, node) {
      const text = adapted('haproxy.cfg', [
        ['bind :443 ssl crt /etc/ssl/assay-with-key.pem alpn h2,http/1.1', `bind 127.0.0.1:${port}`],
        ['server one 127.0.0.1:8080', `server one 127.0.0.1:${node}`],
      ]);
      writeFileSync(join(folder, 'haproxy.cfg'), text);
      return ['-W', '-f', join(folder, 'haproxy.cfg')];
    },
  },
  Caddy: {
    command: '/usr/bin/caddy',
    write(folder, port, node) {
      const text = adapted('Caddyfile', [
        [`${name} {`, `http://${name}:${port} {\n\tbind 127.0.0.1`],
        ['reverse_proxy 127.0.0.1:8080', `reverse_proxy 127.0.0.1:${node}`],
      ]);
      writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${text}`);
      return ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
    },
  },
};

const importedBytes = 300_000_000;
const blank = Buffer.alloc(1_000_000, ' ');

/** A result file of 300 MB: one result, and blanks between its parts. */
function* largeFile(): Generator<Buffer> {
  yield Buffer.from('{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"large"}},"results":[');
  for (let written = 0; written < importedBytes; written += blank.length) yield blank;
  const location = { physicalLocation: { artifactLocation: { uri: 'a.ts' }, region: { startLine: 1 } } };
  yield Buffer.from(`${JSON.stringify({ ruleId: 'one', message: { text: 'One' }, locations: [location] })}]}]}`);
}

describe('Assay behind a reverse proxy of Debian, with the shipped file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-proxies-'));
  const agent = new Agent({ keepAlive: false });
  let installation: Installation;
  const running: Record<string, { port: number; service: Service; folder: string }> = {};

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
    const responded = new Promise<IncomingMessage>((resolve, reject) =>
      outgoing.once('response', resolve).once('error', reject),
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

  before(async () => {
    const node = await freePort();
    installation = new HostedInstallation({
      PORT: String(node),
      ASSAY_BASE_URL: `https://${name}`,
      ASSAY_TRUSTED_PROXIES: '127.0.0.1',
    });
    const starts = Object.entries(proxies).map(async ([proxy, { command, write }]) => {
      const own = mkdtempSync(join(folder, 'proxy-'));
      const port = await freePort();
      const service = new Service({
        name: proxy,
        command,
        args: write(own, port, node),
        options: { cwd: own, env: { PATH: process.env.PATH, HOME: own } },
        startsWithinMs: 60_000,
        isReady: async () => (await call(proxy, '/healthz')).status === 200,
      });
      running[proxy] = { port, service, folder: own };
      process.once('exit', () => void service.stop('SIGKILL'));
    });
    await Promise.all([installation.start(), ...starts]);
    for (const { service } of Object.values(running)) await service.start();
  });
  after(async () => {
    for (const { service } of Object.values(running)) await service.stop();
    agent.destroy();
    await installation.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const proxy of Object.keys(proxies)) {
    test(`${proxy} passes on the name, and the address of the client itself, whatever the client says of it`, async () => {
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
      // Caddy serves nothing under a name that is not its own; the others pass it on, and Assay refuses it.
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

  test('each proxy serves again by itself after a restart behind it, and until then says that nothing is there', async () => {
    const ended = installation.run.stop();
    await ended;
    const during = await Promise.all(
      Object.keys(proxies).map((proxy) =>
        call(proxy, '/readyz', { headers: { 'x-probe': '1' } }).then(({ status }) => status),
      ),
    );
    for (const status of during) assert.ok([502, 503, 504].includes(status), String(status));
    await installation.start();
    for (const proxy of Object.keys(proxies)) {
      await eventually(async () => (await call(proxy, '/api/v1/organization')).status === 200, 30_000);
      for (let i = 0; i < 10; i++) assert.equal((await call(proxy, '/api/v1/organization')).status, 200);
    }
  });
});
