/**
 * Returns a path of this server if it is safe to redirect to; null for anything that a browser could interpret as the
 * address of another server.
 */
export function readOwnPath(text: string): string | null {
  if (!/^\/(?![/\\])/.test(text) || /[\x00-\x20\x7f\\]/.test(text)) return null;
  const here = 'http://own.invalid';
  if (!URL.canParse(text, here)) return null;
  const url = new URL(text, here);
  const path = url.pathname + url.search + url.hash;
  // Steps such as `/./` and `/..//` could leave two slashes at the start.
  return url.origin === here && !path.startsWith('//') ? path : null;
}
