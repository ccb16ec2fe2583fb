/**
 * The forms in which code hosts address a line of a file, by host name: after the repository, with revision, path and
 * line.
 */
const hosts: [RegExp, (revision: string, path: string, line: string) => string][] = [
  [/^github\./, (revision, path, line) => `/blob/${revision}/${path}${line && `#L${line}`}`],
  [/^gitlab\./, (revision, path, line) => `/-/blob/${revision}/${path}${line && `#L${line}`}`],
  [/^bitbucket\.org$/, (revision, path, line) => `/src/${revision}/${path}${line && `#lines-${line}`}`],
];

/** Matches `https://host/owner/name.git` and similar, and `user@host:owner/name.git`: host and repository. */
const clonePatterns = [
  /^(?:https?|ssh|git):\/\/(?:[^@/]+@)?([^/:@]+)(?::\d+)?\/(.+?)(?:\.git)?\/?$/,
  /^[^@/:]+@([^/:@]+):(?!\/)(.+?)(?:\.git)?\/?$/,
];

type Place = { path: string | null; start_line: number | null; commit: string | null };

const escapePath = (path: string) => path.split('/').map(encodeURIComponent).join('/');

/**
 * Returns the address of a location at a code host, from the clone URL of the repository; null if the host is unknown.
 * Without a commit, it shows the newest state of `branch` or of the main branch.
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
