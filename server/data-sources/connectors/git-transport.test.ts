import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { prepareTransport } from './git-transport.ts';
import { parseGitUrl } from './git-url.ts';

test('ssh applies its settings: its own known hosts, one key, no agent, through the proxy', async () => {
  const home = mkdtempSync(join(tmpdir(), "it's 100% odd "));
  const knownHosts = join(home, 'known_hosts');
  const credential = { private_key: 'KEY\r\nLINES', passphrase: 'open' };
  const { environment, configuration, protocol } = await prepareTransport(
    parseGitUrl('git@example.com:x/y'),
    credential,
    {
      home,
      knownHosts,
      proxyUrl: 'http://127.0.0.1:3128',
    },
  );
  assert.equal(protocol, 'ssh');
  assert.deepEqual(configuration, []);
  const shown = execFileSync('/bin/sh', ['-c', `${environment.GIT_SSH_COMMAND} -G example.com`], { encoding: 'utf8' });
  const lines = shown.split('\n');
  for (const line of [
    'stricthostkeychecking accept-new',
    'identitiesonly yes',
    'identityagent none',
    'forwardagent no',
    'passwordauthentication no',
    `userknownhostsfile ${knownHosts}`,
    `identityfile ${join(home, 'identity')}`,
    'globalknownhostsfile /dev/null',
  ]) {
    assert.ok(lines.includes(line) || lines.includes(line.replaceAll('%', '%%')), `${line}\n${shown}`);
  }
  assert.match(shown, /proxycommand .*connect' %h %p/);
  assert.match(execFileSync(environment.SSH_ASKPASS!, { env: environment, encoding: 'utf8' }), /^open\n$/);
  rmSync(home, { recursive: true, force: true });
});
