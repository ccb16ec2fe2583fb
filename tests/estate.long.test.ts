import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { AdvisoryDirectory, osvAdvisory } from './harness/advisories.ts';
import { HostedInstallation } from './harness/installation.ts';
import { RepositoryFixture } from './harness/repository.ts';

/** Assembled at run time, so that this file contains nothing that looks like a live secret. */
const awsKeyId = `AKIA${'Q3ZT7WJ5MNBY2XKP'}`;
const stripeKey = `sk_live_${'Rk7vQ2xWm9TzLp4NcYb8HdJf'}`;

const lockfile = (packages: Record<string, string>) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: Object.fromEntries(
      Object.entries(packages).map(([name, version]) => [`node_modules/${name}`, { version }]),
    ),
  });

const planted = {
  'deploy/prod.env': `AWS_ACCESS_KEY_ID=${awsKeyId}\n`,
  'src/pay.py': `STRIPE_KEY = "${stripeKey}"\n`,
  'package-lock.json': lockfile({ left: '1.0.0', right: '1.0.0' }),
  'native/copy.c': '#include <string.h>\n\nvoid copy(char *to, char *from) {\n  strcpy(to, from);\n  gets(to);\n}\n',
  'src/run.py': 'import subprocess\n\n\ndef run(name):\n    return subprocess.check_output("ls " + name, shell=True)\n',
  'src/load.py': 'import yaml\n\n\ndef load(text):\n    return yaml.load(text, Loader=yaml.UnsafeLoader)\n',
  Dockerfile: 'FROM node:20\nUSER root\nRUN curl -k https://example.com/a\n',
};

/**
 * The repository with half of the problems fixed: one of the two of each kind. The Stripe key is also removed from
 * the history.
 */
const halfFixed = {
  ...planted,
  'src/pay.py': 'import os\n\nSTRIPE_KEY = os.environ["STRIPE_KEY"]\n',
  'package-lock.json': lockfile({ left: '1.0.0', right: '2.0.0' }),
  'src/load.py': 'import yaml\n\n\ndef load(text):\n    return yaml.safe_load(text)\n',
  'native/copy.c': '#include <string.h>\n\nvoid copy(char *to, char *from) {\n  strcpy(to, from);\n}\n',
  Dockerfile: 'FROM node:20\nUSER root\nRUN curl https://example.com/a\n',
};

const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'self'" };
const carelessSite: RequestListener = (request, response) => {
  if (request.url === '/.git/HEAD') response.end('ref: refs/heads/main\n');
  else response.writeHead(request.url === '/' ? 200 : 404, { ...headers, server: 'nginx/1.18.0' }).end('<p>shop</p>');
};
const betterSite: RequestListener = (request, response) => {
  const better = { ...headers, server: 'nginx/1.18.0', 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' };
  response.writeHead(request.url === '/' ? 200 : 404, better).end('<p>shop</p>');
};

/** The planted problems: source, rule and file. The half that is fixed later has the status `resolved`. */
const resolved = [
  'bandit B506 src/load.py',
  'code python-unsafe-yaml-load src/load.py',
  'dependencies GHSA-rigt-rigt-rigt package-lock.json',
  'flawfinder FF1014 native/copy.c',
  'infrastructure dockerfile-curl-insecure Dockerfile',
  'nmap open-port closing',
  'secrets stripe-access-token src/pay.py',
  'web web-exposed-git -',
  'web web-frameable -',
  'web web-nosniff-missing -',
];
const standing = [
  'bandit B404 src/run.py',
  'bandit B602 src/run.py',
  'code python-subprocess-shell-injection src/run.py',
  'dependencies GHSA-left-left-left package-lock.json',
  'flawfinder FF1001 native/copy.c',
  'infrastructure dockerfile-user-root Dockerfile',
  'nmap open-port staying',
  'secrets aws-access-token deploy/prod.env',
  'web web-security-txt-missing -',
  'web web-unencrypted -',
  'web web-version-leak -',
];

type WellKnown = { server: TcpServer; port: number };
type Shown = { source: string; rule: { id: string }; location: { path: string | null } };

/** Servers on ports of 127.0.0.1 that a scan checks by default. */
async function openWellKnownPorts(count: number): Promise<WellKnown[]> {
  const opened: WellKnown[] = [];
  for (const port of [7777, 8000, 8081, 8088, 8888, 9000, 9090, 9999]) {
    const server = createTcpServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.2\r\n')).listen(
      port,
      '127.0.0.1',
    );
    const [event] = await Promise.race([
      once(server, 'listening').then(() => ['open']),
      once(server, 'error').then(() => ['taken']),
    ]);
    if (event === 'open') opened.push({ server, port });
    if (opened.length === count) return opened;
  }
  throw new Error('No two of the usual ports are free on this machine.');
}

