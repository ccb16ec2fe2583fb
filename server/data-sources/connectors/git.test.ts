import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ProgramError } from '@assay/scanner/platform/child-process.ts';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { type Listener, RepositoryFixture, serveDaemon, serveHttp } from '../../../tests/harness/repository.ts';
import { startEgressProxy } from '../../platform/egress/egress-proxy.ts';
import { isOutOfRoom } from '../../platform/postgres/database.ts';
import { LowOnRoom } from '../../platform/room/room.ts';
import { fetchRepository, type RepositoryRequest, releaseRepository } from './git.ts';
import { RepositoryError, type RepositoryFailure, repositoryError } from './git-failure.ts';

let fixture: RepositoryFixture;
let http: Listener;
let scratch: string;
let head: string;
const token = ['t0k', 'en'].join('');

before(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'git-connector-'));
  fixture = new RepositoryFixture();
  fixture.commit({ 'a.txt': 'one\n' });
  head = fixture.commit({ 'a.txt': 'two\n', 'b/c.txt': 'three\n' });
  http = await serveHttp(fixture.root, `Basic ${Buffer.from(`someone:${token}`).toString('base64')}`);
});
after(async () => {
  await http.close();
  fixture.remove();
  rmSync(scratch, { recursive: true, force: true });
});

let count = 0;
function request(more: Partial<RepositoryRequest> = {}): RepositoryRequest {
  return {
    url: `file://${fixture.work}`,
    branch: null,
    credential: null,
    directory: join(scratch, String(count++)),
    signal: AbortSignal.timeout(600_000),
    proxyUrl: null,
    allowFile: true,
    ...more,
  };
}

const failsWith = (reason: RepositoryFailure) => (error: unknown) => {
  assert.ok(error instanceof RepositoryError, String(error));
  assert.equal(error.reason, reason, `${error.message} ${(error.cause as { stderr?: string })?.stderr ?? ''}`);
  assert.doesNotMatch(error.message, new RegExp(`${token}|${tmpdir()}|fatal`));
  return true;
};

const log = (gitDirectory: string, commit: string) =>
  execFileSync('git', ['--git-dir', gitDirectory, 'log', '--format=%H', commit], { encoding: 'utf8' })
    .trim()
    .split('\n');

test('the default branch is fetched with its history, and a second fetch gets new commits', async () => {
  const again = request();
  const first = await fetchRepository(again);
  assert.equal(first.head, head);
  assert.equal(first.branch, 'main');
  assert.equal(log(first.gitDirectory, first.head).length, 2);
  const newer = fixture.commit({ 'a.txt': 'four\n' });
  const second = await fetchRepository(again);
  assert.equal(second.head, newer);
  head = newer;
});

test('a named branch is fetched, even if it is forced back or named like an option', async () => {
  fixture.git('update-ref', 'refs/heads/--upload-pack=touch${IFS}pwned', 'HEAD~1');
  const odd = await fetchRepository(request({ branch: '--upload-pack=touch${IFS}pwned' }));
  assert.equal(odd.head, fixture.git('rev-parse', 'HEAD~1'));

  fixture.git('branch', 'feature', 'HEAD');
  const again = request({ branch: 'feature' });
  await fetchRepository(again);
  fixture.git('branch', '--force', 'feature', 'HEAD~2');
  assert.equal((await fetchRepository(again)).head, fixture.git('rev-parse', 'HEAD~2'));
});

test('a directory with blanks, percent signs and umlauts in its name is found by its URL', async () => {
  const odd = new RepositoryFixture('an odd%20 näme#?');
  const commit = odd.commit({ 'a.txt': 'one\n' });
  assert.equal((await fetchRepository(request({ url: pathToFileURL(odd.work).href }))).head, commit);
  odd.remove();
});

