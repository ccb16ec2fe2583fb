/**
 * A file's path as findings have it: with `/`, without `./`, a `file:` address or a drive. A leading `/` stays away too, for
 * tools write the scanned folder's root as `/` (Checkov) or where it was mounted (`/src`): `null` when nothing remains.
 */
export function filePath(value: string | undefined): string | null {
  if (value === undefined) return null;
  let path = value.replaceAll('\\', '/').replace(/^file:\/*/i, '');
  path = path
    .replace(/^[a-z]:\//i, '')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/{2,}/g, '/');
  return path === '' ? null : path.slice(0, 4_000);
}

/** A URI's path with its percent signs undone; one that is written wrong stays as it is. */
export function decodedPath(uri: string | undefined): string | null {
  if (uri === undefined || !uri.includes('%')) return filePath(uri);
  try {
    return filePath(decodeURIComponent(uri));
  } catch {
    return filePath(uri);
  }
}