const sources = ['secrets', 'dependencies', 'code', 'infrastructure', 'web', 'bandit', 'flawfinder', 'nmap'];

describe('a sample estate, scanned by every kind of source', () => {
  const repository = new RepositoryFixture('shop');
  const feed = new AdvisoryDirectory();
  const installation = new HostedInstallation({
    ASSAY_LOCAL_REPOSITORIES: repository.root,
    ASSAY_ALLOWED_TARGETS: '127.0.0.1',
    LOG_LEVEL: 'error',
  });
  let site: Server;
  let ports: WellKnown[] = [];
  let listener = carelessSite;

  before(async () => {
    feed.put('npm', [
      osvAdvisory('GHSA-left-left-left', 'npm', 'left', '1.2.0'),
      osvAdvisory('GHSA-rigt-rigt-rigt', 'npm', 'right', '2.0.0'),
    ]);
    repository.commit(planted);
    site = createServer((request, response) => listener(request, response)).listen(0, '127.0.0.1');
    await once(site, 'listening');
    ports = await openWellKnownPorts(2);
    await installation.start();
    installation.command('advisories', 'sync', '--from', feed.directory);
    const add = (kind: string, url: string) =>
      installation.ask('POST', '/data-sources', { name: kind, kind, config: { url } });
    await add('git_repository', pathToFileURL(repository.work).href);
    await installation.ask('POST', '/data-sources', { name: 'host', kind: 'host', config: { address: '127.0.0.1' } });
    await add('website', `http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  });
  after(async () => {
    await installation.remove();
    for (const server of [site, ...ports.map((one) => one.server)]) server.close();
    feed.remove();
    repository.remove();
  });

  async function scanAll(): Promise<void> {
    for (const source of sources) {
      const { status, errors } = await installation.scan('', source);
      assert.deepEqual([source, status, errors], [source, 'completed', []]);
    }
  }
  const shown = async (status: string) => {
    const { data } = await installation.ask('GET', `/findings?limit=200&status=${status}&source=${sources.join()}`);
    // Only our two ports of the host count: other programs on this machine may listen, too.
    const names = new Map(
      ports.map(({ port }, index) => [`127.0.0.1:${port}/tcp`, index === 0 ? 'closing' : 'staying']),
    );
    return (data as Shown[])
      .filter(
        ({ source, rule, location }) => source !== 'nmap' || (rule.id === 'open-port' && names.has(location.path!)),
      )
      .map(
        ({ source, rule, location: { path } }) =>
          `${source} ${rule.id} ${path === null ? '-' : (names.get(path) ?? path)}`,
      )
      .sort();
  };

  test('finds every planted problem, and nothing else', async () => {
    await scanAll();
    assert.deepEqual(await shown('new'), [...resolved, ...standing].sort());
  });

  test('after half were fixed exactly that half is resolved', async () => {
    // The history is rewritten, as after a leak: the key is removed from it, not only from the newest files.
    repository.git('checkout', '--quiet', '--orphan', 'clean');
    repository.commit(halfFixed);
    repository.git('branch', '--quiet', '--force', 'main', 'clean');
    repository.git('checkout', '--quiet', 'main');
    listener = betterSite;
    ports[0]!.server.close();
    await scanAll();
    assert.deepEqual(await shown('resolved'), resolved);
    assert.deepEqual(await shown('new'), standing);
  });
});
