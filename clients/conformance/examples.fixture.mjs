// Runs the examples of a client's README against a real server.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { crc32Base62 } from '../../scanner/detectors/secrets/checksums.ts';
import { sample } from '../../scanner/detectors/secrets/sample.ts';
import { eventually, HostedInstallation } from '../../tests/harness/installation.ts';
import { RepositoryFixture } from '../../tests/harness/repository.ts';

const githubToken = (seed) => {
  const body = sample('0-9A-Za-z', 30, seed);
  return `${'ghp'}_${body}${crc32Base62(body)}`;
};

const place = { physicalLocation: { artifactLocation: { uri: 'src/app.js' }, region: { startLine: 3 } } };
const sarif = JSON.stringify({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'Pipeline', rules: [{ id: 'R1', shortDescription: { text: 'Injection' } }] } },
      results: [{ ruleId: 'R1', level: 'error', message: { text: 'Built from input.' }, locations: [place] }],
    },
  ],
});

/** The examples of a README by file name: code blocks whose first line is a comment with that name. */
export async function readExamples(readme) {
  const text = await readFile(readme, 'utf8');
  return new Map([...text.matchAll(/^```\w+\n((?:\/\/|#) (\w+\.\w+)\n[\s\S]*?)^```$/gm)].map((m) => [m[2], m[1]]));
}

/**
 * Starts an HTTP proxy, with and without tunnels, that sends every request to one server. `hosts` collects the
 * requested hosts.
 */
