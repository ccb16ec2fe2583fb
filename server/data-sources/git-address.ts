import { normalizeHost } from '@assay/scanner/platform/egress/host-name.ts';
import { invalid } from '../platform/errors.ts';
import { toName } from '../platform/name.ts';
import { maxAddressLength, requirePlainText } from './target.ts';

export type GitAddress = {
  /** The address as git accepts it, without a password. */
  url: string;
  scheme: 'https' | 'ssh' | 'git' | 'file';
  /** Without `.git` and trailing slashes: forges and git itself treat both as the same repository. */
  address: string;
  endpoint: { host: string; port: number } | null;
  suggestedName: string;
};

const field = 'config.url';
const defaultPorts = { https: 443, ssh: 22, git: 9418 };
const accepted = 'must be an https, ssh or git URL of a repository, or user@host:path';
const userName = /^[A-Za-z0-9_][\w.-]*$/;
// user@host:path, as forges show it. The path is relative to the user's home, which is /~/ in a URL.
const scpLike = /^([A-Za-z0-9_][\w.-]*)@([A-Za-z0-9][\w.-]*):(?!\/\/)([^:-].*)$/;

/**
 * Parses the address of a git repository: `https:`, `ssh:` and `git:` URLs, `user@host:path` (stored unchanged,
 * compared as `ssh://user@host/path`), and the form of `file:` URLs, whose directory local-repository.ts checks. Throws
 * a 400 for `config.url`, for credentials in the URL too.
 */
export function readGitAddress(text: string): GitAddress {
  requirePlainText(field, text);
  const scp = text.includes('::') ? null : scpLike.exec(text);
  if (scp) {
    const host = requireHost(scp[2]!);
    const path = requirePath(`/${scp[3]!.replace(/^\//, '')}`);
    return build('ssh', scp[1]!, host, 22, path, `${scp[1]}@${host}:${scp[3]}`);
  }
  const url = URL.parse(text);
  const scheme = url?.protocol.slice(0, -1);
  if (!url || !/^[a-z]+:\/\//i.test(text)) throw invalid('body', field, accepted);
  if (scheme === 'http')
    throw invalid('body', field, 'must not be plain http, which anyone on the network can tamper with: use https');
  if (scheme !== 'https' && scheme !== 'ssh' && scheme !== 'git' && scheme !== 'file')
    throw invalid('body', field, accepted);
  if (url.search !== '' || url.hash !== '') throw invalid('body', field, 'must have no query (?) and no fragment (#)');
  const path = requirePath(url.pathname);
  const user = requireNoCredential(url, scheme);
  if (scheme !== 'file')
    return build(scheme, user, requireHost(url.hostname), Number(url.port) || defaultPorts[scheme], path);
  if (url.host !== '' && url.host !== 'localhost')
    throw invalid('body', field, 'must name a directory of this machine: file:///directory');
  return {
    url: `file://${path}`,
    scheme,
    address: `file://${bare(path)}`,
    endpoint: null,
    suggestedName: nameOf(path),
  };
}

function build(
  scheme: 'https' | 'ssh' | 'git',
  user: string,
  host: string,
  port: number,
  path: string,
  given?: string,
): GitAddress {
  const authority = `${user && `${user}@`}${host.includes(':') ? `[${host}]` : host}${port === defaultPorts[scheme] ? '' : `:${port}`}`;
  const url = given ?? `${scheme}://${authority}${path}`;
  if (url.length > maxAddressLength) throw invalid('body', field, 'is too long in its normal form');
  return {
    url,
    scheme,
    address: `${scheme}://${authority}${bare(path)}`,
    endpoint: { host, port },
    suggestedName: nameOf(path),
  };
}

/** Returns the user name, for ssh only. */
function requireNoCredential(url: URL, scheme: string): string {
  if (url.password !== '' || (url.username !== '' && scheme !== 'ssh')) {
    throw invalid(
      'body',
      field,
      'must not contain a user name, password or token: give them in config.credential, which is stored encrypted',
    );
  }
  if (url.username !== '' && !userName.test(url.username))
    throw invalid('body', field, 'has a user name that ssh does not accept');
  return url.username;
}

function requireHost(text: string): string {
  const host = normalizeHost(text);
  if (host === null) throw invalid('body', field, 'must name a host');
  return host;
}

function requirePath(path: string): string {
  if (/^\/*$/.test(path)) throw invalid('body', field, 'must have the path of a repository after the host');
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    throw invalid('body', field, 'has a path with a broken percent-encoding');
  }
  if (/[\x00-\x1f\x7f]/.test(decoded)) throw invalid('body', field, 'must not contain control characters');
  return path;
}

const bare = (path: string) =>
  path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/\/+$/, '') || '/';

function nameOf(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  // A working tree is named after the directory around its .git.
  const last = segments.at(-1) === '.git' ? segments.at(-2) : segments.at(-1);
  return toName(decodeURIComponent(last ?? '').replace(/\.git$/, '')) || 'repository';
}
