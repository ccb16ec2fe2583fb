import { isIP } from 'node:net';

/**
 * Returns the normal form of a host: lower case, IDNA in punycode, no trailing dot, no brackets. Numbers in octal,
 * hexadecimal or fewer than four parts become the dotted address that a resolver would use (`0x7f.1` → `127.0.0.1`). Null
 * for text that is not a host: empty, with a port, path, credentials or zone, or a name that DNS does not allow.
 */
export function normalizeHost(text: string): string | null {
  if (text === '' || text.length > 1_000 || /[\s/\\?#@<>^|%]/.test(text)) return null;
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (bare.includes(':')) return isIP(bare) === 6 ? ipv6(bare) : null;
  const url = URL.parse(`http://${text}`);
  if (url === null || url.port !== '') return null;
  const host = url.hostname.replace(/\.$/, '');
  if (isIP(host) === 4) return host;
  return isDomainName(host) ? host : null;
}

function ipv6(text: string): string | null {
  return URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) ?? null;
}

// RFC 1123 allows no underscores in host names, but names with them resolve and are in use.
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

function isDomainName(host: string): boolean {
  return host.length > 0 && host.length <= 253 && host.split('.').every((part) => label.test(part));
}

const localSuffixes = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa', 'lan', 'intranet', 'corp', 'home'];

/**
 * Returns whether a normalised name never exists in public DNS. Such a name is internal, regardless of its addresses.
 */
export function isLocalName(host: string): boolean {
  return localSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}
