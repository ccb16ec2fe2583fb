import { invalid } from '../platform/errors.ts';
import { requirePlainText, type Target } from './target.ts';

// The grammar of github.com/distribution/reference, split so that no pattern can backtrack far.
const domainShape =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const componentShape = /^[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*$/;
const tagShape = /^\w[\w.-]{0,127}$/;
const digestShape = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,128}$/;

const field = 'config.reference';
const refused = (message: string) => invalid('body', field, message);

/**
 * Parses a container image reference like Docker: `alpine` is `docker.io/library/alpine:latest`. Keeps the reference as
 * given; the address is its full form. Throws a 400 for `config.reference`.
 */
export function readImageReference(text: string): Target {
  requirePlainText(field, text);
  if (text.includes('://'))
    throw refused('must be an image reference such as ghcr.io/owner/name:tag, without https://');
  const [named = '', digest, ...more] = text.split('@');
  if (more.length > 0 || (digest !== undefined && !isDigest(digest))) {
    throw refused('has no valid digest after @: it must be sha256: and 64 hexadecimal digits');
  }
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  const tag = hasTag ? named.slice(colon + 1) : undefined;
  if (tag !== undefined && !tagShape.test(tag))
    throw refused('has no valid tag after the colon: letters, digits, _ . - and at most 128 of them');
  const { domain, path } = splitName(hasTag ? named.slice(0, colon) : named);
  const suffix = `${tag === undefined ? (digest === undefined ? ':latest' : '') : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
  return {
    config: { reference: text },
    address: `${domain}/${path}${suffix}`,
    endpoint: endpointOf(domain),
    suggestedName: path.replace(/^library\//, ''),
  };
}

function isDigest(text: string): boolean {
  return text.startsWith('sha256:') ? /^sha256:[0-9a-f]{64}$/.test(text) : digestShape.test(text);
}

/**
 * Applies Docker's rule: the part before the first slash is a registry if it looks like a host; otherwise the image is
 * on Docker Hub.
 */
function splitName(name: string): { domain: string; path: string } {
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  const isDomain = first === 'localhost' || /[.:A-Z]/.test(first);
  const domain = isDomain ? first.toLowerCase().replace(/^index\.docker\.io$/, 'docker.io') : 'docker.io';
  const rest = isDomain ? name.slice(slash + 1) : name;
  const path = domain === 'docker.io' && !rest.includes('/') ? `library/${rest}` : rest;
  if (!domainShape.test(domain)) throw refused('names no valid registry before the first slash');
  if (path.length > 255 || !path.split('/').every((component) => componentShape.test(component))) {
    throw refused('is not an image reference: [registry/]name[:tag][@digest], the name in lower case');
  }
  // The daemon reads such a name as an image id, a registry as a name.
  if (/^library\/[0-9a-f]{64}$/.test(path)) throw refused('must be a name, not an image id');
  return { domain, path };
}

function endpointOf(domain: string): Target['endpoint'] {
  const [, host = '', port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(domain) ?? [];
  return { host: host === 'docker.io' ? 'registry-1.docker.io' : host, port: port === undefined ? 443 : Number(port) };
}
