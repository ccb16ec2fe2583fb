import { RepositoryError } from './git-failure.ts';

type GitScheme = 'https' | 'http' | 'ssh' | 'git' | 'file';

export type GitUrl = {
  /** The URL as git accepts it, without a password. */
  url: string;
  scheme: GitScheme;
  /** The user name and password in the URL. */
  username: string | null;
  password: string | null;
};

const scpLike = /^([A-Za-z0-9_][\w.-]*)@([A-Za-z0-9][\w.-]*):(?!\/\/)([^\s:][^\n\r\0]*)$/;
const schemes = new Map<string, GitScheme>(
  (['https', 'http', 'ssh', 'git', 'file'] as const).map((scheme) => [`${scheme}:`, scheme]),
);

/**
 * Parses a repository's address: `https:`, `http:`, `ssh:`, `git:` and `file:` URLs, and `user@host:path` for ssh.
 * Throws the `RepositoryError` `invalid_url` for anything else (`ext::…`, bare paths, addresses that start like an
 * option).
 */
export function parseGitUrl(text: string): GitUrl {
  const scp = scpLike.exec(text);
  if (scp && !text.includes('::') && !scp[3]!.startsWith('-')) {
    return { url: text, scheme: 'ssh', username: scp[1]!, password: null };
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  const scheme = url && schemes.get(url.protocol);
  if (!url || !scheme || /[\s\0]/.test(text)) {
    throw new RepositoryError('invalid_url', 'The address must be an https, ssh or git URL of a repository.');
  }
  if (scheme === 'file') {
    if (url.host && url.host !== 'localhost') {
      throw new RepositoryError('invalid_url', 'A file URL must name a directory on this machine: file:///directory.');
    }
    return { url: `file://${url.pathname}`, scheme, username: null, password: null };
  }
  // Deliberately narrow, because the host passes through a shell on its way to ssh's proxy command.
  if (!/^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_]([\w.-]*[\w.])?)$/.test(url.hostname)) {
    throw new RepositoryError('invalid_url', 'The address must name a host.');
  }
  const username = url.username ? decodeURIComponent(url.username) : null;
  if (username && !/^[^\s\0-][^\s\0]*$/.test(username)) {
    throw new RepositoryError('invalid_url', 'The user name in the address is not usable.');
  }
  const password = url.password ? decodeURIComponent(url.password) : null;
  url.password = '';
  if (scheme !== 'ssh') url.username = '';
  url.hash = '';
  return { url: url.href, scheme, username, password };
}

/** Returns whether `name` can be a branch's name. With the prefix `refs/heads/`, it can't be read as an option. */
export function isBranchName(name: string): boolean {
  return (
    name.length > 0 &&
    name.length <= 250 &&
    !/[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|^\.|^\/|\/$|\.$|\.lock($|\/)/.test(name) &&
    name !== '@'
  );
}