test('a damaged or half-written copy of ours is fetched again', async () => {
  const again = request();
  const fetched = await fetchRepository(again);
  const { gitDirectory } = fetched;
  await releaseRepository(fetched);
  writeFileSync(join(gitDirectory, 'HEAD'), 'nonsense');
  writeFileSync(join(gitDirectory, 'objects', 'pack', 'tmp_pack_left'), 'partial');
  assert.equal((await fetchRepository(again)).head, head);
  assert.ok(!readdirSync(join(gitDirectory, 'objects', 'pack')).includes('tmp_pack_left'));
});

test('fetches of one directory at the same time wait for each other', async () => {
  const again = request();
  const results = await Promise.all([fetchRepository(again), fetchRepository(again), fetchRepository(again)]);
  assert.deepEqual(
    results.map((result) => result.head),
    [head, head, head],
  );
});

test('over http the password comes from the credential, and a wrong or missing one is reported as such', async () => {
  const url = `${http.url}/work/.git`;
  const fetched = await fetchRepository(request({ url, credential: { username: 'someone', password: token } }));
  assert.equal(fetched.head, head);
  await fetchRepository(request({ url: url.replace('//', `//someone:${token}@`) }));
  await assert.rejects(fetchRepository(request({ url })), failsWith('authentication_failed'));
  const wrong = { username: 'someone', password: `${token}x` };
  await assert.rejects(fetchRepository(request({ url, credential: wrong })), failsWith('authentication_failed'));
});