async function startProxy(origin) {
  const { hostname, port } = new URL(origin);
  const hosts = new Set();
  const server = createServer((incoming, outgoing) => {
    const { host, pathname, search } = new URL(incoming.url);
    hosts.add(host);
    const { method, headers } = incoming;
    const behind = request({
      hostname,
      port,
      path: pathname + search,
      method,
      headers: { ...headers, host: `${hostname}:${port}` },
    });
    behind.once('response', (response) => {
      outgoing.writeHead(response.statusCode, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(behind);
  });
  server.on('connect', ({ url }, socket) => {
    hosts.add(url);
    const behind = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      pipeline(socket, behind, socket, () => {});
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { hosts, close, origin: `http://127.0.0.1:${server.address().port}` };
}

/**
 * Tests the six examples in order. `install` prepares them in a folder and returns a function from an example's name to
 * the program and the first arguments that run it.
 */
export function testExamples({ install, variables = {}, stop = 'SIGTERM' }) {
  const repository = new RepositoryFixture('payments');
  const installation = new HostedInstallation({
    ASSAY_LOCAL_REPOSITORIES: repository.root,
    ASSAY_ALLOWED_HOSTS: 'assay.example',
  });
  let folder;
  let commandOf;

  before(async () => {
    repository.commit({ 'README.md': '# Payments\n', 'deploy.env': `GITHUB_TOKEN=${githubToken('one')}\n` });
    repository.commit({
      'pay.env': `TOKEN=${githubToken('two')}\n`,
      'test/fake.env': `TOKEN=${githubToken('three')}\n`,
    });
    folder = await mkdtemp(join(tmpdir(), 'assay-examples-'));
    [commandOf] = await Promise.all([install(folder), installation.start()]);
  });
  after(async () => {
    await installation.remove();
    repository.remove();
    await rm(folder, { recursive: true });
  });

  /** Starts an example. `said` is its output so far, `ended` its exit code. */
  function startExample(name, given, more = {}) {
    const [program, ...first] = commandOf(name);
    const child = spawn(program, [...first, ...given], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        ASSAY_TOKEN: installation.token,
        ASSAY_BASE_URL: `${installation.origin}/api/v1`,
        ...variables,
        ...more,
      },
    });
    const ended = new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject));
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) {
      child[stream].on('data', (chunk) => {
        said[stream] += chunk;
      });
    }
    return { child, ended, said };
  }

  /** Runs an example until it exits or has printed `lines` lines. Returns its output. */
  async function runExample(name, given, { lines = Number.POSITIVE_INFINITY, ...more } = {}) {
    const { child, ended, said } = startExample(name, given, more);
    if (lines !== Number.POSITIVE_INFINITY) {
      await eventually(async () => said.stdout.split('\n').length > lines || child.exitCode !== null);
      child.kill(stop);
    }
    assert.equal(await ended, 0, said.stderr);
    return said.stdout;
  }

  describe('each example of the README, as it stands in an empty project', () => {
    test('scans a repository', async () => {
      const output = await runExample('scan', [pathToFileURL(repository.work).href]);
      assert.match(output, /^The scan is completed: 3 new, 0 seen again\.$/m);
    });

    test('triages', async () => {
      const { email } = (await installation.ask('GET', '/organization/members')).data[0];
      assert.match(await runExample('triage', [email]), /^3 findings are assigned[\s\S]*^Closed /m);
    });

    test('reports', async () => {
      assert.equal(await runExample('report', ['findings.csv']), 'Saved 2 findings to findings.csv.\n');
      const csv = await readFile(join(folder, 'findings.csv'), 'utf8');
      assert.match(csv, /pay\.env/);
      assert.doesNotMatch(csv, /fake\.env/);
    });

    test('goes through the proxy that the environment names', async () => {
      const proxy = await startProxy(installation.origin);
      try {
        // Only the proxy resolves this host. Node.js reads the proxy variables only with NODE_USE_ENV_PROXY.
        const ASSAY_BASE_URL = 'http://assay.example';
        const variables = {
          ASSAY_BASE_URL,
          HTTP_PROXY: proxy.origin,
          http_proxy: proxy.origin,
          NODE_USE_ENV_PROXY: '1',
        };
        assert.match(await runExample('report', ['again.csv'], variables), /^Saved 2 findings/);
        assert.ok(proxy.hosts.size > 0 && [...proxy.hosts].every((host) => /^assay\.example(:80)?$/.test(host)));
      } finally {
        proxy.close();
      }
    });

    test('imports', async () => {
      await writeFile(join(folder, 'results.sarif'), sarif);
      const output = await runExample('import', ['results.sarif']);
      assert.match(output, new RegExp(`^Sent ${sarif.length} of ${sarif.length} bytes\\.$`, 'm'));
      assert.match(output, /^The import is completed: 1 new findings\.$/m);
    });

    test('follows from where it stopped', async () => {
      const follow = async (lines) =>
        (await runExample('follow', ['position.txt'], { lines }))
          .split('\n')
          .map((line) => [/fnd_\w+/.exec(line)?.[0], /\d{4}-\d\d-\d\dT[^\s"]+/.exec(line)?.[0]])
          .filter(([id]) => id !== undefined);
      assert.equal(new Set((await follow(4)).map(([id]) => id)).size, 4);
      const position = Date.parse(await readFile(join(folder, 'position.txt'), 'utf8'));
      const again = await follow(1);
      assert.ok(again.length > 0 && again.every(([, updatedAt]) => Date.parse(updatedAt) >= position));
    });

    test('follows and listens through a kill of the server, and misses nothing', async () => {
      const [{ id }] = (await installation.ask('GET', '/findings?limit=1')).data;
      const decide = (status) => installation.ask('PATCH', `/findings/${id}`, { status });
      await decide('triaged');
      const follow = startExample('follow', ['again.txt']);
      const listen = startExample('listen', ['event.txt']);
      const both = [follow, listen];
      const running = () =>
        assert.deepEqual(
          [follow.child.exitCode, listen.child.exitCode],
          [null, null],
          follow.said.stderr + listen.said.stderr,
        );
      const followed = (status) =>
        eventually(async () => running() || new RegExp(`${id}.*${status}`).test(follow.said.stdout));
      const count = () => listen.said.stdout.split('\n').filter((line) => line.startsWith('findings ')).length;
      await followed('triaged');
      await eventually(
        async () =>
          running() ||
          decide('in_progress')
            .then(() => decide('triaged'))
            .then(() => count() > 0),
      );
      installation.environment.PORT = new URL(installation.origin).port;
      installation.run.kill();
      await installation.run.ended;
      const before = count();
      await installation.start();
      await decide('in_progress');
      await followed('in_progress');
      await eventually(async () => running() || count() > before);
      for (const { child } of both) child.kill(stop);
      assert.deepEqual(
        await Promise.all(both.map(({ ended }) => ended)),
        [0, 0],
        follow.said.stderr + listen.said.stderr,
      );
    });
  });
}
