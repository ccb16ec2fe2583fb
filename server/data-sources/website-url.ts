import { normalizeHost } from '@assay/scanner/platform/egress/host-name.ts';
import { invalid } from '../platform/errors.ts';
import { maxAddressLength, requirePlainText, type Target } from './target.ts';

const field = 'config.url';

/**
 * Parses a website's URL: http or https, without credentials. Drops the fragment, which no server receives. Throws a
 * 400 for `config.url`.
 */
export function readWebsiteUrl(text: string): Target {
  requirePlainText(field, text);
  const url = URL.parse(text);
  if (!url || !/^https?:\/\//i.test(text))
    throw invalid('body', field, 'must be an http or https URL, such as https://www.example.com/');
  if (url.username !== '' || url.password !== '')
    throw invalid('body', field, 'must not contain a user name or password');
  const host = normalizeHost(url.hostname);
  if (host === null) throw invalid('body', field, 'must name a host');
  url.hash = '';
  // With the dot of a fully qualified name, the same site would have two addresses.
  if (!host.includes(':')) url.hostname = host;
  if (url.href.length > maxAddressLength) throw invalid('body', field, 'is too long in its normal form');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return { config: { url: url.href }, address: url.href, endpoint: { host, port }, suggestedName: url.host };
}