test('a credential is not sent to the host that a redirect leads to', async () => {
  const seen: string[] = [];
  const elsewhere = await serveHttp(fixture.root, 'Basic never', seen);
  const redirect = createServer((incoming, response) => {
    response.writeHead(302, { Location: `${elsewhere.url}${incoming.url}` }).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => redirect.once('listening', resolve));
  const url = `http://127.0.0.1:${(redirect.address() as AddressInfo).port}/work/.git`;
  const credential = { username: 'someone', password: token };
  await assert.rejects(fetchRepository(request({ url, credential })), failsWith('authentication_failed'));
  assert.ok(seen.length > 0);
  assert.ok(
    seen.every((line) => line.endsWith(' ')),
    seen.join('\n'),
  );
  redirect.close();
  await elsewhere.close();
});

test('a redirect to another protocol is not followed', async () => {
  const redirect = createServer((_, response) => {
    response.writeHead(302, { Location: `file://${fixture.work}/.git/info/refs` }).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => redirect.once('listening', resolve));
  const url = `http://127.0.0.1:${(redirect.address() as AddressInfo).port}/x`;
  await assert.rejects(fetchRepository(request({ url })), RepositoryError);
  redirect.close();
});

test('the error says what is missing: repository, branch or content', async () => {
  const credential = { username: 'someone', password: token };
  await assert.rejects(fetchRepository(request({ url: `${http.url}/nothing`, credential })), failsWith('not_found'));
  await assert.rejects(fetchRepository(request({ url: `file://${fixture.root}/nothing` })), failsWith('not_found'));
  await assert.rejects(fetchRepository(request({ branch: 'no-such' })), failsWith('branch_not_found'));
  await assert.rejects(fetchRepository(request({ branch: 'bad..name' })), failsWith('branch_not_found'));
  const empty = new RepositoryFixture();
  await assert.rejects(fetchRepository(request({ url: `file://${empty.work}` })), failsWith('empty'));
  empty.remove();
});

test('a host that does not respond is unreachable', async () => {
  const gone = await serveHttp(fixture.root);
  await gone.close();
  await assert.rejects(fetchRepository(request({ url: `${gone.url}/work/.git` })), failsWith('unreachable'));
});

test('every transport uses the proxy, and refusals by its policy are reported', async () => {
  const allowing = await startEgressProxy({ policy: createNetworkPolicy({ allowed: ['127.0.0.0/8'] }) });
  const refusing = await startEgressProxy({ policy: createNetworkPolicy({ allowed: [] }) });
  const daemon = await serveDaemon(fixture.root);
  const url = `${daemon.url}/work/.git`;
  assert.equal((await fetchRepository(request({ url }))).head, head);
  assert.equal((await fetchRepository(request({ url, proxyUrl: allowing.url }))).head, head);
  const credential = { username: 'someone', password: token };
  const overHttp = { url: `${http.url}/work/.git`, credential, proxyUrl: allowing.url };
  assert.equal((await fetchRepository(request(overHttp))).head, head);
  const addresses = [
    url,
    'https://127.0.0.1:1/x',
    'http://127.0.0.1:1/x',
    'ssh://git@127.0.0.1:1/x',
    'git@localhost:x/y.git',
  ];
  for (const [index, address] of addresses.entries()) {
    await assert.rejects(fetchRepository(request({ url: address, proxyUrl: refusing.url })), failsWith('refused'));
    assert.ok(refusing.refusals.length > index, address);
  }
  await assert.rejects(
    fetchRepository(request({ url: 'ssh://git@127.0.0.1:1/x', proxyUrl: allowing.url })),
    failsWith('unreachable'),
  );
  for (const closing of [allowing, refusing, daemon]) await closing.close();
});

test('a repository that one reader finds damaged stays for the others, and is removed with the last of them', async () => {
  const sent = request();
  const [damaged, neighbour] = [await fetchRepository(sent), await fetchRepository(sent)];
  assert.equal(damaged.gitDirectory, neighbour.gitDirectory);
  await releaseRepository(damaged, { isDamaged: true });
  const next = await fetchRepository(sent);
  assert.notEqual(next.gitDirectory, neighbour.gitDirectory);
  assert.deepEqual(log(neighbour.gitDirectory, head), log(next.gitDirectory, head));
  await releaseRepository(neighbour);
  await releaseRepository(next);
  const last = await fetchRepository(sent);
  assert.deepEqual([last.gitDirectory, existsSync(neighbour.gitDirectory)], [next.gitDirectory, false]);
});

test('a fetch that fails on a damaged repository, or finds it too large, leaves it to its current readers', async () => {
  const sent = request();
  const neighbour = await fetchRepository(sent);
  const objects = join(neighbour.gitDirectory, 'objects');
  writeFileSync(join(neighbour.gitDirectory, 'HEAD'), 'nonsense');
  const next = await fetchRepository(sent);
  assert.ok(existsSync(objects) && next.gitDirectory !== neighbour.gitDirectory);
  await assert.rejects(fetchRepository({ ...sent, maxBytes: 1, allBranches: true }), failsWith('too_large'));
  assert.equal(log(next.gitDirectory, head)[0], head);
});

test('a repository given up by a process that ended is removed by the next fetch', async () => {
  const sent = request();
  const { gitDirectory } = await fetchRepository(sent);
  await releaseRepository({ gitDirectory });
  writeFileSync(join(gitDirectory, 'given-up'), '');
  writeFileSync(join(gitDirectory, 'old'), '');
  const next = await fetchRepository(sent);
  assert.deepEqual([next.gitDirectory, existsSync(join(gitDirectory, 'old'))], [gitDirectory, false]);
});

test('a fetch is limited by time and size, and can be cancelled', async () => {
  const big = new RepositoryFixture();
  big.commit({ 'big.bin': Buffer.from(Array.from({ length: 3_000_000 }, () => Math.floor(Math.random() * 256))) });
  const url = `file://${big.work}`;
  const bounded = request({ url, maxBytes: 1_000_000 });
  await assert.rejects(fetchRepository(bounded), failsWith('too_large'));
  assert.ok(!existsSync(join(bounded.directory, 'repository.git')));
  await assert.rejects(fetchRepository(request({ url, signal: AbortSignal.abort() })), failsWith('aborted'));
  big.remove();
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/x`;
  await assert.rejects(fetchRepository(request({ url: silentUrl, timeoutMs: 300 })), failsWith('timeout'));
  silent.closeAllConnections();
  silent.close();
});

test("a repository on this machine needs the operator's permission", async () => {
  await assert.rejects(fetchRepository(request({ allowFile: false })), failsWith('refused'));
});

test('a credential of the wrong kind is reported before anything is sent', async () => {
  const url = `${http.url}/work/.git`;
  await assert.rejects(
    fetchRepository(request({ url, credential: { private_key: 'x' } })),
    failsWith('invalid_credential'),
  );
  await assert.rejects(
    fetchRepository(request({ url: 'git@localhost:x', credential: { token } })),
    failsWith('invalid_credential'),
  );
  await assert.rejects(
    fetchRepository(request({ url, credential: { password: 'a\nb' } })),
    failsWith('invalid_credential'),
  );
});

test('a host whose program dies at any moment is retried', () => {
  const program = join(scratch, 'upload-pack');
  const dies = (script: string, commandLine: string[]) => {
    writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    const url = `file://${fixture.work}`;
    const { status, stderr } = spawnSync('git', [...commandLine, `--upload-pack=${program}`, url, 'HEAD'], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', GIT_DIR: join(fixture.work, '.git') },
    });
    assert.equal(status, 128, stderr);
    return repositoryError(new ProgramError('git', 'exit', 'git ended with exit code 128.', status, stderr));
  };
  const scripts = [
    'kill -9 $$',
    ...[4, 20, 60, 100].map((bytes) => `git upload-pack "$@" < /dev/null 2> /dev/null | head -c ${bytes}; kill -9 $$`),
  ];
  for (const script of scripts) {
    for (const command of ['ls-remote', 'fetch']) {
      const failure = dies(script, [command]);
      assert.ok(failure instanceof RepositoryError && failure.isTransient, `${command}, ${script}: ${failure}`);
    }
  }
});

