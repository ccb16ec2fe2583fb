import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { createTestDatabase, type TestDatabase } from '../../tests/harness/database.ts';
import { call, createTestNode, type Node } from '../../tests/harness/identity.ts';
import { createTenant, createTestMember, createTokenFor, type Person } from '../../tests/harness/people.ts';
import { startEgressProxy } from '../platform/egress/egress-proxy.ts';
import { createKeyring } from '../platform/sealed.ts';
import { Connections } from './connections.ts';
import { checkRepository } from './connectors/check-repository.ts';
import type { RepositoryError } from './connectors/git-failure.ts';
import { dataSourceRoutes } from './routes.ts';

const directory = mkdtempSync(join(tmpdir(), 'assay-connections-'));
const repository = join(directory, 'app');
let db: TestDatabase;
let node: Node;
let owner: Person;

before(async () => {
  db = await createTestDatabase();
  const rules = {
    networkPolicy: createNetworkPolicy({
      allowed: ['127.0.0.1'],
      resolve: async (host) => {
        if (host.startsWith('unknown')) throw new Error('ENOTFOUND');
        return [{ address: host.startsWith('inside') ? '10.0.0.1' : '127.0.0.1', family: 4 }];
      },
    }),
    localRepositories: async () => [directory],
  };
  const services = { ...rules, keyring: createKeyring('k'.repeat(40)), sampleRepository: null, onDeleted: [] };
  const dataSources = { ...services, connections: new Connections(rules) };
  node = await createTestNode(db.database, dataSourceRoutes, undefined, { dataSources });
  owner = await createTenant(db.database);
  execFileSync('git', ['init', '--quiet', '--initial-branch=trunk', repository]);
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  execFileSync('git', [...identity, '-C', repository, 'commit', '--quiet', '--allow-empty', '-m', 'First']);
});
after(async () => {
  await node.close();
  await db.drop();
  rmSync(directory, { recursive: true, force: true });
});

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const send = (kind: string, config: object, token = owner.token) =>
  call(node, token, 'POST', '/data-sources/test', { kind, config });

/** Returns the code of a test after checking that it is consistent with `reachable`. */
async function codeOf(kind: string, config: object): Promise<string> {
  const { status, body } = await send(kind, config, (await createTenant(db.database)).token);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.reachable, body.code === 'ok');
  assert.ok(body.message.length > 10);
  return body.code;
}

/** Serves the repositories of the directory by git's smart protocol over HTTP, to a caller with the credential. */
const gitOverHttp =
  (password: string): RequestListener =>
  (request, response) => {
    if (request.headers.authorization !== `Basic ${Buffer.from(`x-access-token:${password}`).toString('base64')}`) {
      response.writeHead(401, { 'www-authenticate': `Basic realm="${password}"` }).end(`the password is ${password}`);
      return;
    }
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const environment = {
      GIT_PROJECT_ROOT: directory,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: searchParams.toString(),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'],
      GIT_PROTOCOL: request.headers['git-protocol'] as string | undefined,
      PATH: process.env.PATH,
    };
    const backend = spawn('git', ['http-backend'], { env: environment, stdio: ['pipe', 'pipe', 'ignore'] });
    request.pipe(backend.stdin);
    const chunks: Buffer[] = [];
    backend.stdout.on('data', (chunk) => chunks.push(chunk));
    backend.on('close', () => {
      const output = Buffer.concat(chunks);
      const end = output.indexOf('\r\n\r\n');
      const headers = output
        .subarray(0, end)
        .toString()
        .split('\r\n')
        .map((line) => line.split(': ') as [string, string]);
      const { Status: status = '200', ...rest } = Object.fromEntries(headers);
      response.writeHead(Number.parseInt(status, 10), rest).end(output.subarray(end + 4));
    });
  };

