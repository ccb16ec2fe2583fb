/** Longer paths are truncated: they would not fit into an index. */
export const maxPathLength = 4_000;

/**
 * Normalises a path to the form that findings use: with `/`, without `./`, `file:` or a drive letter. A leading `/` is
 * removed too, since tools write the scanned folder's root as `/` (Checkov) or as its mount point (`/src`). `null` if
 * nothing remains.
 */
export function filePath(value: string | undefined): string | null {
  if (value === undefined) return null;
  let path = value.replaceAll('\\', '/').replace(/^file:\/*/i, '');
  path = path
    .replace(/^[a-z]:\//i, '')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/{2,}/g, '/');
  return path === '' ? null : path.slice(0, maxPathLength);
}

/** Decodes the percent-encoding of a URI's path; a malformed one is returned unchanged. */
export function decodedPath(uri: string | undefined): string | null {
  if (uri === undefined || !uri.includes('%')) return filePath(uri);
  try {
    return filePath(decodeURIComponent(uri));
  } catch {
    return filePath(uri);
  }
}