test('a full local disk is reported as such, not as a failure of the repository', () => {
  const full = new ProgramError('git', 'exit', 'git failed', 128, 'fatal: write error: No space left on device\n');
  assert.equal(repositoryError(full), full);
  assert.ok(isOutOfRoom(repositoryError(full)));
});

test('a shallow clone is fetched as far as it goes, and completely once it has its history', async () => {
  const clone = join(scratch, 'shallow');
  const git = (...commandLine: string[]) => execFileSync('git', commandLine, { stdio: 'pipe' });
  git('clone', '--quiet', '--depth=1', `file://${fixture.work}`, clone);
  const sent = request({ url: `file://${clone}` });
  const shallow = await fetchRepository(sent);
  assert.deepEqual([shallow.isShallow, shallow.head], [true, head]);
  assert.deepEqual(log(shallow.gitDirectory, head), [head]);
  git('-C', clone, 'fetch', '--quiet', '--unshallow');
  await releaseRepository(shallow);
  const whole = await fetchRepository(sent);
  assert.equal(whole.isShallow, false);
  assert.equal(log(whole.gitDirectory, head).length, 3);
});

describe('a fetch that runs out of disk space', () => {
  let large: RepositoryFixture;
  before(() => {
    large = new RepositoryFixture();
    large.commit({ 'big.bin': randomBytes(3_000_000) });
  });
  after(() => large.remove());

  const packs = (directory: string) => readdirSync(join(directory, 'repository.git', 'objects', 'pack'));

  test('is undone and waits, and the next one succeeds', async () => {
    let isLow = true;
    const requireRoom = async () => {
      if (isLow) throw new LowOnRoom('/srv', { freeBytes: 1, totalBytes: 100 });
    };
    const sent = request({ url: `file://${large.work}`, requireRoom });
    await assert.rejects(fetchRepository(sent), (error: unknown) => error instanceof LowOnRoom && isOutOfRoom(error));
    assert.deepEqual(
      packs(sent.directory).filter((name) => name.startsWith('tmp_')),
      [],
    );
    isLow = false;
    assert.equal((await fetchRepository(sent)).head, large.git('rev-parse', 'HEAD'));
  });

  test('and used the space itself reports that the repository does not fit', async () => {
    let asked = 0;
    const requireRoom = async () => {
      // Enough space again once the fetch is undone.
      if (++asked === 1) throw new LowOnRoom('/srv', { freeBytes: 1, totalBytes: 100 });
    };
    const sent = request({ url: `file://${large.work}`, requireRoom });
    await assert.rejects(fetchRepository(sent), failsWith('no_room'));
  });
});