test('a repository is queried for its branch with the given credential, and nothing that the host sends is repeated', async () => {
  await using server = await serve(gitOverHttp('right-secret'));
  await using proxy = await startEgressProxy({ policy: createNetworkPolicy({ allowed: ['127.0.0.1'] }) });
  const check = (token: string) =>
    checkRepository({
      url: `${server.origin}/app/.git`,
      branch: null,
      credential: { token },
      proxyUrl: proxy.url,
      allowFile: false,
      timeoutMs: 20_000,
    });
  assert.deepEqual(await check('right-secret'), { branch: 'trunk' });
  await assert.rejects(check('wrong-secret'), (error: RepositoryError) => {
    assert.equal(error.reason, 'authentication_failed');
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
});

test('a repository in an allowed directory is tested without the network', async () => {
  const url = `file://${repository}`;
  const { body } = await send('git_repository', { url });
  assert.equal(body.code, 'ok', JSON.stringify(body));
  assert.match(body.message, /the branch trunk/);
  assert.equal(await codeOf('git_repository', { url, branch: 'none' }), 'branch_not_found');
  execFileSync('git', ['init', '--quiet', '--bare', join(directory, 'empty.git')]);
  assert.equal(await codeOf('git_repository', { url: `file://${directory}/empty.git` }), 'empty');
});

test('a repository that cannot be read has a reason, from the policy to the repository', async () => {
  assert.equal(await codeOf('git_repository', { url: 'https://unknown.example.com/app.git' }), 'host_not_found');
  assert.equal(await codeOf('git_repository', { url: 'https://inside.example.com/app.git' }), 'refused');
  assert.equal(await codeOf('git_repository', { url: 'https://169.254.169.254/app.git' }), 'refused');
  assert.equal(await codeOf('git_repository', { url: 'https://127.0.0.1:1/app.git' }), 'unreachable');
});

test('a website is requested, and a redirect to the metadata address or into the network is refused', async () => {
  await using server = await serve((request, response) => {
    const target = { '/metadata': 'http://169.254.169.254/latest/', '/inside': 'http://inside.example.com/' }[
      request.url!
    ];
    if (request.url === '/loop') return response.writeHead(302, { location: '/loop' }).end();
    if (target) return response.writeHead(302, { location: target }).end();
    return response.writeHead(503).end('secret of the page');
  });
  const { body } = await send('website', { url: `${server.origin}/` });
  assert.deepEqual([body.code, /status 503/.test(body.message), /secret/.test(body.message)], ['ok', true, false]);
  assert.equal(await codeOf('website', { url: `${server.origin}/metadata` }), 'refused');
  assert.equal(await codeOf('website', { url: `${server.origin}/inside` }), 'refused');
  assert.equal(await codeOf('website', { url: `${server.origin}/loop` }), 'failed');
  assert.equal(await codeOf('website', { url: 'http://127.0.0.1:1/' }), 'unreachable');
});

test('a host is looked up, an image is requested from its registry, and an upload needs nothing', async () => {
  assert.equal(await codeOf('host', { address: 'server.example.com' }), 'ok');
  assert.equal(await codeOf('host', { address: 'inside.example.com' }), 'refused');
  assert.equal(await codeOf('container_image', { reference: '127.0.0.1:1/team/app:1' }), 'unreachable');
  assert.equal(await codeOf('container_image', { reference: 'inside.example.com/app' }), 'refused');
  assert.equal(await codeOf('upload', {}), 'ok');
});

test('a test saves nothing, and needs the role and the scope of adding a data source', async () => {
  await send('host', { address: 'server.example.com' });
  assert.deepEqual((await call(node, owner.token, 'GET', '/data-sources')).body.data, []);
  const analyst = await createTestMember(db.database, owner.orgId, 'analyst');
  assert.equal((await send('upload', {}, analyst.token)).body.error.code, 'forbidden');
  const reader = await createTokenFor(db.database, owner.orgId, owner.userId, { scopes: ['sources:read'] });
  assert.equal((await send('upload', {}, reader)).body.error.code, 'insufficient_scope');
  assert.deepEqual(readdirSync(directory).sort(), ['app', 'empty.git']);
});

test('an organization that tests too much must wait, while others need not', async () => {
  const busy = await createTenant(db.database);
  for (let count = 0; count < 10; count += 1) assert.equal((await send('upload', {}, busy.token)).status, 200);
  const { status, body } = await send('upload', {}, busy.token);
  assert.deepEqual([status, body.error.code], [429, 'rate_limited']);
  assert.equal(await codeOf('upload', {}), 'ok');
});
