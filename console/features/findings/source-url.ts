/** Where code hosts show a line of a file, by the name of the host: after the repository, with revision, path and line. */
const hosts: [RegExp, (revision: string, path: string, line: string) => string][] = [
  [/^github\./, (revision, path, line) => `/blob/${revision}/${path}${line && `#L${line}`}`],
  [/^gitlab\./, (revision, path, line) => `/-/blob/${revision}/${path}${line && `#L${line}`}`],
  [/^bitbucket\.org$/, (revision, path, line) => `/src/${revision}/${path}${line && `#lines-${line}`}`],
];

/** `https://host/owner/name.git` and the like, and `user@host:owner/name.git`: host and repository. */
const clonePatterns = [
  /^(?:https?|ssh|git):\/\/(?:[^@/]+@)?([^/:@]+)(?::\d+)?\/(.+?)(?:\.git)?\/?$/,
  /^[^@/:]+@([^/:@]+):(?!\/)(.+?)(?:\.git)?\/?$/,
];

type Place = { path: string | null; start_line: number | null; commit: string | null };

const escapePath = (path: string) => path.split('/').map(encodeURIComponent).join('/');

/**
 * Returns the address at which a code host shows a place in a repository, by the URL from which it is cloned; null where
 * the host is not known. Without a commit it is the newest state of `branch`, or of the main branch.
 */
export function sourceUrl(cloneUrl: string, place: Place, branch?: string | null): string | null {
  const match = clonePatterns.map((pattern) => pattern.exec(cloneUrl)).find((found) => found !== null);
  const [, host = '', repository = ''] = match ?? [];
  const address = hosts.find(([pattern]) => pattern.test(host))?.[1];
  if (!address || !place.path) return null;
  const revision = escapePath(place.commit ?? (branch || 'HEAD'));
  const line = place.start_line === null ? '' : String(place.start_line);
  return `https://${host}/${escapePath(repository)}${address(revision, escapePath(place.path), line)}`;
}
