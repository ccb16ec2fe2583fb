import { normalizeHost } from '../platform/egress/host-name.ts';
import { invalid } from '../platform/errors.ts';
import { requirePlainText, type Target } from './target.ts';

const field = 'config.address';

/** Reads the name or IP address of a single host, without range, port or URL. Throws a 400 of `config.address`. */
export function readHostAddress(text: string): Target {
  requirePlainText(field, text);
  // Nmap would read 10.0.0.1-20 as twenty hosts, although it could be a name.
  if (/^[^/]*\/\d+$/.test(text) || (/^[\d.*-]+$/.test(text) && /[*-]/.test(text)))
    throw invalid('body', field, 'must be one host, not a range: add each host that is to be scanned');
  const host = normalizeHost(text);
  if (host === null)
    throw invalid('body', field, 'must be a host name or an IP address, without a scheme, port or path');
  return { config: { address: host }, address: host, endpoint: { host }, suggestedName: host };
}
