import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { RepositoryFixture } from '../../../tests/harness/repository.ts';
import { type EgressProxy, startEgressProxy } from '../../platform/egress/egress-proxy.ts';
import { fetchRepository } from './git.ts';
import { RepositoryError, type RepositoryFailure } from './git-failure.ts';
import type { GitCredential } from './git-transport.ts';

const server = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find((path) => existsSync(path));

let root: string;
let fixture: RepositoryFixture;
let daemon: ChildProcess;
let proxy: EgressProxy;
let url: string;

before(async () => {
  assert.ok(server, 'The tests need an OpenSSH server: `npm test` installs it.');
  root = mkdtempSync(join(tmpdir(), 'git-ssh-'));
  fixture = new RepositoryFixture();
  fixture.commit({ 'a.txt': 'one\n' });
  for (const [name, passphrase] of Object.entries({ host: '', plain: '', sealed: 'open sesame', stranger: '' })) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', join(root, name)]);
  }
  writeFileSync(join(root, 'authorized'), read('plain.pub') + read('sealed.pub'), { mode: 0o600 });
  const port = await findFreePort();
  const settings = [
    ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${join(root, 'host')}`, 'StrictModes no', 'PidFile none'],
    ...[`AuthorizedKeysFile ${join(root, 'authorized')}`, 'PasswordAuthentication no', 'PermitRootLogin yes'],
  ];
  writeFileSync(join(root, 'settings'), `${settings.join('\n')}\n`);
  // When started by root, sshd needs a folder to lock itself into. Debian creates it only when it starts the service.
  if (process.getuid!() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  daemon = spawn(server, ['-D', '-e', '-f', join(root, 'settings')], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  for await (const chunk of daemon.stderr!) {
    log += chunk;
    if (log.includes('listening')) break;
  }
  assert.match(log, /listening/, `sshd did not start: ${log}`);
  proxy = await startEgressProxy({ policy: createNetworkPolicy({ allowed: ['127.0.0.0/8'] }) });
  url = `ssh://${userInfo().username}@127.0.0.1:${port}${fixture.work}`;
});
after(async () => {
  if (!daemon) return;
  await proxy.close();
  daemon.kill();
  fixture.remove();
  rmSync(root, { recursive: true, force: true });
});

function read(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

async function findFreePort(): Promise<number> {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  holder.close();
  await once(holder, 'close');
  return port;
}

let count = 0;
function fetch(credential: GitCredential | null, directory = join(root, `fetched-${count++}`)) {
  const signal = AbortSignal.timeout(600_000);
  return fetchRepository({ url, branch: null, credential, directory, signal, proxyUrl: proxy.url, allowFile: false });
}

const failsWith = (reason: RepositoryFailure) => (error: unknown) =>
  error instanceof RepositoryError && error.reason === reason;

test('ssh accepts a key, with or without a passphrase, through the proxy', async () => {
  const head = fixture.git('rev-parse', 'HEAD');
  assert.equal((await fetch({ private_key: read('plain') })).head, head);
  assert.equal((await fetch({ private_key: read('plain').replaceAll('\n', '\r\n') })).head, head);
  assert.equal((await fetch({ private_key: read('sealed'), passphrase: 'open sesame' })).head, head);
});

test('ssh without the right key is refused, and never prompts', async () => {
  for (const credential of [
    null,
    { private_key: read('stranger') },
    { private_key: read('sealed') },
    { private_key: read('sealed'), passphrase: 'wrong' },
    { private_key: 'nonsense' },
  ]) {
    await assert.rejects(fetch(credential), failsWith('authentication_failed'));
  }
});

test('a host whose key has changed is not trusted', async () => {
  const directory = join(root, 'lasting');
  await fetch({ private_key: read('plain') }, directory);
  const known = join(directory, 'known_hosts');
  const another = read('stranger.pub').split(' ')[1]!;
  writeFileSync(known, readFileSync(known, 'utf8').replace(/AAAA\S+/, another));
  await assert.rejects(fetch({ private_key: read('plain') }, directory), failsWith('untrusted'));
});
