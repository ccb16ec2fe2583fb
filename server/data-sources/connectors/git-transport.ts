import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GitOptions } from '@assay/scanner/platform/git.ts';
import { gitPaths } from '@assay/scanner/platform/sandbox/git-paths.ts';
import { nodeFiles } from '../../platform/sandbox/node-process.ts';
import { RepositoryError } from './git-failure.ts';
import type { GitUrl } from './git-url.ts';

/** The content of a data source's sealed credential: a password or token for https, a private key for ssh. */
export type GitCredential =
  | { username?: string; password?: string; token?: string }
  | { private_key: string; passphrase?: string };

export type Transport = Required<
  Pick<GitOptions, 'protocol' | 'configuration' | 'environment' | 'proxyUrl' | 'reads' | 'writes'>
>;

const connectHelper = fileURLToPath(new URL('../../platform/egress/connect-through-proxy.mjs', import.meta.url));
/** A local repository, with the objects that it borrows; the repository of a working tree is inside it. */
const localPaths = (directory: string) => [directory, ...gitPaths(directory), ...gitPaths(join(directory, '.git'))];

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Returns settings that give git access to one repository: its transport, the credential and the proxy. `home` is a
 * private directory, removed afterward, for the files that OpenSSH needs; `knownHosts` is kept as long as the data
 * source.
 */
export async function prepareTransport(
  address: GitUrl,
  credential: GitCredential | null,
  options: { home: string; knownHosts: string; proxyUrl: string | null },
): Promise<Transport> {
  const transport: Transport = {
    protocol: address.scheme,
    configuration: [],
    environment: options.proxyUrl ? { ASSAY_EGRESS_PROXY: options.proxyUrl } : {},
    proxyUrl: options.proxyUrl,
    reads: address.scheme === 'file' ? localPaths(fileURLToPath(address.url)) : [connectHelper, ...nodeFiles()],
    writes: [dirname(options.knownHosts)],
  };
  if (address.scheme === 'https' || address.scheme === 'http') prepareHttp(transport, address, credential, options);
  if (address.scheme === 'ssh') await prepareSsh(transport, credential, options);
  if (address.scheme === 'git' && options.proxyUrl) {
    transport.configuration.push(['core.gitProxy', await writeConnectScript(options.home)]);
  }
  // The other end of a local fetch is a separate process, which does not inherit our settings, but reads this file.
  if (address.scheme === 'file') {
    const global = join(options.home, 'gitconfig');
    await writeFile(global, '[safe]\n\tdirectory = *\n', { mode: 0o600 });
    transport.environment.GIT_CONFIG_GLOBAL = global;
  }
  return transport;
}

function prepareHttp(
  transport: Transport,
  address: GitUrl,
  credential: GitCredential | null,
  options: { proxyUrl: string | null },
) {
  transport.configuration.push(
    ['http.followRedirects', 'initial'],
    ['http.lowSpeedLimit', '1000'],
    ['http.lowSpeedTime', '60'],
    ['http.userAgent', 'git/assay'],
  );
  if (options.proxyUrl) transport.configuration.push(['http.proxy', options.proxyUrl]);
  if (credential && 'private_key' in credential) {
    throw new RepositoryError(
      'invalid_credential',
      'An https address takes a user name and password or token, not an SSH key.',
    );
  }
  const password = credential?.password ?? credential?.token ?? address.password;
  if (password === null || password === undefined) return;
  const username = credential?.username ?? address.username ?? 'x-access-token';
  if (/[\n\r\0]/.test(username + password)) {
    throw new RepositoryError('invalid_credential', 'The user name and the password must each be one line.');
  }
  // Only for this origin: after a redirect to another host, git requests credentials again and gets none.
  transport.configuration.push([
    `credential.${new URL(address.url).origin}.helper`,
    `!f() { test "$1" = get && printf 'username=%s\\npassword=%s\\n' "$ASSAY_GIT_USERNAME" "$ASSAY_GIT_PASSWORD"; }; f`,
  ]);
  transport.environment.ASSAY_GIT_USERNAME = username;
  transport.environment.ASSAY_GIT_PASSWORD = password;
}

async function prepareSsh(
  transport: Transport,
  credential: GitCredential | null,
  options: { home: string; knownHosts: string; proxyUrl: string | null },
) {
  const settings = [
    'StrictHostKeyChecking=accept-new',
    `UserKnownHostsFile=${sshPath(options.knownHosts)}`,
    'GlobalKnownHostsFile=/dev/null',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    'ForwardAgent=no',
    'ClearAllForwardings=yes',
    'PermitLocalCommand=no',
    'PasswordAuthentication=no',
    'KbdInteractiveAuthentication=no',
    'ConnectTimeout=30',
    'ServerAliveInterval=15',
  ];
  let passphrase: string | undefined;
  if (credential) {
    if (!('private_key' in credential)) {
      throw new RepositoryError(
        'invalid_credential',
        'An ssh address takes an SSH private key, not a password or token.',
      );
    }
    const identity = join(options.home, 'identity');
    await writeFile(identity, `${credential.private_key.replaceAll('\r\n', '\n').trimEnd()}\n`, { mode: 0o600 });
    settings.push(`IdentityFile=${sshPath(identity)}`);
    passphrase = credential.passphrase;
  } else {
    settings.push('IdentityFile=none');
  }
  settings.push(`BatchMode=${passphrase ? 'no' : 'yes'}`);
  if (options.proxyUrl) settings.push(`ProxyCommand=${quote(await writeConnectScript(options.home))} %h %p`);
  transport.environment.GIT_SSH_COMMAND = [
    'ssh',
    '-F',
    '/dev/null',
    ...settings.flatMap((setting) => ['-o', quote(setting)]),
  ].join(' ');
  transport.environment.GIT_SSH_VARIANT = 'ssh';
  if (passphrase) {
    const script = join(options.home, 'passphrase');
    await writeFile(script, `#!/bin/sh\nprintf '%s\\n' "$ASSAY_SSH_PASSPHRASE"\n`, { mode: 0o700 });
    Object.assign(transport.environment, {
      SSH_ASKPASS: script,
      SSH_ASKPASS_REQUIRE: 'force',
      ASSAY_SSH_PASSPHRASE: passphrase,
    });
  }
}

/** Quotes a file name: OpenSSH splits file names at blanks and expands `%`. */
const sshPath = (file: string) => `"${file.replaceAll('%', '%%')}"`;

async function writeConnectScript(home: string): Promise<string> {
  const script = join(home, 'connect');
  await writeFile(script, `#!/bin/sh\nexec ${quote(process.execPath)} ${quote(connectHelper)} "$1" "$2"\n`, {
    mode: 0o700,
  });
  return script;
}
