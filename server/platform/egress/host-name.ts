import { isIP } from 'node:net';

/**
 * The one form of a host: lower case, IDNA in punycode, no trailing dot, no brackets; numbers in octal, hexadecimal or fewer than
 * four parts become the dotted address that a resolver would make of them (`0x7f.1` → `127.0.0.1`).
 * Null when it is no host at all: an empty one, one with a port, a path, credentials or a zone, a name that DNS can't hold.
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

// Underscores are no part of a host name by the letter of RFC 1123, but names with them resolve and are in use.
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

function isDomainName(host: string): boolean {
  return host.length > 0 && host.length <= 253 && host.split('.').every((part) => label.test(part));
}

const localSuffixes = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa', 'lan', 'intranet', 'corp', 'home'];

/** Whether a normalised name is one that public DNS never answers for: such a name leads inside, wherever it resolves to. */
export function isLocalName(host: string): boolean {
  return localSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}
